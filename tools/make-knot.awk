# SPDX-License-Identifier: MIT
# A trefoil knot: a round tube along a closed curve. About 1 m wide, lying in the plane of x and z.
#
#   awk -f tools/make-knot.awk > scenes/models/knot.obj
function curve(t) {
    p[0] = (sin(t) + 2 * sin(2 * t)) / 6; p[2] = (cos(t) - 2 * cos(2 * t)) / 6
    p[1] = -sin(3 * t) / 6
}

# A vector across the way of the tube and close to the one before: the tube does not twist.
function cross_out(   d, k, length_of) {
    d = u[0] * w[0] + u[1] * w[1] + u[2] * w[2]
    for (k = 0; k < 3; ++k) u[k] -= d * w[k]
    length_of = sqrt(u[0] ^ 2 + u[1] ^ 2 + u[2] ^ 2)
    for (k = 0; k < 3; ++k) u[k] /= length_of
    v[0] = w[1] * u[2] - w[2] * u[1]; v[1] = w[2] * u[0] - w[0] * u[2]; v[2] = w[0] * u[1] - w[1] * u[0]
}

# Where the tube stands after n steps, in p, with the directions u and v across it.
function walk(n,   t, k, length_of) {
    t = 2 * pi * n / rings
    curve(t + 1e-4); for (k = 0; k < 3; ++k) w[k] = p[k]
    curve(t - 1e-4); for (k = 0; k < 3; ++k) w[k] -= p[k]
    length_of = sqrt(w[0] ^ 2 + w[1] ^ 2 + w[2] ^ 2)
    for (k = 0; k < 3; ++k) w[k] /= length_of
    cross_out()
    curve(t)
}

BEGIN {
    pi = atan2(0, -1); rings = 160; sides = 24; thick = 0.085
    # once round without a mesh: by how much is the frame turned when it comes back?
    u[0] = 0; u[1] = 1; u[2] = 0; walk(0)
    for (k = 0; k < 3; ++k) { first_u[k] = u[k]; first_v[k] = v[k] }
    for (n = 1; n <= rings; ++n) walk(n)
    c = u[0] * first_u[0] + u[1] * first_u[1] + u[2] * first_u[2]
    s = u[0] * first_v[0] + u[1] * first_v[1] + u[2] * first_v[2]
    off = atan2(s, c)
    print "# a trefoil knot; made by tools/make-knot.awk"
    u[0] = 0; u[1] = 1; u[2] = 0
    for (n = 0; n < rings; ++n) {
        walk(n)
        for (k = 0; k < sides; ++k) {
            a = 2 * pi * k / sides - off * n / rings
            printf "v %.6g %.6g %.6g\n", p[0] + thick * (cos(a) * u[0] + sin(a) * v[0]),
                p[1] + thick * (cos(a) * u[1] + sin(a) * v[1]),
                p[2] + thick * (cos(a) * u[2] + sin(a) * v[2])
        }
    }
    for (n = 0; n < rings; ++n)
        for (k = 0; k < sides; ++k) {
            a = n * sides + k + 1; b = n * sides + (k + 1) % sides + 1
            d = (n + 1) % rings * sides + k + 1; c = (n + 1) % rings * sides + (k + 1) % sides + 1
            printf "f %d %d %d\nf %d %d %d\n", a, b, c, a, c, d
        }
}

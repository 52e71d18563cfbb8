# SPDX-License-Identifier: MIT
# A fish that beats its tail: the meshes of one beat, for `sequence`. It is as long as 1, looks along +x, and
# its middle is at 0. All meshes have the same corners and triangles; only z changes from one to the next.
#
#   awk -v count=10 -v path=scenes/models/fish_%02d.obj -f tools/make-fish.awk

# A curve through points (place, value), straight between them.
function along(table, x,   n, k, part, a, b) {
    n = split(table, part, " ")
    for (k = 3; k < n; k += 2) if (x <= part[k]) break
    a = part[k - 2]; b = part[k]
    return part[k - 1] + (part[k + 1] - part[k - 1]) * (x - a) / (b - a)
}

# A wave that runs from the head to the tail and grows on its way.
function bend(x, phase) { return (0.012 + 0.10 * x * x) * sin(phase - 2 * pi * 0.9 * x) }

function put(x, y, z) { corner[++corners] = x; up[corners] = y; side[corners] = z }

BEGIN {
    pi = atan2(0, -1); rings = 24; sides = 10
    # from the nose (0) to the end of the tail (1): the highest, the lowest and the widest place
    back  = "0 0.004 0.06 0.055 0.16 0.105 0.30 0.135 0.36 0.20 0.46 0.185 0.54 0.12 0.66 0.075 0.80 0.032 0.86 0.055 1 0.17"
    belly = "0 -0.012 0.06 -0.05 0.16 -0.10 0.34 -0.125 0.50 -0.105 0.58 -0.115 0.64 -0.07 0.80 -0.028 0.86 -0.05 1 -0.15"
    wide  = "0 0.006 0.06 0.042 0.16 0.068 0.30 0.075 0.50 0.055 0.66 0.034 0.80 0.018 1 0.012"
    put(-0.004, 0, 0)
    for (r = 0; r < rings; ++r)
        for (s = 0; s < sides; ++s) {
            x = r / (rings - 1); a = 2 * pi * s / sides
            y = cos(a) > 0 ? along(back, x) : -along(belly, x)
            put(x, y * cos(a), along(wide, x) * sin(a) * (cos(a) > 0.9 ? 0.6 : 1))
        }
    put(0.95, 0, 0) # the tail is notched
    for (k = 0; k < count; ++k) {
        file = sprintf(path, k)
        print "# a fish, " k " of " count " of a beat; made by tools/make-fish.awk" > file
        for (c = 1; c <= corners; ++c)
            printf "v %.4f %.4f %.4f\n", 0.5 - corner[c], up[c],
                side[c] + bend(corner[c], 2 * pi * k / count) > file
        for (s = 0; s < sides; ++s) {
            t = (s + 1) % sides
            printf "f 1 %d %d\n", 2 + s, 2 + t > file
            printf "f %d %d %d\n", corners, corners - sides + t, corners - sides + s > file
            for (r = 0; r + 1 < rings; ++r) {
                a = 2 + r * sides + s; b = 2 + r * sides + t
                printf "f %d %d %d\nf %d %d %d\n", a, a + sides, b, b, a + sides, b + sides > file
            }
        }
        close(file)
    }
}

# SPDX-License-Identifier: MIT
# A tumbler: a profile turned about y. Metres; it stands on y = 0.
#
#   awk -f tools/make-glass.awk > scenes/models/glass.obj
function put(r, y) { radius[count] = r; height[count++] = y }

# A quarter or half circle of the profile about (r, y), between two angles in degrees.
function bow(r, y, size, from, to, steps,   k, a) {
    for (k = 0; k <= steps; ++k) {
        a = (from + (to - from) * k / steps) * pi / 180
        put(r + size * cos(a), y + size * sin(a))
    }
}

BEGIN {
    pi = atan2(0, -1); sides = 96
    # foot, outer wall, rim, inner wall, floor: from below on the axis round to above on the axis
    put(0, 0)
    bow(0.0285, 0.0015, 0.0015, -90, -4, 4)
    for (k = 1; k < 8; ++k) put(0.030 + 0.008 * k / 8, 0.0015 + 0.117 * k / 8)
    bow(0.0365, 0.1185, 0.0015, -4, 176, 8)
    for (k = 1; k < 8; ++k) put(0.0350 - 0.0075 * k / 8, 0.1185 - 0.1045 * k / 8)
    bow(0.0235, 0.014, 0.004, -4, -90, 6)
    put(0, 0.010)

    print "# a tumbler, 12 cm high; made by tools/make-glass.awk"
    for (i = 0; i < count; ++i) {
        on_axis[i] = radius[i] == 0
        for (s = 0; s < (on_axis[i] ? 1 : sides); ++s) {
            a = 2 * pi * s / sides
            corner[i, s] = ++corners
            printf "v %.7g %.7g %.7g\n", radius[i] * cos(a), height[i], radius[i] * sin(a)
        }
    }
    for (i = 0; i + 1 < count; ++i)
        for (s = 0; s < sides; ++s) {
            t = (s + 1) % sides
            a = corner[i, on_axis[i] ? 0 : s]; b = corner[i, on_axis[i] ? 0 : t]
            c = corner[i + 1, on_axis[i + 1] ? 0 : t]; d = corner[i + 1, on_axis[i + 1] ? 0 : s]
            if (!on_axis[i]) printf "f %d %d %d\n", a, d, b
            if (!on_axis[i + 1]) printf "f %d %d %d\n", b, d, c
        }
}

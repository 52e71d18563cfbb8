#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes scenes/models/spine_*.ply anew: the spine of scenes/dancing-candle.yaml, swaying in a figure of eight. An
# example of particles that are animated elsewhere (`particles: {sequence: ...}`): any program that writes a
# point cloud for each frame will do.
#
#   tools/spine.sh
set -eu
cd "$(dirname "$0")/.."
awk -v frames=16 -v sections=38 -v spacing=0.0125 -v bend=0.95 'BEGIN {
    pi = atan2(0, -1)
    for (k = 0; k < frames; ++k) {
        file = sprintf("scenes/models/spine_%02d.ply", k)
        printf "ply\nformat ascii 1.0\nelement vertex %d\n", 5 * sections > file
        printf "property float x\nproperty float y\nproperty float z\nend_header\n" > file
        phase = 2 * pi * k / frames
        x = z = 0
        y = 0.5 * spacing
        for (n = 0; n < sections; ++n) {
            # the line leans more and more towards its end; a cross of five stands square to it
            share = n / (sections - 1)
            u = bend * share * sin(phase)
            w = 0.5 * bend * share * sin(2 * phase)
            printf "%.4f %.4f %.4f\n", x, y, z > file
            for (s = -1; s <= 1; s += 2) {
                printf "%.4f %.4f %.4f\n", x + s * spacing * cos(u), y - s * spacing * sin(u), z > file
                printf "%.4f %.4f %.4f\n", x, y - s * spacing * sin(w), z + s * spacing * cos(w) > file
            }
            x += spacing * sin(u) * cos(w)
            y += spacing * cos(u) * cos(w)
            z += spacing * sin(w)
        }
        close(file)
    }
}'

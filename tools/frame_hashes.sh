#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints a hash of every frame of the first frames of every shipped scene, so that a change which
# must not alter results can be shown not to: run it before and after, and compare.
#
#   tools/frame_hashes.sh build/release/ondine 2 > before
#   tools/frame_hashes.sh build/release/ondine 2 | diff before - && echo "the same bits"
#
# A third argument and those after it name scenes, instead of all.
set -eu
ondine=${1:?usage: tools/frame_hashes.sh ONDINE FRAMES [SCENE]...}
frames=${2:?usage: tools/frame_hashes.sh ONDINE FRAMES [SCENE]...}
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
[ $# -gt 0 ] || set -- $(find scenes -name '*.yaml' | LC_ALL=C sort)
for scene do
    "$ondine" run "$scene" -o "$folder/run" --force --frames "$frames" --quiet 2>"$folder/error" ||
        sed "s|^|$scene: |" "$folder/error" >&2
    (cd "$folder/run/frames" && find . -type f | LC_ALL=C sort | xargs sha256sum) |
        sed "s|\./|$scene |"
    rm -rf "$folder/run"
done

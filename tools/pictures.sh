#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the pictures of docs/melting.md anew: simulates each scene up to one frame, and draws that.
#
#   tools/pictures.sh [NAME...]     all, or only those named, as in: venus ice-latent
#
# All of them take some 10 minutes on two cores. Runs go to out/pictures/, and stay there.
set -eu
cd "$(dirname "$0")/.."
ondine=${ONDINE:-build/release/ondine}
images=docs/images

# name, scene, frame, size; then options of run, and after -- those of render
list() {
    near="--camera 0.42,0.72,0.98:0.3,0.17,0.2"
    for s in 0.00 0.50 0.90 1.00; do
        echo "blocks-$s scenes/thesis/blocks-s$s.yaml 24 480x270 --set method.rigidity.solver=global -- --no-legend"
    done
    echo "venus scenes/thesis/venus.yaml 12 320x400 -- --colour plain"
    echo "venus-without-propagation scenes/thesis/venus-without-propagation.yaml 12 320x400 -- --colour plain"
    echo "bar-thesis scenes/clamped-bar.yaml 60 640x360 --set method.rigidity.solver=thesis --set method.rigidity.time=0.005"
    echo "bar-global scenes/clamped-bar.yaml 60 640x360"
    echo "ice-latent scenes/ice-cubes.yaml 48 360x252 -- $near"
    echo "ice-without-latent scenes/ice-cubes.yaml 48 360x252 --set method.heat.latent=false -- $near"
}

wanted() {
    [ $# -gt 1 ] || return 0
    name=$1
    shift
    for one in "$@"; do
        [ "$one" = "$name" ] && return 0
    done
    return 1
}

# NAME SCENE FRAME SIZE [run options] [-- render options]
draw() {
    name=$1 scene=$2 frame=$3 size=$4
    shift 4
    run=
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        run="$run $1"
        shift
    done
    [ $# -eq 0 ] || shift
    dir=out/pictures/$name
    # shellcheck disable=SC2086 # options are words
    "$ondine" run "$scene" -o "$dir" --force --quiet --frames "$frame" $run
    "$ondine" render "$dir/frames/$(printf 'frame_%04d.ply' "$frame")" -o "$images/$name.png" \
        --size "$size" --quiet "$@"
    echo "$images/$name.png"
}

[ -x "$ondine" ] || {
    echo "pictures: $ondine is not there; make builds it" >&2
    exit 1
}
for one in "$@"; do
    list | grep -q "^$one " || {
        echo "pictures: there is no $one; there are: $(list | cut -d' ' -f1 | tr '\n' ' ')" >&2
        exit 2
    }
done
list | while read -r name rest; do
    if wanted "$name" "$@"; then
        # shellcheck disable=SC2086 # words again
        draw "$name" $rest </dev/null
    fi
done

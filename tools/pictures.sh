#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the pictures of the pages in docs/ anew: simulates each scene up to one frame, and draws that.
#
#   tools/pictures.sh [NAME...]     all, or only those named, as in: venus field-blobs gallery-tap
#
# All of them take about an hour on two cores. Runs go to out/pictures/ and stay there: a frame that is newer than
# its scene is not simulated again. After a change to the simulation itself, remove out/pictures/ first.
set -eu
cd "$(dirname "$0")/.."
ondine=${ONDINE:-build/release/ondine}
images=docs/images
runs=out/pictures

# name, scene, frame, size; then options of run, after -- those of render, and after -- again, where a surface is
# to be made by itself, those of mesh
list() {
    # docs/melting.md: what particles know, so particles are shown
    balls="--as particles"
    near="--camera 0.42,0.72,0.98:0.3,0.17,0.2"
    for s in 0.00 0.50 0.90 1.00; do
        echo "blocks-$s scenes/thesis/blocks-s$s.yaml 24 480x270 --set method.rigidity.solver=global -- $balls --no-legend"
    done
    echo "venus scenes/thesis/venus.yaml 12 320x400 -- $balls --colour plain"
    echo "venus-without-propagation scenes/thesis/venus-without-propagation.yaml 12 320x400 -- $balls --colour plain"
    echo "bar-thesis scenes/clamped-bar.yaml 60 640x360 --set method.rigidity.solver=thesis --set method.rigidity.time=0.005 -- $balls"
    echo "bar-global scenes/clamped-bar.yaml 60 640x360 -- $balls"
    echo "ice-latent scenes/ice-cubes.yaml 24 360x252 -- $balls $near"
    echo "ice-without-latent scenes/ice-cubes.yaml 24 360x252 --set method.heat.latent=false -- $balls $near"
    # figures of the thesis
    coarse="--set method.rigidity.solver=global --set fluid.0.spacing=0.03 --set domain.margin=0.015"
    first="--set method.rigidity.second_condition=false"
    long="--set method.step_rule=fixed --set method.time_step=0.0015"
    echo "thesis-2.4-without scenes/thesis/h-conditions.yaml 36 320x300 $first -- $balls"
    echo "thesis-2.4-with scenes/thesis/h-conditions.yaml 36 320x300 -- $balls"
    echo "thesis-3.1-start scenes/thesis/step.yaml 0 320x256 -- $balls --no-legend"
    echo "thesis-3.1-adaptive scenes/thesis/step.yaml 7 320x256 -- $balls"
    echo "thesis-3.1-fixed scenes/thesis/step.yaml 7 320x256 $long -- $balls"
    echo "thesis-3.2-start scenes/thesis/heat-step.yaml 0 320x300 -- $balls"
    echo "thesis-3.2-explicit scenes/thesis/heat-step.yaml 1 320x300 --set method.heat.solver=solenthaler -- $balls"
    echo "thesis-3.2-implicit scenes/thesis/heat-step.yaml 1 320x300 -- $balls"
    echo "thesis-5.2-thesis scenes/thesis/armadillo.yaml 192 320x300 -- $balls"
    echo "thesis-5.2-global scenes/thesis/armadillo.yaml 192 320x300 --set method.rigidity.solver=global -- $balls"
    echo "thesis-5.4a scenes/thesis/h-a.yaml 120 320x300 $coarse -- $balls"
    echo "thesis-5.4b scenes/thesis/h-b.yaml 96 320x300 $coarse -- $balls"
    echo "thesis-5.5-mu1000 scenes/thesis/letters-mu1000.yaml 96 320x220 -- $balls --no-legend"
    for s in 0.75 0.92 0.98; do
        echo "thesis-5.5-s$s scenes/thesis/letters-s$s.yaml 96 320x220 --set method.rigidity.solver=global -- $balls --no-legend"
    done
    for n in mu1000 s0.75 mu10000 s0.92 mu100000 s0.98; do
        echo "thesis-5.5-alike-$n scenes/thesis/letters-alike-$n.yaml 48 320x220 -- $balls --colour plain"
    done
    dance="--quality good --camera 0.45,0.5,1.3:0,0.22,0"
    echo "dancing-solid scenes/dancing-candle.yaml 20 360x360 -- $dance"
    echo "dancing-molten scenes/dancing-candle.yaml 131 360x360 -- $dance"

    # docs/surfaces.md: the same frame with every field
    close="--colour plain --quality good --camera 1.05,0.95,1.3:0.47,0.36,0.3"
    for f in density blobs zhu-bridson adams anisotropic variational; do
        echo "field-$f scenes/dam-break.yaml 44 360x270 -- $close -- --field $f --cell 0.3"
    done
    drops="--colour plain --quality good --camera 0.8,0.85,0.9:0.43,0.58,0.3"
    for c in 1 0.5 0.3; do
        echo "cell-$c scenes/dam-break.yaml 44 360x240 -- $drops -- --cell $c"
    done
    echo "knot-anisotropic scenes/melting-knot.yaml 40 360x320 --set surface.field=anisotropic -- --quality good"
    echo "knot-carried scenes/melting-knot.yaml 40 360x320 -- --quality good"

    # docs/grids.md: the same scene by another method, by other ways to carry, drawn in other ways
    bare="--no-legend"
    echo "grids-stam scenes/2d/ink-ring.yaml 60 400x270 --set method.type=stam -- $bare"
    echo "grids-smoke scenes/2d/ink-ring.yaml 60 400x270 -- $bare"
    for a in linear maccormack cubic; do
        echo "grids-$a scenes/2d/vortex-street.yaml 140 480x200 --set method.advection=$a -- $bare"
    done
    echo "grids-streamlines scenes/2d/vortex-street.yaml 140 640x270 -- --as streamlines --colour vorticity --lines 28"
    echo "grids-arrows scenes/2d/vortex-street.yaml 140 640x270 -- --as arrows --colour speed"
    echo "grids-plume scenes/plume.yaml 58 450x600 -- --quality good"
    echo "grids-plume-slice scenes/plume.yaml 58 360x480 -- --as streamlines --colour temperature"

    # README.md and docs/gallery.md
    good="--quality good"
    echo "gallery-melting-letters scenes/melting-letters.yaml 50 480x270 -- $good"
    echo "melting-letters scenes/melting-letters.yaml 35 800x450 -- $good"
    echo "gallery-dam-break scenes/dam-break.yaml 26 480x270 -- $good"
    echo "gallery-foam scenes/foam.yaml 16 480x270 -- $good"
    echo "gallery-double-dam scenes/double-dam.yaml 13 480x270 -- $good"
    echo "gallery-drop scenes/drop.yaml 11 480x270 -- $good"
    echo "gallery-letters scenes/letters.yaml 7 480x270 -- $good"
    echo "gallery-tap scenes/tap.yaml 12 480x270 -- $good"
    echo "gallery-glass-filling scenes/glass-filling.yaml 10 270x360 -- $good"
    echo "gallery-city-wave scenes/city-wave.yaml 32 480x270 -- $good"
    echo "gallery-mesh-drop scenes/mesh-drop.yaml 7 480x270 -- $good"
    echo "gallery-wave-tank scenes/wave-tank.yaml 121 480x270 -- $good"
    echo "gallery-leaping-fish scenes/leaping-fish.yaml 17 480x270 -- $good"
    echo "gallery-honey scenes/honey.yaml 26 480x270 -- $good"
    echo "gallery-syrup-sheet scenes/syrup-sheet.yaml 28 480x270 -- $good"
    echo "gallery-wax-two-ways scenes/wax-two-ways.yaml 72 480x270 -- $good"
    echo "gallery-sand-heap scenes/sand-heap.yaml 115 480x270"
    echo "gallery-spheres scenes/hierarchy/spheres.yaml 30 480x270"
    echo "gallery-candle scenes/candle.yaml 60 480x270 -- $good"
    echo "gallery-dancing-candle scenes/dancing-candle.yaml 131 480x270 -- $good"
    echo "gallery-melting-knot scenes/melting-knot.yaml 54 480x270 -- $good"
    echo "gallery-chocolate scenes/chocolate.yaml 48 480x270 -- $good"
    echo "gallery-ice-cubes scenes/ice-cubes.yaml 9 480x270 -- $good"
    echo "gallery-lava scenes/lava.yaml 110 480x270 -- $good"
    echo "gallery-clamped-bar scenes/clamped-bar.yaml 60 480x270 -- $good"
    echo "gallery-bunny scenes/thesis/bunny.yaml 48 480x270 --set method.rigidity.solver=global -- $good"
    echo "gallery-plume scenes/plume.yaml 58 270x360 -- $good"
    echo "gallery-ink scenes/ink.yaml 70 360x480 -- $good"
    echo "gallery-smoke-house scenes/smoke-house.yaml 192 480x270 -- $good"
    echo "gallery-channel scenes/channel.yaml 150 480x270"
    echo "gallery-2d-ink-ring scenes/2d/ink-ring.yaml 48 480x270 -- $bare"
    echo "gallery-2d-dam-break scenes/2d/dam-break.yaml 20 480x270"
    echo "gallery-2d-muller2d scenes/2d/muller2d.yaml 14 480x270"
    echo "gallery-2d-drop-tension scenes/2d/drop-tension.yaml 10 480x270"
    echo "gallery-2d-vortex-street scenes/2d/vortex-street.yaml 140 640x270 -- --no-legend"
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

# Pictures with the same scene and options share a run.
folder() {
    echo "$runs/$(echo "$*" | sed 's|^scenes/||; s|\.yaml||; s|--set||g; s|[^A-Za-z0-9.-][^A-Za-z0-9.-]*|-|g; s|-*$||')"
}

# SCENE FRAME FILE [run options]
simulate() {
    scene=$1 frame=$2 file=$3
    shift 3
    # a grid's frames are .vti
    [ -z "$(find "$file" "${file%.ply}.vti" -newer "$scene" 2>/dev/null)" ] || return 0
    [ "$frame" -gt 0 ] || frame=1 # a run makes one at least
    "$ondine" run "$scene" -o "${file%/frames/*}" --force --quiet --frames "$frame" "$@"
}

# NAME SCENE FRAME SIZE [run options] [-- render options [-- mesh options]]
draw() {
    name=$1 scene=$2 frame=$3 size=$4 part=run run='' render='' mesh=''
    shift 4
    for word in "$@"; do
        case $part,$word in
        run,--) part=render ;;
        render,--) part=mesh ;;
        run,*) run="$run $word" ;;
        render,*) render="$render $word" ;;
        mesh,*) mesh="$mesh $word" ;;
        esac
    done
    # shellcheck disable=SC2086 # options are words
    {
        file=$(folder "$scene" $run)/frames/$(printf 'frame_%04d.ply' "$frame")
        simulate "$scene" "$frame" "$file" $run
        [ -e "$file" ] || file=${file%.ply}.vti # a grid
        if [ -n "$mesh" ]; then
            "$ondine" mesh "$file" -o "$runs/$name.ply" --force --quiet $mesh
            file=$runs/$name.ply
        fi
        "$ondine" render "$file" -o "$images/$name.png" --size "$size" --quiet $render
    }
    echo "$images/$name.png"
}

# docs/play.md: what a window shows, with what a hand does in it
plays="play-wax play-water play-smoke play-run"
play() {
    name=$1
    case $name in
    play-wax)
        set -- scenes/play/letters.yaml --size 1120x630 --panel \
            --do "tool heat; drag 0.42,0.42 0.46,0.6 90; hold 0.66,0.42 60; down; wait 1"
        ;;
    play-water) set -- scenes/play/water-3d.yaml --size 640x400 --after 36 ;;
    play-smoke) set -- scenes/play/smoke-room.yaml --size 640x400 --after 150 ;;
    play-run)
        file=$(folder scenes/2d/dam-break.yaml)/frames/frame_0030.ply
        simulate scenes/2d/dam-break.yaml 30 "$file"
        set -- "${file%/frames/*}" --size 1120x630 --panel --after 22 --colour pressure --style spheres \
            --do "hold 0.45,0.72 1; wait 1"
        ;;
    esac
    "$ondine" view "$@" --screenshot "$images/$name.png"
    echo "$images/$name.png"
}

[ -x "$ondine" ] || {
    echo "pictures: $ondine is not there; make builds it" >&2
    exit 1
}
for one in "$@"; do
    { list && printf '%s \n' $plays; } | grep -q "^$one " || {
        echo "pictures: there is no $one; there are: $(list | cut -d' ' -f1 | tr '\n' ' ')$plays" >&2
        exit 2
    }
done
list | while read -r name rest; do
    if wanted "$name" "$@"; then
        # shellcheck disable=SC2086 # words again
        draw "$name" $rest </dev/null
    fi
done
for name in $plays; do
    if wanted "$name" "$@"; then
        play "$name"
    fi
done

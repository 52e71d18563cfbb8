#!/bin/sh
# SPDX-License-Identifier: MIT
# A method, a kernel, a surface field, a file format, a shape and a value of particles are each one new file and one
# line in a list: in a copy of the tree those of tests/one_file/ are added so, all is built, and each is used
# by name. The last lines of its output say which lines were changed.
#
#   sh tests/check_one_file.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"
root=$PWD

if ! command -v cmake >/dev/null || ! command -v ninja >/dev/null || ! command -v git >/dev/null; then
    echo "skipped: needs cmake, ninja and git"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/tree"
git ls-files -co --exclude-standard CMakeLists.txt cmake include src tests/one_file \
    tests/test_kernels.c tests/check.h |
    while read -r file; do [ ! -e "$file" ] || echo "$file"; done | tar cf - -T - | tar xf - -C "$work/tree"
cd "$work/tree"

fail() {
    echo "$*"
    exit 1
}

# ---- one file and one line each, behind the last of its list

added=0
add() { # what, its file, where the file goes, the list, the entry to put the new one behind, the new line
    new="src/$3"
    [ ! -e "$new" ] || fail "$new is there already"
    mv "tests/one_file/$2" "$new"
    cp "$4" "$work/before"
    after=$5 line=$6 awk '{ print } index($0, ENVIRON["after"]) && !done++ { print ENVIRON["line"] }' "$work/before" >"$4"
    changed=$(diff "$work/before" "$4" | grep -c '^[<>]' || true)
    [ "$changed" -eq 1 ] || fail "$1: $changed lines of $4 changed, not 1"
    echo "$1: $new, and in $4: $6"
    added=$((added + 1))
}
add method method.c particles/toy.c src/sim/methods.h 'X(current)' '    X(toy) \'
add "bare method" bare.c particles/bare.c src/sim/methods.h 'X(current)' '    X(bare) \'
add kernel kernel.h physics/kernel_lucy.h src/physics/kernel_list.h '#include "physics/kernel_muller2d.h"' \
    '#include "physics/kernel_lucy.h"'
add "surface field" field.c surface/field_toy.c src/surface/fields/field.h 'X(variational, "variational")' '    X(toy, "toy") \'
add format format.c io/xyz.c src/io/formats/format_list.h 'X(pov, POV)' '    X(xyz, XYZ) \'
add shape shape.c sim/shape_pair.c src/sim/scene/shapes.h 'X(mesh, OND_SHAPE_MESH)' \
    '    X(pair, OND_SHAPE_PAIR) \'
add value value.c particles/value_pace.c src/particles/sph/sph_values.h 'X(VOLUME' \
    '    M(PACE, float, pace, , "pace", "m/s", OND_FIELD_FRAME, true) \'

# ---- built: the command and the test of kernels, as quick as it compiles

launcher=
if command -v ccache >/dev/null; then
    launcher="-DCMAKE_C_COMPILER_LAUNCHER=ccache"
    export CCACHE_BASEDIR="$work/tree" CCACHE_NOHASHDIR=1
fi
{
    cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Quick -DCMAKE_C_FLAGS=-O0 -DONDINE_SCALAR=ON \
        -DONDINE_OPENVDB=OFF -DONDINE_ODE=OFF -DONDINE_LAPACK=OFF $launcher &&
        cmake --build build --target ondine_command &&
        { ! grep -q '^build test_kernels:' build/build.ninja || cmake --build build --target test_kernels; }
} >"$work/log" 2>&1 || {
    tail -n 40 "$work/log"
    fail "the tree with all of them does not build"
}
ondine=$work/tree/build/ondine

# ---- held to what all are held to

if [ -x build/test_kernels ]; then
    build/test_kernels >"$work/log" 2>&1 || {
        cat "$work/log"
        fail "test_kernels fails with a new kernel"
    }
fi
cp "$root"/tests/*.[ch] tests/
sh "$root/tests/check_laws.sh" "$PWD" >"$work/log" || {
    cat "$work/log"
    fail "check_laws.sh fails with a new kernel"
}
mkdir "$work/run"
cd "$work/run"

# ---- used

says() { # a text that the command prints, the command's arguments
    text=$1
    shift
    "$ondine" "$@" >out 2>&1 || true
    grep -q -e "$text" out || {
        cat out
        fail "'ondine $*' does not say '$text'"
    }
}
does() {
    "$ondine" "$@" >out 2>&1 || {
        cat out
        fail "'ondine $*' fails"
    }
}
drop='fluid: [{spacing: 0.05, velocity: [1, 0], shape: {type: box, min: [0.2, 0.2], max: [0.5, 0.5]}}]'
world='{dimension: 2, duration: 0.1, frame_rate: 20, domain: {min: [0, 0], max: [1, 1]}'
echo "$world, method: {type: toy, drag: 0.5}, $drop}" >toy.yaml
tap='emitter: [{shape: disc, center: [0.5, 0.9], radius: 0.1, direction: [0, -1], rate: 0.1}]'
echo "$world, method: {type: bare}, $drop, $tap}" >bare.yaml
echo "$world, method: {kernel: lucy}, $drop}" >water.yaml

does run toy.yaml -o toy --quiet
# 36 particles of 998.23 kg/m^3 and 0.05 m, slowed by exp(-0.5 t)
awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k ~ /^kinetic/) c = k } END { exit !($c > 40.64 && $c < 40.67) }' toy/log.csv ||
    fail "a toy weighs something else: $(tail -n 1 toy/log.csv)"
does run bare.yaml -o bare --quiet --frames 1
does run bare --resume --quiet
[ "$(wc -l <bare/log.csv)" -gt 10 ] || fail "a resumed run of a bare method stopped early"
does check bare.yaml
box='{shape: {type: box, min: [0.6, 0], max: [0.7, 0.1]}, move: ["0.1 * t", 0]}'
does check toy.yaml --set "solid=[$box]"
for field in position velocity temperature material; do
    says "the method 'bare' has no field '$field'" check bare.yaml --set method.without=$field
done
for set in fluid.0.viscosity=1 fluid.0.tension=1 fluid.0.density=900 fluid.0.conductivity=1 fluid.0.rigidity=1 \
    fluid.0.T_solid=1 fluid.0.fixed=true gravity=[0,-1] air.exchange=5 domain.slip=0 domain.temperature=5 \
    domain.x=open "domain.sides=[{side: -x, velocity: [0, 1]}]" "solid=[$box]"; do
    says "means nothing here: the method .bare. makes no use of it" check bare.yaml --set "$set"
done
does check toy.yaml --set fluid.0.density=900
says "'viscosity' means nothing here: toys do not rub" check toy.yaml --set fluid.0.viscosity=1
says 'drag must be' check toy.yaml --set method.drag=11
says 'lucy' check water.yaml --set method.kernel=luci
says 'Particles that fly apart' info --keys markdown
says '`lucy`: the first of all' info --keys markdown
does run water.yaml -o water --quiet
head -c 2000 water/frames/frame_0002.ply | grep -a -q 'pace' || fail "frames have no value 'pace'"
says 'soft balls\|toy' mesh --help
does mesh water --field toy
[ -s water/surfaces/surface_0002.ply ] || fail "the field 'toy' made no surface"
does check water.yaml --set 'fluid.0.shape={type: pair, middle: [0.5, 0.5], radius: 0.2}'
says 'radius must be' check water.yaml --set 'fluid.0.shape={type: pair, middle: [0.5, 0.5], radius: 0}'
says '.xyz' convert --help
does convert water/frames/frame_0002.ply frame.xyz
[ "$(wc -l <frame.xyz)" -eq 36 ] || fail "frame.xyz has $(wc -l <frame.xyz) lines, not one for each particle"
says '.xyz can be written, not read; can be read: .ply' convert frame.xyz frame.csv
does run water.yaml -o lines --quiet --frames 1 --set output.format=xyz
does run lines --resume --quiet
[ "$(ls lines/frames)" = "$(printf 'frame_%04d.xyz\n' 0 1 2)" ] || fail "a run with 'output: {format: xyz}' wrote $(ls lines/frames)"
cmp frame.xyz lines/frames/frame_0002.xyz || fail "frames of a run are not what 'ondine convert' writes"
says 'lines has frames in .xyz only' render lines
says 'format must be ply.*, xyz, vtk or both' check water.yaml --set output.format=xyzzy
does convert water/frames/frame_0002.ply frame.csv
head -n 1 frame.csv | grep -q pace || fail "converted frames have no value 'pace'"
echo "$added things added, each by one file and one line"

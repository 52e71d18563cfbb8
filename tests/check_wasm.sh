#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything up to src/surface/ is taken by a compiler for the browser: wasm32 with the C library alone, and so does each
# header of src/physics/ by itself. Headers of other libraries are out of sight on purpose.
#
#   sh tests/check_wasm.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

if ! command -v clang >/dev/null || [ ! -d /usr/include/wasm32-wasi ]; then
    echo "skipped: needs clang and wasi-libc"
    exit 77
fi

bad=0 count=0 headers=0
compile() { # what to compile, as clang takes it
    clang --target=wasm32-wasi -nostdlibinc -isystem /usr/include/wasm32-wasi -std=gnu17 -fsyntax-only \
        -fno-math-errno -fopenmp-simd -Wall -Wextra -Wno-unused-parameter -Werror \
        -DOND_ISA=base -DOND_HAVE_ISA_BASE=1 -Iinclude -Isrc "$@"
}
for folder in base geom space physics method solids particles grid sim surface; do
    for source in $(find src/$folder -name "*.c" | sort); do
        [ -e "$source" ] || continue
        count=$((count + 1))
        compile "$source" || bad=1
    done
done
for header in src/physics/*.h; do
    headers=$((headers + 1))
    echo "#include \"${header#src/}\"" | compile -x c - || bad=1
done
echo "$count files and $headers headers taken for wasm32"
exit $bad

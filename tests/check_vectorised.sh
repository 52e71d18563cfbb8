#!/bin/sh
# SPDX-License-Identifier: MIT
# Every loop marked `#pragma omp simd` in the hot files loops_*.c is one that gcc reports as
# vectorised, with the project's own flags, for AVX2. A loop that silently falls back to scalar
# code gives right results several times slower; no other test would notice.
#
#   sh tests/check_vectorised.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"
flags=${OND_FLAGS:--std=gnu17 -O3 -DNDEBUG -fno-math-errno -fno-trapping-math -fopenmp-simd}

if ! command -v gcc >/dev/null || [ "$(gcc -dumpmachine | cut -d- -f1)" != x86_64 ]; then
    echo "skipped: needs gcc for x86-64"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/reports"
: >"$work/files"
for source in $(find src -name "loops_*.c" | sort); do
    [ -e "$source" ] || continue
    : >"$work/report" # gcc writes none when it has nothing to say
    gcc $flags -march=x86-64-v3 -DOND_ISA=v3 -Iinclude -Isrc -fopt-info-vec-optimized="$work/report" \
        -c -o /dev/null "$source"
    cat "$work/report" >>"$work/reports"
    # loops may stand in headers that the file takes in
    gcc -MM -DOND_ISA=v3 -Iinclude -Isrc "$source" | tr ' \\' '\n\n' | grep '^src/' >>"$work/files"
done
[ -s "$work/files" ] || { echo "no hot files" && exit 0; }

sort -u "$work/files" | xargs awk -v reports="$work/reports" '
BEGIN {
    while ((getline line < reports) > 0) {
        split(line, part, ":")
        if (line ~ /loop vectorized/) done[part[1], part[2]] = 1
    }
}
# gcc names the pragma, the `for` or the first statement: any line up to the end of the loop, which is
# where the indent comes back.
function indent(text) {
    match(text, /^[ \t]*/)
    return RLENGTH
}
function close_loop() {
    if (!at) return
    ++loops
    if (!good) {
        print file ":" at ": this loop is not vectorised"
        bad = 1
    }
    at = pragma = 0
}
FNR == 1 { close_loop(); pragma = 0 }
at && !/^[ \t]*$/ && indent($0) <= depth { close_loop() }
/^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+simd/ { pragma = FNR; good = 0 }
pragma && !at && /^[ \t]*for[ \t(]/ { at = FNR; depth = indent($0); file = FILENAME }
pragma && (FILENAME, FNR) in done { good = 1 }
END {
    close_loop()
    print loops + 0 " loops marked omp simd"
    exit bad
}'

#!/bin/sh
# SPDX-License-Identifier: MIT
# CUDA takes all headers of src/physics/ and calls every law that the tests list (tests/cuda_laws.cu); where
# there is a GPU too, its results are those of the processor.
#
#   sh tests/check_cuda.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

if ! command -v nvcc >/dev/null; then
    echo "skipped: needs nvcc"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for header in src/physics/*.h; do
    echo "#include \"${header#src/}\""
done >"$work/laws.cu"
cat tests/cuda_laws.cu >>"$work/laws.cu"
nvcc -x cu -std=c++17 -O1 -fmad=false -Werror all-warnings -Iinclude -Isrc -Itests -o "$work/laws" \
    "$work/laws.cu"
echo "$(ls src/physics/*.h | wc -l) headers compiled as CUDA"
status=0
"$work/laws" || status=$?
[ $status -eq 77 ] || exit $status # without a GPU it is enough that they compile

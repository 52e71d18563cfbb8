#!/bin/sh
# SPDX-License-Identifier: MIT
# The headers of src/physics/ are called from GPU kernels too, so each compiles alone as C++17, and alone
# as C17, with both compilers where they are there.
#
#   sh tests/check_cpp.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

if ! command -v g++ >/dev/null; then
    echo "skipped: needs g++"
    exit 77
fi

warnings="-Wall -Wextra -Wshadow -Werror -Iinclude -Isrc -fsyntax-only"
bad=0 count=0
compile() { # COMPILER LANGUAGE STANDARD HEADER
    command -v "$1" >/dev/null || return 0
    echo "#include \"${4#src/}\"" | "$1" -x "$2" -std="$3" $warnings - ||
        { echo "$4: $1 does not take it as $3" && bad=1; }
}
for header in src/physics/*.h; do
    count=$((count + 1))
    compile g++ c++ c++17 "$header"
    compile clang++ c++ c++17 "$header"
    compile gcc c c17 "$header"
    compile clang c c17 "$header"
done
echo "$count headers compiled as C++17 and C17"
exit $bad

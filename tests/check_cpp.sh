#!/bin/sh
# SPDX-License-Identifier: MIT
# The headers of src/physics/ will be called from GPU kernels, so each compiles alone as C++17, and alone
# as C17.
#
#   sh tests/check_cpp.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

if ! command -v g++ >/dev/null; then
    echo "skipped: needs g++"
    exit 77
fi

bad=0 count=0
for header in src/physics/*.h; do
    [ -e "$header" ] || continue
    count=$((count + 1))
    include="#include \"${header#src/}\""
    echo "$include" | g++ -x c++ -std=c++17 -Wall -Wextra -Wshadow -Werror -Iinclude -Isrc \
        -fsyntax-only - || { echo "$header: not C++17" && bad=1; }
    echo "$include" | gcc -x c -std=c17 -Wall -Wextra -Wshadow -Werror -Iinclude -Isrc \
        -fsyntax-only - || { echo "$header: not C17 on its own" && bad=1; }
done
echo "$count headers compiled as C++17 and C17"
exit $bad

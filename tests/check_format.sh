#!/bin/sh
# SPDX-License-Identifier: MIT
# The sources are as clang-format leaves them. `make format` makes it so.
#
#   sh tests/check_format.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

if ! command -v clang-format >/dev/null; then
    echo "skipped: needs clang-format"
    exit 77
fi
sh tools/sources.sh . | xargs clang-format --dry-run -Werror || {
    echo "run: make format"
    exit 1
}

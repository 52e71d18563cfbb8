#!/bin/sh
# SPDX-License-Identifier: MIT
# No file names a place on somebody's own machine.
#
#   sh tests/check_paths.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

# Files that are, or could be, in the repository; all but build folders where there is no git.
list_files() {
    git ls-files -co --exclude-standard 2>/dev/null ||
        find . -type f ! -path './.git/*' ! -path './build/*' ! -path './out/*'
}

found=$(list_files | tr '\n' '\0' |
    xargs -0 grep -InE '(^|[^A-Za-z0-9_.-])/(home|root|work)/' /dev/null 2>/dev/null || true)
[ -z "$found" ] && echo "no local paths" && exit 0
echo "$found"
echo "the lines above name local paths"
exit 1

#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions that a header of src/ declares and nobody calls, not even a test. A line that begins a declaration or a
# definition is no call, nor is a comment. Laws have a check of their own (check_laws.sh).
#
#   sh tests/check_unused.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

find src include tests examples -name '*.[ch]' -o -name '*.cpp' | LC_ALL=C sort | xargs awk '
FNR == 1 { header = FILENAME ~ /^src\/.*\.h$/ }
{
    sub(/\/\/.*/, "")
    line = $0
    while (match(line, /ond_[a-z0-9_]+/)) {
        name = substr(line, RSTART, RLENGTH)
        after = substr(line, RSTART + RLENGTH, 1)
        before = substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        begins = $0 ~ /^[A-Za-z]/ && after == "(" && before !~ /[=({,]/
        if (!begins) used[name] = 1
        else if (header && $0 !~ /^(static inline|OND_LAW)/) where[name] = FILENAME ":" FNR
    }
}
END {
    for (name in where) {
        ++count
        if (!(name in used)) {
            print where[name] ": nobody calls " name
            bad = 1
        }
    }
    print count " functions"
    exit bad || count < 500
}'

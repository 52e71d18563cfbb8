#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails when a text below src/app/ speaks of an option of the command ("give --force"): a program around
# the library has no options. The command adds its own hints in src/app/ and in its window.
#
#   sh tests/check_messages.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

find src include -name '*.[ch]' ! -path 'src/app/*' ! -path 'src/bench/*' ! -path 'src/view/window/*' | sort | xargs awk '
{
    line = $0
    sub(/^[ \t]*\/\/.*/, "", line)
    ++seen
    while (match(line, /"([^"\\]|\\.)*"/)) {
        text = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (text ~ /(^|[^-a-z])--[a-z]+/ || text ~ /\(-[a-z]\)/) {
            print FILENAME ":" FNR ": " text
            bad = 1
        }
    }
}
END {
    if (bad) exit 1
    print seen " lines: no text speaks of an option of the command"
}'

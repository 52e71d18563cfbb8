#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails when a file under src/ includes from a folder that the table in docs/architecture.md does not
# allow. The table is the architecture; this script only reads it.
#
#   sh tests/check_includes.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

find src -name '*.[ch]' | sort | xargs awk '
# A row of the table:  | `src/geom/` | what it is for | base |
FILENAME == table && /^\| `src\/[a-z]+\/`/ {
    split($0, cell, "|")
    folder = cell[2]
    gsub(/[` ]|src|\//, "", folder)
    order[folder] = ++rows
    count = split(cell[4], names, /[ ,`]+/)
    for (k = 1; k <= count; ++k) {
        if (names[k] !~ /^[a-z]+$/) continue
        allowed[folder, names[k]] = 1
        if (!(names[k] in order) || names[k] == folder)
            complain(FILENAME ":" FNR, folder " may not list " names[k] ": it is not above it")
    }
    next
}
FILENAME == table { next }

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split(FILENAME, part, "/")
    split($0, quoted, "\"")
    slash = index(quoted[2], "/")
    here = part[2]
    there = substr(quoted[2], 1, slash - 1)
    place = FILENAME ":" FNR
    ++seen
    if (!(here in order)) complain(place, "the folder " here " has no row in " table)
    else if (!slash) complain(place, "write \"" here "/" quoted[2] "\", with the folder")
    else if (!(there in order)) complain(place, "there is no folder " there)
    else if (there != here && !((here, there) in allowed))
        complain(place, here " may not include from " there)
}

function complain(place, what) {
    print place ": " what
    bad = 1
}

END {
    if (!rows) complain(table, "no table of folders found")
    if (bad) exit 1
    print seen + 0 " includes, " rows " folders: all as the table allows"
}' table=docs/architecture.md docs/architecture.md

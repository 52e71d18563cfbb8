#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails when a file under src/ includes from a folder that the table in docs/architecture.md does not
# allow. The table is the architecture; this script only reads it.
#
#   sh tests/check_includes.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

find src -name '*.[ch]' | sort | xargs awk '
# A row of the table:  | `src/sim/`, `src/solids/bodies/` | what it is for | base, geom |
FILENAME == table && /^\| `src\/[a-z]+\// {
    split($0, cell, "|")
    ++rows
    count = split(cell[2], names, /[ ,`]+/)
    for (k = 1; k <= count; ++k)
        if (sub(/^src\//, "", names[k]) && sub(/\/$/, "", names[k])) row[names[k]] = rows
    count = split(cell[4], names, /[ ,`]+/)
    for (k = 1; k <= count; ++k) {
        if (names[k] !~ /^[a-z]+$/) continue
        if (!(names[k] in row) || row[names[k]] == rows)
            complain(FILENAME ":" FNR, "row " rows " may not list " names[k] ": it is not above it")
        else allowed[rows, row[names[k]]] = 1
    }
    next
}
FILENAME == table { next }

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    here = folder_of(substr(FILENAME, 5))
    there = folder_of(quoted[2])
    place = FILENAME ":" FNR
    ++seen
    if (here == "") complain(place, "the folder has no row in " table)
    else if (quoted[2] !~ /\//) complain(place, "write \"" here "/" quoted[2] "\", with the folder")
    else if (there == "") complain(place, "there is no folder of " quoted[2])
    else if (row[there] != row[here] && !((row[here], row[there]) in allowed))
        complain(place, here " may not include from " there)
}

# The longest beginning of a path that has a row.
function folder_of(path) {
    while (sub(/\/[^\/]*$/, "", path))
        if (path in row) return path
    return ""
}

function complain(place, what) {
    print place ": " what
    bad = 1
}

END {
    if (!rows) complain(table, "no table of folders found")
    if (bad) exit 1
    print seen + 0 " includes, " rows " rows of folders: all as the table allows"
}' table=docs/architecture.md docs/architecture.md

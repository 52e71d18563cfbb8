#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails when a type name is defined in two places under src/ or include/: two layouts under one name
# make a reader, a debugger and a linker that merges types believe the wrong one.
#
# A type without the prefix Ond belongs to one .c file, as its static functions do; in a header it must
# have the prefix. Their names are unique too: whoever searches for one finds one.
#
#   sh tests/check_names.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

find src include -name '*.[ch]' -o -name '*.cpp' | sort | xargs awk '
{
    line = $0
    sub(/\/\/.*/, "", line)
    name = ""
    if (match(line, /^[ \t]*(typedef[ \t]+)?(struct|enum|union)[ \t]+[A-Za-z_][A-Za-z0-9_]*[ \t]*(\{|$)/)) {
        count = split(substr(line, RSTART, RLENGTH), word, /[ \t{]+/)
        for (k = 1; k < count; ++k)
            if (word[k] ~ /^(struct|enum|union)$/) name = word[k + 1]
    } else if (match(line, /^typedef[ \t].*[ *]Ond[A-Za-z0-9_]+[ \t]*(;|\()/) &&
               line !~ /^typedef[ \t]+(struct|enum|union)[ \t]+Ond[A-Za-z0-9_]+[ \t]+Ond[A-Za-z0-9_]+;/) {
        name = line # a type of functions, or another name for a number
        sub(/[ \t]*[;(].*/, "", name)
        sub(/.*[ *]/, "", name)
    }
    if (name == "") next
    ++seen
    place = FILENAME ":" FNR
    if (name !~ /^Ond[A-Z]/ && FILENAME ~ /\.h$/) complain(place, name " is in a header and has no Ond before it")
    if (name in first) complain(place, name " is defined in " first[name] " already")
    else first[name] = place
}

function complain(place, what) {
    print place ": " what
    bad = 1
}

END {
    if (!seen) complain("src", "no types found")
    if (bad) exit 1
    print seen " types, each name defined once"
}'

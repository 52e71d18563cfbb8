#!/bin/sh
# SPDX-License-Identifier: MIT
# The house's sizes: for each folder of src/ its files, the median and the longest of them and of their functions
# (in lines), and headers that one file alone includes. Whoever adds much looks here whether a folder, a file or a
# function has grown out of its frame: 40 files, 400 lines, 60 lines.
#
#   tools/sizes.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find src include -name '*.[ch]' | LC_ALL=C sort >"$work/files"

# file length name; function length name: a body begins and ends with a brace in the first column
xargs awk '
FNR == 1 && last { print "file", lines, last }
{ last = FILENAME; lines = FNR }
/^[a-zA-Z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
/^\{/ { begin = FNR }
/^\}/ && begin { print "function", FNR - begin + 1, FILENAME ":" name; begin = 0 }
END { print "file", lines, last }' <"$work/files" >"$work/lengths"

# header, and how many files include it
xargs grep -hoE '^#include ["<][a-z_/0-9]+\.h[">]' <"$work/files" | tr -d '<>"' | sed 's/#include //' |
    LC_ALL=C sort | uniq -c | awk '$1 == 1 { print $2 }' >"$work/lonely"

awk -v lonely="$work/lonely" '
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function median(list, count) { return count ? list[int((count + 1) / 2)] : 0 }
BEGIN {
    while ((getline header < lonely) > 0) ++alone[folder("src/" header)]
    print "| folder | files | median, longest file | functions | median, longest function | headers of one file |"
    print "|---|---|---|---|---|---|"
}
{
    split($3, part, ":")
    here = folder(part[1])
    if (!(here in seen)) { seen[here] = 1; order[++folders] = here }
    if ($1 == "file") {
        size[here, ++files[here]] = $2
        if ($2 >= longest[here]) { longest[here] = $2; named[here] = $3; sub(/.*\//, "", named[here]) }
    } else {
        body[here, ++bodies[here]] = $2
        if ($2 >= deepest[here]) { deepest[here] = $2; called[here] = part[2] }
    }
}
END {
    for (f = 1; f <= folders; ++f) {
        here = order[f]
        printf "| `%s/` | %d | %d, %d (%s) | %d | %d, %d (%s) | %d |\n", here, files[here],
            size[here, int((files[here] + 1) / 2)], longest[here], named[here], bodies[here],
            body[here, int((bodies[here] + 1) / 2)], deepest[here], called[here], alone[here]
    }
}' <<X
$(LC_ALL=C sort -k1,1 -k2,2n "$work/lengths")
X

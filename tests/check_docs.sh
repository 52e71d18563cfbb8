#!/bin/sh
# SPDX-License-Identifier: MIT
# Pages point to files that are there, and the gallery shows every scene but those of scenes/thesis/.
#
#   sh tests/check_docs.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

pages() {
    find . -name '*.md' ! -path './.*/*' ! -path './build*' ! -path './out/*' ! -path '*/node_modules/*' | sort
}

# Links and pictures of a page, less what follows a #, and less addresses.
targets() {
    grep -o '](\([^)]*\))' "$1" | sed 's/^](//; s/)$//; s/#.*//' | grep -v -e '^$' -e '://' || true
}

broken=$(pages | while read -r page; do
    targets "$page" | while read -r target; do
        [ -e "$(dirname "$page")/$target" ] || echo "$page: there is no $target"
    done
done)
missing=$(for scene in scenes/*.yaml scenes/2d/*.yaml scenes/hierarchy/*.yaml; do
    grep -q "ondine run $scene " docs/gallery.md || echo "docs/gallery.md: $scene is missing"
done)
[ -z "$broken$missing" ] && echo "$(pages | wc -l) pages: no link is broken" && exit 0
printf '%s\n' "$broken" "$missing" | grep .
exit 1

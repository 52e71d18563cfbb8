#!/bin/sh
# SPDX-License-Identifier: MIT
# The C files that are written by hand, one a line.
cd "${1:-$(dirname "$0")/..}" || exit 1
for folder in include src tests bench examples; do
    [ -d $folder ] && find $folder -name '*.[ch]'
done | sort

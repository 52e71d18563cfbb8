#!/bin/sh
# SPDX-License-Identifier: MIT
# The C files that are written by hand, one a line.
cd "${1:-$(dirname "$0")/..}"
find include src tests bench -name '*.[ch]' | sort

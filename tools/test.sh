#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests of one preset that is built already. What follows is for ctest.
#
#   tools/test.sh release 2 -LE long
set -eu
preset=${1:?usage: tools/test.sh PRESET JOBS [ctest options]}
jobs=${2:?usage: tools/test.sh PRESET JOBS [ctest options]}
shift 2
cd "$(dirname "$0")/.."

echo "== test $preset"
exec ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-label-summary --no-tests=error "$@"

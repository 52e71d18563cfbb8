#!/bin/sh
# SPDX-License-Identifier: MIT
# Configures and builds one preset; quiet unless something goes wrong.
#
#   tools/build.sh release [JOBS]
set -eu
preset=${1:?usage: tools/build.sh PRESET [JOBS]}
jobs=${2:-2}
cd "$(dirname "$0")/.."

echo "== build $preset"
mkdir -p "build/$preset"
log=build/$preset/configure.log
if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    echo "build: cmake could not configure; on Debian, tools/setup.sh run installs what is missing" >&2
    exit 1
fi
exec cmake --build "build/$preset" -j "$jobs" -- --quiet

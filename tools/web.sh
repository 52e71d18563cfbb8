#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the web page: the library as WebAssembly, then the page round it.
#
#   tools/web.sh [JOBS]
set -eu
jobs=${1:-2}
cd "$(dirname "$0")/.."

# Debian's Emscripten finds the packages of Debian's node here.
export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}"
# Its scripts want Debian's Python, whatever else is in the PATH.
export EMSDK_PYTHON="${EMSDK_PYTHON:-/usr/bin/python3}"
tools/build.sh wasm "$jobs"

# What npm brings is kept while the lock file stays as it is.
if ! cmp -s web/package-lock.json web/node_modules/.lock; then
    echo "== npm ci"
    (cd web && npm ci --no-audit --no-fund --loglevel=error)
    cp web/package-lock.json web/node_modules/.lock
fi
node web/build.mjs

#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the fuzzers and runs each for a while. A finding is kept in build/fuzz/NAME/ and fails.
#
#   tools/fuzz.sh SECONDS [JOBS]
set -eu
seconds=${1:-60}
jobs=${2:-2}
cd "$(dirname "$0")/.."
tools/build.sh fuzz "$jobs"

# a fuzzer may have handlers of its own (fuzz_yaml.c)
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1:allow_user_segv_handler=1
for source in tests/fuzz_*.c; do
    [ -e "$source" ] || break
    name=$(basename "$source" .c)
    mkdir -p "build/fuzz/$name.d"
    echo "== fuzz $name, $seconds s"
    # inputs worth keeping live beside the fuzzer: tests/NAME/ seeds, build/ what it found
    seeds=
    [ -d "tests/$name" ] && seeds=tests/$name
    log=build/fuzz/$name.log
    "build/fuzz/$name" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 \
        -artifact_prefix="build/fuzz/$name-" "build/fuzz/$name.d" $seeds >"$log" 2>&1 || {
        tail -n 60 "$log" >&2
        exit 1
    }
    tail -n 1 "$log"
done

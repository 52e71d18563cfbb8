#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the build into a folder of its own, and builds and runs the examples against that, not
# against src/: with pkg-config, statically, and with CMake. With sanitizers (OND_SANITIZE, those of the build)
# the library and the examples have them both.
#
#   OND_BUILD=build/release sh tests/check_install.sh [ROOT]
#   OND_BUILD=build/asan OND_SANITIZE=address,undefined sh tests/check_install.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"
build=${OND_BUILD:-build/release}
flags=${OND_SANITIZE:+-g -fsanitize=$OND_SANITIZE -fno-sanitize-recover=all}

if ! [ -e "$build/lib/libondine.a" ] || ! command -v pkg-config >/dev/null || ! command -v c++ >/dev/null; then
    echo "skipped: needs a build in $build, pkg-config and a C++ compiler"
    exit 77
fi

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT INT TERM
fail() {
    echo "$1" >&2
    exit 1
}

# ---- what is there

cmake --install "$build" --prefix "$prefix" >"$prefix/log" || fail "cmake --install failed"
lib=$(dirname "$(find "$prefix" -name libondine.a)")
for file in bin/ondine include/ondine/ondine.h share/man/man1/ondine.1 \
    share/bash-completion/completions/ondine share/zsh/site-functions/_ondine; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
done
[ "$("$prefix/bin/ondine" --version)" ] || fail "the installed command does not run"

# Only what the headers declare is seen, and all of it.
nm -D --defined-only "$lib/libondine.so" | awk '{ print $NF }' | sed 's/@.*//' | LC_ALL=C sort -u >"$prefix/seen"
grep -hv "#define" "$prefix"/include/ondine/*.h | tr '\n' ' ' | grep -o 'OND_API [^;]*;' |
    sed 's/(.*//; s/.*[ *]//' | LC_ALL=C sort -u >"$prefix/told"
diff "$prefix/told" "$prefix/seen" >"$prefix/differ" ||
    fail "declared (<) and exported (>) names differ: $(cat "$prefix/differ")"

if [ -z "$flags" ]; then # what is the same whoever looks
    for header in "$prefix"/include/ondine/*.h; do
        for way in "cc -x c -std=c11" "c++ -x c++ -std=c++17"; do
            printf '#include <ondine/%s>\nextern int used;\n' "${header##*/}" |
                $way -Wall -Wextra -Werror -pedantic -I"$prefix/include" -fsyntax-only - ||
                fail "$header does not compile alone: $way"
        done
    done

    # ---- shells and the manual

    bash -c '. "$1"; COMP_WORDS=(ondine run --re) COMP_CWORD=2; _ondine; [ "$COMPREPLY" = --resume ]' \
        sh "$prefix/share/bash-completion/completions/ondine" || fail "bash does not complete --resume"
    for word in $("$build/ondine" --help | sed -n 's/^  \([a-z]*\)   *[^ ].*/\1/p' | grep -v ondine); do
        grep -q "^.SS \"ondine $word\"" "$prefix/share/man/man1/ondine.1" || fail "ondine.1 lacks $word"
    done
fi

# ---- programs

PKG_CONFIG_PATH=$lib/pkgconfig
export PKG_CONFIG_PATH
mkdir "$prefix/run"
cc $flags examples/liquid.c $(pkg-config --cflags --libs ondine) -o "$prefix/run/liquid"
cc $flags examples/own_tasks.c $(pkg-config --cflags ondine) \
    $(pkg-config --static --libs ondine | sed 's/-londine/-l:libondine.a/') -o "$prefix/run/own_tasks"
c++ -std=c++17 -Wall -Wextra -Werror $flags tests/host.cpp $(pkg-config --cflags --libs ondine) -pthread -o "$prefix/run/host"
LD_LIBRARY_PATH=$lib "$prefix/run/host" >"$prefix/log" || fail "host: $(cat "$prefix/log")"
LD_LIBRARY_PATH=$lib "$prefix/run/liquid" >"$prefix/log" || fail "liquid, shared: $(cat "$prefix/log")"
"$prefix/run/own_tasks" >"$prefix/log" || fail "own_tasks, static: $(cat "$prefix/log")"
if ldd "$prefix/run/own_tasks" | grep -q libondine; then fail "own_tasks is not linked statically"; fi

cmake -S examples -B "$prefix/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags" \
    -DCMAKE_CXX_FLAGS="$flags" >"$prefix/log" 2>&1 &&
    cmake --build "$prefix/cmake" >>"$prefix/log" 2>&1 || fail "CMake: $(cat "$prefix/log")"
cd "$prefix/cmake"
for program in liquid "melting_text picture.png" "terminal 0.2" own_tasks; do
    ./$program >"$prefix/log" || fail "$program: $(cat "$prefix/log")"
done
[ -s picture.png ] || fail "melting_text left no picture"
echo "$(wc -l <"$prefix/told") functions, 4 examples and a host in C++: installed, linked in three ways, run"

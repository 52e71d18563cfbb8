#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that Ondine needs, those that are missing and no others.
#
#   tools/setup.sh run     to build and run
#   tools/setup.sh test    to build, run and test
#   tools/setup.sh web     to build and test the web page, besides
#
# A stamp in build/ holds the list it last made sure of, so a second run does nothing at all. On other
# systems it prints the list.
set -eu

run_packages="build-essential cmake ninja-build pkg-config libfyaml-dev libhdf5-dev libpng-dev
libfreetype-dev libassimp-dev libembree-dev liblapacke-dev libopenblas-serial-dev libode-dev
libopenvdb-dev libboost-dev ffmpeg fonts-dejavu-core libepoxy-dev libegl-dev libgl1-mesa-dri libglfw3-dev
libimgui-dev"
test_packages="libcmocka-dev clang lld wasi-libc clang-format povray admesh xvfb xauth xdotool"
web_packages="emscripten chromium"
# A node and an npm that are there already will do.
command -v node >/dev/null || web_packages="$web_packages nodejs"
command -v npm >/dev/null || web_packages="$web_packages npm"

group=${1:-}
case $group in
run) packages=$run_packages ;;
test) packages="$run_packages $test_packages" ;;
web) packages="$web_packages" ;;
*)
    echo "usage: tools/setup.sh run|test|web" >&2
    exit 2
    ;;
esac
packages=$(echo $packages)

root=$(cd "$(dirname "$0")/.." && pwd)
stamp=$root/build/.setup-$group
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$packages" ]; then
    exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup: this is not Debian. Install what these packages hold, then build:" >&2
    echo "  $packages" >&2
    exit 0 # the build itself says what is missing
fi

# Names of the given packages that are not installed.
missing_of() {
    for package in "$@"; do
        state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || printf '%s ' "$package"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

need_root() {
    [ "$(id -u)" = 0 ] && return
    command -v sudo >/dev/null && return
    echo "setup: packages are missing and there is neither root nor sudo. As root, run:" >&2
    echo "  apt-get install --no-install-recommends $*" >&2
    exit 1
}

updated=no
install() {
    [ $# -gt 0 ] || return 0
    need_root "$@"
    echo "setup: installing $*"
    if [ $updated = no ]; then
        as_root apt-get update -qq ||
            echo "setup: apt-get update failed; going on with the lists there are" >&2
        updated=yes
    fi
    as_root apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        echo "setup: apt-get could not install: $*" >&2
        exit 1
    }
}

mkdir -p "$root/build"
log=$root/build/setup.log
install $(missing_of $packages)

# The sanitizers' libraries of clang are a package with clang's version in its name; from clang 14 on they
# are apart from the compiler, before that they come with it.
if [ "$group" = test ]; then
    major=$(clang -dumpversion | cut -d. -f1)
    runtime=libclang-rt-$major-dev
    if apt-cache show "$runtime" >/dev/null 2>&1; then
        install $(missing_of "$runtime")
    fi
fi

echo "$packages" >"$stamp.new"
mv "$stamp.new" "$stamp"

#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the Stanford bunny and armadillo into models/, for the scenes that melt them.
#
#   tools/models.sh
#
# They are in Debian's package libcgal-demo, which is downloaded and unpacked, not installed. Nothing is
# fetched when they are there already.
set -eu
cd "$(dirname "$0")/.."

package=libcgal-demo
work=build/models
archive=usr/share/doc/libcgal-dev/data.tar.gz # in the package

fail() {
    echo "models: $1" >&2
    exit 1
}

# What the archive calls them, and what the scenes do.
list="armadillo:armadillo bunny00:bunny"

missing=no
for pair in $list; do
    [ -s "models/${pair#*:}.off" ] || missing=yes
done
[ $missing = yes ] || {
    echo "models: models/bunny.off and models/armadillo.off are there"
    exit 0
}

for tool in apt-get dpkg-deb tar; do
    command -v $tool >/dev/null ||
        fail "$tool is not here; get the package $package from a Debian mirror, and put meshes/bunny00.off
and meshes/armadillo.off of its data.tar.gz into models/ as bunny.off and armadillo.off"
done

mkdir -p $work models
rm -rf $work/*
if ! (cd $work && apt-get download $package) >$work/log 2>&1; then
    tail -n 5 $work/log >&2
    fail "cannot download $package: is there a network, and has apt-get update been run?"
fi
deb=$(ls $work/*.deb 2>/dev/null | head -n 1)
[ -n "$deb" ] || fail "apt-get left no package in $work"
dpkg-deb -x "$deb" $work/package || fail "cannot unpack $deb"

for pair in $list; do
    mesh=data/meshes/${pair%:*}.off
    tar -xzf $work/package/$archive -C $work $mesh || fail "$mesh is not in $package"
    mv $work/$mesh "models/${pair#*:}.off" # a whole file, or none
done
rm -rf $work
echo "models: models/bunny.off and models/armadillo.off, from ${deb##*/}"

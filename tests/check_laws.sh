#!/bin/sh
# SPDX-License-Identifier: MIT
# src/physics/ holds laws and little else: every function there is marked OND_LAW, and every law is called by a
# test by its name, so that a law without a test cannot be added unseen.
#
#   sh tests/check_laws.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"

bad=0 count=0
if grep -nE '^static ' src/physics/*.h; then
    echo "mark these OND_LAW (physics/law.h), so that CUDA can call them"
    bad=1
fi
for law in $(sed -nE 's/^OND_LAW .*[ *](ond_[a-z0-9_]+)\(.*/\1/p' src/physics/*.h); do
    count=$((count + 1))
    # a kernel's functions are called for each kernel of the register: ond_kernel_##name##_value
    kernel=$(echo "$law" | sed -nE 's/^ond_kernel_([a-z0-9]+)_(value|gradient|laplacian|factors)$/\1 \2/p')
    if [ -n "$kernel" ] && grep -qF "physics/kernel_${kernel% *}.h\"" src/physics/kernel_list.h; then
        ! grep -qF "ond_kernel_##name##_${kernel#* }" tests/test_kernels.c || continue
    fi
    grep -qw "$law" tests/*.[ch] || { echo "$law: no test calls it" && bad=1; }
done
[ $bad -eq 0 ] || exit 1
echo "$count laws, each with a test"

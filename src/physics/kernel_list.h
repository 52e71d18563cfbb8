// SPDX-License-Identifier: MIT
// The register of kernels: a file each (kernel.h says what it gives), and its line here. Included
// several times: without OND_KERNEL for the functions, with it for each table made of the list.
// clang-format off
#include "physics/kernel_mueller.h"
#include "physics/kernel_cubic.h"
#include "physics/kernel_wendland.h"
#include "physics/kernel_muller2d.h"

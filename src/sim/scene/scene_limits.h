// SPDX-License-Identifier: MIT
// Bounds of what a scene may say. They are far from anything sensible and keep the arithmetic after
// them finite: a coordinate and a count of lattice cells fit where they are put.
#ifndef OND_SIM_SCENE_LIMITS_H
#define OND_SIM_SCENE_LIMITS_H

#include "sim/scene/scene.h"

#define OND_FAR           1e9  // m
#define OND_NEAR          1e-6 // m; smallest spacing: kernels hold 1 / h^5 in a float
#define OND_FAST          1e6  // m/s, rad/s, 1/s
#define OND_FRAMES_MAX    1000000
#define OND_FLUIDS_MAX    OND_MATERIALS_MAX
#define OND_EMITTERS_MAX  32   // a checkpoint keeps numbers of each
#define OND_OPENING_MAX   4096 // particles across
#define OND_SOLIDS_MAX    20000
#define OND_PROBES_MAX    32 // a checkpoint keeps numbers of each
#define OND_TRACERS_MAX   32 // the same
#define OND_SOURCES_MAX   32
#define OND_PARTICLES_MAX 200000000LL

#endif

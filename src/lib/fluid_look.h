// SPDX-License-Identifier: MIT
// What a fluid looks like where nobody says so: by its material, by its name.
#ifndef OND_LIB_FLUID_LOOK_H
#define OND_LIB_FLUID_LOOK_H

#include "render/styles.h"
#include "sim/scene/scene.h"

/// Its material's look; else one that is called as the fluid is; else water, or something that can be
/// solid. An index for ond_look (render/trace/trace_look.h).
int ond_fluid_look(const OndFluidDef *fluid, bool grains);
/// What carries this name in a grid looks like.
OndSmokeKind ond_smoke_named(const char *name);

#endif

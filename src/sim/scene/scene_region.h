// SPDX-License-Identifier: MIT
// Regions: parts of a fluid that start at another temperature, or held.
#ifndef OND_SIM_SCENE_REGION_H
#define OND_SIM_SCENE_REGION_H

#include "sim/scene/scene_fill.h"

/// Applies the fluid's regions, in order, to its particles [first, first + count) of `start`. A
/// region that holds none of them is refused.
OndStatus ond_scene_regions(const OndSceneDef *scene, const OndFluidDef *fluid,
                            const OndAssets *assets, OndStart *start, int first, int count,
                            OndError *err);

#endif

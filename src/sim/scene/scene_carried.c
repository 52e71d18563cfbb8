// SPDX-License-Identifier: MIT
#include "sim/scene/scene_carried.h"

#include "sim/scene/scene_shape.h"

bool ond_scene_carries(const OndSceneDef *scene)
{
    for (int f = 0; f < scene->fluids.count; ++f)
        if (ond_scene_fluid(scene, f)->carry) return true;
    return false;
}

OndStatus ond_scene_carried(const OndSceneDef *scene, const OndAssets *assets, OndArena *arena,
                            OndCarriedShapes *out, OndError *err)
{
    *out = (OndCarriedShapes){0};
    if (!ond_scene_carries(scene)) return OND_OK;
    const int fluids = scene->fluids.count;
    OndShape **const shape = ond_arena_take(arena, (size_t)fluids * sizeof *shape);
    if (!shape) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d shapes", fluids);
    OndStatus status = OND_OK;
    for (int f = 0; f < fluids && status == OND_OK; ++f) {
        const OndFluidDef *const fluid = ond_scene_fluid(scene, f);
        if (fluid->carry)
            status = ond_scene_shape(scene, &fluid->shape, assets, arena, &shape[f], err);
    }
    if (status == OND_OK) *out = (OndCarriedShapes){fluids, (const OndShape *const *)shape};
    return status;
}

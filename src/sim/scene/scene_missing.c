// SPDX-License-Identifier: MIT
#include "sim/scene/scene_missing.h"

#include <stdio.h>

typedef struct MissingWalk {
    const OndSceneDef *scene;
    OndMissingFn *tell;
    void *context;
} MissingWalk;

bool ond_scene_has_file(const OndSceneDef *scene, const char *file)
{
    char path[1024];
    FILE *const stream = ond_scene_path(scene, file, path, sizeof path) ? fopen(path, "rb") : NULL;
    if (stream) fclose(stream);
    return stream;
}

static void visit(const MissingWalk *w, const OndVariant *shape)
{
    if (shape->which == OND_SHAPE_UNION || shape->which == OND_SHAPE_DIFFERENCE ||
        shape->which == OND_SHAPE_INTERSECTION) {
        const OndList *const parts = &((const OndPartsDef *)shape->def)->parts;
        for (int p = 0; p < parts->count; ++p)
            visit(w, (const OndVariant *)parts->items + p);
    } else if (shape->which == OND_SHAPE_MESH) {
        const OndMeshDef *const mesh = shape->def;
        if (mesh->stand_in.which < 0 || ond_scene_has_file(w->scene, mesh->file.file)) return;
        w->tell(mesh->file.file, w->context);
        visit(w, &mesh->stand_in);
    }
}

void ond_scene_missing(const OndSceneDef *scene, OndMissingFn *tell, void *context)
{
    const MissingWalk w = {scene, tell, context};
    for (int f = 0; f < scene->fluids.count; ++f) {
        const OndFluidDef *const fluid = ond_scene_fluid(scene, f);
        visit(&w, &fluid->shape);
        for (int r = 0; r < fluid->regions.count; ++r)
            visit(&w, &ond_fluid_region(fluid, r)->shape);
    }
    for (int k = 0; k < scene->solids.count; ++k)
        visit(&w, &ond_scene_solid(scene, k)->shape);
    for (int h = 0; h < scene->heaters.count; ++h)
        visit(&w, &ond_scene_heater(scene, h)->shape);
}

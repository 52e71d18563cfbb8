// SPDX-License-Identifier: MIT
#include "surface/of_scene.h"

OndSurfaceDef ond_surface_def_of_scene(const OndSceneDef *scene)
{
    const OndSkinDef *skin = &scene->surface;
    OndSurfaceDef def = ond_surface_default_def();
    if (skin->node && ond_node_get(skin->node, "field")) def.field = ond_skin_fields[skin->field];
    def.cell = skin->cell;
    def.how.radius = skin->radius;
    def.how.threshold = skin->threshold;
    def.polygons =
        skin->polygons == OND_SKIN_TETRAHEDRA ? OND_MARCHING_TETRAHEDRA : OND_MARCHING_CUBES;
    def.smooth = skin->smooth;
    def.decimate = skin->decimate;
    for (int side = 0; side < 6; ++side)
        if (!skin->walls || !scene->has_domain || scene->domain.axis[side / 2] != OND_SIDE_WALL)
            def.walls &= ~(1u << side);
    return def;
}

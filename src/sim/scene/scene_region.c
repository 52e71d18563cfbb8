// SPDX-License-Identifier: MIT
// Regions: parts of a fluid that start at another temperature, or held.
#include "sim/scene/scene_fill.h"
#include "sim/scene/scene_shape.h"

#include <string.h>

// What a region does, with its keys looked up once.
typedef struct RegionChange {
    const OndRegionDef *region;
    bool warms, blends, holds;
    double length2; // of that, m^2
    OndVec way;     // from `from` to `to`
} RegionChange;

static RegionChange make_change(const OndRegionDef *region, bool flat)
{
    RegionChange c = {.region = region,
                      .warms = ond_node_get(region->node, "temperature"),
                      .blends = ond_node_get(region->node, "to_temperature"),
                      .holds = ond_node_get(region->node, "fixed")};
    OndVec way = ond_sub(region->to, region->from);
    if (flat) way.z = 0.0;
    c.way = way;
    c.length2 = ond_dot(way, way);
    return c;
}

static double temperature_at(const RegionChange *c, OndVec x)
{
    const OndRegionDef *const r = c->region;
    if (!c->blends) return r->temperature;
    const double share = ond_dot(ond_sub(x, r->from), c->way) / c->length2;
    return r->temperature + fmin(fmax(share, 0.0), 1.0) * (r->to_temperature - r->temperature);
}

static void apply(const RegionChange *c, OndStart *start, int i, OndVec x)
{
    if (c->warms) start->temperature[i] = (float)temperature_at(c, x);
    if (c->holds) start->held[i] = c->region->fixed;
}

static OndStatus apply_region(const OndSceneDef *scene, const OndFluidDef *fluid,
                              const OndRegionDef *region, const OndShape *shape, OndStart *start,
                              const int range[2], OndError *err)
{
    const bool flat = scene->dimension == 2;
    const RegionChange change = make_change(region, flat);
    int found = 0;
    for (int i = range[0]; i < range[1]; ++i) {
        const OndVec x =
            ond_vec(start->position[0][i], start->position[1][i], start->position[2][i]);
        if (!(ond_shape_distance(shape, x, flat) < 0.0)) continue;
        apply(&change, start, i, x);
        ++found;
    }
    if (found > 0) return OND_OK;
    return ond_tree_fail(&scene->tree, region->shape.node, err,
                         "no particle of fluid '%.60s' is inside this region's shape", fluid->name);
}

OndStatus ond_scene_regions(const OndSceneDef *scene, const OndFluidDef *fluid,
                            const OndAssets *assets, OndStart *start, int first, int count,
                            OndError *err)
{
    const int range[2] = {first, first + count};
    OndArena arena = {NULL};
    OndStatus status = OND_OK;
    for (int r = 0; r < fluid->regions.count && status == OND_OK; ++r) {
        const OndRegionDef *const region = ond_fluid_region(fluid, r);
        OndShape *shape = NULL;
        status = ond_scene_shape(scene, &region->shape, assets, &arena, &shape, err);
        if (status == OND_OK) status = apply_region(scene, fluid, region, shape, start, range, err);
    }
    ond_arena_free(&arena);
    return status;
}

// SPDX-License-Identifier: MIT
// What a method on a grid needs of a scene: a domain of whole cells, and not too many of them.
#include "sim/scene/scene_check.h"

#include "grid/layout.h"

#include <limits.h>

static OndStatus check_cells(const OndSceneDef *scene, int axis, double *count, OndError *err)
{
    const OndDomainDef *const d = &scene->domain;
    const double width = ond_axis(d->max, axis) - ond_axis(d->min, axis);
    const double cells = width / scene->spacing, whole = round(cells);
    *count *= whole;
    if (!(whole >= 3.0) || fabs(cells - whole) > 1e-4 * fmin(whole, 100.0))
        return FAIL(scene, scene->method.node, "cell",
                    "the domain is %.6g m wide in %c, which is %.6g cells of %.6g m; it must be a "
                    "whole number, at least 3",
                    width, "xyz"[axis], cells, scene -> spacing);
    if (whole > OND_GRID_MOST)
        return FAIL(scene, scene->method.node, "cell",
                    "the grid would have %.0f cells along %c; at most %d are taken", whole,
                    "xyz"[axis], OND_GRID_MOST);
    if (d->axis[axis] == OND_SIDE_PERIODIC && fmod(whole, 2.0) != 0.0)
        return FAIL(scene, scene->method.node, "cell",
                    "%c is periodic and needs an even number of cells, not %.0f", "xyz"[axis],
                    whole);
    return OND_OK;
}

static OndStatus check_fluid(const OndSceneDef *scene, const OndFluidDef *fluid, OndError *err)
{
    if (fluid->shape.which == OND_SHAPE_PARTICLES)
        return FAIL(scene, fluid->shape.node, "type",
                    "a grid cannot start from particles; give the fluid another shape");
    if (fluid->regions.count > 0)
        return FAIL(scene, fluid->node, "regions",
                    "a grid knows no regions; describe several fluids, later ones go over "
                    "earlier ones");
    if (fluid->fixed)
        return FAIL(scene, fluid->node, "fixed",
                    "on a grid nothing is held; make it a solid, or an emitter");
    return OND_OK;
}

static void check_heat(const OndSceneDef *scene, OndFindings *f)
{
    OndError *const err = &f->one;
    if (scene->heaters.count > OND_HEAT_SOURCES_MAX)
        ond_findings_add(f,
                         FAIL(scene, scene->tree.root, "heat", "at most %d sources of heat, not %d",
                              OND_HEAT_SOURCES_MAX, scene->heaters.count));
    for (int h = 0; h < scene->heaters.count && h < OND_HEAT_SOURCES_MAX; ++h)
        ond_findings_add(f, ond_scene_check_heater(scene, ond_scene_heater(scene, h), err));
}

static void check_size(const OndSceneDef *scene, OndFindings *f)
{
    OndError *const err = &f->one;
    double cells = 1.0;
    OndStatus status = OND_OK;
    for (int a = 0; a < scene->dimension; ++a) {
        const OndStatus along = check_cells(scene, a, &cells, err);
        ond_findings_add(f, along);
        if (along != OND_OK) status = along;
    }
    if (status == OND_OK && cells > 0.5 * INT_MAX)
        ond_findings_add(
            f, FAIL(scene, scene->method.node, "cell",
                    "the grid would have %.3g million cells; at most %.0f million are taken",
                    cells * 1e-6, 0.5e-6 * INT_MAX));
}

OndStatus ond_scene_check_grid(const OndSceneDef *scene, bool sound, OndError *err)
{
    OndFindings f = {.err = err};
    if (!scene->has_domain && ond_scene_whole(scene, "absent domain"))
        return FAIL(scene, scene->tree.root, "method",
                    "a method on a grid needs a 'domain': the box that its cells fill");
    for (int k = 0; k < scene->fluids.count; ++k)
        ond_findings_add(&f, check_fluid(scene, ond_scene_fluid(scene, k), &f.one));
    for (int k = 0; k < scene->domain.sides.count; ++k)
        ond_findings_add(&f, ond_scene_check_belt(
                                 scene, (const OndSideDef *)scene->domain.sides.items + k, &f.one));
    check_heat(scene, &f);
    if (sound && scene->has_domain) check_size(scene, &f);
    if (scene->probes.count > 0)
        ond_findings_add(&f, ond_tree_fail(&scene->tree, ond_scene_at(scene->tree.root, "probe"),
                                           &f.one,
                                           "probes look at particles, and this method has none"));
    return f.status;
}

// SPDX-License-Identifier: MIT
// What a method on a grid needs of a scene: a domain of whole cells, and not too many of them.
#include "sim/scene_check.h"

#include "grid/layout.h"
#include "grid/solver.h"

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

static OndStatus check_fluids(const OndSceneDef *scene, OndError *err)
{
    for (int f = 0; f < scene->fluids.count; ++f) {
        const OndFluidDef *const fluid = ond_scene_fluid(scene, f);
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
    }
    return OND_OK;
}

static OndStatus check_solver(const OndSceneDef *scene, OndError *err)
{
    const OndSmokeDef *const def = ond_scene_flow(scene);
    OndError why = {0};
    if (!def || ond_solver_work(def->solver, &why) >= 0) return OND_OK;
    return FAIL(scene, def->node, "solver", "%s", why.text);
}

static OndStatus check_heat(const OndSceneDef *scene, OndError *err)
{
    OndStatus status = OND_OK;
    if (scene->heaters.count > OND_HEAT_SOURCES_MAX)
        return FAIL(scene, scene->tree.root, "heat", "at most %d sources of heat, not %d",
                    OND_HEAT_SOURCES_MAX, scene->heaters.count);
    for (int h = 0; h < scene->heaters.count && status == OND_OK; ++h)
        status = ond_scene_check_heater(scene, ond_scene_heater(scene, h), err);
    return status;
}

OndStatus ond_scene_check_grid(const OndSceneDef *scene, OndError *err)
{
    double cells = 1.0;
    if (!scene->has_domain)
        return FAIL(scene, scene->tree.root, "method",
                    "a method on a grid needs a 'domain': the box that its cells fill");
    OndStatus status = check_fluids(scene, err);
    if (status == OND_OK) status = ond_scene_check_deaf(scene, err);
    if (status == OND_OK) status = check_solver(scene, err);
    if (status == OND_OK) status = check_heat(scene, err);
    for (int a = 0; a < scene->dimension && status == OND_OK; ++a)
        status = check_cells(scene, a, &cells, err);
    if (status == OND_OK && cells > 0.5 * INT_MAX)
        status = FAIL(scene, scene->method.node, "cell",
                      "the grid would have %.3g million cells; at most %.0f million are taken",
                      cells * 1e-6, 0.5e-6 * INT_MAX);
    if (status == OND_OK && scene->probes.count > 0)
        status = FAIL(scene, scene->tree.root, "probe",
                      "probes look at particles, and this method has none");
    return status;
}

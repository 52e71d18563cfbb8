// SPDX-License-Identifier: MIT
// Tracers, and sources inside the fluid.
#include "sim/scene_check.h"
#include "sim/scene_limits.h"

static OndStatus check_times(const OndScene *scene, const OndNode *node, double from, double to,
                             OndError *err)
{
    if (to > from) return OND_OK;
    return FAIL(scene, node, "to", "to must be later than from (%g s, %g s)", to, from);
}

static OndStatus check_tracer(const OndScene *scene, const OndTracerDef *t, OndError *err)
{
    if (t->shape.which == OND_SHAPE_PARTICLES)
        return FAIL(scene, t->shape.node, "type",
                    "tracers need a shape with an inside, not particles");
    if (t->spacing > 0.0 && t->count > 0)
        return FAIL(scene, t->node, "count",
                    "give tracers a spacing (a lattice) or a count (at random), not both");
    if (!(t->spacing > 0.0) && t->count == 0 && !(t->rate > 0.0))
        return FAIL(scene, t->node, NULL, "no tracers: give them a spacing, a count or a rate");
    const OndStatus status = check_times(scene, t->node, t->from, t->to, err);
    return status == OND_OK ? ond_scene_check_shape(scene, &t->shape, true, err) : status;
}

static OndStatus check_tracers(const OndScene *scene, OndError *err)
{
    OndStatus status = OND_OK;
    if (scene->tracers.count == 0) return OND_OK;
    if (!scene->has_grid)
        return FAIL(scene, scene->tree.root, "tracer",
                    "tracers drift in the flow of a grid (method smoke, current or stam); the "
                    "particles of this method show where it goes themselves");
    if (scene->tracers.count > OND_TRACERS_MAX)
        return FAIL(scene, scene->tree.root, "tracer", "at most %d sections of tracers, not %d",
                    OND_TRACERS_MAX, scene->tracers.count);
    for (int k = 0; k < scene->tracers.count && status == OND_OK; ++k)
        status = check_tracer(scene, ond_scene_tracer(scene, k), err);
    return status;
}

OndStatus ond_scene_check_flow(const OndScene *scene, OndError *err)
{
    return check_tracers(scene, err);
}

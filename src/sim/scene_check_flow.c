// SPDX-License-Identifier: MIT
// Tracers, and sources inside the fluid.
#include "sim/scene_check.h"
#include "sim/scene_limits.h"

static OndStatus check_times(const OndSceneDef *scene, const OndNode *node, double from, double to,
                             OndError *err)
{
    if (to > from) return OND_OK;
    return FAIL(scene, node, "to", "to must be later than from (%g s, %g s)", to, from);
}

static OndStatus check_tracer(const OndSceneDef *scene, const OndTracerDef *t, OndError *err)
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

static OndStatus check_tracers(const OndSceneDef *scene, OndError *err)
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

// ---- sources

static OndStatus check_source(const OndSceneDef *scene, const OndSourceDef *s, OndError *err)
{
    if (s->shape.which == OND_SHAPE_PARTICLES)
        return FAIL(scene, s->shape.node, "type",
                    "a source needs a shape with an inside, not particles");
    if (s->flow == 0.0 && s->rate == 0.0 && !ond_node_get(s->node, "velocity"))
        return FAIL(scene, s->node, NULL,
                    "this source brings nothing: give it a flow, a rate or a velocity");
    if (scene->dimension == 2 && s->velocity.z != 0.0)
        return FAIL(scene, s->node, "velocity", "velocity has a z part (%g), but dimension is 2",
                    s->velocity.z);
    const bool brings = s->flow > 0.0 || s->rate > 0.0;
    const char *const key = ond_node_get(s->node, "density") ? "density" : "temperature";
    if (!brings && ond_node_get(s->node, key))
        return FAIL(scene, s->node, key, "'%s' is that of what comes, and here nothing does", key);
    const OndStatus status = check_times(scene, s->node, s->from, s->to, err);
    return status == OND_OK ? ond_scene_check_shape(scene, &s->shape, true, err) : status;
}

// What comes in through the sides, m^3/s, and how much passes them.
static double through_sides(const OndSceneDef *scene, double *size)
{
    const OndDomainDef *const d = &scene->domain;
    double net = 0.0;
    *size = 0.0;
    for (int s = 0; s < 2 * scene->dimension; ++s) {
        double in = (s % 2 ? -1.0 : 1.0) * d->side[s].velocity[s / 2];
        for (int a = 0; a < scene->dimension; ++a)
            if (a != s / 2) in *= ond_axis(d->max, a) - ond_axis(d->min, a);
        if (d->side[s].kind != OND_SIDE_WALL) continue;
        net += in;
        *size += fabs(in);
    }
    return net;
}

static bool is_closed(const OndSceneDef *scene)
{
    for (int s = 0; s < 2 * scene->dimension; ++s)
        if (scene->domain.side[s].kind == OND_SIDE_OPEN) return false;
    return true;
}

// Fluid cannot be squeezed: at any time as much must leave a closed box as comes.
static OndStatus check_balance(const OndSceneDef *scene, double time, OndError *err)
{
    double size = 0.0, net = through_sides(scene, &size);
    for (int k = 0; k < scene->sources.count; ++k) {
        const OndSourceDef *const s = ond_scene_source(scene, k);
        if (time < s->from || time >= s->to) continue;
        net += s->flow;
        size += fabs(s->flow);
    }
    if (fabs(net) <= 1e-4 * size) return OND_OK;
    return FAIL(scene, scene->tree.root, "source",
                "closed domain with net inflow: at t = %g s sources and sides bring %.4g m^%d/s "
                "that cannot go anywhere; open a side (kind: open), or add a source with flow: "
                "%.4g",
                time, net, scene->dimension, -net);
}

static OndStatus check_sources(const OndSceneDef *scene, OndError *err)
{
    OndStatus status = OND_OK;
    if (scene->sources.count == 0) return OND_OK;
    if (!ond_scene_flow(scene))
        return FAIL(scene, scene->tree.root, "source",
                    "sources are for methods smoke and current; here use an emitter");
    if (scene->sources.count > OND_SOURCES_MAX)
        return FAIL(scene, scene->tree.root, "source", "at most %d sources, not %d",
                    OND_SOURCES_MAX, scene->sources.count);
    for (int k = 0; k < scene->sources.count && status == OND_OK; ++k)
        status = check_source(scene, ond_scene_source(scene, k), err);
    for (int k = 0; k < scene->sources.count && status == OND_OK && is_closed(scene); ++k) {
        const OndSourceDef *const s = ond_scene_source(scene, k);
        if (s->from < scene->duration) status = check_balance(scene, s->from, err);
        if (status == OND_OK && s->to < scene->duration) status = check_balance(scene, s->to, err);
    }
    return status;
}

OndStatus ond_scene_check_flow(const OndSceneDef *scene, OndError *err)
{
    const OndStatus status = check_tracers(scene, err);
    return status == OND_OK ? check_sources(scene, err) : status;
}

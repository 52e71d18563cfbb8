// SPDX-License-Identifier: MIT
// Tracers, and sources inside the fluid.
#include "base/memory.h"
#include "base/words.h"
#include "sim/methods.h"
#include "sim/scene/scene_check.h"
#include "sim/scene/scene_limits.h"

static OndStatus check_times(const OndSceneDef *scene, const OndNode *node, double from, double to,
                             OndError *err)
{
    if (to > from) return OND_OK;
    return FAIL(scene, node, "to", "to must be later than from (%g s, %g s)", to, from);
}

// ---- which methods can

static bool has_grid(const OndMethod *method)
{
    return method->cell_size != NULL;
}

static bool has_flow(const OndMethod *method)
{
    return method->flow != NULL;
}

static const char *name_methods(bool (*can)(const OndMethod *method), char *out, size_t size)
{
    const char *names[32];
    int count = 0;
    for (int k = 0; k < ond_method_count && count < OND_COUNT(names); ++k)
        if (can(ond_methods[k])) names[count++] = ond_methods[k]->name;
    ond_words_list(names, count, out, size);
    return out;
}

// ---- tracers

static OndStatus check_tracer_count(const OndSceneDef *scene, const OndTracerDef *t, OndError *err)
{
    if (t->spacing > 0.0 && t->count > 0)
        return FAIL(scene, t->node, "count",
                    "give tracers a spacing (a lattice) or a count (at random), not both");
    if (!(t->spacing > 0.0) && t->count == 0 && !(t->rate > 0.0))
        return FAIL(scene, t->node, NULL, "no tracers: give them a spacing, a count or a rate");
    return OND_OK;
}

static void check_tracer(const OndSceneDef *scene, const OndTracerDef *t, OndFindings *f)
{
    OndError *const err = &f->one;
    ond_findings_add(f, check_tracer_count(scene, t, err));
    ond_findings_add(f, check_times(scene, t->node, t->from, t->to, err));
    ond_findings_add(f, t->shape.which == OND_SHAPE_PARTICLES
                            ? FAIL(scene, t->shape.node, "type",
                                   "tracers need a shape with an inside, not particles")
                            : ond_scene_check_shape(scene, &t->shape, true, err));
}

static void check_tracers(const OndSceneDef *scene, OndFindings *f)
{
    OndError *const err = &f->one;
    char names[200];
    if (scene->tracers.count == 0) return;
    if (!scene->has_grid)
        ond_findings_add(
            f, FAIL(scene, scene->tree.root, "tracer",
                    "tracers drift in the flow of a grid (method %s); the particles of this "
                    "method show where it goes themselves",
                    name_methods(has_grid, names, sizeof names)));
    else if (scene->tracers.count > OND_TRACERS_MAX)
        ond_findings_add(f, FAIL(scene, scene->tree.root, "tracer",
                                 "at most %d sections of tracers, not %d", OND_TRACERS_MAX,
                                 scene->tracers.count));
    else
        for (int k = 0; k < scene->tracers.count; ++k)
            check_tracer(scene, ond_scene_tracer(scene, k), f);
}

// ---- sources

// That it brings something, and nothing is told of what it does not bring.
static OndStatus check_what_comes(const OndSceneDef *scene, const OndSourceDef *s, OndError *err)
{
    if (s->flow == 0.0 && s->rate == 0.0 && !ond_node_get(s->node, "velocity"))
        return FAIL(scene, s->node, NULL,
                    "this source brings nothing: give it a flow, a rate or a velocity");
    const bool brings = s->flow > 0.0 || s->rate > 0.0;
    const char *const key = ond_node_get(s->node, "density") ? "density" : "temperature";
    if (!brings && ond_node_get(s->node, key))
        return FAIL(scene, s->node, key, "'%s' is that of what comes, and here nothing does", key);
    return OND_OK;
}

static void check_source(const OndSceneDef *scene, const OndSourceDef *s, OndFindings *f)
{
    OndError *const err = &f->one;
    ond_findings_add(f, check_what_comes(scene, s, err));
    ond_findings_add(f, ond_scene_check_flat(scene, s->node, "velocity", s->velocity, err));
    ond_findings_add(f, check_times(scene, s->node, s->from, s->to, err));
    ond_findings_add(f, s->shape.which == OND_SHAPE_PARTICLES
                            ? FAIL(scene, s->shape.node, "type",
                                   "a source needs a shape with an inside, not particles")
                            : ond_scene_check_shape(scene, &s->shape, true, err));
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

// At every moment at which a source begins or ends; the first that does not balance is told.
static OndStatus check_balances(const OndSceneDef *scene, OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; k < scene->sources.count && status == OND_OK && is_closed(scene); ++k) {
        const OndSourceDef *const s = ond_scene_source(scene, k);
        if (s->from < scene->duration) status = check_balance(scene, s->from, err);
        if (status == OND_OK && s->to < scene->duration) status = check_balance(scene, s->to, err);
    }
    return status;
}

static void check_sources(const OndSceneDef *scene, bool sound, OndFindings *f)
{
    OndError *const err = &f->one;
    OndFindings own = {.err = f->err};
    char names[200];
    if (scene->sources.count == 0) return;
    if (!ond_scene_method(scene)->flow)
        ond_findings_add(f, FAIL(scene, scene->tree.root, "source",
                                 "sources are for methods %s; here use an emitter",
                                 name_methods(has_flow, names, sizeof names)));
    else if (scene->sources.count > OND_SOURCES_MAX)
        ond_findings_add(f, FAIL(scene, scene->tree.root, "source", "at most %d sources, not %d",
                                 OND_SOURCES_MAX, scene->sources.count));
    else
        for (int k = 0; k < scene->sources.count; ++k)
            check_source(scene, ond_scene_source(scene, k), &own);
    if (f->status == OND_OK) f->status = own.status;
    const bool known = sound && own.status == OND_OK && ond_scene_whole(scene, "source duration");
    if (known && ond_scene_method(scene)->flow) ond_findings_add(f, check_balances(scene, err));
}

OndStatus ond_scene_check_flow(const OndSceneDef *scene, bool sound, OndError *err)
{
    OndFindings f = {.err = err};
    check_tracers(scene, &f);
    check_sources(scene, sound, &f);
    return f.status;
}

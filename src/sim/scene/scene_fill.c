// SPDX-License-Identifier: MIT
#include "sim/scene/scene_fill.h"

#include "base/random.h"
#include "particles/held.h"
#include "sim/scene/scene_forecast.h"
#include "sim/scene/scene_limits.h"
#include "sim/scene/scene_overlap.h"

#include <string.h>

// Spacings that particles of two fluids are apart at the start, at least. Lattices in each other
// are never farther apart than 0.87 of one (a body-centred cube); those side by side are one apart.
#define APART 0.9

// ---- filling

static OndStatus start_alloc(OndStart *start, long long total, OndError *err)
{
    const size_t count = total > 0 ? (size_t)total : 1;
    bool whole = true;
    for (int c = 0; c < 3; ++c) {
        start->position[c] = OND_NEW_ARRAY(float, count);
        start->velocity[c] = OND_NEW_ARRAY(float, count);
        whole = whole && start->position[c] && start->velocity[c];
    }
    start->temperature = OND_NEW_ARRAY(float, count);
    start->material = OND_NEW_ARRAY(uint32_t, count);
    start->held = OND_NEW_ARRAY(uint32_t, count);
    if (!whole || !start->temperature || !start->material || !start->held)
        return ond_fail(err, OND_NO_MEMORY,
                        "not enough memory for %lld particles; a larger spacing makes fewer",
                        total);
    start->count = (int)total;
    return OND_OK;
}

void ond_start_free(OndStart *start)
{
    for (int c = 0; c < 3; ++c) {
        ond_free(start->position[c]);
        ond_free(start->velocity[c]);
    }
    ond_free(start->temperature);
    ond_free(start->material);
    ond_free(start->held);
    memset(start, 0, sizeof *start);
}

static float moved(const OndFluidDef *fluid, int axis, long long i)
{
    const double most = ond_axis(fluid->jitter, axis);
    return most > 0.0 ? (float)most * ond_random((uint64_t)i, (uint64_t)axis) : 0.0f;
}

static OndStatus fill_shape(const OndFillPlan *plan, const OndParticleSource *s, OndStart *start)
{
    const bool flat = plan->scene->dimension == 2;
    float *const point = OND_NEW_ARRAY(float, 3 * s->count);
    if (!point)
        return ond_fail(plan->err, OND_NO_MEMORY, "not enough memory for %lld particles", s->count);
    ond_shape_sample(s->shape, s->fluid->spacing, flat, point, s->count, 0);
    for (int c = 0; c < 3; ++c) {
        float *const x = start->position[c] + s->first;
        for (long long i = 0; i < s->count; ++i)
            x[i] = c == 2 && flat ? 0.0f : point[3 * i + c] + moved(s->fluid, c, i);
    }
    ond_free(point);
    return OND_OK;
}

static void copy_field(const OndParticleSource *s, const char *name, int component, float *out)
{
    const OndField *const field = ond_fields_find(&s->frame.particles, name);
    if (!field || field->type != OND_F32 || component >= field->components) return;
    memcpy(out + s->first, field->data[component], (size_t)s->count * sizeof(float));
}

static void fill_file(const OndFillPlan *plan, const OndParticleSource *s, OndStart *start)
{
    for (int c = 0; c < plan->scene->dimension; ++c) {
        copy_field(s, "position", c, start->position[c]);
        copy_field(s, "velocity", c, start->velocity[c]);
    }
    copy_field(s, "temperature", 0, start->temperature);
}

static OndBox extent(const OndStart *start, const OndParticleSource *s)
{
    double low[3], high[3];
    for (int c = 0; c < 3; ++c) {
        const float *const x = start->position[c] + s->first;
        low[c] = high[c] = x[0];
        for (long long i = 1; i < s->count; ++i) {
            low[c] = x[i] < low[c] ? x[i] : low[c];
            high[c] = x[i] > high[c] ? x[i] : high[c];
        }
    }
    const OndBox box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return box;
}

static void fill_motion(const OndParticleSource *s, OndStart *start, OndVec center)
{
    for (int i = s->first; i < s->first + (int)s->count; ++i) {
        const OndVec x =
            ond_vec(start->position[0][i], start->position[1][i], start->position[2][i]);
        const OndVec v = ond_fluid_velocity(s->fluid, x, center);
        for (int a = 0; a < 3; ++a)
            start->velocity[a][i] += (float)ond_axis(v, a);
    }
}

static OndVec center_of(const OndFillPlan *plan, const OndParticleSource *s, OndBox particles)
{
    const OndBox box = s->shape ? ond_shape_bounds(s->shape) : particles;
    OndVec center = ond_scale(ond_add(box.min, box.max), 0.5);
    if (plan->scene->dimension == 2) center.z = 0.0;
    return center;
}

// ---- what cannot start

static OndStatus check_motion(const OndFillPlan *plan, const OndParticleSource *s,
                              const OndStart *start)
{
    for (int i = s->first; i < s->first + (int)s->count; ++i) {
        bool fit = isfinite(start->temperature[i]);
        for (int a = 0; a < 3; ++a)
            fit = fit && fabsf(start->velocity[a][i]) <= OND_FAST;
        if (!fit)
            return OND_FILL_FAIL(
                plan, s->node,
                "the velocity or temperature of particle %d of fluid '%.60s' is not finite "
                "(or faster than %g m/s)",
                i - s->first, s->fluid->name, OND_FAST);
    }
    return OND_OK;
}

static OndStatus check_side(const OndFillPlan *plan, const OndParticleSource *s, double beyond,
                            int side)
{
    static const char *const names[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    if (plan->scene->domain.side[side].kind == OND_SIDE_OPEN || !(beyond > 0.0)) return OND_OK;
    return OND_FILL_FAIL(plan, s->node, "fluid '%.60s' reaches %.3g m beyond the domain at %s",
                         s->fluid->name, beyond + 0.5 * s->fluid->spacing, names[side]);
}

static OndStatus check_margin(const OndFillPlan *plan, const OndParticleSource *s, double beyond,
                              int axis)
{
    const OndDomainDef *const d = &plan->scene->domain;
    if (d->axis[axis] != OND_SIDE_WALL || !(beyond + d->margin > 1e-6 * s->fluid->spacing))
        return OND_OK;
    return OND_FILL_FAIL(
        plan, s->node,
        "fluid '%.60s' stands in the domain's margin of %g m in %c; particles are kept out "
        "of it",
        s->fluid->name, d->margin, "xyz"[axis]);
}

static OndStatus check_inside(const OndFillPlan *plan, const OndParticleSource *s, OndBox box)
{
    const OndDomainDef *const d = &plan->scene->domain;
    if (!plan->scene->has_domain) return OND_OK;
    OndStatus status = OND_OK;
    for (int a = 0; a < plan->scene->dimension && status == OND_OK; ++a) {
        const double below = ond_axis(d->min, a) - ond_axis(box.min, a);
        const double above = ond_axis(box.max, a) - ond_axis(d->max, a);
        status = check_side(plan, s, below, 2 * a);
        if (status == OND_OK) status = check_side(plan, s, above, 2 * a + 1);
        if (status == OND_OK) status = check_margin(plan, s, fmax(below, above), a);
    }
    return status;
}

static OndParticleRun run_of(const OndParticleSource *s, const OndStart *start)
{
    return (OndParticleRun){start->position, s->first, s->first + (int)s->count};
}

static OndStatus check_pair(const OndFillPlan *plan, const OndParticleSource *a,
                            const OndParticleSource *b, const OndStart *start)
{
    int found = -1;
    const OndStatus status = ond_runs_overlap(run_of(a, start), run_of(b, start),
                                              0.5 * plan->scene->spacing, NULL, &found, plan->err);
    if (status != OND_OK || found < 0) return status;
    return OND_FILL_FAIL(
        plan, b->node,
        "fluid '%.60s' overlaps fluid '%.60s' at (%.3g, %.3g, %.3g): particles are nearer than "
        "half the spacing; move one, or cut it out with a difference",
        b->fluid->name, a->fluid->name, start->position[0][found], start->position[1][found],
        start->position[2][found]);
}

// What is animated may stand in what is filled: that makes room.
static OndStatus check_overlaps(const OndFillPlan *plan, const OndStart *start)
{
    OndStatus status = OND_OK;
    for (int b = 1; b < plan->source_count; ++b)
        for (int a = 0; a < b && status == OND_OK; ++a)
            if (!plan->source[a].animated || !plan->source[b].shape)
                status = check_pair(plan, &plan->source[a], &plan->source[b], start);
    return status;
}

static int count_gone(const OndParticleSource *s, const unsigned char *gone)
{
    int count = 0;
    for (int i = s->first; i < s->first + (int)s->count; ++i)
        count += gone[i];
    return count;
}

// Marks what would start too near to an earlier source, and notes how much of it there is, but for
// the room that is made for what is animated.
static OndStatus mark_near(const OndFillPlan *plan, int source, OndStart *start,
                           unsigned char *gone)
{
    const OndParticleSource *const b = &plan->source[source];
    OndStatus status = OND_OK;
    int room = 0, beside = 0;
    if (!b->shape) return OND_OK; // particles of a file stand where they stood
    for (int a = 0; a < source && status == OND_OK; ++a) {
        int found = -1;
        status = ond_runs_overlap(run_of(&plan->source[a], start), run_of(b, start),
                                  APART * plan->scene->spacing, gone, &found, plan->err);
        if (found >= 0) beside = plan->source[a].material;
        if (plan->source[a].animated) room = count_gone(b, gone);
    }
    start->beside[b->material] = beside;
    start->left_out[b->material] = count_gone(b, gone) - room;
    if (status != OND_OK || b->count == 0 || count_gone(b, gone) < b->count) return status;
    return OND_FILL_FAIL(
        plan, b->node,
        "all of fluid '%.60s' stands in fluid '%.60s'; move one, or cut it out with a "
        "difference",
        b->fluid->name, ond_scene_fluid(plan->scene, beside)->name);
}

static OndStatus keep_apart(const OndFillPlan *plan, OndStart *start)
{
    if (plan->source_count < 2) return OND_OK;
    unsigned char *const gone = OND_NEW_ARRAY(unsigned char, start->count + 1);
    OndStatus status = OND_OK;
    if (!gone)
        status =
            ond_fail(plan->err, OND_NO_MEMORY, "not enough memory for %d particles", start->count);
    for (int b = 1; b < plan->source_count && status == OND_OK; ++b)
        status = mark_near(plan, b, start, gone);
    if (status == OND_OK) ond_start_remove(start, gone);
    ond_free(gone);
    return status;
}

// Those that are animated are held by their own path, the others with the fluid's numbers.
static uint32_t hold_of(const OndParticleSource *s, int i)
{
    return s->animated ? OND_HELD_ON_PATH + (uint32_t)(i - s->first) : s->fluid->fixed;
}

static OndStatus fill_source(const OndFillPlan *plan, const OndParticleSource *s, OndStart *start)
{
    if (s->count == 0) return OND_OK;
    for (int i = s->first; i < s->first + (int)s->count; ++i) {
        start->temperature[i] = (float)s->fluid->temperature;
        start->material[i] = (uint32_t)s->material;
        start->held[i] = hold_of(s, i);
    }
    OndStatus status = OND_OK;
    if (s->shape)
        status = fill_shape(plan, s, start);
    else
        fill_file(plan, s, start);
    // before it is fitted to the walls, which would pull in what lies beyond them
    if (status == OND_OK) status = check_inside(plan, s, extent(start, s));
    if (status != OND_OK) return status;
    if (s->shape && !s->fluid->fixed)
        ond_start_fit_walls(plan->scene, start, s->first, s->first + (int)s->count);
    const OndBox box = extent(start, s);
    if (!s->animated) {
        fill_motion(s, start, center_of(plan, s, box));
        status = ond_scene_regions(plan->scene, s->fluid, plan->assets, start, s->first,
                                   (int)s->count, plan->err);
    }
    if (status == OND_OK) status = ond_fill_check_precision(plan, s, box);
    return status == OND_OK ? check_motion(plan, s, start) : status;
}

void ond_start_remove(OndStart *s, const unsigned char *gone)
{
    int count = 0;
    for (int i = 0; i < s->count; ++i) {
        if (gone[i]) continue;
        for (int a = 0; a < 3; ++a) {
            s->position[a][count] = s->position[a][i];
            s->velocity[a][count] = s->velocity[a][i];
        }
        s->temperature[count] = s->temperature[i];
        s->material[count] = s->material[i];
        s->held[count] = s->held[i];
        ++count;
    }
    s->count = count;
}

OndStatus ond_scene_fill(const OndSceneDef *scene, const OndAssets *assets, OndStart *out,
                         OndError *err)
{
    memset(out, 0, sizeof *out);
    OndFillPlan plan = {.scene = scene, .assets = assets, .err = err};
    OndStatus status = ond_fill_plan_make(&plan);
    if (status == OND_OK) status = start_alloc(out, plan.total, err);
    for (int k = 0; k < plan.source_count && status == OND_OK; ++k)
        status = fill_source(&plan, &plan.source[k], out);
    if (status == OND_OK) status = check_overlaps(&plan, out);
    if (status == OND_OK) status = keep_apart(&plan, out);
    ond_fill_plan_free(&plan);
    if (status != OND_OK) ond_start_free(out);
    return status;
}

// SPDX-License-Identifier: MIT
#include "sim/scene/scene_forecast.h"

#include "sim/scene/particle_sequence.h"
#include "sim/scene/scene_fill.h"
#include "sim/scene/scene_limits.h"
#include "sim/scene/scene_shape.h"

#include <float.h>

// Positions are floats: far from the origin they cannot tell neighbours apart. This also keeps the
// number of lattice points along an axis below a million or so.
OndStatus ond_fill_check_precision(const OndFillPlan *plan, const OndParticleSource *s, OndBox box)
{
    double far = 0.0;
    for (int a = 0; a < plan->scene->dimension; ++a)
        far = fmax(far, fmax(fabs(ond_axis(box.min, a)), fabs(ond_axis(box.max, a))));
    const bool empty = !(box.min.x <= box.max.x);
    if (empty || 16.0 * FLT_EPSILON * far <= s->fluid->spacing) return OND_OK;
    return OND_FILL_FAIL(
        plan, s->node,
        "fluid '%.60s' is %g m from the origin, too far to place particles %g m apart; move the "
        "scene nearer to the origin",
        s->fluid->name, far, s->fluid->spacing);
}

static OndStatus count_inside(const OndFillPlan *plan, OndParticleSource *s)
{
    const OndStatus status = ond_fill_check_precision(plan, s, ond_shape_bounds(s->shape));
    if (status != OND_OK) return status;
    s->count = ond_shape_sample(s->shape, s->fluid->spacing, plan->scene->dimension == 2, NULL, 0,
                                OND_PARTICLES_MAX);
    if (s->count >= 0) return OND_OK;
    s->count = 0;
    return OND_FILL_FAIL(
        plan, s->node,
        "fluid '%.60s' is too thin or too scattered for the space it spans: its particles, "
        "%g m apart, are not found in reasonable time; take a larger spacing, or make "
        "several fluids of it",
        s->fluid->name, s->fluid->spacing);
}

static OndStatus plan_source(OndFillPlan *plan, OndParticleSource *s)
{
    const OndSceneDef *const scene = plan->scene;
    const OndVariant *const shape = &s->fluid->shape;
    if (!s->animated && shape->which < 0) return OND_OK;
    OndStatus status;
    if (s->animated) {
        status = ond_particle_sequence_first(scene, &s->fluid->animated, plan->assets, &s->frame,
                                             plan->err);
        s->count = s->frame.particles.count;
    } else if (shape->which == OND_SHAPE_PARTICLES) {
        status = ond_scene_particles(scene, shape, plan->assets, &s->frame, plan->err);
        s->count = s->frame.particles.count;
    } else {
        status = ond_scene_shape(scene, shape, plan->assets, &plan->arena, &s->shape, plan->err);
        if (status == OND_OK) status = count_inside(plan, s);
    }
    if (status == OND_OK && s->count == 0)
        return OND_FILL_FAIL(
            plan, s->node,
            "no particle of fluid '%.60s' fits here: the shape is thinner than the spacing "
            "(%g m)",
            s->fluid->name, s->fluid->spacing);
    return status;
}

// A count as people say it.
static const char *many(double count, char *out, size_t size)
{
    if (count >= 1e12)
        snprintf(out, size, "%.2g", count);
    else if (count >= 1e9)
        snprintf(out, size, "%.3g thousand million", count * 1e-9);
    else
        snprintf(out, size, "%.3g million", count * 1e-6);
    return out;
}

// Rounded up to two digits, so that it can be typed.
static double coarser_spacing(const OndFillPlan *plan, double count)
{
    const double share = count / (double)OND_PARTICLES_MAX;
    const double spacing = plan->scene->spacing * pow(share, 1.0 / plan->scene->dimension);
    const double digit = pow(10.0, floor(log10(spacing)) - 1.0);
    return ceil(spacing / digit - 1e-9) * digit;
}

static OndStatus refuse_many(const OndFillPlan *plan, const OndNode *at, double count)
{
    char given[48], most[48];
    return OND_FILL_FAIL(
        plan, at,
        "this makes about %s particles, and at most %s are taken: the spacing must be "
        "%.2g m or more, or there must be less to fill",
        many(count, given, sizeof given), many((double)OND_PARTICLES_MAX, most, sizeof most),
        coarser_spacing(plan, count));
}

static OndStatus check_total(const OndFillPlan *plan)
{
    double total = 0.0;
    const OndParticleSource *largest = &plan->source[0];
    for (int k = 0; k < plan->source_count; ++k) {
        total += (double)plan->source[k].count;
        if (plan->source[k].count > largest->count) largest = &plan->source[k];
    }
    if (total > (double)OND_PARTICLES_MAX)
        return refuse_many(plan, ond_scene_at(largest->fluid->node, "spacing"), total);
    const double poured = ond_scene_forecast_poured(plan->scene);
    if (total + poured > (double)OND_PARTICLES_MAX)
        return refuse_many(plan, ond_scene_at(ond_scene_emitter(plan->scene, 0)->node, "rate"),
                           total + poured);
    return OND_OK;
}

static void add_up(OndFillPlan *plan)
{
    for (int k = 0; k < plan->source_count; ++k) {
        plan->source[k].first = (int)plan->total;
        plan->total += plan->source[k].count;
    }
}

void ond_fill_plan_free(OndFillPlan *plan)
{
    for (int k = 0; k < plan->source_count; ++k)
        ond_frame_free(&plan->source[k].frame);
    ond_arena_free(&plan->arena);
}

static void list_sources(OndFillPlan *plan, bool animated)
{
    for (int f = 0; f < plan->scene->fluids.count; ++f) {
        const OndFluidDef *const fluid = ond_scene_fluid(plan->scene, f);
        if (animated && !fluid->animated.node) continue;
        plan->source[plan->source_count++] = (OndParticleSource){
            .fluid = fluid,
            .node = animated ? ond_scene_at(fluid->animated.node, "sequence") : fluid->shape.node,
            .material = f,
            .animated = animated};
    }
}

OndStatus ond_fill_plan_make(OndFillPlan *plan)
{
    const size_t most = 2 * (size_t)plan->scene->fluids.count + 1;
    plan->source = ond_arena_take(&plan->arena, most * sizeof(OndParticleSource));
    if (!plan->source) return ond_fail(plan->err, OND_NO_MEMORY, "not enough memory for the scene");
    list_sources(plan, true);
    list_sources(plan, false);
    OndStatus status = OND_OK;
    for (int k = 0; k < plan->source_count && status == OND_OK; ++k)
        status = plan_source(plan, &plan->source[k]);
    if (status == OND_OK) status = check_total(plan);
    if (status == OND_OK) add_up(plan);
    return status;
}

double ond_scene_forecast_poured(const OndSceneDef *scene)
{
    double volume = 0.0;
    if (scene->has_grid) return 0.0;
    for (int e = 0; e < scene->emitters.count; ++e) {
        const OndEmitterDef *const emitter = ond_scene_emitter(scene, e);
        const double end = fmin(emitter->to, scene->duration);
        if (end > emitter->from) volume += emitter->rate * (end - emitter->from);
    }
    return volume > 0.0 ? volume / pow(scene->spacing, scene->dimension) : 0.0;
}

long long ond_scene_forecast_start(const OndSceneDef *scene, const OndAssets *assets, OndError *err)
{
    OndFillPlan plan = {.scene = scene, .assets = assets, .err = err};
    if (scene->has_grid) return 0;
    const OndStatus status = ond_fill_plan_make(&plan);
    ond_fill_plan_free(&plan);
    return status == OND_OK ? plan.total : -1;
}

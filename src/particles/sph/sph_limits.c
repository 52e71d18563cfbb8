// SPDX-License-Identifier: MIT
// The largest speed and acceleration, whether all numbers are sane, and how long the next step may
// be.
#include "base/parallel.h"
#include "particles/sph/sph_state.h"
#include "physics/step.h"
#include "solids/solids.h"

#include <stdio.h>

#define LONGEST  0.1 // s: a step of what can move, unless the scene says otherwise
#define SQUEEZED 10  // times the error that is allowed: more than steps that are too long leave

// The thesis's rule knows nothing of sound, and where a settled pool starts, neither speed nor
// acceleration tells it anything: from a first step that sound allows, steps grow by this factor.
// (With 1.1 a column that breaks gains a tenth of its energy as it begins to ring, with 1.02 none.)
#define GROWTH 1.02

// Of h, over alpha c: what artificial viscosity bears in a step. A pool that breaks bears 0.41 and bursts
// with 0.67, whatever alpha; by leapfrog, where friction is half a step late, 0.25 and 0.43.
#define DRAGGED      0.4
#define DRAGGED_LEAP 0.25
#define MILD         0.2 // the largest default, of which steps need not know

// What is less rigid counts as liquid: only that gives way, and only from its own height.
#define LIQUID 0.5f

typedef struct Limits {
    const OndSph *s;
    double *speed2, *push2, *sum2;
    double *low, *high, *thin; // of what is liquid
} Limits;

// How far down its weight what is liquid reaches, and the least of its kinematic viscosities.
static void see_liquid(const Limits *l, int b, int begin, int end)
{
    const OndSph *s = l->s;
    const float *g = s->world.gravity;
    double low = INFINITY, high = -INFINITY, thin = INFINITY;
    for (int i = begin; i < end; ++i) {
        if (s->rigidity[i] >= LIQUID || s->held[i] == OND_HELD_ASLEEP) continue;
        const double at = g[0] * s->x[0][i] + g[1] * s->x[1][i] + g[2] * s->x[2][i];
        const double mu = s->has_viscosity ? s->viscosity[i] : 0.0;
        low = fmin(low, at), high = fmax(high, at);
        thin = fmin(thin, mu / s->world.material[s->material[i]].density);
    }
    l->low[b] = low, l->high[b] = high, l->thin[b] = thin;
}

static void limits_blocks(int first, int last, int worker, void *context)
{
    const Limits *l = context;
    const OndSph *s = l->s;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK;
        const int end =
            begin + OND_SUM_BLOCK < s->fields.count ? begin + OND_SUM_BLOCK : s->fields.count;
        float speed2 = 0.0f, push2 = 0.0f, all = 0.0f;
        double sum2 = 0.0;
        for (int i = begin; i < end; ++i) {
            const float v2 =
                s->v[0][i] * s->v[0][i] + s->v[1][i] * s->v[1][i] + s->v[2][i] * s->v[2][i];
            const float a2 =
                s->a[0][i] * s->a[0][i] + s->a[1][i] * s->a[1][i] + s->a[2][i] * s->a[2][i];
            speed2 = v2 > speed2 ? v2 : speed2;
            push2 = a2 > push2 ? a2 : push2;
            sum2 += (double)v2;
            // NaN and infinity survive here, not in the maxima
            all += v2 + (a2 + s->x[0][i] + s->x[1][i] + s->x[2][i]) * 0.0f;
        }
        l->speed2[b] = all == all ? speed2 : NAN;
        l->push2[b] = push2;
        l->sum2[b] = sum2;
        if (s->keeps_volume && s->has_rigidity) see_liquid(l, b, begin, end);
    }
}

const char *ond_sph_shorter_steps(const OndSph *s, char *out, size_t size)
{
    switch (s->def.step_rule) {
    case OND_STEP_ADAPTIVE: // sound's share is what bounds the steps of most liquids
        if (s->keeps_volume)
            snprintf(out, size, "a smaller `courant` (now %g)", s->def.courant);
        else
            snprintf(out, size, "a smaller `acoustic` (now %g)", s->def.acoustic);
        break;
    case OND_STEP_FIXED:
        snprintf(out, size, "`step_rule: adaptive`, or a smaller `time_step` (now %g s)",
                 s->def.time_step);
        break;
    default:
        snprintf(out, size, "`step_rule: adaptive`");
    }
    return out;
}

// What keeps its volume gets away from a solid that leaves it none before it is squeezed by much.
static const char *who_crushes(const OndSph *s)
{
    const bool squeezed = s->density_error > SQUEEZED * s->def.density_error;
    return s->keeps_volume && squeezed ? ond_sph_solids_presser(s) : NULL;
}

// Advises what is not so already.
static OndStatus burst(const OndSph *s, double speed, OndError *err)
{
    const bool follows = s->def.density == OND_DENSITY_CONTINUITY;
    char what[48] = "not a number", steps[80];
    const char *const solid = who_crushes(s);
    if (!isnan(speed)) snprintf(what, sizeof what, "%.3g m/s", speed);
    if (solid)
        return ond_fail(err, OND_UNSTABLE,
                        "a particle's speed is %s: the liquid has burst, as solid '%.60s' leaves "
                        "it no room, or steps are too long. Leave it a way out, move the solid "
                        "less far or more slowly, or try %s",
                        what, solid, ond_sph_shorter_steps(s, steps, sizeof steps));
    return ond_fail(
        err, OND_UNSTABLE,
        "a particle's speed is %s, with a speed of sound of %.3g m/s: the liquid has burst. Try "
        "%s%s, or more `artificial` viscosity (now %g)",
        what, s->sound_speed, follows ? "`density: summation`, " : "",
        ond_sph_shorter_steps(s, steps, sizeof steps), s->def.artificial);
}

// Gravity where there is no wall below, m/s^2: what falls gets faster for ever.
static double free_gravity(const OndWorld *w)
{
    double sum = 0;
    for (int a = 0; a < w->dimension; ++a) {
        const double g = w->gravity[a];
        if (w->side[2 * a + (g < 0.0 ? 0 : 1)].kind != OND_SIDE_WALL) sum += g * g;
    }
    return sqrt(sum);
}

// The speed to which a liquid gives way that is as high as g H = `drop`. Friction is in the way: what moves
// against all its neighbours comes to rest at a rate of r = 3 nu (pi / d)^2, so v^2 / 2 + r d v = g H.
static double give_way(const OndSph *s, double drop, double nu)
{
    const double friction = s->world.dimension * 9.87 * nu / s->world.spacing;
    return sqrt(friction * friction + 2.0 * drop) - friction;
}

static double fallen_speed(const OndSph *s, const Limits *l, int blocks)
{
    const double most = OND_FALLEN * s->sound;
    double low = INFINITY, high = -INFINITY, thin = INFINITY;
    if (!s->keeps_volume) return 0.0;
    if (!s->has_rigidity) return most;
    for (int b = 0; b < blocks; ++b) {
        low = fmin(low, l->low[b]), high = fmax(high, l->high[b]);
        thin = fmin(thin, l->thin[b]);
    }
    return high > low ? fmin(most, give_way(s, high - low, thin)) : 0.0;
}

OndStatus ond_sph_limits(OndSph *s, OndError *err)
{
    const int blocks = ond_sum_block_count(s->fields.count);
    double *sums = ond_sph_sums(s, 6 * blocks);
    if (!sums)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for sums over %d particles",
                        s->fields.count);
    Limits l = {.s = s,
                .speed2 = sums,
                .push2 = sums + blocks,
                .low = sums + 2 * blocks,
                .high = sums + 3 * blocks,
                .thin = sums + 4 * blocks,
                .sum2 = sums + 5 * blocks};
    ond_parallel_for(blocks, 1, limits_blocks, &l);
    const double cap = s->speed_cap + free_gravity(&s->world) * s->time;
    double speed2 = 0, push2 = 0, sum2 = 0;
    for (int b = 0; b < blocks; ++b) {
        if (!(l.speed2[b] <= cap * cap)) return burst(s, sqrt(l.speed2[b]), err);
        speed2 = fmax(speed2, l.speed2[b]);
        push2 = fmax(push2, l.push2[b]);
        sum2 += l.sum2[b];
    }
    s->speed = sqrt(speed2);
    s->acceleration = sqrt(push2);
    s->mean_speed = s->fields.count ? sqrt(sum2 / s->fields.count) : 0.0;
    s->fallen = fallen_speed(s, &l, blocks);
    return OND_OK;
}

double ond_sph_step_beside_friction(const OndSph *s)
{
    const double wave = s->sound_speed * (1.0 + 0.6 * s->def.artificial);
    double dt = s->keeps_volume
                    ? ond_step_advective(OND_FALLEN * s->sound_speed, s->def.courant * s->kernel.h)
                    : ond_step_cfl(0.0, wave, s->def.acoustic * s->kernel.h);
    for (int m = 0; m < s->world.material_count; ++m) {
        const OndMaterial *liquid = &s->world.material[m];
        dt = fmin(dt, ond_step_capillary(liquid->tension, liquid->density, s->kernel.h));
    }
    return fmin(dt, ond_sph_longest_step(s));
}

static double stable_step(const OndSph *s)
{
    const double h = s->kernel.h, c = s->sound, alpha = s->def.artificial;
    // friction counts like sound [Monaghan 1989]; the quadratic term grows with how fast pairs
    // close in
    const double mu = OND_MU_MOST * 2.0 * s->speed;
    const double wave = c * (1.0 + 0.6 * alpha) + 0.6 * s->def.quadratic * mu;
    double dt = s->keeps_volume ? INFINITY : ond_step_cfl(s->speed, wave, s->def.acoustic * h);
    if (alpha > MILD || s->def.quadratic > 0.0)
        dt = fmin(dt, ond_step_cfl(0.0, alpha * c + s->def.quadratic * mu,
                                   (s->keeps_volume ? DRAGGED : DRAGGED_LEAP) * h));
    for (int m = 0; m < s->world.material_count; ++m) {
        const OndMaterial *liquid = &s->world.material[m];
        if (!s->rubs)
            dt = fmin(dt, ond_step_viscous(ond_sph_thickest(liquid) / liquid->density, h));
        dt = fmin(dt, ond_step_capillary(liquid->tension, liquid->density, h));
    }
    return dt;
}

// ---- heat alone

static bool has_free_solids(const OndSph *s)
{
    for (int k = 0; k < ond_solids_count(s->world.solids); ++k)
        if (ond_solids_def(s->world.solids, k)->free) return true;
    return false;
}

// Whether no force can move anything before `*until`: every particle is held, none will be poured,
// and no solid is free.
static bool is_still(const OndSph *s, double *until)
{
    if (s->world.inflow_energy > 0.0f || has_free_solids(s)) return false;
    *until = INFINITY;
    for (int i = 0; i < s->fields.count; ++i) {
        if (!s->held[i] || s->held[i] == OND_HELD_WAKING) return false;
        if (s->held[i] == OND_HELD_ASLEEP) continue;
        *until = fmin(*until, s->world.material[s->material[i]].held_until);
    }
    return *until > s->time + OND_SOON;
}

// Then sound and friction set no limit: what is led on its way does, and heat.
static double still_step(const OndSph *s, double until)
{
    const bool implicit = s->def.heat.solver == OND_HEAT_IMPLICIT;
    const double v = s->speed + ond_sph_solids_speed(s);
    double dt = fmin(ond_step_advective(v, s->def.courant * s->kernel.h), until - s->time);
    for (int m = 0; m < s->world.material_count; ++m) {
        const OndMaterial *of = &s->world.material[m];
        const double diffusivity = of->conductivity / ((double)of->density * of->specific_heat);
        dt = fmin(dt, ond_step_heat(diffusivity, s->world.spacing, implicit));
    }
    return s->def.largest_step > 0.0 ? fmin(dt, s->def.largest_step) : dt;
}

// ---- the rules

static double largest_viscosity(const OndSph *s) // kinematic, m^2/s
{
    double nu = 0;
    for (int m = 0; m < s->world.material_count; ++m)
        nu = fmax(nu, ond_sph_thickest(&s->world.material[m]) / s->world.material[m].density);
    return nu;
}

double ond_sph_longest_step(const OndSph *s)
{
    return s->def.largest_step > 0.0 ? s->def.largest_step : LONGEST;
}

double ond_sph_step_size(const OndSph *s)
{
    const double h = s->kernel.h, reach = s->def.courant * h, a = s->acceleration;
    const double v = fmax(s->speed, s->fallen) + ond_sph_solids_speed(s); // towards each other
    double dt = 0, until;
    if (s->def.step_rule == OND_STEP_ADAPTIVE && is_still(s, &until)) return still_step(s, until);
    switch (s->def.step_rule) {
    case OND_STEP_ADAPTIVE:
        dt = fmin(ond_step_adaptive(v, a, s->step_share * reach), stable_step(s));
        break;
    case OND_STEP_THESIS:
        dt = ond_step_adaptive(v, a, reach);
        if (s->def.settle) dt = fmin(dt, s->last_dt > 0.0 ? GROWTH * s->last_dt : stable_step(s));
        break;
    case OND_STEP_ADVECTIVE:
        dt = ond_step_advective(v, reach);
        break;
    case OND_STEP_CFL:
        dt = ond_step_cfl(v, s->sound, reach);
        break;
    case OND_STEP_MONAGHAN:
        dt = ond_step_monaghan(v, a, h, s->sound, s->def.artificial, s->def.quadratic);
        break;
    case OND_STEP_PAIVA:
        dt = ond_step_paiva(v, s->sound, largest_viscosity(s), h);
        break;
    default:
        dt = s->def.time_step;
        break;
    }
    return fmin(dt, ond_sph_longest_step(s));
}

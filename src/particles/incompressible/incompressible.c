// SPDX-License-Identifier: MIT
// The list of solvers, and what they have in common: the last step's pressure, what is told of them,
// and how long steps may be for what they leave.
#include "particles/incompressible/incompressible.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "particles/incompressible/projection_state.h"
#include "physics/incompressible.h"

#define TOO_MUCH 3.0   // times the error that is allowed: steps become shorter
#define SHORTER  0.7   // by this, and
#define LONGER   1.05  // longer again while it is less
#define SHORTEST 0.1   // of what the Courant number allows
#define COURSE   0.01  // of speeds
#define WEIGHT   0.02  // of gravity
#define ROUNDING 1e-6  // of densities
#define PART     0.6   // of speeds: what is crowded already may part with
#define NOISE    0.015 // of speeds: what an error may add to a particle's own
#define FINEST   2e-5  // error of a particle that is always allowed

#define DECLARE(name, ...) extern const OndPressureSolver ond_pressure_##name;
OND_PRESSURE_SOLVERS(DECLARE)
#undef DECLARE

#define LISTED(name, ...) &ond_pressure_##name,
static const OndPressureSolver *const solvers[] = {NULL, NULL, OND_PRESSURE_SOLVERS(LISTED)};
#undef LISTED

const OndPressureSolver *ond_pressure_solver(const OndSph *s)
{
    return solvers[s->def.pressure];
}

// What is left may be even over the liquid's depth H: then its surface gets a speed of the error times
// H / dt out of nothing, and loses it in the next step. That is to be less than a share of what
// speeds are in the mean, so that flows keep their course and pools come to rest; and there less than
// what a share of gravity makes in the step, which is how well the pressure is known. (By the speed of
// waves alone, pools go on to shake at a hundredth of that, with pressures a tenth off.) Depth is known
// by the speed of sound (sph_start.c): g H = OND_SQUEEZE c^2. Without weight there is no such rule; the
// wide support of weightless drops would need hundreds of iterations for less than a tenth of the
// error that scenes allow, and they swing no better for it.
static double calm(const OndSph *s, double dt, double g)
{
    return fmax(COURSE * s->mean_speed, WEIGHT * g * dt) * dt;
}

// What evens out over a few particles gives each a speed of the error times h / dt.
static double quiet(const OndSph *s, float dt)
{
    return fmax(NOISE * s->mean_speed * dt / s->kernel.h, FINEST);
}

// As much as parts with a share of the speed of what gives way. Were all of it to go in any step, it
// would part with 1 / dt; speeds make steps shorter, those speeds higher, and what rigidity held
// squeezed, or was poured into each other, would burst as it is let go.
static float most_of(const OndSph *s, float dt)
{
    return (float)(PART * OND_FALLEN * s->sound_speed * dt / s->kernel.h);
}

OndProjectionAim ond_projection_density(const OndSph *s, float dt)
{
    const double g = sqrt((double)s->world.gravity[0] * s->world.gravity[0] +
                          (double)s->world.gravity[1] * s->world.gravity[1] +
                          (double)s->world.gravity[2] * s->world.gravity[2]);
    const double most = s->def.density_error;
    const double height = g > 0.0 ? OND_SQUEEZE * s->sound_speed * s->sound_speed / g : INFINITY;
    // half of what is off is room: the scene's error is of what is crowded
    return (OndProjectionAim){.crowding = most_of(s, dt),
                              .tolerance = g > 0.0 ? fmin(2.0 * most, quiet(s, dt)) : 2.0 * most,
                              .height = height,
                              .shift = fmax(fmin(most * height, calm(s, dt, g)), ROUNDING * height),
                              .most = s->def.iterations,
                              .falls = true};
}

OndProjectionAim ond_projection_published(const OndSph *s, float dt)
{
    return (OndProjectionAim){.crowding = most_of(s, dt),
                              .tolerance = s->def.density_error,
                              .most = s->def.iterations,
                              .falls = true};
}

typedef struct Recall {
    OndSph *s;
    float dt, share;
} Recall;

static void recall_range(int first, int last, int worker, void *context)
{
    const Recall *r = context;
    OndSph *s = r->s;
    for (int i = first; i < last; ++i) {
        const float room = s->mass[s->material[i]] / s->world.material[s->material[i]].density;
        s->impulse[i] = r->share * ond_impulse_of(s->kept_pressure[i], room, r->dt, s->slope_ratio);
    }
}

static void tell_range(int first, int last, int worker, void *context)
{
    const Recall *r = context;
    OndSph *s = r->s;
    for (int i = first; i < last; ++i)
        s->pressure[i] =
            ond_impulse_pressure(s->impulse[i], s->rest_room[i], r->dt, s->slope_ratio);
}

static void keep_range(int first, int last, int worker, void *context)
{
    const Recall *r = context;
    tell_range(first, last, worker, context);
    for (int i = first; i < last; ++i)
        r->s->kept_pressure[i] = r->s->pressure[i];
}

static void recall(OndSph *s, float dt, float share)
{
    Recall r = {s, dt, share};
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, recall_range, &r);
}

static void note(OndSph *s, const OndProjectionEnd *end)
{
    s->iterations += end->iterations;
    s->unconverged |= end->capped;
}

OndStatus ond_incompressible_room(OndSph *s, OndError *err)
{
    return ond_projection_room(s, ond_pressure_solver(s)->grids, err);
}

OndStatus ond_incompressible_begin(OndSph *s, float dt, OndError *err)
{
    OndProjectionEnd end = {0};
    recall(s, dt, 0.0f);
    const OndStatus status = ond_pressure_solver(s)->begin(s, dt, &end, err);
    if (status != OND_OK) return status;
    ond_projection_load(s, dt);
    ond_projection_end(s, dt);
    ond_projection_keep_bodies(s, dt);
    note(s, &end);
    return OND_OK;
}

// Who moves far in a step finds others than its neighbours were: what the solver took for kept is
// not. Steps follow what is seen of that. What rigidity holds squeezed is none of it: it stays so in
// steps of any length.
void ond_incompressible_adapt(OndSph *s)
{
    const bool much = s->liquid_error > TOO_MUCH * s->def.density_error;
    s->step_share = fmin(1.0, fmax(SHORTEST, s->step_share * (much ? SHORTER : LONGER)));
}

OndStatus ond_incompressible_correct(OndSph *s, float dt, OndError *err)
{
    const OndPressureSolver *const solver = ond_pressure_solver(s);
    OndProjectionEnd end = {0};
    Recall r = {s, dt, 1.0f};
    recall(s, dt, solver->recalls);
    const OndStatus status = solver->correct(s, dt, &end, err);
    if (status != OND_OK) return status;
    ond_projection_load(s, dt);
    ond_projection_end(s, dt);
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, keep_range, &r);
    note(s, &end);
    s->density_worst = end.worst;
    return OND_OK;
}

// ---- the start

// Velocities wait in `last`, which is 0 at the start.
static void fall_range(int first, int last, int worker, void *context)
{
    const Recall *r = context;
    OndSph *s = r->s;
    for (int axis = 0; axis < 3; ++axis)
        for (int i = first; i < last; ++i) {
            s->last[axis][i] = s->v[axis][i];
            if (!s->held[i]) s->v[axis][i] += r->dt * s->world.gravity[axis];
        }
}

static void return_range(int first, int last, int worker, void *context)
{
    const Recall *r = context;
    OndSph *s = r->s;
    for (int axis = 0; axis < 3; ++axis)
        for (int i = first; i < last; ++i) {
            s->v[axis][i] = s->last[axis][i];
            s->last[axis][i] = 0.0f;
        }
}

// By `cg` for all: what a single step may leave, the others leave, which is all of it.
OndStatus ond_incompressible_start(OndSph *s, float dt, OndError *err)
{
    const int n = s->fields.count;
    OndProjectionEnd end = {0};
    Recall r = {s, dt, 0.0f};
    OndStatus status = ond_projection_room(s, ond_pressure_cg.grids, err);
    if (status != OND_OK) return status;
    ond_parallel_for(n, 8 * OND_GRAIN, fall_range, &r);
    recall(s, dt, 0.0f);
    status = ond_pressure_cg.correct(s, dt, &end, err);
    if (status == OND_OK) ond_parallel_for(n, 8 * OND_GRAIN, tell_range, &r);
    ond_parallel_for(n, 8 * OND_GRAIN, return_range, &r);
    return status;
}

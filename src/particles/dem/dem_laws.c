// SPDX-License-Identifier: MIT
// How stiff contacts are, what walls do otherwise than grains, and how long a step may be.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/dem/dem_state.h"
#include "physics/step.h"
#include "solids/solids.h"

#include <stdio.h>

#define CONTACTS   8.0 // w^2 <= 8 k / m: the stiffest mode of the densest packing of equal balls
#define GRIP       0.5 // of the stiffness: springs across contacts
#define SLOW_START 0.5 // of 1 m/s, m^2/s^2: where nothing falls or moves

// ---- laws

static OndContactLaw grain_law(const OndDem *d)
{
    const OndDemDef *def = &d->def;
    OndContactLaw law = {.stiffness = (float)d->stiffness,
                         .friction = (float)ond_dem_friction(def),
                         .grip = d->grips ? (float)GRIP : 0.0f};
    if (def->damping >= 0.0)
        law.damping = (float)def->damping;
    else
        law.damping_share = (float)ond_contact_damping(def->restitution);
    if (def->shear >= 0.0)
        law.shear = (float)def->shear;
    else
        law.shear_share = (float)def->shear_share;
    if (ond_dem_friction(def) >= OND_FRICTION_UNBOUNDED) law.friction = OND_NO_SLIP_LIMIT;
    return law;
}

OndContactLaw ond_dem_surface(const OndDem *d, float slip, float restitution, float friction)
{
    OndContactLaw law = d->law;
    law.damping = 0.0f;
    law.damping_share = (float)ond_contact_damping(restitution);
    law.friction = friction;
    if (slip < 1.0f) { // it holds what touches it, whatever presses
        law.shear *= 1.0f - slip;
        law.shear_share *= 1.0f - slip;
        law.grip *= 1.0f - slip;
        law.friction = OND_NO_SLIP_LIMIT;
    }
    return law;
}

void ond_dem_set_laws(OndDem *d)
{
    const OndWorld *w = &d->world;
    d->law = grain_law(d);
    d->has_images = false;
    for (int side = 0; side < 6; ++side) {
        const OndSide *s = &w->side[side];
        const int axis = side / 2, kind = axis < w->dimension ? s->kind : OND_SIDE_OPEN;
        const float inward = side % 2 ? -1.0f : 1.0f;
        const float at =
            (float)(side % 2 ? ond_axis(w->box.max, axis) : ond_axis(w->box.min, axis));
        const float gap = fmaxf(w->margin - 0.5f * d->diameter, 0.0f);
        d->wall[side] = ond_dem_surface(d, s->slip, s->restitution, s->friction);
        d->wall_at[side] = kind == OND_SIDE_WALL ? at + inward * gap : -inward * INFINITY;
        d->image_at[side] =
            kind == OND_SIDE_PERIODIC ? at + inward * d->diameter : -inward * INFINITY;
        d->has_images |= kind == OND_SIDE_PERIODIC;
    }
}

// ---- stiffness

// Half the square of the highest speed to be met, m^2/s^2: what falls from the top of the grains to
// the wall below (or to the lowest grain, where there is none), what is poured, what moves already.
static double hardest_energy(const OndDem *d)
{
    double fall = 0, fastest = 0;
    const int n = d->fields.count;
    for (int a = 0; a < d->world.dimension; ++a) {
        const double g = d->world.gravity[a];
        const OndSide *below = &d->world.side[2 * a + (g < 0.0 ? 0 : 1)];
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; ++i) {
            low = fmin(low, d->x[a][i]);
            high = fmax(high, d->x[a][i]);
        }
        if (below->kind == OND_SIDE_PERIODIC || !(low <= high)) continue;
        if (below->kind == OND_SIDE_WALL && g < 0.0) low = fmin(low, ond_axis(d->world.box.min, a));
        if (below->kind == OND_SIDE_WALL && g > 0.0)
            high = fmax(high, ond_axis(d->world.box.max, a));
        fall += fabs(g) * (high - low);
    }
    for (int i = 0; i < n; ++i)
        fastest = fmax(fastest, (double)d->v[0][i] * d->v[0][i] + (double)d->v[1][i] * d->v[1][i] +
                                    (double)d->v[2][i] * d->v[2][i]);
    return fmax(fall, d->world.inflow_energy) + 0.5 * fastest;
}

double ond_dem_find_stiffness(const OndDem *d)
{
    double energy = hardest_energy(d), heaviest = 0;
    for (int s = 0; s < ond_solids_count(d->world.solids); ++s) {
        const double v = ond_length(ond_solids_state(d->world.solids, s)->velocity);
        energy = fmax(energy, 0.5 * v * v);
    }
    if (!(energy > 0.0)) energy = SLOW_START;
    for (int m = 0; m < d->world.material_count; ++m)
        heaviest = fmax(heaviest, d->mass_of[m]);
    return ond_contact_stiffness(heaviest, energy, d->def.overlap * d->diameter);
}

// ---- limits

typedef struct GrainLimits {
    const OndDem *d;
    double *speed2, *push2;
} GrainLimits;

static void limits_blocks(int first, int last, int worker, void *context)
{
    const GrainLimits *l = context;
    const OndDem *d = l->d;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK, next = begin + OND_SUM_BLOCK;
        const int end = next < d->fields.count ? next : d->fields.count;
        float speed2 = 0.0f, push2 = 0.0f, all = 0.0f;
        for (int i = begin; i < end; ++i) {
            const float v2 =
                d->v[0][i] * d->v[0][i] + d->v[1][i] * d->v[1][i] + d->v[2][i] * d->v[2][i];
            const float a2 =
                d->a[0][i] * d->a[0][i] + d->a[1][i] * d->a[1][i] + d->a[2][i] * d->a[2][i];
            speed2 = v2 > speed2 ? v2 : speed2;
            push2 = a2 > push2 ? a2 : push2;
            // NaN and infinity survive here, not in the maxima
            all += (v2 + a2 + d->x[0][i] + d->x[1][i] + d->x[2][i]) * 0.0f;
        }
        l->speed2[b] = all == all ? speed2 : NAN;
        l->push2[b] = push2;
    }
}

OndStatus ond_dem_limits(OndDem *d, OndError *err)
{
    const int blocks = ond_sum_block_count(d->fields.count);
    double *sums = ond_dem_sums(d, 2 * blocks);
    if (!sums)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for sums over %d grains",
                        d->fields.count);
    GrainLimits l = {d, sums, sums + blocks};
    ond_parallel_for(blocks, 1, limits_blocks, &l);
    double speed2 = 0, push2 = 0;
    for (int b = 0; b < blocks; ++b) {
        if (isnan(l.speed2[b]))
            return ond_fail(err, OND_UNSTABLE,
                            "a grain's speed is not a number any more: the grains have burst. Try "
                            "a smaller `stability` (now %g) or `courant` (now %g)",
                            d->def.stability, d->def.courant);
        speed2 = fmax(speed2, l.speed2[b]);
        push2 = fmax(push2, l.push2[b]);
    }
    d->speed = sqrt(speed2);
    d->acceleration = sqrt(push2);
    return OND_OK;
}

// Of the lightest grain among its like, all contacts at their stiffest.
static double stable_step(const OndDem *d)
{
    double m = INFINITY;
    for (int k = 0; k < d->world.material_count; ++k)
        m = fmin(m, d->mass_of[k]);
    const OndContactLaw *law = &d->law;
    const double pair = sqrt(d->stiffness * m / 2.0), alone = sqrt(d->stiffness * m);
    double damping = law->damping + law->damping_share * pair;
    double shear = law->shear + law->shear_share * pair;
    double rub = fmax(damping, shear), walls = 0;
    for (int side = 0; side < 6; ++side)
        walls = fmax(walls, d->wall[side].damping_share * alone);
    for (int s = 0; s < ond_solids_count(d->world.solids); ++s) {
        const OndSolidDef *def = ond_solids_def(d->world.solids, s);
        walls = fmax(walls,
                     ond_dem_surface(d, def->slip, def->restitution, def->friction).damping_share *
                         alone);
    }
    const double stiffness = d->stiffness * (1.0 + 2.0 * law->grip); // along, and twice across
    return ond_contact_step(CONTACTS * stiffness / m, (CONTACTS * rub + walls) / m);
}

double ond_dem_step_size(const OndDem *d)
{
    const double reach = d->def.courant * d->diameter;
    const double speed = d->speed + ond_dem_solid_speed(d);
    double dt = d->def.stability * stable_step(d);
    dt = fmin(dt, ond_step_adaptive(speed, d->acceleration, reach));
    return fmin(dt, d->def.largest_step);
}

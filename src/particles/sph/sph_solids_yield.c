// SPDX-License-Identifier: MIT
// Liquid yields to bodies: how a light one stays calm.
//
// A body moves by the forces that were found where everything stood. One that is light against the
// liquid at its surface moves so far by them that the next forces throw it back farther, and so on.
// But when a face gains u within the step, what it pushes will push back by
//
//     s u,    s = m_i (2 c^2 (V dW/dd)^2 (dt + damping / c) + friction)
//
// of each particle, by how its density changes with its distance d to the face, and by friction.
// That much is taken into the step already: sums of s over all particles are told with the load,
// the body solves for its gain with them (solids/bodies/bodies.h), and then each particle gets its own share
// of what the body did not. Both get the same force, so momentum stays; a body without weight goes
// with the liquid. Particles that were stopped by a face gain what it gains by that: together they
// are an inelastic collision.
#include "particles/sph/sph_solids.h"

#include <string.h>

#define LATE 4.0 // density that follows the flow changes twice as much, and a step later

// What a particle at x gives way to: `across` along a direction, and `along` in any, N s/m.
typedef struct Giving {
    double across, along;
} Giving;

static Giving giving_of(const OndSph *s, const OndRowTouch *touch, int i, double dt)
{
    const OndWallTable *table = &s->solids->table;
    const float d = touch->distance, arm = fmaxf(d, 0.5f * (float)s->world.spacing);
    const float hold = 1.0f - ond_solids_def(s->world.solids, touch->solid)->slip;
    const float strength = (float)s->def.artificial * s->sound * s->kernel.h * s->volume[i];
    const float drag =
        s->has_viscosity && !s->rubs ? s->viscosity[i] * s->volume[i] / s->density[i] : 0.0f;
    const float shear = drag * ond_wall_sum(table, OND_WALL_DRAG, d) / arm;
    const float squeeze = 2.0f * strength * ond_wall_sum(table, OND_WALL_SQUEEZE, d);
    const float rub = strength * ond_wall_sum(table, OND_WALL_RUB, d);
    const double slope = s->volume[i] * ond_wall_sum(table, OND_WALL_SLOPE, d);
    const double change = s->def.density == OND_DENSITY_CONTINUITY ? LATE : 1.0;
    const double stiff = // of a liquid that keeps its volume it is in the pressure already
        s->keeps_volume
            ? 0.0
            : 2.0 * change * slope * slope * touch->edge * s->sound * (s->sound * dt + s->damping);
    const double mass = s->mass[s->material[i]], share = mass * touch->share;
    const double calm = mass * ond_sph_edge_rate(s, touch);
    const Giving g = {share * (stiff + squeeze + shear) + calm,
                      share * hold * (rub + shear) + calm};
    return (Giving){fmax(g.across, 0.0), fmax(g.along, 0.0)};
}

static bool gives_way(const OndSph *s, int solid, int i)
{
    return ond_solids_def(s->world.solids, solid)->free && !s->held[i] &&
           !(s->has_rigidity && s->piece[i]);
}

// Adds w J J^T, J the velocity along `way` that a solid's six speeds make at the end of `arm`.
static void add_way(OndSolidLoad *load, OndVec arm, OndVec way, double w)
{
    const OndVec turn = ond_cross(arm, way);
    const double j[6] = {way.x, way.y, way.z, turn.x, turn.y, turn.z};
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            load->yield[r][c] += w * j[r] * j[c];
}

static void add_giving(const OndSph *s, int solid, OndVec arm, OndVec normal, Giving g)
{
    OndSolidLoad *load = &ond_solids_loads(s->world.solids)[solid];
    add_way(load, arm, normal, g.across - g.along);
    for (int a = 0; g.along > 0.0 && a < 3; ++a)
        add_way(load, arm, ond_vec(a == 0, a == 1, a == 2), g.along);
}

static OndVec normal_of(const OndRowTouch *touch)
{
    return ond_vec(touch->normal[0], touch->normal[1], touch->normal[2]);
}

void ond_sph_solids_stiffness(const OndSph *s, double dt)
{
    for (int k = 0; k < s->solids->used_count; ++k) {
        const OndRow *row = ond_sph_row(s, k);
        for (int t = 0; t < row->count; ++t) {
            const OndRowTouch *touch = &row->touch[t];
            if (!gives_way(s, touch->solid, row->particle)) continue;
            add_giving(s, touch->solid, ond_sph_arm(s, touch->solid, row->particle),
                       normal_of(touch), giving_of(s, touch, row->particle, dt));
        }
    }
}

// The direction in which a particle was stopped.
static OndVec stop_way(const OndRow *row)
{
    const OndVec kick = ond_vec(row->kick[0], row->kick[1], row->kick[2]);
    const double size = ond_length(kick);
    return size > 0.0 ? ond_scale(kick, 1.0 / size) : kick;
}

static bool was_stopped(const OndSph *s, const OndRow *row)
{
    return row->hit >= 0 && gives_way(s, row->hit, row->particle);
}

void ond_sph_solids_hits(const OndSph *s, double dt)
{
    OndSolidLoad *load = ond_solids_loads(s->world.solids);
    for (int k = 0; k < ond_solids_count(s->world.solids); ++k)
        memset(load[k].yield, 0, sizeof load[k].yield);
    for (int k = 0; k < s->solids->used_count; ++k) {
        const OndRow *row = ond_sph_row(s, k);
        if (!was_stopped(s, row)) continue;
        const double mass = s->mass[s->material[row->particle]];
        add_giving(s, row->hit, ond_sph_stop_arm(row), stop_way(row), (Giving){mass / dt, 0.0});
    }
}

// ---- what bodies gained

// What a solid gained at the end of an arm.
static OndVec gain_at(const OndSph *s, int solid, OndVec arm)
{
    const OndSolidLoad *load = &ond_solids_loads(s->world.solids)[solid];
    return ond_add(load->gain, ond_cross(load->gain_spin, arm));
}

static void yield_row(OndSph *s, OndRow *row, double dt)
{
    const int i = row->particle;
    for (int t = 0; t < row->count; ++t) {
        OndRowTouch *touch = &row->touch[t];
        if (!gives_way(s, touch->solid, i)) continue;
        const Giving g = giving_of(s, touch, i, dt);
        const OndVec arm = ond_sph_arm(s, touch->solid, i), n = normal_of(touch);
        const OndVec gain = gain_at(s, touch->solid, arm);
        const OndVec force = ond_add(ond_scale(n, (g.across - g.along) * ond_dot(n, gain)),
                                     ond_scale(gain, g.along));
        const OndVec push = ond_scale(force, 1.0 / s->mass[s->material[i]]);
        const float give[3] = {(float)push.x, (float)push.y, (float)push.z};
        for (int a = 0; a < 3; ++a) {
            touch->push[a] += give[a];
            if (s->keeps_volume) // has been kicked already
                s->v[a][i] += (float)dt * give[a];
            else
                s->a[a][i] += give[a];
        }
        ond_sph_give_back(s, touch->solid, i, arm, give, 1.0);
    }
}

static void follow_row(OndSph *s, OndRow *row, double dt)
{
    if (!was_stopped(s, row)) return;
    const int i = row->particle;
    const OndVec arm = ond_sph_stop_arm(row), n = stop_way(row);
    const OndVec v = ond_scale(n, ond_dot(n, gain_at(s, row->hit, arm)));
    const float give[3] = {(float)v.x, (float)v.y, (float)v.z};
    for (int a = 0; a < 3; ++a)
        s->v[a][i] += give[a];
    ond_sph_give_back(s, row->hit, i, arm, give, 1.0 / dt);
}

void ond_sph_solids_yield(OndSph *s, double dt)
{
    for (int k = 0; s->solids && k < s->solids->used_count; ++k)
        yield_row(s, ond_sph_row(s, k), dt);
}

void ond_sph_solids_follow(OndSph *s, double dt)
{
    for (int k = 0; s->solids && k < s->solids->used_count; ++k)
        follow_row(s, ond_sph_row(s, k), dt);
}

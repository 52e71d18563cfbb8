// SPDX-License-Identifier: MIT
// Where there is room, and what is in the way: for who points at things with a ray.
#include "sim/sim_state.h"

#include <ondine/solids.h>

#define THIN     1e-3 // spacings: as thick as a ray is
#define HALVINGS 40   // of the way, to where it is met

static OndVec vec_of(const double v[3])
{
    return ond_vec(v[0], v[1], v[2]);
}

bool ond_sim_blocked(const OndSim *sim, const double at[3], double reach, int *solid)
{
    const OndVec p = ond_vec(at[0], at[1], sim->scene->dimension == 2 ? 0.0 : at[2]);
    if (solid) *solid = -1;
    if (ond_sim_is_outside(sim, p)) return true;
    return ond_sim_solids_block(&sim->solids, p, reach, solid);
}

// Whatever is met on the first part of the way is met on more of it, so halving finds the first.
double ond_sim_sight(const OndSim *sim, const double from[3], const double to[3], int *solid)
{
    const OndSolids *const all = sim->solids.solids;
    const double ray = THIN * sim->scene->spacing;
    const OndVec start = vec_of(from), way = ond_sub(vec_of(to), start);
    double clear = 0.0, met = 1.0;
    if (solid) *solid = -1;
    if (sim->scene->dimension == 2 || !isfinite(ond_length(start) + ond_length(way))) return 1.0;
    if (!ond_solids_between(all, start, ond_add(start, way), ray)) return 1.0;
    for (int k = 0; k < HALVINGS; ++k) {
        const double half = 0.5 * (clear + met);
        if (ond_solids_between(all, start, ond_add(start, ond_scale(way, half)), ray))
            met = half;
        else
            clear = half;
    }
    OndTouch touch[OND_TOUCHES_MAX];
    const OndVec at = ond_add(start, ond_scale(way, clear));
    const double reach = 4.0 * ray + 1e-9 * ond_length(way);
    if (solid && ond_solids_near(all, at, reach, touch) > 0) *solid = touch[0].solid;
    return clear;
}

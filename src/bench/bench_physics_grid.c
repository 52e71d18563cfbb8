// SPDX-License-Identifier: MIT
// The cases of `ondine bench physics` that are computed on grids.
#include "bench/bench_cavity.h"
#include "bench/bench_physics.h"

#include <math.h>

static float *velocity(const OndTrial *t, int axis)
{
    return ond_fields_find(&t->frame.cells, "velocity")->data[axis];
}

static float face(const OndTrial *t, int axis, int i, int j)
{
    return velocity(t, axis)[ond_grid_at(&t->frame.grid, i, j, 0)];
}

OndStatus ond_case_cavity(OndTrial *t, double *got, OndError *err)
{
    const OndStatus status = ond_trial_run(t, t->scene.duration, err);
    float *const v[2] = {velocity(t, 0), velocity(t, 1)};
    got[0] = ond_cavity_off(&t->frame.grid, v, 0);
    return status;
}

// Heat that goes through a wall at x = 0 or 1, over what would go through the air at rest.
static double nusselt(const OndTrial *t, int i, double wall)
{
    const OndGrid *const g = &t->frame.grid;
    const float *const temperature = ond_fields_find(&t->frame.cells, "temperature")->data[0];
    double sum = 0.0;
    for (int j = 0; j < g->n[1]; ++j)
        sum += fabs(wall - temperature[ond_grid_at(g, i, j, 0)]) * 2.0;
    return sum;
}

OndStatus ond_case_convection(OndTrial *t, double *got, OndError *err)
{
    const OndStatus status = ond_trial_run(t, t->scene.duration, err);
    got[0] = nusselt(t, 0, 21.0);
    got[1] = nusselt(t, t->frame.grid.n[0] - 1, 20.0);
    return status;
}

static double flow_energy(const OndTrial *t)
{
    const OndGrid *const g = &t->frame.grid;
    double sum = 0.0;
    for (int j = 0; j < g->n[1]; ++j)
        for (int i = 0; i < g->n[0]; ++i)
            sum += (double)face(t, 0, i, j) * face(t, 0, i, j) +
                   (double)face(t, 1, i, j) * face(t, 1, i, j);
    return sum;
}

// Of the two faces beside the middle of the channel.
static double middle_of_channel(const OndTrial *t)
{
    const int half = t->frame.grid.n[1] / 2;
    return 0.5 * ((double)face(t, 0, 0, half - 1) + face(t, 0, 0, half));
}

OndStatus ond_case_poiseuille_grid(OndTrial *t, double *got, OndError *err)
{
    return ond_trial_at_times(t, (const double[]){0.225, 1, 5}, middle_of_channel, got, err);
}

OndStatus ond_case_taylor_green(OndTrial *t, double *got, OndError *err)
{
    const double start = flow_energy(t);
    OndStatus status = ond_trial_run(t, 1.0, err);
    got[0] = flow_energy(t) / start;
    if (status == OND_OK) status = ond_trial_run(t, 2.0, err);
    got[1] = flow_energy(t) / start;
    return status;
}

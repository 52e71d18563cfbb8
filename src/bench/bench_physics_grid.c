// SPDX-License-Identifier: MIT
// The cases of `ondine bench physics` that are computed on grids.
#include "bench/bench_cavity.h"
#include "bench/bench_physics.h"

#include <math.h>

// The cells, and one of their fields: all cases are flat.
typedef struct FlatField {
    OndGridView grid;
    OndFieldView field;
} FlatField;

static FlatField look_at(const OndTrial *t, const char *field)
{
    FlatField c = {0};
    ond_sim_grid(t->sim, &c.grid);
    ond_sim_find_field(t->sim, OND_CELLS, field, &c.field);
    return c;
}

static float value(const FlatField *c, int component, int i, int j)
{
    const float *const data = c->field.data[component];
    return data[c->grid.first + i * c->grid.step[0] + j * c->grid.step[1]];
}

OndStatus ond_case_cavity(OndTrial *t, double *got, OndError *err)
{
    const OndStatus status = ond_trial_run(t, t->duration, err);
    got[0] = ond_cavity_off(t->sim, 0);
    return status;
}

// Heat that goes through a wall at x = 0 or 1, over what would go through the air at rest.
static double nusselt(const FlatField *temperature, int i, double wall)
{
    double sum = 0.0;
    for (int j = 0; j < temperature->grid.cells[1]; ++j)
        sum += fabs(wall - value(temperature, 0, i, j)) * 2.0;
    return sum;
}

OndStatus ond_case_convection(OndTrial *t, double *got, OndError *err)
{
    const OndStatus status = ond_trial_run(t, t->duration, err);
    const FlatField temperature = look_at(t, "temperature");
    got[0] = nusselt(&temperature, 0, 21.0);
    got[1] = nusselt(&temperature, temperature.grid.cells[0] - 1, 20.0);
    return status;
}

static double flow_energy(const OndTrial *t)
{
    const FlatField v = look_at(t, "velocity");
    double sum = 0.0;
    for (int j = 0; j < v.grid.cells[1]; ++j)
        for (int i = 0; i < v.grid.cells[0]; ++i)
            sum += (double)value(&v, 0, i, j) * value(&v, 0, i, j) +
                   (double)value(&v, 1, i, j) * value(&v, 1, i, j);
    return sum;
}

// Of the two faces beside the middle of the channel.
static double middle_of_channel(const OndTrial *t)
{
    const FlatField v = look_at(t, "velocity");
    const int half = v.grid.cells[1] / 2;
    return 0.5 * ((double)value(&v, 0, 0, half - 1) + value(&v, 0, 0, half));
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

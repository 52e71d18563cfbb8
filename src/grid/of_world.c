// SPDX-License-Identifier: MIT
#include "grid/of_world.h"

#include <limits.h>

OndStatus ond_grid_of_world(const OndWorld *world, double cell, OndGrid *out, OndError *err)
{
    int n[3] = {1, 1, 1};
    bool periodic[3] = {false, false, false};
    OndVec origin = world->box.min;
    for (int a = 0; a < world->dimension; ++a) {
        const double width = ond_axis(world->box.max, a) - ond_axis(world->box.min, a);
        n[a] = (int)fmin(fmax(round(width / cell), 0.0), INT_MAX);
        periodic[a] = world->side[2 * a].kind == OND_SIDE_PERIODIC;
    }
    if (world->dimension == 2) origin.z = -0.5 * cell;
    const OndStatus status = ond_grid_set(out, n, cell, origin, periodic, err);
    if (status != OND_OK || out->length <= INT_MAX - 1024) return status;
    return ond_fail(err, OND_BAD_VALUE, "a grid of %d x %d x %d cells is larger than can be kept",
                    n[0], n[1], n[2]);
}

double ond_grid_forecast(int dimension, double cells, double bytes_each)
{
    const double side = pow(fmax(cells, 1.0), 1.0 / dimension);
    return cells * bytes_each * (1.0 + 5.0 / side) * (1.0 + 2.0 * (dimension - 1) / side);
}

OndStatus ond_grid_no_memory(const OndGrid *g, double bytes_each, OndError *err)
{
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %.3g million cells (%.1f GB)",
                    (double)ond_grid_cells(g) * 1e-6, (double)g->length * bytes_each * 1e-9);
}

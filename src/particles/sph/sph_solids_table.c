// SPDX-License-Identifier: MIT
// What a wall gives a particle, by distance: made once, from the kernels as they are calibrated.
#include "particles/sph/sph_solids.h"
#include "physics/viscosity.h"

#include <string.h>

#define RINGS  200  // steps of the integral over a layer
#define HARDLY 5e-3 // of the first layer's sum; from here on the second one's factor is within 1.1

// One point of the wall, `z` along the normal and at `t2` (squared, of all tangents together).
static void add_point(const OndSph *s, double z, double t2, double weight, double sum[])
{
    const double r2 = z * z + t2, h2 = s->kernel.h2, along = t2 / (s->world.dimension - 1);
    const float r = (float)sqrt(r2);
    const double g = -weight * ond_kernel_gradient(s->kernel, r);
    sum[OND_WALL_VALUE] += weight * ond_kernel_value(s->kernel, (float)r2);
    sum[OND_WALL_DEPTH] += weight * z * ond_kernel_value(s->kernel, (float)r2);
    sum[OND_WALL_SLOPE] += g * z;
    sum[OND_WALL_WEIGHT] += g * z * z;
    sum[OND_WALL_SQUEEZE] += g * z * z / (r2 + 0.01 * h2);
    sum[OND_WALL_RUB] += g * along / (r2 + 0.01 * h2);
    sum[OND_WALL_DRAG] += weight * z * ond_kernel_laplacian(s->kernel, r);
    sum[OND_WALL_SHEAR] += ond_viscous_pull((float)g, (float)r2, s->pull_far) * along * z;
    sum[OND_WALL_PRESS] += ond_viscous_pull((float)g, (float)r2, s->pull_far) * z * z * z;
}

// A layer averaged along the plane: rings in 3D, pairs of points in 2D.
static void add_layer(const OndSph *s, double z, double sum[])
{
    const double spacing = s->world.spacing, rim2 = (double)s->reach * s->reach - z * z;
    if (rim2 <= 0.0) return;
    const double width = sqrt(rim2) / RINGS;
    for (int k = 0; k < RINGS; ++k) {
        const double t = (k + 0.5) * width;
        const double weight = s->world.dimension == 2
                                  ? 2.0 * width / spacing
                                  : 2.0 * OND_PI * t * width / (spacing * spacing);
        add_point(s, z, t * t, weight, sum);
    }
}

static void layered(const OndSph *s, double distance, double sum[])
{
    memset(sum, 0, OND_WALL_SUMS * sizeof *sum);
    for (double depth = 0.5 * s->world.spacing; distance + depth < s->reach;
         depth += s->world.spacing)
        add_layer(s, distance + depth, sum);
}

// The lattice itself, from layer `first` away on; first below the lowest: all of it.
static void lattice(const OndSph *s, int first, double sum[])
{
    const int reach = (int)ceil(s->reach / s->world.spacing);
    const int flat = s->world.dimension == 2 ? 0 : reach;
    const double spacing = s->world.spacing;
    memset(sum, 0, OND_WALL_SUMS * sizeof *sum);
    for (int y = first; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
            for (int z = -flat; z <= flat; ++z)
                add_point(s, y * spacing, spacing * spacing * (x * x + z * z), 1.0, sum);
}

// Of what is behind a wall, the share that is behind another too, at right angles, both half a
// spacing away.
static double corner(const OndSph *s)
{
    const int reach = (int)ceil(s->reach / s->world.spacing);
    const int flat = s->world.dimension == 2 ? 0 : reach;
    const double spacing = s->world.spacing;
    double hidden[OND_WALL_SUMS] = {0}, all[OND_WALL_SUMS];
    for (int y = 1; y <= reach; ++y)
        for (int x = 1; x <= reach; ++x)
            for (int z = -flat; z <= flat; ++z)
                add_point(s, y * spacing, spacing * spacing * (x * x + z * z), 1.0, hidden);
    lattice(s, 1, all);
    return hidden[OND_WALL_VALUE] / all[OND_WALL_VALUE];
}

// The width of a Gaussian of which `share` is farther than half a spacing on one side.
static double width_of(double share, double spacing)
{
    double low = 0.01 * spacing, high = 100.0 * spacing;
    for (int k = 0; k < 60; ++k) {
        const double middle = sqrt(low * high);
        const double beyond = 0.5 * erfc(0.5 * spacing / (sqrt(2.0) * middle));
        *(beyond < share ? &low : &high) = middle;
    }
    return low;
}

// Exact where the lattice is half a spacing and one and a half from the plane; between and beyond,
// the factors that make it so are continued. A second layer that the support hardly reaches has a
// factor of 2 or more, which would spoil all that is in between: it is left as it is.
static void fill_entries(const OndSph *s, OndWallTable *table)
{
    const double spacing = s->world.spacing;
    double sum[OND_WALL_SUMS], want[2][OND_WALL_SUMS], got[2][OND_WALL_SUMS];
    for (int k = 0; k < 2; ++k) {
        lattice(s, k + 1, want[k]);
        layered(s, (k + 0.5) * spacing, got[k]);
    }
    for (int e = 0; e < OND_WALL_ENTRIES; ++e) {
        const double distance = e / (double)table->per_metre;
        const double part = fmin(fmax(distance / spacing - 0.5, 0.0), 1.0);
        layered(s, distance, sum);
        for (int k = 0; k < OND_WALL_SUMS; ++k) {
            const double first = got[0][k] > 0.0 ? want[0][k] / got[0][k] : 1.0;
            const bool second = got[1][k] > HARDLY * got[0][k];
            const double next = second ? want[1][k] / got[1][k] : first;
            table->sum[e][k] = (float)(sum[k] * (first + part * (next - first)));
        }
    }
}

void ond_wall_table_make(const OndSph *s, OndWallTable *table)
{
    const double spacing = s->world.spacing;
    double full[OND_WALL_SUMS];
    memset(table, 0, sizeof *table);
    // half a spacing is a whole number of entries: what is exact there is not interpolated
    const double entries = floor(0.5 * OND_WALL_ENTRIES * spacing / s->reach * (1.0 + 1e-6));
    table->per_metre = (float)(2.0 * entries / spacing);
    fill_entries(s, table);
    lattice(s, -(int)ceil(s->reach / spacing), full);
    for (int k = 0; k < OND_WALL_SUMS; ++k)
        table->full[k] = (float)full[k];
    table->width = (float)width_of(corner(s), spacing);
    table->beyond = (float)(0.5 * spacing);
}

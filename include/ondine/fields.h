// SPDX-License-Identifier: MIT
// What particles and cells carry, looked at without copying.
//
// Each component of a field is an array of its own, of four-byte numbers:
//
//     OndFieldView v;
//     if (ond_sim_find_field(sim, OND_PARTICLES, "velocity", &v)) {
//         const float *vx = v.data[0];
//         ... vx[i] for i < v.count
//     }
//
// A view is valid until the simulation is stepped, changed (edit.h) or destroyed. Particles are
// re-sorted on the way: who needs to follow one looks for its `id`, which no other gets.
//
// Particles have position, velocity, temperature, material (which fluid) and id; liquids also density,
// pressure, rigidity (0 liquid to 1 solid) and, where something can set, piece (which solid piece; they
// are numbered anew as they come and go). Tracers of a grid have position, velocity, age, tracer
// (which of the scene's) and id. Cells have velocity and density (of what is carried), those of
// `smoke` and `current` also temperature.
// Spray, foam and bubbles have position, velocity, kind (0 spray, 1 foam, 2 bubble), age, life (s of
// foam that are left) and id; they stand in the order of their ids.
#ifndef ONDINE_FIELDS_H
#define ONDINE_FIELDS_H

#include <ondine/sim.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum OndFieldType { OND_F32, OND_U32 } OndFieldType; ///< float, uint32_t

typedef enum OndCarrier {
    OND_PARTICLES, ///< of SPH and DEM, or what drifts in a grid
    OND_CELLS,     ///< of a grid
    OND_RIDERS,    ///< spray, foam and bubbles of a liquid, in scenes with `foam`
} OndCarrier;

typedef struct OndFieldView {
    const char *name; ///< "velocity"; lives as long as the simulation
    const char *unit; ///< "m/s"; "" for pure numbers
    OndFieldType type;
    int components;      ///< 1 or 3
    int count;           ///< elements; of a grid, ghost cells and padding included (OndGridView)
    bool faces;          ///< of a grid: component c stands on the cell's lower face across axis c
    const void *data[3]; ///< one array a component, `count` long; NULL beyond
} OndFieldView;

/// How many fields there are; 0 where there is nobody to carry them.
OND_API int ond_sim_field_count(const OndSim *sim, OndCarrier carrier);
/// The field of that number, from 0. False, and an empty view, when there is none.
OND_API bool ond_sim_field(const OndSim *sim, OndCarrier carrier, int index, OndFieldView *out);
/// The field of that name.
OND_API bool ond_sim_find_field(const OndSim *sim, OndCarrier carrier, const char *name,
                                OndFieldView *out);

/// How the cells lie. Cell (i, j, k) is element first + i step[0] + j step[1] + k step[2] of each
/// array; its lower corner is at origin + cell (i, j, k). Round the cells lies one layer of ghosts.
typedef struct OndGridView {
    int cells[3];     ///< along x, y, z; z has 1 in 2D
    double cell;      ///< edge of a cell, m
    double origin[3]; ///< m
    size_t first;     ///< element of cell (0, 0, 0)
    ptrdiff_t step[3];
} OndGridView;

/// False when the simulation has no grid.
OND_API bool ond_sim_grid(const OndSim *sim, OndGridView *out);

/// The fluids of the scene: what the field `material` counts.
OND_API int ond_sim_fluid_count(const OndSim *sim);
OND_API const char *ond_sim_fluid_name(const OndSim *sim, int fluid); ///< NULL: there is none
OND_API int ond_sim_find_fluid(const OndSim *sim, const char *name);  ///< -1: there is none
/// A value of a fluid as it is now: those that can be changed (ond_sim_set_fluid), and "density",
/// "spacing" (of a grid: of its cells) and "temperature" (at its start). False when there is none.
OND_API bool ond_sim_fluid_value(const OndSim *sim, int fluid, const char *key, double *out);

#ifdef __cplusplus
}
#endif
#endif

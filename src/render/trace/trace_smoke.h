// SPDX-License-Identifier: MIT
// Smoke, steam, ink and flames: a grid's density as a medium that light falls on and goes through.
//
// A ray walks through the grid in steps of less than a cell (each sample of a pixel starts at
// another place within the first) and sums up
//
//     L = sum_i  T_i (1 - exp(-s d_i l)) S_i,     T_i = exp(-s sum_{k<i} d_k l)
//
// with d the density between the middles of cells, l the step, s how much light density 1 takes per
// length, and S the light that the smoke sends on. Boxes of 8^3 cells that are empty are left out.
//
// S does not depend on the ray, so it is known before: on a grid of its own, coarser where the
// smoke's is fine, are added up
//   - the key light, weakened by the smoke on its way and by solids. Light that was scattered
//     before gets farther: two weaker, deeper reaching shares stand for it (after Wrenninge,
//     Kulla and Lundqvist 2013, "Oz: the great and volumetric");
//   - light from all sides through the smoke, by a fixed set of rays on a grid coarser still: of
//   the
//     sky, of ground and solids, of smoke that the key light falls on, and of what glows.
// What is hot glows at its own place, by the table that lava uses.
//
// Nothing here is left to chance but where a ray's steps begin, so there is hardly any noise, and
// the bits are the same for any number of threads.
#ifndef OND_RENDER_TRACE_SMOKE_H
#define OND_RENDER_TRACE_SMOKE_H

#include "render/render.h"
#include "render/spheres/cloud.h"
#include "render/trace/trace_look.h"
#include "render/trace/trace_medium.h"

/// Places are told in cells from the middle of the first one.
typedef struct OndSmokeVolume {
    int n[3];         ///< cells
    float *density;   ///< of cells, with one more on each side that repeats the last
    float *celsius;   ///< the same of the temperature; NULL: nothing glows
    int blocks[3];    ///< boxes of OND_SMOKE_BLOCK^3 cells
    float *most;      ///< the largest density that a place in the box can see
    OndF3 first;      ///< middle of cell (0, 0, 0), in the units of the picture
    float cell;       ///< side of a cell in the units of the picture
    float step;       ///< of a ray, in cells
    OndF3 loss;       ///< of light in density 1, per cell
    OndF3 white;      ///< share of it that is sent on
    float lean;       ///< how much more of it goes straight on than back, in (-1, 1)
    float glow;       ///< strength of what is hot
    int every;        ///< cells of the light's grid, along each axis, in cells
    int lights[3];    ///< its size
    OndF3 *light;     ///< what the smoke sends to the camera, as a share of what it takes
    int around_every; ///< the same for what comes from all sides
    int arounds[3];
    OndF3 *around;
    float *thin; ///< mean density on that grid
    OndMedium medium;
} OndSmokeVolume;

#define OND_SMOKE_BLOCK   8
#define OND_SMOKE_NOTHING 1e-4f // density that is not seen

/// Takes the density (and temperature, where something glows) of a frame with a 3D grid. Values
/// that are no numbers, or below 0, count as none.
OndStatus ond_smoke_build(OndSmokeVolume *smoke, const OndFrame *frame, const OndRenderDef *def,
                          const OndPlace *place, OndError *err);
void ond_smoke_free(OndSmokeVolume *smoke);

/// Gathers light; `medium` calls it.
void ond_smoke_gather(const OndMedium *medium, const struct OndTraceStage *stage);

#endif

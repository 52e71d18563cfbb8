// SPDX-License-Identifier: MIT
// The start: shapes become particles.
//
// Each fluid's shape is filled with a lattice of its spacing (or read from a particle file); the
// particles get the fluid's velocity and temperature and its index as material. What cannot start
// is refused at the shape's place in the scene: too many particles, none at all, beyond the domain,
// inside another fluid. Where two fluids meet or overlap with lattices that do not fit each other,
// the later one leaves out what would start too near to the earlier.
#ifndef OND_SIM_SCENE_FILL_H
#define OND_SIM_SCENE_FILL_H

#include "sim/assets.h"
#include "sim/scene/scene.h"

#include <stdint.h>

typedef struct OndStart {
    float *position[3];              ///< m
    float *velocity[3];              ///< m/s
    float *temperature;              ///< C
    uint32_t *material;              ///< index into the scene's fluids
    uint32_t *held;                  ///< moves as its fluid is told to, whatever pushes it (held.h)
    int count;                       ///< may be 0: a scene of emitters only
    int left_out[OND_MATERIALS_MAX]; ///< particles of each fluid that were too near to another
    int beside[OND_MATERIALS_MAX];   ///< one such other fluid
} OndStart;

/// The particles at time 0. `assets` may be NULL for scenes that name no files. Free with
/// ond_start_free.
OndStatus ond_scene_fill(const OndSceneDef *scene, const OndAssets *assets, OndStart *out,
                         OndError *err);
void ond_start_free(OndStart *start);
/// Takes particles away, those that `gone` marks; the others keep their order.
void ond_start_remove(OndStart *start, const unsigned char *gone);
/// Fits a lattice of particles to the walls it stands at (start_walls.c); ond_scene_fill does.
void ond_start_fit_walls(const OndSceneDef *scene, OndStart *start, int first, int last);

/// Applies the regions of a fluid (parts that start at another temperature, or held), in order, to
/// its particles [first, first + count). A region that holds none of them is refused.
OndStatus ond_scene_regions(const OndSceneDef *scene, const OndFluidDef *fluid,
                            const OndAssets *assets, OndStart *start, int first, int count,
                            OndError *err);

/// How many particles the scene starts with, without making them; -1 and a sentence when it is
/// wrong or they are too many.
long long ond_scene_forecast_start(const OndSceneDef *scene, const OndAssets *assets,
                                   OndError *err);

/// How many more its emitters pour before the end.
double ond_scene_forecast_poured(const OndSceneDef *scene);

#endif

// SPDX-License-Identifier: MIT
// How many particles each fluid of a scene starts with, and where they come from: what filling it
// (scene_fill.c) begins with.
#ifndef OND_SIM_SCENE_FORECAST_H
#define OND_SIM_SCENE_FORECAST_H

#include "geom/shape.h"
#include "sim/assets.h"
#include "sim/scene/scene.h"

// Where one fluid's particles, or those of it that are animated elsewhere, come from.
typedef struct OndParticleSource {
    const OndFluidDef *fluid;
    const OndNode *node; // of the scene, for complaints
    int material;        // index of that fluid
    bool animated;
    OndShape *shape; // NULL: a file
    OndFrame frame;  // of a file
    long long count; // 0 for a fluid without a shape
    int first;       // place of its first particle
} OndParticleSource;

typedef struct OndFillPlan {
    const OndSceneDef *scene;
    const OndAssets *assets;
    OndError *err;
    OndArena arena;
    OndParticleSource *source; // what is animated first, then one a fluid: later ones make room
    int source_count;
    long long total;
} OndFillPlan;

/// Complains at a place of the plan's scene.
#define OND_FILL_FAIL(plan, node, ...)                                                             \
    ond_tree_fail(&(plan)->scene->tree, node, (plan)->err, __VA_ARGS__)

/// Shapes made, files read, particles counted; needs a scene, assets and `err`, else zeros. Free in
/// every case.
OndStatus ond_fill_plan_make(OndFillPlan *plan);
void ond_fill_plan_free(OndFillPlan *plan);

/// Whether positions in a box are exact enough for a fluid's spacing.
OndStatus ond_fill_check_precision(const OndFillPlan *plan, const OndParticleSource *source,
                                   OndBox box);

#endif

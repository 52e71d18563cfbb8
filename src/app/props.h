// SPDX-License-Identifier: MIT
// The solids of a run on stage: for pictures, for surfaces that end on them, and as files.
#ifndef OND_APP_PROPS_H
#define OND_APP_PROPS_H

#include "io/run_folder.h"
#include "render/render.h"
#include "sim/sim.h"

typedef struct OndProps OndProps;

/// Reads their meshes. `folder` (may be NULL, or have no path) is the run's, whose frames know
/// where bodies were. NULL without an error when the scene has no solids. Both must outlive it.
OndStatus ond_props_open(const OndSceneDef *scene, const OndRunFolder *folder, OndProps **out,
                         OndError *err);
void ond_props_free(OndProps *props); ///< NULL is allowed

/// Puts them where they are at a frame; `number` may lie between two. Without a run's folder the
/// time alone counts. NULL is allowed: nothing happens.
OndStatus ond_props_place(OndProps *props, double number, double time, OndError *err);

/// Gives them to a renderer, as they stand; NULL: none.
void ond_props_show(const OndProps *props, OndRenderer *renderer);

/// The solids as they stand, for surfaces; NULL for NULL.
const OndSolids *ond_props_solids(const OndProps *props);

/// Writes the poses of those that move, and with the first frame all their triangles
/// (solids/NAME.ply or .vtp), of those that bend with every frame. The simulation is at the frame.
OndStatus ond_props_write(const OndSim *sim, const OndSceneDef *scene, const OndRunFolder *folder,
                          int index, OndError *err);

#endif

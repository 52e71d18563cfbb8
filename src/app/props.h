// SPDX-License-Identifier: MIT
// The solids of a run as files beside its frames.
#ifndef OND_APP_PROPS_H
#define OND_APP_PROPS_H

#include "io/run_folder.h"
#include "solids/scene/sim_solids.h"

/// Writes the poses of those that move, and with the first frame all their triangles
/// (solids/NAME.ply or .vtp), of those that bend with every frame.
OndStatus ond_props_write(const OndFrame *frame, const OndSceneDef *scene,
                          const OndRunFolder *folder, OndError *err);

#endif

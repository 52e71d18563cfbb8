// SPDX-License-Identifier: MIT
// The solids in the frames of a run's folder, and the shapes that their particles carry: built once
// from its scene, and placed for each frame that is read. What moves as told stands where the scene says at the frame's time; bodies stand
// where frames/solids_NNNN.csv says (solid_poses.h).
#ifndef OND_IO_RUN_SOLIDS_H
#define OND_IO_RUN_SOLIDS_H

#include "io/run_folder.h"
#include "solids/scene/sim_solids.h"

typedef struct OndRunSolids OndRunSolids;

/// `home` is the run's folder; with path "" nobody knows where bodies were, and they stay where
/// they began. NULL without an error when the scene has no solids and
/// nothing that is carried. The scene must outlive it.
OndStatus ond_run_solids_open(const OndSceneDef *scene, const OndAssets *assets,
                              const OndRunFolder *home, OndRunSolids **out, OndError *err);
void ond_run_solids_close(OndRunSolids *solids); ///< NULL is allowed

/// What they are made of; borrowed.
const OndSimSolids *ond_run_solids_made(const OndRunSolids *solids);

/// Fills in the solids of an owned frame, at its time; bodies as in the run's frame `number`. For
/// NULL there are none. What earlier frames borrowed is invalid from then on.
OndStatus ond_run_solids_read(OndRunSolids *solids, int number, OndFrame *frame, OndError *err);

/// The same for a frame between two that have their solids, a share of the way from `a` to `b`.
OndStatus ond_run_solids_between(OndRunSolids *solids, const OndFrame *a, const OndFrame *b,
                                 double share, OndFrame *frame, OndError *err);

#endif

// SPDX-License-Identifier: MIT
// Two fluids in the same place: which particles of one are nearer than some distance to one of the
// other?
#ifndef OND_SIM_SCENE_OVERLAP_H
#define OND_SIM_SCENE_OVERLAP_H

#include <ondine/error.h>

/// A run of particles: x, y, z arrays and the range [first, last).
typedef struct OndParticleRun {
    float *const *position;
    int first, last;
} OndParticleRun;

/// `found` gets the index of the first particle of `b` that is nearer than `distance` to one of
/// `a`, or -1. Where `marks` is given, all such particles are marked in it, by their index.
OndStatus ond_runs_overlap(OndParticleRun a, OndParticleRun b, double distance,
                           unsigned char *marks, int *found, OndError *err);

#endif

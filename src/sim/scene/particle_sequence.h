// SPDX-License-Identifier: MIT
// Particles that are animated elsewhere: a file for each moment, all of the same particles.
#ifndef OND_SIM_PARTICLE_SEQUENCE_H
#define OND_SIM_PARTICLE_SEQUENCE_H

#include "sim/assets.h"
#include "sim/scene/scene.h"

/// The first file, as a fluid starts with it. Free with ond_frame_free.
OndStatus ond_particle_sequence_first(const OndSceneDef *scene, const OndAnimatedDef *def,
                                      const OndAssets *assets, OndFrame *out, OndError *err);

/// All of them, in the arena. Particles are told apart by their `id` where files have it, else by
/// their order; other numbers of them, or other ids, are an error at the key that names the file.
OndStatus ond_particle_sequence_read(const OndSceneDef *scene, const OndAnimatedDef *def,
                                     const OndAssets *assets, OndArena *arena, OndHeldPath *out,
                                     OndError *err);

/// Of all places, as a whole number: whether a run that goes on has the files that it began with.
double ond_particle_sequence_mark(const OndHeldPath *path);

#endif

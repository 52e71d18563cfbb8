// SPDX-License-Identifier: MIT
// What a scene says to SPH: the first half of its table of functions (method/method.h).
#ifndef OND_PARTICLES_SPH_SCENE_H
#define OND_PARTICLES_SPH_SCENE_H

#include "method/method.h"
#include "particles/sph/sph_def.h"

extern const OndRefusedKey ond_sph_refused[];

void ond_sph_settle_scene(void *def, const OndMethodScene *scene);
OndStatus ond_sph_check_scene(const void *def, const OndMethodScene *scene, OndError *err);
double ond_sph_support(const void *def);
double ond_sph_sound(const void *def);
bool ond_sph_packs(const void *def);
bool ond_sph_keeps_shape(const void *def);
const char *ond_sph_chosen(const void *def, char *out, size_t size);
const char *ond_sph_unconverged(const void *def, char *out, size_t size);
const char *ond_sph_step_key(const void *def);

#endif

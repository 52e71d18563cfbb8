// SPDX-License-Identifier: MIT
// Solids in quick pictures: lit plainly, and glass as a veil over what is behind it.
#ifndef OND_RENDER_STAGE_SOLIDS_H
#define OND_RENDER_STAGE_SOLIDS_H

#include "render/stage/stage.h"

/// The light along a ray that without solids brings `light` from `far` away.
OndF3 ond_stage_before(const OndStage *stage, const OndRay *ray, float far, OndF3 light);

/// How far along a ray something stands that nothing is seen through; INFINITY: nothing does.
float ond_stage_blocked(const OndStage *stage, const OndRay *ray);

#endif

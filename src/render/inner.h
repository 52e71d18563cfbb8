// SPDX-License-Identifier: MIT
// Solids within clear liquid: ice in water, a stone in a pool.
//
// One surface round all particles has no place where the ice begins under water. So the solid ones
// get a surface of their own, which is met by rays that are inside the first.
#ifndef OND_RENDER_INNER_H
#define OND_RENDER_INNER_H

#include "render/render.h"

/// A frame of the solid particles alone, if there is clear liquid beside them and the surface is
/// not painted; otherwise `out` stays empty. Free with ond_frame_free.
OndStatus ond_inner_frame(const OndFrame *frame, const OndRenderDef *def, OndFrame *out,
                          OndError *err);

#endif

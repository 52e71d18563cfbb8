// SPDX-License-Identifier: MIT
// What a picture is to be: the usual choice, and what cannot be drawn.
#ifndef OND_RENDER_RENDER_DEF_H
#define OND_RENDER_RENDER_DEF_H

#include "render/render.h"

/// Of all pictures.
OndStatus ond_render_check(const OndRenderDef *def, OndError *err);
/// Of those that are traced, beyond that.
OndStatus ond_render_check_trace(const OndRenderDef *def, OndError *err);

#endif

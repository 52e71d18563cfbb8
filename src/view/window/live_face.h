// SPDX-License-Identifier: MIT
// A simulation that runs, as a face's source: keys, tools and dials.
#ifndef VIEW_WINDOW_LIVE_FACE_H
#define VIEW_WINDOW_LIVE_FACE_H

#include "view/window/face.h"
#include "view/window/live.h"

typedef struct OndLiveFace OndLiveFace;

extern const OndSource ond_live_source;

/// Colours that can be chosen; NULL-terminated.
extern const char *const ond_live_colours[];

/// NULL and a sentence on failure. It takes `live` over.
OndLiveFace *ond_live_face_create(OndLive *live, const OndLiveDef *def, OndError *err);
void ond_live_face_destroy(OndLiveFace *face); ///< NULL is allowed

#endif

// SPDX-License-Identifier: MIT
// A picture of a face without a window or a display.
#ifndef VIEW_WINDOW_SHOT_H
#define VIEW_WINDOW_SHOT_H

#include "view/offscreen/offscreen.h"
#include "view/window/face.h"
#include "view/window/script.h"

typedef struct OndShot {
    const char *path; ///< of the PNG
    int width, height;
    int after;         ///< pictures before it
    OndScript *script; ///< done meanwhile; may be NULL
} OndShot;

/// Draws into `offscreen`, which has that size and is current. Goes on after `after` until the script is done.
OndStatus ond_shot_take(OndOffscreen *offscreen, OndFace *face, const OndShot *shot, OndError *err);

#endif

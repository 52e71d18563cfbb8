// SPDX-License-Identifier: MIT
// What a hand would do, written down: for pictures without a window, and for showing something.
//
//     tool heat; drag 0.4,0.5 0.6,0.5 60; wait 30; key space
//
// Steps go by pictures. Places are shares of the picture's width and height, from its upper left corner.
//
//     key NAME            a key: a letter, a digit, space, left, right, home, end, tab
//     wait N              N pictures
//     move X,Y            the pointer
//     down, up            the left button
//     hold X,Y N          the left button there, for N pictures
//     drag X,Y X,Y N      from there to there
//     turn YAW PITCH      the eye, degrees
//     zoom FACTOR         below 1: nearer
//     anything else       asks what is shown (OndSource.ask): "tool heat", "dial gravity 3", "frame 12"
#ifndef VIEW_WINDOW_SCRIPT_H
#define VIEW_WINDOW_SCRIPT_H

#include "view/window/face.h"

typedef struct OndScript OndScript;

/// Copies `text`. NULL and a sentence on failure: words that no one knows are told when their turn comes.
OndScript *ond_script_create(const char *text, OndError *err);
void ond_script_destroy(OndScript *script); ///< NULL is allowed

/// Does what comes before the next picture.
OndStatus ond_script_step(OndScript *script, OndFace *face, OndError *err);
bool ond_script_done(const OndScript *script); ///< true for NULL

#endif

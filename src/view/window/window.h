// SPDX-License-Identifier: MIT
// A window with OpenGL 3.3, by GLFW; the loop that draws a face in it.
#ifndef VIEW_WINDOW_WINDOW_H
#define VIEW_WINDOW_WINDOW_H

#include "view/window/face.h"
#include "view/window/script.h"

typedef struct OndWindow OndWindow;

/// Opens it and makes its OpenGL context current. NULL and a sentence on failure: no display, no OpenGL 3.3.
OndWindow *ond_window_open(const char *title, int width, int height, OndError *err);
void ond_window_close(OndWindow *window); ///< NULL is allowed

double ond_window_scale(const OndWindow *window); ///< of the screen; 1: some 96 dots an inch

/// Draws the face until a person closes the window, or a signal asks to stop. `script` may be NULL.
OndStatus ond_window_run(OndWindow *window, OndFace *face, OndScript *script, OndError *err);

/// From any thread: there is something new to draw.
void ond_window_wake(void *nothing);

#endif

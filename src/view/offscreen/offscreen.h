// SPDX-License-Identifier: MIT
// OpenGL without a window: a context by EGL, and a framebuffer to draw into and to read back. For
// `ondine view --screenshot` and for tests; works without a display and, by Mesa, without a graphics card.
#ifndef VIEW_OFFSCREEN_OFFSCREEN_H
#define VIEW_OFFSCREEN_OFFSCREEN_H

#include <ondine/error.h>
#include <stdbool.h>

typedef struct OndOffscreen OndOffscreen;

/// Makes a context, OpenGL 3.3 core or OpenGL ES 3, current in this thread, with a framebuffer of that
/// size bound. NULL and a sentence on failure; OND_MISSING: this machine has no such thing.
OndOffscreen *ond_offscreen_create(bool gles, int width, int height, OndError *err);
/// What was made in the context is gone with it. NULL is allowed.
void ond_offscreen_destroy(OndOffscreen *offscreen);

/// What helps where there is no OpenGL 3.3, or no OpenGL ES 3, in this environment: the end of a sentence.
const char *ond_offscreen_remedy(bool gles);

/// Binds the framebuffer again, for who bound another.
void ond_offscreen_bind(const OndOffscreen *offscreen);
/// What was drawn: 3 bytes a pixel, rows from the top, width x height.
void ond_offscreen_read(const OndOffscreen *offscreen, unsigned char *rgb);

#endif

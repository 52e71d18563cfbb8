// SPDX-License-Identifier: MIT
// What is in the framebuffer that is bound, as a picture.
#ifndef VIEW_WINDOW_PIXELS_H
#define VIEW_WINDOW_PIXELS_H

#include "render/image.h"

/// Fills an image of the framebuffer's size.
OndStatus ond_pixels_read(OndImage *image, OndError *err);

#endif

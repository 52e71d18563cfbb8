// SPDX-License-Identifier: MIT
// A picture in memory: 8-bit sRGB, rows from the top.
#ifndef OND_RENDER_IMAGE_H
#define OND_RENDER_IMAGE_H

#include <ondine/error.h>
#include <stdint.h>

#define OND_IMAGE_SIDE_MAX 16384 // pixels; 3 x 16384^2 bytes still fit a 32-bit size

typedef struct OndImage {
    int width, height;
    uint8_t *rgb; ///< 3 bytes a pixel, no padding
} OndImage;

/// A picture in linear light.
typedef struct OndLinear {
    int width, height;
    float *rgb;   ///< 3 a pixel
    float *depth; ///< m along the view; INFINITY: nothing there
} OndLinear;

OndStatus ond_linear_resize(OndLinear *linear, int width, int height, OndError *err);
void ond_linear_free(OndLinear *linear);

/// Gives `image` this size; its pixels are then undefined. Keeps its memory when the size is the
/// same.
OndStatus ond_image_resize(OndImage *image, int width, int height, OndError *err);

void ond_image_free(OndImage *image);

#endif

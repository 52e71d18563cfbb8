// SPDX-License-Identifier: MIT
// A picture in memory: 8-bit sRGB, rows from the top.
#ifndef OND_RENDER_IMAGE_H
#define OND_RENDER_IMAGE_H

#include <stdint.h>

typedef struct OndImage {
    int width, height;
    uint8_t *rgb; ///< 3 bytes a pixel, no padding
} OndImage;

void ond_image_free(OndImage *image);

#endif

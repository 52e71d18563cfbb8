// SPDX-License-Identifier: MIT
// Thin smooth lines over a picture in linear light: the edges of the domain.
#ifndef OND_RENDER_LINES_H
#define OND_RENDER_LINES_H

#include "render/camera.h"

/// The rows to draw into, and what may hide a line there.
typedef struct OndCanvas {
    OndF3 *light;         ///< rows x width
    int top, rows, width; ///< rows [top, top + rows) of the picture
    const OndCamera *camera;
    OndF3 ink;
    float alpha;
    float thick; ///< pixels
    /// The part of pixel (x, y) that nothing nearer than a plane `depth` along the view hides.
    float (*open)(const void *own, int x, int y, float depth);
    const void *own;
} OndCanvas;

/// Draws the twelve edges of a box (the four that matter in a flat picture).
void ond_lines_box(const OndCanvas *canvas, const OndF3 corner[8]);

#endif

// SPDX-License-Identifier: MIT
// Thin smooth lines in a band: the edges of the domain.
#ifndef OND_RENDER_LINES_H
#define OND_RENDER_LINES_H

#include "render/band.h"

/// Draws the twelve edges of a box (the four that matter in a flat picture) into the band's light;
/// what lies behind particles is hidden, what is farther is fainter. `thick` in pixels.
void ond_lines_box(OndBand *band, const OndStage *stage, const OndF3 corner[8], float thick);

#endif

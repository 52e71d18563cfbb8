// SPDX-License-Identifier: MIT
// Pixels in which no surface can be seen: ground and backdrop, a row at a time. They are most of a
// picture, and both are smooth, so that the middle of a pixel tells all of it.
#ifndef OND_RENDER_TRACE_OPEN_H
#define OND_RENDER_TRACE_OPEN_H

#include "render/trace/trace_path.h"

#define OND_OPEN_ROW 16 // pixels

typedef struct OndOpenRow {
    OndF3 light[OND_OPEN_ROW];
    float distance[OND_OPEN_ROW]; ///< along the view; INFINITY: backdrop
} OndOpenRow;

/// Of pixels (x, y) to (x + OND_OPEN_ROW - 1, y): what ond_path_open finds, but for rounding. For
/// views in perspective.
void ond_open_row(const OndTraceStage *stage, int x, int y, OndOpenRow *row);

#endif

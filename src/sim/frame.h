// SPDX-License-Identifier: MIT
// A frame is what leaves a simulation and what everything after it takes.
//
// A run in memory, a file on disk and a live view all hand over frames; nobody after this point
// knows which method made them.
#ifndef OND_SIM_FRAME_H
#define OND_SIM_FRAME_H

#include "base/fields.h"
#include "base/vec.h"
#include "grid/layout.h"

#include <stdbool.h>

typedef struct OndFrame {
    int index;      ///< 0 is the start
    double time;    ///< s
    int dimension;  ///< 2 or 3
    double spacing; ///< rest distance of particles or edge of cells, m; 0 when unknown
    OndBox domain;  ///< walls to draw; min = max when there are none
    OndFields
        particles;   ///< a frame from a file owns its arrays; one from a simulation borrows them
    OndGrid grid;    ///< n[0] = 0: no grid
    OndFields cells; ///< what its cells and faces carry, in arrays of the grid's length; owned or
                     ///< borrowed as the particles
    bool owned;
} OndFrame;

static inline bool ond_frame_has_grid(const OndFrame *frame)
{
    return frame->grid.n[0] > 0;
}

/// Frees an owned frame's arrays; a borrowed one is only cleared.
void ond_frame_free(OndFrame *frame);

#endif

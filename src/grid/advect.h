// SPDX-License-Identifier: MIT
// Carrying a field along with the flow on a staggered grid.
//
// Where a value comes from is found by going back along the flow for a step (two or three stages of
// Runge-Kutta); what stood there is found between its neighbours:
//
//     linear      between the 4 (8 in 3D) nearest: never beyond them, but smears
//     maccormack  linear there and back again; half of what the return misses is put right, as far
//                 as it stays between the neighbours [Selle 2008]
//     cubic       through 4 points along each axis, the flow on the way back, too; sharper still,
//                 and dearer
//
// Places are in cells from the grid's lower corner: cell i reaches from i to i + 1. A field stands
// in the middles of cells (axis -1) or on the lower faces across an axis.
//
// [Selle 2008] An unconditionally stable MacCormack method, J. Sci. Comput. 35.
#ifndef OND_GRID_ADVECT_H
#define OND_GRID_ADVECT_H

#include "grid/layout.h"

enum OndAdvection { OND_ADVECT_LINEAR, OND_ADVECT_MACCORMACK, OND_ADVECT_CUBIC };

typedef struct OndFlow {
    const OndGrid *grid;
    const float *v[3]; ///< on faces, ghosts set; m/s
    double dt;         ///< s
    int scheme;        ///< enum OndAdvection; cubic needs 3 cells along each axis
    int stages;        ///< of the way back: 2 or 3
} OndFlow;

/// The values of a field: cells, and the faces across its axis up to the last side.
typedef struct OndSpan {
    int wide, rows; ///< elements of a row, and rows
    int high;       ///< rows of a layer
} OndSpan;
OndSpan ond_span(const OndGrid *grid, int axis);
static inline size_t ond_span_row(const OndGrid *g, const OndSpan *s, int row)
{
    return ond_grid_at(g, 0, row % s->high, row / s->high);
}

/// `to` gets what the flow brings of `from`; `scratch` is for maccormack. `limit`: cubic stays
/// between the neighbours, too. `from` has its ghosts; those of `to` are left.
void ond_advect(const OndFlow *flow, int axis, const float *from, float *to, float *scratch,
                bool limit);

/// The velocity at a place, m/s.
void ond_flow_at(const OndFlow *flow, const float at[3], float out[3]);
/// A place goes along with the flow for `dt` (below 0: back), and stays in the grid.
void ond_flow_trace(const OndFlow *flow, double dt, float at[3]);

#endif

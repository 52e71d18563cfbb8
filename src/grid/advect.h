// SPDX-License-Identifier: MIT
// Semi-Lagrangian advection: carrying a field along with the flow on a staggered grid.
//
// Where a value comes from is found by going back along the flow for a step; what stood there is
// found between its neighbours:
//
//     linear      between the 4 (8 in 3D) nearest: never beyond them, but smears
//     maccormack  linear there and back again; half of what the return misses is put right, as far
//                 as it stays between the neighbours, and where the return can tell: not out of
//                 ghosts or solids, nor where the flow folds within the step [Selle 2008]
//     cubic       through 4 points along each axis, the flow on the way back, too; sharper still,
//                 and dearer
//
// The way of a step is one of
//
//     taylor      x + dt v + dt^2/2 dv/dt, with dv/dt the acceleration of the fluid there: of
//     second
//                 order in a flow that changes. The flow handed over is w = v + dt/2 dv/dt, so that
//                 the way on from x is dt w(x); the way back, to the y with y + dt w(y) = x, takes
//                 three looks at w
//     rk2, rk3    stages of Runge-Kutta in the flow v as it is now: of first order when it changes
//
// Places are in cells from the grid's lower corner: cell i reaches from i to i + 1. A field stands
// in the middles of cells (axis -1) or on the lower faces across an axis.
//
// [Selle 2008] An unconditionally stable MacCormack method, J. Sci. Comput. 35.
// [Smolarkiewicz 1992] and Pudykiewicz, A class of semi-Lagrangian approximations for fluids, J.
// Atmos. Sci. 49.
#ifndef OND_GRID_ADVECT_H
#define OND_GRID_ADVECT_H

#include "grid/layout.h"

// Schemes and ways back along the flow: number, and what scenes call it.
#define OND_ADVECTIONS(X)                                                                          \
    X(OND_ADVECT_LINEAR, "linear")                                                                 \
    X(OND_ADVECT_MACCORMACK, "maccormack")                                                         \
    X(OND_ADVECT_CUBIC, "cubic")
#define OND_TRACES(X)                                                                              \
    X(OND_TRACE_TAYLOR, "taylor")                                                                  \
    X(OND_TRACE_RK2, "rk2")                                                                        \
    X(OND_TRACE_RK3, "rk3")

#define OND_ADVECT_NUMBER(number, name) number,
enum OndAdvection { OND_ADVECTIONS(OND_ADVECT_NUMBER) };
enum OndTrace { OND_TRACES(OND_ADVECT_NUMBER) };
extern const char *const ond_advection_names[], *const ond_trace_names[]; ///< NULL-terminated

typedef struct OndFlow {
    const OndGrid *grid; ///< its arrays have fewer than 2^31 elements
    const float *v[3];   ///< on faces, ghosts set; m/s
    double dt;           ///< s
    int scheme;          ///< enum OndAdvection; cubic needs 3 cells along each axis
    int trace;           ///< enum OndTrace
    /// Open shares of faces: where they are 0, a solid covers it. NULL: there are none.
    const uint8_t *open[3];
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

/// A field, and what the flow brings of it.
typedef struct OndCarried {
    const float *from; ///< with its ghosts
    float *to;         ///< ghosts are left as they are
    float *scratch;    ///< for maccormack
} OndCarried;
#define OND_CARRIED_MOST 4

/// Carries up to OND_CARRIED_MOST fields that stand in the same places along together. `limit`:
/// cubic stays between the neighbours, too.
void ond_advect(const OndFlow *flow, int axis, const OndCarried *fields, int count, bool limit);

#endif

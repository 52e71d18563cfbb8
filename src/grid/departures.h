// SPDX-License-Identifier: MIT
// Many places at once, and what a grid's arrays hold there.
//
// Semi-Lagrangian advection looks for departure points: where what arrives at a cell was a step
// ago. They are traced back a piece of a row at a time, up to OND_DEPARTURES places together, so
// that each step on their way is one loop over plain arrays. The loops (loops_departures.c) are
// compiled once for each instruction set; ond_departure_loops() hands out the best for this
// processor.
//
// Places are in cells from the grid's lower corner, as in advect.h, and lie in the grid. Arrays
// have fewer than 2^31 elements.
#ifndef OND_GRID_DEPARTURES_H
#define OND_GRID_DEPARTURES_H

#include "grid/layout.h"

#define OND_DEPARTURES 160 // a row of 128 cells is one

typedef float OndDepartureValues[OND_DEPARTURES];

typedef struct OndDepartures {
    const OndGrid *grid;
    int count;
    OndDepartureValues at[3];
} OndDepartures;

/// A row whose waves of two cells are damped (smoke_damp.c).
typedef struct OndDampRow {
    const float *u;      ///< the values, and in `off` the five in a row round each
    const uint8_t *open; ///< 0: such a value is not the flow's, and five with it damp nothing
    ptrdiff_t off[5];
    const float *w;     ///< the flow along the five is the mean of an element and those
    ptrdiff_t on, back; ///< `on` after it, `back` before it, and both
    float cells, most;  ///< steps of w in cells: dt / h, and as many at most count
    float share;
    float *out; ///< what is damped is taken off here
} OndDampRow;

typedef struct OndDepartureLoops {
    /// An array that stands in the middles of cells (axis -1) or on faces, between its neighbours.
    void (*linear)(const OndDepartures *departures, int axis, const float *data, float *out);
    /// The same through 4 points along each axis; the grid has 2 cells along each, or more.
    void (*cubic)(const OndDepartures *departures, int axis, const float *data, float *out);
    /// Along a row: the mean of an element and those `on` after it, `back` before it, and both.
    void (*mean)(const float *data, ptrdiff_t on, ptrdiff_t back, int count, float *out);
    /// The element at the lower corner of those that `linear` reads.
    void (*spots)(const OndDepartures *departures, int axis, int32_t *out);
    /// values[i] is kept between those round spots[i].
    void (*clamp)(const OndGrid *grid, int count, const float *data, const int32_t *spots,
                  float *values);
    /// A y with y + w(y) = x is sought, w was v at x and `next` at x - v: v becomes what w(y) will
    /// be, about.
    void (*aim)(int count, OndDepartureValues v[3], const OndDepartureValues next[3], bool deep);
    /// A coordinate of the places: from + cells v, kept inside or put back round a periodic side.
    void (*move)(OndDepartures *departures, int axis, const float *from, const float *v,
                 float cells);
    /// out -= share |c| d4 u
    void (*damp)(const OndDampRow *row, int count);
} OndDepartureLoops;

/// The best set for this processor.
const OndDepartureLoops *ond_departure_loops(void);

#endif

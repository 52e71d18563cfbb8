// SPDX-License-Identifier: MIT
// Quick pictures of a grid: a slice of it in colours, with arrows or streamlines over it.
//
// A 2D grid is its own slice. Values between the middles of cells are linear; streamlines are
// traced through the same values, from evenly spread seeds, both ways.
#ifndef OND_RENDER_SLICE_H
#define OND_RENDER_SLICE_H

#include "render/colour.h"
#include "render/render.h"
#include "render/stage/drawn_solids.h"

typedef struct OndSlice {
    const OndGrid *grid;
    int normal, across, up; ///< axes: out of the picture, to its right, to its top
    double at;              ///< along the normal, in cells from the middle of the first
    double left, top;       ///< of the rectangle it fills, in pixels
    double scale;           ///< pixels a cell
} OndSlice;

/// Where a frame's slice comes to lie in a picture of that size.
OndSlice ond_slice_place(const OndFrame *frame, const OndRenderDef *def);

/// A component of a field at a place given in cells from the middle of the first cell; beyond the
/// sides, the value at the side.
double ond_slice_sample(const OndGrid *grid, const OndField *field, int component,
                        const double at[3]);

/// What is painted: a field of a grid (a vector by its length), or how fast it turns.
typedef struct OndShade {
    const OndGrid *grid;
    const OndField *field;
    bool turning;
} OndShade;

/// Its value at such a place.
double ond_slice_value(const OndShade *shade, const double at[3]);

/// Its colours over the slice; the rest of the picture stays.
void ond_slice_paint(const OndSlice *slice, const OndShade *shade, const OndF3 *map, double min,
                     double max, OndImage *out);

/// Solids where the slice cuts them; in 2D their outline.
void ond_slice_solids(const OndSlice *slice, const OndDrawnSolid *solid, int count, OndImage *out);

/// So many arrows across, as long as the velocity is fast. Lines are light on what is dark, and
/// dark on what is light.
void ond_slice_arrows(const OndSlice *slice, const OndField *velocity, int count, OndImage *out);
/// Streamlines from so many seeds across, which keep apart.
void ond_slice_streamlines(const OndSlice *slice, const OndField *velocity, int count,
                           OndImage *out);

/// The range over all cells (of very many, over some), outliers (one in two hundred at each end)
/// left out.
bool ond_slice_range(const OndShade *shade, double *min, double *max);

#endif

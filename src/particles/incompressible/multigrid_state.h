// SPDX-License-Identifier: MIT
// What multigrid*.c share: a grid of cells with values at their corners, and one for each level.
#ifndef OND_PARTICLES_MULTIGRID_STATE_H
#define OND_PARTICLES_MULTIGRID_STATE_H

#include "particles/incompressible/multigrid.h"

#define OND_GRIDS_MAX 16
#define OND_CORNERS   8
#define OND_STENCIL   27

typedef float OndElement[OND_CORNERS][OND_CORNERS]; // of a cell: between its corners

// Nodes are numbered along x first. Their arrays have `pad` zeros in front and behind, so that the
// 27 nodes round any node can be read.
typedef struct OndPressureGrid {
    int cells[3], nodes[3];
    int count, pad; // of nodes
    int cell_count;
    int room, cell_room; // that there is memory for
    OndElement *element; // of each cell
    float *stencil;      // [27][count]: of a node to those round it
    float *ease;         // 1 / the sum of what stands in its row, sign apart; 0: nothing is there
    float *x, *r, *t;    // answer, question, scratch: behind their pads
    float *block;        // that the last four lie in
} OndPressureGrid;

struct OndPressureGrids {
    int levels;
    OndPressureGrid level[OND_GRIDS_MAX];
    float origin[3], inv_size[3]; // of the finest; a flat axis has 0
    float *part;                  // what each finest cell gives its corners
    int part_room;
};

static inline int ond_grid_cell(const OndPressureGrid *g, int x, int y, int z)
{
    return (z * g->cells[1] + y) * g->cells[0] + x;
}

static inline int ond_grid_node(const OndPressureGrid *g, int x, int y, int z)
{
    return (z * g->nodes[1] + y) * g->nodes[0] + x;
}

/// Calls a loop over the particles of a cell of the finest grid, run by run.
void ond_multigrid_particles(const OndPressureGrids *g, const OndSph *s, int cell,
                             OndPressureGridLoop *loop,
                             void (*body)(const OndPressureGridLoop *, int first, int last));

/// From the elements of a grid its stencils, and how easily each node gives.
void ond_grid_finish(OndPressureGrid *g);
/// The coarser grid's elements from those of the finer.
void ond_grid_coarsen(OndPressureGrid *coarse, const OndPressureGrid *fine);

#endif

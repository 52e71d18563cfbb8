// SPDX-License-Identifier: MIT
#include "surface/blocks_plan.h"

OndBlockRange ond_blocks_round(const OndLattice *lattice, const OndPoints *points, int i, int flat)
{
    const double at[3] = {points->x[i], points->y[i], points->z[i]};
    const double margin = OND_BLOCKS_MARGIN * points->size[i], width = lattice->cell * OND_BLOCK;
    OndBlockRange range = {{0, 0, 0}, {0, 0, 0}};
    for (int a = 0; a < 3 - flat; ++a) {
        // a block's nodes end one cell before the next block's begin
        const double low = at[a] - margin - lattice->origin[a] + lattice->cell;
        range.low[a] = (int)floor(low / width);
        range.high[a] = (int)floor((at[a] + margin - lattice->origin[a]) / width);
    }
    return range;
}

OndStatus ond_blocks_plan(const OndLattice *lattice, const OndField3 *field, double memory,
                          OndError *err)
{
    return OND_OK;
}

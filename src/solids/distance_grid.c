// SPDX-License-Identifier: MIT
// Reading a distance grid. distance_grid_make.c makes it.
#include "solids/distance_grid.h"

#include "base/memory.h"
#include "solids/distance_cell.h"

#include <string.h>

#define OUTSIDE (-2)
#define NOTHING (-1) // a cell that nothing is near; else twice its number, + 1: ask

void ond_distance_grid_free(OndDistanceGrid *grid)
{
    ond_free(grid->block);
    ond_free(grid->kept);
    ond_free(grid->cell);
    memset(grid, 0, sizeof *grid);
}

size_t ond_distance_grid_bytes(const OndDistanceGrid *grid)
{
    if (!grid->cell) return 0;
    return ond_distance_blocks(grid) * sizeof *grid->block +
           (size_t)grid->count * sizeof *grid->kept + (size_t)grid->cell_count * sizeof *grid->cell;
}

// Whether nothing is within `reach` cells, whatever there is. The square of a distance, less the
// square of the place, is the least of linear functions: between corners it is no less than what is
// interpolated.
static bool is_far(const OndDistanceCell *cell, const float at[3], double reach)
{
    float square = 0.0f, bent = 0.0f;
    for (int k = 0; k < 8; ++k) {
        float weight = 1.0f;
        for (int a = 0; a < 3; ++a)
            weight *= k >> a & 1 ? at[a] : 1.0f - at[a];
        const float d = (float)cell->corner[k][3];
        square += weight * d * d;
    }
    for (int a = 0; a < 3; ++a)
        bent += at[a] * (1.0f - at[a]);
    const double least = square / (OND_DISTANCE_STEPS * OND_DISTANCE_STEPS) - bent;
    return least > (reach + OND_DISTANCE_ROUNDING) * (reach + OND_DISTANCE_ROUNDING);
}

// The number of the cell that a point is in: NOTHING, or OUTSIDE.
static inline int cell_at(const OndDistanceGrid *g, OndVec at)
{
    if (!(at.x >= 0.0 && at.x < OND_DISTANCE_SIDE * g->n[0] && at.y >= 0.0 &&
          at.y < OND_DISTANCE_SIDE * g->n[1] && at.z >= 0.0 && at.z < OND_DISTANCE_SIDE * g->n[2]))
        return OUTSIDE;
    const unsigned x = (unsigned)at.x, y = (unsigned)at.y, z = (unsigned)at.z;
    const int b = g->block[ond_distance_block(g, x / OND_DISTANCE_SIDE, y / OND_DISTANCE_SIDE,
                                              z / OND_DISTANCE_SIDE)];
    if (b < 0) return NOTHING;
    const OndDistanceBlock *block = &g->kept[b];
    const unsigned layer = z % OND_DISTANCE_SIDE,
                   i = y % OND_DISTANCE_SIDE * OND_DISTANCE_SIDE + x % OND_DISTANCE_SIDE;
    const uint64_t near = block->near[layer], before = near & ((UINT64_C(1) << i) - 1);
    if (!(near >> i & 1)) return NOTHING;
    return 2 * (block->first[layer] + __builtin_popcountll(before)) + (block->ask[layer] >> i & 1);
}

OndDistanceKind ond_distance_grid_read(const OndSolidMesh *s, OndVec p, double reach,
                                       double *distance, OndVec *normal)
{
    const OndDistanceGrid *g = &s->distance;
    if (!ond_distance_grid_knows(s, reach)) return OND_DISTANCE_ASK;
    const OndVec at = ond_scale(ond_sub(p, g->origin), g->per_cell);
    const int cell = cell_at(g, at);
    if (cell < 0) return cell == NOTHING ? OND_DISTANCE_NONE : OND_DISTANCE_ASK;
    const float in[3] = {(float)(at.x - (int)at.x), (float)(at.y - (int)at.y),
                         (float)(at.z - (int)at.z)};
    if (cell & 1)
        return is_far(&g->cell[cell / 2], in, reach * g->per_cell) ? OND_DISTANCE_NONE
                                                                   : OND_DISTANCE_ASK;
    const OndFour read = ond_distance_between(&g->cell[cell / 2], in[0], in[1], in[2]);
    *distance = read[3] / g->per_cell;
    *normal = ond_distance_normal(read);
    return fabs(*distance) > reach ? OND_DISTANCE_NONE : OND_DISTANCE_ONE;
}

void ond_distance_grid_fetch(const OndSolidMesh *s, OndVec p)
{
    const OndDistanceGrid *g = &s->distance;
    if (!g->cell) return;
    const int cell = cell_at(g, ond_scale(ond_sub(p, g->origin), g->per_cell));
    if (cell >= 0) __builtin_prefetch(&g->cell[cell / 2]);
}

// Cells of the grid, from the first along each axis to the one after the last.
typedef struct CellSpan {
    int first[3], last[3];
} CellSpan;

static CellSpan span_of(const OndDistanceGrid *g, const OndBox *box)
{
    CellSpan span;
    for (int a = 0; a < 3; ++a) {
        const double low = ond_axis(g->origin, a), all = OND_DISTANCE_SIDE * g->n[a];
        const double first = (ond_axis(box->min, a) - low) * g->per_cell,
                     last = (ond_axis(box->max, a) - low) * g->per_cell;
        span.first[a] = (int)fmin(fmax(first - OND_DISTANCE_ROUNDING, 0.0), all);
        span.last[a] = (int)fmin(fmax(last + 1.0 + OND_DISTANCE_ROUNDING, 0.0), all);
    }
    return span;
}

// The part of a span that is in a block.
static bool has_any(const OndDistanceGrid *g, const CellSpan *span, int x, int y, int z)
{
    const int b = g->block[ond_distance_block(g, (unsigned)x, (unsigned)y, (unsigned)z)],
              at[3] = {x, y, z};
    if (b < 0) return false;
    int first[3], last[3];
    for (int a = 0; a < 3; ++a) {
        first[a] = span->first[a] > OND_DISTANCE_SIDE * at[a]
                       ? span->first[a] - OND_DISTANCE_SIDE * at[a]
                       : 0;
        last[a] = span->last[a] < OND_DISTANCE_SIDE * (at[a] + 1)
                      ? span->last[a] - OND_DISTANCE_SIDE * at[a]
                      : OND_DISTANCE_SIDE;
    }
    const uint64_t row = (UINT64_C(1) << last[0]) - (UINT64_C(1) << first[0]);
    uint64_t layer = 0;
    for (int j = first[1]; j < last[1]; ++j)
        layer |= row << OND_DISTANCE_SIDE * j;
    for (int k = first[2]; k < last[2]; ++k)
        if (g->kept[b].near[k] & layer) return true;
    return false;
}

bool ond_distance_grid_may_touch(const OndSolidMesh *s, const OndBox *box)
{
    const OndDistanceGrid *g = &s->distance;
    const CellSpan span = span_of(g, box);
    const int past[3] = {(span.last[0] + OND_DISTANCE_SIDE - 1) / OND_DISTANCE_SIDE,
                         (span.last[1] + OND_DISTANCE_SIDE - 1) / OND_DISTANCE_SIDE,
                         (span.last[2] + OND_DISTANCE_SIDE - 1) / OND_DISTANCE_SIDE};
    for (int z = span.first[2] / OND_DISTANCE_SIDE; z < past[2]; ++z)
        for (int y = span.first[1] / OND_DISTANCE_SIDE; y < past[1]; ++y)
            for (int x = span.first[0] / OND_DISTANCE_SIDE; x < past[0]; ++x)
                if (has_any(g, &span, x, y, z)) return true;
    return false;
}

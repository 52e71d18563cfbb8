// SPDX-License-Identifier: MIT
// The estimate counts the blocks near particles at the surface, exactly where blocks are wider than
// a particle; narrower ones are counted in groups of that width, which are then taken to be full.
#include "surface/blocks_plan.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "surface/blocks.h"

typedef struct PlaceSet {
    uint64_t *key; // scrambled places; 0 where free
    uint32_t mask, count;
} PlaceSet;

static void insert(PlaceSet *set, uint64_t key)
{
    uint32_t slot = (uint32_t)key & set->mask;
    while (set->key[slot] && set->key[slot] != key)
        slot = (slot + 1) & set->mask;
    set->count += set->key[slot] == 0;
    set->key[slot] = key;
}

static bool grow(PlaceSet *set)
{
    const uint32_t slots = set->key ? 2 * (set->mask + 1) : 4096;
    PlaceSet larger = {OND_NEW_ARRAY(uint64_t, slots), slots - 1, 0};
    if (!larger.key) return false;
    for (uint32_t s = 0; set->key && s <= set->mask; ++s)
        if (set->key[s]) insert(&larger, set->key[s]);
    ond_free(set->key);
    *set = larger;
    return true;
}

static bool add_place(PlaceSet *set, int x, int y, int z)
{
    if ((!set->key || set->count * 2 > set->mask) && !grow(set)) return false;
    const uint64_t low = (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
    insert(set, ond_scramble(low ^ ond_scramble((uint32_t)z)) | 1);
    return true;
}

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

bool ond_blocks_begin_at(const OndPoints *points, int i)
{
    if (ond_points_is_image(points, (uint32_t)i)) return false;
    if (points->surface[i] || !points->walls.sides) return points->surface[i];
    const double at[3] = {points->x[i], points->y[i], points->z[i]};
    return ond_walls_near(&points->walls, at, OND_BLOCKS_MARGIN * points->size[i]);
}

// Blocks near the surface; -1 without memory.
static double count_near_surface(const OndPoints *points, double cell)
{
    OndLattice coarse = {.cell = cell};
    const int flat = points->dimension == 2;
    double each = 1.0;
    for (; coarse.cell * OND_BLOCK < points->spacing; coarse.cell *= 2.0)
        each *= flat ? 4.0 : 8.0;
    PlaceSet set = {0};
    bool good = true;
    for (int i = 0; i < points->count && good; ++i) {
        if (!ond_blocks_begin_at(points, i)) continue;
        const OndBlockRange r = ond_blocks_round(&coarse, points, i, flat);
        for (int z = r.low[2]; z <= r.high[2]; ++z)
            for (int y = r.low[1]; y <= r.high[1]; ++y)
                for (int x = r.low[0]; x <= r.high[0]; ++x)
                    good = good && add_place(&set, x, y, z);
    }
    ond_free(set.key);
    return good ? set.count * each : -1.0;
}

// More memory by a factor needs cells larger by its square root at most: the mesh shrinks with the
// square of the cell, blocks no slower.
static OndStatus too_much(double bytes, double memory, double cell, double spacing, OndError *err)
{
    const double fits = 1.05 * cell * sqrt(bytes / memory);
    char needs[OND_BYTES_TEXT], has[OND_BYTES_TEXT];
    ond_bytes_text(bytes, needs);
    ond_bytes_text(memory, has);
    return ond_fail(err, OND_NO_MEMORY,
                    "a surface in cells of %.3g m (%.3g spacings) needs about %s of memory, and "
                    "there is %s; cells of %.3g m (%.3g spacings) fit",
                    cell, cell / spacing, needs, has, fits, fits / spacing);
}

OndStatus ond_blocks_plan(const OndPoints *points, double cell, double beside, double memory,
                          OndError *err)
{
    if (!(memory > 0.0)) return OND_OK;
    const double blocks = count_near_surface(points, cell);
    if (blocks < 0.0)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory to count the blocks of a surface");
    const double bytes = blocks * (sizeof(OndBlock) + beside);
    if (bytes <= memory) return OND_OK;
    return too_much(bytes, memory, cell, points->spacing, err);
}

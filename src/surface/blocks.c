// SPDX-License-Identifier: MIT
#include "surface/blocks.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "surface/blocks_plan.h"

#include <string.h>

#define CHUNK 64
#define BIAS  4 // states are from -3

// ---- the hash

static uint64_t pack(const int at[3], uint64_t *low)
{
    *low = (uint64_t)(uint32_t)at[0] << 32 | (uint32_t)at[1];
    return (uint64_t)(uint32_t)at[2] << 32;
}

// Slot of a place, or the free one where it would go.
static uint32_t slot_of(const OndBlocks *b, const int at[3])
{
    uint64_t low;
    const uint64_t high = pack(at, &low);
    uint32_t slot = (uint32_t)ond_scramble(low ^ ond_scramble(high)) & b->slot_mask;
    for (;; slot = (slot + 1) & b->slot_mask) {
        const uint64_t *key = b->key[slot];
        if (key[1] == 0) return slot;
        if (key[0] == low && (key[1] & ~(uint64_t)UINT32_MAX) == high) return slot;
    }
}

static bool grow_hash(OndBlocks *b)
{
    OndBlocks larger = *b;
    const uint32_t slots = b->key ? 2 * (b->slot_mask + 1) : 1024;
    larger.key = ond_alloc((size_t)slots * sizeof *larger.key);
    if (!larger.key) return false;
    larger.slot_mask = slots - 1;
    for (uint32_t s = 0; b->key && s <= b->slot_mask; ++s) {
        const uint64_t *old = b->key[s];
        if (old[1] == 0) continue;
        const int at[3] = {(int)(uint32_t)(old[0] >> 32), (int)(uint32_t)old[0],
                           (int)(uint32_t)(old[1] >> 32)};
        memcpy(larger.key[slot_of(&larger, at)], old, sizeof *larger.key);
    }
    ond_free(b->key);
    *b = larger;
    return true;
}

int ond_blocks_find(const OndBlocks *blocks, const int at[3])
{
    if (!blocks->key) return OND_BLOCK_NONE;
    const uint64_t state = blocks->key[slot_of(blocks, at)][1] & UINT32_MAX;
    return state ? (int)state - BIAS : OND_BLOCK_NONE;
}

static bool set_state(OndBlocks *b, const int at[3], int state)
{
    if ((!b->key || b->slots_used * 2 > b->slot_mask) && !grow_hash(b)) return false;
    const uint32_t slot = slot_of(b, at);
    b->slots_used += b->key[slot][1] == 0;
    uint64_t low;
    const uint64_t high = pack(at, &low);
    b->key[slot][0] = low;
    b->key[slot][1] = high | (uint32_t)(state + BIAS);
    return true;
}

// ---- adding blocks

static OndStatus no_memory(const OndBlocks *b, OndError *err)
{
    return ond_fail(err, OND_NO_MEMORY,
                    "not enough memory for a surface in cells of %g m (%d blocks so far); take "
                    "larger cells",
                    b->lattice.cell, b->count);
}

static bool add_chunk(OndBlocks *b)
{
    if (b->chunk_count == b->chunk_room) {
        const int room = b->chunk_room ? 2 * b->chunk_room : 64;
        OndBlock **larger = OND_NEW_ARRAY(OndBlock *, room);
        if (!larger) return false;
        if (b->chunk) memcpy(larger, b->chunk, (size_t)b->chunk_count * sizeof *larger);
        ond_free(b->chunk);
        b->chunk = larger, b->chunk_room = room;
    }
    b->chunk[b->chunk_count] = OND_NEW_ARRAY(OndBlock, CHUNK);
    return b->chunk[b->chunk_count] && ++b->chunk_count;
}

static OndStatus add_block(OndBlocks *b, const int at[3], OndError *err)
{
    if (b->memory > 0.0 && (double)ond_blocks_bytes(b) > b->memory) return no_memory(b, err);
    if (b->count == b->chunk_count * CHUNK && !add_chunk(b)) return no_memory(b, err);
    memcpy(ond_blocks_get(b, b->count)->at, at, 3 * sizeof *at);
    if (!set_state(b, at, b->count)) return no_memory(b, err);
    ++b->count;
    return OND_OK;
}

static OndStatus add_near_surface(OndBlocks *b, OndError *err)
{
    const OndPoints *p = b->field->points;
    OndStatus status = OND_OK;
    for (int i = 0; i < p->count && status == OND_OK; ++i) {
        if (!ond_blocks_begin_at(p, i)) continue;
        const OndBlockRange r = ond_blocks_round(&b->lattice, p, i, b->flat);
        for (int z = r.low[2]; z <= r.high[2]; ++z)
            for (int y = r.low[1]; y <= r.high[1]; ++y)
                for (int x = r.low[0]; x <= r.high[0] && status == OND_OK; ++x) {
                    const int at[3] = {x, y, z};
                    if (ond_blocks_find(b, at) < 0) status = add_block(b, at, err);
                }
    }
    return status;
}

// ---- sampling

double ond_blocks_at(const OndBlocks *blocks, const OndBlock *block, int axis, int i)
{
    if (blocks->flat && axis == 2) return blocks->layer[i < 3 ? i : 3];
    const OndLattice *l = &blocks->lattice;
    return l->origin[axis] + (double)((long long)block->at[axis] * OND_BLOCK + i) * l->cell;
}

static void bounds_of(const OndBlocks *b, const int at[3], double grow, double min[3],
                      double max[3])
{
    const OndBlock place = {.at = {at[0], at[1], at[2]}};
    for (int a = 0; a < 3; ++a) {
        const bool layers = b->flat && a == 2; // points are in the plane z = 0
        min[a] = (layers ? 0.0 : ond_blocks_at(b, &place, a, 0)) - grow;
        max[a] = (layers ? 0.0 : ond_blocks_at(b, &place, a, OND_BLOCK - 1)) + grow;
    }
}

// How many of a block's nodes along an axis are beyond a wall.
static int nodes_beyond(const OndBlocks *b, const int at[3], int axis)
{
    const OndBlock place = {.at = {at[0], at[1], at[2]}};
    int count = 0;
    for (int i = 0; i < OND_BLOCK; ++i)
        count +=
            ond_walls_beyond(&b->field->points->walls, axis, ond_blocks_at(b, &place, axis, i));
    return count;
}

// Most of that over the axes: 0 is within the domain, OND_BLOCK outside.
static int most_beyond(const OndBlocks *b, const int at[3])
{
    int most = 0;
    for (int a = 0; a < 3 && b->field->points->walls.sides; ++a) {
        const int count = nodes_beyond(b, at, a);
        most = count > most ? count : most;
    }
    return most;
}

// Whether a particle is within so many of its sizes of the block.
static bool near_particle(const OndBlocks *b, const int at[3], double sizes)
{
    const OndPoints *p = b->field->points;
    double min[3], max[3];
    bounds_of(b, at, 0.0, min, max);
    OndBinWalk near = ond_near_sizes(&p->bins, min, max, sizes);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            if (ond_points_is_image(p, i)) continue;
            const double reach = sizes * p->size[i];
            if (p->x[i] >= min[0] - reach && p->x[i] <= max[0] + reach &&
                p->y[i] >= min[1] - reach && p->y[i] <= max[1] + reach &&
                p->z[i] >= min[2] - reach && p->z[i] <= max[2] + reach)
                return true;
        }
    return false;
}

// The two inner layers hold the field, the outer ones the negative of it.
static void stand_up(float *value)
{
    enum { LAYER = OND_BLOCK * OND_BLOCK };
    memcpy(value + LAYER, value, LAYER * sizeof *value);
    memcpy(value + 2 * LAYER, value, LAYER * sizeof *value);
    for (int n = 0; n < LAYER; ++n)
        value[n] = -fabsf(value[n]);
    for (int k = 3; k < OND_BLOCK; ++k)
        memcpy(value + k * LAYER, value, LAYER * sizeof *value);
}

// What is beyond a wall is outside.
static void cut_off(const OndBlocks *b, OndBlock *block)
{
    const OndWalls *walls = &b->field->points->walls;
    bool beyond[3][OND_BLOCK];
    for (int a = 0; a < 3; ++a)
        for (int i = 0; i < OND_BLOCK; ++i)
            beyond[a][i] = ond_walls_beyond(walls, a, ond_blocks_at(b, block, a, i));
    float *value = block->value;
    for (int k = 0; k < OND_BLOCK; ++k)
        for (int j = 0; j < OND_BLOCK; ++j)
            for (int i = 0; i < OND_BLOCK; ++i, ++value)
                if (beyond[0][i] || beyond[1][j] || beyond[2][k]) *value = -fabsf(*value);
}

static void sample_block(const OndBlocks *b, OndBlock *block)
{
    OndLattice lattice = b->lattice;
    const int nodes = b->flat ? OND_BLOCK * OND_BLOCK : OND_BLOCK_NODES;
    for (int a = 0; a < 3; ++a)
        lattice.first[a] = (long long)block->at[a] * OND_BLOCK, lattice.n[a] = OND_BLOCK;
    if (b->flat) lattice.first[2] = 0, lattice.n[2] = 1;
    const int beyond = most_beyond(b, block->at);
    const bool reached = beyond < OND_BLOCK && near_particle(b, block->at, b->field->reach);
    if (reached) b->field->kind->sample(b->field, &lattice, block->value);
    for (int n = 0; n < nodes; ++n)
        if (!reached || !isfinite(block->value[n])) block->value[n] = -1.0f;
    if (b->flat) stand_up(block->value);
    if (beyond > 0) cut_off(b, block);
}

// Which of the directions -1, 0, 1 a node touches along an axis, as bits.
static unsigned touched(int i)
{
    return i == 0 ? 3u : i == OND_BLOCK - 1 ? 6u : 2u;
}

// The same of all nodes of a row that are set in `bits`.
static unsigned touched_by(unsigned bits)
{
    return (bits & 1) | (bits ? 2u : 0u) | (bits >> (OND_BLOCK - 1) & 1) << 2;
}

static uint32_t spread(unsigned x, unsigned y, unsigned z)
{
    const unsigned rows = (y & 1 ? x : 0) | (y & 2 ? x << 3 : 0) | (y & 4 ? x << 6 : 0);
    return (z & 1 ? rows : 0) | (z & 2 ? (uint32_t)rows << 9 : 0) |
           (z & 4 ? (uint32_t)rows << 18 : 0);
}

static void look_at_border(OndBlock *block)
{
    const float *value = block->value;
    block->outside = block->inside = 0;
    for (int k = 0; k < OND_BLOCK; ++k)
        for (int j = 0; j < OND_BLOCK; ++j, value += OND_BLOCK) {
            unsigned inside = 0;
            for (int i = 0; i < OND_BLOCK; ++i)
                inside |= (unsigned)(value[i] > 0.0f) << i;
            const unsigned outside = ~inside & ((1u << OND_BLOCK) - 1);
            block->inside |= spread(touched_by(inside), touched(j), touched(k));
            block->outside |= spread(touched_by(outside), touched(j), touched(k));
        }
}

typedef struct SampleRound {
    const OndBlocks *blocks;
    int first;
} SampleRound;

static void sample_range(int first, int last, int worker, void *context)
{
    const SampleRound *round = context;
    for (int k = first; k < last; ++k) {
        OndBlock *block = ond_blocks_get(round->blocks, round->first + k);
        sample_block(round->blocks, block);
        look_at_border(block);
    }
}

// ---- contradictions

static int state_of(OndBlocks *b, const int at[3])
{
    int state = ond_blocks_find(b, at);
    if (state != OND_BLOCK_NONE) return state;
    const bool none = (b->flat && at[2] != 0) || most_beyond(b, at) == OND_BLOCK;
    state = !none && near_particle(b, at, OND_BLOCKS_MARGIN) ? OND_BLOCK_FULL : OND_BLOCK_EMPTY;
    return set_state(b, at, state) ? state : OND_BLOCK_NONE;
}

static OndStatus question_neighbours(OndBlocks *b, int index, OndError *err)
{
    for (int d = 0; d < 27; ++d) {
        if (d == 13) continue; // itself
        const OndBlock *block = ond_blocks_get(b, index);
        const int at[3] = {block->at[0] + d % 3 - 1, block->at[1] + d / 3 % 3 - 1,
                           block->at[2] + d / 9 - 1};
        const int state = state_of(b, at);
        if (state == OND_BLOCK_NONE) return no_memory(b, err);
        const bool wrong =
            (state == OND_BLOCK_FULL && (block->outside >> d & 1 || most_beyond(b, at) > 0)) ||
            (state == OND_BLOCK_EMPTY && block->inside >> d & 1);
        const OndStatus status = wrong ? add_block(b, at, err) : OND_OK;
        if (status != OND_OK) return status;
    }
    return OND_OK;
}

static OndStatus sample_all(OndBlocks *b, OndError *err)
{
    OndStatus status = add_near_surface(b, err);
    int done = 0;
    while (done < b->count && status == OND_OK) {
        const int fresh = b->count;
        SampleRound round = {b, done};
        ond_parallel_for(fresh - done, 4, sample_range, &round);
        for (; done < fresh && status == OND_OK; ++done)
            status = question_neighbours(b, done, err);
    }
    return status;
}

static void lay(OndBlocks *b, const OndField3 *field, double cell)
{
    const double spacing = field->points->spacing;
    b->field = field;
    b->flat = field->points->dimension == 2;
    b->lattice.cell = cell;
    for (int a = 0; a < 3; ++a)
        b->lattice.origin[a] =
            a == 2 && b->flat ? 0.0 : ond_walls_anchor(&field->points->walls, a, cell);
    const double face = 0.5 * spacing, step = 0.5 * fmin(cell, 0.5 * spacing);
    b->layer[0] = -face - step, b->layer[1] = -face + step;
    b->layer[2] = face - step, b->layer[3] = face + step;
}

OndStatus ond_blocks_sample(OndBlocks *blocks, const OndField3 *field, double cell, double memory,
                            OndError *err)
{
    ond_blocks_free(blocks);
    lay(blocks, field, cell);
    blocks->memory = memory;
    const OndStatus status = sample_all(blocks, err);
    if (status != OND_OK) ond_blocks_free(blocks);
    return status;
}

void ond_blocks_free(OndBlocks *blocks)
{
    for (int c = 0; c < blocks->chunk_count; ++c)
        ond_free(blocks->chunk[c]);
    ond_free(blocks->chunk);
    ond_free(blocks->key);
    memset(blocks, 0, sizeof *blocks);
}

size_t ond_blocks_bytes(const OndBlocks *blocks)
{
    return (size_t)blocks->chunk_count * CHUNK * sizeof(OndBlock) +
           (blocks->key ? ((size_t)blocks->slot_mask + 1) * sizeof *blocks->key : 0);
}

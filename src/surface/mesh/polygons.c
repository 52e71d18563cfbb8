// SPDX-License-Identifier: MIT
#include "surface/mesh/polygons.h"
#include "surface/mesh/wall_edges.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define WIDE   (OND_BLOCK + 1) // nodes along a block with the first ones of the next
#define GRAIN  8
#define CLOSER 0.005 // of an edge: no corner is closer to a node, so that triangles have an area

const unsigned char ond_direction[OND_DIRECTIONS] = {1, 2, 4, 3, 5, 6, 7};

// The corners that a block's nodes own.
typedef struct Owned {
    unsigned char mask[OND_BLOCK_NODES]; // directions in which a node's edge is cut
    uint16_t rank[OND_BLOCK_NODES];      // corners of the nodes before it
    int corners, triangles;
    uint32_t first_corner, first_triangle;
} Owned;

typedef struct PolygonWork {
    const OndBlocks *blocks;
    const OndCellTable *table;
    Owned **owned; // NULL where the surface does not pass
    OndMesh *mesh;
    float *normal;
    bool *failed; // of each block
    const OndWalls *walls;
} PolygonWork;

// A block's nodes and the first ones of its neighbours towards +x, +y, +z.
typedef struct Window {
    float value[WIDE * WIDE * WIDE];
    unsigned inside[WIDE * WIDE]; // of each row: its nodes that are inside, as bits
    int neighbour[8]; // index or state of the block in each of those directions; 0 is itself
    bool mixed;
} Window;

#define ALL_INSIDE ((1u << WIDE) - 1)

static inline int wide_node(int i, int j, int k)
{
    return (k * WIDE + j) * WIDE + i;
}

// ---- looking

static void find_neighbours(const OndBlocks *blocks, int index, int neighbour[8])
{
    const int *at = ond_blocks_get(blocks, index)->at;
    neighbour[0] = index;
    for (int d = 1; d < 8; ++d) {
        const int there[3] = {at[0] + (d & 1), at[1] + (d >> 1 & 1), at[2] + (d >> 2 & 1)};
        neighbour[d] = ond_blocks_find(blocks, there);
    }
}

static void copy_part(const OndBlocks *blocks, Window *window, int d)
{
    const int from[3] = {d & 1 ? OND_BLOCK : 0, d & 2 ? OND_BLOCK : 0, d & 4 ? OND_BLOCK : 0};
    const int n[3] = {d & 1 ? 1 : OND_BLOCK, d & 2 ? 1 : OND_BLOCK, d & 4 ? 1 : OND_BLOCK};
    const int index = window->neighbour[d];
    const float *value = index >= 0 ? ond_blocks_get(blocks, index)->value : NULL;
    const float rest = index == OND_BLOCK_FULL ? 1.0f : -1.0f;
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j) {
            float *to = window->value + wide_node(from[0], from[1] + j, from[2] + k);
            for (int i = 0; i < n[0]; ++i)
                to[i] = value ? value[(k * OND_BLOCK + j) * OND_BLOCK + i] : rest;
        }
}

static unsigned row_bits(const float *value)
{
    unsigned bits = 0;
    for (int i = 0; i < WIDE; ++i)
        bits |= (unsigned)(value[i] > 0.0f) << i;
    return bits;
}

static void open_window(const OndBlocks *blocks, int index, Window *window)
{
    find_neighbours(blocks, index, window->neighbour);
    for (int d = 0; d < 8; ++d)
        copy_part(blocks, window, d);
    unsigned any = 0, all = ALL_INSIDE;
    for (int row = 0; row < WIDE * WIDE; ++row) {
        const unsigned bits = row_bits(window->value + row * WIDE);
        window->inside[row] = bits;
        any |= bits, all &= bits;
    }
    window->mixed = any != 0 && all != ALL_INSIDE;
}

// The four rows of nodes round a row of cells; false where the surface does not pass.
static bool rows_round(const Window *window, int j, int k, unsigned row[4])
{
    const unsigned *inside = window->inside + k * WIDE + j;
    row[0] = inside[0], row[1] = inside[1], row[2] = inside[WIDE], row[3] = inside[WIDE + 1];
    const unsigned any = row[0] | row[1] | row[2] | row[3];
    return any != 0 && (row[0] & row[1] & row[2] & row[3]) != ALL_INSIDE;
}

// Which nodes of the i-th cell between these rows are inside.
static inline int cell_bits(const unsigned row[4], int i)
{
    return (int)((row[0] >> i & 3) | (row[1] >> i & 3) << 2 | (row[2] >> i & 3) << 4 |
                 (row[3] >> i & 3) << 6);
}

// ---- counting

static void count_row(const OndCellTable *table, const unsigned row[4], int n, Owned *owned)
{
    for (int i = 0; i < OND_BLOCK; ++i, ++n) {
        const int bits = cell_bits(row, i), here = bits & 1;
        owned->rank[n] = (uint16_t)owned->corners;
        owned->triangles += table->of[bits].triangle_count;
        if (bits == 0 || bits == 255) continue;
        for (int d = 0; d < table->directions; ++d)
            if ((bits >> ond_direction[d] & 1) != here) {
                owned->mask[n] |= (unsigned char)(1 << d);
                ++owned->corners;
            }
    }
}

// Nodes of rows that the surface does not pass own nothing: their ranks are never asked for.
static void count_block(const OndCellTable *table, const Window *window, Owned *owned)
{
    unsigned row[4];
    for (int k = 0; k < OND_BLOCK; ++k)
        for (int j = 0; j < OND_BLOCK; ++j)
            if (rows_round(window, j, k, row))
                count_row(table, row, (k * OND_BLOCK + j) * OND_BLOCK, owned);
}

static void count_range(int first, int last, int worker, void *context)
{
    const PolygonWork *w = context;
    Window window;
    for (int b = first; b < last; ++b) {
        open_window(w->blocks, b, &window);
        if (!window.mixed) continue;
        w->owned[b] = OND_NEW(Owned);
        w->failed[b] = !w->owned[b];
        if (w->owned[b]) count_block(w->table, &window, w->owned[b]);
    }
}

static OndStatus number_all(PolygonWork *w, OndError *err)
{
    long long corners = 0, triangles = 0;
    for (int b = 0; b < w->blocks->count; ++b) {
        if (w->failed[b])
            return ond_fail(err, OND_NO_MEMORY, "not enough memory to count the triangles");
        Owned *owned = w->owned[b];
        if (!owned) continue;
        owned->first_corner = (uint32_t)corners, owned->first_triangle = (uint32_t)triangles;
        corners += owned->corners, triangles += owned->triangles;
    }
    const OndStatus status = ond_mesh_make(w->mesh, corners, triangles, err);
    if (status != OND_OK) return status;
    w->normal = OND_NEW_ARRAY(float, 3 * (size_t)corners);
    if (w->normal || corners == 0) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %lld normals", corners);
}

// ---- corners

typedef struct EdgeCut {
    OndVec from, to; // ends of the edge
    double share;    // of the way
    int direction;   // bits
    bool up;         // the end is outside
} EdgeCut;

static OndVec node_place(const OndBlocks *blocks, const OndBlock *block, int i, int j, int k)
{
    return ond_vec(ond_blocks_at(blocks, block, 0, i), ond_blocks_at(blocks, block, 1, j),
                   ond_blocks_at(blocks, block, 2, k));
}

static OndVec gradient_at(const OndField3 *field, OndVec place, bool flat)
{
    const double at[3] = {place.x, place.y, flat ? 0.0 : place.z};
    double out[3] = {0, 0, 0};
    field->kind->gradient(field, at, out);
    return ond_vec(out[0], out[1], flat ? 0.0 : out[2]);
}

static void put(float *out, OndVec v)
{
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

static void put_normal(float *out, OndVec v)
{
    const double length = ond_length(v);
    if (length > 0.0 && isfinite(length)) put(out, ond_scale(v, 1.0 / length));
}

#define TOGETHER 256 // places whose gradients are asked for at once

// Corners that wait for their normals.
typedef struct WaitingNormals {
    int count;
    uint32_t corner[TOGETHER];
    double at[TOGETHER][3];
} WaitingNormals;

static void give_normals(const PolygonWork *w, WaitingNormals *waiting)
{
    const OndField3 *field = w->blocks->field;
    double out[TOGETHER][3];
    memset(out, 0, sizeof out);
    if (field->kind->gradients && waiting->count > 0)
        field->kind->gradients(field, waiting->count, (const double(*)[3])waiting->at, out);
    for (int k = 0; k < waiting->count; ++k) {
        if (!field->kind->gradients) field->kind->gradient(field, waiting->at[k], out[k]);
        put_normal(w->normal + 3 * (size_t)waiting->corner[k],
                   ond_vec(-out[k][0], -out[k][1], w->blocks->flat ? 0.0 : -out[k][2]));
    }
    waiting->count = 0;
}

static void await_normal(const PolygonWork *w, WaitingNormals *waiting, uint32_t corner,
                         OndVec place)
{
    const int k = waiting->count++;
    waiting->corner[k] = corner;
    waiting->at[k][0] = place.x, waiting->at[k][1] = place.y;
    waiting->at[k][2] = w->blocks->flat ? 0.0 : place.z;
    if (waiting->count == TOGETHER) give_normals(w, waiting);
}

static OndVec normal_by_nodes(const PolygonWork *w, const EdgeCut *cut)
{
    const OndField3 *field = w->blocks->field;
    const bool flat = w->blocks->flat;
    const OndVec a = gradient_at(field, cut->from, flat), b = gradient_at(field, cut->to, flat);
    return ond_add(ond_scale(a, cut->share - 1.0), ond_scale(b, -cut->share));
}

static double share_of(double from, double to)
{
    return fmin(fmax(from / (from - to), CLOSER), 1.0 - CLOSER);
}

// The corner divides its edge as the values say: p = (v_i p_j - v_j p_i) / (v_i - v_j).
static void make_corner(const PolygonWork *w, const EdgeCut *cut, uint32_t corner,
                        WaitingNormals *waiting)
{
    const OndVec place =
        ond_add(ond_scale(cut->from, 1.0 - cut->share), ond_scale(cut->to, cut->share));
    float *normal = w->normal + 3 * (size_t)corner;
    put(w->mesh->corner + 3 * (size_t)corner, place);
    if (w->blocks->flat && cut->direction & 4)
        put(normal, ond_vec(0, 0, cut->up ? 1 : -1));
    else if (w->table->normals_at_nodes)
        put_normal(normal, normal_by_nodes(w, cut));
    else
        await_normal(w, waiting, corner, place);
}

// ---- corners at walls

// Share of the way along an edge that goes through walls, given the axes of those. Where it also
// runs beside a wall, out of the liquid, it keeps to the near side of the corner that the edge in
// the wall's own plane has (tetrahedra).
static double share_at_walls(const Window *window, const int in[3], const int out[3], unsigned axes,
                             double share)
{
    int aside[3];
    for (int a = 0; a < 3; ++a)
        aside[a] = axes >> a & 1 ? in[a] : out[a];
    const float here = window->value[wide_node(in[0], in[1], in[2])],
                there = window->value[wide_node(aside[0], aside[1], aside[2])];
    return there > 0.0f ? share : fmin(share, 0.5 * share_of((double)here, (double)there));
}

// The corner of an edge from a node inside to one outside, if it lies on a wall.
static bool make_wall_corner(const PolygonWork *w, const OndBlock *block, const Window *window,
                             const int in[3], const int out[3], uint32_t corner)
{
    OndWallEdge edge = {.in = node_place(w->blocks, block, in[0], in[1], in[2]),
                        .out = node_place(w->blocks, block, out[0], out[1], out[2])};
    const unsigned axes = ond_wall_edge_through(w->walls, &edge);
    if (axes)
        edge.share = share_at_walls(window, in, out, axes, edge.share);
    else if (w->blocks->flat && in[2] != out[2])
        return false;
    else
        edge.share = share_of((double)window->value[wide_node(in[0], in[1], in[2])],
                              (double)window->value[wide_node(out[0], out[1], out[2])]);
    const double cell = w->blocks->lattice.cell;
    if (!ond_wall_edge_beside(w->walls, &edge, cell) && !axes) return false;
    put(w->mesh->corner + 3 * (size_t)corner, ond_wall_edge_place(w->walls, &edge));
    put(w->normal + 3 * (size_t)corner, ond_wall_edge_normal(&edge));
    return true;
}

static void make_corners(const PolygonWork *w, int index, const Window *window, const Owned *owned)
{
    const OndBlock *block = ond_blocks_get(w->blocks, index);
    uint32_t corner = owned->first_corner;
    WaitingNormals waiting;
    waiting.count = 0;
    for (int n = 0; n < OND_BLOCK_NODES; ++n) {
        if (!owned->mask[n]) continue;
        const int i = n % OND_BLOCK, j = n / OND_BLOCK % OND_BLOCK, k = n / OND_BLOCK / OND_BLOCK;
        const int at[3] = {i, j, k};
        const float here = window->value[wide_node(i, j, k)];
        for (int d = 0; d < w->table->directions; ++d) {
            if (!(owned->mask[n] >> d & 1)) continue;
            const int bits = ond_direction[d];
            const int to[3] = {i + (bits & 1), j + (bits >> 1 & 1), k + (bits >> 2 & 1)};
            const float there = window->value[wide_node(to[0], to[1], to[2])];
            const bool up = here > 0.0f;
            if (!w->walls->sides ||
                !make_wall_corner(w, block, window, up ? at : to, up ? to : at, corner)) {
                const EdgeCut cut = {node_place(w->blocks, block, i, j, k),
                                     node_place(w->blocks, block, to[0], to[1], to[2]),
                                     share_of((double)here, (double)there), bits, up};
                make_corner(w, &cut, corner, &waiting);
            }
            ++corner;
        }
    }
    give_normals(w, &waiting);
}

// ---- triangles

static inline int bits_set(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        ++count;
    return count;
}

static uint32_t corner_number(const PolygonWork *w, const Window *window, const int at[3],
                              OndCellCorner corner)
{
    const int i = at[0] + (corner.node & 1), j = at[1] + (corner.node >> 1 & 1),
              k = at[2] + (corner.node >> 2 & 1);
    const int beyond = (i == OND_BLOCK) | (j == OND_BLOCK) << 1 | (k == OND_BLOCK) << 2;
    const Owned *owned = w->owned[window->neighbour[beyond]];
    const int n = ((k % OND_BLOCK) * OND_BLOCK + j % OND_BLOCK) * OND_BLOCK + i % OND_BLOCK;
    const unsigned before = owned->mask[n] & ((1u << corner.direction) - 1);
    return owned->first_corner + owned->rank[n] + (uint32_t)bits_set(before);
}

static void make_triangles(const PolygonWork *w, const Window *window, const Owned *owned)
{
    uint32_t *out = w->mesh->triangle + 3 * (size_t)owned->first_triangle;
    unsigned row[4];
    for (int k = 0; k < OND_BLOCK; ++k)
        for (int j = 0; j < OND_BLOCK; ++j)
            for (int i = 0; i < OND_BLOCK && rows_round(window, j, k, row); ++i) {
                const int at[3] = {i, j, k};
                const OndCellCase *cell = &w->table->of[cell_bits(row, i)];
                for (int c = 0; c < 3 * cell->triangle_count; ++c)
                    *out++ = corner_number(w, window, at, cell->corner[c]);
            }
}

static void make_range(int first, int last, int worker, void *context)
{
    const PolygonWork *w = context;
    Window window;
    for (int b = first; b < last; ++b) {
        if (!w->owned[b]) continue;
        open_window(w->blocks, b, &window);
        make_corners(w, b, &window, w->owned[b]);
        make_triangles(w, &window, w->owned[b]);
    }
}

OndStatus ond_polygons_make(const OndBlocks *blocks, const OndCellTable *table, OndMesh *mesh,
                            float **normal, OndError *err)
{
    PolygonWork w = {.blocks = blocks, .table = table, .mesh = mesh};
    w.walls = &blocks->field->points->walls;
    w.owned = OND_NEW_ARRAY(Owned *, blocks->count + 1);
    w.failed = OND_NEW_ARRAY(bool, blocks->count + 1);
    OndStatus status = OND_OK;
    if (w.owned && w.failed) {
        ond_parallel_for(blocks->count, GRAIN, count_range, &w);
        status = number_all(&w, err);
        if (status == OND_OK) ond_parallel_for(blocks->count, GRAIN, make_range, &w);
    } else {
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for %d blocks", blocks->count);
    }
    for (int b = 0; w.owned && b < blocks->count; ++b)
        ond_free(w.owned[b]);
    ond_free(w.owned);
    ond_free(w.failed);
    if (status != OND_OK) {
        ond_free(w.normal);
        w.normal = NULL;
        ond_mesh_free(mesh);
    }
    *normal = w.normal;
    return status;
}

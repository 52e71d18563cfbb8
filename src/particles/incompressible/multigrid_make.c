// SPDX-License-Identifier: MIT
// The grids' matrices: particles' to the finest cells, those to coarser ones, and from cells the
// stencils of nodes.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/incompressible/multigrid_state.h"

#include <string.h>

#define WIDE  2  // cells of the sorting along a finest cell's side
#define SMALL 2  // cells along the longest side of the coarsest grid
#define GRAIN 64 // cells or nodes a worker claims

// ---- memory

static OndStatus make_room(OndPressureGrid *g, OndError *err)
{
    if (g->cell_count > g->cell_room) {
        ond_free(g->element);
        g->cell_room = g->cell_count + g->cell_count / 8;
        g->element = OND_NEW_ARRAY(OndElement, g->cell_room);
        if (!g->element) g->cell_room = 0;
    }
    const int each = g->count + 2 * g->pad;
    if (each > g->room) {
        ond_free(g->block);
        g->room = each + each / 8;
        g->block = OND_NEW_ARRAY(float, (size_t)g->room *(OND_STENCIL + 4));
        if (!g->block) g->room = 0;
    }
    if (!g->cell_room || !g->room)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a grid of %d cells",
                        g->cell_count);
    g->stencil = g->block;
    g->ease = g->block + (size_t)g->room * OND_STENCIL;
    float *const values = g->ease + g->room;
    memset(values, 0, (size_t)g->room * 3 * sizeof *values); // the pads
    g->x = values + g->pad, g->r = values + g->room + g->pad, g->t = values + 2 * g->room + g->pad;
    return OND_OK;
}

static OndStatus lay(OndPressureGrid *g, const int cells[3], OndError *err)
{
    g->count = g->cell_count = 1;
    for (int a = 0; a < 3; ++a) {
        g->cells[a] = cells[a], g->nodes[a] = cells[a] + 1;
        g->count *= g->nodes[a], g->cell_count *= cells[a];
    }
    g->pad = ond_grid_node(g, 1, 1, 1);
    return make_room(g, err);
}

static OndStatus lay_levels(OndPressureGrids *g, const OndSph *s, OndError *err)
{
    const OndCells *const c = &s->cells;
    int n[3] = {(c->nx + WIDE - 1) / WIDE, (c->ny + WIDE - 1) / WIDE, (c->nz + WIDE - 1) / WIDE};
    for (int a = 0; a < 3; ++a) {
        g->origin[a] = c->origin[a];
        g->inv_size[a] = a < s->world.dimension ? c->inv_size / WIDE : 0.0f;
    }
    OndStatus status = lay(&g->level[0], n, err);
    for (g->levels = 1; status == OND_OK && g->levels < OND_GRIDS_MAX; ++g->levels) {
        if (n[0] <= SMALL && n[1] <= SMALL && n[2] <= SMALL) break;
        for (int a = 0; a < 3; ++a)
            n[a] = (n[a] + 1) / 2;
        status = lay(&g->level[g->levels], n, err);
    }
    if (status != OND_OK || g->level[0].cell_count <= g->part_room) return status;
    ond_free(g->part);
    g->part_room = g->level[0].cell_room;
    g->part = OND_NEW_ARRAY(float, (size_t)g->part_room *OND_CORNERS);
    if (g->part) return OND_OK;
    g->part_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for a grid of %d cells",
                    g->level[0].cell_count);
}

// ---- the finest, from particles

typedef struct Make {
    OndPressureGrids *g;
    const OndSph *s;
    OndQuad *slope;
} Make;

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

void ond_multigrid_particles(const OndPressureGrids *m, const OndSph *s, int cell,
                             OndPressureGridLoop *loop,
                             void (*body)(const OndPressureGridLoop *, int first, int last))
{
    const OndCells *const c = &s->cells;
    const OndPressureGrid *const g = &m->level[0];
    const int at[3] = {cell % g->cells[0], cell / g->cells[0] % g->cells[1],
                       cell / g->cells[0] / g->cells[1]};
    for (int a = 0; a < 3; ++a) {
        loop->x[a] = s->x[a];
        loop->inv_size[a] = m->inv_size[a];
        loop->low[a] = m->origin[a] + (float)(at[a] * WIDE) / c->inv_size;
    }
    const int x0 = at[0] * WIDE, x1 = least(x0 + WIDE, c->nx);
    for (int z = at[2] * WIDE; z < least((at[2] + 1) * WIDE, c->nz); ++z)
        for (int y = at[1] * WIDE; y < least((at[1] + 1) * WIDE, c->ny); ++y) {
            const OndRun run = ond_cells_run(c, x0, x1, y, z);
            if (run.first < run.last) body(loop, (int)run.first, (int)run.last);
        }
}

static void element_range(int first, int last, int worker, void *context)
{
    const Make *m = context;
    const OndSph *s = m->s;
    for (int cell = first; cell < last; ++cell) {
        OndElement *const element = &m->g->level[0].element[cell];
        OndPressureGridLoop loop = {.inverse_mass = s->inverse_mass,
                                    .room = s->rest_room,
                                    .slope_ratio = s->slope_ratio,
                                    .place = m->slope,
                                    .element = *element};
        memset(element, 0, sizeof *element);
        ond_multigrid_particles(m->g, s, cell, &loop, s->loops->element);
    }
}

// ---- coarser ones

// How much the corner `of` of a cell counts at the corner `at` of its child.
static float child_weight(int child, int at, int of)
{
    float weight = 1.0f;
    for (int a = 0; a < 3; ++a) {
        const float share = 0.5f * (float)((child >> a & 1) + (at >> a & 1));
        weight *= of >> a & 1 ? share : 1.0f - share;
    }
    return weight;
}

static void add_child(OndElement parent, const OndElement of, int child)
{
    float weight[OND_CORNERS][OND_CORNERS], half[OND_CORNERS][OND_CORNERS] = {{0}};
    for (int at = 0; at < OND_CORNERS; ++at)
        for (int k = 0; k < OND_CORNERS; ++k)
            weight[at][k] = child_weight(child, at, k);
    for (int at = 0; at < OND_CORNERS; ++at)
        for (int to = 0; to < OND_CORNERS; ++to)
            for (int k = 0; k < OND_CORNERS; ++k)
                half[at][k] += of[at][to] * weight[to][k];
    for (int at = 0; at < OND_CORNERS; ++at)
        for (int k = 0; k < OND_CORNERS; ++k)
            for (int l = 0; l < OND_CORNERS; ++l)
                parent[k][l] += weight[at][k] * half[at][l];
}

typedef struct Coarsen {
    OndPressureGrid *coarse;
    const OndPressureGrid *fine;
} Coarsen;

static void coarsen_range(int first, int last, int worker, void *context)
{
    const Coarsen *p = context;
    const OndPressureGrid *const g = p->coarse, *const f = p->fine;
    for (int cell = first; cell < last; ++cell) {
        const int x = cell % g->cells[0], y = cell / g->cells[0] % g->cells[1];
        const int z = cell / g->cells[0] / g->cells[1];
        memset(g->element[cell], 0, sizeof g->element[cell]);
        for (int child = 0; child < OND_CORNERS; ++child) {
            const int cx = 2 * x + (child & 1), cy = 2 * y + (child >> 1 & 1),
                      cz = 2 * z + (child >> 2);
            if (cx < f->cells[0] && cy < f->cells[1] && cz < f->cells[2])
                add_child(g->element[cell], f->element[ond_grid_cell(f, cx, cy, cz)], child);
        }
    }
}

void ond_grid_coarsen(OndPressureGrid *coarse, const OndPressureGrid *fine)
{
    ond_parallel_for(coarse->cell_count, GRAIN, coarsen_range, &(Coarsen){coarse, fine});
}

// ---- stencils

// What the cell in which the node is corner k adds to its row.
static void add_cell(const OndPressureGrid *g, int node, int cell, int k)
{
    for (int l = 0; l < OND_CORNERS; ++l) {
        const int x = (l & 1) - (k & 1), y = (l >> 1 & 1) - (k >> 1 & 1), z = (l >> 2) - (k >> 2);
        const int at = (z + 1) * 9 + (y + 1) * 3 + x + 1;
        g->stencil[(size_t)at * (size_t)g->count + (size_t)node] += g->element[cell][k][l];
    }
}

static void stencil_range(int first, int last, int worker, void *context)
{
    const OndPressureGrid *const g = context;
    for (int node = first; node < last; ++node) {
        const int x = node % g->nodes[0], y = node / g->nodes[0] % g->nodes[1];
        const int z = node / g->nodes[0] / g->nodes[1];
        for (int at = 0; at < OND_STENCIL; ++at)
            g->stencil[(size_t)at * (size_t)g->count + (size_t)node] = 0.0f;
        for (int k = 0; k < OND_CORNERS; ++k) {
            const int cx = x - (k & 1), cy = y - (k >> 1 & 1), cz = z - (k >> 2);
            if (cx >= 0 && cy >= 0 && cz >= 0 && cx < g->cells[0] && cy < g->cells[1] &&
                cz < g->cells[2])
                add_cell(g, node, ond_grid_cell(g, cx, cy, cz), k);
        }
        float sum = 0.0f;
        for (int at = 0; at < OND_STENCIL; ++at)
            sum += fabsf(g->stencil[(size_t)at * (size_t)g->count + (size_t)node]);
        g->ease[node] = sum > 0.0f ? 1.0f / sum : 0.0f;
    }
}

void ond_grid_finish(OndPressureGrid *g)
{
    ond_parallel_for(g->count, GRAIN, stencil_range, g);
}

// ---- all of them

OndStatus ond_multigrid_lay(OndPressureGrids **grids, const OndSph *s, OndError *err)
{
    if (!*grids) *grids = OND_NEW(OndPressureGrids);
    if (*grids) return lay_levels(*grids, s, err);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the pressure's grids");
}

void ond_multigrid_make(OndPressureGrids *g, const OndSph *s, OndQuad *slope)
{
    Make m = {g, s, slope};
    ond_parallel_for(g->level[0].cell_count, GRAIN, element_range, &m);
    ond_grid_finish(&g->level[0]);
    for (int l = 1; l < g->levels; ++l) {
        ond_grid_coarsen(&g->level[l], &g->level[l - 1]);
        ond_grid_finish(&g->level[l]);
    }
}

void ond_multigrid_free(OndPressureGrids *g)
{
    if (!g) return;
    for (int l = 0; l < OND_GRIDS_MAX; ++l)
        ond_free(g->level[l].element), ond_free(g->level[l].block);
    ond_free(g->part);
    ond_free(g);
}

size_t ond_multigrid_bytes(const OndPressureGrids *g)
{
    if (!g) return 0;
    size_t bytes = sizeof *g + (size_t)g->part_room * OND_CORNERS * sizeof *g->part;
    for (int l = 0; l < OND_GRIDS_MAX; ++l)
        bytes += (size_t)g->level[l].cell_room * sizeof *g->level[l].element +
                 (size_t)g->level[l].room * (OND_STENCIL + 4) * sizeof(float);
    return bytes;
}

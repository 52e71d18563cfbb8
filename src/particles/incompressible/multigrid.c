// SPDX-License-Identifier: MIT
// A V cycle over the grids, and the ways between particles and the finest of them.
#include "particles/incompressible/multigrid.h"

#include "base/parallel.h"
#include "particles/incompressible/multigrid_state.h"
#include "particles/incompressible/projection_state.h"

#include <string.h>

#define GRAIN      2048 // nodes a worker claims
#define SWEEPS     16   // on the coarsest grid
#define CELL_GRAIN 16

// ---- one grid

typedef struct Pass {
    OndPressureGrid *g;
    const OndPressureGrid *other;
    const float *from; // values of the other
} Pass;

// t = r - A x
static void leave_range(int first, int last, int worker, void *context)
{
    const OndPressureGrid *const g = ((const Pass *)context)->g;
    for (int n = first; n < last; ++n)
        g->t[n] = g->r[n];
    for (int at = 0; at < OND_STENCIL; ++at) {
        const float *restrict of = g->stencil + (size_t)at * (size_t)g->count;
        const float *restrict x =
            g->x + ((at / 9 - 1) * g->nodes[1] + at / 3 % 3 - 1) * g->nodes[0] + at % 3 - 1;
        float *restrict t = g->t;
        for (int n = first; n < last; ++n)
            t[n] -= of[n] * x[n];
    }
}

static void leave(OndPressureGrid *g)
{
    ond_parallel_for(g->count, GRAIN, leave_range, &(Pass){g, NULL, NULL});
}

// x += ease t: relaxation by the sum of a row, which never grows.
static void relax(OndPressureGrid *g)
{
    for (int n = 0; n < g->count; ++n)
        g->x[n] += g->ease[n] * g->t[n];
}

static void begin(OndPressureGrid *g)
{
    for (int n = 0; n < g->count; ++n)
        g->x[n] = g->ease[n] * g->r[n];
}

// ---- two grids

// What is left, to the coarser grid: each node gives to those beside it.
static void restrict_range(int first, int last, int worker, void *context)
{
    const Pass *p = context;
    const OndPressureGrid *const g = p->g, *const f = p->other;
    for (int n = first; n < last; ++n) {
        const int at[3] = {2 * (n % g->nodes[0]), 2 * (n / g->nodes[0] % g->nodes[1]),
                           2 * (n / g->nodes[0] / g->nodes[1])};
        float sum = 0.0f;
        for (int k = 0; k < OND_STENCIL; ++k) {
            const int d[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            const int x = at[0] + d[0], y = at[1] + d[1], z = at[2] + d[2];
            if (x < 0 || y < 0 || z < 0 || x >= f->nodes[0] || y >= f->nodes[1] || z >= f->nodes[2])
                continue;
            const float weight = (d[0] ? 0.5f : 1.0f) * (d[1] ? 0.5f : 1.0f) * (d[2] ? 0.5f : 1.0f);
            sum += weight * p->from[ond_grid_node(f, x, y, z)];
        }
        g->r[n] = sum;
    }
}

// Its answer, back.
static void prolong_range(int first, int last, int worker, void *context)
{
    const Pass *p = context;
    const OndPressureGrid *const g = p->g, *const c = p->other;
    for (int n = first; n < last; ++n) {
        const int x = n % g->nodes[0], y = n / g->nodes[0] % g->nodes[1];
        const int z = n / g->nodes[0] / g->nodes[1];
        float sum = 0.0f;
        for (int k = 0; k < OND_CORNERS; ++k)
            sum += c->x[ond_grid_node(c, (x + (k & 1)) / 2, (y + (k >> 1 & 1)) / 2,
                                      (z + (k >> 2)) / 2)];
        g->x[n] += sum / OND_CORNERS;
    }
}

static void cycle(OndPressureGrids *m, int l)
{
    OndPressureGrid *const g = &m->level[l];
    begin(g);
    if (l == m->levels - 1) {
        for (int k = 1; k < SWEEPS; ++k)
            leave(g), relax(g);
        return;
    }
    OndPressureGrid *const c = &m->level[l + 1];
    leave(g);
    ond_parallel_for(c->count, GRAIN / 8, restrict_range, &(Pass){c, g, g->t});
    cycle(m, l + 1);
    ond_parallel_for(g->count, GRAIN, prolong_range, &(Pass){g, c, NULL});
    leave(g);
    relax(g);
}

// ---- particles

typedef struct Ask {
    OndPressureGrids *m;
    OndSph *s;
    float back;
} Ask;

// Of a cell: from sums of 1, x, y, xy, z, xz, yz, xyz to what its corners get of them.
static void to_corners(float v[OND_CORNERS])
{
    for (int axis = 1; axis < OND_CORNERS; axis *= 2)
        for (int k = 0; k < OND_CORNERS; ++k)
            if (!(k & axis)) v[k] -= v[k | axis];
}

// And from corners' values to what 1, x, y, ... are multiplied with.
static void from_corners(float v[OND_CORNERS])
{
    for (int axis = 1; axis < OND_CORNERS; axis *= 2)
        for (int k = 0; k < OND_CORNERS; ++k)
            if (k & axis) v[k] -= v[k ^ axis];
}

static void gather_cells(int first, int last, int worker, void *context)
{
    const Ask *p = context;
    for (int cell = first; cell < last; ++cell) {
        OndPressureGridLoop loop = {.left = p->s->crowded,
                                    .ease = p->s->ease,
                                    .sum = p->m->part + (size_t)cell * OND_CORNERS};
        memset(loop.sum, 0, OND_CORNERS * sizeof *loop.sum);
        ond_multigrid_particles(p->m, p->s, cell, &loop, p->s->loops->gather);
        to_corners(loop.sum);
    }
}

static void gather_nodes(int first, int last, int worker, void *context)
{
    const Ask *p = context;
    const OndPressureGrid *const g = &p->m->level[0];
    for (int n = first; n < last; ++n) {
        const int x = n % g->nodes[0], y = n / g->nodes[0] % g->nodes[1];
        const int z = n / g->nodes[0] / g->nodes[1];
        float sum = 0.0f;
        for (int k = 0; k < OND_CORNERS; ++k) {
            const int cx = x - (k & 1), cy = y - (k >> 1 & 1), cz = z - (k >> 2);
            if (cx >= 0 && cy >= 0 && cz >= 0 && cx < g->cells[0] && cy < g->cells[1] &&
                cz < g->cells[2])
                sum += p->m->part[(size_t)ond_grid_cell(g, cx, cy, cz) * OND_CORNERS + (size_t)k];
        }
        g->r[n] = sum;
    }
}

// How far what is left reaches, as the length by which a surface would move for it: over each size of
// cells what does not even out in them, times that size, no more than the liquid's height.
static double reach_of(OndPressureGrids *m, const OndSph *s, double height)
{
    double most = 0.0, size = 2.0 * s->reach;
    for (int l = 0; l < m->levels; ++l, size *= 2.0) {
        OndPressureGrid *const g = &m->level[l];
        const OndPressureGrid *const finer = l ? &m->level[l - 1] : NULL;
        double sum = 0.0;
        if (l) restrict_range(0, g->count, 0, &(Pass){g, finer, finer->r});
        for (int n = 0; n < g->count; ++n)
            sum += (double)fabsf(g->r[n]);
        most = fmax(most, sum * fmin(size, height));
    }
    return most * s->rest_volume / s->fields.count;
}

double ond_multigrid_take(OndPressureGrids *m, OndSph *s, double height)
{
    const OndPressureGrid *const g = &m->level[0];
    Ask ask = {m, s, 0.0f};
    ond_parallel_for(g->cell_count, CELL_GRAIN, gather_cells, &ask);
    ond_parallel_for(g->count, GRAIN / 4, gather_nodes, &ask);
    return reach_of(m, s, height);
}

double ond_multigrid_answer(OndPressureGrids *m)
{
    const OndPressureGrid *const g = &m->level[0];
    cycle(m, 0);
    double dot = 0.0;
    for (int n = 0; n < g->count; ++n)
        dot += (double)(g->r[n] * g->x[n]);
    return dot;
}

static void spread_cells(int first, int last, int worker, void *context)
{
    const Ask *p = context;
    const OndPressureGrid *const g = &p->m->level[0];
    for (int cell = first; cell < last; ++cell) {
        float value[OND_CORNERS];
        const int x = cell % g->cells[0], y = cell / g->cells[0] % g->cells[1];
        const int z = cell / g->cells[0] / g->cells[1];
        for (int k = 0; k < OND_CORNERS; ++k)
            value[k] = g->x[ond_grid_node(g, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2))];
        from_corners(value);
        OndPressureGridLoop loop = {.left = p->s->crowded,
                                    .ease = p->s->ease,
                                    .place = p->s->projection->place,
                                    .sum = value,
                                    .back = p->back};
        ond_multigrid_particles(p->m, p->s, cell, &loop, p->s->loops->spread);
    }
}

void ond_multigrid_turn(OndPressureGrids *m, OndSph *s, float back)
{
    ond_parallel_for(m->level[0].cell_count, CELL_GRAIN, spread_cells, &(Ask){m, s, back});
}

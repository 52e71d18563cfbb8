// SPDX-License-Identifier: MIT
#include "grid/solvers/multigrid.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// The smallest eigenvalue of A / D that the smoother is made for: below it a coarser grid helps.
// The largest is 2. On an open grid a half of all waves lie above 1/3 in 3D and 1/2 in 2D.
#define LOWEST_3D 0.333
#define LOWEST_2D 0.5
#define HIGHEST   2.0

// ---- making

static bool make_level(OndLevel *level, size_t *bytes)
{
    const OndGrid *g = &level->matrix.grid;
    bool made = (level->matrix.diagonal = ond_grid_floats(g)) && (level->x = ond_grid_floats(g)) &&
                (level->b = ond_grid_floats(g)) && (level->t = ond_grid_floats(g));
    for (int a = 0; made && a < ond_grid_axes(g); ++a)
        made = (level->matrix.face[a] = ond_grid_bytes(g)) != NULL;
    *bytes += g->length * (4 * sizeof(float) + (size_t)ond_grid_axes(g));
    return made;
}

OndMultigrid *ond_multigrid_create(const OndGrid *grid, OndError *err)
{
    OndMultigrid *m = OND_NEW(OndMultigrid);
    bool made = m != NULL;
    if (m) m->level[0].matrix.grid = *grid, m->levels = 1, m->bytes = sizeof *m;
    while (made && m->levels < OND_LEVELS_MOST) {
        OndLevel *next = &m->level[m->levels];
        if (!ond_grid_halve(&next[-1].matrix.grid, &next->matrix.grid)) break;
        ++m->levels;
        made = make_level(next, &m->bytes);
    }
    if (made) return m;
    ond_multigrid_destroy(m);
    ond_fail(err, OND_NO_MEMORY, "not enough memory for the coarse grids of %d x %d x %d cells",
             grid->n[0], grid->n[1], grid->n[2]);
    return NULL;
}

void ond_multigrid_destroy(OndMultigrid *m)
{
    for (int l = 1; m && l < m->levels; ++l) {
        OndLevel *level = &m->level[l];
        for (int a = 0; a < 3; ++a)
            ond_free(level->matrix.face[a]);
        ond_free(level->matrix.diagonal);
        ond_free(level->x);
        ond_free(level->b);
        ond_free(level->t);
    }
    ond_free(m);
}

void ond_multigrid_prepare(OndMultigrid *m, const OndMatrix *matrix)
{
    m->level[0].matrix = *matrix;
    for (int l = 0; l + 1 < m->levels; ++l)
        ond_multigrid_coarsen(&m->level[l].matrix, &m->level[l + 1].matrix, l, m->level[l + 1].t);
}

// ---- a cycle

// Step lengths 1 / (middle +- reach cos 45) of two sweeps.
static void chebyshev(const OndGrid *g, float step[2])
{
    const double lowest = g->deep ? LOWEST_3D : LOWEST_2D;
    const double middle = 0.5 * (HIGHEST + lowest), reach = 0.5 * (HIGHEST - lowest);
    step[0] = (float)(1.0 / (middle + reach * sqrt(0.5)));
    step[1] = (float)(1.0 / (middle - reach * sqrt(0.5)));
}

// to = from + step (b - A from) / D
static double smooth(const OndLevel *v, OndGridSweep *sweep, OndGridLoopFn *body, float *from,
                     float *to, float step)
{
    const OndGrid *g = &v->matrix.grid;
    ond_grid_wrap(g, from);
    OndGridLoop loop = {.matrix = &v->matrix, .a = from, .b = v->b, .x = to, .step = step};
    return ond_sweep_run(sweep, g, body, &loop);
}

static void down(const OndLevel *v, const OndLevel *coarse, OndGridSweep *sweep,
                 const float step[2])
{
    const OndGridLoops *loops = sweep->loops;
    const OndGrid *g = &v->matrix.grid;
    OndGridLoop start = {.matrix = &v->matrix, .b = v->b, .x = v->t, .step = step[0]};
    ond_sweep_run(sweep, g, loops->divide, &start);
    smooth(v, sweep, loops->smooth, v->t, v->x, step[1]);
    ond_grid_wrap(g, v->x);
    OndGridLoop rest = {.matrix = &v->matrix, .a = v->x, .b = v->b, .x = v->t};
    ond_sweep_run(sweep, g, loops->rest, &rest);
    ond_grid_wrap(g, v->t);
    OndGridLoop collect = {.matrix = &v->matrix,
                           .coarse = &coarse->matrix,
                           .a = v->t,
                           .x = coarse->b,
                           .scale = 4.0f / (float)ond_multigrid_children(g)};
    ond_sweep_run(sweep, &coarse->matrix.grid, loops->collect, &collect);
}

static double up(const OndLevel *v, const OndLevel *coarse, OndGridSweep *sweep,
                 const float step[2], bool sum)
{
    const OndGridLoops *loops = sweep->loops;
    ond_grid_wrap(&coarse->matrix.grid, coarse->x);
    OndGridLoop spread = {
        .matrix = &v->matrix, .coarse = &coarse->matrix, .a = coarse->x, .x = v->x};
    ond_sweep_run(sweep, &v->matrix.grid, loops->spread, &spread);
    smooth(v, sweep, loops->smooth, v->x, v->t, step[0]);
    return smooth(v, sweep, sum ? loops->finish : loops->smooth, v->t, v->x, step[1]);
}

double ond_multigrid_cycle(OndMultigrid *m, OndGridSweep *sweep, float *b, float *x, float *t)
{
    OndLevel *level = m->level;
    const int last = m->levels - 1;
    double sum = 0.0;
    level[0].b = b, level[0].x = x, level[0].t = t;
    float step[OND_LEVELS_MOST][2];
    for (int l = 0; l < last; ++l) {
        chebyshev(&level[l].matrix.grid, step[l]);
        down(&level[l], &level[l + 1], sweep, step[l]);
    }
    OndGridLoop end = {
        .matrix = &level[last].matrix, .b = level[last].b, .x = level[last].x, .step = 1.0f};
    sum = ond_sweep_run(sweep, &level[last].matrix.grid, sweep->loops->divide, &end);
    for (int l = last - 1; l >= 0; --l)
        sum = up(&level[l], &level[l + 1], sweep, step[l], l == 0);
    return sum;
}

// Floats and bytes: divide 3 floats, four sweeps of 4 (the diagonal counted) and the weights, 1 +
// 1/8 for collecting, 2 + 1/8 for spreading.
double ond_multigrid_traffic(const OndMultigrid *m)
{
    double bytes = 0.0;
    for (int l = 0; l < m->levels; ++l) {
        const OndGrid *g = &m->level[l].matrix.grid;
        const double cell = 4.0 * (3 + 4 * 4 + 1.125 + 2.125) + 4.0 * ond_grid_axes(g);
        bytes += cell * (double)ond_grid_cells(g);
    }
    return bytes;
}

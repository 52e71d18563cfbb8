// SPDX-License-Identifier: MIT
#include "grid/solvers/cholesky.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "grid/loops/loops.h"

#include <math.h>
#include <string.h>

// Both as in [Bridson 2015, 5.2].
#define MODIFIED    0.97f // share of what is left out that goes on the diagonal
#define SAFE        0.25f // a pivot below this share of the diagonal is replaced by it
#define SLABS_MOST  16
#define SLAB_PLANES 8 // at least
#define SLAB_ROWS   32

struct OndCholesky {
    OndMatrix matrix; // points to the system's
    float *inverse;   // p
    int slab_rows, slabs;
    const OndGridLoops *loops;
};

OndCholesky *ond_cholesky_create(const OndGrid *grid, OndError *err)
{
    OndCholesky *c = OND_NEW(OndCholesky);
    if (c && (c->inverse = ond_grid_floats(grid))) {
        const int units = grid->deep ? grid->n[2] : grid->n[1];
        const int least = grid->deep ? SLAB_PLANES : SLAB_ROWS;
        const int wanted = units / least < 1            ? 1
                           : units / least > SLABS_MOST ? SLABS_MOST
                                                        : units / least;
        const int thick = (units + wanted - 1) / wanted;
        c->slab_rows = thick * (grid->deep ? grid->n[1] : 1);
        c->slabs = (units + thick - 1) / thick;
        c->matrix.grid = *grid;
        c->loops = ond_grid_loops();
        return c;
    }
    ond_cholesky_destroy(c);
    ond_fail(err, OND_NO_MEMORY, "not enough memory for an incomplete Cholesky factor");
    return NULL;
}

void ond_cholesky_destroy(OndCholesky *c)
{
    if (c) ond_free(c->inverse);
    ond_free(c);
}

size_t ond_cholesky_bytes(const OndCholesky *c)
{
    return sizeof *c + c->matrix.grid.length * sizeof(float);
}

// Weight of the lower face along an axis; 0 where it leads out of the slab, or to no unknown (its p
// is 0 then anyway).
static float weight(const OndCholesky *c, int axis, size_t at, int r, int first)
{
    const OndGrid *g = &c->matrix.grid;
    const bool cut = axis == 1 ? !g->deep && r - 1 < first : axis == 2 && r - g->n[1] < first;
    return cut ? 0.0f : (float)c->matrix.face[axis][at];
}

static float pivot(const OndCholesky *c, size_t at, int r, int first)
{
    const OndMatrix *m = &c->matrix;
    const OndGrid *g = &m->grid;
    const float d = m->diagonal[at];
    if (!(d > 0.0f)) return 0.0f;
    float e = d;
    for (int a = 0; a < ond_grid_axes(g); ++a) {
        const size_t low = at - (size_t)ond_grid_stride(g, a);
        const float w = weight(c, a, at, r, first);
        if (w == 0.0f) continue; // what lies in another slab is not looked at
        const float p = c->inverse[low];
        e -= w * p * (w * p);
        // what the lower neighbour sends to its other upper neighbours has no place in L
        for (int o = 0; o < ond_grid_axes(g); ++o) {
            const size_t high = low + (size_t)ond_grid_stride(g, o);
            if (o != a && m->diagonal[high] > 0.0f)
                e -= MODIFIED * w * (float)m->face[o][high] * p * p;
        }
    }
    return 1.0f / sqrtf(e < SAFE * d ? d : e);
}

static int slab_end(const OndCholesky *c, int slab)
{
    const int end = (slab + 1) * c->slab_rows;
    return end < c->matrix.grid.rows ? end : c->matrix.grid.rows;
}

static void factor_slabs(int first, int last, int worker, void *context)
{
    const OndCholesky *c = context;
    const OndGrid *g = &c->matrix.grid;
    for (int s = first; s < last; ++s)
        for (int r = s * c->slab_rows; r < slab_end(c, s); ++r)
            for (int i = 0; i < g->n[0]; ++i) {
                const size_t at = ond_grid_row(g, r) + (size_t)i;
                c->inverse[at] = pivot(c, at, r, s * c->slab_rows);
            }
}

void ond_cholesky_prepare(OndCholesky *c, const OndMatrix *matrix)
{
    c->matrix = *matrix;
    ond_parallel_for(c->slabs, 1, factor_slabs, c);
}

typedef struct Solve {
    const OndCholesky *c;
    const float *r;
    float *z;
} Solve;

static void solve_slabs(int first, int last, int worker, void *context)
{
    const Solve *s = context;
    OndGridLoop loop = {.matrix = &s->c->matrix, .a = s->c->inverse, .b = s->r, .x = s->z};
    for (int k = first; k < last; ++k) {
        s->c->loops->lower(&loop, k * s->c->slab_rows, slab_end(s->c, k));
        s->c->loops->upper(&loop, k * s->c->slab_rows, slab_end(s->c, k));
    }
}

void ond_cholesky_apply(const OndCholesky *c, const float *r, float *z)
{
    Solve s = {c, r, z};
    ond_parallel_for(c->slabs, 1, solve_slabs, &s);
}

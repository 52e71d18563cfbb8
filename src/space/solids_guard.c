// SPDX-License-Identifier: MIT
#include "space/solids_guard.h"

#include "base/parallel.h"
#include "geom/minmax.h"

#define PER_REACH 6.0
#define CELLS_MAX 8000000.0
#define BATCH     8 // cells a side of what is asked together; a byte of bits along x

typedef struct Making {
    const OndSolidMesh *mesh;
    OndSolidGuard *guard;
} Making;

// Half the diagonal of a cube of so many cells, and a little more for rounding.
static double half_diagonal(const OndSolidGuard *g, int cells)
{
    return 0.5001 * 1.7320508075688772 * cells / g->per_cell;
}

static OndVec middle(const OndSolidGuard *g, int x, int y, int z, int cells)
{
    const double half = 0.5 * cells;
    return ond_add(g->origin, ond_scale(ond_vec(x + half, y + half, z + half), 1.0 / g->per_cell));
}

// By the boxes of triangles, for many cells together.
static bool all_clear(const Making *m, int x, int y, int z)
{
    const OndSolidGuard *g = m->guard;
    return !ond_solid_mesh_may_touch(m->mesh, middle(g, x, y, z, BATCH),
                                     g->reach + half_diagonal(g, BATCH));
}

static bool one_clear(const Making *m, int x, int y, int z)
{
    const OndSolidGuard *g = m->guard;
    const double reach = g->reach + half_diagonal(g, 1);
    OndVec at;
    int triangle;
    return ond_solid_mesh_nearest(m->mesh, OND_AT_START, middle(g, x, y, z, 1), reach, &at,
                                  &triangle) == INFINITY;
}

static void set_row(const Making *m, int x, int y, int z, bool all)
{
    const OndSolidGuard *g = m->guard;
    const size_t byte =
        (((size_t)z * (size_t)g->n[1] + (size_t)y) * (size_t)g->n[0] + (size_t)x) / 8;
    unsigned bits = all ? 0xFFu : 0u;
    for (int k = 0; k < BATCH && !all; ++k)
        bits |= (unsigned)one_clear(m, x + k, y, z) << k;
    g->clear[byte] = (unsigned char)bits;
}

static void mark_layers(int first, int last, int worker, void *context)
{
    const Making *m = context;
    const OndSolidGuard *g = m->guard;
    for (int z = first * BATCH; z < last * BATCH; z += BATCH)
        for (int y = 0; y < g->n[1]; y += BATCH)
            for (int x = 0; x < g->n[0]; x += BATCH) {
                const bool all = all_clear(m, x, y, z);
                for (int row = 0; row < BATCH * BATCH; ++row)
                    set_row(m, x, y + row % BATCH, z + row / BATCH, all);
            }
}

// Round the mesh and its reach, in cells that are not too many.
static size_t lay(OndSolidGuard *g, OndBox box, double reach)
{
    double size = reach / PER_REACH, cells = 0.0;
    for (;; size *= 1.25) {
        cells = 1.0;
        for (int a = 0; a < 3; ++a) {
            const double span = ond_axis(box.max, a) - ond_axis(box.min, a) + 2.0 * reach;
            const double n = BATCH * ceil(span / size / BATCH);
            cells *= n;
            g->n[a] = n < 1e6 ? (int)n : 0;
        }
        if (cells <= CELLS_MAX || !(cells < 1e300)) break;
    }
    g->origin = ond_sub(box.min, ond_vec(reach, reach, reach));
    g->per_cell = 1.0 / size;
    g->reach = reach;
    return cells <= CELLS_MAX ? (size_t)cells : 0;
}

void ond_solid_guard_make(OndSolidMesh *s, double reach)
{
    OndSolidGuard *g = &s->guard;
    ond_free(g->clear);
    g->clear = NULL;
    if (s->triangle_count == 0 || !(reach > 0.0) || s->bent[0]) return;
    const size_t cells = lay(g, s->bounds, reach);
    g->clear = cells ? OND_NEW_ARRAY(unsigned char, cells / 8) : NULL;
    Making m = {s, g};
    if (g->clear) ond_parallel_for(g->n[2] / BATCH, 1, mark_layers, &m);
}

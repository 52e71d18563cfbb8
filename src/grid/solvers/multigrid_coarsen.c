// SPDX-License-Identifier: MIT
// A coarse matrix from a fine one.
//
// With m children (8 in 3D, 4 in 2D), the unit of a coarse equation is 4 / m of the sum of its
// children's, which makes an open coarse face weigh as much as an open fine one: its weight is the
// mean of the fine faces that join unknowns. Any opening, however small, stays one, so that parts
// that hang together do so on all levels.
//
// What stands on the diagonal besides: a neighbour with a given value, all of whose cell is given,
// stays a neighbour; but it comes nearer, in cells, from level to level:
//
//     distance 1, 3/4, 5/8, 9/16 ... 1/2           (the given value stays where it is)
//
// The rest (identity, free surfaces, given cells amidst unknown ones) is summed.
#include "grid/solvers/multigrid.h"

#include "base/parallel.h"

#include <string.h>

typedef struct Coarsening {
    const OndMatrix *fine, *coarse;
    int layers[3];  // children along each axis
    float reach[2]; // of the fine level and the coarse one
    float *room;
} Coarsening;

// 1 / the distance to a value given next door.
static float reach_on(int level)
{
    return 1.0f / (0.5f + 0.5f / (float)(1 << level));
}

int ond_multigrid_children(const OndGrid *fine)
{
    return (fine->n[0] > 1 ? 2 : 1) * (fine->n[1] > 1 ? 2 : 1) * (fine->n[2] > 1 ? 2 : 1);
}

static inline bool unknown(const OndMatrix *m, size_t at)
{
    return m->diagonal[at] > 0.0f;
}

// The children of coarse cell c that are inside; returns how many.
static int children(const Coarsening *z, const int c[3], size_t out[8])
{
    const OndGrid *g = &z->fine->grid;
    int count = 0;
    for (int q = 0; q < z->layers[0] * z->layers[1] * z->layers[2]; ++q) {
        const int dx = q % z->layers[0], dy = q / z->layers[0] % z->layers[1];
        const int dz = q / z->layers[0] / z->layers[1];
        const int i = c[0] * z->layers[0] + dx, j = c[1] * z->layers[1] + dy,
                  k = c[2] * z->layers[2] + dz;
        if (i < g->n[0] && j < g->n[1] && k < g->n[2]) out[count++] = ond_grid_at(g, i, j, k);
    }
    return count;
}

// First pass: which coarse cells are unknowns; marked by 1.
static void mark_rows(int first, int last, int worker, void *context)
{
    const Coarsening *z = context;
    const OndGrid *g = &z->coarse->grid;
    for (int r = first; r < last; ++r)
        for (int i = 0; i < g->n[0]; ++i) {
            const int c[3] = {i, r % g->n[1], r / g->n[1]};
            size_t child[8];
            float any = 0.0f;
            for (int q = children(z, c, child) - 1; q >= 0; --q)
                any = unknown(z->fine, child[q]) ? 1.0f : any;
            z->coarse->diagonal[ond_grid_row(g, r) + (size_t)i] = any;
        }
}

// The lower face of cell c, or the last face (c past the end): from the fine faces in it.
static uint8_t face_weight(const Coarsening *z, int axis, const int c[3])
{
    const OndGrid *f = &z->fine->grid, *g = &z->coarse->grid;
    const bool end = c[axis] == 0 || c[axis] == g->n[axis];
    if (z->layers[axis] == 1) return 0;                           // held by the rest
    if (end && f->periodic[axis] && !g->periodic[axis]) return 0; // a ring of odd length is cut
    const size_t step = (size_t)ond_grid_stride(f, axis);
    int from[3] = {c[0], c[1], c[2]}, wide[3], part = 0, faces = 1;
    for (int a = 0; a < 3; ++a) {
        from[a] = c[a] * z->layers[a];
        wide[a] = a == axis ? 1 : z->layers[a];
        faces *= wide[a];
    }
    if (from[axis] > f->n[axis]) from[axis] = f->n[axis];
    const size_t here = ond_grid_at(g, c[0], c[1], c[2]);
    const size_t back = here - (size_t)ond_grid_stride(g, axis);
    const bool both = unknown(z->coarse, here) && unknown(z->coarse, back);
    for (int q = 0; q < faces; ++q) {
        const int i = from[0] + q % wide[0], j = from[1] + q / wide[0] % wide[1],
                  k = from[2] + q / wide[0] / wide[1];
        if (i > f->n[0] || j > f->n[1] || k > f->n[2]) continue;
        const size_t at = ond_grid_at(f, i, j, k);
        const bool low = unknown(z->fine, at - step), high = unknown(z->fine, at);
        if (both ? low && high : low || high) part += z->fine->face[axis][at];
    }
    return (uint8_t)((part + faces - 1) / faces);
}

// Second pass: weights of the lower faces, and of the last one at the end of an axis.
static void face_rows(int first, int last, int worker, void *context)
{
    const Coarsening *z = context;
    const OndGrid *g = &z->coarse->grid;
    for (int r = first; r < last; ++r) {
        int c[3] = {0, r % g->n[1], r / g->n[1]};
        for (int axis = 0; axis < ond_grid_axes(g); ++axis)
            for (c[0] = 0; c[0] < g->n[0] + (axis == 0); ++c[0]) {
                uint8_t *face = z->coarse->face[axis];
                face[ond_grid_at(g, c[0], c[1], c[2])] = face_weight(z, axis, c);
                if (axis == 0 || c[axis] + 1 < g->n[axis]) continue;
                int end[3] = {c[0], c[1], c[2]};
                end[axis] = g->n[axis];
                face[ond_grid_at(g, end[0], end[1], end[2])] = face_weight(z, axis, end);
            }
    }
}

// A cell's six faces: the weight to unknowns, and to what is given.
static void weigh(const OndMatrix *m, size_t c, float *joined, float *given)
{
    *joined = *given = 0.0f;
    for (int a = 0; a < ond_grid_axes(&m->grid); ++a) {
        const size_t step = (size_t)ond_grid_stride(&m->grid, a);
        const float low = (float)m->face[a][c], high = (float)m->face[a][c + step];
        *(unknown(m, c - step) ? joined : given) += low;
        *(unknown(m, c + step) ? joined : given) += high;
    }
}

// Third pass: diagonals, into `room`, since neighbours look at each other's marks.
static float diagonal_of(const Coarsening *z, const int c[3])
{
    const size_t here = ond_grid_at(&z->coarse->grid, c[0], c[1], c[2]);
    if (!unknown(z->coarse, here)) return 0.0f;
    size_t child[8];
    float held = 0.0f, joined, given;
    for (int q = children(z, c, child) - 1; q >= 0; --q) {
        if (!unknown(z->fine, child[q])) continue;
        weigh(z->fine, child[q], &joined, &given);
        held += z->fine->diagonal[child[q]] - joined;
    }
    weigh(z->coarse, here, &joined, &given);
    // the m / 2 fine faces behind `given`, in the coarse unit, are 2 of it
    const float share = 4.0f / (float)(z->layers[0] * z->layers[1] * z->layers[2]);
    const float rest = share * held - 2.0f * z->reach[0] * given;
    return joined + z->reach[1] * given + (rest > 0.0f ? rest : 0.0f);
}

static void diagonal_rows(int first, int last, int worker, void *context)
{
    const Coarsening *z = context;
    const OndGrid *g = &z->coarse->grid;
    for (int r = first; r < last; ++r)
        for (int i = 0; i < g->n[0]; ++i) {
            const int c[3] = {i, r % g->n[1], r / g->n[1]};
            z->room[ond_grid_row(g, r) + (size_t)i] = diagonal_of(z, c);
        }
}

static void copy_rows(int first, int last, int worker, void *context)
{
    const Coarsening *z = context;
    const OndGrid *g = &z->coarse->grid;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(g, r);
        memcpy(z->coarse->diagonal + at, z->room + at, (size_t)g->n[0] * sizeof(float));
    }
}

void ond_multigrid_coarsen(const OndMatrix *fine, const OndMatrix *coarse, int level, float *room)
{
    const OndGrid *g = &coarse->grid;
    Coarsening z = {.fine = fine,
                    .coarse = coarse,
                    .reach = {reach_on(level), reach_on(level + 1)},
                    .room = room};
    for (int a = 0; a < 3; ++a)
        z.layers[a] = fine->grid.n[a] > 1 ? 2 : 1;
    ond_parallel_for(g->rows, g->block, mark_rows, &z);
    ond_grid_wrap(g, coarse->diagonal);
    ond_parallel_for(g->rows, g->block, face_rows, &z);
    ond_parallel_for(g->rows, g->block, diagonal_rows, &z);
    ond_parallel_for(g->rows, g->block, copy_rows, &z);
    ond_grid_wrap(g, coarse->diagonal);
}

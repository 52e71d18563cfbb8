// SPDX-License-Identifier: MIT
// Both triangular solves of an incomplete Cholesky factor (cholesky.h), on a slab of rows.
//
//     forth:  q_i = (r_i + sum over lower neighbours  w p_j q_j) p_i
//     back:   z_i = (q_i + p_i sum over upper neighbours  w z_j) p_i
//
// What comes from other rows is added first, by vectors; along a row each cell waits for the last.
#include "grid/loops/loops.h"

typedef struct Rows {
    int first, last;
    bool deep;
} Rows;

// Does the slab hold the row (2D) or plane (3D) before or after this one? Ghost rows may be read.
static inline bool has_row(const OndGrid *g, const Rows *s, int r)
{
    return g->deep || (r >= s->first && r < s->last);
}

static inline bool has_plane(const OndGrid *g, const Rows *s, int r)
{
    return g->deep && r >= s->first && r < s->last;
}

// q += w p q of the row that lies `back` behind.
static void add_lower(float *restrict q, const float *restrict p, const uint8_t *restrict w,
                      ptrdiff_t back, int count)
{
    const float *restrict other = q - back;
#pragma omp simd
    for (int i = 0; i < count; ++i)
        q[i] += (float)w[i] * p[i - back] * other[i];
}

double OND_GRID_LOOP(lower)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(lower)(OndGridLoop *l, int first, int last)
{
    const OndMatrix *m = l->matrix;
    const OndGrid *g = &m->grid;
    const Rows slab = {first, last, g->deep};
    const int count = g->n[0];
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(g, r);
        const float *p = l->a + at, *b = l->b + at;
        float *q = l->x + at;
        for (int i = 0; i < count; ++i)
            q[i] = b[i];
        if (has_row(g, &slab, r - 1)) add_lower(q, p, m->face[1] + at, g->row, count);
        if (has_plane(g, &slab, r - g->n[1])) add_lower(q, p, m->face[2] + at, g->plane, count);
        float carried = 0.0f;
        for (int i = 0; i < count; ++i) {
            q[i] = (q[i] + carried) * p[i];
            carried = (float)m->face[0][at + (size_t)i + 1] * p[i] * q[i];
        }
    }
    return 0.0;
}

// sum += w z of the row that lies `ahead`.
static void add_upper(float *restrict sum, const float *restrict z, const uint8_t *restrict w,
                      const float *restrict p, int count)
{
#pragma omp simd
    for (int i = 0; i < count; ++i)
        sum[i] += p[i] * (float)w[i] * z[i];
}

double OND_GRID_LOOP(upper)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(upper)(OndGridLoop *l, int first, int last)
{
    const OndMatrix *m = l->matrix;
    const OndGrid *g = &m->grid;
    const Rows slab = {first, last, g->deep};
    const int count = g->n[0];
    for (int r = last - 1; r >= first; --r) {
        const size_t at = ond_grid_row(g, r), row = at + (size_t)g->row,
                     plane = at + (size_t)g->plane;
        const float *p = l->a + at;
        float *z = l->x + at;
        if (has_row(g, &slab, r + 1)) add_upper(z, l->x + row, m->face[1] + row, p, count);
        if (has_plane(g, &slab, r + g->n[1]))
            add_upper(z, l->x + plane, m->face[2] + plane, p, count);
        float next = 0.0f;
        for (int i = count - 1; i >= 0; --i) {
            next = (z[i] + (float)m->face[0][at + (size_t)i + 1] * p[i] * next) * p[i];
            z[i] = next;
        }
    }
    return 0.0;
}

// SPDX-License-Identifier: MIT
// Loops that read a cell's neighbours.
#include "grid/loops/loops.h"
#include "physics/stencil.h"

// A row's loop with `deep` known when it is compiled.
#define FOR_DEPTH(deep, row, ...) ((deep) ? row(__VA_ARGS__, true) : row(__VA_ARGS__, false))

// A row's pointers, moved to its first cell.
typedef struct Row {
    const uint8_t *wx, *wy, *wz;
    const float *diagonal;
    ptrdiff_t cell, row, plane; // `cell` is 1, which clang must not know: it would carry x from
                                // one turn of a loop to the next and not vectorise
    int count;
} Row;

OND_GRID_INLINE Row row_of(const OndMatrix *m, size_t at)
{
    return (Row){m->face[0] + at,  m->face[1] + at, m->grid.deep ? m->face[2] + at : NULL,
                 m->diagonal + at, m->grid.cell,    m->grid.row,
                 m->grid.plane,    m->grid.n[0]};
}

// What the neighbours of cell i send.
OND_GRID_INLINE float around(const Row *m, const float *x, int i, const bool deep)
{
    const ptrdiff_t cell = m->cell, row = m->row, plane = m->plane;
    float sum = ond_stencil_sent(m->wx[i], x[i - cell], m->wx[i + 1], x[i + cell]);
    sum += ond_stencil_sent(m->wy[i], x[i - row], m->wy[i + row], x[i + row]);
    if (deep) sum += ond_stencil_sent(m->wz[i], x[i - plane], m->wz[i + plane], x[i + plane]);
    return sum;
}

// ---- residual: with differences, which are exact where neighbours are alike

OND_GRID_INLINE float pull(const Row *m, const float *x, int i, const bool deep)
{
    const ptrdiff_t cell = m->cell, row = m->row, plane = m->plane;
    const float here = x[i];
    float sum = ond_stencil_pull(m->wx[i], x[i - cell], m->wx[i + 1], x[i + cell], here);
    sum += ond_stencil_pull(m->wy[i], x[i - row], m->wy[i + row], x[i + row], here);
    if (deep) sum += ond_stencil_pull(m->wz[i], x[i - plane], m->wz[i + plane], x[i + plane], here);
    return sum;
}

OND_GRID_INLINE float all_weights(const Row *m, int i, const bool deep)
{
    const int flat = m->wx[i] + m->wx[i + 1] + m->wy[i] + m->wy[i + m->row];
    return (float)(deep ? flat + m->wz[i] + m->wz[i + m->plane] : flat);
}

OND_GRID_INLINE double residual_row(OndGridLoop *l, size_t at, double *second, const bool deep)
{
    const Row m = row_of(l->matrix, at);
    const float *restrict x = l->a + at, *b = l->b + at;
    float *out = l->x + at; // may be where b is
    const float scale = l->scale;
    double sum = 0.0, size = 0.0;
#ifndef __wasm__ // has no vectors of double
#pragma omp simd reduction(+ : sum, size)
#endif
    for (int i = 0; i < m.count; ++i) {
        const float d = m.diagonal[i], held = d - all_weights(&m, i, deep);
        const float r = scale * b[i] - held * x[i] - pull(&m, x, i, deep);
        const float kept = d > 0.0f ? r : 0.0f, term = d * x[i];
        out[i] = kept;
        sum += (double)kept * (double)kept;
        size += (double)term * (double)term;
    }
    *second += size;
    return sum;
}

// A step to a neighbour whose value is in two parts.
OND_GRID_INLINE double fall(const float *x, const float *low, int i, ptrdiff_t to)
{
    return ((double)x[i] - (double)x[i + to]) + ((double)low[i] - (double)low[i + to]);
}

// x + low is known to more than a float; so is what is left.
OND_GRID_INLINE double residual_pair(OndGridLoop *l, size_t at, const bool deep)
{
    const Row m = row_of(l->matrix, at);
    const ptrdiff_t cell = m.cell, row = m.row, plane = m.plane;
    const float *restrict x = l->a + at, *b = l->b + at, *restrict low = l->low + at;
    float *out = l->x + at; // may be where b is
    const double scale = (double)l->scale;
    double sum = 0.0;
#ifndef __wasm__
#pragma omp simd reduction(+ : sum)
#endif
    for (int i = 0; i < m.count; ++i) {
        const float d = m.diagonal[i], held = d - all_weights(&m, i, deep);
        double r = scale * (double)b[i] - (double)held * ((double)x[i] + (double)low[i]);
        r -= (double)m.wx[i] * fall(x, low, i, -cell) + (double)m.wx[i + 1] * fall(x, low, i, cell);
        r -= (double)m.wy[i] * fall(x, low, i, -row) + (double)m.wy[i + row] * fall(x, low, i, row);
        if (deep)
            r -= (double)m.wz[i] * fall(x, low, i, -plane) +
                 (double)m.wz[i + plane] * fall(x, low, i, plane);
        const double kept = d > 0.0f ? r : 0.0;
        out[i] = (float)kept;
        sum += kept * kept;
    }
    return sum;
}

double OND_GRID_LOOP(residual)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(residual)(OndGridLoop *l, int first, int last)
{
    const bool deep = l->matrix->grid.deep;
    double sum = 0.0, *second = &l->second;
    *second = 0.0;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        if (l->low)
            sum += FOR_DEPTH(deep, residual_pair, l, at);
        else
            sum += FOR_DEPTH(deep, residual_row, l, at, second);
    }
    return sum;
}

// ---- the right side's size

OND_GRID_INLINE double right_row(const OndGridLoop *l, size_t at, const bool deep)
{
    const Row m = row_of(l->matrix, at);
    const float *restrict x = l->a + at, *restrict b = l->b + at, *restrict d = m.diagonal;
    const ptrdiff_t cell = m.cell, row = m.row, plane = m.plane;
    const float scale = l->scale;
    double sum = 0.0;
#ifndef __wasm__
#pragma omp simd reduction(+ : sum)
#endif
    for (int i = 0; i < m.count; ++i) {
        float all = scale * b[i];
        all += d[i - cell] > 0.0f ? 0.0f : (float)m.wx[i] * x[i - cell];
        all += d[i + cell] > 0.0f ? 0.0f : (float)m.wx[i + 1] * x[i + cell];
        all += d[i - row] > 0.0f ? 0.0f : (float)m.wy[i] * x[i - row];
        all += d[i + row] > 0.0f ? 0.0f : (float)m.wy[i + row] * x[i + row];
        if (deep) {
            all += d[i - plane] > 0.0f ? 0.0f : (float)m.wz[i] * x[i - plane];
            all += d[i + plane] > 0.0f ? 0.0f : (float)m.wz[i + plane] * x[i + plane];
        }
        all = d[i] > 0.0f ? all : 0.0f;
        sum += (double)all * (double)all;
    }
    return sum;
}

double OND_GRID_LOOP(right)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(right)(OndGridLoop *l, int first, int last)
{
    double sum = 0.0;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        sum += FOR_DEPTH(l->matrix->grid.deep, right_row, l, at);
    }
    return sum;
}

// ---- A times a direction, which is 0 where there is no unknown

OND_GRID_INLINE double apply_row(const OndGridLoop *l, size_t at, const bool deep)
{
    const Row m = row_of(l->matrix, at);
    const float *restrict x = l->a + at;
    float *restrict out = l->x + at;
    double sum = 0.0;
#ifndef __wasm__
#pragma omp simd reduction(+ : sum)
#endif
    for (int i = 0; i < m.count; ++i) {
        const float d = m.diagonal[i], held = d - all_weights(&m, i, deep);
        const float all = held * x[i] + pull(&m, x, i, deep), kept = d > 0.0f ? all : 0.0f;
        out[i] = kept;
        sum += (double)x[i] * (double)kept;
    }
    return sum;
}

double OND_GRID_LOOP(apply)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(apply)(OndGridLoop *l, int first, int last)
{
    double sum = 0.0;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        sum += FOR_DEPTH(l->matrix->grid.deep, apply_row, l, at);
    }
    return sum;
}

// ---- what is left of the right side

OND_GRID_INLINE void rest_row(const OndGridLoop *l, size_t at, const bool deep)
{
    const Row m = row_of(l->matrix, at);
    const float *restrict x = l->a + at, *restrict b = l->b + at;
    float *restrict out = l->x + at;
#pragma omp simd
    for (int i = 0; i < m.count; ++i) {
        const float d = m.diagonal[i], r = ond_residual(b[i], around(&m, x, i, deep), d, x[i]);
        out[i] = d > 0.0f ? r : 0.0f;
    }
}

double OND_GRID_LOOP(rest)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(rest)(OndGridLoop *l, int first, int last)
{
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        FOR_DEPTH(l->matrix->grid.deep, rest_row, l, at);
    }
    return 0.0;
}

// ---- a step of Jacobi

OND_GRID_INLINE float jacobi(const Row *m, const float *x, float b, float step, int i,
                             const bool deep)
{
    const float d = m->diagonal[i], r = ond_residual(b, around(m, x, i, deep), d, x[i]);
    const float next = ond_jacobi(x[i], step, r, d);
    return d > 0.0f ? next : 0.0f;
}

OND_GRID_INLINE void smooth_row(const OndGridLoop *l, size_t at, const bool deep)
{
    const Row m = row_of(l->matrix, at);
    const float *restrict x = l->a + at, *restrict b = l->b + at;
    float *restrict out = l->x + at;
    const float step = l->step;
#pragma omp simd
    for (int i = 0; i < m.count; ++i)
        out[i] = jacobi(&m, x, b[i], step, i, deep);
}

double OND_GRID_LOOP(smooth)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(smooth)(OndGridLoop *l, int first, int last)
{
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        FOR_DEPTH(l->matrix->grid.deep, smooth_row, l, at);
    }
    return 0.0;
}

OND_GRID_INLINE double finish_row(const OndGridLoop *l, size_t at, const bool deep)
{
    const Row m = row_of(l->matrix, at);
    const float *restrict x = l->a + at, *restrict b = l->b + at;
    float *restrict out = l->x + at;
    const float step = l->step;
    double sum = 0.0;
#ifndef __wasm__
#pragma omp simd reduction(+ : sum)
#endif
    for (int i = 0; i < m.count; ++i) {
        const float next = jacobi(&m, x, b[i], step, i, deep);
        out[i] = next;
        sum += (double)b[i] * (double)next;
    }
    return sum;
}

double OND_GRID_LOOP(finish)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(finish)(OndGridLoop *l, int first, int last)
{
    double sum = 0.0;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        sum += FOR_DEPTH(l->matrix->grid.deep, finish_row, l, at);
    }
    return sum;
}

// ---- one colour of Gauss-Seidel. In packed rows (sweep.h) cells with even i stand before those
// with odd i: neighbours along x are in the other half, those along y and z in the same, and none
// of them is written in this pass.

OND_GRID_INLINE void relax_row(const OndGridLoop *l, size_t at, int odd, const bool deep)
{
    const Row m = row_of(l->matrix, at);
    const ptrdiff_t row = m.row, plane = m.plane, half = row / 2;
    const uint8_t *restrict wx = m.wx + odd, *restrict wy = m.wy + odd;
    const uint8_t *restrict wz = deep ? m.wz + odd : NULL;
    const float *restrict diagonal = m.diagonal + odd, *restrict b = l->b + at + odd;
    const float *other = l->x + at + (odd ? 0 : half - 1);
    float *same = l->x + at + (odd ? half : 0);
    const int count = (m.count + 1 - odd) / 2;
    const float scale = l->scale, step = l->step;
#pragma omp simd
    for (int k = 0; k < count; ++k) {
        const int i = 2 * k;
        const float d = diagonal[i], old = same[k];
        float sum = scale * b[i] + (float)wx[i] * other[k] + (float)wx[i + 1] * other[k + 1];
        sum += ond_stencil_sent(wy[i], same[k - row], wy[i + row], same[k + row]);
        if (deep) sum += ond_stencil_sent(wz[i], same[k - plane], wz[i + plane], same[k + plane]);
        const float next = ond_over_relax(old, step, sum, d);
        same[k] = d > 0.0f ? next : old;
    }
}

double OND_GRID_LOOP(relax)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(relax)(OndGridLoop *l, int first, int last)
{
    const OndGrid *g = &l->matrix->grid;
    for (int r = first; r < last; ++r) {
        const int odd = (l->colour + r % g->n[1] + r / g->n[1]) & 1;
        FOR_DEPTH(g->deep, relax_row, l, ond_grid_row(g, r), odd);
    }
    return 0.0;
}

// SPDX-License-Identifier: MIT
// Loops over cells alone.
#include "grid/loops/loops.h"

double OND_GRID_LOOP(divide)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(divide)(OndGridLoop *l, int first, int last)
{
    const int count = l->matrix->grid.n[0];
    const float step = l->step;
    double sum = 0.0;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        const float *restrict b = l->b + at, *restrict diagonal = l->matrix->diagonal + at;
        float *restrict x = l->x + at;
#ifndef __wasm__ // has no vectors of double
#pragma omp simd reduction(+ : sum)
#endif
        for (int i = 0; i < count; ++i) {
            const float d = diagonal[i], next = step * (b[i] / d), kept = d > 0.0f ? next : 0.0f;
            x[i] = kept;
            sum += (double)b[i] * (double)kept;
        }
    }
    return sum;
}

double OND_GRID_LOOP(correct)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(correct)(OndGridLoop *l, int first, int last)
{
    const int count = l->matrix->grid.n[0];
    const float step = l->step;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        const float *restrict b = l->b + at, *restrict diagonal = l->matrix->diagonal + at;
        float *restrict x = l->x + at;
#pragma omp simd
        for (int i = 0; i < count; ++i) {
            const float d = diagonal[i], next = x[i] + step * (b[i] / d);
            x[i] = d > 0.0f ? next : x[i];
        }
    }
    return 0.0;
}

double OND_GRID_LOOP(dot)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(dot)(OndGridLoop *l, int first, int last)
{
    const int count = l->matrix->grid.n[0];
    double sum = 0.0;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        const float *restrict a = l->a + at, *restrict b = l->b + at;
#ifndef __wasm__
#pragma omp simd reduction(+ : sum)
#endif
        for (int i = 0; i < count; ++i)
            sum += (double)a[i] * (double)b[i];
    }
    return sum;
}

OND_GRID_INLINE double advance_row(const OndGridLoop *l, size_t at, const bool pair)
{
    const int count = l->matrix->grid.n[0];
    const float *restrict a = l->a + at, *restrict b = l->b + at;
    float *restrict x = l->x + at, *restrict y = l->y + at,
                    *restrict low = pair ? l->low + at : NULL;
    const float step = l->step;
    double sum = 0.0;
#ifndef __wasm__
#pragma omp simd reduction(+ : sum)
#endif
    for (int i = 0; i < count; ++i) {
        const float more = pair ? low[i] + step * a[i] : step * a[i];
        const float next = x[i] + more, left = y[i] - step * b[i];
        if (pair) low[i] = more - (next - x[i]);
        x[i] = next;
        y[i] = left;
        sum += (double)left * (double)left;
    }
    return sum;
}

double OND_GRID_LOOP(advance)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(advance)(OndGridLoop *l, int first, int last)
{
    double sum = 0.0;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        sum += l->low ? advance_row(l, at, true) : advance_row(l, at, false);
    }
    return sum;
}

double OND_GRID_LOOP(turn)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(turn)(OndGridLoop *l, int first, int last)
{
    const int count = l->matrix->grid.n[0];
    const float step = l->step;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(&l->matrix->grid, r);
        const float *restrict a = l->a + at;
        float *restrict x = l->x + at;
#pragma omp simd
        for (int i = 0; i < count; ++i)
            x[i] = a[i] + step * x[i];
    }
    return 0.0;
}

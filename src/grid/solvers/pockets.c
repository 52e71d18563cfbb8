// SPDX-License-Identifier: MIT
// Closed pockets: parts of the domain from which no open way leads to a given value.
//
// Rows are cut into runs of cells that follow each other through open faces; runs of neighbouring
// rows that touch through one are joined (union-find). A part is closed when nothing holds any of
// its cells: the diagonal is then exactly the sum of the weights to other unknowns, which floats
// show exactly, as all of these are whole numbers.
#include "grid/solvers/system.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

typedef struct PocketFinder {
    const OndMatrix *m;
    OndPocketRun *run; // `pocket` is the parent while joining
    int runs, room;
    int *first; // run of each row; one more at the end
    bool *held; // of each root
} PocketFinder;

void ond_pockets_free(OndPockets *p)
{
    ond_free(p->run);
    ond_free(p->cells);
    ond_free(p->sum);
    *p = (OndPockets){0};
}

// ---- runs

static int walk_row(const OndMatrix *m, size_t at, OndPocketRun *out)
{
    int count = 0;
    for (int i = 0; i < m->grid.n[0]; ++i) {
        if (!(m->diagonal[at + (size_t)i] > 0.0f)) continue;
        OndPocketRun run = {at + (size_t)i, 1, 0};
        while (i + 1 < m->grid.n[0] && m->diagonal[at + (size_t)i + 1] > 0.0f &&
               m->face[0][at + (size_t)i + 1])
            ++run.length, ++i;
        if (out) out[count] = run;
        ++count;
    }
    return count;
}

static void count_rows(int first, int last, int worker, void *context)
{
    const PocketFinder *f = context;
    for (int r = first; r < last; ++r)
        f->first[r + 1] = walk_row(f->m, ond_grid_row(&f->m->grid, r), NULL);
}

static void fill_rows(int first, int last, int worker, void *context)
{
    const PocketFinder *f = context;
    for (int r = first; r < last; ++r) {
        walk_row(f->m, ond_grid_row(&f->m->grid, r), f->run + f->first[r]);
        for (int k = f->first[r]; k < f->first[r + 1]; ++k)
            f->run[k].pocket = k;
    }
}

static OndStatus find_runs(PocketFinder *f, OndError *err)
{
    const OndGrid *g = &f->m->grid;
    long long total = 0;
    f->first = OND_NEW_ARRAY(int, (size_t)g->rows + 1);
    if (f->first) ond_parallel_for(g->rows, g->block, count_rows, f);
    for (int r = 0; f->first && r < g->rows && total < INT32_MAX / 2; ++r) {
        total += f->first[r + 1];
        f->first[r + 1] = (int)total;
    }
    f->run = total < INT32_MAX / 2 ? OND_NEW_ARRAY(OndPocketRun, total) : NULL;
    f->held = f->run ? OND_NEW_ARRAY(bool, total) : NULL;
    if (!f->first || !f->run || !f->held)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory to find closed pockets");
    f->runs = (int)total;
    ond_parallel_for(g->rows, g->block, fill_rows, f);
    return OND_OK;
}

// ---- joining

static int root_of(PocketFinder *f, int k)
{
    while (f->run[k].pocket != k) {
        f->run[k].pocket = f->run[f->run[k].pocket].pocket;
        k = f->run[k].pocket;
    }
    return k;
}

static void join(PocketFinder *f, int a, int b)
{
    a = root_of(f, a), b = root_of(f, b);
    if (a < b)
        f->run[b].pocket = a;
    else
        f->run[a].pocket = b;
}

// Runs a and b of rows that lie `to` apart: is a face between them open? It lies at b's row.
static bool touch(const uint8_t *face, const OndPocketRun *a, const OndPocketRun *b, size_t to)
{
    const size_t first = a->at + to > b->at ? a->at + to : b->at;
    const size_t end_a = a->at + to + (size_t)a->length, end_b = b->at + (size_t)b->length;
    for (size_t c = first; c < end_a && c < end_b; ++c)
        if (face[c]) return true;
    return false;
}

static void join_rows(PocketFinder *f, int low, int high, int axis)
{
    const OndGrid *g = &f->m->grid;
    const uint8_t *face = f->m->face[axis];
    const size_t from = ond_grid_row(g, low), to = ond_grid_row(g, high);
    int b = f->first[high];
    for (int a = f->first[low]; a < f->first[low + 1]; ++a) {
        const size_t begin = f->run[a].at - from, end = begin + (size_t)f->run[a].length;
        while (b < f->first[high + 1] && f->run[b].at + (size_t)f->run[b].length - to <= begin)
            ++b;
        for (int c = b; c < f->first[high + 1] && f->run[c].at - to < end; ++c)
            if (touch(face, &f->run[a], &f->run[c], to - from)) join(f, a, c);
    }
}

// Row ends that meet round a periodic axis.
static void join_ends(PocketFinder *f, int r)
{
    const OndGrid *g = &f->m->grid;
    const size_t at = ond_grid_row(g, r), last = at + (size_t)g->n[0] - 1;
    const int a = f->first[r], b = f->first[r + 1] - 1;
    if (b < a || !f->m->face[0][at] || f->run[a].at != at) return;
    if (f->run[b].at + (size_t)f->run[b].length - 1 == last) join(f, a, b);
}

// The faces between a periodic axis's last and first cells lie at the first.
static void join_all(PocketFinder *f)
{
    const OndGrid *g = &f->m->grid;
    const int ny = g->n[1], round = (g->n[2] - 1) * ny;
    for (int r = 0; r < g->rows; ++r) {
        const int j = r % ny, k = r / ny;
        if (g->periodic[0]) join_ends(f, r);
        if (j > 0) join_rows(f, r - 1, r, 1);
        if (k > 0) join_rows(f, r - ny, r, 2);
        if (j == 0 && g->periodic[1]) join_rows(f, r + ny - 1, r, 1);
        if (k == 0 && g->periodic[2]) join_rows(f, r + round, r, 2);
    }
}

// ---- which are closed

static float weight_to_unknowns(const OndMatrix *m, size_t c)
{
    const OndGrid *g = &m->grid;
    float sum = 0.0f;
    for (int a = 0; a < ond_grid_axes(g); ++a) {
        const size_t step = (size_t)ond_grid_stride(g, a);
        const size_t low = c - step, high = c + step;
        sum += m->diagonal[low] > 0.0f ? (float)m->face[a][c] : 0.0f;
        sum += m->diagonal[high] > 0.0f ? (float)m->face[a][high] : 0.0f;
    }
    return sum;
}

static void hold_rows(int first, int last, int worker, void *context)
{
    const PocketFinder *f = context;
    for (int k = f->first[first]; k < f->first[last]; ++k) {
        const OndPocketRun *run = &f->run[k];
        for (int i = 0; i < run->length && !f->held[k]; ++i) {
            const size_t c = run->at + (size_t)i;
            f->held[k] = f->m->diagonal[c] > weight_to_unknowns(f->m, c);
        }
    }
}

// Roots come before the runs that hang on them, so one pass numbers all. Returns how many.
static int number_pockets(PocketFinder *f, int *number, int *closed_runs)
{
    int count = 0;
    for (int k = 0; k < f->runs; ++k) {
        const int root = root_of(f, k);
        f->held[root] = f->held[root] || f->held[k];
    }
    for (int k = 0; k < f->runs; ++k) {
        const int root = root_of(f, k);
        if (root == k) number[k] = f->held[k] ? -1 : count++;
        number[k] = number[root];
        *closed_runs += number[k] >= 0;
    }
    return count;
}

static OndStatus keep(OndPockets *p, const PocketFinder *f, const int *number, OndError *err)
{
    p->run = OND_NEW_ARRAY(OndPocketRun, p->runs);
    p->cells = OND_NEW_ARRAY(double, p->count);
    p->sum = OND_NEW_ARRAY(double, (size_t)p->runs + 2 * (size_t)p->count);
    if (!p->run || !p->cells || !p->sum) {
        ond_pockets_free(p);
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d closed pockets", p->count);
    }
    int at = 0;
    for (int k = 0; k < f->runs; ++k) {
        if (number[k] < 0) continue;
        p->run[at] = f->run[k];
        p->run[at++].pocket = number[k];
        p->cells[number[k]] += f->run[k].length;
    }
    return OND_OK;
}

OndStatus ond_pockets_find(OndPockets *p, const OndMatrix *matrix, OndError *err)
{
    PocketFinder f = {.m = matrix};
    ond_pockets_free(p);
    OndStatus status = find_runs(&f, err);
    int *number = status == OND_OK ? OND_NEW_ARRAY(int, f.runs) : NULL;
    if (status == OND_OK && !number)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory to find closed pockets");
    if (status == OND_OK) {
        join_all(&f);
        ond_parallel_for(matrix->grid.rows, matrix->grid.block, hold_rows, &f);
        p->count = number_pockets(&f, number, &p->runs);
        if (p->count) status = keep(p, &f, number, err);
    }
    ond_free(number);
    ond_free(f.first);
    ond_free(f.run);
    ond_free(f.held);
    return status;
}

// ---- sums over them

typedef struct Summing {
    const OndPockets *p;
    const float *values;
    float *out;
    bool sizes; // of |x|, not x
} Summing;

static void sum_runs(int first, int last, int worker, void *context)
{
    const Summing *s = context;
    for (int r = first; r < last; ++r) {
        const float *values = s->values + s->p->run[r].at;
        const int length = s->p->run[r].length;
        double sum = 0.0;
#ifndef __wasm__ // has no vectors of double
#pragma omp simd reduction(+ : sum)
#endif
        for (int i = 0; i < length; ++i)
            sum += (double)(s->sizes ? fabsf(values[i]) : values[i]);
        s->p->sum[r] = sum;
    }
}

static void level_runs(int first, int last, int worker, void *context)
{
    const Summing *s = context;
    for (int r = first; r < last; ++r) {
        const OndPocketRun *run = &s->p->run[r];
        const float mean = (float)(s->p->sum[s->p->runs + run->pocket] / s->p->cells[run->pocket]);
        float *out = s->out + run->at;
        for (int i = 0; i < run->length; ++i)
            out[i] -= mean;
    }
}

#define GRAIN 64 // runs

// The sum over each pocket; they stand behind those over runs.
static double *sum_pockets(const OndPockets *p, const float *values, bool sizes)
{
    double *total = p->sum + p->runs;
    Summing s = {.p = p, .values = values, .sizes = sizes};
    ond_parallel_for(p->runs, GRAIN, sum_runs, &s);
    memset(total, 0, (size_t)p->count * sizeof *total);
    for (int r = 0; r < p->runs; ++r)
        total[p->run[r].pocket] += p->sum[r];
    return total;
}

OndStatus ond_pockets_check(const OndPockets *p, const OndGrid *grid, const float *b,
                            const OndNetLimit *limit, OndError *err)
{
    if (p->count == 0) return OND_OK;
    double *size = p->sum + p->runs + p->count;
    memcpy(size, sum_pockets(p, b, true), (size_t)p->count * sizeof *size);
    const double *net = sum_pockets(p, b, false);
    int worst = -1;
    for (int k = 0; k < p->count; ++k) {
        const bool fine = fabs(net[k]) <= limit->share * size[k] + limit->floor * p->cells[k];
        if (!fine && (worst < 0 || fabs(net[k]) > fabs(net[worst]))) worst = k;
    }
    if (worst < 0) return OND_OK;
    const double volume = grid->deep ? grid->h * grid->h * grid->h : grid->h * grid->h;
    return ond_fail(
        err, OND_BAD_VALUE,
        "closed domain with net inflow: over the %.0f cells that no open side reaches the "
        "right side sums to %.4g (times volume: %.4g), its sizes to %.4g, and there is no "
        "solution; open a side, or let out what comes in",
        p->cells[worst], net[worst], net[worst] * volume, size[worst]);
}

void ond_pockets_level(const OndPockets *p, float *x)
{
    if (p->count == 0) return;
    sum_pockets(p, x, false);
    Summing s = {.p = p, .out = x};
    ond_parallel_for(p->runs, GRAIN, level_runs, &s);
}

// SPDX-License-Identifier: MIT
// A dense solve: constraints to one function.
//
//     [ Phi + S   P ] [d]   [h]       Phi_ij = phi(c_i - c_j), S slack on the diagonal,
//     [ P^T       0 ] [c] = [0]       P: a row (1, x, y, z) for each constraint    [Pouchol 1.37]
//
// The source solves this by LU. Both phi are positive definite on all d with P^T d = 0, so turning
// the space until P = Q [R; 0] leaves a positive definite block, half the work and no pivoting:
//
//     d = Q [0; y],  (Q^T Phi Q)_22 y = (Q^T h)_2,  R c = (Q^T h)_1 - (Q^T Phi Q)_12 y
//
// Q is a product of a few reflections. A column of P that depends on those before it (all
// constraints in a plane) is left out: the function is then constant across that plane.
#include "base/memory.h"
#include "surface/dense.h"
#include "surface/fields/variational.h"

#include <string.h>

#define TERMS       5    // 1, x, y, z, t
#define DEPENDENT   1e-7 // of a column's length is left after the others: it depends on them
#define FIRST_RIDGE 1e-9 // added when rounding spoils definiteness, then ten times as much
#define RIDGES      9

typedef struct FitWork {
    int n, terms;
    double *a;       // n x n
    double *h;       // right side
    double *mirror;  // TERMS x n: reflections
    double *column;  // TERMS x n: P, then R in the first rows
    double *scratch; // n
    bool kept[TERMS];
    int rank;
} FitWork;

static double phi(double r2, int dimension)
{
    if (dimension == 2) return r2 > 0.0 ? 0.5 * r2 * log(r2) : 0.0;
    return r2 * sqrt(r2);
}

// ---- the system

static void fill_row(const OndPatch *p, int i, double *row)
{
    double r2[8];
    for (int first = 0; first < p->count; first += 8) {
        const int last = first + 8 < p->count ? first + 8 : p->count;
        for (int j = first; j < last; ++j) {
            r2[j - first] = 0.0;
            for (int a = 0; a < p->dimension; ++a) {
                const double dx = p->at[a][j] - p->at[a][i];
                r2[j - first] += dx * dx;
            }
        }
        for (int j = first; j < last; ++j)
            row[j] = phi(r2[j - first], p->dimension);
    }
}

static void fill(FitWork *w, const OndPatch *p, const double *slack, double ridge)
{
    for (int i = 0; i < w->n; ++i) {
        double *row = w->a + (size_t)i * w->n;
        fill_row(p, i, row);
        row[i] += slack[i] + ridge;
        w->column[i] = 1.0;
        for (int a = 0; a < p->dimension; ++a)
            w->column[(a + 1) * w->n + i] = p->at[a][i];
    }
}

// ---- reflections H = 1 - 2 v v^T with |v| = 1

static void reflect(const double *v, double *x, int n)
{
    const double twice = 2.0 * ond_dense_dot(v, x, n);
    for (int k = 0; k < n; ++k)
        x[k] -= twice * v[k];
}

// A becomes H A H.
static void reflect_both_sides(const double *restrict v, double *a, double *restrict p, int n)
{
    for (int i = 0; i < n; ++i)
        p[i] = 2.0 * ond_dense_dot(a + (size_t)i * n, v, n);
    const double half = ond_dense_dot(p, v, n);
    for (int i = 0; i < n; ++i)
        p[i] -= half * v[i];
    for (int i = 0; i < n; ++i) {
        double *restrict row = a + (size_t)i * n;
        const double vi = v[i], pi = p[i];
        for (int j = 0; j < n; ++j)
            row[j] -= vi * p[j] + pi * v[j];
    }
}

// The reflection that clears `x` below row `top`; false when there is next to nothing to clear.
static bool make_mirror(const double *x, int top, int n, double *v)
{
    const double rest = sqrt(ond_dense_dot(x + top, x + top, n - top)),
                 whole = sqrt(ond_dense_dot(x, x, n));
    if (!(rest > DEPENDENT * whole) || !(rest > DEPENDENT)) return false;
    memset(v, 0, (size_t)n * sizeof *v);
    memcpy(v + top, x + top, (size_t)(n - top) * sizeof *v);
    v[top] += x[top] < 0.0 ? -rest : rest;
    const double length = sqrt(ond_dense_dot(v, v, n));
    for (int k = top; k < n; ++k)
        v[k] /= length;
    return true;
}

// P becomes [R; 0]; A and h are turned with it.
static void turn(FitWork *w)
{
    const int n = w->n;
    w->rank = 0;
    for (int c = 0; c < w->terms; ++c) {
        double *v = w->mirror + (size_t)w->rank * n;
        w->kept[c] = w->rank < n && make_mirror(w->column + (size_t)c * n, w->rank, n, v);
        if (!w->kept[c]) continue;
        for (int k = c; k < w->terms; ++k)
            reflect(v, w->column + (size_t)k * n, n);
        reflect(v, w->h, n);
        reflect_both_sides(v, w->a, w->scratch, n);
        ++w->rank;
    }
}

// ---- the solution

static void find_plane(const FitWork *w, OndPatch *p)
{
    const int n = w->n;
    double right[TERMS];
    int term[TERMS], rank = 0;
    for (int c = 0; c < w->terms; ++c)
        if (w->kept[c]) term[rank++] = c;
    for (int r = 0; r < rank; ++r)
        right[r] = w->h[r] - ond_dense_dot(w->a + (size_t)r * n + rank, p->weight + rank, n - rank);
    for (int r = rank - 1; r >= 0; --r) {
        for (int k = r + 1; k < rank; ++k)
            right[r] -= w->column[(size_t)term[k] * n + r] * p->plane[term[k]];
        p->plane[term[r]] = right[r] / w->column[(size_t)term[r] * n + r];
    }
}

// The block below the rank, copied out because the factor overwrites it.
static bool find_weights(const FitWork *w, OndPatch *p, double *block)
{
    const int n = w->n, rank = w->rank, rest = n - rank;
    for (int i = 0; i < rest; ++i)
        memcpy(block + (size_t)i * rest, w->a + (size_t)(i + rank) * n + rank,
               (size_t)(i + 1) * sizeof *block);
    memset(p->weight, 0, (size_t)n * sizeof *p->weight);
    memcpy(p->weight + rank, w->h + rank, (size_t)rest * sizeof *p->weight);
    return ond_dense_solve(rest, block, rest, p->weight + rank);
}

static bool solve(FitWork *w, OndPatch *p, const double *value, const double *slack, double ridge)
{
    double *block = w->a + (size_t)w->n * w->n;
    memset(p->plane, 0, sizeof p->plane);
    memcpy(w->h, value, (size_t)w->n * sizeof *value);
    fill(w, p, slack, ridge);
    turn(w);
    if (!find_weights(w, p, block)) return false;
    find_plane(w, p);
    for (int k = w->rank - 1; k >= 0; --k)
        reflect(w->mirror + (size_t)k * w->n, p->weight, w->n);
    return true;
}

// ---- taking constraints

static void take_box(OndPatch *p, const OndConstraint *list, const uint32_t *which)
{
    double half = 0.0;
    for (int a = 0; a < p->dimension; ++a) {
        double low = list[which[0]].at[a], high = low;
        for (int k = 1; k < p->count; ++k) {
            low = fmin(low, list[which[k]].at[a]);
            high = fmax(high, list[which[k]].at[a]);
        }
        p->centre[a] = 0.5 * (low + high);
        half = fmax(half, 0.5 * (high - low));
    }
    p->scale = half > 0.0 ? 1.0 / half : 1.0 / list[which[0]].size;
}

static void take(OndPatch *p, const OndConstraint *list, const uint32_t *which, double *value,
                 double *slack)
{
    take_box(p, list, which);
    for (int k = 0; k < p->count; ++k) {
        const OndConstraint *c = &list[which[k]];
        for (int a = 0; a < p->dimension; ++a)
            p->at[a][k] = (c->at[a] - p->centre[a]) * p->scale;
        const double size = c->size * p->scale;
        value[k] = c->value;
        slack[k] = c->slack * (p->dimension == 2 ? size * size : size * size * size);
    }
}

static bool make_room(OndPatch *p, int count, int dimension)
{
    const size_t row = ((size_t)count + 7) / 8 * 8;
    memset(p, 0, sizeof *p);
    p->dimension = dimension, p->count = count;
    double *block = OND_NEW_ARRAY(double, row *(size_t)(dimension + 1));
    if (!block) return false;
    for (int a = 0; a < dimension; ++a)
        p->at[a] = block + row * (size_t)a;
    p->weight = block + row * (size_t)dimension;
    return true;
}

static OndStatus fit(OndPatch *p, FitWork *w, double *value, double *slack, OndError *err)
{
    double ridge = 0.0;
    for (int round = 0; round < RIDGES; ++round) {
        if (solve(w, p, value, slack, ridge)) return OND_OK;
        ridge = round == 0 ? FIRST_RIDGE : ridge * 10.0;
    }
    return ond_fail(err, OND_BAD_VALUE,
                    "%d constraints of a variational surface have no solution: they coincide, or "
                    "are not finite",
                    p->count);
}

OndStatus ond_patch_fit(OndPatch *patch, const OndConstraint *list, const uint32_t *which,
                        int count, int dimension, OndError *err)
{
    const size_t n = (size_t)count;
    double *store = OND_NEW_ARRAY(double, 2 * n * n + (2 * TERMS + 4) * n);
    OndStatus status = OND_NO_MEMORY;
    if (make_room(patch, count, dimension) && store) {
        FitWork w = {.n = count, .terms = dimension + 1, .a = store};
        w.mirror = store + 2 * n * n;
        w.column = w.mirror + TERMS * n;
        w.h = w.column + TERMS * n;
        w.scratch = w.h + n;
        double *value = w.scratch + n, *slack = value + n;
        take(patch, list, which, value, slack);
        status = fit(patch, &w, value, slack, err);
    } else {
        ond_fail(err, status, "not enough memory for a dense system of %d constraints", count);
    }
    ond_free(store);
    if (status != OND_OK) ond_patch_free(patch);
    return status;
}

void ond_patch_free(OndPatch *patch)
{
    ond_free(patch->at[0]);
    memset(patch, 0, sizeof *patch);
}

// ---- asking

double ond_patch_value(const OndPatch *p, const double at[4], double slope[4])
{
    double x[4] = {0}, gradient[4], value = p->plane[0];
    for (int a = 0; a < p->dimension; ++a) {
        x[a] = (at[a] - p->centre[a]) * p->scale;
        value += p->plane[a + 1] * x[a];
        gradient[a] = p->plane[a + 1];
    }
    for (int j = 0; j < p->count; ++j) {
        double d[4], r2 = 0.0;
        for (int a = 0; a < p->dimension; ++a)
            d[a] = x[a] - p->at[a][j], r2 += d[a] * d[a];
        value += p->weight[j] * phi(r2, p->dimension);
        const double steep = p->dimension == 2 ? (r2 > 0.0 ? log(r2) + 1.0 : 0.0) : 3.0 * sqrt(r2);
        for (int a = 0; a < p->dimension; ++a)
            gradient[a] += p->weight[j] * steep * d[a];
    }
    for (int a = 0; slope && a < p->dimension; ++a)
        slope[a] = gradient[a] * p->scale;
    return value;
}

static inline void add_cubes(const double *restrict x, double cx, double rest, double weight,
                             double *restrict value)
{
    for (int k = 0; k < OND_BLOCK; ++k) {
        const double dx = x[k] - cx, r2 = dx * dx + rest;
        value[k] += weight * (r2 * sqrt(r2));
    }
}

static void add_logs(const double *x, double cx, double rest, double weight, double *value)
{
    for (int k = 0; k < OND_BLOCK; ++k) {
        const double dx = x[k] - cx;
        value[k] += weight * phi(dx * dx + rest, 2);
    }
}

void ond_patch_row(const OndPatch *p, const double *x, const double at[4], double *value)
{
    double local[OND_BLOCK], sum[OND_BLOCK], other[4] = {0}, flat = p->plane[0];
    for (int a = 1; a < p->dimension; ++a) {
        other[a] = (at[a] - p->centre[a]) * p->scale;
        flat += p->plane[a + 1] * other[a];
    }
    for (int k = 0; k < OND_BLOCK; ++k) {
        local[k] = (x[k] - p->centre[0]) * p->scale;
        sum[k] = flat + p->plane[1] * local[k];
    }
    for (int j = 0; j < p->count; ++j) {
        double rest = 0.0;
        for (int a = 1; a < p->dimension; ++a)
            rest += (other[a] - p->at[a][j]) * (other[a] - p->at[a][j]);
        if (p->dimension == 2)
            add_logs(local, p->at[0][j], rest, p->weight[j], sum);
        else
            add_cubes(local, p->at[0][j], rest, p->weight[j], sum);
    }
    memcpy(value, sum, sizeof sum);
}

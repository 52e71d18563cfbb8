// SPDX-License-Identifier: MIT
// Random domains for the linear solvers, and the obvious way to solve them: a dense matrix, written
// down from the faces, and elimination in double.
#ifndef OND_TESTS_POISSONS_H
#define OND_TESTS_POISSONS_H

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "grid/solvers/solver.h"

#include <stdlib.h>

#define DENSE_MOST 800

typedef struct Domain {
    const char *name;
    int n[3];
    bool periodic[3];
    double solid;   // share of cells that are solid
    double partial; // share of faces that are open in part
    int open;       // bits of OndGridSide
    double given;   // share of cells whose value is given
    double held;    // share of cells that are held by something near
    OndEquation equation;
} Domain;

typedef struct Case {
    OndGrid grid;
    OndSystem *system;
    float *b, *x, *low;
    double *exact; // by cell number i + nx (j + ny k)
} Case;

static inline double chance(uint64_t cell, uint64_t stream, uint64_t seed)
{
    return (double)ond_random(cell, stream + 100 * seed);
}

static inline int cell_number(const OndGrid *g, int i, int j, int k)
{
    return i + g->n[0] * (j + g->n[1] * k);
}

// Calls out every cell.
#define EACH_CELL(g)                                                                               \
    for (int k = 0; k < (g)->n[2]; ++k)                                                            \
        for (int j = 0; j < (g)->n[1]; ++j)                                                        \
            for (int i = 0; i < (g)->n[0]; ++i)

static inline bool is_solid(const Domain *d, const OndGrid *g, int i, int j, int k, uint64_t seed)
{
    return chance((uint64_t)cell_number(g, i, j, k), 1, seed) < d->solid;
}

// Faces of solid cells are closed, some others open in part.
static inline void carve(Case *c, const Domain *d, uint64_t seed)
{
    const OndGrid *g = &c->grid;
    for (int side = 0; side < 6; ++side)
        if (d->open & 1 << side) ond_system_open(c->system, (OndGridSide)side);
    EACH_CELL(g)
    {
        const bool solid = is_solid(d, g, i, j, k, seed);
        const uint64_t cell = (uint64_t)cell_number(g, i, j, k);
        for (int a = 0; a < ond_grid_axes(g); ++a) {
            int low[3] = {i, j, k}, high[3] = {i, j, k};
            high[a] += 1;
            if (g->periodic[a]) high[a] %= g->n[a];
            if (solid) ond_system_face(c->system, a, low[0], low[1], low[2], 0.0);
            if (solid) ond_system_face(c->system, a, high[0], high[1], high[2], 0.0);
            const double part = chance(cell, 10 + (uint64_t)a, seed);
            uint8_t *face = &c->system->matrix.face[a][ond_grid_at(g, i, j, k)];
            if (*face && part < d->partial) *face = (uint8_t)(part / d->partial * 255.0);
        }
        if (!solid && chance(cell, 2, seed) < d->given) {
            ond_system_fix(c->system, i, j, k);
            c->x[ond_grid_at(g, i, j, k)] = (float)(2.0 * chance(cell, 3, seed) - 1.0);
        } else if (!solid && chance(cell, 4, seed) < d->held) {
            ond_system_hold(c->system, i, j, k, 0.1 + 0.9 * chance(cell, 5, seed));
        }
    }
}

// ---- dense

typedef struct Dense {
    int count;
    double *a, *b; // count rows of count, and the right side
    int *row;      // of each cell, -1
} Dense;

static inline void join(const Case *c, Dense *m, int row, const int at[3], double w, double unit)
{
    const OndGrid *g = &c->grid;
    int to[3] = {at[0], at[1], at[2]};
    for (int a = 0; a < 3; ++a)
        if (g->periodic[a]) to[a] = (to[a] + g->n[a]) % g->n[a];
    bool inside = true;
    for (int a = 0; a < 3; ++a)
        inside = inside && to[a] >= 0 && to[a] < g->n[a];
    const int other = inside ? m->row[cell_number(g, to[0], to[1], to[2])] : -1;
    m->a[row * m->count + row] += w * unit;
    if (other >= 0)
        m->a[row * m->count + other] -= w * unit;
    else
        m->b[row] += w * unit * (double)c->x[ond_grid_at(g, to[0], to[1], to[2])];
}

// x with mean 0 in a closed pocket: add 1 to all pairs of its cells.
static inline void pin(Dense *m, const int *pocket, int which)
{
    double sum = 0.0, cells = 0.0;
    for (int r = 0; r < m->count; ++r)
        if (pocket[r] == which) sum += m->b[r], cells += 1.0;
    for (int r = 0; r < m->count; ++r) {
        if (pocket[r] != which) continue;
        m->b[r] -= sum / cells;
        for (int q = 0; q < m->count; ++q)
            if (pocket[q] == which) m->a[r * m->count + q] += 1.0;
    }
}

// Parts that hang together, and whether their rows all sum to 0.
static inline void pin_pockets(Dense *m, double unit)
{
    int *pocket = malloc((size_t)m->count * sizeof *pocket);
    double *rest = calloc((size_t)m->count, sizeof *rest);
    for (int r = 0; r < m->count; ++r) {
        pocket[r] = r;
        for (int q = 0; q < m->count; ++q)
            rest[r] += m->a[r * m->count + q];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int r = 0; r < m->count; ++r)
            for (int q = 0; q < m->count; ++q)
                if (m->a[r * m->count + q] != 0.0 && pocket[q] < pocket[r])
                    pocket[r] = pocket[q], changed = true;
    }
    for (int p = 0; p < m->count; ++p) {
        bool closed = pocket[p] == p;
        for (int r = 0; r < m->count; ++r)
            closed = closed && (pocket[r] != p || fabs(rest[r]) < 1e-9 * unit);
        if (closed) pin(m, pocket, p);
    }
    free(pocket);
    free(rest);
}

static inline void eliminate(Dense *m)
{
    const int n = m->count;
    for (int p = 0; p < n; ++p) { // symmetric positive definite: no pivoting
        const double *from = m->a + p * n;
        assert_true(from[p] > 0.0);
        for (int r = p + 1; r < n; ++r) {
            const double f = m->a[r * n + p] / from[p];
            if (f == 0.0) continue;
            for (int q = p; q < n; ++q)
                m->a[r * n + q] -= f * from[q];
            m->b[r] -= f * m->b[p];
        }
    }
    for (int p = n - 1; p >= 0; --p) {
        for (int q = p + 1; q < n; ++q)
            m->b[p] -= m->a[p * n + q] * m->b[q];
        m->b[p] /= m->a[p * n + p];
    }
}

// The rows are those cells that the test itself finds to be unknown.
static inline void solve_dense(Case *c, const Domain *d, const double *hold, uint64_t seed)
{
    const OndGrid *g = &c->grid;
    const double unit = d->equation.coefficient / (g->h * g->h);
    const int cells = (int)ond_grid_cells(g);
    Dense m = {.row = malloc((size_t)cells * sizeof(int))};
    EACH_CELL(g)
    {
        const int cell = cell_number(g, i, j, k);
        int open = 0;
        for (int a = 0; a < ond_grid_axes(g); ++a) {
            int high[3] = {i, j, k};
            high[a] += 1;
            if (g->periodic[a]) high[a] %= g->n[a];
            open += c->system->matrix.face[a][ond_grid_at(g, i, j, k)];
            open += c->system->matrix.face[a][ond_grid_at(g, high[0], high[1], high[2])];
        }
        const bool out = hold[cell] < 0.0 || (open == 0 && hold[cell] == 0.0);
        m.row[cell] = out ? -1 : m.count++;
    }
    assert_true(m.count > 0 && m.count <= DENSE_MOST);
    m.a = calloc((size_t)(m.count * m.count), sizeof(double));
    m.b = calloc((size_t)m.count, sizeof(double));
    EACH_CELL(g)
    {
        const int row = m.row[cell_number(g, i, j, k)];
        if (row < 0) continue;
        m.b[row] += (double)c->b[ond_grid_at(g, i, j, k)];
        m.a[row * m.count + row] += d->equation.identity + hold[cell_number(g, i, j, k)] * unit;
        for (int a = 0; a < ond_grid_axes(g); ++a)
            for (int up = 0; up < 2; ++up) {
                int to[3] = {i, j, k}, face[3] = {i, j, k};
                to[a] += up ? 1 : -1;
                face[a] += up;
                if (g->periodic[a]) face[a] %= g->n[a];
                const uint8_t w =
                    c->system->matrix.face[a][ond_grid_at(g, face[0], face[1], face[2])];
                if (w) join(c, &m, row, to, w / 255.0, unit);
            }
    }
    pin_pockets(&m, unit);
    eliminate(&m);
    for (int cell = 0; cell < cells; ++cell)
        c->exact[cell] = m.row[cell] < 0 ? NAN : m.b[m.row[cell]];
    free(m.a);
    free(m.b);
    free(m.row);
}

// ---- a case

// Ghosts behind open sides get values of their own.
static inline void fill_ghosts(Case *c, uint64_t seed)
{
    const OndGrid *g = &c->grid;
    for (int k = g->deep ? -1 : 0; k <= (g->deep ? g->n[2] : 0); ++k)
        for (int j = -1; j <= g->n[1]; ++j)
            for (int i = -1; i <= g->n[0]; ++i) {
                const bool inside =
                    i >= 0 && i < g->n[0] && j >= 0 && j < g->n[1] && k >= 0 && k < g->n[2];
                const size_t at = ond_grid_at(g, i, j, k);
                if (!inside) c->x[at] = (float)(chance(at, 20, seed) - 0.5);
            }
}

// The right side is taken so that every closed pocket sums to 0: it is A of something.
static inline void fill_right(Case *c, const Domain *d, uint64_t seed)
{
    const OndGrid *g = &c->grid;
    const double unit = d->equation.coefficient / (g->h * g->h);
    EACH_CELL(g)
    {
        double sum = 0.0;
        const size_t at = ond_grid_at(g, i, j, k);
        const double here = chance((uint64_t)cell_number(g, i, j, k), 30, seed);
        for (int a = 0; a < ond_grid_axes(g); ++a)
            for (int up = 0; up < 2; ++up) {
                int to[3] = {i, j, k}, face[3] = {i, j, k};
                to[a] += up ? 1 : -1, face[a] += up;
                bool inside = true;
                for (int q = 0; q < 3; ++q) {
                    if (g->periodic[q]) to[q] = (to[q] + g->n[q]) % g->n[q], face[q] %= g->n[q];
                    inside = inside && to[q] >= 0 && to[q] < g->n[q];
                }
                const double w =
                    c->system->matrix.face[a][ond_grid_at(g, face[0], face[1], face[2])] / 255.0;
                const double there =
                    inside ? chance((uint64_t)cell_number(g, to[0], to[1], to[2]), 30, seed) : 0.0;
                sum += w * (here - there);
            }
        c->b[at] = (float)(unit * sum);
    }
}

static inline void make_case(Case *c, const Domain *d, uint64_t seed)
{
    OndError err = {0};
    memset(c, 0, sizeof *c);
    if (ond_grid_set(&c->grid, d->n, 0.25, ond_vec(0, 0, 0), d->periodic, &err) != OND_OK)
        fail_msg("%s", err.text);
    const OndGrid *g = &c->grid;
    c->system = ond_system_create(g, &err);
    c->b = ond_grid_floats(g), c->x = ond_grid_floats(g), c->low = ond_grid_floats(g);
    c->exact = calloc((size_t)ond_grid_cells(g), sizeof(double));
    fill_ghosts(c, seed);
    carve(c, d, seed);
    double *hold = calloc((size_t)ond_grid_cells(g), sizeof(double));
    EACH_CELL(g)
    hold[cell_number(g, i, j, k)] =
        (double)c->system->matrix.diagonal[ond_grid_at(g, i, j, k)] / 255.0;
    fill_right(c, d, seed);
    solve_dense(c, d, hold, seed);
    free(hold);
    if (ond_system_assemble(c->system, d->equation, &err) != OND_OK) fail_msg("%s", err.text);
}

static inline void free_case(Case *c)
{
    ond_system_destroy(c->system);
    ond_free(c->b);
    ond_free(c->x);
    ond_free(c->low);
    free(c->exact);
}

// The largest difference to the dense solution, as a share of the largest value.
static inline double case_error(const Case *c)
{
    const OndGrid *g = &c->grid;
    double worst = 0.0, size = 0.0;
    EACH_CELL(g)
    {
        const double want = c->exact[cell_number(g, i, j, k)];
        assert_int_equal(isnan(want) ? 0 : 1, ond_system_unknown(c->system, i, j, k));
        if (isnan(want)) continue;
        worst = fmax(worst, fabs((double)c->x[ond_grid_at(g, i, j, k)] - want));
        size = fmax(size, fabs(want));
    }
    return size > 0.0 ? worst / size : worst;
}

#endif

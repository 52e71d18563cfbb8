// SPDX-License-Identifier: MIT
#include "bench/bench_poisson.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define STIRRED 0.1 // of the rising air's speed
#define REPEATS 3
#define TRIAL   4  // iterations that show how long one takes
#define LEAST   20 // iterations, whatever they cost
#define MOST    1000000

// ---- the case

typedef struct BoxPlace {
    double x, y, z;
} BoxPlace;

// Middle of the lower face along an axis, in a box one wide.
static BoxPlace face_place(const OndGrid *g, int axis, int i, int j, int k)
{
    BoxPlace p = {(i + 0.5) * g->h, (j + 0.5) * g->h, g->deep ? (k + 0.5) * g->h : 0.5};
    if (axis == 0) p.x -= 0.5 * g->h;
    if (axis == 1) p.y -= 0.5 * g->h;
    if (axis == 2) p.z -= 0.5 * g->h;
    return p;
}

static double distance(BoxPlace p, double height)
{
    const double x = p.x - 0.5, y = p.y - height, z = p.z - 0.5;
    return sqrt(x * x + y * y + z * z);
}

static void carve_rows(int first, int last, int worker, void *context)
{
    const OndPoissonCase *c = context;
    const OndGrid *g = &c->grid;
    for (int r = first; r < last; ++r)
        for (int a = 0; a < ond_grid_axes(g); ++a)
            for (int i = 0; i < g->n[0]; ++i) {
                const int j = r % g->n[1], k = r / g->n[1];
                const double out = distance(face_place(g, a, i, j, k), 0.55) - 0.15;
                if (out > g->h || !c->system->matrix.face[a][ond_grid_at(g, i, j, k)]) continue;
                ond_system_face(c->system, a, i, j, k, 0.5 + out / g->h);
            }
}

// What flows through a face: upwards in a warm ball, everywhere a little at random.
static double flow(const OndPoissonCase *c, int axis, int i, int j, int k)
{
    const OndGrid *g = &c->grid;
    const size_t at = ond_grid_at(g, i, j, k);
    const double open = c->system->matrix.face[axis][at] / (double)OND_FACE_OPEN;
    if (open == 0.0) return 0.0;
    const double far = distance(face_place(g, axis, i, j, k), 0.25) / 0.1;
    const double warm = axis == 1 && far < 4.0 ? exp(-far * far) : 0.0;
    return open * (warm + STIRRED * (double)(ond_random(at, (uint64_t)axis) - 0.5f));
}

static void fill_rows(int first, int last, int worker, void *context)
{
    const OndPoissonCase *c = context;
    const OndGrid *g = &c->grid;
    for (int r = first; r < last; ++r)
        for (int i = 0; i < g->n[0]; ++i) {
            const int j = r % g->n[1], k = r / g->n[1];
            double in = flow(c, 0, i, j, k) - flow(c, 0, i + 1, j, k);
            in += flow(c, 1, i, j, k) - flow(c, 1, i, j + 1, k);
            if (g->deep) in += flow(c, 2, i, j, k) - flow(c, 2, i, j, k + 1);
            c->b[ond_grid_at(g, i, j, k)] = (float)(in / g->h);
        }
}

OndStatus ond_bench_poisson_open(OndPoissonCase *c, int n, bool deep, bool sphere, OndError *err)
{
    *c = (OndPoissonCase){.sphere = sphere};
    OndGrid *g = &c->grid;
    OndStatus status =
        ond_grid_set(g, (int[]){n, n, deep ? n : 1}, 1.0 / n, ond_vec(0, 0, 0), NULL, err);
    if (status != OND_OK) return status;
    c->system = ond_system_create(g, err);
    c->b = ond_grid_floats(g), c->x = ond_grid_floats(g), c->low = ond_grid_floats(g);
    if (!c->system || !c->b || !c->x || !c->low) {
        ond_bench_poisson_close(c);
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d cells a side", n);
    }
    if (sphere) {
        ond_system_open(c->system, OND_GRID_HIGH_Y);
        ond_parallel_for(g->rows, g->block, carve_rows, c);
    }
    ond_parallel_for(g->rows, g->block, fill_rows, c);
    return ond_system_assemble(c->system, OND_POISSON, err);
}

void ond_bench_poisson_close(OndPoissonCase *c)
{
    ond_system_destroy(c->system);
    ond_free(c->b);
    ond_free(c->x);
    ond_free(c->low);
    *c = (OndPoissonCase){.sphere = false};
}

// ---- measuring

static double core_ms(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

static OndStatus solve(OndPoissonCase *c, OndSolver *solver, int most, OndPoissonRow *row,
                       OndError *err)
{
    OndSolveLimits limits = ond_solve_default_limits();
    limits.tolerance = row->tolerance, limits.iterations = most, limits.low = c->low;
    memset(c->x, 0, c->grid.length * sizeof(float));
    const double before = ond_now_ms(), cores = core_ms();
    const OndStatus status = ond_solver_solve(solver, c->b, c->x, &limits, &row->solution, err);
    row->ms = fmin(row->ms, ond_now_ms() - before);
    row->core_ms = fmin(row->core_ms, core_ms() - cores);
    return status;
}

// How many iterations the budget allows: from the time that some take beyond the first.
static OndStatus allow(OndPoissonCase *c, OndSolver *solver, double budget_ms, OndPoissonRow *row,
                       int *most, OndError *err)
{
    OndStatus status = solve(c, solver, 1, row, err);
    const double first = row->ms;
    row->ms = row->core_ms = HUGE_VAL;
    if (status == OND_OK) status = solve(c, solver, 1 + TRIAL, row, err);
    const double more = fmax((row->ms - first) / TRIAL, 0.3 * row->ms / (1 + TRIAL)); // noise
    const double allowed = budget_ms / more;
    *most = allowed > MOST ? MOST : allowed < LEAST ? LEAST : (int)allowed;
    return status;
}

static OndStatus measure(OndPoissonCase *c, OndSolver *solver, double budget_ms, OndPoissonRow *row,
                         OndError *err)
{
    int most = 0;
    row->ms = row->core_ms = HUGE_VAL;
    OndStatus status = allow(c, solver, budget_ms, row, &most, err);
    row->ms = row->core_ms = HUGE_VAL;
    for (int k = 0; k < REPEATS && status == OND_OK; ++k) {
        status = solve(c, solver, most, row, err);
        row->cut = !row->solution.converged;
        if (row->ms * (k + 2) > budget_ms) break;
    }
    return status;
}

OndStatus ond_bench_poisson(OndPoissonCase *c, const char *name, const double tolerance[2],
                            double budget_ms, OndPoissonRow row[2], OndError *err)
{
    const double cells = (double)ond_grid_cells(&c->grid);
    OndSolver *solver = ond_solver_create(name, c->system, NULL, err);
    const double before = ond_now_ms();
    OndStatus status = solver ? ond_solver_prepare(solver, err) : OND_NO_MEMORY;
    const double prepare_ms = ond_now_ms() - before;
    for (int k = 0; k < 2 && status == OND_OK; ++k) {
        row[k] =
            (OndPoissonRow){.solver = name, .tolerance = tolerance[k], .prepare_ms = prepare_ms};
        snprintf(row[k].name, sizeof row[k].name, "%d^%d-%s", c->grid.n[0], ond_grid_axes(&c->grid),
                 c->sphere ? "sphere" : "empty");
        row[k].bytes = ond_solver_traffic(solver);
        row[k].bytes_a_cell = (double)ond_solver_bytes(solver) / cells;
        if (k && row[0].cut) { // no need to be cut again
            row[k].solution = row[0].solution, row[k].cut = true;
            row[k].ms = row[0].ms, row[k].core_ms = row[0].core_ms;
        } else {
            status = measure(c, solver, budget_ms, &row[k], err);
        }
    }
    ond_solver_destroy(solver);
    return status;
}

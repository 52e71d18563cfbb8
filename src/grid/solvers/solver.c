// SPDX-License-Identifier: MIT
#include "grid/solvers/solver.h"

#include "base/memory.h"
#include "grid/solvers/solver_method.h"

#include <math.h>
#include <string.h>

#define RESTARTS 4   // from the true residual, when the one that was carried along is off
#define ROUNDING 4.0 // times `limit`: as near as a float solution comes

struct OndSolver {
    const OndSolverMethod *method;
    const OndSystem *system;
    OndGridSweep sweep;
    float *work[OND_SOLVER_WORK];
    bool own_work, prepared;
    void *self;
};

// The only list.
static const OndSolverMethod *const methods[] = {
    &ond_solver_mgpcg, &ond_solver_multigrid,    &ond_solver_iccg,  &ond_solver_cg,
    &ond_solver_sor,   &ond_solver_gauss_seidel, &ond_solver_jacobi};

const char *const *ond_solver_names(void)
{
    static const char *const names[] = {"mgpcg", "multigrid",    "iccg",   "cg",
                                        "sor",   "gauss-seidel", "jacobi", NULL};
    return names;
}

static const OndSolverMethod *find(const char *name, OndError *err)
{
    for (int k = 0; k < OND_COUNT(methods); ++k)
        if (name && strcmp(methods[k]->name, name) == 0) return methods[k];
    ond_fail(err, OND_BAD_VALUE,
             "there is no solver '%s'; there are mgpcg, multigrid, iccg, cg, sor, gauss-seidel and "
             "jacobi",
             name ? name : "");
    return NULL;
}

int ond_solver_work(const char *name, OndError *err)
{
    const OndSolverMethod *method = find(name, err);
    return method ? method->work : -1;
}

OndSolveLimits ond_solve_default_limits(void)
{
    return (OndSolveLimits){.tolerance = 1e-4, .iterations = 1000, .net_inflow = 1e-4};
}

// ---- making one

static OndStatus take_work(OndSolver *s, float *const *work, OndError *err)
{
    const OndGrid *g = &s->system->matrix.grid;
    s->own_work = !work;
    for (int k = 0; k < s->method->work; ++k) {
        s->work[k] = work ? work[k] : ond_grid_floats(g);
        if (!s->work[k])
            return ond_fail(
                err, OND_NO_MEMORY,
                "the solver %s needs %.2f GB for a grid of %d x %d x %d cells, more than "
                "there is; take fewer cells",
                s->method->name, 4e-9 * s->method->work * (double)g->length, g->n[0], g->n[1],
                g->n[2]);
    }
    return OND_OK;
}

OndSolver *ond_solver_create(const char *name, const OndSystem *system, float *const *work,
                             OndError *err)
{
    const OndSolverMethod *method = find(name, err);
    if (!method) return NULL;
    OndSolver *s = OND_NEW(OndSolver);
    if (!s) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a linear solver");
        return NULL;
    }
    s->method = method, s->system = system;
    OndStatus status = ond_sweep_create(&s->sweep, &system->matrix.grid, err);
    if (status == OND_OK) status = take_work(s, work, err);
    if (status == OND_OK && method->create && !(s->self = method->create(system, err)))
        status = OND_NO_MEMORY;
    if (status == OND_OK) return s;
    ond_solver_destroy(s);
    return NULL;
}

void ond_solver_destroy(OndSolver *s)
{
    if (!s) return;
    if (s->self) s->method->destroy(s->self);
    for (int k = 0; s->own_work && k < s->method->work; ++k)
        ond_free(s->work[k]);
    ond_sweep_free(&s->sweep);
    ond_free(s);
}

size_t ond_solver_bytes(const OndSolver *s)
{
    const size_t array = s->system->matrix.grid.length * sizeof(float);
    return sizeof *s + (s->own_work ? (size_t)s->method->work * array : 0) +
           (s->method->bytes ? s->method->bytes(s->self) : 0);
}

double ond_solver_traffic(const OndSolver *s)
{
    return s->method->traffic(s->self, s->system);
}

OndStatus ond_solver_prepare(OndSolver *s, OndError *err)
{
    s->prepared = true;
    if (!s->method->prepare) return OND_OK;
    return s->method->prepare(s->self, s->system, &s->sweep, err);
}

// ---- solving

static OndStatus find_bad(const OndSystem *s, const float *values, const char *what, OndError *err)
{
    const OndGrid *g = &s->matrix.grid;
    for (int k = 0; k < g->n[2]; ++k)
        for (int j = 0; j < g->n[1]; ++j)
            for (int i = 0; i < g->n[0]; ++i) {
                const size_t at = ond_grid_at(g, i, j, k);
                if (isfinite(values[at]) || !ond_system_unknown(s, i, j, k)) continue;
                return ond_fail(err, OND_UNSTABLE,
                                "%s of a linear system is %g in cell (%d, %d, %d)", what,
                                (double)values[at], i, j, k);
            }
    return ond_fail(err, OND_UNSTABLE,
                    "%s of a linear system is too large, or a given value is not finite", what);
}

// Norm of the right side with all that given cells add to it.
static double right_norm(OndSolve *v)
{
    const OndMatrix *m = &v->system->matrix;
    OndGridLoop loop = {.matrix = m, .a = v->x, .b = v->b, .scale = (float)v->system->scale};
    return sqrt(ond_sweep_run(v->sweep, &m->grid, v->sweep->loops->right, &loop));
}

double ond_solve_residual(OndSolve *v, int at)
{
    const OndMatrix *m = &v->system->matrix;
    const OndPockets *p = &v->system->pockets;
    float *out = v->work[at];
    ond_grid_wrap(&m->grid, v->x);
    if (v->low) ond_grid_wrap(&m->grid, v->low);
    OndGridLoop loop = {.matrix = m,
                        .a = v->x,
                        .b = v->b,
                        .x = out,
                        .low = v->low,
                        .scale = (float)v->system->scale};
    double sum = ond_sweep_run(v->sweep, &m->grid, v->sweep->loops->residual, &loop);
    if (p->count) {
        const double second = v->sweep->total_second;
        ond_pockets_level(p, out);
        OndGridLoop again = {.matrix = m, .a = out, .b = out};
        sum = ond_sweep_run(v->sweep, &m->grid, v->sweep->loops->dot, &again);
        v->sweep->total_second = second;
    }
    return sqrt(sum);
}

// The residual that methods carry along drifts from the true one by rounding: look, and go on from
// there if it is worth it.
static OndStatus iterate(OndSolver *s, OndSolve *v, double right, const OndSolveLimits *limits,
                         OndSolution *out, OndError *err)
{
    double before = HUGE_VAL;
    for (int turn = 0;; ++turn) {
        if (turn && limits->again) limits->again(limits->own);
        const double norm = ond_solve_residual(v, 0);
        if (!isfinite(norm)) return find_bad(v->system, v->x, "the solution", err);
        out->residual = norm / right;
        out->limit = v->low ? 0.0 : ldexp(sqrt(v->sweep->total_second), -24) / right;
        out->converged = norm <= 1.01 * v->wanted || out->residual <= ROUNDING * out->limit;
        if (out->converged || v->most <= 0 || turn == RESTARTS || norm > 0.5 * before)
            return OND_OK;
        before = norm;
        v->done = 0;
        const OndStatus status = s->method->solve(s->self, v, err);
        if (status != OND_OK) return status;
        out->iterations += v->done, v->most -= v->done;
        out->step = v->step;
    }
}

// x = 0 where it is unknown.
static void clear_unknowns(const OndSystem *s, float *x)
{
    const OndGrid *g = &s->matrix.grid;
    for (int r = 0; r < g->rows; ++r) {
        const size_t at = ond_grid_row(g, r);
        for (int i = 0; i < g->n[0]; ++i)
            if (s->matrix.diagonal[at + (size_t)i] > 0.0f) x[at + (size_t)i] = 0.0f;
    }
}

OndStatus ond_solver_solve(OndSolver *s, const float *b, float *x, const OndSolveLimits *limits,
                           OndSolution *out, OndError *err)
{
    const OndSystem *system = s->system;
    const OndGrid *g = &system->matrix.grid;
    OndSolve v = {.system = system, .sweep = &s->sweep, .work = s->work, .b = b, .x = x};
    if (s->method->pairs) v.low = limits->low;
    *out = (OndSolution){0};
    if (!s->prepared)
        return ond_fail(err, OND_BAD_VALUE,
                        "a linear solver was not prepared; call "
                        "ond_solver_prepare after assembling its system");
    for (int k = 0; k < s->method->work; ++k)
        ond_grid_clear_ghosts(g, s->work[k]);
    if (limits->low) memset(limits->low, 0, g->length * sizeof(float));
    ond_grid_wrap(g, x);
    const double right = right_norm(&v);
    if (!isfinite(right)) return find_bad(system, b, "the right side", err);
    const OndNetLimit net = {limits->net_inflow, limits->floor};
    OndStatus status = ond_pockets_check(&system->pockets, g, b, &net, err);
    if (status != OND_OK) return status;
    v.wanted = fmax(limits->tolerance * right,
                    limits->floor * system->scale * sqrt((double)system->unknowns));
    v.most = limits->iterations;
    if (right <= v.wanted) { // nothing to solve
        clear_unknowns(system, x);
        out->converged = true;
        out->residual = right > 0.0 ? 1.0 : 0.0;
        return OND_OK;
    }
    status = iterate(s, &v, right, limits, out, err);
    if (status == OND_OK) ond_pockets_level(&system->pockets, x);
    return status;
}

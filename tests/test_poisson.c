// SPDX-License-Identifier: MIT
// The linear solvers against elimination, on small random domains of every kind.
#include "poissons.h"

#define ALL_OPEN 63

static const Domain domains[] = {
    {"closed box", {8, 6, 5}, {0}, 0, 0, 0, 0, 0, {0, 1}},
    {"closed square", {9, 7, 1}, {0}, 0, 0, 0, 0, 0, {0, 1}},
    {"open above", {8, 8, 8}, {0}, 0.15, 0, 1 << OND_GRID_HIGH_Y, 0, 0, {0, 1}},
    {"open all round", {7, 9, 5}, {0}, 0.1, 0.4, ALL_OPEN, 0, 0, {0, 2.5}},
    {"closed, obstacles", {11, 9, 6}, {0}, 0.2, 0.5, 0, 0, 0, {0, 1}},
    {"many pockets", {12, 12, 1}, {0}, 0.45, 0.3, 0, 0, 0, {0, 1}},
    {"many pockets, some open", {9, 8, 7}, {0}, 0.6, 0.3, 1 << OND_GRID_LOW_X, 0, 0, {0, 0.01}},
    {"given cells", {10, 7, 5}, {0}, 0.1, 0.3, 0, 0.1, 0, {0, 1}},
    {"free surface", {8, 7, 6}, {0}, 0.1, 0.3, 0, 0.05, 0.1, {0, 3}},
    {"odd sizes", {13, 5, 7}, {0}, 0.1, 0.3, 1 << OND_GRID_LOW_Z, 0, 0, {0, 1}},
    {"thin along x", {1, 17, 13}, {0}, 0.1, 0.3, 1 << OND_GRID_LOW_Y, 0, 0, {0, 1}},
    {"thin along y", {17, 1, 13}, {0}, 0.1, 0.3, 1 << OND_GRID_HIGH_X, 0, 0, {0, 1}},
    {"thin, open on its sides", {1, 9, 9}, {0}, 0.1, 0.3, 3, 0, 0, {0, 1}},
    {"two thick", {2, 13, 11}, {0}, 0.1, 0.3, 0, 0, 0, {0, 1}},
    {"a line", {37, 1, 1}, {0}, 0, 0, 1, 0, 0, {0, 1}},
    {"a line upwards", {1, 1, 37}, {0}, 0, 0, 0, 0, 0.2, {0, 1}},
    {"one cell", {1, 1, 1}, {0}, 0, 0, 2, 0, 0, {0, 1}},
    {"a ring", {16, 3, 1}, {1, 0, 0}, 0.1, 0.3, 0, 0, 0, {0, 1}},
    {"periodic all round", {6, 8, 10}, {1, 1, 1}, 0.1, 0.3, 0, 0, 0, {0, 1}},
    {"periodic, open", {8, 6, 4}, {0, 1, 1}, 0.2, 0.3, 3, 0, 0, {0, 1}},
    {"diffusion", {9, 8, 7}, {0}, 0.15, 0.3, 0, 0, 0, {1, 0.3}},
    {"strong diffusion", {9, 8, 7}, {0}, 0.15, 0.3, 4, 0, 0, {1, 50}},
    {"weak diffusion", {12, 12, 1}, {0}, 0.15, 0.3, 0, 0.1, 0, {2, 1e-3}},
};

// What keeps x in floats alone ends at their rounding, which Jacobi's slow waves add up.
static double tolerance_of(const char *name)
{
    if (strcmp(name, "jacobi") == 0) return 5e-5;
    return strcmp(name, "sor") == 0 || strcmp(name, "gauss-seidel") == 0 ? 1e-5 : 2e-7;
}

static void check(const char *name, const Domain *d, uint64_t seed)
{
    OndError err = {0};
    OndSolution out;
    OndSolveLimits limits = ond_solve_default_limits();
    const double tolerance = tolerance_of(name);
    Case c;
    make_case(&c, d, seed);
    OndSolver *solver = ond_solver_create(name, c.system, NULL, &err);
    if (!solver || ond_solver_prepare(solver, &err) != OND_OK) fail_msg("%s", err.text);
    limits.tolerance = tolerance, limits.iterations = 200000, limits.low = c.low;
    limits.net_inflow = 1e-3;
    if (ond_solver_solve(solver, c.b, c.x, &limits, &out, &err) != OND_OK)
        fail_msg("%s on %s: %s", name, d->name, err.text);
    if (!out.converged)
        fail_msg("%s on %s, seed %d: %d iterations left %g (limit %g)", name, d->name, (int)seed,
                 out.iterations, out.residual, out.limit);
    char what[128];
    snprintf(what, sizeof what, "%s on %s, seed %d: error", name, d->name, (int)seed);
    CHECK_NEAR(case_error(&c), 0.0, 1500.0 * tolerance, what);
    ond_solver_destroy(solver);
    free_case(&c);
}

static void test_dense(void **state)
{
    for (const char *const *name = ond_solver_names(); *name; ++name)
        for (int d = 0; d < OND_COUNT(domains); ++d)
            for (uint64_t seed = 1; seed <= 3; ++seed)
                check(*name, &domains[d], seed);
}

// ---- the source's system: x = y + 1, y = x / 5 + 2 / 5

typedef struct Little {
    OndGrid grid;
    OndSystem *system;
    OndSolver *solver;
    float *b, *x;
} Little;

static void open_little(Little *l, const char *name)
{
    OndError err = {0};
    assert_int_equal(ond_grid_set(&l->grid, (int[]){2, 1, 1}, 1.0, ond_vec(0, 0, 0), NULL, &err),
                     OND_OK);
    l->system = ond_system_create(&l->grid, &err);
    ond_system_hold(l->system, 1, 0, 0, 0.25); // 5 y - x = 2: four more than the face
    assert_int_equal(ond_system_assemble(l->system, OND_POISSON, &err), OND_OK);
    l->solver = ond_solver_create(name, l->system, NULL, &err);
    assert_int_equal(ond_solver_prepare(l->solver, &err), OND_OK);
    l->b = ond_grid_floats(&l->grid), l->x = ond_grid_floats(&l->grid);
    l->b[ond_grid_at(&l->grid, 0, 0, 0)] = 1.0f;
    l->b[ond_grid_at(&l->grid, 1, 0, 0)] = 2.0f;
}

static void close_little(Little *l)
{
    ond_solver_destroy(l->solver);
    ond_system_destroy(l->system);
    ond_free(l->b);
    ond_free(l->x);
}

// After so many iterations from zero.
static void check_little(const char *name, int iterations, double x, double y, double within)
{
    Little l;
    OndSolution out;
    OndError err = {0};
    OndSolveLimits limits = ond_solve_default_limits();
    limits.tolerance = 1e-9, limits.iterations = iterations;
    open_little(&l, name);
    assert_int_equal(ond_solver_solve(l.solver, l.b, l.x, &limits, &out, &err), OND_OK);
    CHECK_NEAR(l.x[ond_grid_at(&l.grid, 0, 0, 0)], x, within, name);
    CHECK_NEAR(l.x[ond_grid_at(&l.grid, 1, 0, 0)], y, within, name);
    close_little(&l);
}

// The example is told as Gauss-Seidel but is Jacobi: y is made from the old x.
static void test_source(void **state)
{
    static const double jacobi[][2] = {
        {1, 0.4}, {1.4, 0.6}, {1.6, 0.68}, {1.68, 0.72}, {1.72, 0.736}};
    static const double seidel[][2] = {{1, 0.6}, {1.6, 0.72}, {1.72, 0.744}, {1.744, 0.7488}};
    for (int k = 0; k < OND_COUNT(jacobi); ++k)
        check_little("jacobi", k + 1, jacobi[k][0], jacobi[k][1], 1e-6);
    for (int k = 0; k < OND_COUNT(seidel); ++k)
        check_little("gauss-seidel", k + 1, seidel[k][0], seidel[k][1], 1e-6);
    for (const char *const *name = ond_solver_names(); *name; ++name)
        check_little(*name, 100, 1.75, 0.75, 2e-6);
}

// ---- what cannot be solved

static OndStatus solve_box(const char *name, float corner, float other, OndSolution *out,
                           OndError *err)
{
    OndGrid g;
    ond_grid_set(&g, (int[]){6, 5, 4}, 0.5, ond_vec(0, 0, 0), NULL, err);
    OndSystem *system = ond_system_create(&g, err);
    OndStatus status = ond_system_assemble(system, OND_POISSON, err);
    OndSolver *solver = ond_solver_create(name, system, NULL, err);
    float *b = ond_grid_floats(&g), *x = ond_grid_floats(&g);
    OndSolveLimits limits = ond_solve_default_limits();
    limits.iterations = 3000;
    b[ond_grid_at(&g, 0, 0, 0)] = corner;
    b[ond_grid_at(&g, 5, 4, 3)] = other;
    if (status == OND_OK) status = ond_solver_prepare(solver, err);
    if (status == OND_OK) status = ond_solver_solve(solver, b, x, &limits, out, err);
    ond_free(b);
    ond_free(x);
    ond_solver_destroy(solver);
    ond_system_destroy(system);
    return status;
}

static void test_wrong_sides(void **state)
{
    static const struct {
        float corner, other;
        const char *says;
    } cases[] = {
        {1, -1, NULL},
        {0, 0, NULL},
        {1, 0,
         "closed domain with net inflow: over the 120 cells that no open side reaches the "
         "right side sums to 1 (times volume: 0.125)"},
        {1, -1.01f, "sums to -0.01"},
        {NAN, 0, "the right side of a linear system is nan in cell (0, 0, 0)"},
        {0, INFINITY, "the right side of a linear system is inf in cell (5, 4, 3)"},
    };
    for (const char *const *name = ond_solver_names(); *name; ++name)
        for (int k = 0; k < OND_COUNT(cases); ++k) {
            OndError err = {0};
            OndSolution out;
            const OndStatus status = solve_box(*name, cases[k].corner, cases[k].other, &out, &err);
            if ((status == OND_OK) != (cases[k].says == NULL))
                fail_msg("%s, case %d: status %d: %s", *name, k, (int)status, err.text);
            if (cases[k].says) CHECK_SAYS(err.text, cases[k].says, *name);
            if (!cases[k].says && !out.converged) fail_msg("%s, case %d", *name, k);
        }
}

static void test_caps(void **state)
{
    Domain d = {"open", {9, 8, 9}, {0}, 0, 0, 1, 0.6, 0, {0, 1}};
    for (const char *const *name = ond_solver_names(); *name; ++name) {
        OndError err = {0};
        OndSolution out;
        OndSolveLimits limits = ond_solve_default_limits();
        Case c;
        make_case(&c, &d, 1);
        OndSolver *solver = ond_solver_create(*name, c.system, NULL, &err);
        assert_int_equal(ond_solver_prepare(solver, &err), OND_OK);
        limits.tolerance = 1e-7, limits.iterations = 2;
        assert_int_equal(ond_solver_solve(solver, c.b, c.x, &limits, &out, &err), OND_OK);
        if (out.converged || out.iterations != 2 || !(out.residual > 1e-7))
            fail_msg("%s stopped after %d with %g, converged: %d", *name, out.iterations,
                     out.residual, out.converged);
        ond_solver_destroy(solver);
        free_case(&c);
    }
}

// From its own solution a solver has nothing to do; below the floor there is nothing to solve; a
// start that is no number is told.
static void test_starts(void **state)
{
    const Domain d = {"start", {10, 9, 8}, {0}, 0.1, 0.3, 4, 0.05, 0, {0, 1}};
    for (const char *const *name = ond_solver_names(); *name; ++name) {
        OndError err = {0};
        OndSolution out;
        OndSolveLimits limits = ond_solve_default_limits();
        Case c;
        make_case(&c, &d, 2);
        OndSolver *solver = ond_solver_create(*name, c.system, NULL, &err);
        assert_int_equal(ond_solver_prepare(solver, &err), OND_OK);
        limits.iterations = 20000;
        assert_int_equal(ond_solver_solve(solver, c.b, c.x, &limits, &out, &err), OND_OK);
        assert_true(out.converged && out.iterations > 0);
        limits.tolerance *= 1.5;
        assert_int_equal(ond_solver_solve(solver, c.b, c.x, &limits, &out, &err), OND_OK);
        if (!out.converged || out.iterations != 0)
            fail_msg("%s: %d iterations from its solution", *name, out.iterations);
        c.x[ond_grid_at(&c.grid, 4, 4, 4)] = c.x[ond_grid_at(&c.grid, 5, 4, 4)] = NAN;
        assert_int_equal(ond_solver_solve(solver, c.b, c.x, &limits, &out, &err), OND_UNSTABLE);
        CHECK_SAYS(err.text, "of a linear system is", *name);
        limits.floor = 1e6;
        assert_int_equal(ond_solver_solve(solver, c.b, c.x, &limits, &out, &err), OND_OK);
        assert_true(out.converged && out.iterations == 0);
        EACH_CELL(&c.grid)
        if (ond_system_unknown(c.system, i, j, k))
            CHECK_NEAR(c.x[ond_grid_at(&c.grid, i, j, k)], 0.0, 0.0, "nothing to solve");
        ond_solver_destroy(solver);
        free_case(&c);
    }
}

static void test_wrong_calls(void **state)
{
    OndError err = {0};
    OndGrid g;
    assert_int_equal(ond_solver_work("gauss", &err), -1);
    CHECK_SAYS(err.text, "there is no solver 'gauss'; there are mgpcg, multigrid", "a wrong name");
    ond_grid_set(&g, (int[]){4, 4, 4}, 1.0, ond_vec(0, 0, 0), NULL, &err);
    OndSystem *system = ond_system_create(&g, &err);
    for (int a = 0; a < 3; ++a)
        EACH_CELL(&g)
    ond_system_face(system, a, i, j, k, 0.0);
    assert_int_equal(ond_system_assemble(system, OND_POISSON, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "obstacles fill the domain: none of its 64 cells", "all solid");
    ond_system_reset(system);
    assert_int_equal(ond_system_assemble(system, (OndEquation){-1, 1}, &err), OND_BAD_VALUE);
    assert_int_equal(ond_system_assemble(system, (OndEquation){0, NAN}, &err), OND_BAD_VALUE);
    assert_null(ond_solver_create("magic", system, NULL, &err));
    OndSolver *solver = ond_solver_create("cg", system, NULL, &err);
    float *b = ond_grid_floats(&g);
    OndSolution out;
    const OndSolveLimits limits = ond_solve_default_limits();
    assert_int_equal(ond_solver_solve(solver, b, b, &limits, &out, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "not prepared", "before it looked");
    ond_free(b);
    ond_solver_destroy(solver);
    ond_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),       cmocka_unit_test(test_source),
        cmocka_unit_test(test_wrong_sides), cmocka_unit_test(test_caps),
        cmocka_unit_test(test_wrong_calls), cmocka_unit_test(test_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

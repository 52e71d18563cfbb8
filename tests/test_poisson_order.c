// SPDX-License-Identifier: MIT
// What the solvers' answers are worth: order of convergence, a symmetric V-cycle, iterations that
// do not grow with the grid, the same bits for any number of threads.
#include "base/hash.h"
#include "base/parallel.h"
#include "grid/solvers/multigrid.h"
#include "poissons.h"

#define PI 3.14159265358979323846

typedef struct Field {
    OndGrid grid;
    OndSystem *system;
    OndSolver *solver;
    float *b, *x, *low;
} Field;

static void open_field(Field *f, const int n[3], const bool periodic[3])
{
    OndError err = {0};
    memset(f, 0, sizeof *f);
    if (ond_grid_set(&f->grid, n, 1.0 / n[1], ond_vec(0, 0, 0), periodic, &err) != OND_OK)
        fail_msg("%s", err.text);
    f->system = ond_system_create(&f->grid, &err);
    f->b = ond_grid_floats(&f->grid);
    f->x = ond_grid_floats(&f->grid);
    f->low = ond_grid_floats(&f->grid);
}

static OndSolution solve_field(Field *f, const char *name, OndEquation equation, double tolerance)
{
    OndError err = {0};
    OndSolution out = {0};
    OndSolveLimits limits = ond_solve_default_limits();
    limits.tolerance = tolerance, limits.low = f->low;
    if (ond_system_assemble(f->system, equation, &err) != OND_OK) fail_msg("%s", err.text);
    if (!f->solver) f->solver = ond_solver_create(name, f->system, NULL, &err);
    if (!f->solver || ond_solver_prepare(f->solver, &err) != OND_OK ||
        ond_solver_solve(f->solver, f->b, f->x, &limits, &out, &err) != OND_OK)
        fail_msg("%s", err.text);
    return out;
}

static void close_field(Field *f)
{
    ond_solver_destroy(f->solver);
    ond_system_destroy(f->system);
    ond_free(f->b);
    ond_free(f->x);
    ond_free(f->low);
}

// ---- order

// x: closed at 0 and 1; y: given 0 at both sides' faces; z: periodic.
static double wave(const double p[3], bool deep)
{
    return cos(PI * p[0]) * sin(PI * p[1]) * (deep ? sin(2.0 * PI * p[2]) : 1.0);
}

static double wave_error(int n, bool deep, OndEquation e)
{
    Field f;
    open_field(&f, (int[]){n, n, deep ? n : 1}, (bool[]){false, false, deep});
    const OndGrid *g = &f.grid;
    const double minus_laplacian = PI * PI * (deep ? 6.0 : 2.0);
    EACH_CELL(g)
    {
        const double p[3] = {(i + 0.5) * g->h, (j + 0.5) * g->h, (k + 0.5) * g->h};
        f.b[ond_grid_at(g, i, j, k)] =
            (float)((e.identity + e.coefficient * minus_laplacian) * wave(p, deep));
        if (j == 0 || j == n - 1) ond_system_hold(f.system, i, j, k, 0.5);
    }
    const OndSolution out = solve_field(&f, "mgpcg", e, 1e-6);
    assert_true(out.converged);
    double worst = 0.0;
    EACH_CELL(g)
    {
        const double p[3] = {(i + 0.5) * g->h, (j + 0.5) * g->h, (k + 0.5) * g->h};
        worst = fmax(worst, fabs((double)f.x[ond_grid_at(g, i, j, k)] - wave(p, deep)));
    }
    close_field(&f);
    return worst;
}

static void test_order(void **state)
{
    static const OndEquation equations[] = {{0, 1}, {1, 0.02}};
    for (int deep = 0; deep < 2; ++deep)
        for (int e = 0; e < 2; ++e) {
            const double coarse = wave_error(16, deep, equations[e]);
            const double fine = wave_error(32, deep, equations[e]);
            const double order = log2(coarse / fine);
            print_message("%dD, identity %g: errors %.2e, %.2e, order %.2f\n", deep + 2,
                          equations[e].identity, coarse, fine, order);
            CHECK_NEAR(order, 2.0, 0.15, "order of convergence");
            CHECK_NEAR(fine, 0.0, 3e-3, "error on 32 cells");
        }
}

// ---- symmetry

static void randomise(const OndSystem *s, float *x, uint64_t stream)
{
    const OndGrid *g = &s->matrix.grid;
    EACH_CELL(g)
    {
        const size_t at = ond_grid_at(g, i, j, k);
        x[at] = ond_system_unknown(s, i, j, k) ? ond_random(at, stream) - 0.5f : 0.0f;
    }
}

static double dot(const OndGrid *g, const float *a, const float *b)
{
    double sum = 0.0;
    EACH_CELL(g)
    {
        const size_t at = ond_grid_at(g, i, j, k);
        sum += (double)a[at] * (double)b[at];
    }
    return sum;
}

// x'My = y'Mx and x'Mx > 0 for the V-cycle M.
static void test_symmetry(void **state)
{
    static const Domain domains[] = {
        {"3D", {10, 9, 8}, {0}, 0.15, 0.4, 1, 0.02, 0.02, {0, 1}},
        {"2D", {25, 22, 1}, {0}, 0.15, 0.4, 4, 0, 0, {0, 1}},
        {"periodic", {12, 8, 6}, {1, 1, 1}, 0.1, 0.4, 0, 0.01, 0, {0, 1}},
        {"odd ring", {14, 9, 1}, {1, 0, 0}, 0.1, 0.4, 4, 0, 0, {0, 1}},
        {"thin", {1, 20, 19}, {0}, 0.1, 0.4, 1, 0, 0, {0, 1}},
        {"diffusion", {11, 9, 7}, {0}, 0.1, 0.4, 1, 0, 0, {1, 0.1}},
    };
    for (int d = 0; d < OND_COUNT(domains); ++d) {
        OndError err = {0};
        OndGridSweep sweep;
        Case c;
        make_case(&c, &domains[d], 7);
        const OndGrid *g = &c.grid;
        OndMultigrid *m = ond_multigrid_create(g, &err);
        ond_multigrid_prepare(m, &c.system->matrix);
        assert_int_equal(ond_sweep_create(&sweep, g, &err), OND_OK);
        float *a[5];
        for (int k = 0; k < 5; ++k)
            a[k] = ond_grid_floats(g);
        randomise(c.system, a[0], 1);
        randomise(c.system, a[1], 2);
        const double returned = ond_multigrid_cycle(m, &sweep, a[0], a[2], a[4]);
        ond_grid_clear_ghosts(g, a[4]);
        ond_multigrid_cycle(m, &sweep, a[1], a[3], a[4]);
        const double xy = dot(g, a[1], a[2]), yx = dot(g, a[0], a[3]);
        const double xx = dot(g, a[0], a[2]), yy = dot(g, a[1], a[3]);
        CHECK_NEAR(xy, yx, 2e-6 * sqrt(xx * yy), domains[d].name);
        CHECK_NEAR(returned, xx, 1e-6 * xx, "the sum that a cycle returns");
        assert_true(xx > 0.0 && yy > 0.0);
        for (int k = 0; k < 5; ++k)
            ond_free(a[k]);
        ond_sweep_free(&sweep);
        ond_multigrid_destroy(m);
        free_case(&c);
    }
}

// ---- iterations

// A sphere with fractional faces, open above.
static void place_sphere(Field *f)
{
    const OndGrid *g = &f->grid;
    ond_system_open(f->system, OND_GRID_HIGH_Y);
    for (int a = 0; a < ond_grid_axes(g); ++a)
        EACH_CELL(g)
        {
            double p[3] = {(i + 0.5) * g->h - 0.5, (j + 0.5) * g->h - 0.4, (k + 0.5) * g->h - 0.5};
            p[a] -= 0.5 * g->h;
            if (!g->deep) p[2] = 0.0;
            const double out = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 0.2;
            const size_t at = ond_grid_at(g, i, j, k);
            if (f->system->matrix.face[a][at])
                ond_system_face(f->system, a, i, j, k, 0.5 + out / g->h);
        }
}

static int sphere_iterations(int n, bool deep, uint64_t *bits)
{
    Field f;
    open_field(&f, (int[]){n, n, deep ? n : 1}, NULL);
    place_sphere(&f);
    const OndGrid *g = &f.grid;
    EACH_CELL(g)
    {
        const size_t at = ond_grid_at(g, i, j, k);
        f.b[at] = ond_random((uint64_t)cell_number(g, i, j, k), 5) - 0.5f;
    }
    const OndSolution out = solve_field(&f, "mgpcg", OND_POISSON, 1e-6);
    assert_true(out.converged && out.residual <= 1.02e-6);
    if (bits) *bits = ond_hash_bytes(f.x, g->length * sizeof(float));
    close_field(&f);
    return out.iterations;
}

static void test_iterations(void **state)
{
    const int small = sphere_iterations(24, true, NULL), large = sphere_iterations(96, true, NULL);
    const int flat = sphere_iterations(64, false, NULL), wide = sphere_iterations(512, false, NULL);
    print_message("mgpcg to 1e-6: %d iterations on 24^3, %d on 96^3, %d on 64^2, %d on 512^2\n",
                  small, large, flat, wide);
    assert_true(large <= small + 2 && large <= 12);
    assert_true(wide <= flat + 3 && wide <= 12);
}

// ---- threads

static void test_threads(void **state)
{
    Domain d = {"threads", {40, 33, 30}, {0}, 0.1, 0.3, 1, 0.01, 0, {0, 1}};
    for (const char *const *name = ond_solver_names(); *name; ++name) {
        uint64_t first = 0;
        for (int threads = 1; threads <= 4; threads *= 2) {
            ond_threads_set(threads);
            Field f;
            open_field(&f, d.n, NULL);
            place_sphere(&f);
            randomise(f.system, f.b, 3);
            const OndGrid *g = &f.grid;
            EACH_CELL(g)
            f.b[ond_grid_at(g, i, j, k)] = ond_random(ond_grid_at(g, i, j, k), 3) - 0.5f;
            solve_field(&f, *name, OND_POISSON, 1e-3);
            const uint64_t got = ond_hash_bytes(f.x, g->length * sizeof(float));
            if (threads == 1) first = got;
            if (got != first) fail_msg("%s: %d threads give other bits than one", *name, threads);
            close_field(&f);
        }
    }
    ond_threads_set(0);
}

// ---- lent arrays

// A solver leaves nothing in the arrays that it is lent, and minds nothing that it finds there.
static void test_lent(void **state)
{
    for (const char *const *name = ond_solver_names(); *name; ++name) {
        OndError err = {0};
        Field own, lent;
        float *work[OND_SOLVER_WORK];
        const int n[3] = {20, 18, 16};
        open_field(&own, n, NULL);
        open_field(&lent, n, NULL);
        place_sphere(&own);
        place_sphere(&lent);
        const OndGrid *g = &own.grid;
        EACH_CELL(g)
        {
            const size_t at = ond_grid_at(g, i, j, k);
            own.b[at] = lent.b[at] = ond_random(at, 4) - 0.5f;
        }
        for (int k = 0; k < ond_solver_work(*name, &err); ++k) {
            work[k] = ond_grid_floats(g);
            for (size_t at = 0; at < g->length; ++at)
                work[k][at] = NAN;
        }
        lent.solver = ond_solver_create(*name, lent.system, work, &err);
        solve_field(&own, *name, OND_POISSON, 1e-3);
        solve_field(&lent, *name, OND_POISSON, 1e-3);
        if (memcmp(own.x, lent.x, g->length * sizeof(float)) != 0)
            fail_msg("%s: other bits with lent arrays", *name);
        const size_t less = ond_solver_bytes(own.solver) - ond_solver_bytes(lent.solver);
        assert_int_equal(less, (size_t)ond_solver_work(*name, &err) * g->length * sizeof(float));
        for (int k = 0; k < ond_solver_work(*name, &err); ++k)
            ond_free(work[k]);
        close_field(&own);
        close_field(&lent);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),      cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_iterations), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_lent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

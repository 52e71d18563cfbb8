// SPDX-License-Identifier: MIT
// Laws of the cells of a grid: each against its formula, and the orders and limits that the methods
// rely on.
#include "laws.h"
#include "laws_grid.h"

GRID_LAWS(LAW_FUNCTIONS)

static void test_formulas(void **state)
{
    static const Law laws[] = {GRID_LAWS(LAW_ENTRY)};
    check_laws(laws, sizeof laws / sizeof *laws);
}

// ---- interpolation

// At a value it is that value, and ones stay ones.
static void test_interpolation_ends(void **state)
{
    for (int k = -1; k <= 4; ++k) {
        const OndCubicWeights w = ond_cubic_weights((float)k, 3);
        const float weight[4] = {w.a, w.b, w.c, w.d};
        assert_true(w.first >= -1 && w.first + 3 <= 4);
        for (int n = 0; n < 4; ++n)
            CHECK_NEAR(weight[n], w.first + n == k, 0, "weights at a value");
    }
    for (double x = -1; x < 4; x += 0.013) {
        const OndCubicWeights w = ond_cubic_weights((float)x, 3);
        CHECK_NEAR((double)w.a + w.b + w.c + w.d, 1, 1e-5, "sum of weights");
    }
    assert_true(ond_interpolate(3, 7, 0) == 3 && ond_interpolate(3, 7, 1) == 7);
}

// A wave of a given length is missed by linear values as its square, by cubic ones as its fourth
// power.
static void test_interpolation_orders(void **state)
{
    double error[2][2] = {{0, 0}, {0, 0}};
    for (int fine = 0; fine < 2; ++fine)
        for (double x = 1; x < 2; x += 0.01) {
            const double k = fine ? 0.2 : 0.4;
            float v[6], share;
            for (int n = 0; n < 6; ++n)
                v[n] = (float)cos(k * (n - 2.5));
            const OndCubicWeights w = ond_cubic_weights((float)x, 3);
            const int low = ond_interpolation_below((float)x, 3, &share);
            const double line = ond_interpolate(v[low + 1], v[low + 2], share);
            error[0][fine] = fmax(error[0][fine], fabs(line - cos(k * (x - 1.5))));
            error[1][fine] =
                fmax(error[1][fine], fabs(ond_cubic4(v + 1, w.first, w) - cos(k * (x - 1.5))));
        }
    CHECK_NEAR(log2(error[0][0] / error[0][1]), 2, 0.2, "order of linear");
    CHECK_NEAR(log2(error[1][0] / error[1][1]), 4, 0.2, "order of cubic");
}

// ---- advection

static void test_advection_limits(void **state)
{
    assert_true(ond_advection_inside(NAN, 5) == 0 && ond_advection_round(NAN, 5, 0.2f) == 0);
    for (double x = -30; x < 30; x += 0.0371) {
        const float at = ond_advection_round((float)x, 7, 1.0f / 7);
        assert_true(at >= 0 && at <= 7);
    }
    // a flow that is the same all over: both looks agree, and v stays
    assert_true(ond_advection_share(0, 1) == 0);
    assert_true(isfinite(ond_advection_share(0, 0)));
    // what came back whole is left alone, and the limiter lets nothing grow
    assert_true(ond_maccormack(3, 0.5f, 2, 2) == 3);
    assert_true(ond_limit(5, 1, 2) == 2 && ond_limit(-5, 1, 2) == 1 &&
                ond_limit(1.5f, 1, 2) == 1.5f);
    // hyperviscosity leaves cubics alone, and takes 16 of a wave of two cells
    for (int n = 0; n < 50; ++n) {
        float v[5];
        for (int k = 0; k < 5; ++k)
            v[k] = (float)(n + (n % 7) * k + (n % 5) * k * k - n % 3 * k * k * k);
        CHECK_NEAR(ond_fourth_difference(v[0], v[1], v[2], v[3], v[4]), 0, 0, "of a cubic");
    }
    assert_true(ond_fourth_difference(1, -1, 1, -1, 1) == 16);
    // along three axes at the largest Courant number a wave of two cells does not change its sign
    assert_true(3 * ond_hyperviscosity(0.5f / 12, 9, 0.5f, 16) <= 1);
}

// ---- stencils

// (A x, y) = (x, A y): what one cell sends another, the other sends it.
static void test_stencils_are_symmetric(void **state)
{
    for (int round = 0; round < LAW_ROUNDS; ++round) {
        const float w = 255 * ond_random((uint64_t)round, 1), x = ond_random((uint64_t)round, 2),
                    y = ond_random((uint64_t)round, 3);
        CHECK_NEAR(ond_stencil_pull(w, y, 0, 0, x), -ond_stencil_pull(0, 0, w, x, y), 0,
                   "from cell to cell");
        CHECK_NEAR(ond_stencil_pull(w, x, w, x, x), 0, 0, "where all is even");
    }
}

// The gradient is the divergence's transpose, so that a projection takes off what it should: the
// divergence of a gradient is the Laplacian.
static void test_divergence_of_a_gradient(void **state)
{
    for (int round = 0; round < LAW_ROUNDS; ++round) {
        float p[5]; // here, left, right, below, above
        for (int k = 0; k < 5; ++k)
            p[k] = ond_random((uint64_t)round, (uint64_t)k);
        const double got =
            ond_divergence(ond_gradient_off(0, 1, p[1], p[0]), ond_gradient_off(0, 1, p[0], p[2]),
                           ond_gradient_off(0, 1, p[3], p[0]), ond_gradient_off(0, 1, p[0], p[4]));
        const double want =
            ond_stencil_pull(1, p[1], 1, p[2], p[0]) + ond_stencil_pull(1, p[3], 1, p[4], p[0]);
        CHECK_NEAR(got, want, 1e-6, "divergence of a gradient");
        CHECK_NEAR(-ond_diffusion_gain(1, ond_stencil_sum(p[1], p[2], p[3], p[4]), 4, p[0]), want,
                   1e-6, "Laplacian");
    }
}

static void test_relaxed_cells_balance(void **state)
{
    // the answer of a cell leaves nothing in it, however it is found
    const float b = 7, sent = 300, d = 700, x = ond_over_relax(0.3f, 1, b + sent, d);
    CHECK_NEAR(ond_residual(b, sent, d, x), 0, 1e-4, "residual of Gauss-Seidel");
    CHECK_NEAR(ond_jacobi(0.3f, 1, ond_residual(b, sent, d, 0.3f), d), x, 1e-6, "and of Jacobi");
    CHECK_NEAR(ond_jacobi(x, 0.8f, ond_residual(b, sent, d, x), d), x, 1e-6, "which stays there");
    CHECK_NEAR(ond_diffusion_relax(2, 0.5f, 8, 3), 2, 1e-6, "even values stay");
    CHECK_NEAR(ond_diffusion_relax_by(2, 0.5f, 8, 1.0f / 3), 2, 1e-6, "even values stay");
}

// ---- forces and sides

static void test_forces_and_sides(void **state)
{
    assert_true(ond_buoyancy(0.1f, 0, 0.003f, 0) == 0);       // clear air is not pushed
    assert_true(ond_buoyancy(0.1f, 0, 0.003f, 50) < 0);       // warm air is light
    assert_true(ond_curl(2, -2) == 4 && ond_curl(1, 1) == 0); // a whirl, and pure strain
    // f is across N: n . (n x w) = 0
    const float n[3] = {1, 2, 3}, w[3] = {-2, 0.5f, 4};
    float sum = 0;
    for (int a = 0; a < 3; ++a)
        sum += n[a] *
               ond_confinement(n[(a + 1) % 3], n[(a + 2) % 3], w[(a + 1) % 3], w[(a + 2) % 3], 2);
    CHECK_NEAR(sum, 0, 1e-5, "confinement along N");
    assert_true(ond_source_fresh(0) == 0 && ond_source_mix(3, 9, 0) == 3 &&
                ond_source_mix(3, 9, 1) == 9);
    assert_true(ond_ghost_along(2, 5, 1) == 2);                            // slides
    assert_true(0.5f * (2 + ond_ghost_along(2, 5, 0)) == 5);               // sticks
    assert_true(0.5f * (2 + ond_ghost_given(2, 7)) == 7);                  // is given
    assert_true(ond_ghost_open(2, 1) == 2 && ond_ghost_open(2, -1) == -2); // out, in
    assert_true(ond_drawn_in(-3, -3, 0.1f) == -3 && ond_drawn_in(3, 3, 9) == 0);
    assert_true(ond_flux_cut(1, 3, 8) == 3 && ond_flux_cut(0, 3, 8) == 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_interpolation_ends),
        cmocka_unit_test(test_interpolation_orders),
        cmocka_unit_test(test_advection_limits),
        cmocka_unit_test(test_stencils_are_symmetric),
        cmocka_unit_test(test_divergence_of_a_gradient),
        cmocka_unit_test(test_relaxed_cells_balance),
        cmocka_unit_test(test_forces_and_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

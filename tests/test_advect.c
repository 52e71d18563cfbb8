// SPDX-License-Identifier: MIT
// Carrying a field (grid/advect.h): a slope stays a slope, shifted or turned as the flow says, for
// every scheme, every way of tracing and every place a field can stand in.
#include "base/memory.h"
#include "check.h"
#include "grid/advect.h"
#include "grid/departures.h"

static const char *const schemes[] = {"linear", "maccormack", "cubic"};
static const char *const traces[] = {"taylor", "rk2", "rk3"};

typedef struct Flow {
    OndGrid grid;
    float *v[3], *from, *to[2], *scratch[2];
    double drift[3], spin; // m/s, 1/s about z through the middle
    OndFlow flow;
} Flow;

static void flow_open(Flow *f, int wide, int dimension)
{
    OndError err = {0};
    const int n[3] = {wide, 18, dimension == 3 ? 16 : 1};
    assert_int_equal(ond_grid_set(&f->grid, n, 0.5, ond_vec(0, 0, 0), NULL, &err), OND_OK);
    for (int a = 0; a < 3; ++a)
        f->v[a] = ond_grid_floats(&f->grid);
    f->from = ond_grid_floats(&f->grid);
    for (int k = 0; k < 2; ++k) {
        f->to[k] = ond_grid_floats(&f->grid);
        f->scratch[k] = ond_grid_floats(&f->grid);
    }
}

static void flow_close(Flow *f)
{
    for (int a = 0; a < 3; ++a)
        ond_free(f->v[a]);
    ond_free(f->from);
    for (int k = 0; k < 2; ++k) {
        ond_free(f->to[k]);
        ond_free(f->scratch[k]);
    }
}

// Where the value (i, j, k) of an array stands, from the middle of the grid.
static void place(const Flow *f, int axis, const int at[3], double out[3])
{
    for (int a = 0; a < 3; ++a)
        out[a] = f->grid.h * (at[a] + (axis == a ? 0.0 : 0.5) - 0.5 * f->grid.n[a]);
}

static double slope(const double x[3])
{
    return 0.3 + 0.7 * x[0] - 0.4 * x[1] + 0.2 * x[2];
}

typedef double Value(const Flow *f, int axis, const double x[3]);

static void fill(const Flow *f, int axis, float *array, Value *value)
{
    const int deep = f->grid.deep;
    for (int k = -deep; k <= f->grid.n[2] - !deep; ++k)
        for (int j = -1; j <= f->grid.n[1]; ++j)
            for (int i = -1; i <= f->grid.n[0]; ++i) {
                double x[3];
                place(f, axis, (int[]){i, j, k}, x);
                array[ond_grid_at(&f->grid, i, j, k)] = (float)value(f, axis, x);
            }
}

static double slope_there(const Flow *f, int axis, const double x[3])
{
    return slope(x);
}

// The velocity; for `taylor` with half of what its own turning adds in a step.
static double velocity(const Flow *f, int axis, const double x[3])
{
    const double lean = f->flow.trace == OND_TRACE_TAYLOR ? 0.5 * f->flow.dt * f->spin : 0.0;
    const double u = f->drift[0] - f->spin * x[1], v = f->drift[1] + f->spin * x[0];
    return axis == 0 ? u - lean * v : axis == 1 ? v + lean * u : f->drift[2];
}

// What there should be at x after a step: the slope where x was before.
static double expected(const Flow *f, const double x[3])
{
    const double turn = f->spin * f->flow.dt, dt = f->flow.dt;
    if (f->spin == 0.0)
        return slope(
            (double[]){x[0] - dt * f->drift[0], x[1] - dt * f->drift[1], x[2] - dt * f->drift[2]});
    const double c = cos(turn), s = sin(turn);
    return slope((double[]){c * x[0] + s * x[1], -s * x[0] + c * x[1], x[2] - dt * f->drift[2]});
}

// The largest difference away from the sides.
static double off(const Flow *f, int axis, const float *array)
{
    double most = 0.0;
    const int in = 5, deep = f->grid.deep;
    for (int k = deep ? in : 0; k < (deep ? f->grid.n[2] - in : 1); ++k)
        for (int j = in; j < f->grid.n[1] - in; ++j)
            for (int i = in; i < f->grid.n[0] - in; ++i) {
                double x[3];
                place(f, axis, (int[]){i, j, k}, x);
                most = fmax(most, fabs(array[ond_grid_at(&f->grid, i, j, k)] - expected(f, x)));
            }
    return most;
}

static void check(Flow *f, int scheme, int trace, double within)
{
    const int dimension = ond_grid_axes(&f->grid);
    f->flow = (OndFlow){.grid = &f->grid,
                        .v = {f->v[0], f->v[1], f->v[2]},
                        .dt = 0.4,
                        .scheme = scheme,
                        .trace = trace};
    for (int a = 0; a < dimension; ++a)
        fill(f, a, f->v[a], velocity);
    for (int axis = -1; axis < dimension; ++axis) {
        char what[64];
        const OndCarried two[2] = {{f->from, f->to[0], f->scratch[0]},
                                   {f->from, f->to[1], f->scratch[1]}};
        fill(f, axis, f->from, slope_there);
        ond_advect(&f->flow, axis, two, 2, true);
        snprintf(what, sizeof what, "%s, %s, %dD, axis %d", schemes[scheme], traces[trace],
                 dimension, axis);
        for (int k = 0; k < 2; ++k)
            CHECK_NEAR(off(f, axis, f->to[k]), 0, within, what);
    }
}

static void test_slope(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int c = 0; c < 9; ++c) {
            Flow f = {.drift = {1.7, -1.1, dimension == 3 ? 0.6 : 0.0}};
            flow_open(&f, dimension == 3 ? 20 : 2 * OND_DEPARTURES + 9, dimension);
            check(&f, c % 3, c / 3, dimension == 3 ? 3e-6 : 3e-5);
            flow_close(&f);
        }
}

// A turn by 0.12: what is left is its third power, in parts.
static void test_turn(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int c = 0; c < 9; ++c) {
            Flow f = {.drift = {0, 0, dimension == 3 ? 0.6 : 0.0}, .spin = 0.3};
            flow_open(&f, 20, dimension);
            check(&f, c % 3, c / 3, 2e-3);
            flow_close(&f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slope), cmocka_unit_test(test_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

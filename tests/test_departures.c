// SPDX-License-Identifier: MIT
// The loops over departure points (grid/departures.h) of every instruction set, against plain ones
// in double.
#include "base/memory.h"
#include "check.h"
#include "grid/departures.h"

#include <stdlib.h>

static const char *const sets[] = {"base", "v3",
                                   "v4"}; // one that the processor lacks: the next best

typedef struct Field {
    OndGrid grid;
    float *data;
    OndDepartures departures;
} Field;

static double any(double low, double high)
{
    return low + (high - low) * rand() / RAND_MAX;
}

// Random values, ghosts too; random places, and all that are on the sides.
static void field_open(Field *f, const int n[3], int count)
{
    OndError err = {0};
    const bool periodic[3] = {true, false, false};
    assert_int_equal(ond_grid_set(&f->grid, n, 1.0, ond_vec(0, 0, 0), periodic, &err), OND_OK);
    f->data = ond_grid_floats(&f->grid);
    for (size_t i = 0; i < f->grid.length; ++i)
        f->data[i] = (float)any(-1, 1);
    f->departures.grid = &f->grid;
    f->departures.count = count;
    for (int a = 0; a < 3; ++a)
        for (int i = 0; i < count; ++i)
            f->departures.at[a][i] = (float)(i % 7 == a ? 0.0 : i % 5 == a ? n[a] : any(0, n[a]));
}

static void field_close(Field *f)
{
    ond_free(f->data);
}

static double value(const Field *f, int i, int j, int k)
{
    return f->data[ond_grid_at(&f->grid, i, j, k)];
}

// The value below a place along an axis; how far it is from there.
static int below(const Field *f, int axis, int along, int place, double *share)
{
    const double x = f->departures.at[along][place] - (axis == along ? 0.0 : 0.5);
    const int low = (int)fmin(floor(x), f->grid.n[along] - 1);
    *share = x - low;
    return low;
}

static double plain_linear(const Field *f, int axis, int place)
{
    double x, y, z = 0.0, sum = 0.0;
    const int i = below(f, axis, 0, place, &x), j = below(f, axis, 1, place, &y),
              k = f->grid.deep ? below(f, axis, 2, place, &z) : 0;
    for (int c = 0; c < (f->grid.deep ? 8 : 4); ++c)
        sum += (c & 1 ? x : 1 - x) * (c & 2 ? y : 1 - y) * (c & 4 ? z : 1 - z) *
               value(f, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
    return sum;
}

// Lagrange's polynomial through the four values from `first` on, its weight of the one at `at`.
static double weight(double x, int first, int at)
{
    double product = 1.0;
    for (int m = first; m < first + 4; ++m)
        if (m != at) product *= (x - m) / (at - m);
    return product;
}

static int first_of(const Field *f, int axis, int along, int place, double *x)
{
    *x = f->departures.at[along][place] - (axis == along ? 0.0 : 0.5);
    return (int)fmax(fmin(floor(*x) - 1, f->grid.n[along] - 3), -1);
}

static double plain_cubic(const Field *f, int axis, int place)
{
    double x, y, z = 0.0, sum = 0.0;
    const int i = first_of(f, axis, 0, place, &x), j = first_of(f, axis, 1, place, &y),
              k = f->grid.deep ? first_of(f, axis, 2, place, &z) : 0;
    for (int c = k; c < (f->grid.deep ? k + 4 : 1); ++c)
        for (int b = j; b < j + 4; ++b)
            for (int a = i; a < i + 4; ++a)
                sum += weight(x, i, a) * weight(y, j, b) * (f->grid.deep ? weight(z, k, c) : 1.0) *
                       value(f, a, b, c);
    return sum;
}

static void check_values(const OndDepartureLoops *loops, const Field *f, int axis)
{
    OndDepartureValues linear, cubic;
    int32_t spots[OND_DEPARTURES];
    loops->linear(&f->departures, axis, f->data, linear);
    loops->cubic(&f->departures, axis, f->data, cubic);
    loops->spots(&f->departures, axis, spots);
    for (int p = 0; p < f->departures.count; ++p) {
        double share;
        const int i = below(f, axis, 0, p, &share), j = below(f, axis, 1, p, &share),
                  k = f->grid.deep ? below(f, axis, 2, p, &share) : 0;
        CHECK_NEAR(linear[p], plain_linear(f, axis, p), 2e-6, "linear");
        CHECK_NEAR(cubic[p], plain_cubic(f, axis, p), 2e-5, "cubic");
        assert_int_equal(spots[p], ond_grid_at(&f->grid, i, j, k));
    }
}

static void check_clamp(const OndDepartureLoops *loops, const Field *f)
{
    const OndGrid *const g = &f->grid;
    int32_t spots[OND_DEPARTURES];
    OndDepartureValues values;
    loops->spots(&f->departures, -1, spots);
    for (int p = 0; p < f->departures.count; ++p)
        values[p] = (float)any(-1, 1);
    OndDepartureValues before;
    memcpy(before, values, sizeof before);
    loops->clamp(g, f->departures.count, f->data, spots, values);
    for (int p = 0; p < f->departures.count; ++p) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int c = 0; c < (g->deep ? 8 : 4); ++c) {
            const double v =
                f->data[spots[p] + (c & 1) + (c >> 1 & 1) * g->row + (c >> 2) * g->plane];
            low = fmin(low, v), high = fmax(high, v);
        }
        CHECK_NEAR(values[p], fmin(fmax(before[p], low), high), 0, "clamp");
    }
}

static void test_values(void **state)
{
    (void)state;
    static const int sizes[][3] = {{14, 9, 6}, {14, 9, 1}, {2, 3, 3}};
    static const int counts[] = {OND_DEPARTURES, 13, 1};
    for (int c = 0; c < 9; ++c)
        for (int s = 0; s < OND_COUNT(sets); ++s) {
            Field f;
            setenv("ONDINE_ISA", sets[s], 1);
            field_open(&f, sizes[c % 3], counts[c / 3]);
            for (int axis = -1; axis < (f.grid.deep ? 3 : 2); ++axis)
                check_values(ond_departure_loops(), &f, axis);
            check_clamp(ond_departure_loops(), &f);
            field_close(&f);
        }
}

static void test_mean(void **state)
{
    (void)state;
    for (int s = 0; s < OND_COUNT(sets); ++s) {
        float data[3 * OND_DEPARTURES], out[OND_DEPARTURES];
        setenv("ONDINE_ISA", sets[s], 1);
        for (int i = 0; i < OND_COUNT(data); ++i)
            data[i] = (float)any(-1, 1);
        const float *const d = data + OND_DEPARTURES;
        ond_departure_loops()->mean(d, 37, 20, OND_DEPARTURES, out);
        for (int i = 0; i < OND_DEPARTURES; ++i)
            CHECK_NEAR(out[i], 0.25 * ((double)d[i] + d[i + 37] + d[i - 20] + d[i + 17]), 1e-6,
                       "mean");
    }
}

// Five values in a row, one of which may not count, and a flow that may be faster than counts.
static void test_damp(void **state)
{
    (void)state;
    for (int s = 0; s < OND_COUNT(sets); ++s) {
        float u[3 * OND_DEPARTURES], w[3 * OND_DEPARTURES], out[OND_DEPARTURES] = {0};
        uint8_t open[3 * OND_DEPARTURES];
        setenv("ONDINE_ISA", sets[s], 1);
        for (int i = 0; i < OND_COUNT(u); ++i) {
            u[i] = (float)any(-1, 1), w[i] = (float)any(-2, 2);
            open[i] = any(0, 1) < 0.1 ? 0 : (uint8_t)any(1, 255);
        }
        const int at = OND_DEPARTURES;
        const OndDampRow row = {.u = u + at,
                                .open = open + at,
                                .off = {-18, -9, 0, 9, 18},
                                .w = w + at,
                                .on = 37,
                                .back = 20,
                                .cells = 0.7f,
                                .most = 0.5f,
                                .share = 0.25f,
                                .out = out};
        ond_departure_loops()->damp(&row, OND_DEPARTURES);
        for (int i = at; i < at + OND_DEPARTURES; ++i) {
            const bool all = open[i - 18] && open[i - 9] && open[i] && open[i + 9] && open[i + 18];
            const double flow = 0.25 * ((double)w[i] + w[i + 37] + w[i - 20] + w[i + 17]);
            const double fourth = (double)u[i - 18] + u[i + 18] -
                                  4.0 * ((double)u[i - 9] + u[i + 9]) + 6.0 * (double)u[i];
            CHECK_NEAR(out[i - at], all ? -0.25 * fmin(0.7 * fabs(flow), 0.5) * fourth : 0.0, 1e-6,
                       "damp");
        }
    }
}

// Places stay in the grid, or come back in round a periodic side, whatever they are moved by.
static void test_move(void **state)
{
    (void)state;
    static const float ways[] = {0.3f, -2.5f, 17, -60, 1e30f, -1e30f, INFINITY, -INFINITY, NAN, 0};
    for (int s = 0; s < OND_COUNT(sets); ++s) {
        Field f;
        OndDepartureValues from, v;
        setenv("ONDINE_ISA", sets[s], 1);
        field_open(&f, (int[]){14, 9, 6}, 100);
        for (int i = 0; i < 100; ++i)
            from[i] = (float)any(0, 6), v[i] = ways[i % OND_COUNT(ways)];
        for (int a = 0; a < 3; ++a) {
            const double n = f.grid.n[a];
            ond_departure_loops()->move(&f.departures, a, from, v, 0.5f);
            for (int i = 0; i < 100; ++i) {
                const double x = (double)from[i] + 0.5 * (double)v[i], now = f.departures.at[a][i];
                assert_true(now >= 0.0 && now <= n);
                if (!(fabs(x) < 1e6)) continue;
                const double want = a == 0 ? x - n * floor(x / n) : fmin(fmax(x, 0.0), n);
                CHECK_NEAR(now, want, 1e-5, "moved");
            }
        }
        field_close(&f);
    }
}

// y + w(y) = x with w = a + b y along a line: two looks tell where the answer is.
static void test_aim(void **state)
{
    (void)state;
    for (int s = 0; s < OND_COUNT(sets); ++s)
        for (int deep = 0; deep < 2; ++deep) {
            OndDepartureValues v[3], next[3];
            double want[OND_DEPARTURES][3];
            setenv("ONDINE_ISA", sets[s], 1);
            for (int i = 0; i < OND_DEPARTURES; ++i) {
                const double slope = any(-0.45, 2.5); // the answer's share is from -0.8 to 0.72
                for (int a = 0; a < 3; ++a) {
                    v[a][i] = (float)any(0.2, 1); // w(x), the same slope along all axes
                    next[a][i] = (float)(v[a][i] * (1.0 - slope));
                    want[i][a] = v[a][i] / (1.0 + slope);
                }
            }
            ond_departure_loops()->aim(OND_DEPARTURES, v, (const OndDepartureValues *)next, deep);
            for (int i = 0; i < OND_DEPARTURES; ++i)
                for (int a = 0; a < 2 + deep; ++a)
                    CHECK_NEAR(v[a][i], want[i][a], 1e-5, "aim");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_mean),
                                       cmocka_unit_test(test_move), cmocka_unit_test(test_aim),
                                       cmocka_unit_test(test_damp)};
    srand(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

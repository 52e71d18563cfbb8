// SPDX-License-Identifier: MIT
// Cells: the sort is a stable permutation, and the runs round a cell hold every pair within the
// radius.
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "check.h"
#include "space/cells.h"

#include <stdbool.h>
#include <stdlib.h>

#define COUNT_MAX 40000

typedef struct Cloud {
    float x[3][COUNT_MAX], low[3], high[3];
    uint32_t key[COUNT_MAX], order[COUNT_MAX];
    int count;
    float radius;
    OndCells cells;
} Cloud;

// ---- clouds

static void random_box(float at[3], int i)
{
    for (int a = 0; a < 3; ++a)
        at[a] = ond_random((uint64_t)i, (uint64_t)a) - 0.3f;
}

static void flat(float at[3], int i)
{
    random_box(at, i);
    at[2] = 0;
}

static void clustered(float at[3], int i)
{
    for (int a = 0; a < 3; ++a) { // three knots, each a thousandth of the space between them
        const float knot = ond_random((uint64_t)i % 3, 10u + (uint64_t)a);
        at[a] = knot + 0.05f * powf(ond_random((uint64_t)i, (uint64_t)a), 4);
    }
}

static void coincident(float at[3], int i)
{
    at[0] = 0.25f, at[1] = -3, at[2] = 1e-3f;
}

static void far_away(float at[3], int i)
{
    for (int a = 0; a < 3; ++a)
        at[a] = (a == 1 ? -1e6f : 1e6f) + 20 * ond_random((uint64_t)i, (uint64_t)a);
}

static void stray(float at[3], int i)
{
    random_box(at, i);
    if (i == 17) at[0] = 1e6f;
    if (i == 18) at[1] = -1e6f;
}

static void line(float at[3], int i)
{
    at[0] = 100 * ond_random((uint64_t)i, 0);
    at[1] = at[2] = 0;
}

static void on_raster(float at[3], int i) // exactly on the faces between cells
{
    at[0] = 0.125f * (float)(i % 12), at[1] = 0.125f * (float)(i / 12 % 12),
    at[2] = 0.125f * (float)(i / 144);
}

static const struct {
    const char *name;
    void (*place)(float at[3], int i);
    int count;
    float radius;
} clouds[] = {
    {"random", random_box, 2000, 0.1f},
    {"random, wide radius", random_box, 500, 3},
    {"flat", flat, 2000, 0.05f},
    {"clustered", clustered, 2000, 0.02f},
    {"coincident", coincident, 300, 0.1f},
    {"far away", far_away, 2000, 2},
    {"stray", stray, 2000, 0.1f},
    {"line", line, 2000, 0.05f},
    {"on the raster", on_raster, 1728, 0.125f},
    {"single", random_box, 1, 0.1f},
    {"pair", coincident, 2, 0.1f},
    {"many", random_box, COUNT_MAX, 0.03f},
};

static Cloud *make_cloud(int which)
{
    Cloud *c = calloc(1, sizeof *c);
    c->count = clouds[which].count;
    c->radius = clouds[which].radius;
    for (int a = 0; a < 3; ++a)
        c->low[a] = INFINITY, c->high[a] = -INFINITY;
    for (int i = 0; i < c->count; ++i) {
        float at[3];
        clouds[which].place(at, i);
        for (int a = 0; a < 3; ++a) {
            c->x[a][i] = at[a];
            c->low[a] = fminf(c->low[a], at[a]);
            c->high[a] = fmaxf(c->high[a], at[a]);
        }
    }
    return c;
}

static void lay_and_sort(Cloud *c)
{
    OndError err = {0};
    if (ond_cells_lay(&c->cells, c->low, c->high, c->radius, c->count, &err) != OND_OK ||
        ond_cells_sort(&c->cells, c->x[0], c->x[1], c->x[2], c->count, c->key, c->order, &err) !=
            OND_OK)
        fail_msg("%s", err.text);
}

static void free_cloud(Cloud *c)
{
    ond_cells_free(&c->cells);
    free(c);
}

// ---- sorting

// The particles of a cell must stand in one cube of the grid, within what floats can tell. How
// cubes are numbered is the grid's own affair.
static bool share_a_cube(const Cloud *c, int cell)
{
    const OndCells *g = &c->cells;
    const int n[3] = {g->nx, g->ny, g->nz};
    for (int a = 0; a < 3; ++a) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t k = g->first[cell]; k < g->first[cell + 1]; ++k) {
            const double at = ((double)c->x[a][c->order[k]] - g->origin[a]) * g->inv_size;
            low = fmin(low, at), high = fmax(high, at);
        }
        const double slack = 1e-6 * n[a];
        if (high > floor(low + slack) + 1 + slack || low < -slack || high > n[a] + slack)
            return false;
    }
    return true;
}

static void test_sorted(void **state)
{
    for (int w = 0; w < OND_COUNT(clouds); ++w) {
        Cloud *c = make_cloud(w);
        lay_and_sort(c);
        const OndCells *g = &c->cells;
        assert_true(g->cell_count >= g->nx * g->ny * g->nz);
        assert_int_equal(g->first[0], 0);
        assert_int_equal(g->first[g->cell_count], c->count);
        unsigned char *seen = calloc((size_t)c->count, 1);
        uint32_t fullest = 0;
        for (int cell = 0; cell < g->cell_count; ++cell) {
            assert_true(g->first[cell] <= g->first[cell + 1]);
            fullest = g->first[cell + 1] - g->first[cell] > fullest
                          ? g->first[cell + 1] - g->first[cell]
                          : fullest;
            if (g->first[cell] == g->first[cell + 1]) continue;
            for (uint32_t k = g->first[cell]; k < g->first[cell + 1]; ++k) {
                const uint32_t i = c->order[k];
                assert_true(i < (uint32_t)c->count);
                if (seen[i]++) fail_msg("%s: particle %u comes twice", clouds[w].name, i);
                if (k > g->first[cell] && c->order[k - 1] >= i)
                    fail_msg("%s: %u before %u in cell %d: not stable", clouds[w].name,
                             c->order[k - 1], i, cell);
            }
            if (!share_a_cube(c, cell))
                fail_msg("%s: the particles of cell %d stand in several", clouds[w].name, cell);
        }
        assert_int_equal(ond_cells_fullest(g), fullest);
        free(seen);
        free_cloud(c);
    }
}

static void test_same_order_for_any_threads(void **state)
{
    static const int threads[] = {1, 2, 4};
    for (int w = 0; w < OND_COUNT(clouds); ++w) {
        Cloud *c = make_cloud(w);
        uint32_t *order = calloc((size_t)c->count, sizeof *order);
        for (int t = 0; t < 3; ++t) {
            ond_threads_set(threads[t]);
            lay_and_sort(c);
            if (t == 0) memcpy(order, c->order, (size_t)c->count * sizeof *order);
            if (memcmp(order, c->order, (size_t)c->count * sizeof *order) != 0)
                fail_msg("%s: another order with %d threads", clouds[w].name, threads[t]);
        }
        free(order);
        free_cloud(c);
    }
    ond_threads_set(0);
}

// ---- neighbours

static double distance(const Cloud *c, uint32_t i, uint32_t j)
{
    double sum = 0;
    for (int a = 0; a < 3; ++a)
        sum += pow((double)c->x[a][i] - c->x[a][j], 2);
    return sqrt(sum);
}

// Marks the particles that the runs round a cell hold; a run is in sorted order.
static void mark_near(const Cloud *c, int cell, unsigned char *mark, const char *name)
{
    OndRun run[9];
    const int runs = ond_cells_near(&c->cells, cell, run);
    assert_true(runs <= 9);
    memset(mark, 0, (size_t)c->count);
    for (int r = 0; r < runs; ++r) {
        assert_true(run[r].first < run[r].last && run[r].last <= (uint32_t)c->count);
        for (uint32_t k = run[r].first; k < run[r].last; ++k)
            if (mark[c->order[k]]++) fail_msg("%s: %u twice near cell %d", name, c->order[k], cell);
    }
}

static void test_near_covers_radius(void **state)
{
    for (int w = 0; w < OND_COUNT(clouds); ++w) {
        Cloud *c = make_cloud(w);
        lay_and_sort(c);
        unsigned char *mark = calloc((size_t)c->count, 1);
        // the product that finds a cell is a float: a pair may be missed this close to the radius,
        // where all kernels are 0 but for rounding
        const int widest = c->cells.nx > c->cells.ny ? c->cells.nx : c->cells.ny;
        const double radius =
            c->radius * (1 - 3e-7 * (widest > c->cells.nz ? widest : c->cells.nz));
        const int stride = c->count > 4000 ? 16 : 1; // of the cells looked at
        long long pairs = 0;
        for (int cell = 0; cell < c->cells.cell_count; cell += stride) {
            if (c->cells.first[cell] == c->cells.first[cell + 1]) continue;
            mark_near(c, cell, mark, clouds[w].name);
            for (uint32_t k = c->cells.first[cell]; k < c->cells.first[cell + 1]; ++k)
                for (uint32_t j = 0; j < (uint32_t)c->count; ++j) {
                    if (distance(c, c->order[k], j) >= radius) continue;
                    ++pairs;
                    if (!mark[j])
                        fail_msg("%s: %u and %u are %.9g apart and not near (radius %g)",
                                 clouds[w].name, c->order[k], j, distance(c, c->order[k], j),
                                 (double)c->radius);
                }
        }
        assert_true(pairs >= c->count / stride / 2); // each finds itself
        free(mark);
        free_cloud(c);
    }
}

// ---- boxes

static void check_box(const Cloud *c, int first, int last, const char *name)
{
    const OndBox box = ond_cells_box_of(&c->cells, first, last);
    for (uint32_t k = c->cells.first[first]; k < c->cells.first[last]; ++k)
        for (int a = 0; a < 3; ++a) {
            const double at = c->x[a][c->order[k]];
            if (!(at >= ond_axis(box.min, a) && at <= ond_axis(box.max, a)))
                fail_msg("%s: particle %u is not in the box of cells %d to %d", name, c->order[k],
                         first, last);
        }
}

// Boxes hold all particles of their cells; that of one cell is hardly wider than it.
static void test_boxes(void **state)
{
    static const int lengths[] = {1, 2, 7, 8, 61};
    for (int w = 0; w < OND_COUNT(clouds); ++w) {
        Cloud *c = make_cloud(w);
        lay_and_sort(c);
        const OndCells *g = &c->cells;
        for (int l = 0; l < OND_COUNT(lengths); ++l)
            for (int cell = 0; cell + lengths[l] <= g->cell_count; cell += lengths[l])
                check_box(c, cell, cell + lengths[l], clouds[w].name);
        const OndBox one = ond_cells_box_of(g, g->cell_count / 2, g->cell_count / 2 + 1);
        for (int a = 0; a < 3; ++a)
            CHECK_NEAR((ond_axis(one.max, a) - ond_axis(one.min, a)) * g->inv_size, 1, 0.02,
                       clouds[w].name);
        free_cloud(c);
    }
}

// ---- laying

static void test_lay(void **state)
{
    static const struct {
        const char *name;
        float low[3], high[3], radius;
        int particles;
        bool refused;
    } cases[] = {
        {"plain", {0, 0, 0}, {1, 1, 1}, 0.1f, 1000, false},
        {"one point", {2, 2, 2}, {2, 2, 2}, 0.1f, 1, false},
        {"far more cells than particles", {0, 0, 0}, {1e3f, 1e3f, 1e3f}, 0.01f, 100, false},
        {"out of all proportion", {-1e37f, 0, 0}, {1e37f, 1, 1}, 1e-9f, 10, false},
        {"NaN", {0, NAN, 0}, {1, 1, 1}, 0.1f, 10, true},
        {"NaN above", {0, 0, 0}, {1, 1, NAN}, 0.1f, 10, true},
        {"infinite", {0, 0, 0}, {INFINITY, 1, 1}, 0.1f, 10, true},
        {"infinite below", {0, -INFINITY, 0}, {1, 1, 1}, 0.1f, 10, true},
        {"wider than a float", {-3e38f, 0, 0}, {3e38f, 1, 1}, 0.1f, 10, true},
    };
    OndCells cells = {0};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndError err = {0};
        const OndStatus got = ond_cells_lay(&cells, cases[c].low, cases[c].high, cases[c].radius,
                                            cases[c].particles, &err);
        CHECK_NEAR(got, cases[c].refused ? OND_UNSTABLE : OND_OK, 0, cases[c].name);
        if (cases[c].refused) {
            CHECK_SAYS(err.text, "not a finite number", cases[c].name);
            continue;
        }
        const double limit = 2.0 * cases[c].particles + 4096;
        CHECK_NEAR(cells.cell_count, 0.5 * (1 + limit), 0.5 * (limit - 1), cases[c].name);
        if (1.0 / cells.inv_size < cases[c].radius * (1 - 1e-6))
            fail_msg("%s: cells of %g m are smaller than the radius", cases[c].name,
                     1.0 / cells.inv_size);
    }
    ond_cells_free(&cells);
}

// A second population falls into the same cells, its strays into those at the border.
static void test_lay_like(void **state)
{
    Cloud *c = make_cloud(0), *again = make_cloud(0);
    lay_and_sort(c);
    OndError err = {0};
    OndCells *other = &again->cells;
    assert_int_equal(ond_cells_lay_like(other, &c->cells, &err), OND_OK);
    assert_int_equal(other->cell_count, c->cells.cell_count);
    again->x[0][3] = -50, again->x[1][4] = 50, again->x[2][5] = INFINITY, again->x[2][6] = NAN;
    assert_int_equal(ond_cells_sort(other, again->x[0], again->x[1], again->x[2], c->count,
                                    again->key, again->order, &err),
                     OND_OK);
    assert_int_equal(other->first[other->cell_count], c->count);
    int moved = 0;
    for (int i = 0; i < c->count; ++i)
        moved += c->key[i] != again->key[i];
    if (moved > 4) fail_msg("%d particles in other cells, 4 were moved", moved);
    assert_true(ond_cells_bytes(other) >= (size_t)other->cell_count * sizeof(uint32_t));
    free_cloud(again);
    free_cloud(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted),
        cmocka_unit_test(test_same_order_for_any_threads),
        cmocka_unit_test(test_near_covers_radius),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_lay),
        cmocka_unit_test(test_lay_like),
    };
    return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// `type: smoke`: what a flow on a staggered grid must do, short; the long ones are in
// test_smoke_cavity.c.
#include "base/parallel.h"
#include "grid/advect.h"
#include "grid/smoke/smoke_def.h"
#include "grid/solvers/solver.h"
#include "tank.h"

// Mean of |div| times a cell's edge, over all cells.
static double divergence(const Tank *t)
{
    double sum = 0.0;
    for (int r = 0; r < t->grid->rows; ++r)
        for (int i = 0; i < t->grid->n[0]; ++i) {
            const size_t at = ond_grid_row(t->grid, r) + (size_t)i;
            double net = 0.0;
            for (int a = 0; a < ond_grid_axes(t->grid); ++a)
                net += t->v[a][at + (size_t)ond_grid_stride(t->grid, a)] - t->v[a][at];
            sum += fabs(net);
        }
    return sum / (double)ond_grid_cells(t->grid);
}

// Heavy air in a box, and warm air evenly above cold: nothing moves.
static void test_rest(void **state)
{
    (void)state;
    static const char *const dimensions[] = {"dimension: 2\n", "dimension: 3\n"};
    for (int d = 0; d < 2; ++d) {
        char yaml[512];
        snprintf(yaml, sizeof yaml,
                 "%sduration: 9\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                 "method: {type: smoke, cell: 0.0625, weight: 0.2, viscosity: 0.01}\n",
                 dimensions[d]);
        Tank t;
        tank_open(&t, yaml);
        for (int k = 0; k < 10; ++k)
            tank_step(&t);
        for (int a = 0; a < 2 + d; ++a)
            CHECK_NEAR(tank_most(&t, t.v[a]), 0, 0, "one density, at rest");
        for (int r = 0; r < t.grid->rows; ++r) // layers: their weight is all pressure
            for (int i = 0; i < 16; ++i)
                t.density[ond_grid_row(t.grid, r) + (size_t)i] = r % 16 < 8 ? 1.0f : 0.0f;
        for (int k = 0; k < 10; ++k)
            tank_step(&t);
        for (int a = 0; a < 2 + d; ++a)
            CHECK_NEAR(tank_most(&t, t.v[a]), 0, 2e-4, "heavy below light");
        tank_close(&t);
    }
}

// What a projection leaves.
static void test_divergence(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 4\n"
                  "domain: {min: [0, 0], max: [1, 1], x: periodic}\n"
                  "method: {type: smoke, cell: 0.03125, tolerance: 1e-5}\n"
                  "fluid: [{name: smoke, temperature: 300, shape: {type: sphere, center: [0.4, "
                  "0.25, 0], radius: 0.15}}]\n");
    for (int k = 0; k < 20; ++k)
        tank_step(&t);
    CHECK_NEAR(tank_most(&t, t.v[1]) > 0.1, 1, 0, "it rises");
    CHECK_NEAR(divergence(&t), 0, 1e-5, "divergence");
    tank_close(&t);
}

// Whoever solves for the pressure, the flow is the same.
static void test_solvers(void **state)
{
    (void)state;
    double first = 0.0;
    for (const char *const *name = ond_solver_names(); *name; ++name) {
        char yaml[512];
        Tank t;
        snprintf(
            yaml, sizeof yaml,
            "dimension: 2\nduration: 9\nframe_rate: 10\ndomain: {min: [0, 0], max: [1, 1]}\n"
            "method: {type: smoke, cell: 0.0625, tolerance: 1e-5, solver: %s}\n"
            "fluid: [{name: smoke, temperature: 300, shape: {type: sphere, center: [0.4, 0.25, "
            "0], radius: 0.15}}]\n"
            "solid: [{shape: {type: sphere, center: [0.6, 0.6, 0], radius: 0.15}}]\n",
            *name);
        tank_open(&t, yaml);
        tank_run(&t, 0.5);
        const double speed = tank_most(&t, t.v[1]);
        if (name == ond_solver_names()) first = speed;
        CHECK_NEAR(speed > 0.1, 1, 0, "it rises");
        CHECK_NEAR(speed, first, 1e-3, *name);
        tank_close(&t);
    }
}

// A slotted disc turns once; the flow is put back in each step, so only the carrying counts.
static double zalesak(const char *advection, double *area)
{
    char yaml[512];
    Tank t;
    snprintf(yaml, sizeof yaml,
             "dimension: 2\nduration: 10\nframe_rate: 200\ngravity: [0, 0]\n"
             "domain: {min: [0, 0], max: [100, 100]}\n"
             "method: {type: smoke, cell: 1, advection: %s, keep_mass: false}\n",
             advection);
    tank_open(&t, yaml);
    float *before = calloc(t.grid->length, sizeof *before);
    for (int j = 0; j < 100; ++j)
        for (int i = 0; i < 100; ++i) {
            int inside = 0;
            for (int s = 0; s < 64; ++s) {
                const double x = i + (s % 8 + 0.5) / 8, y = j + (s / 8 + 0.5) / 8;
                const bool slot = fabs(x - 50) < 2.5 && y < 85;
                inside += hypot(x - 50, y - 75) < 15 && !slot;
            }
            before[tank_at(&t, i, j, 0)] = t.density[tank_at(&t, i, j, 0)] = (float)inside / 64;
        }
    const int steps = 200;
    for (int k = 0; k < steps; ++k) {
        const double w = 2 * M_PI / 1.0; // a turn in a second of 200 steps
        for (int j = 0; j <= 100; ++j)
            for (int i = 0; i <= 100; ++i) {
                t.v[0][tank_at(&t, i, j, 0)] = (float)(-w * (j + 0.5 - 50));
                t.v[1][tank_at(&t, i, j, 0)] = (float)(w * (i + 0.5 - 50));
            }
        const OndSmokeDef *const def = t.scene.method.def;
        const OndFlow flow = {.grid = t.grid,
                              .v = {t.v[0], t.v[1], t.v[2]},
                              .dt = 1.0 / steps,
                              .scheme = def ? def->advection : 0,
                              .trace = OND_TRACE_RK3};
        float *to = calloc(t.grid->length, sizeof *to),
              *scratch = calloc(t.grid->length, sizeof *to);
        const OndCarried field = {t.density, to, scratch};
        ond_advect(&flow, -1, &field, 1, true);
        memcpy(t.density, to, t.grid->length * sizeof *to);
        free(to);
        free(scratch);
    }
    double error = 0.0;
    for (int j = 0; j < 100; ++j)
        for (int i = 0; i < 100; ++i)
            error += fabs(t.density[tank_at(&t, i, j, 0)] - before[tank_at(&t, i, j, 0)]);
    *area = tank_sum(&t, t.density);
    free(before);
    tank_close(&t);
    return error / 582.207;
}

static void test_zalesak(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double error, area; // as shares of the disc's area
    } cases[] = {{"linear", 0.836, 0.997}, {"maccormack", 0.564, 1.018}, {"cubic", 0.279, 1.007}};
    for (int c = 0; c < 3; ++c) {
        double area;
        const double error = zalesak(cases[c].name, &area);
        CHECK_NEAR(error, cases[c].error, 0.01, cases[c].name);
        CHECK_NEAR(area / 582.207, cases[c].area, 0.003, cases[c].name);
    }
}

// A plug of smoke flows out; what has left is not put back into the rest, however long steps are.
static void test_leaves(void **state)
{
    (void)state;
    static const char *const advection[] = {"linear", "maccormack", "cubic"};
    for (int k = 0; k < 3; ++k) {
        char yaml[640];
        Tank t;
        snprintf(
            yaml, sizeof yaml,
            "dimension: 2\nduration: 4\nframe_rate: 5\ngravity: [0, 0]\n"
            "domain: {min: [0, 0], max: [2, 0.5], sides: [{side: -x, velocity: [1, 0]}, "
            "{side: +x, kind: open}]}\n"
            "method: {type: smoke, cell: 0.03125, courant: 8, largest_step: 1, advection: %s}\n"
            "fluid: [{name: air, velocity: [1, 0], shape: {type: box, min: [0.5, 0, 0], "
            "max: [1.7, 0.5, 0]}}]\n",
            advection[k]);
        tank_open(&t, yaml);
        tank_run(&t, 0.6);
        CHECK_NEAR(tank_most(&t, t.density), 1.0, 2e-3, advection[k]);
        CHECK_NEAR(tank_sum(&t, t.density), 16 * (2.0 - 1.1) / 0.03125, 3.0, advection[k]);
        tank_close(&t);
    }
}

static const char plume[] =
    "duration: 1\nframe_rate: 20\ndomain: {min: [0, 0, 0], max: [1, 1, 0.5]%s}\n"
    "method: {type: smoke, cell: 0.0625, viscosity: 1e-4, confinement: 0.2}\n"
    "fluid: [{name: smoke, temperature: 200, shape: {type: sphere, center: [0.4, 0.25, 0.25], "
    "radius: 0.15}}]\n"
    "solid: [{shape: {type: sphere, center: [0.5, 0.7, 0.25], radius: 0.13}, "
    "motion: {type: path, position: [0.05 * sin(9 * t), 0, 0]}}]\n";

static void test_threads_and_resume(void **state)
{
    (void)state;
    char yaml[1024];
    Tank one, many;
    snprintf(yaml, sizeof yaml, plume, ", sides: [{side: +y, kind: open}]");
    char *moving = strstr(yaml, ", motion"); // however paths are written: a still one will do
    if (moving) strcpy(moving, "}]\n");
    ond_threads_set(1);
    tank_open(&one, yaml);
    tank_run(&one, 0.5);
    ond_threads_set(3);
    tank_open(&many, yaml);
    tank_run(&many, 0.25);
    OndCheckpoint c;
    OndError err = {0};
    ond_sim_checkpoint(many.sim, &c);
    OndSim *resumed = ond_sim_remake(&many.scene, NULL, &c, &err);
    if (!resumed) fail_msg("%s", err.text);
    ond_sim_destroy(many.sim);
    many.sim = resumed;
    tank_run(&many, 0.5);
    for (int r = 0; r < one.grid->rows; ++r) {
        const size_t at = ond_grid_row(one.grid, r), bytes = (size_t)one.grid->n[0] * sizeof(float);
        assert_memory_equal(one.density + at, many.density + at, bytes);
        assert_memory_equal(one.temperature + at, many.temperature + at, bytes);
        for (int a = 0; a < 3; ++a)
            assert_memory_equal(one.v[a] + at, many.v[a] + at, bytes);
    }
    CHECK_NEAR(tank_most(&one, one.v[1]) > 0.1, 1, 0, "it rises");
    tank_close(&one);
    tank_close(&many);
    ond_threads_set(0);
}

// Without open sides the smoke is all there at the end.
static void test_mass(void **state)
{
    (void)state;
    char yaml[1024];
    Tank t;
    snprintf(yaml, sizeof yaml, plume, "");
    strcpy(strstr(yaml, "solid:"), "");
    tank_open(&t, yaml);
    const double before = tank_sum(&t, t.density);
    tank_run(&t, 1);
    CHECK_NEAR(tank_sum(&t, t.density) / before, 1, 1e-4, "mass of the smoke");
    CHECK_NEAR(tank_most(&t, t.density) <= 1.05, 1, 0, "no denser than it was");
    tank_close(&t);
}

// A stream meets a sphere in the middle of a channel: as much on one side as on the other, nothing
// through it, and what comes in goes out.
static void test_obstacle(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 10\ngravity: [0, 0]\n"
                  "domain: {min: [0, 0], max: [2, 1], sides: [{side: -x, velocity: [1, 0]}, "
                  "{side: +x, kind: open}]}\n"
                  "method: {type: smoke, cell: 0.03125, tolerance: 1e-6}\n"
                  "solid: [{shape: {type: sphere, center: [0.7, 0.5, 0], radius: 0.2}}]\n");
    tank_step(&t);
    for (int j = 0; j < 16; ++j)
        CHECK_NEAR(t.v[0][tank_at(&t, 22, j, 0)], t.v[0][tank_at(&t, 22, 31 - j, 0)], 1e-3,
                   "the same above and below");
    CHECK_NEAR(t.v[0][tank_at(&t, 22, 15, 0)], 0, 0, "nothing inside");
    double out = 0.0;
    for (int j = 0; j < 32; ++j)
        out += t.v[0][tank_at(&t, 64, j, 0)] / 32;
    CHECK_NEAR(out, 1, 1e-4, "what comes in goes out");
    CHECK_NEAR(t.v[0][tank_at(&t, 22, 2, 0)] > 1.2, 1, 0, "faster where it is narrow");
    tank_close(&t);
}

static void test_wrong(void **state)
{
    (void)state;
#define BOX(more) "domain: {min: [0, 0, 0], max: [1, 1, 1]" more "}\n"
    static const struct {
        const char *yaml, *says;
    } cases[] = {
        {BOX("") "method: {type: smoke, cell: 0.1, solver: magic}\n", "mgpcg"},
        {BOX("") "method: {type: smoke, cell: 0.1}\nsolid: [{shape: {type: sphere, center: [0.5, "
                 "0.5, 0.5], radius: 3}}]\n",
         "fill"},
        {BOX(", sides: [{side: -x, velocity: [1, 0, 0]}]") "method: {type: smoke, cell: 0.1}\n",
         "inflow"},
    };
    for (int c = 0; c < (int)(sizeof cases / sizeof cases[0]); ++c)
        tank_refused(cases[c].yaml, cases[c].says);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),     cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_zalesak),  cmocka_unit_test(test_threads_and_resume),
        cmocka_unit_test(test_mass),     cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_obstacle), cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_solvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// `type: stam`: the properties that its source claims for it.
#include "base/parallel.h"
#include "tank.h"

#define SQUARE(more)                                                                               \
    "dimension: 2\nframe_rate: 10\nduration: 100\ngravity: [0, 0]\n"                               \
    "domain: {min: [0, 0], max: [32, 32]}\nmethod: {type: stam, cell: 1" more "}\n"

// A gradient has nothing but divergence: projecting takes it away. The scheme's differences reach
// over two cells, so it is judged by a smooth field, and by what remains.
static void test_projection(void **state)
{
    (void)state;
    static const char *const solver[] = {", iterations: 3000",
                                         ", iterations: 6000, solver: jacobi"};
    for (int s = 0; s < 2; ++s) {
        char yaml[512];
        snprintf(yaml, sizeof yaml, SQUARE(", time_step: 1e-6%s"), solver[s]);
        Tank t;
        tank_open(&t, yaml);
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) {
                t.v[0][tank_at(&t, i, j, 0)] = (float)sin(M_PI * (i + 0.5) / 32);
                t.v[1][tank_at(&t, i, j, 0)] = (float)sin(M_PI * (j + 0.5) / 32);
            }
        tank_step(&t);
        CHECK_NEAR(tank_most(&t, t.v[0]), 0, 0.01, "what is left of a gradient");
        tank_close(&t);
    }
}

// A mode that fits between the walls decays by 1 / (1 + 4 a (1 - cos k)) in a step: the implicit
// form, for any a.
static void test_diffusion(void **state)
{
    (void)state;
    static const double rates[] = {0.1, 1, 100};
    for (int c = 0; c < 3; ++c) {
        char yaml[512];
        snprintf(yaml, sizeof yaml, SQUARE(", time_step: 0.1, iterations: 4000, diffusion: %g"),
                 10 * rates[c]);
        Tank t;
        tank_open(&t, yaml);
        const double k = M_PI / 32, a = rates[c];
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i)
                t.density[tank_at(&t, i, j, 0)] =
                    (float)(1 + cos(k * (i + 0.5)) * cos(k * (j + 0.5)));
        tank_step(&t);
        const double want = 1 + cos(k / 2) * cos(k / 2) / (1 + 4 * a * (1 - cos(k)));
        CHECK_NEAR(t.density[tank_at(&t, 0, 0, 0)], want, 2e-3, "a mode after a step");
        CHECK_NEAR(tank_sum(&t, t.density), 1024, 2.0, "what spreads is kept");
        tank_close(&t);
    }
}

// However large the step, nothing grows.
static void test_stable(void **state)
{
    (void)state;
    static const char *const steps[] = {"0.1", "1", "30"};
    for (int c = 0; c < 3; ++c) {
        char yaml[1024];
        snprintf(yaml, sizeof yaml,
                 SQUARE(", time_step: %s, viscosity: 0.5") "fluid: [{name: ink, velocity: [3, 1], "
                                                           "spin: [0, 0, 2], "
                                                           "shape: {type: sphere, center: [14, "
                                                           "15], radius: 8}}]\n",
                 steps[c]);
        Tank t;
        tank_open(&t, yaml);
        const double before = fmax(tank_most(&t, t.v[0]), tank_most(&t, t.v[1]));
        for (int k = 0; k < 20; ++k)
            tank_step(&t);
        CHECK_NEAR(fmax(tank_most(&t, t.v[0]), tank_most(&t, t.v[1])) <= 1.2 * before, 1, 0,
                   "speed does not grow");
        CHECK_NEAR(tank_most(&t, t.density) <= 1.0001, 1, 0, "density stays between what it was");
        tank_close(&t);
    }
}

// Half a cell to the right: each cell gets the mean of itself and its left neighbour.
static void test_advection(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, "dimension: 2\nframe_rate: 2\nduration: 9\n"
                  "domain: {min: [0, 0], max: [16, 8], x: periodic, y: periodic}\n"
                  "method: {type: stam, cell: 1}\n");
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 16; ++i) {
            t.v[0][tank_at(&t, i, j, 0)] = 1.0f;
            t.density[tank_at(&t, i, j, 0)] = (float)(i * i);
        }
    tank_step(&t);
    for (int i = 1; i < 16; ++i)
        CHECK_NEAR(t.density[tank_at(&t, i, 3, 0)], 0.5 * (i * i + (i - 1) * (i - 1)), 1e-3,
                   "carried by half a cell");
    CHECK_NEAR(t.density[tank_at(&t, 0, 3, 0)], 0.5 * 225, 1e-3, "round the periodic side");
    tank_close(&t);
}

static const char swirl[] =
    "frame_rate: 10\nduration: 2\ndomain: {min: [0, 0, 0], max: [16, 16, 8]}\n"
    "method: {type: stam, cell: 1, viscosity: 0.1, diffusion: 0.02, solver: jacobi}\n"
    "fluid: [{name: ink, velocity: [2, 1, 0.5], "
    "shape: {type: sphere, center: [7, 7, 4], radius: 3}}]\n"
    "emitter: [{center: [4, 3, 4], direction: [0, 1, 0], radius: 1.5, rate: 20, to: 0.5}]\n"
    "solid: [{shape: {type: sphere, center: [10, 10, 4], radius: 2}}]\n";

static void test_threads_and_resume(void **state)
{
    (void)state;
    Tank one, many;
    ond_threads_set(1);
    tank_open(&one, swirl);
    tank_run(&one, 1);
    ond_threads_set(4);
    tank_open(&many, swirl);
    tank_run(&many, 0.5);
    OndCheckpoint c;
    OndError err = {0};
    ond_sim_checkpoint(many.sim, &c);
    OndSim *resumed = ond_sim_remake(&many.scene, NULL, &c, &err);
    if (!resumed) fail_msg("%s", err.text);
    ond_sim_destroy(many.sim);
    many.sim = resumed;
    tank_run(&many, 1);
    const size_t bytes = one.grid->length * sizeof(float);
    assert_memory_equal(one.density, many.density, bytes);
    for (int a = 0; a < 3; ++a)
        assert_memory_equal(one.v[a], many.v[a], bytes);
    CHECK_NEAR(tank_sum(&one, one.density) > 50, 1, 0, "there is ink");
    CHECK_NEAR(one.v[0][tank_at(&one, 9, 9, 3)], 0, 0, "still inside the solid");
    tank_close(&one);
    tank_close(&many);
    ond_threads_set(0);
}

// What has no third dimension does the same in 3D.
static void test_layers(void **state)
{
    (void)state;
    static const char text[] = "dimension: %d\nframe_rate: 10\nduration: 9\n"
                               "domain: {min: [0, 0, 0], max: [24, 24, 4]}\n"
                               "method: {type: stam, cell: 1, iterations: 3000, viscosity: 0.3}\n"
                               "fluid: [{name: ink, velocity: [4, 2, 0], "
                               "shape: {type: box, min: [4, 6, 0], max: [12, 15, 4]}}]\n";
    char flat[512], deep[512];
    Tank a, b;
    snprintf(flat, sizeof flat, text, 2);
    snprintf(deep, sizeof deep, text, 3);
    tank_open(&a, flat);
    tank_open(&b, deep);
    // the shape's end faces would be half inside: the same everywhere along z
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 24; ++i) {
                const size_t to = tank_at(&b, i, j, k), from = tank_at(&a, i, j, 0);
                b.density[to] = a.density[from];
                b.v[0][to] = a.v[0][from], b.v[1][to] = a.v[1][from], b.v[2][to] = 0.0f;
            }
    tank_run(&a, 0.5);
    tank_run(&b, 0.5);
    for (int j = 0; j < 24; ++j)
        CHECK_NEAR(b.v[0][tank_at(&b, 10, j, 1)], a.v[0][tank_at(&a, 10, j, 0)], 2e-3,
                   "a layer of 3D");
    tank_close(&a);
    tank_close(&b);
}

static void test_rest(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, SQUARE(", viscosity: 1, diffusion: 1"));
    for (int k = 0; k < 10; ++k)
        tank_step(&t);
    CHECK_NEAR(tank_most(&t, t.v[0]) + tank_most(&t, t.v[1]), 0, 0, "rest stays rest");
    tank_close(&t);
}

static void test_wrong(void **state)
{
    (void)state;
#define DOMAIN "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
    static const struct {
        const char *yaml, *says;
    } cases[] = {
        {"method: {type: stam, cell: 0.1}\n", "needs a 'domain'"},
        {DOMAIN "method: {type: stam}\n", "needs the key 'cell'"},
        {DOMAIN "method: {type: stam, cell: 0.3}\n", "3.33333 cells of 0.3 m"},
        {DOMAIN "method: {type: stam, cell: 1e-5}\n", "100000 cells along x"},
        {DOMAIN "method: {type: stam, cell: 5e-4}\n", "8e+03 million cells; at most"},
        {DOMAIN "method: {type: stam, cell: 0.1, solver: magic}\n", "solver"},
        {"domain: {min: [0, 0, 0], max: [0.9, 1, 1], x: periodic}\nmethod: {type: stam, cell: "
         "0.1}\n",
         "even number of cells"},
        {DOMAIN "method: {type: stam, cell: 0.1}\nprobe: [{type: level, at: [0, 0, 0]}]\n",
         "probes look at particles"},
        {DOMAIN "fluid: [{spacing: 0.1, shape: {type: sphere, center: [0.5, 0.5, 0.5], radius: "
                "0.2}}]\ndomain2: 1\n",
         "unknown key"},
    };
    for (int c = 0; c < (int)(sizeof cases / sizeof cases[0]); ++c)
        tank_refused(cases[c].yaml, cases[c].says);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projection), cmocka_unit_test(test_diffusion),
        cmocka_unit_test(test_stable),     cmocka_unit_test(test_advection),
        cmocka_unit_test(test_layers),     cmocka_unit_test(test_threads_and_resume),
        cmocka_unit_test(test_rest),       cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// What emitters and sources bring into a grid: as much as their rate says, whatever the steps.
#include "tank.h"

typedef struct Case {
    const char *name, *method, *sides;
    int dimension;
    double courant;
} Case;

#define OPEN ", sides: [{side: -x, velocity: [0.2, 0]}, {side: +x, kind: open}]"

static const Case cases[] = {
    {"smoke, short steps", "smoke", "", 2, 0.5},
    {"smoke", "smoke", "", 2, 1},
    {"smoke, long steps", "smoke", "", 2, 5},
    {"open, short steps", "smoke", OPEN, 2, 0.5},
    {"open", "smoke", OPEN, 2, 2},
    {"open, long steps", "smoke", OPEN, 2, 5},
    {"current, 3D", "current", "", 3, 5},
    {"smoke, 3D", "smoke", "", 3, 1},
    {"very long steps", "current", OPEN, 2, 12},
};

#define CELL 0.03125

// The mouth looks up a little, so that it is not in line with the cells, and is shut in mid-step.
static void open_case(Tank *t, const Case *c)
{
    char yaml[1024];
    const bool deep = c->dimension == 3;
    snprintf(yaml, sizeof yaml,
             "dimension: %d\nduration: 9\nframe_rate: 2\ngravity: [0, 0%s]\n"
             "domain: {min: [0, 0%s], max: [2, 1%s]%s}\n"
             "method: {type: %s, cell: %g, courant: %g, largest_step: 1}\n"
             "fluid: [{name: ink}]\n"
             "emitter: [{center: [0.21, 0.43, %s], direction: [1, 0.1, 0], radius: 0.1, rate: %g, "
             "from: 0.11, to: 0.77}]\n",
             c->dimension, deep ? ", 0" : "", deep ? ", 0" : "", deep ? ", 1" : "", c->sides,
             c->method, CELL, c->courant, deep ? "0.52" : "0", deep ? 0.0157 : 0.1);
    tank_open(t, yaml);
}

static void test_rate(void **state)
{
    (void)state;
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); ++k) {
        Tank t;
        open_case(&t, &cases[k]);
        const double rate = cases[k].dimension == 3 ? 0.0157 : 0.1,
                     cell = pow(CELL, cases[k].dimension);
        CHECK_NEAR(tank_sum(&t, t.density), 0, 0, cases[k].name);
        tank_run(&t, 0.5);
        CHECK_NEAR(tank_sum(&t, t.density) * cell / (rate * 0.39), 1, 0.01, cases[k].name);
        tank_run(&t, 1);
        CHECK_NEAR(tank_sum(&t, t.density) * cell / (rate * 0.66), 1, 0.01, cases[k].name);
        CHECK_NEAR(tank_most(&t, t.density) < 1.05, 1, 0, cases[k].name);
        tank_close(&t);
    }
}

// In a fast jet with long steps there are no gaps: along its middle all is full from the mouth on.
static void test_gaps(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 2\ngravity: [0, 0]\n"
                  "domain: {min: [0, 0], max: [4, 2], sides: [{side: -x, velocity: [0.3, 0]}, "
                  "{side: +x, kind: open}]}\n"
                  "method: {type: smoke, cell: 0.03125, courant: 5, largest_step: 1}\n"
                  "fluid: [{name: ink}]\n"
                  "emitter: [{center: [0.3125, 1], direction: [1, 0, 0], radius: 0.15, rate: "
                  "0.3}]\n");
    tank_run(&t, 1.5);
    for (int i = 10; i < 34; ++i)
        CHECK_NEAR(t.density[tank_at(&t, i, 32, 0)], 1, 0.12, "full");
    for (int i = 11; i < 18; ++i)
        CHECK_NEAR(t.v[0][tank_at(&t, i, 32, 0)], 1, 0.2, "as fast as it is poured");
    tank_close(&t);
}

// A source is on for as long as it says, though steps are long.
static void test_source(void **state)
{
    (void)state;
    static const double courant[] = {1, 5};
    for (int c = 0; c < 2; ++c) {
        char yaml[1024];
        Tank t;
        snprintf(yaml, sizeof yaml,
                 "dimension: 2\nduration: 9\nframe_rate: 2\ngravity: [0, 0]\n"
                 "domain: {min: [0, 0], max: [1, 1]}\n"
                 "method: {type: smoke, cell: 0.03125, courant: %g, largest_step: 1}\n"
                 "source: [{rate: 0.5, from: 0.12, to: 0.83, shape: {type: box, min: [0.25, 0.25, "
                 "0], max: [0.5, 0.5, 0]}}]\n",
                 courant[c]);
        tank_open(&t, yaml);
        tank_run(&t, 1.5);
        const double wanted = 0.5 * (0.83 - 0.12) * 64;
        CHECK_NEAR(tank_sum(&t, t.density) / wanted, 1, 1e-3, "source");
        tank_close(&t);
    }
}

// A side through which fluid comes brings its warmth, without any diffusion; one that is closed
// would not.
static void test_warm_side(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 2\ngravity: [0, 0]\n"
                  "domain: {min: [0, 0], max: [1, 0.5], sides: [{side: -x, velocity: [1, 0], "
                  "temperature: 60}, {side: +x, kind: open}]}\n"
                  "method: {type: smoke, cell: 0.0625, courant: 3}\n"
                  "fluid: [{velocity: [1, 0], shape: {type: box, min: [0, 0, 0], max: [1, 0.5, "
                  "0]}}]\n");
    tank_run(&t, 0.5);
    CHECK_NEAR(t.temperature[tank_at(&t, 3, 4, 0)], 60, 1, "where it has come");
    CHECK_NEAR(t.temperature[tank_at(&t, 12, 4, 0)], 20, 1, "where it has not");
    tank_close(&t);
    tank_refused("dimension: 2\nduration: 9\ndomain: {min: [0, 0], max: [1, 0.5], sides: [{side: "
                 "-x, temperature: 60}]}\nmethod: {type: smoke, cell: 0.0625}\nfluid: [{shape: "
                 "{type: box, min: [0, 0, 0], max: [1, 0.5, 0]}}]\n",
                 "heat_diffusion");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_warm_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

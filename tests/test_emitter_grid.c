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

// ---- how fast

// The flow along x in the first two cells of a mouth that looks along it, over what is asked for.
static double speed_in(const Tank *t, OndVec center, double radius, double asked)
{
    const double h = t->grid->h;
    double sum = 0.0, count = 0.0;
    for (int j = 0; j < t->grid->n[1]; ++j)
        for (int i = 0; i < t->grid->n[0]; ++i) {
            const double along = (i + 0.5) * h - center.x, across = (j + 0.5) * h - center.y;
            const size_t at = tank_at(t, i, j, 0);
            if (along < 0.0 || along > 2.0 * h || fabs(across) > radius) continue;
            sum += 0.5 * (t->v[0][at] + t->v[0][at + 1]);
            count += 1.0;
        }
    return sum / count / asked;
}

typedef struct Jet {
    const char *name, *domain, *method, *fluid;
    OndVec center;
    double radius, asked, from, until, within; // m, m/s, s
} Jet;

#define RING "max: [1.6, 1]", "type: smoke, cell: 0.01"
#define BOX  "max: [1, 1]", "type: smoke, cell: 0.03125, courant: 2"

static const Jet jets[] = {
    {"ring of ink", RING, "", {0.15, 0.5, 0}, 0.06, 1, 0.08, 0.8, 0.15},
    {"half full", BOX, "max: [1, 0.5, 0]", {0.3, 0.5, 0}, 0.1, 0.5, 0.4, 4, 0.2},
    {"full", BOX, "max: [1, 1, 0]", {0.3, 0.5, 0}, 0.1, 0.5, 0.4, 4, 0.2},
};

// Smoke that stands before the mouth does not drive it harder.
static void test_speed(void **state)
{
    (void)state;
    for (int k = 0; k < (int)(sizeof jets / sizeof *jets); ++k) {
        const Jet *const j = &jets[k];
        char yaml[1024], shape[128] = "";
        Tank t;
        if (*j->fluid)
            snprintf(shape, sizeof shape, ", shape: {type: box, min: [0, 0, 0], %s}", j->fluid);
        snprintf(yaml, sizeof yaml,
                 "dimension: 2\nduration: 9\nframe_rate: 25\ngravity: [0, 0]\n"
                 "domain: {min: [0, 0], %s}\nmethod: {%s}\nfluid: [{name: ink%s}]\n"
                 "emitter: [{center: [%g, %g], direction: [1, 0, 0], radius: %g, rate: %g}]\n",
                 j->domain, j->method, shape, j->center.x, j->center.y, j->radius,
                 2.0 * j->radius * j->asked);
        tank_open(&t, yaml);
        for (double time = j->from; time < j->until; time += 0.04) {
            tank_run(&t, time);
            CHECK_NEAR(speed_in(&t, j->center, j->radius, j->asked), 1, j->within, j->name);
        }
        tank_close(&t);
    }
}

static void open_round(Tank *t, double x, double y)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "dimension: 2\nduration: 9\nframe_rate: 5\ngravity: [0, 0]\n"
             "domain: {min: [0, 0], max: [1, 1], x: periodic, y: periodic}\n"
             "method: {type: smoke, cell: 0.03125, courant: 2}\nfluid: [{name: ink}]\n"
             "emitter: [{center: [%g, %g], direction: [1, 0, 0], radius: 0.1, rate: 0.1}]\n",
             x, y);
    tank_open(t, yaml);
}

// Where the domain goes round, a mouth across the seam is like one in the middle.
static void test_seam(void **state)
{
    (void)state;
    Tank middle, seam;
    open_round(&middle, 0.46875, 0.48);
    open_round(&seam, 0.96875, 0.98);
    tank_run(&middle, 1);
    tank_run(&seam, 1);
    CHECK_NEAR(tank_sum(&seam, seam.density) * CELL * CELL, 0.1, 0.001, "all that is due");
    for (int j = 0; j < 32; ++j)
        for (int i = 0; i < 32; ++i) {
            const size_t a = tank_at(&middle, i, j, 0),
                         b = tank_at(&seam, (i + 16) % 32, (j + 16) % 32, 0);
            CHECK_NEAR(seam.density[b], middle.density[a], 0.01, "density");
            CHECK_NEAR(seam.v[0][b], middle.v[0][a], 0.01, "velocity");
        }
    tank_close(&middle);
    tank_close(&seam);
}

// What finds no room waits; a tenth of the emitter's time after it was shut it is dropped.
static void test_owed(void **state)
{
    (void)state;
    static const struct {
        double cleared;
        bool comes;
    } late[] = {{0.5, true}, {0.6, false}};
    for (int k = 0; k < 2; ++k) {
        Tank t;
        tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 20\ngravity: [0, 0]\n"
                      "domain: {min: [0, 0], max: [1, 1]}\n"
                      "method: {type: smoke, cell: 0.03125}\n"
                      "fluid: [{name: ink, shape: {type: box, min: [0, 0, 0], max: [1, 1, 0]}}]\n"
                      "emitter: [{center: [0.3, 0.5], direction: [1, 0, 0], radius: 0.1, rate: "
                      "0.1, to: 0.5}]\n");
        tank_run(&t, late[k].cleared);
        CHECK_NEAR(tank_sum(&t, t.density) / 1024, 1, 0.01, "no room");
        memset(t.density, 0, t.grid->length * sizeof *t.density);
        tank_run(&t, 1);
        assert_int_equal(tank_sum(&t, t.density) > 1.0, late[k].comes);
        tank_close(&t);
    }
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
        cmocka_unit_test(test_rate),      cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_speed),     cmocka_unit_test(test_seam),
        cmocka_unit_test(test_owed),      cmocka_unit_test(test_source),
        cmocka_unit_test(test_warm_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Solids in free flight: lengths, momentum and angular momentum, whatever the rigidity.
#include "base/parallel.h"
#include "base/random.h"
#include "solids.h"

static double kinetic_of(const Stage *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; ++i)
        sum +=
            0.5 * density_of(s, i) * (pow(s->v[0][i], 2) + pow(s->v[1][i], 2) + pow(s->v[2][i], 2));
    return sum;
}

static void steps(Stage *s, int count)
{
    for (int k = 0; k < count; ++k)
        stage_step(s);
}

// An L, so that no axis of inertia is an axis of the scene.
#define UNEVEN                                                                                     \
    "shape: {type: union, parts: [{type: box, min: [0, 0, 0], max: [0.5, 0.2, 0.15]},"             \
    " {type: box, min: [0, 0.2, 0], max: [0.15, 0.45, 0.3]}]}"

// Rigidity 1: falling, spinning, tumbling, nothing changes its length.
static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *name, *yaml;
    } cases[] = {
        {"2D fall", "dimension: 2\nfluid: [{spacing: 0.05, rigidity: 1, " UNEVEN "}]\n"},
        {"3D fall", "dimension: 3\nfluid: [{spacing: 0.05, rigidity: 1, " UNEVEN "}]\n"},
        {"2D spin",
         "dimension: 2\nfluid: [{spacing: 0.05, rigidity: 1, spin: [0, 0, 8], " UNEVEN "}]\n"},
        {"3D tumble",
         "dimension: 3\nfluid: [{spacing: 0.05, rigidity: 1, spin: [5, 3, -6], " UNEVEN "}]\n"},
        {"3D fast tumble",
         "dimension: 3\nfluid: [{spacing: 0.05, rigidity: 1, spin: [60, 20, -30], " UNEVEN "}]\n"},
        {"by temperature",
         "dimension: 3\nfluid: [{spacing: 0.05, temperature: -5, T_solid: 0, T_liquid: 10,"
         " spin: [5, 3, -6], " UNEVEN "}]\n"},
        {"thrown", "dimension: 3\nfluid: [{spacing: 0.05, rigidity: 1, velocity: [7, 9, -4],"
                   " spin: [5, 3, -6], " UNEVEN "}]\n"},
        {"fixed step",
         "dimension: 3\nmethod: {type: sph, step_rule: fixed, time_step: 0.01}\n"
         "fluid: [{spacing: 0.05, rigidity: 1, velocity: [0, 8, 0], spin: [5, 3, -6], " UNEVEN
         "}]\n"},
        {"preset thesis", "dimension: 3\nmethod: {type: sph, preset: thesis}\n"
                          "fluid: [{spacing: 0.05, rigidity: 1, spin: [5, 3, -6], " UNEVEN "}]\n"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s = stage_open(cases[c].yaml);
        Past past = past_of(s);
        double worst = 0;
        for (int k = 0; k < 20; ++k) {
            steps(s, 10);
            worst = fmax(worst, worst_stretch(&past, s, 3.01, 0));
        }
        print_message("%-16s %4d particles, 200 steps to %.3f s: lengths within %.2g spacings\n",
                      cases[c].name, s->count, ond_sim_time(s->sim), worst);
        CHECK_NEAR(worst, 0, 1e-4, cases[c].name);
        past_free(&past);
        stage_close(s);
    }
}

// Free fall is free fall, however stiff: the centre follows g t^2 / 2. (With `cg` a liquid is half a
// step ahead of it.)
static void test_falls_freely(void **state)
{
    (void)state;
    static const double rigidity[] = {0, 0.3, 0.9, 0.99, 1};
    for (int c = 0; c < OND_COUNT(rigidity); ++c) {
        Stage *s =
            stage_openf("dimension: 3\nmethod: {pressure: wcsph, settle: false}\n"
                        "fluid: [{spacing: 0.05, rigidity: %g, velocity: [1, 2, 0], " UNEVEN "}]\n",
                        rigidity[c]);
        const Motion was = motion_of(s, -1);
        steps(s, 100);
        const Motion is = motion_of(s, -1);
        const double t = ond_sim_time(s->sim);
        print_message("s = %-4g after %.3f s: off by %.2g m along x, %.2g along y\n", rigidity[c],
                      t, is.center[0] - was.center[0] - t,
                      is.center[1] - was.center[1] - 2 * t + 0.5 * 9.81 * t * t);
        CHECK_NEAR(is.center[0] - was.center[0], t, 1e-5, "along x");
        CHECK_NEAR(is.center[1] - was.center[1], 2 * t - 0.5 * 9.81 * t * t, 1e-4, "along y");
        stage_close(s);
    }
}

// ---- momenta without gravity

typedef struct Flight {
    const char *name;
    int dimension;
    double linear, angular; // allowed, of the largest speed and of the start
    const char *fluids;
} Flight;

#define SPINS "spacing: 0.05, velocity: [0.5, -1, 0.3], spin: [3, -2, 6], "
#define FLAT  "spacing: 0.05, velocity: [0.5, -1], spin: [0, 0, 6], "

static const Flight flights[] = {
    {"solid 2D", 2, 1e-6, 1e-5, "  - {rigidity: 1, " FLAT UNEVEN "}\n"},
    {"solid", 3, 1e-6, 1e-5, "  - {rigidity: 1, " SPINS UNEVEN "}\n"},
    {"s 0.99 2D", 2, 1e-6, 1e-5, "  - {rigidity: 0.99, " FLAT UNEVEN "}\n"},
    {"s 0.99", 3, 1e-6, 1e-5, "  - {rigidity: 0.99, " SPINS UNEVEN "}\n"},
    {"s 0.9", 3, 1e-6, 1e-5, "  - {rigidity: 0.9, " SPINS UNEVEN "}\n"},
    {"s 0.3", 3, 1e-6, 1e-5, "  - {rigidity: 0.3, " SPINS UNEVEN "}\n"},
    {"soft end", 3, 1e-6, 1e-5,
     "  - {temperature: -1, T_solid: 0, T_liquid: 10, " SPINS UNEVEN
     ", regions: [{shape: {type: box, min: [0.25, 0, 0], max: [0.5, 0.2, 0.15]},"
     " temperature: 2}]}\n"},
    {"graded", 3, 1e-6, 1e-5,
     "  - {temperature: -1, T_solid: 0, T_liquid: 10, " SPINS UNEVEN
     ", regions: [{shape: {type: box, min: [0, 0, 0], max: [0.5, 0.5, 0.5]},"
     " temperature: 0, to_temperature: 9, from: [0, 0, 0], to: [0.5, 0, 0]}]}\n"},
    {"soft middle", 3, 1e-6, 1e-5,
     "  - {temperature: -1, T_solid: 0, T_liquid: 10, " SPINS
     "shape: {type: box, min: [0, 0, 0], max: [0.6, 0.2, 0.15]}"
     ", regions: [{shape: {type: box, min: [0.25, 0, 0], max: [0.35, 0.2, 0.15]},"
     " temperature: 1}]}\n"},
    {"three bodies", 3, 1e-6, 1e-5,
     "  - {rigidity: 1, " SPINS UNEVEN "}\n"
     "  - {rigidity: 1, spacing: 0.05, density: 3000, velocity: [-1, 0.5, 0],\n"
     "     shape: {type: box, min: [1, 0, 0], max: [1.2, 0.3, 0.2]}}\n"
     "  - {rigidity: 0.95, spacing: 0.05, density: 500, spin: [0, 9, 0],\n"
     "     shape: {type: sphere, center: [0, 1.5, 0], radius: 0.2}}\n"},
};

static void test_momenta(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(flights); ++c) {
        const Flight *f = &flights[c];
        Stage *s =
            stage_openf("dimension: %d\ngravity: [0, 0, 0]\nfluid:\n%s", f->dimension, f->fluids);
        stage_step(s); // what a pressure at the start does is not asked here
        const Motion was = motion_of(s, -1);
        steps(s, 100);
        const Motion is = motion_of(s, -1);
        const double linear = gap_of(is.velocity, was.velocity) / was.speed;
        const double angular = gap_of(is.turn, was.turn) / size_of(was.turn);
        print_message("%-14s %4d particles to %.3f s: momentum within %.2g, angular %.2g\n",
                      f->name, s->count, ond_sim_time(s->sim), linear, angular);
        CHECK_NEAR(linear, 0, f->linear, f->name);
        CHECK_NEAR(angular, 0, f->angular, f->name);
        stage_close(s);
    }
}

// A fluid whose rigidity differs from place to place without any order.
static void test_random_rigidities(void **state)
{
    (void)state;
    for (int seed = 0; seed < 3; ++seed) {
        char regions[4096] = "";
        int at = 0;
        for (uint64_t k = 0; k < 24; ++k)
            at += snprintf(
                regions + at, sizeof regions - (size_t)at,
                "      - {shape: {type: sphere, center: [%.3f, %.3f, %.3f], radius: 0.12},"
                " temperature: %.2f}\n",
                0.4 * ond_random(k, 10 + (uint64_t)seed), 0.2 * ond_random(k, 20 + (uint64_t)seed),
                0.15 * ond_random(k, 30 + (uint64_t)seed),
                12 * ond_random(k, 40 + (uint64_t)seed) - 1);
        Stage *s =
            stage_openf("gravity: [0, 0, 0]\nfluid:\n  - temperature: -1\n    T_solid: 0\n"
                        "    T_liquid: 10\n    spacing: 0.05\n    spin: [3, -2, 6]\n    " UNEVEN
                        "\n    regions:\n%s",
                        regions);
        const Motion was = motion_of(s, -1);
        steps(s, 100);
        const Motion is = motion_of(s, -1);
        const double off = astray(s, &was);
        const double angular = gap_of(is.turn, was.turn) / size_of(was.turn);
        print_message("seed %d: %d pieces: centre off by %.2g m, angular %.2g\n", seed,
                      count_pieces(s), off, angular);
        check_sane(s, 10, "random rigidities");
        CHECK_NEAR(off, 0, 2e-6, "the centre of all");
        CHECK_NEAR(angular, 0, 1e-5, "angular momentum");
        stage_close(s);
    }
}

// It does turn, by the angle that its spin says; and no energy comes or goes.
static void test_turns(void **state)
{
    (void)state;
    Stage *s = stage_open("dimension: 2\ngravity: [0, 0]\nfluid: [{spacing: 0.05, rigidity: 1,"
                          " spin: [0, 0, 4], " UNEVEN "}]\n");
    Past past = past_of(s);
    const double energy = kinetic_of(s);
    stage_run(s, 0.5);
    past_find(&past, s);
    const int last = past.count - 1, i = past.at[0], j = past.at[last];
    const double then = atan2(past.x[last][1] - past.x[0][1], past.x[last][0] - past.x[0][0]);
    const double now = atan2(s->x[1][j] - s->x[1][i], s->x[0][j] - s->x[0][i]);
    const double angle = remainder(now - then, 2 * acos(-1.0)), t = ond_sim_time(s->sim);
    print_message("turned by %.5f of %.5f, energy %.7f of its start\n", angle,
                  remainder(4 * t, 2 * acos(-1.0)), kinetic_of(s) / energy);
    CHECK_NEAR(angle, remainder(4 * t, 2 * acos(-1.0)), 0.01, "angle");
    CHECK_NEAR(kinetic_of(s) / energy, 1, 1e-4, "energy");
    past_free(&past);
    stage_close(s);
}

// Long after: a tumbling block has neither come apart nor slowed.
static void test_tumbles_on(void **state)
{
    (void)state;
    Stage *s = stage_open("gravity: [0, 0, 0]\nfluid: [{spacing: 0.05, rigidity: 1,"
                          " spin: [3, 0.1, 12], " UNEVEN "}]\n");
    Past past = past_of(s);
    const Motion was = motion_of(s, -1);
    const double energy = kinetic_of(s);
    steps(s, 2000);
    const Motion is = motion_of(s, -1);
    const double stretch = worst_stretch(&past, s, 3.01, 0);
    const double angular = gap_of(is.turn, was.turn) / size_of(was.turn);
    print_message("after 2000 steps, %.2f s: lengths within %.2g, angular momentum %.2g, energy "
                  "%.6f\n",
                  ond_sim_time(s->sim), stretch, angular, kinetic_of(s) / energy);
    CHECK_NEAR(stretch, 0, 1e-3, "lengths");
    CHECK_NEAR(angular, 0, 1e-4, "angular momentum");
    CHECK_NEAR(kinetic_of(s) / energy, 1, 0.05, "energy");
    past_free(&past);
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths), cmocka_unit_test(test_falls_freely),
        cmocka_unit_test(test_momenta), cmocka_unit_test(test_random_rigidities),
        cmocka_unit_test(test_turns),   cmocka_unit_test(test_tumbles_on),
    };
    ond_threads_set(1); // small scenes
    return cmocka_run_group_tests_name("rigid", tests, NULL, NULL);
}

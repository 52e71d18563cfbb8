// SPDX-License-Identifier: MIT
// Solids nobody would draw: nothing crashes, nothing is NaN, nothing bursts; and the same bits for
// any number of threads and after a stop.
#include "same_bits.h"
#include "solids.h"

typedef struct Ugly {
    const char *name;
    int steps;
    double speed; // none is faster, m/s
    const char *yaml;
} Ugly;

#define BOX2 "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\n"
#define BOX3 "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"

static const Ugly uglies[] = {
    {"one particle", 300, 10,
     BOX3 "fluid: [{spacing: 0.1, rigidity: 1, shape: {type: box, min: [0.4, 0.4, 0.4],\n"
          "  max: [0.5, 0.5, 0.5]}}]\n"},
    {"one particle 2D", 300, 10,
     BOX2 "fluid: [{spacing: 0.1, rigidity: 1, shape: {type: box, min: [0.4, 0.4],\n"
          "  max: [0.5, 0.5]}}]\n"},
    {"one soft particle", 300, 10,
     BOX3 "fluid: [{spacing: 0.1, rigidity: 0.7, shape: {type: box, min: [0.4, 0.4, 0.4],\n"
          "  max: [0.5, 0.5, 0.5]}}]\n"},
    {"one spinning particle", 300, 10,
     BOX3 "fluid: [{spacing: 0.1, rigidity: 1, spin: [9, 9, 9], shape: {type: box,\n"
          "  min: [0.4, 0.4, 0.4], max: [0.5, 0.5, 0.5]}}]\n"},
    {"two particles", 300, 10,
     BOX3 "fluid: [{spacing: 0.1, rigidity: 1, spin: [9, 9, 9], shape: {type: box,\n"
          "  min: [0.4, 0.4, 0.4], max: [0.6, 0.5, 0.5]}}]\n"},
    {"two particles 2D", 300, 10,
     BOX2 "fluid: [{spacing: 0.1, rigidity: 1, spin: [0, 0, 9], shape: {type: box,\n"
          "  min: [0.4, 0.4], max: [0.6, 0.5]}}]\n"},
    {"a line", 300, 10,
     BOX3 "fluid: [{spacing: 0.05, rigidity: 1, spin: [3, 9, 1], shape: {type: box,\n"
          "  min: [0.1, 0.5, 0.5], max: [0.9, 0.55, 0.55]}}]\n"},
    {"a soft line", 300, 10,
     BOX3 "fluid: [{spacing: 0.05, rigidity: 0.95, spin: [3, 0, 1], shape: {type: box,\n"
          "  min: [0.1, 0.5, 0.5], max: [0.9, 0.55, 0.55]}}]\n"},
    {"a sheet", 300, 10,
     BOX3 "fluid: [{spacing: 0.05, rigidity: 1, spin: [3, 0, 1], shape: {type: box,\n"
          "  min: [0.2, 0.5, 0.2], max: [0.8, 0.55, 0.8]}}]\n"},
    {"a soft sheet", 300, 10,
     BOX3 "fluid: [{spacing: 0.05, rigidity: 0.95, spin: [3, 0, 1], shape: {type: box,\n"
          "  min: [0.2, 0.5, 0.2], max: [0.8, 0.55, 0.8]}}]\n"},
    {"full box", 100, 0.1,
     BOX3 "fluid: [{spacing: 0.1, rigidity: 1, shape: {type: box, min: [0, 0, 0],\n"
          "  max: [1, 1, 1]}}]\n"},
    {"full box that sticks", 100, 0.1,
     "domain: {min: [0, 0, 0], max: [1, 1, 1], slip: 0}\n"
     "fluid: [{spacing: 0.1, rigidity: 1, shape: {type: box, min: [0, 0, 0],\n"
     "  max: [1, 1, 1]}}]\n"},
    {"full soft box", 100, 0.1,
     BOX3 "fluid: [{spacing: 0.1, rigidity: 0.9, shape: {type: box, min: [0, 0, 0],\n"
          "  max: [1, 1, 1]}}]\n"},
    {"thrown hard at a corner", 200, 80,
     "domain: {min: [0, 0, 0], max: [1, 1, 1], restitution: 0.9, friction: 0.5}\n"
     "fluid: [{spacing: 0.1, rigidity: 1, velocity: [30, -30, 30], spin: [20, 0, 30],\n"
     "  shape: {type: box, min: [0.3, 0.3, 0.3], max: [0.7, 0.6, 0.7]}}]\n"},
    {"melts in one step", 200, 20,
     BOX3 "fluid: [{spacing: 0.08, T_solid: 0, T_liquid: 1, temperature: -1, specific_heat: 1,\n"
          "  conductivity: 1, shape: {type: box, min: [0.3, 0.1, 0.3], max: [0.7, 0.6, 0.7]}}]\n"
          "heat: [{shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}, power: 1.0e+8, from: 0.05,\n"
          "  to: 0.06}]\n"},
    {"sets in one step", 200, 20,
     BOX3 "fluid: [{spacing: 0.08, T_solid: 0, T_liquid: 1, temperature: 5, specific_heat: 1,\n"
          "  conductivity: 1, shape: {type: box, min: [0.1, 0.1, 0.3], max: [0.6, 0.6, 0.7]}}]\n"
          "heat: [{shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}, power: -1.0e+6, from: 0.2,\n"
          "  to: 0.21}]\n"},
    {"pours solid", 300, 20,
     "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\n"
     "fluid: [{name: gravel, spacing: 0.04, rigidity: 1}]\n"
     "emitter: [{fluid: gravel, center: [0.5, 0.8], radius: 0.1, rate: 0.3}]\n"},
    {"pours soft", 300, 20,
     "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
     "fluid: [{name: paste, spacing: 0.08, rigidity: 0.9}]\n"
     "emitter: [{fluid: paste, center: [0.5, 0.8, 0.5], radius: 0.15, rate: 0.1}]\n"},
    {"held in a wall", 100, 10,
     BOX3
     "fluid: [{spacing: 0.1, rigidity: 1, fixed: true, velocity: [0, -2, 0], fixed_until: 0.2,\n"
     "  shape: {type: box, min: [0.3, 0.2, 0.3], max: [0.7, 0.6, 0.7]}}]\n"},
    {"solver none", 50, 20,
     BOX3 "method: {type: sph, rigidity: {solver: none}}\n"
          "fluid: [{spacing: 0.1, rigidity: 1, shape: {type: box, min: [0.3, 0.2, 0.3],\n"
          "  max: [0.7, 0.6, 0.7]}}]\n"},
    {"light on heavy", 200, 10,
     BOX2 "fluid:\n  - {spacing: 0.05, density: 1, rigidity: 1, shape: {type: box, min: [0.3, 0],\n"
          "     max: [0.6, 0.2]}}\n"
          "  - {spacing: 0.05, density: 20000, rigidity: 1, shape: {type: box, min: [0.3, 0.3],\n"
          "     max: [0.6, 0.5]}}\n"},
};

static void test_uglies(void **state)
{
    (void)state;
    int bad = 0;
    for (int u = 0; u < OND_COUNT(uglies); ++u) {
        Stage *s = stage_open(uglies[u].yaml);
        double fastest = 0;
        OndError err = {0};
        OndStatus status = OND_OK;
        for (int k = 0; k < uglies[u].steps && status == OND_OK; ++k) {
            status = ond_sim_step(s->sim, &err);
            stage_look(s);
            for (int i = 0; i < s->count; ++i)
                for (int a = 0; a < 3; ++a) {
                    const double v = fabs(s->v[a][i]);
                    if (!(v <= fastest)) fastest = v;
                }
        }
        const bool fine = status == OND_OK && fastest <= uglies[u].speed;
        print_message("%-34s %4d particles to %.3f s, at most %.3g m/s%s %s\n", uglies[u].name,
                      s->count, ond_sim_time(s->sim), fastest, fine ? "" : " WRONG", err.text);
        bad += !fine;
        stage_close(s);
    }
    CHECK_NEAR(bad, 0, 0, "scenes that went wrong");
}

// Many small bodies poured over each other.
static void test_many_bodies(void **state)
{
    (void)state;
    char yaml[8192] = "domain: {min: [0, 0, 0], max: [1, 3, 1], friction: 0.3}\nfluid:\n";
    for (int k = 0; k < 30; ++k) {
        const double x = 0.1 + 0.22 * (k % 4), z = 0.1 + 0.3 * (k / 4 % 3),
                     y = 0.3 * (k / 12) + 0.1;
        const size_t at = strlen(yaml);
        snprintf(yaml + at, sizeof yaml - at,
                 "  - {spacing: 0.05, density: %d, rigidity: 1, spin: [%d, 0, %d],\n"
                 "     shape: {type: box, min: [%g, %g, %g], max: [%g, %g, %g]}}\n",
                 500 + 100 * k, k % 5, k % 3, x, y, z, x + 0.1, y + 0.15, z + 0.1);
    }
    Stage *s = stage_open(yaml);
    Past past = past_of(s);
    stage_run(s, 1);
    double stretch = 0;
    for (uint32_t k = 0; k < 30; ++k)
        stretch = fmax(stretch, worst_stretch(&past, s, 3.01, k));
    const Motion m = motion_of(s, -1);
    print_message("30 bodies, %d particles: %d pieces, lengths within %.2g, speed %.3g, top %.3f\n",
                  s->count, count_pieces(s), stretch, m.speed, m.high[1]);
    check_sane(s, 10, "many bodies");
    CHECK_NEAR(count_pieces(s), 30, 0, "pieces");
    CHECK_NEAR(stretch, 0, 1e-4, "lengths");
    past_free(&past);
    stage_close(s);
}

// A paddle stirs a pool: it keeps its lengths and turns as told, and the water goes along.
static void test_paddle(void **state)
{
    (void)state;
    Stage *s = stage_open("dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nfluid:\n"
                          "  - {spacing: 0.04, rigidity: 1, fixed: true, spin: [0, 0, 5],\n"
                          "     shape: {type: box, min: [0.24, 0.32], max: [0.76, 0.4]}}\n"
                          "  - {spacing: 0.04, shape: {type: difference, parts: [\n"
                          "     {type: box, min: [0, 0], max: [1, 0.8]},\n"
                          "     {type: box, min: [0.24, 0.32], max: [0.76, 0.4]}]}}\n");
    Past past = past_of(s);
    stage_run(s, 1);
    const Motion paddle = motion_of(s, 0), water = motion_of(s, 1);
    const double stretch = worst_stretch(&past, s, 3.01, 0);
    print_message("paddle: lengths within %.2g, centre %.4f %.4f, fastest %.3f, water %.2f m/s, "
                  "turns %.3g\n",
                  stretch, paddle.center[0], paddle.center[1], paddle.speed, water.speed,
                  water.turn[2] / water.mass);
    check_sane(s, 10, "paddle");
    CHECK_NEAR(stretch, 0, 1e-3, "lengths");
    CHECK_NEAR(paddle.center[0], 0.5, 1e-3, "centre");
    CHECK_NEAR(paddle.center[1], 0.36, 1e-3, "centre");
    CHECK_NEAR(paddle.speed, 5 * hypot(0.24, 0.02), 0.02, "speed of its end");
    if (water.turn[2] < 0.01 * water.mass) fail_msg("the water does not turn");
    past_free(&past);
    stage_close(s);
}

// ---- the same bits

// Bodies, soft parts, contacts, water, setting.
static const char *const mixture =
    "domain: {min: [0, 0, 0], max: [1, 1, 0.6], friction: 0.3, restitution: 0.2}\nfluid:\n"
    "  - {spacing: 0.05, shape: {type: box, min: [0, 0, 0], max: [1, 0.15, 0.6]}}\n"
    "  - {spacing: 0.05, density: 700, rigidity: 1, spin: [1, 0, 3],\n"
    "     shape: {type: box, min: [0.1, 0.2, 0.1], max: [0.3, 0.4, 0.4]}}\n"
    "  - {spacing: 0.05, T_solid: 0, T_liquid: 10, temperature: -2, conductivity: 500,\n"
    "     shape: {type: box, min: [0.4, 0.17, 0.1], max: [0.9, 0.37, 0.4]}, regions: [{shape:\n"
    "     {type: box, min: [0.6, 0.17, 0.1], max: [0.7, 0.37, 0.4]}, temperature: 4}]}\n"
    "  - {spacing: 0.05, density: 1500, rigidity: 0.9, velocity: [0, -1, 0],\n"
    "     shape: {type: box, min: [0.2, 0.5, 0.1], max: [0.6, 0.7, 0.4]}}\n";

static void test_threads(void **state)
{
    (void)state;
    check_threads(&(Play){"mixture", 120, mixture});
    ond_threads_set(1);
}

static void test_resumed(void **state)
{
    (void)state;
    Stage *whole = stage_open(mixture), *parts = stage_open(mixture);
    for (int k = 0; k < 6; ++k) {
        steps(whole, 20);
        steps(parts, 20);
        if (hash_of(parts) != hash_of(whole))
            fail_msg("other bits at step %d, after %d resumes", 20 * (k + 1), k);
        stop_and_resume(parts);
    }
    stage_close(parts);
    stage_close(whole);
}

// A cap of one iteration is told, and is no catastrophe.
static void test_cap(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
        "method: {type: sph, rigidity: {iterations: 1, tolerance: 1.0e-7}}\nfluid:\n"
        "  - {spacing: 0.05, T_solid: 0, T_liquid: 10, temperature: 1, shape: {type: box,\n"
        "     min: [0.3, 0, 0.3], max: [0.7, 0.5, 0.7]}, regions: [{shape: {type: box,\n"
        "     min: [0.3, 0, 0.3], max: [0.7, 0.2, 0.7]}, temperature: 4}]}\n");
    int told = 0;
    for (int k = 0; k < 50; ++k) {
        OndStepRecord record;
        stage_step(s);
        ond_sim_record(s->sim, &record);
        told += record.unconverged;
    }
    print_message("a cap of one iteration: told in %d of 50 steps\n", told);
    check_sane(s, 10, "cap");
    if (told < 10) fail_msg("told in %d of 50 steps only", told);
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uglies),  cmocka_unit_test(test_many_bodies),
        cmocka_unit_test(test_paddle),  cmocka_unit_test(test_threads),
        cmocka_unit_test(test_resumed), cmocka_unit_test(test_cap),
    };
    ond_threads_set(1); // small scenes
    return cmocka_run_group_tests_name("ugly solids", tests, NULL, NULL);
}

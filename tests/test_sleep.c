// SPDX-License-Identifier: MIT
// What rests, sleeps: a pile that stands costs no iterations; what falls on it, heat, and a world that
// changes wake it; it goes on as if it had never slept, without a jump; same bits for any number of threads
// and after going on.
#include "particles/held.h"
#include "same_bits.h"

#include <ondine/edit.h>

// Two blocks and a soft slab across them; a third block comes down on one end at 0.9 s.
#define PILE(sleep)                                                                                \
    "dimension: 2\nduration: 10\nframe_rate: 24\n"                                                 \
    "domain: {min: [0, 0, 0], max: [2, 1.5, 0], slip: 1, friction: 0.6}\n"                         \
    "method: {type: sph, pressure: cg, largest_step: 0.005, rigidity: {sleep: " sleep              \
    "}}\nfluid:\n"                                                                                 \
    "  - {spacing: 0.04, rigidity: 1, shape: {type: box, min: [0.2, 0, 0], max: [0.6, 0.24, "      \
    "0]}}\n"                                                                                       \
    "  - {spacing: 0.04, rigidity: 1, shape: {type: box, min: [1.2, 0, 0], max: [1.6, 0.24, "      \
    "0]}}\n"                                                                                       \
    "  - {spacing: 0.04, rigidity: 0.98,\n"                                                        \
    "     shape: {type: box, min: [0.24, 0.24, 0], max: [1.56, 0.4, 0]}}\n"                        \
    "  - {spacing: 0.04, rigidity: 1, fixed: true, fixed_until: 0.9,\n"                            \
    "     shape: {type: box, min: [0.6, 0.6, 0], max: [0.84, 0.84, 0]}}\n"

static int sleepers(const Stage *s)
{
    const uint32_t *held = ond_fields_find(&s->frame.particles, "held")->data[0];
    int count = 0;
    for (int i = 0; i < s->count; ++i)
        count += held[i] == OND_HELD_ASLEEP;
    return count;
}

// Of the pile.
static double fastest(const Stage *s)
{
    const uint32_t *material = ond_fields_find(&s->frame.particles, "material")->data[0];
    double most = 0;
    for (int i = 0; i < s->count; ++i)
        if (material[i] < 3) most = fmax(most, hypot(s->v[0][i], hypot(s->v[1][i], s->v[2][i])));
    return most;
}

// The middle of a fluid's particles.
static void middle(const Stage *s, uint32_t fluid, double at[2])
{
    const uint32_t *material = ond_fields_find(&s->frame.particles, "material")->data[0];
    int count = 0;
    at[0] = at[1] = 0;
    for (int i = 0; i < s->count; ++i)
        if (material[i] == fluid) at[0] += s->x[0][i], at[1] += s->x[1][i], ++count;
    at[0] /= count, at[1] /= count;
}

// Until just before the fall, on impact, and when it is over.
static void piles(void **state)
{
    Stage *awake = stage_open(PILE("0")), *s = stage_open(PILE("0.05"));
    stage_run(awake, 0.88), stage_run(s, 0.88);
    OndStepRecord before;
    ond_sim_record(s->sim, &before);
    print_message("%d of %d asleep at %.2f s, %d iterations\n", sleepers(s), s->count,
                  ond_sim_time(s->sim), before.iterations);
    const int pile = s->count - 36; // without what is held
    CHECK_NEAR(sleepers(s), pile, 0, "all of the pile sleeps");
    CHECK_NEAR(before.asleep, pile, 0, "asleep in the log");
    stage_run(awake, 2.5), stage_run(s, 2.5);
    for (uint32_t f = 0; f < 4; ++f) {
        double with[2], without[2];
        middle(s, f, with), middle(awake, f, without);
        print_message("fluid %u: %.4f %.4f, awake %.4f %.4f\n", f, with[0], with[1], without[0],
                      without[1]);
        for (int a = 0; a < 2; ++a)
            CHECK_NEAR(with[a], without[a], 0.01,
                       "a quarter of a spacing from where it would be awake");
    }
    stage_close(awake), stage_close(s);
}

// All wake when the world changes, and nothing jumps.
static void wakes_calmly(void **state)
{
    Stage *s = stage_open(PILE("0.05"));
    OndError err = {0};
    stage_run(s, 0.8);
    assert_true(sleepers(s) > 0);
    const double g[3] = {0, -9.9, 0};
    if (ond_sim_set_gravity(s->sim, g, &err) != OND_OK) fail_msg("%s", err.text);
    stage_step(s);
    CHECK_NEAR(sleepers(s), 0, 0, "asleep after gravity changed");
    double most = fastest(s);
    for (int k = 0; k < 10; ++k) {
        stage_step(s);
        most = fmax(most, fastest(s));
    }
    print_message("woken: %.4f m/s at most\n", most);
    if (!(most < 0.05)) fail_msg("%g m/s out of sleep", most);
    stage_close(s);
}

// What stands on nothing any more falls.
static void falls(void **state)
{
    Stage *s = stage_open(PILE("0.05"));
    OndError err = {0};
    double before[2], after[2];
    stage_run(s, 0.6);
    middle(s, 2, before);
    const OndRegion block = ond_box(0.1, -0.1, -1, 0.7, 0.235, 1);
    int removed = 0;
    if (ond_sim_remove_region(s->sim, &block, &removed, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(removed, 60);
    stage_run(s, 0.85);
    middle(s, 2, after);
    print_message("slab at %.4f m, then %.4f m\n", before[1], after[1]);
    if (!(after[1] < before[1] - 0.04)) fail_msg("the slab hangs: %g m", after[1]);
    stage_close(s);
}

// On a plate that goes down by 0.06 m in 3 s, at every moment slower than what counts as rest (0.04 m/s).
#define PLATE(solid, held)                                                                         \
    "dimension: 2\nduration: 10\nframe_rate: 24\n"                                                 \
    "domain: {min: [0, 0, 0], max: [1, 1.2, 0], slip: 1, friction: 0.6}\n"                         \
    "method: {type: sph, pressure: cg, largest_step: 0.01, rigidity: {sleep: 0.25}}\n" solid       \
    "fluid:\n"                                                                                     \
    "  - {spacing: 0.04, rigidity: 1,\n"                                                           \
    "     shape: {type: box, min: [0.28, 0.32, 0], max: [0.72, 0.64, 0]}}\n" held

static const char solid_plate[] =
    PLATE("solid:\n"
          "  - {shape: {type: box, min: [0.2, 0.2, 0], max: [0.8, 0.32, 0]}, pivot: [0, 0, 0],\n"
          "     keys: [{time: 1, at: [0, 0, 0]}, {time: 4, at: [0, -0.06, 0]}]}\n",
          "");

// And what lies higher than an alarm goes.
static const char held_plate[] =
    PLATE("", "  - {spacing: 0.04, rigidity: 0.98,\n"
              "     shape: {type: box, min: [0.28, 0.64, 0], max: [0.72, 0.8, 0]}}\n"
              "  - {spacing: 0.04, rigidity: 1, fixed: true, velocity: [0, -0.02, 0],\n"
              "     shape: {type: box, min: [0.2, 0.2, 0], max: [0.8, 0.32, 0]}}\n");

// How far the first fluids come down until 4 s.
static void sinks(Stage *s, uint32_t fluids)
{
    double from[2][2], to[2];
    for (uint32_t f = 0; f < fluids; ++f)
        middle(s, f, from[f]);
    stage_run(s, 4);
    for (uint32_t f = 0; f < fluids; ++f) {
        middle(s, f, to);
        print_message("fluid %u came down by %.4f m\n", f, from[f][1] - to[1]);
        CHECK_NEAR(from[f][1] - to[1], 0.06, 0.01, "as far as the plate");
    }
}

static void comes_down(void **state)
{
    Stage *s = stage_open(solid_plate);
    stage_run(s, 0.99);
    CHECK_NEAR(sleepers(s), s->count, 0, "asleep before the plate goes");
    sinks(s, 1);
    stage_run(s, 8);
    CHECK_NEAR(sleepers(s), s->count, 0, "asleep when it has stopped");
    stage_close(s);
    s = stage_open(held_plate);
    stage_run(s, 1);
    sinks(s, 2);
    stage_close(s);
}

// A block of wax that slept melts as one that did not.
#define MELT(sleep)                                                                                \
    "dimension: 2\nduration: 10\nframe_rate: 24\n"                                                 \
    "domain: {min: [0, 0, 0], max: [1, 1, 0], slip: 0}\n"                                          \
    "method: {type: sph, pressure: cg, rigidity: {sleep: " sleep "}}\nfluid:\n"                    \
    "  - {spacing: 0.03, material: wax, viscosity: 2, specific_heat: 1.25, latent_heat: 100,\n"    \
    "     shape: {type: box, min: [0.3, 0, 0], max: [0.6, 0.42, 0]}}\n"                            \
    "heat:\n  - {shape: {type: box, min: [0, 0, 0], max: [1, 0.2, 0]}, temperature: 90,\n"         \
    "     transfer: 4e3, from: 0.6}\n"

static double height(const Stage *s)
{
    double most = 0;
    for (int i = 0; i < s->count; ++i)
        most = fmax(most, s->x[1][i]);
    return most;
}

static void melts(void **state)
{
    Stage *awake = stage_open(MELT("0")), *s = stage_open(MELT("0.05"));
    stage_run(awake, 0.58), stage_run(s, 0.58);
    CHECK_NEAR(sleepers(s), s->count, 0, "asleep before the heat");
    stage_run(awake, 2.5), stage_run(s, 2.5);
    print_message("height %.4f, awake %.4f; %d of %d asleep\n", height(s), height(awake),
                  sleepers(s), s->count);
    if (!(height(awake) < 0.36)) fail_msg("it hardly melts: %g m high", height(awake));
    CHECK_NEAR(height(s), height(awake), 0.03, "a spacing of what it would be awake");
    stage_close(awake), stage_close(s);
}

static void bits(void **state)
{
    static const Play pile = {"pile", 300, PILE("0.05")}, wax = {"wax", 120, MELT("0.05")};
    check_threads(&pile);
    check_resume(&pile);
    check_threads(&wax);
    check_resume(&wax);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(piles), cmocka_unit_test(wakes_calmly),
                                       cmocka_unit_test(falls), cmocka_unit_test(melts),
                                       cmocka_unit_test(bits),  cmocka_unit_test(comes_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

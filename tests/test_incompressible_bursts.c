// SPDX-License-Identifier: MIT
// What has burst liquids that keep their volume, or could: crowds that are let go, boxes that are
// full, much artificial viscosity, bodies in a solve of two halves.
#include "bodies.h"

#include "sim/sim_state.h"

#include <ondine/edit.h>

#define G 9.81

typedef struct Ran {
    double gained;     // the most energy above that of the start, J
    double kinetic;    // the most, J
    double fastest;    // m/s
    double squeeze;    // mean density error, the most
    double iterations; // of a step, in the mean
} Ran;

static Ran run_scene(const char *yaml, double until)
{
    Stage *s = stage_open(yaml);
    OndStepRecord r;
    Ran ran = {0};
    int steps = 0;
    ond_sim_record(s->sim, &r);
    const double start = r.kinetic + r.potential;
    for (; ond_sim_time(s->sim) < until - 1e-9; ++steps) {
        stage_step(s);
        ond_sim_record(s->sim, &r);
        ran.gained = fmax(ran.gained, r.kinetic + r.potential - start);
        ran.kinetic = fmax(ran.kinetic, r.kinetic);
        ran.fastest = fmax(ran.fastest, r.max_speed);
        ran.squeeze = fmax(ran.squeeze, r.density_error);
        ran.iterations += r.iterations;
    }
    ran.iterations /= steps;
    stage_close(s);
    return ran;
}

// A gate of wax melts at its feet and comes down: what was rigid had been squeezed, and is let go in a
// moment. When all of that went in one step, in steps that its speed made ever shorter, it burst with
// 31 m/s.
static void test_let_go(void **state)
{
    (void)state;
    const Ran r = run_scene(
        "dimension: 2\nduration: 3\nmethod: {pressure: cg}\ndomain: {min: [-0.5, 0], max: [0.5, "
        "0.8], slip: 0, sides: [{side: -y, temperature: 60}]}\n"
        "fluid: [{name: wax, spacing: 0.04, material: wax, viscosity: 3, specific_heat: 1.25, "
        "latent_heat: 100, shape: {type: difference, parts: [{type: box, min: [-0.3, 0], max: "
        "[0.3, 0.5]}, {type: box, min: [-0.2, 0], max: [0.2, 0.3]}]}}]\n"
        "heat: [{shape: {type: box, min: [-0.5, 0], max: [0.5, 0.14]}, temperature: 90, transfer: "
        "3e3, from: 0.3}]\n",
        3);
    print_message(
        "a gate that melts: fastest %.2f m/s, gained %.1e J, squeezed by %.2f %% at most\n",
        r.fastest, r.gained, 100 * r.squeeze);
    CHECK_NEAR(r.fastest, 0, sqrt(2 * G * 0.8), "fastest, as from the domain's height");
    CHECK_NEAR(r.gained, 0, 1e-3, "energy from nowhere, J");
    CHECK_NEAR(r.squeeze, 0, 0.02, "mean density error");
}

// No motion makes room in a full closed box, and none is looked for.
static void test_full_box(void **state)
{
    (void)state;
    const Ran r = run_scene(
        "duration: 1\nmethod: {pressure: cg}\ndomain: {min: [0, 0, 0], max: [0.3, 0.3, 0.3]}\n"
        "fluid: [{name: w, spacing: 0.05, shape: {type: box, min: [0, 0, 0], max: [0.3, 0.3, "
        "0.3]}}]\n"
        "emitter: [{fluid: w, center: [0.15, 0.15, 0.15], direction: [0, 1, 0], radius: 0.06, "
        "rate: "
        "0.01}]\n",
        1);
    print_message("poured into a full box: %.2f J at most, fastest %.2f m/s\n", r.kinetic,
                  r.fastest);
    CHECK_NEAR(r.kinetic, 0, 13.5, "kinetic energy, of 27 kg that a jet of 1 m/s stirs");
    CHECK_NEAR(r.fastest, 0, 4, "fastest, four times the jet");
}

// One that is full from the start, and goes round: what crowds in one place makes room in another, so the
// volume stays, in steps as long as speeds allow.
static void test_full_channel(void **state)
{
    Stage *s = stage_open(
        "dimension: 2\nduration: 10\nframe_rate: 20\n"
        "domain: {min: [0, 0, 0], max: [1, 0.5, 0], x: periodic, slip: 0}\ngravity: [1, 0, 0]\n"
        "method: {pressure: cg}\nfluid:\n"
        "  - {spacing: 0.05, viscosity: 0.02, shape: {type: box, min: [0, 0, 0], max: [1, 0.5, "
        "0]}}\n");
    double worst = 0;
    int steps = 0;
    for (OndStepRecord r = {0}; ond_sim_time(s->sim) < 3.0; ++steps) {
        stage_step(s);
        ond_sim_record(s->sim, &r);
        worst = fmax(worst, r.density_error);
    }
    print_message("full channel: %.2f %% too dense at most, %d steps\n", 100 * worst, steps);
    if (!(worst < 0.004)) fail_msg("%g %% too dense", 100 * worst);
    if (!(steps < 700)) fail_msg("%d steps", steps);
    stage_close(s);
}

// Artificial viscosity bounds the step.
static void test_artificial(void **state)
{
    (void)state;
    const char *const pressure[] = {"cg", "wcsph"};
    const double alpha[] = {0.5, 1, 3, 10};
    for (int p = 0; p < 2; ++p)
        for (int a = 0; a < 4; ++a) {
            char yaml[600];
            snprintf(yaml, sizeof yaml,
                     "dimension: 2\nduration: 1\nmethod: {pressure: %s, artificial: %g}\n"
                     "domain: {min: [0, 0], max: [1, 2]}\nfluid: [{spacing: 0.05, density: 1000, "
                     "shape: {type: box, min: [0, 0], max: [0.4, 0.6]}}]\n",
                     pressure[p], alpha[a]);
            const Ran r = run_scene(yaml, 0.4);
            print_message("%s, artificial %g: fastest %.2f m/s, gained %.1e J of 706\n",
                          pressure[p], alpha[a], r.fastest, r.gained);
            CHECK_NEAR(r.gained, 0, 0.7, "energy from nowhere, J");
            CHECK_NEAR(r.fastest, 0, sqrt(2 * G * 0.6), "fastest, as from the column's height");
        }
}

// Before forces act a body has not fallen either, and after that it has what the first half gave it:
// else the second undoes what the first did, and both go on till they end (196 iterations).
static void test_halves(void **state)
{
    (void)state;
    const Ran r = run_scene(
        "dimension: 2\nduration: 1\nframe_rate: 100\nmethod: {pressure: dfsph, divergence_error: "
        "1e-5}\ndomain: {min: [0, 0], max: [1, 1]}\n"
        "fluid: [{spacing: 0.025, density: 1000, shape: {type: box, min: [0, 0], max: [1, 0.7]}}]\n"
        "solid: [{name: disc, density: 2000, shape: {type: sphere, center: [0.5, 0.42], radius: "
        "0.12}}]\n",
        0.1);
    print_message("disc that sinks, dfsph: %.1f iterations a step\n", r.iterations);
    CHECK_NEAR(r.iterations, 0, 140, "iterations of both halves");
}

// Impulses may be a little below 0 where conjugate gradients end; beside an edge, where friction is
// limited by what presses, who stood still then got a force that was no number.
static void test_pulls_nobody(void **state)
{
    (void)state;
    Stage *s = stage_open("dimension: 2\nduration: 1\nmethod: {pressure: cg}\n"
                          "domain: {min: [0, 0], max: [1, 1]}\nfluid: [{spacing: 0.05, density: "
                          "1000, shape: {type: box, min: [0, 0], max: [1, 0.6]}}]\n"
                          "solid: [{name: box, turn: [0, 0, 20], shape: {type: box, min: [0.3, "
                          "0.2], max: [0.5, 0.4]}}]\n");
    OndError err = {0};
    OndFields *const f = ond_sim_particles(s->sim);
    float *const kept = ond_fields_find(f, "kept_pressure")->data[0];
    for (int i = 0; i < f->count; ++i)
        kept[i] = -1;
    assert_int_equal(ond_sim_step(s->sim, &err), OND_OK);
    stage_step(s);
    stage_close(s);
}

// With the weight the speed changes that foams most.
static void test_foam_hears_gravity(void **state)
{
    (void)state;
    Stage *s = stage_open("dimension: 2\nduration: 1\nmethod: {pressure: cg}\nfoam: {}\n"
                          "domain: {min: [0, 0], max: [1, 1]}\nfluid: [{spacing: 0.05, density: "
                          "1000, shape: {type: box, min: [0, 0], max: [0.5, 0.8]}}]\n");
    const double light[3] = {0, -G / 4, 0};
    OndCheckpoint c;
    OndError err = {0};
    stage_step(s);
    ond_sim_checkpoint(s->sim, &c);
    const double before = ond_checkpoint_number(&c, "foam_speed", 0);
    assert_int_equal(ond_sim_set_gravity(s->sim, light, &err), OND_OK);
    stage_step(s);
    ond_sim_checkpoint(s->sim, &c);
    const double after = ond_checkpoint_number(&c, "foam_speed", 0);
    CHECK_NEAR(after / before, 0.5, 0.02, "speed that foams most, with a quarter of the weight");
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_let_go),
        cmocka_unit_test(test_full_box),
        cmocka_unit_test(test_full_channel),
        cmocka_unit_test(test_artificial),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_pulls_nobody),
        cmocka_unit_test(test_foam_hears_gravity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

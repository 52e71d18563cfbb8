// SPDX-License-Identifier: MIT
// ctest: slow
// Where nothing can move, sound and friction set no limit to a step: heat and frames do.
#include "base/parallel.h"
#include "stage.h"

#define OPEN(...)                                                                                  \
    ({                                                                                             \
        char yaml_text[1024];                                                                      \
        snprintf(yaml_text, sizeof yaml_text, __VA_ARGS__);                                        \
        stage_open(yaml_text);                                                                     \
    })

#define WATER                                                                                      \
    "density: 1000, viscosity: 0.001, conductivity: 0.6, specific_heat: 4180, latent_heat: "       \
    "334000, temperature: 0, T_solid: 0, T_liquid: 0.1, rigidity: 0, fixed: true"

static int run_to(Stage *s, double time)
{
    int steps = 0;
    for (; ond_sim_time(s->sim) < time - 1e-9; ++steps) {
        assert_true(steps < 10000);
        stage_step(s);
    }
    return steps;
}

// All that is molten, as a layer on the wall, m.
static double front(const Stage *s, double spacing, int rows)
{
    const OndField *field = ond_fields_find(&s->frame.particles, "temperature");
    const float *t = field->data[0];
    double sum = 0;
    for (int i = 0; i < s->count; ++i)
        sum += fmin(fmax(t[i] / 0.1, 0), 1);
    return sum / rows * spacing;
}

// Ice at its melting point beside a wall of 20 C. Its front stands at 2 lambda sqrt(alpha t): 1.997
// mm after 60 s, 6.316 mm after 600 s (Stefan). Sound in the held liquid would ask for two million
// steps.
static void test_stefan(void **state)
{
    const double spacing = 0.00025;
    Stage *s = OPEN("dimension: 2\nduration: 600\nframe_rate: 0.1\ngravity: [0, -9.81]\n"
                    "domain: {min: [0, 0], max: [0.0075, 0.001], sides: [{side: -x, temperature: "
                    "20}]}\n"
                    "fluid: [{spacing: %g, " WATER
                    ", shape: {type: box, min: [0, 0], max: [0.0075, 0.001]}}]\n",
                    spacing);
    int steps = run_to(s, 60);
    const double early = front(s, spacing, 4);
    steps += run_to(s, 600);
    const double late = front(s, spacing, 4);
    print_message("held ice: %.3f mm at 60 s, %.3f mm at 600 s, %d steps\n", 1e3 * early,
                  1e3 * late, steps);
    CHECK_NEAR(early, 1.997e-3, 0.01 * 1.997e-3, "front at 60 s");
    CHECK_NEAR(late, 6.316e-3, 0.01 * 6.316e-3, "front at 600 s");
    assert_in_range(steps, 60, 6000);
    stage_close(s);
}

// A frame is one step where heat asks for none shorter; a scene that says `largest_step` is obeyed.
static void test_frames_and_keys(void **state)
{
    const struct {
        const char *key;
        int steps;
    } cases[] = {
        {"", 10}, {", largest_step: 0.25", 40}, {", step_rule: fixed, time_step: 0.05", 200}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s = OPEN("dimension: 2\nduration: 10\nframe_rate: 1\nmethod: {type: sph%s}\n"
                        "domain: {min: [0, 0], max: [0.2, 0.1], temperature: 20}\n"
                        "fluid: [{spacing: 0.01, " WATER
                        ", shape: {type: box, min: [0, 0], max: [0.2, 0.1]}}]\n",
                        cases[c].key);
        CHECK_NEAR(run_to(s, 10), cases[c].steps, 0, cases[c].key);
        stage_close(s);
    }
}

// What is let go falls from that moment on, and is liquid again: its steps are short.
static void test_let_go(void **state)
{
    Stage *s =
        OPEN("dimension: 2\nduration: 10\nframe_rate: 1\n"
             "domain: {min: [0, 0], max: [0.2, 4], temperature: 20}\n"
             "fluid: [{spacing: 0.02, " WATER
             ", fixed_until: 1.3, shape: {type: box, min: [0.06, 3.7], max: [0.14, 3.8]}}]\n");
    const int still = run_to(s, 1.3);
    CHECK_NEAR(ond_sim_time(s->sim), 1.3, 1e-6, "no step goes past the moment it is let go");
    assert_in_range(still, 2, 3);
    const int falling = run_to(s, 2.0);
    double fallen = 0;
    for (int i = 0; i < s->count; ++i)
        fallen += (3.75 - s->x[1][i]) / s->count;
    CHECK_NEAR(fallen, 0.5 * 9.81 * 0.7 * 0.7, 0.03, "fall after 0.7 s");
    assert_true(falling > 50);
    stage_close(s);
}

int main(void)
{
    ond_threads_set(1); // too small for more
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stefan),
                                       cmocka_unit_test(test_frames_and_keys),
                                       cmocka_unit_test(test_let_go)};
    return cmocka_run_group_tests_name("heat alone", tests, NULL, NULL);
}

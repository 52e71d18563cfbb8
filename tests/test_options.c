// SPDX-License-Identifier: MIT
// ctest: slow
// Every option of the method survives a splash: nothing bursts, and no energy comes from nowhere.
#include "stage.h"

static const char *const options[] = {
    "",
    ", kernel: cubic",
    ", kernel: mueller",
    ", kernel: mueller, pressure_form: mueller",
    ", smoothing: 3",
    ", start_correction: true",
    ", settle: false",
    ", state: tait",
    ", artificial: 1",
    ", quadratic: 2",
    ", artificial: 1, quadratic: 2",
    ", sound_damping: 0",
    ", sound_damping: 1",
    ", xsph: 0.5",
    ", integrator: euler",
    ", step_rule: advective, largest_step: 0.001",
    ", step_rule: cfl",
    ", step_rule: monaghan",
    ", step_rule: monaghan, quadratic: 2",
    ", step_rule: paiva",
    ", step_rule: fixed, time_step: 0.0005",
};

// `more`: share of the start's energy that squeezed liquid and surface may give back.
static void check_splash(const char *option, const char *walls, const char *fluid, double more)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "dimension: 2\nduration: 2\nframe_rate: 20\nmethod: {type: sph%s}\n"
             "domain: {min: [0, 0], max: [1, 0.8]%s}\n"
             "fluid: [{spacing: 0.02, density: 1000%s, shape: {type: box, min: [0, 0], max: [0.3, "
             "0.5]}}]\n",
             option, walls, fluid);
    Stage *s = stage_open(yaml);
    OndStepRecord r;
    ond_sim_record(s->sim, &r);
    const double energy = r.kinetic + r.potential;
    while (ond_sim_time(s->sim) < 0.8) {
        stage_step(s);
        ond_sim_record(s->sim, &r);
        if (!(r.kinetic + r.potential < (1 + more) * energy))
            fail_msg("%s%s%s: %g J at t = %g s, %g J at the start", option, walls, fluid,
                     r.kinetic + r.potential, r.time, energy);
    }
    stage_close(s);
}

static void test_options(void **state)
{
    for (int o = 0; o < OND_COUNT(options); ++o) {
        check_splash(options[o], "", "", 0.05);
        check_splash(options[o], ", walls: project", "", 0.05);
    }
}

static void test_liquids(void **state)
{
    static const char *const fluids[] = {", viscosity: 1", ", viscosity: 100", ", tension: 2"};
    for (int f = 0; f < OND_COUNT(fluids); ++f)
        check_splash("", "", fluids[f], 0.05);
    check_splash(", tension: mueller", "", ", tension: 2", 0.05);
    check_splash(", preset: thesis", ", walls: project", "", 0.05); // as the thesis has its walls
    check_splash(", step_rule: thesis, smoothing: 2", "", "",
                 0.05);                                  // knows nothing of sound: rings a little
    check_splash(", density: continuity", "", "", 0.05); // wants walls that count
    check_splash(", density: continuity, suction: true", "", "", 0.05);
    check_splash("", ", slip: 0", "", 0.05);
    check_splash("", ", restitution: 0.9, walls: project", "", 0.05);
}

// Where everything is periodic, nothing stops the fall: no speed is too large for it.
static void test_free_fall(void **state)
{
    Stage *s =
        stage_open("dimension: 2\nduration: 6\nframe_rate: 5\n"
                   "domain: {min: [0, 0], max: [1, 1], x: periodic, y: periodic}\n"
                   "fluid: [{spacing: 0.1, shape: {type: box, min: [0, 0], max: [1, 0.3]}}]\n");
    stage_run(s, 6.0);
    double most = 0, least = INFINITY;
    for (int i = 0; i < s->count; ++i) {
        most = fmax(most, -s->v[1][i]);
        least = fmin(least, -s->v[1][i]);
    }
    print_message("free fall: %.4f to %.4f m/s after 6 s\n", least, most);
    CHECK_NEAR(most, 6.0 * 9.81, 0.01, "fastest, m/s");
    CHECK_NEAR(least, 6.0 * 9.81, 0.01, "slowest, m/s");
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_liquids),
                                       cmocka_unit_test(test_free_fall)};
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// ctest: long
// Shipped scenes with open sides, coarser and finer than they are, with one and ten times gravity,
// four times as long as they last: they keep to what drives them.
#include "io/scene_sections.h"
#include "tank.h"

static const struct {
    const char *name;
    double
        cell[3]; // about 2, 1 and 0.7 times its own, so that the domain is a whole number of them
    double duration, inflow, height;
} scenes[] = {
    {"channel", {0.1, 0.05, 0.8 / 23}, 20.0, 0.4, 0.0},
    {"smoke-house", {0.125, 0.0625, 0.5 / 11}, 20.0, 0.0, 3.5},
    {"plume", {0.03, 0.015, 0.6 / 57}, 4.0, 0.0, 1.8},
};

static void open_shipped(Tank *t, const char *name, double cell, double gravity, double duration)
{
    char path[512], change[3][64];
    OndTree tree = {0};
    OndError err = {0};
    snprintf(path, sizeof path, OND_SOURCE_DIR "/scenes/%s.yaml", name);
    snprintf(change[0], sizeof change[0], "method.cell=%.17g", cell);
    snprintf(change[1], sizeof change[1], "gravity=[0, %g, 0]", -gravity);
    snprintf(change[2], sizeof change[2], "duration=%g", duration);
    memset(t, 0, sizeof *t);
    OndStatus status = ond_yaml_read(path, &tree, &err);
    for (int k = 0; k < 3 && status == OND_OK; ++k)
        status = ond_yaml_assign(&tree, "--set", change[k], &err);
    if (status == OND_OK) status = ond_scene_read(&tree, &t->scene, &err);
    if (status == OND_OK) t->sim = ond_sim_make(&t->scene, NULL, &err);
    if (!t->sim) fail_msg("%s: %s", name, err.text);
    tank_look(t);
}

static double fastest_to(Tank *t, double time)
{
    double fastest = 0.0;
    while (ond_sim_time(t->sim) < time - 1e-9) {
        OndStepRecord record;
        tank_step(t);
        ond_sim_record(t->sim, &record);
        fastest = fmax(fastest, record.max_speed);
    }
    return fastest;
}

static void run_scene(int which, int finer, double gravity)
{
    const double drive = scenes[which].height > 0.0 ? sqrt(2.0 * gravity * scenes[which].height)
                                                    : scenes[which].inflow;
    const double time = 4.0 * scenes[which].duration;
    Tank t;
    open_shipped(&t, scenes[which].name, scenes[which].cell[finer], gravity, time);
    const double fastest = fastest_to(&t, time);
    print_message("%s, cells of %.4g m, %g m/s^2: at most %.3g m/s in %g s\n", scenes[which].name,
                  scenes[which].cell[finer], gravity, fastest, time);
    // nothing is slower than what comes in; smoke gets a small share of a free fall, as it is
    // warmer by a little only
    const double least = scenes[which].height > 0.0 ? 0.05 * drive : drive;
    CHECK_NEAR(fastest, 0.5 * (3.0 * drive + least), 0.5 * (3.0 * drive - least),
               scenes[which].name);
    tank_close(&t);
}

static void run_all(int finer)
{
    for (int k = 0; k < 3; ++k)
        for (int g = 0; g < 2; ++g)
            run_scene(k, finer, g ? 98.1 : 9.81);
}

static void test_coarser(void **state)
{
    (void)state;
    run_all(0);
}

static void test_as_they_are(void **state)
{
    (void)state;
    run_all(1);
}

static void test_finer(void **state)
{
    (void)state;
    run_all(2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coarser),
        cmocka_unit_test(test_as_they_are),
        cmocka_unit_test(test_finer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

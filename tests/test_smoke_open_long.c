// SPDX-License-Identifier: MIT
// ctest: long
// ctest cases: 18
// Shipped scenes with open sides, coarser and finer than they are, with one and ten times gravity,
// four times as long as they last: they keep to what drives them.
#include "io/scene_sections.h"
#include "tank.h"

typedef struct Scene {
    const char *name;
    double
        cell[3]; // about 2, 1 and 0.7 times its own, so that the domain is a whole number of them
    double duration, inflow, height;
} Scene;

static const Scene scenes[] = {
    {"channel", {0.1, 0.05, 0.8 / 23}, 20.0, 0.4, 0.0},
    {"smoke-house", {0.125, 0.0625, 0.5 / 11}, 20.0, 0.0, 3.5},
    {"plume", {0.03, 0.015, 0.6 / 57}, 4.0, 0.0, 1.8},
};

// One of 18: a scene, how fine, and what pulls.
typedef struct Case {
    const Scene *scene;
    int finer;
    double gravity;
} Case;

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

static void test_case(void **state)
{
    const Case *c = *state;
    const Scene *s = c->scene;
    const double drive = s->height > 0.0 ? sqrt(2.0 * c->gravity * s->height) : s->inflow;
    const double time = 4.0 * s->duration;
    Tank t;
    open_shipped(&t, s->name, s->cell[c->finer], c->gravity, time);
    const double fastest = fastest_to(&t, time);
    print_message("%s, cells of %.4g m, %g m/s^2: at most %.3g m/s in %g s\n", s->name,
                  s->cell[c->finer], c->gravity, fastest, time);
    // nothing is slower than what comes in; smoke gets a small share of a free fall, as it is
    // warmer by a little only
    const double least = s->height > 0.0 ? 0.05 * drive : drive;
    CHECK_NEAR(fastest, 0.5 * (3.0 * drive + least), 0.5 * (3.0 * drive - least), s->name);
    tank_close(&t);
}

// The coarse ones of all scenes come first: they are quick.
int main(int argc, char **argv)
{
    Case cases[18];
    struct CMUnitTest tests[OND_COUNT(cases)];
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        cases[k] = (Case){&scenes[k / 2 % 3], k / 6, k % 2 ? 98.1 : 9.81};
        tests[k] = (struct CMUnitTest)cmocka_unit_test_prestate(test_case, &cases[k]);
    }
    return run_cases("smoke_open_long", tests, OND_COUNT(cases), argc, argv);
}

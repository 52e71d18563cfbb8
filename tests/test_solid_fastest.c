// SPDX-License-Identifier: MIT
// The liquid's speed of sound is chosen for bodies that fall or are shot, and for meshes that bend.
#include "solids/scene/solid_fastest.h"
#include "stage.h"

static double sound(const Stage *s)
{
    OndCheckpoint c;
    ond_sim_checkpoint(s->sim, &c);
    return ond_checkpoint_number(&c, "sound_speed", 0.0);
}

static Stage *open_tank(const char *domain, const char *solids)
{
    char yaml[1200];
    snprintf(yaml, sizeof yaml,
             "gravity: [0, -10, 0]\nduration: 2\nframe_rate: 50\n%s\n"
             "fluid: [{spacing: 0.05, density: 1000,\n"
             "  shape: {type: box, min: [-0.5, 0, -0.5], max: [0.5, 0.6, 0.5]}}]\n"
             "solid:\n%s\n",
             domain, solids);
    return stage_open(yaml);
}

#define WALLS "domain: {min: [-0.5, 0, -0.5], max: [0.5, 12, 0.5]}"
#define CUP                                                                                        \
    "  - {name: cup, use: container, shape: {type: box, min: [-0.5, 0, -0.5], max: [0.5, 12, "     \
    "0.5]}}\n"
#define CUBE                                                                                       \
    "  - {name: cube, density: 800, at: [0, %s, 0], %s, pivot: [0, 0, 0],\n"                       \
    "     shape: {type: box, min: [-0.2, 0, -0.2], max: [0.2, 0.2, 0.2]}}\n"

// c^2 = (g H + v^2 / 2) / 0.02, with H from the body's lowest corner to the floor, or that of the
// liquid where that is more.
static void test_sound(void **state)
{
    static const struct {
        const char *domain, *others, *height, *keys;
        double fall, speed;
    } cases[] = {
        {WALLS, "", "0.1", "look: plain", 0.6, 0},
        {WALLS, "", "10", "look: plain", 10, 0},
        {WALLS, "", "0.1", "velocity: [0, -15, 0]", 0.6, 15},
        {WALLS, "", "10", "velocity: [3, 0, 4]", 10, 5},
        {WALLS, "", "0.3", "spin: [0, 10, 0]", 0.6, 3},
        {"", CUP, "4", "look: plain", 4, 0},
        {"", "  - {name: floor, shape: {type: plane}}\n", "3", "look: plain", 3, 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char solids[800], what[40];
        snprintf(solids, sizeof solids, "%s" CUBE, cases[c].others, cases[c].height, cases[c].keys);
        snprintf(what, sizeof what, "case %d: speed of sound", c);
        Stage *s = open_tank(cases[c].domain, solids);
        const double v = cases[c].speed;
        const double want = sqrt((10 * cases[c].fall + 0.5 * v * v) / 0.02);
        print_message("%s %.2f m/s, for %.2f\n", what, sound(s), want);
        CHECK_NEAR(sound(s), want, 0.03 * want, what);
        stage_close(s);
    }
}

// Shot into the water, a ball does not press it to anything near half.
static void test_shot(void **state)
{
    Stage *s = open_tank("domain: {min: [-0.5, 0, -0.5], max: [0.5, 2, 0.5]}",
                         "  - {name: ball, density: 2000, velocity: [0, -15, 0],\n"
                         "     shape: {type: sphere, center: [0.01, 0.85, 0], radius: 0.2}}\n");
    double most = 0;
    while (ond_sim_time(s->sim) < 0.04) {
        OndStepRecord r;
        stage_step(s);
        ond_sim_record(s->sim, &r);
        most = fmax(most, r.density_error);
    }
    print_message("squeezed by %.2f %% at most\n", 100 * most);
    if (!(most < 0.02)) fail_msg("squeezed by %g", most);
    stage_close(s);
}

// One corner goes 0.1 m, then 0.3 m, then the 0.4 m back.
static void test_bending(void **state)
{
    float still[3] = {0, 0, 0}, on[3] = {0.1f, 0, 0}, far[3] = {0.1f, 0, 0.3f};
    float *corner[3] = {still, on, far};
    const OndSceneSolid def = {0};
    OndSceneDef scene = {.duration = 10};
    OndSimSolid solid = {
        .def = &def,
        .sequence = {.mesh = {.corner_count = 1}, .corner = corner, .count = 3, .rate = 20}};
    const OndSimSolids all = {.scene = &scene, .count = 1, .solid = &solid};
    CHECK_NEAR(ond_solid_fastest(&all, 0), 20 * 0.3, 1e-5, "to its end");
    solid.sequence.loop = true;
    CHECK_NEAR(ond_solid_fastest(&all, 0), 20 * hypot(0.1, 0.3), 1e-5, "in a loop");
    scene.duration = 0.04;
    CHECK_NEAR(ond_solid_fastest(&all, 0), 20 * 0.1, 1e-5, "a short scene");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_shot),
        cmocka_unit_test(test_bending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

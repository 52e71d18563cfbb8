// SPDX-License-Identifier: MIT
// `pressure: auto`, the default: which solver a scene gets, and that it is told why.
#include "particles/sph/sph_def.h"
#include "stage.h"

#define POOL(method, walls, fluid)                                                                 \
    "dimension: 2\nduration: 1\nmethod: {pressure: auto" method                                    \
    "}\ndomain: {min: [0, 0], max: [1, 1]" walls                                                   \
    "}\nfluid: [{spacing: 0.1, shape: {type: box, min: [0, 0], max: [0.5, 0.5]}" fluid "}]\n"

static const struct {
    const char *scene;
    int pressure;
    const char *why; // part of the reason
} cases[] = {
    {POOL("", "", ""), OND_PRESSURE_CG, "long steps"},
    {POOL("", "", ", viscosity: 1"), OND_PRESSURE_CG, "long steps"},
    {POOL(", density_error: 0.001, iterations: 50", "", ""), OND_PRESSURE_CG, "long steps"},
    {POOL(", suction: false", "", ""), OND_PRESSURE_WCSPH, "`suction`"},
    {POOL(", sound_speed: 20", "", ""), OND_PRESSURE_WCSPH, "`sound_speed`"},
    {POOL(", state: tait, exponent: 5", "", ""), OND_PRESSURE_WCSPH, "`state`"},
    {POOL(", acoustic: 0.3", "", ""), OND_PRESSURE_WCSPH, "`acoustic`"},
    {POOL(", density: continuity", "", ""), OND_PRESSURE_WCSPH, "continuity"},
    {POOL(", preset: thesis", "", ""), OND_PRESSURE_WCSPH, "preset"},
    {POOL(", kernel: cubic", "", ""), OND_PRESSURE_WCSPH, "wendland"},
    {POOL(", step_rule: fixed", "", ""), OND_PRESSURE_WCSPH, "step_rule"},
    {POOL(", integrator: leapfrog", "", ""), OND_PRESSURE_WCSPH, "leapfrog"},
    {POOL("", ", walls: project", ""), OND_PRESSURE_WCSPH, "project"},
    {POOL("", "", ", tension: 0.07"), OND_PRESSURE_WCSPH, "tension"},
    {POOL("", "", ", rigidity: 0.5"), OND_PRESSURE_WCSPH, "melts"},
    {POOL("", "", ", material: wax"), OND_PRESSURE_WCSPH, "melts"},
    {POOL(", rigidity: {solver: none}", "", ", material: wax"), OND_PRESSURE_CG, "long steps"},
};

static void test_choice(void **state)
{
    (void)state;
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        Stage *s = stage_open(cases[k].scene);
        const OndSphDef *const def = s->scene.method.def;
        if (def->pressure != cases[k].pressure || !def->chosen_for ||
            !strstr(def->chosen_for, cases[k].why))
            fail_msg("%s: pressure %d, as %s", cases[k].scene, def->pressure,
                     def->chosen_for ? def->chosen_for : "the scene says");
        stage_step(s);
        stage_close(s);
    }
}

// Who says which has no reason to be told.
static void test_said(void **state)
{
    (void)state;
    Stage *s = stage_open("dimension: 2\nduration: 1\nmethod: {pressure: cg}\nfluid: [{spacing: "
                          "0.1, tension: 0.07, shape: {type: box, min: [0, 0], max: [1, 1]}}]\n");
    const OndSphDef *const def = s->scene.method.def;
    CHECK_NEAR(def->pressure, OND_PRESSURE_CG, 0, "as the scene says");
    assert_null(def->chosen_for);
    stage_close(s);
}

// Who says nothing gets `auto`.
static void test_silent(void **state)
{
    (void)state;
    Stage *s =
        stage_open("dimension: 2\nduration: 1\nfluid: [{spacing: 0.1, shape: {type: box, min: "
                   "[0, 0], max: [1, 1]}}]\n");
    const OndSphDef *const def = s->scene.method.def;
    CHECK_NEAR(def->pressure, OND_PRESSURE_CG, 0, "what a silent scene gets");
    assert_non_null(def->chosen_for);
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_said),
        cmocka_unit_test(test_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

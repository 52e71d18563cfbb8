// SPDX-License-Identifier: MIT
// Many balls from one key.
#include "scene_text.h"

#define BOX "min: [0, 0, 0], max: [2, 1, 3]"

static void test_balls(void **state)
{
    OndSceneDef scene;
    OndError err = {0};
    const char *const text = "solid:\n  - {name: rock, slip: 0.5, scatter: {count: 900, " BOX
                             ", smallest: 0.1, largest: 0.8, falloff: 1}}\n"
                             "  - {name: floor, shape: {type: plane}}\n" WATER;
    if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR(scene.solids.count, 901, 0, "solids");
    double small = 1, large = 0;
    int fine = 0;
    OndVec sum = {0, 0, 0};
    for (int k = 0; k < 900; ++k) {
        const OndSceneSolid *const s = ond_scene_solid(&scene, k);
        const OndSphereDef *const ball = s->shape.def;
        const OndVec c = ball->center;
        CHECK_NEAR(s->shape.which, OND_SHAPE_SPHERE, 0, "shape");
        CHECK_NEAR(s->slip, 0.5, 0, "slip");
        if (c.x < 0 || c.x > 2 || c.y < 0 || c.y > 1 || c.z < 0 || c.z > 3)
            fail_msg("ball %d is out of the box", k);
        small = fmin(small, 2 * ball->radius), large = fmax(large, 2 * ball->radius);
        fine += 2 * ball->radius < 0.2;
        sum = ond_add(sum, c);
    }
    CHECK_NEAR(small, 0.1, 0.01, "smallest");
    CHECK_NEAR(large, 0.8, 0.15, "largest");
    // with falloff 1 each halving of size doubles the number: 4 + 2 + 1 parts
    CHECK_NEAR(fine / 900.0, 4.0 / 7, 0.05, "share of the smallest class");
    CHECK_NEAR(sum.x / 900, 1, 0.06, "mean");
    CHECK_NEAR(sum.z / 900, 1.5, 0.09, "mean");
    assert_string_equal(ond_scene_solid(&scene, 17)->name, "rock 17");
    assert_string_equal(ond_scene_solid(&scene, 900)->name, "floor");
    ond_scene_free(&scene);
}

static void test_wrong(void **state)
{
    static const struct {
        const char *solid, *says;
    } cases[] = {
        {"scatter: {count: 0, " BOX ", smallest: 0.1, largest: 0.2}", "count"},
        {"scatter: {count: 30000, " BOX ", smallest: 0.1, largest: 0.2}", "count"},
        {"scatter: {count: 3, " BOX ", smallest: 0, largest: 0.2}", "smallest"},
        {"scatter: {count: 3, " BOX ", smallest: 0.3, largest: 0.2}", "must not be below"},
        {"scatter: {count: 3, min: [1, 0, 0], max: [0, 1, 1], smallest: 0.1, largest: 0.2}",
         "max must not be below min"},
        {"shape: {type: plane}, scatter: {count: 3, " BOX ", smallest: 0.1, largest: 0.2}",
         "leave out shape"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[600];
        OndSceneDef scene;
        OndError err = {0};
        snprintf(text, sizeof text, "solid: [{%s}]\n" WATER, cases[c].solid);
        if (load(text, &scene, &err) == OND_OK) fail_msg("taken: %s", cases[c].solid);
        CHECK_SAYS(err.text, cases[c].says, cases[c].solid);
        CHECK_SAYS(err.text, "scene.yaml:1", cases[c].solid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_balls), cmocka_unit_test(test_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Keys that are spelt in two ways: both are taken, and messages keep to the one that was written.
#include "io/scene_sections.h"
#include "scene_text.h"
#include "sim/sim.h"

// Both spellings of colour and center, in the file and on the command line.
static void test_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *center, *colour, *set;
        double x;
    } cases[] = {
        {"center", "colour", "title=a", 0.5},
        {"centre", "color", "title=a", 0.5},
        {"centre", "colour", "fluid.0.shape.center=[0.25, 0, 0]", 0.25},
        {"center", "color", "fluid.0.shape.centre=[0.25, 0, 0]", 0.25},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[512];
        OndTree tree;
        OndSceneDef scene = {0};
        OndError err = {0};
        snprintf(text, sizeof text,
                 "fluid: [{spacing: 0.05, shape: {type: sphere, %s: [0.5, 0, 0], radius: 0.3}}]\n"
                 "solid: [{%s: [1, 0, 0], shape: {type: sphere, %s: [2, 0, 0], radius: 0.3}}]\n"
                 "render: {%s: density}\n",
                 cases[c].center, cases[c].colour, cases[c].center, cases[c].colour);
        assert_int_equal(ond_yaml_parse("a.yaml", text, strlen(text), &tree, &err), OND_OK);
        assert_int_equal(ond_yaml_assign(&tree, "--set", cases[c].set, &err), OND_OK);
        if (ond_scene_read(&tree, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        const OndSphereDef *const ball = ond_scene_fluid(&scene, 0)->shape.def;
        CHECK_NEAR(ball->center.x, cases[c].x, 0, cases[c].center);
        CHECK_NEAR(ond_scene_solid(&scene, 0)->colour.x, 1, 0, cases[c].colour);
        CHECK_NEAR(ond_node_get(ond_scene_solid(&scene, 0)->node, "colour") != NULL, 1, 0, "given");
        ond_scene_free(&scene);
    }
}

// What is wrong is named as it was written, not as the tables spell it.
static void test_spellings_in_messages(void **state)
{
    (void)state;
#define SPHERE(key) "fluid: [{spacing: 0.05, shape: {type: sphere, " key ", radius: 0.3}}]\n"
    static const struct {
        const char *text, *says;
    } cases[] = {
        {WATER "render: {color: speed, colour: speed}\n",
         "scene.yaml:5:24: error: key 'colour' stands here a second time"},
        {WATER "render: {colour: speed, color: speed}\n",
         "scene.yaml:5:25: error: key 'color' stands here a second time"},
        {WATER "render: {color: sped}\n", "error: color must be "},
        {WATER "render: {colour: sped}\n", "error: colour must be "},
        {WATER "render:\n  color:\n", "error: color has no value"},
        {SPHERE("centre: 3"), "error: centre must be a list"},
        {SPHERE("center: 3"), "error: center must be a list"},
        {SPHERE("centre: [0, x, 0]"), "error: centre[1] must be a number"},
        {WATER "color: 1\n", "unknown key 'color'"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        CHECK_NEAR(load(cases[c].text, &scene, &err), OND_BAD_VALUE, 0, cases[c].says);
        CHECK_SAYS(err.text, cases[c].says, "message");
    }
}

// Another spelling is the same simulation: a run goes on from what it left.
static void test_spellings_are_the_same_scene(void **state)
{
    (void)state;
    static const char *const text[] = {SPHERE("center: [0, 0, 0]"), SPHERE("centre: [0, 0, 0]")};
    uint64_t hash[2];
    for (int c = 0; c < 2; ++c) {
        OndSceneDef scene;
        OndError err = {0};
        if (load(text[c], &scene, &err) != OND_OK) fail_msg("%s", err.text);
        hash[c] = ond_sim_scene_hash(&scene);
        ond_scene_free(&scene);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_spellings_in_messages),
        cmocka_unit_test(test_spellings_are_the_same_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Scenes with several mistakes: all are told in one go, but none that only follows from another.
#include "scene_text.h"

// All mistakes of a scene are told together, each with its place.
static void test_all_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        int count;
        const char *says[8];
    } cases[] = {
        {"reading",
         "titel: a\nduration: abc\ndomain: {min: [0, 0, 0], wals: mirror}\n"
         "fluid:\n  - spacing: -1\n    shape: {type: ball}\n  - 7\n",
         7,
         {"scene.yaml:1:1: error: unknown key 'titel'", "scene.yaml:2:11: error: duration must be",
          "\n    duration: abc\n              ^\nscene.yaml:3:26: error: unknown key 'wals'",
          "scene.yaml:5:14: error: spacing must be > 0", "scene.yaml:6:19: error: type must be",
          "scene.yaml:7:5: error: fluid must be a list of maps"}},
        {"checking",
         "dimension: 2\ngravity: [0, -9.81, 1]\nmethod: {exponent: 3, time_step: 1}\n"
         "fluid:\n  - {spacing: 0.05, velocity: [0, 0, 1]}\n"
         "emitter: [{fluid: x, center: [0, 0], radius: 0.1, rate: 1}]\n"
         "camera: {from: [0, 0, 1], to: [0, 0, 1]}\n",
         6,
         {"scene.yaml:2:10: error: gravity", "scene.yaml:3:20: error: 'exponent'",
          "scene.yaml:3:34: error: 'time_step'", "scene.yaml:5:31: error: velocity",
          "scene.yaml:6:19: error: there is no fluid 'x'", "scene.yaml:7:31: error: the camera"}},
        {"reading and checking together",
         "titel: a\ndimension: 2\nmethod: {courant: fast}\nfluid:\n"
         "  - {name: water, spacing: 0.05, velocity: [0, 0, 1]}\n"
         "  - {name: oil, spacing: 0.05, shape: {type: ball}}\n"
         "emitter: [{fluid: oil, center: [0, 0], direction: [0, 0], radius: 0.1, rate: 1}]\n"
         "solid: [{velocity: [1, 0], shape: {type: sphere, center: [0, 0], radius: 0.1}}]\n"
         "heat: [{shape: {type: sphere, center: [0, 0], radius: 0.1}}]\n"
         "camera: {from: [0, 0, 1], to: [0, 0, 1]}\n",
         8,
         {"scene.yaml:1:1: error: unknown key 'titel'", "scene.yaml:3:19: error: courant must be",
          "scene.yaml:6:46: error: type must be", "scene.yaml:5:44: error: velocity has a z part",
          "scene.yaml:7:51: error: direction must not be zero",
          "scene.yaml:8:20: error: velocity is the start of a body",
          "scene.yaml:9:8: error: this source gives no heat",
          "scene.yaml:10:31: error: the camera stands"}},
        {"every entry of a grid's sections",
         "dimension: 2\ndomain: {min: [0, 0], max: [1.05, 1.02]}\n"
         "method: {type: smoke, cell: 0.1}\nprobe: [{type: level}]\n"
         "tracer:\n"
         "  - {spacing: 0.1, count: 5, from: 2, to: 1, shape: {type: sphere, center: [0.5, 0.5], "
         "radius: 0.1}}\n"
         "  - {shape: {type: sphere, center: [0.5, 0.5], radius: 0.1}}\n"
         "source:\n"
         "  - {shape: {type: sphere, center: [0.5, 0.5], radius: 0.1}}\n"
         "  - {flow: 1, from: 2, to: 1, shape: {type: box, min: [1, 0], max: [0, 1]}}\n",
         9,
         {"1.05 m wide in x", "1.02 m wide in y", "scene.yaml:6:27: error: give tracers a spacing",
          "scene.yaml:6:43: error: to must be later", "scene.yaml:7:5: error: no tracers",
          "scene.yaml:9:5: error: this source brings nothing",
          "scene.yaml:10:28: error: to must be later", "error: the box's max must be above"}},
        {"what is absent beside what is wrong",
         "titel: a\nmethod: {type: smoke, cell: 0.1}\nfluid: [{" BALL "}]\n",
         2,
         {"unknown key 'titel'", "a method on a grid needs a 'domain'"}},
        {"an alias repeats its anchor's mistake",
         "fluid:\n  - &a {spacing: no, " BALL "}\n  - *a\n",
         1,
         {"scene.yaml:2:18: error: spacing must be a number, not 'no'"}},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        CHECK_NEAR(load(cases[c].text, &scene, &err), OND_BAD_VALUE, 0, cases[c].name);
        for (int k = 0; k < OND_COUNT(cases[c].says) && cases[c].says[k]; ++k)
            CHECK_SAYS(err.text, cases[c].says[k], cases[c].name);
        CHECK_NEAR(err.told, cases[c].count, 0, cases[c].name);
    }
}

static void test_too_many_to_tell(void **state)
{
    (void)state;
    char text[2048] = "";
    for (int k = 0; k < 50; ++k)
        snprintf(text + strlen(text), sizeof text - strlen(text), "nonsense%d: 1\n", k);
    OndSceneDef scene;
    OndError err = {0};
    CHECK_NEAR(load(text, &scene, &err), OND_BAD_VALUE, 0, "fifty unknown keys");
    CHECK_NEAR(err.told + err.untold, 50, 0, "all are counted");
    CHECK_SAYS(err.text, "scene.yaml:1:1: error: unknown key 'nonsense0'", "the first");
    CHECK_NEAR(err.told <= OND_ERRORS_MAX && err.told >= 10, 1, 0, "the first dozens are told");
}

// A part of a scene hands on all its mistakes together: such a bundle is cut where there are
// twenty, and what was not told of it is counted, too.
static void test_bundles_too_many_to_tell(void **state)
{
    (void)state;
    OndError all = {0}, bundle = {0}, one = {0};
    int made = 0;
    for (int b = 0; b < 6; ++b) {
        for (int k = 0; k < 3 + 22 * (b == 4); ++k) { // the fifth is too many by itself
            ond_fail(&one, OND_BAD_VALUE, "mistake <%d>\n    here\n    ^", made++);
            ond_error_add(&bundle, &one);
        }
        ond_error_add(&all, &bundle);
    }
    int lines = 1;
    for (const char *c = all.text; *c; ++c)
        lines += *c == '\n';
    CHECK_NEAR(all.told, OND_ERRORS_MAX, 0, "as many as may be");
    CHECK_NEAR(lines, 3 * OND_ERRORS_MAX, 0, "lines");
    CHECK_NEAR(all.told + all.untold, made, 0, "all are counted");
    CHECK_SAYS(all.text, "mistake <19>", "the last that is told");
}

// One mistake, and much that would be wrong if what it spoilt were really left out.
static void test_nothing_follows(void **state)
{
    (void)state;
#define SMOKE  "method: {type: smoke, cell: 0.1}\n"
#define TRACER "tracer: [{spacing: 0.1, " BALL "}]\n"
#define POUR   "emitter: [{fluid: water, center: [0.5, 0.5, 0.5], radius: 0.1, rate: 0.1}]\n"
#define FLAT                                                                                       \
    "fluid: [{spacing: 0.05, shape: {type: box, min: [0, 0], max: [1, 1]}}]\n"                     \
    "solid: [{shape: {type: box, min: [0, 0], max: [1, 1]}}]\n"
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"dimension: 4\n" FLAT, "dimension must be"},
        {"dimenson: 2\n" FLAT, "unknown key 'dimenson'"},
        {SMOKE TRACER "domain: {min: [0, 0, 0], max: [1, 1, x]}\n", "max[2] must be a number"},
        {SMOKE TRACER "domian: {min: [0, 0, 0], max: [1, 1, 1]}\n", "unknown key 'domian'"},
        {DOMAIN TRACER "method: {type: smok, cell: 0.1}\nfluid: [{" BALL "}]\n",
         "type must be sph"},
        {DOMAIN TRACER "method: {type: smoke, cell: no}\nfluid: [{name: water, " BALL "}]\n" POUR,
         "cell must be a number"},
        {DOMAIN TRACER "metod: {type: smoke, cell: 0.1}\nfluid: [{" BALL "}]\n",
         "unknown key 'metod'"},
        {DOMAIN "fluid: [{name: water, spacing: none}]\nair: {temperature: 5}\n" POUR,
         "spacing must be a number"},
        {"fliud: [{name: water, spacing: 0.05}]\n" POUR, "unknown key 'fliud'"},
        {"emiter: []\nfluid: [{spacing: 0.05}]\n", "unknown key 'emiter'"},
        {WATER "solid: [{name: a, shape: {type: bal}}]\nprobe: [{type: force, solid: a}]\n",
         "type must be"},
        {WATER "domain: {min: [0, 0, 0], max: [1, 1, 1], friction: 0.3}\n"
               "method: {preset: thesis}\nsolid: [{density: 2000, " BALL "}, {density: x, " BALL
               "}]\n",
         "density must be a number"},
        {WATER "solid: [{name: a, scatter: {count: 3, min: [0, 0, 0], max: [1, 1, 1], smallest: 2, "
               "largest: 1}}]\nprobe: [{type: force, solid: a 1}]\n",
         "largest (1 m) must not be below smallest"},
        {DOMAIN "method: {type: dem}\nfluid: [{spacing: 0.05, " BALL "}]\n"
                "solid: [{temperature: 80, shape: {type: plane}}]\n",
         "'temperature' means nothing to grains"},
        {SMOKE "aquarium: {size: 1}\nfluid: [{" BALL "}]\n", "unknown key 'aquarium'"},
        {WATER "emitter: [{center: [2, 2, 2], rate: 0.1, width: 0.2, height: 0.2}]\n",
         "'width' means nothing here: a disc"},
        {WATER "duration: 1e6\nframe_rate: x\n", "frame_rate must be a number"},
        {DOMAIN SMOKE "source: [{flow: 1, " BALL "}, {flow: minus, " BALL "}]\n",
         "flow must be a number"},
        {"domain: {min: [0, 0, 0], max: [1, 1, 1], x: periodic}\n"
         "fluid: [{spacing: 0.05, rigidity: 1, " BALL "}]\n"
         "method: {rigidity: {solver: nune}}\n",
         "solver must be"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        CHECK_NEAR(load(cases[c].text, &scene, &err), OND_BAD_VALUE, 0, cases[c].says);
        CHECK_SAYS(err.text, cases[c].says, "message");
        if (err.told != 1) fail_msg("%d told instead of one:\n%s", err.told, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_at_once),
        cmocka_unit_test(test_nothing_follows),
        cmocka_unit_test(test_too_many_to_tell),
        cmocka_unit_test(test_bundles_too_many_to_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Solids that set out at full speed in the middle of a step take the fluid with them and let
// nothing through; those that are elsewhere at once, or come to a periodic side, are refused.
#include "check.h"
#include "scene_text.h"
#include "sim/sim.h"

#include <stdio.h>

#define HEIGHT 1.2

// A sheet across the channel at x, upright.
static void write_sheet(const char *path, double x)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "v %g -0.1 -0.3\nv %g %g -0.3\nv %g %g 0.3\nv %g -0.1 0.3\n", x, x, HEIGHT, x,
            HEIGHT, x);
    fprintf(f, "f 1 2 3\nf 1 3 4\n");
    assert_int_equal(fclose(f), 0);
}

#define CHANNEL                                                                                    \
    "duration: 0.3\n"                                                                              \
    "domain: {min: [-0.6, 0, -0.2], max: [0.6, 1, 0.2]}\n"                                         \
    "fluid: [{spacing: 0.04, shape: {type: box, min: [-0.6, 0, -0.2], max: [0.6, 0.2, 0.2]}}]\n"
#define GRAINS "method: {type: dem}\n"
#define SHEET  "solid: [{shape: {type: mesh, file: sheet.obj}, pivot: [0, 0, 0], "
#define STROKE "keys: [{time: 0.0523, at: [0, 0, 0]}, {time: 0.0573, at: [0.08, 0, 0]}]}]\n"

static int count_left(OndSim *sim, double x)
{
    OndFrame frame;
    int left = 0;
    ond_sim_frame(sim, &frame);
    const float *at = ond_fields_find(&frame.particles, "position")->data[0];
    for (int i = 0; i < frame.particles.count; ++i)
        left += at[i] < x;
    return left;
}

static const struct {
    const char *name, *text;
    double end; // where the sheet is then
} strokes[] = {
    {"liquid", CHANNEL SHEET STROKE, 0.08},
    {"grains", CHANNEL GRAINS SHEET STROKE, 0.08},
    {"bending", CHANNEL "solid: [{sequence: {files: sheet_%02d.obj, rate: 200}}]\n", 0.08},
};

static void test_strokes(void **state)
{
    (void)state;
    write_sheet("sheet.obj", 0.0);
    write_sheet("sheet_01.obj", 0.0);
    write_sheet("sheet_02.obj", 0.08);
    for (int c = 0; c < OND_COUNT(strokes); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        if (load(strokes[c].text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        OndSim *sim = ond_sim_make(&scene, &assets, &err);
        if (!sim) fail_msg("%s: %s", strokes[c].name, err.text);
        const int before = count_left(sim, 0.0), all = ond_sim_particle_count(sim);
        while (ond_sim_time(sim) < 0.1)
            if (ond_sim_step(sim, &err) != OND_OK) fail_msg("%s: %s", strokes[c].name, err.text);
        CHECK_NEAR(before, all / 2, 0, strokes[c].name);
        CHECK_NEAR(count_left(sim, strokes[c].end), before, 0, strokes[c].name);
        ond_sim_destroy(sim);
        ond_scene_free(&scene);
    }
}

// Whether a scene can start, or the words with which it is refused.
static void check_start(const char *name, const char *text, const char *says)
{
    OndSceneDef scene;
    OndError err = {0};
    if (load(text, &scene, &err) != OND_OK) fail_msg("%s: %s", name, err.text);
    OndSim *sim = ond_sim_make(&scene, &assets, &err);
    if ((sim == NULL) != (says != NULL)) fail_msg("%s: %s", name, err.text);
    if (says) CHECK_SAYS(err.text, says, name);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

#define BOX "solid: [{name: s, shape: {type: box, min: [-0.1, -0.1, -0.3], max: [0.1, 1, 0.3]}, "

static void test_jumps(void **state)
{
    (void)state;
    static const struct {
        const char *name, *motion, *says;
    } cases[] = {
        {"step", "move: [\"0.3*step(0.0523, t)\", 0, 0]",
         "solid 's' jumps by 0.3 m at t = 0.0523 s"},
        {"sawtooth", "move: [\"mod(t, 0.1)\", 0, 0]", "solid 's' jumps by 0.1 m at t = 0.1 s"},
        {"turned at once", "turn_by: [0, \"1.5*step(0.1, t)\", 0]", "jumps by"},
        {"steep", "move: [\"0.1*exp(-(100*(t-0.1))^2)\", 0, 0]", NULL},
        {"steps that are small", "move: [\"0.005*floor(t*20)\", 0, 0]", NULL},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[1024];
        snprintf(text, sizeof text, CHANNEL BOX "%s}]\n", cases[c].motion);
        check_start(cases[c].name, text, cases[c].says);
    }
}

#define HALL   "dimension: 2\nduration: 1\ndomain: {min: [0, 0], max: [1, 0.5]}\n"
#define SOUND  "method: {pressure: wcsph}\n"
#define RIGHT  "fluid: [{spacing: 0.05, shape: {type: box, min: [0.5, 0], max: [1, 0.4]}}]\n"
#define MIDDLE "fluid: [{spacing: 0.025, shape: {type: box, min: [0.4, 0], max: [0.6, 0.1]}}]\n"
#define RAM    "solid: [{name: ram, shape: {type: box, min: [-0.5, -0.1], max: [0.49, 1]}, "
#define LID    "solid: [{name: lid, shape: {type: box, min: [-0.5, 0.4], max: [1.5, 0.5]}, "
#define SHOVEL                                                                                     \
    "solid: [{name: shovel, shape: {type: box, min: [-0.5, 0.2], max: [0.5, 0.3]}, "               \
    "at: [0, 0.25], turn: [0, 0, -30], "
#define OVER "move: [\"0.7*smoothstep(0, 0.9, t)\", 0, 0]}]\n"
#define DOWN "move: [0, \"-0.7*smoothstep(0, 0.5, t)\", 0]}]\n"

// What a solid presses against a side of the domain stays inside while there is any room; then the
// run ends and names the solid.
static const struct {
    const char *name, *text, *says; // NULL: there is room
} presses[] = {
    {"liquid in a closed room", HALL RIGHT RAM OVER,
     "the liquid has burst, as solid 'ram' leaves it no room"},
    {"the same by sound", HALL SOUND RIGHT RAM OVER, "solid 'ram' leaves it no room"},
    {"grains in a closed room", HALL RIGHT GRAINS RAM OVER,
     "a grain is crushed against a side of the domain: solid 'ram' leaves it no room"},
    {"liquid that spreads", HALL MIDDLE LID DOWN, "solid 'lid' leaves it no room"},
    {"the same by sound", HALL SOUND MIDDLE LID DOWN,
     "a particle is crushed against a side of the domain: solid 'lid' leaves it no room"},
    {"grains that spread", HALL MIDDLE GRAINS LID DOWN, "solid 'lid' leaves it no room"},
    {"down to the floor", HALL MIDDLE GRAINS LID "move: [0, \"-0.4*smoothstep(0, 0.9, t)\", 0]}]\n",
     NULL},
    {"liquid in a corner that closes", HALL MIDDLE SHOVEL DOWN, NULL},
    {"grains in a corner that closes", HALL MIDDLE GRAINS SHOVEL DOWN, NULL},
};

static double farthest_out(OndSim *sim)
{
    OndFrame frame;
    double out = 0;
    ond_sim_frame(sim, &frame);
    float *const *const x = (float *const *)ond_fields_find(&frame.particles, "position")->data;
    for (int i = 0; i < frame.particles.count; ++i)
        out = fmax(out, fmax(fmax(-x[0][i], x[0][i] - 1), fmax(-x[1][i], x[1][i] - 0.5)));
    return out;
}

static void test_crushed(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(presses); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        double out = 0;
        if (load(presses[c].text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        OndSim *sim = ond_sim_make(&scene, &assets, &err);
        if (!sim) fail_msg("%s: %s", presses[c].name, err.text);
        while (ond_sim_time(sim) < 1 && ond_sim_step(sim, &err) == OND_OK)
            out = fmax(out, farthest_out(sim));
        if (presses[c].says) CHECK_SAYS(err.text, presses[c].says, presses[c].name);
        if (!presses[c].says && err.text[0]) fail_msg("%s: %s", presses[c].name, err.text);
        CHECK_NEAR(out, 0, (presses[c].says ? 0.1 : 1e-3) * scene.spacing, presses[c].name);
        ond_sim_destroy(sim);
        ond_scene_free(&scene);
    }
}

// Solids end at periodic sides; what is there would meet half of one.
static void test_seams(void **state)
{
    (void)state;
    static const struct {
        const char *name, *box, *says;
    } cases[] = {
        {"across", "min: [0.9, -1], max: [1.1, 2]}", "reaches from x = 0.9 to 1.1 at t = 0 s"},
        {"near", "min: [0.8, -1], max: [0.95, 2]}", "reaches from x = 0.8 to 0.95"},
        {"on its way", "min: [0.2, -1], max: [0.4, 2]}, move: [\"t\", 0]", "at t = 0.5"},
        {"away", "min: [0.3, -1], max: [0.6, 2]}", NULL},
        {"past both", "min: [-0.1, -1], max: [1.1, 0]}", NULL},
        {"elsewhere", "min: [2, -1], max: [3, 2]}", NULL},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[1024];
        snprintf(text, sizeof text,
                 "dimension: 2\nduration: 1\ndomain: {min: [0, 0], max: [1, 1], x: periodic}\n"
                 "fluid: [{spacing: 0.05, shape: {type: box, min: [0, 0], max: [1, 0.5]}}]\n"
                 "solid: [{name: s, shape: {type: box, %s}]\n",
                 cases[c].box);
        check_start(cases[c].name, text, cases[c].says);
    }
}

// What is fast for a moment only is heard of by the speed of sound.
static void test_short_strokes(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    write_sheet("sheet.obj", 0.0);
    const char *text =
        CHANNEL SHEET "keys: [{time: 0.0523, at: [0, 0, 0]}, {time: 0.0533, at: [0.08, 0, 0]}]}]\n";
    if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
    OndSim *sim = ond_sim_make(&scene, &assets, &err);
    if (!sim) fail_msg("%s", err.text);
    CHECK_SAYS(ond_sim_note(sim, 1), "moves at up to", "note");
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

// A paddle that goes a little too far for a step just before a frame: the step is cut, and what is left until
// the frame is no sliver, in which the liquid's pressure would be a hundred times what it is.
static void test_even_steps(void **state)
{
    (void)state;
    OndError err = {0};
    OndSceneDef scene;
    const OndStatus status =
        load("dimension: 2\nduration: 1\nframe_rate: 50\ndomain: {min: [0, 0], max: [2, 1]}\n"
             "method: {pressure: cg}\n"
             "fluid: [{spacing: 0.05, shape: {type: box, min: [0.4, 0], max: [1.6, 0.2]}}]\n"
             "solid: [{shape: {type: box, min: [0.1, 0.05], max: [0.3, 0.9]},\n"
             "  move: [\"0.2*(1-cos(6.28*t*1.5))\", 0, 0]}]\n",
             &scene, &err);
    if (status != OND_OK) fail_msg("%s", err.text);
    OndSim *const sim = ond_sim_make(&scene, &assets, &err);
    if (!sim) fail_msg("%s", err.text);
    double before = 0, least = 1;
    while (ond_sim_time(sim) < 0.5) {
        const double from = ond_sim_time(sim);
        if (ond_sim_step(sim, &err) != OND_OK) fail_msg("%s", err.text);
        const double dt = ond_sim_time(sim) - from;
        if (before > 0) least = fmin(least, dt / before);
        before = dt;
    }
    print_message("a step is at least %.2f of the one before\n", least);
    if (!(least > 0.4)) fail_msg("%g", least);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strokes),       cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_crushed),       cmocka_unit_test(test_seams),
        cmocka_unit_test(test_short_strokes), cmocka_unit_test(test_even_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

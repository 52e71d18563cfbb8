// SPDX-License-Identifier: MIT
// Playing: tools do what they say, dials are heard, keys work; whoever cannot is told why.
#include "library.h"

#include "base/memory.h"
#include "view/play/play.h"

#include <ondine/host.h>
#include <stdlib.h>

static const char water_3d[] = "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                               "method: {pressure: cg}\n"
                               "fluid:\n"
                               "  - name: water\n"
                               "    spacing: 0.06\n"
                               "    viscosity: 0.1\n"
                               "    shape: {type: box, min: [0, 0, 0], max: [1, 0.3, 1]}\n";

static const char wax[] = "dimension: 2\n"
                          "domain: {min: [0, 0], max: [1, 1]}\n"
                          "method: {pressure: cg}\n"
                          "fluid:\n"
                          "  - name: wax\n"
                          "    material: wax\n"
                          "    viscosity: 1\n"
                          "    spacing: 0.03\n"
                          "    shape: {type: box, min: [0.3, 0], max: [0.7, 0.2]}\n";

static OndPlay *play_of(const char *text)
{
    OndError err = {0};
    OndScene *const scene = scene_of(text, NULL);
    OndPlay *const play = ond_play_create(scene, &err);
    if (!play) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    return play;
}

static void go(OndPlay *play, double seconds)
{
    for (int k = 0; k < 60 * seconds; ++k)
        OK(ond_play_advance(play, 1.0 / 60, 1e9, &why));
}

static const char *message(const OndPlay *play)
{
    return ond_play_message(play, NULL);
}

static int particles(const OndPlay *play)
{
    return ond_sim_particle_count(ond_play_sim(play));
}

static void point(OndPlay *play, OndPointer what, double x, double y)
{
    const OndPlayRay ray = {{x, y, 5}, {0, 0, -2}};
    ond_play_pointer(play, what, &ray);
}

static void set(OndPlay *play, const char *dial, double value)
{
    OK(ond_play_set_dial(play, ond_play_find_dial(play, dial), value, &why));
}

static double dial_value(const OndPlay *play, const char *name)
{
    OndDial dial;
    assert_true(ond_play_dial(play, ond_play_find_dial(play, name), &dial));
    return dial.value;
}

// ---- time and keys

static void test_time(void **state)
{
    (void)state;
    OndPlayStats stats;
    OndPlay *const play = play_of(pool);
    go(play, 0.5);
    ond_play_stats(play, &stats);
    CHECK_NEAR(stats.time, 0.5, 0.02, "it goes with the clock");
    CHECK_NEAR(stats.rate, 1.0, 0.05, "rate");
    assert_true(stats.steps > 0 && stats.step_ms > 0 && stats.particles == particles(play));
    ond_play_key(play, OND_PLAY_PAUSE);
    const double then = ond_sim_time(ond_play_sim(play));
    go(play, 0.1);
    assert_true(ond_sim_time(ond_play_sim(play)) == then);
    ond_play_key(play, OND_PLAY_STEP);
    go(play, 0.1);
    OndStepReport last;
    ond_sim_last_step(ond_play_sim(play), &last);
    CHECK_NEAR(ond_sim_time(ond_play_sim(play)), then + last.dt, 1e-9, "one step");
    ond_play_key(play, OND_PLAY_PAUSE);
    set(play, "speed", 2);
    go(play, 0.25);
    CHECK_NEAR(ond_sim_time(ond_play_sim(play)), then + 0.5, 0.02, "twice as fast");
    ond_play_key(play, OND_PLAY_RESTART);
    assert_true(ond_sim_time(ond_play_sim(play)) == 0.0);
    ond_play_destroy(play);
}

static void test_budget(void **state)
{
    (void)state;
    OndPlayStats stats;
    OndPlay *const play = play_of(pool);
    for (int k = 0; k < 10; ++k)
        OK(ond_play_advance(play, 1.0, 0.0, &why));
    OndStepReport last;
    ond_sim_last_step(ond_play_sim(play), &last);
    assert_int_equal(last.step, 10); // one each: the budget is spent by it
    ond_play_stats(play, &stats);
    assert_true(stats.rate > 0 && stats.rate < 0.5);
    ond_play_destroy(play);
}

static void test_drop(void **state)
{
    (void)state;
    OndPlay *const play = play_of(pool);
    const int before = particles(play);
    long long told = 0, then = 0;
    ond_play_key(play, OND_PLAY_DROP);
    const int more = particles(play) - before;
    assert_true(more > 4);
    for (int k = 0; k < 100; ++k)
        ond_play_key(play, OND_PLAY_DROP);
    ond_play_message(play, &then);
    ond_play_key(play, OND_PLAY_DROP);
    assert_non_null(strstr(ond_play_message(play, &told), "no room"));
    assert_true(told > then);
    go(play, 0.3); // it was really room: nothing bursts
    assert_null(strstr(message(play), "burst"));
    ond_play_key(play, OND_PLAY_RESTART);
    assert_int_equal(particles(play), before);
    ond_play_destroy(play);
}

// ---- tools

// Mean of |v| in the middle of the pool after the tool was there.
static double stirred(OndTool tool)
{
    OndPlay *const play = play_of(pool);
    set(play, "size", 0.15);
    assert_true(ond_play_tool(play, tool));
    assert_int_equal(ond_play_tool_now(play), tool);
    if (tool != OND_TOOLS) point(play, OND_POINTER_DOWN, 0.25, 0.25);
    go(play, 0.05);
    OndFieldView x = field(ond_play_sim(play), "position"),
                 v = field(ond_play_sim(play), "velocity");
    double out = 0;
    for (int i = 0; i < x.count; ++i)
        for (int a = 0; a < 2; ++a) {
            const double way = ((const float *)x.data[a])[i] - 0.25;
            if (fabs(way) < 0.15) out += way * ((const float *)v.data[a])[i];
        }
    ond_play_destroy(play);
    return out;
}

static void test_push_pull(void **state)
{
    (void)state;
    const double away = stirred(OND_TOOL_PUSH), towards = stirred(OND_TOOL_PULL);
    print_message("push %g, pull %g\n", away, towards);
    assert_true(away > 0.0 && towards < away);
}

static void test_pour(void **state)
{
    (void)state;
    OndPlay *const play = play_of(pool);
    const int before = particles(play);
    assert_true(ond_play_tool(play, OND_TOOL_POUR));
    point(play, OND_POINTER_DOWN, 0.8, 0.7);
    go(play, 0.3);
    const int poured = particles(play) - before;
    assert_true(poured > 10);
    point(play, OND_POINTER_UP, 0.8, 0.7);
    go(play, 0.3);
    assert_int_equal(particles(play), before + poured);
    assert_string_equal(message(play), "");
    ond_play_destroy(play);
}

static double hottest(const OndPlay *play, double sign)
{
    const OndFieldView t = field(ond_play_sim(play), "temperature");
    double most = -1e9;
    for (int i = 0; i < t.count; ++i)
        most = fmax(most, sign * ((const float *)t.data[0])[i]);
    return sign * most;
}

static void test_torch(void **state)
{
    (void)state;
    OndPlay *const play = play_of(wax);
    set(play, "temperature", 90);
    set(play, "cold", 5);
    assert_true(ond_play_tool(play, OND_TOOL_HEAT));
    point(play, OND_POINTER_DOWN, 0.5, 0.19);
    go(play, 0.5);
    CHECK_NEAR(hottest(play, 1), 90, 5, "the torch's temperature");
    assert_true(ond_play_tool(play, OND_TOOL_COOL));
    go(play, 1.0);
    CHECK_NEAR(hottest(play, -1), 5, 3, "frost");
    ond_play_destroy(play);
}

static void test_cut(void **state)
{
    (void)state;
    OndPlay *const play = play_of(wax);
    go(play, 0.02);
    assert_true(ond_play_tool(play, OND_TOOL_CUT));
    point(play, OND_POINTER_DOWN, 0.5, 0.5);
    point(play, OND_POINTER_MOVE, 0.5, 0.1);
    point(play, OND_POINTER_MOVE, 0.5, 0.001);
    const OndFieldView x = field(ond_play_sim(play), "position");
    for (int i = 0; i < x.count; ++i)
        assert_true(fabs(((const float *)x.data[0])[i] - 0.5) > 0.03);
    go(play, 0.05);
    uint32_t left = 0, right = 0;
    const OndFieldView piece = field(ond_play_sim(play), "piece");
    const OndFieldView now = field(ond_play_sim(play), "position");
    for (int i = 0; i < piece.count; ++i) {
        uint32_t *const side = ((const float *)now.data[0])[i] < 0.5f ? &left : &right;
        *side = ((const uint32_t *)piece.data[0])[i];
    }
    print_message("pieces %u and %u\n", left, right);
    assert_true(left > 0 && right > 0 && left != right); // two bodies now
    ond_play_destroy(play);
}

static void test_grab_piece(void **state)
{
    (void)state;
    OndPlay *const play = play_of(wax);
    go(play, 0.05);
    assert_true(ond_play_tool(play, OND_TOOL_GRAB));
    point(play, OND_POINTER_DOWN, 0.5, 0.1);
    for (int k = 0; k < 60; ++k) {
        point(play, OND_POINTER_MOVE, 0.5, 0.1 + 0.5 * k / 59);
        go(play, 1.0 / 60);
    }
    go(play, 0.5);
    CHECK_NEAR(mean(ond_play_sim(play), "position", 1), 0.6, 0.08, "it hangs at the pointer");
    point(play, OND_POINTER_UP, 0.5, 0.6);
    go(play, 0.5);
    assert_true(mean(ond_play_sim(play), "position", 1) < 0.3); // let go
    ond_play_destroy(play);
}

static void test_grab_body(void **state)
{
    (void)state;
    OndSolidView ball;
    OndPlay *const play = play_of(stage);
    assert_true(ond_play_tool(play, OND_TOOL_GRAB));
    assert_true(ond_sim_solid(ond_play_sim(play), 0, &ball));
    point(play, OND_POINTER_DOWN, ball.center[0], ball.center[1]);
    for (int k = 0; k < 50; ++k) {
        point(play, OND_POINTER_MOVE, ball.center[0] + 0.01 * k, ball.center[1] + 0.01 * k);
        go(play, 1.0 / 60);
    }
    OndSolidView then;
    assert_true(ond_sim_solid(ond_play_sim(play), 0, &then));
    CHECK_NEAR(then.center[0], ball.center[0] + 0.45, 0.15, "it came along");
    CHECK_NEAR(then.center[1], ball.center[1] + 0.45, 0.15, "and up");
    ond_play_destroy(play);
}

// What the ray meets first: water, not the floor; the wall where there is nothing.
static void test_pick(void **state)
{
    (void)state;
    double at[3], radius;
    OndPlay *const play = play_of(water_3d);
    assert_false(ond_play_tool_place(play, at, &radius));
    const OndPlayRay down = {{0.5, 3, 0.5}, {0, -1, 0}}, across = {{-2, 0.7, 0.5}, {5, 0, 0}};
    ond_play_pointer(play, OND_POINTER_HOVER, &down);
    assert_true(ond_play_tool_place(play, at, &radius));
    CHECK_NEAR(at[1], 0.3, 0.05, "the water's surface");
    ond_play_pointer(play, OND_POINTER_HOVER, &across);
    ond_play_tool_place(play, at, &radius);
    CHECK_NEAR(at[0], 1.0, 0.05, "the wall behind");
    // held down, it keeps its distance
    ond_play_pointer(play, OND_POINTER_DOWN, &down);
    const OndPlayRay aside = {{0.8, 3, 0.5}, {0, -3, 0}};
    go(play, 0.1);
    ond_play_pointer(play, OND_POINTER_MOVE, &aside);
    ond_play_tool_place(play, at, &radius);
    CHECK_NEAR(at[0], 0.8, 1e-6, "aside");
    CHECK_NEAR(at[1], 0.3, 0.05, "as far");
    ond_play_destroy(play);
}

// A torch that is put down beside what shall melt, and led onto it, works there.
static void test_torch_follows(void **state)
{
    (void)state;
    double at[3], radius;
    OndPlay *const play = play_of(water_3d);
    const OndPlayRay beside = {{-2, 0.7, 0.5}, {1, 0, 0}}, onto = {{0.5, 3, 0.5}, {0, -1, 0}};
    assert_true(ond_play_tool(play, OND_TOOL_HEAT));
    ond_play_pointer(play, OND_POINTER_DOWN, &beside);
    ond_play_pointer(play, OND_POINTER_MOVE, &onto);
    ond_play_tool_place(play, at, &radius);
    CHECK_NEAR(at[1], 0.3, 0.05, "the water's surface");
    ond_play_destroy(play);
}

// A dial that nobody turned changes nothing: the block stays as rigid as its scene has it.
static void test_others_keep_theirs(void **state)
{
    (void)state;
    OndPlay *const play =
        play_of("dimension: 2\n"
                "domain: {min: [0, 0], max: [1, 1]}\n"
                "method: {pressure: cg}\n"
                "fluid:\n"
                "  - {name: water, spacing: 0.05, shape: {type: box, min: [0, 0], "
                "max: [1, 0.2]}}\n"
                "  - {name: block, spacing: 0.05, rigidity: 0.9, viscosity: 3,\n"
                "     shape: {type: box, min: [0.3, 0.5], max: [0.7, 0.7]}}\n");
    double rigidity = 0.0, viscosity = 0.0;
    assert_true(ond_sim_fluid_value(ond_play_sim(play), 1, "rigidity", &rigidity));
    assert_true(ond_sim_fluid_value(ond_play_sim(play), 1, "viscosity", &viscosity));
    CHECK_NEAR(rigidity, 0.9, 1e-6, "rigidity");
    CHECK_NEAR(viscosity, 3.0, 1e-6, "viscosity");
    ond_play_destroy(play);
}

// Water that flows goes on in a scene with another wall, also when its particles were made finer.
static void test_take_over(void **state)
{
    (void)state;
    OndPlay *const from = play_of(water_3d), *const to = play_of(water_3d);
    set(from, "spacing", 0.05);
    OK(ond_play_advance(from, 0.1, 1e9, &why));
    const int before = particles(from);
    ond_play_take_over(to, from);
    CHECK_NEAR(particles(to), before, 0, "as many");
    CHECK_NEAR(mean(ond_play_sim(to), "velocity", 1), mean(ond_play_sim(from), "velocity", 1), 1e-6,
               "as fast");
    ond_play_destroy(from);
    ond_play_destroy(to);
}

static void test_smoke_tools(void **state)
{
    (void)state;
    OndPlay *const play = play_of(smoke);
    OndFieldView before, after;
    assert_false(ond_play_tool(play, OND_TOOL_CUT));
    assert_non_null(strstr(message(play), "cut: "));
    assert_false(ond_play_tool(play, OND_TOOL_GRAB));
    assert_true(ond_play_tool(play, OND_TOOL_POUR));
    double sum[2] = {0, 0};
    assert_true(ond_sim_find_field(ond_play_sim(play), OND_CELLS, "density", &before));
    for (int i = 0; i < before.count; ++i)
        sum[0] += ((const float *)before.data[0])[i];
    point(play, OND_POINTER_DOWN, 0.5, 1);
    go(play, 0.2);
    assert_true(ond_play_tool(play, OND_TOOL_PUSH));
    point(play, OND_POINTER_MOVE, 0.7, 1);
    go(play, 0.1);
    assert_true(ond_sim_find_field(ond_play_sim(play), OND_CELLS, "density", &after));
    for (int i = 0; i < after.count; ++i)
        sum[1] += ((const float *)after.data[0])[i];
    assert_true(sum[1] > sum[0] + 1);
    ond_play_key(play, OND_PLAY_DROP);
    go(play, 0.1);
    ond_play_destroy(play);
    OndPlay *const sand = play_of(grains);
    assert_false(ond_play_tool(sand, OND_TOOL_HEAT));
    assert_non_null(strstr(message(sand), "temperatures"));
    assert_false(ond_play_tool_works(sand, OND_TOOL_COOL));
    assert_true(ond_play_tool(sand, OND_TOOL_GRAB));
    point(sand, OND_POINTER_DOWN, 0.5, 0.3);
    go(sand, 0.1);
    ond_play_destroy(sand);
}

// Pointers that make no sense change nothing.
static void test_bad_rays(void **state)
{
    (void)state;
    double at[3], radius;
    OndPlay *const play = play_of(water_3d);
    const OndPlayRay none = {{0, 0, 0}, {0, 0, 0}}, wild = {{NAN, 0, 0}, {0, INFINITY, 0}};
    ond_play_pointer(play, OND_POINTER_DOWN, &none);
    ond_play_pointer(play, OND_POINTER_MOVE, &wild);
    assert_false(ond_play_tool_place(play, at, &radius));
    const OndPlayRay away = {{0.5, 3, 0.5}, {0, 1, 0}};
    for (int t = 0; t < OND_TOOLS; ++t) {
        ond_play_tool(play, (OndTool)t);
        ond_play_pointer(play, OND_POINTER_DOWN, &away);
        go(play, 1.0 / 60);
        ond_play_pointer(play, OND_POINTER_UP, &away);
    }
    assert_false(ond_play_tool(play, (OndTool)99));
    assert_true(ond_play_advance(play, NAN, 1, NULL) == OND_BAD_VALUE);
    ond_play_destroy(play);
}

// ---- without memory

static long long memory_left; // bytes that the simulation may still take
static int calls_left;        // how often it may ask for some; below 0: as often as it likes

static void *take_some(void *user, size_t bytes)
{
    (void)user;
    if (calls_left == 0 || (memory_left -= (long long)bytes) < 0) return NULL;
    if (calls_left > 0) --calls_left;
    return malloc(bytes);
}

static void give_back(void *user, void *block)
{
    (void)user;
    free(block);
}

// Drops blocks until there is no memory for a step.
static void fill_memory(OndPlay *play)
{
    OndPlayStats stats = {0};
    for (int k = 0; k < 200 && !stats.paused; ++k) {
        ond_play_key(play, OND_PLAY_DROP);
        OndError err = {0};
        assert_int_equal(ond_play_advance(play, 1.0 / 60, 1e9, &err), OND_OK);
        assert_int_equal(err.status, OND_OK); // the message tells it
        ond_play_stats(play, &stats);
    }
    assert_true(stats.paused);
}

// A step that finds no memory pauses the scene, with all that is in it; P goes on as soon as there is some.
static void test_no_memory(void **state)
{
    static const OndAllocator small = {take_some, give_back, NULL};
    static const char *const scenes[] = {water_3d, wax};
    OndPlayStats before, after;
    (void)state;
    for (int s = 0; s < OND_COUNT(scenes); ++s) {
        memory_left = 1LL << 40, calls_left = -1;
        OK(ond_host_memory(&small, &why));
        OndPlay *const play = play_of(scenes[s]);
        go(play, 0.1);
        memory_left = 0;
        fill_memory(play);
        CHECK_SAYS(message(play), "no memory to go on with", "what is wrong");
        CHECK_SAYS(message(play), "P goes on", "what to do");
        ond_play_stats(play, &before);
        OK(ond_play_advance(play, 1.0, 1e9, &why)); // stands still
        ond_play_stats(play, &after);
        CHECK_NEAR(after.time, before.time, 0.0, "it is paused");
        assert_int_equal(after.particles, before.particles);
        ond_play_key(play, OND_PLAY_PAUSE); // still none
        OK(ond_play_advance(play, 1.0 / 60, 1e9, &why));
        ond_play_stats(play, &after);
        assert_true(after.paused);
        memory_left = 1LL << 40;
        ond_play_key(play, OND_PLAY_PAUSE);
        go(play, 0.2);
        ond_play_stats(play, &after);
        assert_true(after.time > before.time + 0.15 && !after.paused && !after.burst);
        assert_int_equal(after.particles, before.particles);
        ond_play_destroy(play);
        OK(ond_host_memory(NULL, &why));
    }
}

static double sum_of_squares(const OndPlay *play, const char *field)
{
    OndFieldView v;
    double sum = 0.0;
    assert_true(ond_sim_find_field(ond_play_sim(play), OND_PARTICLES, field, &v));
    for (int a = 0; a < v.components; ++a) {
        const float *const along = v.data[a];
        for (int i = 0; i < v.count; ++i)
            sum += (double)along[i] * along[i];
    }
    return sum;
}

// Lets a step have a few more pieces of memory at each try. Returns how often it was refused, and left all as it was.
static int refuse_each(OndPlay *play)
{
    char said[256] = "";
    int calls = 1; // more where some thing wants several at once
    OndPlayStats before, after;
    for (int tries = 0; tries < 500; ++tries) {
        ond_play_stats(play, &before);
        const double speeds = sum_of_squares(play, "velocity");
        const double warmth = sum_of_squares(play, "temperature");
        calls_left = calls;
        ond_play_key(play, OND_PLAY_STEP);
        OK(ond_play_advance(play, 1.0 / 60, 1e9, &why));
        calls_left = -1;
        ond_play_stats(play, &after);
        if (after.time > before.time) return tries;
        CHECK_SAYS(message(play), "no memory to go on with", "what is wrong");
        CHECK_NEAR(sum_of_squares(play, "velocity"), speeds, 1e-9 * speeds, "nobody was pushed");
        CHECK_NEAR(sum_of_squares(play, "temperature"), warmth, 1e-12 * warmth, "or heated");
        calls = strcmp(message(play), said) == 0 ? calls + 1 : 1;
        snprintf(said, sizeof said, "%s", message(play));
    }
    fail_msg("it never goes on");
    return 0;
}

// Wherever a step is refused memory, the next try begins where that one did.
static void test_refused(void **state)
{
    static const OndAllocator small = {take_some, give_back, NULL};
    static const char *const scenes[] = {
        water_3d,
        wax,
        "duration: 1\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
        "fluid: [{spacing: 0.05, rigidity: 0.9, shape: {type: box, min: [0, 0, 0], max: [1, 0.3, "
        "1]}}]\n"
        "solid: [{name: ball, density: 500, shape: {type: sphere, center: [0.3, 0.4, 0.3], radius: "
        "0.15}}]\n",
        "duration: 1\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nmethod: {type: dem}\n"
        "fluid: [{spacing: 0.06, shape: {type: box, min: [0, 0, 0], max: [1, 0.3, 1]}}]\n",
        "duration: 1\ndomain: {min: [0, 0, 0], max: [0.2, 0.2, 0.2]}\n"
        "fluid: [{material: wax, spacing: 0.01, temperature: 75, shape: {type: box, min: [0, 0, "
        "0], "
        "max: [0.1, 0.06, 0.1]}}]\n"
        "solid: [{name: post, temperature: 10, shape: {type: box, min: [0.04, 0, 0.04], max: "
        "[0.06, 0.15, 0.06]}}]\n",
        "duration: 1\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nmethod: {pressure: cg}\n"
        "fluid: [{spacing: 0.05, shape: {type: box, min: [0, 0, 0], max: [1, 0.3, 1]}}]\n"
        "solid: [{name: post, shape: {type: box, min: [0.3, 0, 0.3], max: [0.6, 0.8, 0.6]}}]\n",
        "duration: 1\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nmethod: {pressure: dfsph}\n"
        "fluid: [{spacing: 0.05, shape: {type: box, min: [0, 0, 0], max: [1, 0.3, 1]}}]\n",
        "duration: 1\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nmethod: {pressure: cg, viscosity: "
        "{solver: implicit}}\n"
        "fluid: [{spacing: 0.05, viscosity: 0.1, shape: {type: box, min: [0, 0, 0], max: [1, 0.3, "
        "1]}}]\n"};
    (void)state;
    for (int s = 0; s < OND_COUNT(scenes); ++s) {
        memory_left = 1LL << 40, calls_left = -1;
        OK(ond_host_memory(&small, &why));
        OndPlay *const play = play_of(scenes[s]);
        go(play, 0.1);
        for (int k = 0; k < 3; ++k)
            ond_play_key(play, OND_PLAY_DROP);
        const int refused = refuse_each(play);
        if (refused == 0) fail_msg("scene %d was never refused memory", s);
        ond_play_key(play, OND_PLAY_PAUSE);
        go(play, 0.1);
        ond_play_destroy(play);
        OK(ond_host_memory(NULL, &why));
    }
}

// ---- dials

static void test_dials(void **state)
{
    (void)state;
    OndDial dial;
    OndError err = {0};
    double g[3], value = 0;
    OndPlay *const play = play_of(pool);
    for (int d = 0; d < ond_play_dial_count(play); ++d) {
        assert_true(ond_play_dial(play, d, &dial));
        assert_int_equal(ond_play_find_dial(play, dial.name), d);
        assert_true(dial.label[0] && dial.unit);
        if (dial.works && !(dial.value >= dial.least && dial.value <= dial.most))
            fail_msg("%s is %g of %g to %g", dial.name, dial.value, dial.least, dial.most);
        if (!dial.works) assert_true(dial.why[0]);
    }
    assert_false(ond_play_dial(play, 1000, &dial));
    assert_int_equal(ond_play_find_dial(play, "brightness"), -1);
    set(play, "gravity", 3);
    ond_sim_gravity(ond_play_sim(play), g);
    CHECK_NEAR(g[1], -3, 1e-6, "gravity");
    set(play, "gravity", 1e9);
    assert_true(dial_value(play, "gravity") < 100);
    set(play, "viscosity", 0.5);
    assert_true(ond_sim_fluid_value(ond_play_sim(play), 0, "viscosity", &value));
    CHECK_NEAR(value, 0.5, 1e-6, "viscosity");
    // this pool was made without surface tension
    assert_true(ond_play_set_dial(play, ond_play_find_dial(play, "tension"), 0.1, &err) ==
                OND_BAD_VALUE);
    assert_non_null(strstr(err.text, "tension"));
    assert_true(ond_play_set_dial(play, 0, NAN, &err) == OND_BAD_VALUE);
    const int before = particles(play);
    set(play, "spacing", 0.02);
    assert_true(particles(play) > 3 * before); // it began again
    ond_sim_gravity(ond_play_sim(play), g);
    assert_true(g[1] < -20);
    ond_play_destroy(play);
}

static double fluid_value(const OndPlay *play, int fluid, const char *name)
{
    double value = NAN;
    assert_true(ond_sim_fluid_value(ond_play_sim(play), fluid, name, &value));
    return value;
}

// Dials leave what a fluid has none of, and keep how fluids are to each other; a scene that is saved, too.
static void check_fluids(const OndPlay *play, double thick, double stiff)
{
    CHECK_NEAR(fluid_value(play, 0, "viscosity"), 0.0, 0.0, "water stays thin");
    CHECK_NEAR(fluid_value(play, 1, "viscosity"), thick, 1e-6 * thick, "syrup");
    CHECK_NEAR(fluid_value(play, 2, "viscosity"), 0.25 * thick, 1e-6 * thick, "jelly, a fourth");
    CHECK_NEAR(fluid_value(play, 0, "rigidity"), 0.0, 0.0, "water stays liquid");
    CHECK_NEAR(fluid_value(play, 1, "rigidity"), 0.0, 0.0, "syrup stays liquid");
    CHECK_NEAR(fluid_value(play, 2, "rigidity"), stiff, 1e-6, "jelly");
    CHECK_NEAR(fluid_value(play, 3, "rigidity"), fluid_value(play, 4, "rigidity"), 0.0,
               "waxes are as solid as they are warm");
}

static void test_dials_of_fluids(void **state)
{
    static const char five[] =
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
        "method: {pressure: cg}\n"
        "fluid:\n"
        "  - {name: water, spacing: 0.06, viscosity: 0, rigidity: 0, shape: {type: box, min: [0, "
        "0, "
        "0], max: [0.15, 0.2, 0.2]}}\n"
        "  - {name: syrup, spacing: 0.06, viscosity: 8, rigidity: 0, shape: {type: box, min: [0.2, "
        "0, 0], max: [0.35, 0.2, 0.2]}}\n"
        "  - {name: jelly, spacing: 0.06, viscosity: 2, rigidity: 0.5, shape: {type: box, min: "
        "[0.4, "
        "0, 0], max: [0.55, 0.2, 0.2]}}\n"
        "  - {material: wax, name: a, viscosity: 4, spacing: 0.06, shape: {type: box, min: [0.6, "
        "0, "
        "0], max: [0.75, 0.2, 0.2]}}\n"
        "  - {material: wax, name: b, viscosity: 4, spacing: 0.06, shape: {type: box, min: [0.8, "
        "0, "
        "0], max: [0.95, 0.2, 0.2]}}\n";
    OndError err = {0};
    (void)state;
    OndPlay *const play = play_of(five);
    CHECK_NEAR(dial_value(play, "viscosity"), 8, 1e-6, "of the first that has any");
    CHECK_NEAR(dial_value(play, "rigidity"), 0.5, 1e-6, "of the first that has any");
    assert_true(dial_value(play, "temperature") > 60.0); // melts the wax
    set(play, "viscosity", 0.5);
    set(play, "rigidity", 1);
    check_fluids(play, 0.5, 1);
    go(play, 0.05);
    set(play, "viscosity", 80);
    set(play, "rigidity", 0.25);
    check_fluids(play, 80, 0.25);
    ond_play_key(play, OND_PLAY_RESTART);
    check_fluids(play, 80, 0.25);
    char *const text = ond_play_yaml(play, &err);
    assert_non_null(text);
    OndPlay *const again = play_of(text);
    check_fluids(again, 80, 0.25);
    free(text);
    ond_play_destroy(again);
    ond_play_destroy(play);
}

static void test_yaml(void **state)
{
    (void)state;
    OndError err = {0};
    OndPlay *const play = play_of(pool);
    set(play, "gravity", 4);
    set(play, "viscosity", 0.25);
    set(play, "spacing", 0.05);
    char *const text = ond_play_yaml(play, &err);
    assert_non_null(text);
    OndPlay *const again = play_of(text);
    CHECK_NEAR(dial_value(again, "gravity"), 4, 1e-6, "gravity");
    CHECK_NEAR(dial_value(again, "viscosity"), 0.25, 1e-6, "viscosity");
    CHECK_NEAR(dial_value(again, "spacing"), 0.05, 1e-9, "spacing");
    assert_int_equal(particles(again), particles(play));
    free(text);
    ond_play_destroy(again);
    ond_play_destroy(play);
}

// What window and page begin with can be played with.
static void test_shipped(void **state)
{
    (void)state;
    static const char *const names[] = {"letters",    "water-2d", "water-3d",
                                        "smoke-room", "smoke-2d", "sand"};
    for (int k = 0; k < 6; ++k) {
        char path[512];
        OndError err = {0};
        OndPlayStats stats;
        OndScene *const scene = ond_scene_create();
        snprintf(path, sizeof path, OND_SOURCE_DIR "/scenes/play/%s.yaml", names[k]);
        OK(ond_scene_file(scene, path, &why));
        OndPlay *const play = ond_play_create(scene, &err);
        if (!play) fail_msg("%s", err.text);
        ond_play_key(play, OND_PLAY_DROP);
        go(play, 2.0 / 60);
        ond_play_stats(play, &stats);
        CHECK_NEAR(stats.time, 2.0 / 60, 0.01, names[k]);
        assert_string_equal(message(play), "");
        ond_play_destroy(play);
        ond_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_push_pull),
        cmocka_unit_test(test_pour),
        cmocka_unit_test(test_torch),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_grab_piece),
        cmocka_unit_test(test_grab_body),
        cmocka_unit_test(test_pick),
        cmocka_unit_test(test_smoke_tools),
        cmocka_unit_test(test_bad_rays),
        cmocka_unit_test(test_dials),
        cmocka_unit_test(test_yaml),
        cmocka_unit_test(test_torch_follows),
        cmocka_unit_test(test_others_keep_theirs),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_dials_of_fluids),
        cmocka_unit_test(test_take_over),
        cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

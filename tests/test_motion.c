// SPDX-License-Identifier: MIT
// Where solids stand: key frames, formulas, pivots; velocities against differences.
#include "scene_text.h"
#include "solids/scene/motion.h"

#define HEAD                                                                                       \
    WATER "duration: 4\nsolid:\n  - name: s\n    shape: {type: box, min: [0, 0, 0], max: [2, 1, "  \
          "1]}\n    "

typedef struct Thing {
    OndSceneDef scene;
    OndArena arena;
    OndMotion motion;
} Thing;

static void open_thing(Thing *t, const char *keys, OndVec pivot)
{
    char text[2048];
    OndError err = {0};
    memset(t, 0, sizeof *t);
    snprintf(text, sizeof text, HEAD "%s\n", keys);
    if (load(text, &t->scene, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(ond_motion_make(ond_scene_solid(&t->scene, 0), pivot, ond_pose_still(),
                                     &t->arena, &t->motion, &err),
                     OND_OK);
}

static void close_thing(Thing *t)
{
    ond_arena_free(&t->arena);
    ond_scene_free(&t->scene);
}

static void check_vec(OndVec got, double x, double y, double z, double within, const char *what)
{
    CHECK_NEAR(got.x, x, within, what);
    CHECK_NEAR(got.y, y, within, what);
    CHECK_NEAR(got.z, z, within, what);
}

static const OndVec middle = {1, 0.5, 0.5};

static void test_rest(void **state)
{
    (void)state;
    Thing t;
    open_thing(&t, "slip: 1", middle);
    const OndSolidState s = ond_motion_at(&t.motion, 1.0);
    check_vec(ond_pose_out(&s.pose, ond_vec(2, 1, 0)), 2, 1, 0, 1e-15, "stays");
    assert_false(ond_motion_moves(&t.motion));
    close_thing(&t);
    open_thing(&t, "at: [5, 0, 0]\n    turn: [0, 0, 90]", middle);
    const OndSolidState q = ond_motion_at(&t.motion, 1.0);
    check_vec(ond_pose_out(&q.pose, middle), 5, 0, 0, 1e-14, "pivot is at `at`");
    check_vec(ond_pose_out(&q.pose, ond_vec(2, 0.5, 0.5)), 5, 1, 0, 1e-14, "x turns to y");
    close_thing(&t);
    open_thing(&t, "turn: [90, 90, 0]", ond_vec(0, 0, 0)); // y -> z (about x) -> x (about y)
    const OndSolidState r = ond_motion_at(&t.motion, 0.0);
    check_vec(ond_pose_turn(&r.pose, ond_vec(0, 1, 0)), 1, 0, 0, 1e-14, "x first, then y");
    close_thing(&t);
}

static void test_keys(void **state)
{
    (void)state;
    Thing t;
    open_thing(
        &t, "keys: [{time: 1, at: [0, 0, 0]}, {time: 2, at: [1, 0, 0]}, {time: 3, at: [3, 0, 0]}]",
        middle);
    static const struct {
        double time, x;
    } at[] = {{0, 0}, {1, 0}, {2, 1}, {3, 3}, {9, 3}};
    for (int k = 0; k < OND_COUNT(at); ++k) {
        const OndSolidState s = ond_motion_at(&t.motion, at[k].time);
        check_vec(ond_motion_pivot(&t.motion, &s.pose), at[k].x, 0, 0, 1e-14, "key");
        if (k != 2) check_vec(s.velocity, 0, 0, 0, 1e-14, "rests at the ends");
    }
    double before = -1;
    for (double time = 1; time < 3; time += 0.01) {
        const OndSolidState s = ond_motion_at(&t.motion, time);
        const double x = ond_motion_pivot(&t.motion, &s.pose).x;
        if (!(x >= before && x >= 0 && x <= 3)) fail_msg("swings at %g: %g", time, x);
        before = x;
    }
    close_thing(&t);
}

// Held between two equal keys, even with motion before and after.
static void test_hold(void **state)
{
    (void)state;
    Thing t;
    open_thing(&t,
               "keys: [{time: 0, at: [0, 0, 0], turn: [0, 0, 0]}, {time: 1, at: [1, 1, 0], turn: "
               "[0, 30, 0]}, {time: 2, at: [1, 1, 0], turn: [0, 30, 0]}, {time: 3, at: [5, 0, 0], "
               "turn: [10, 30, 50]}]",
               middle);
    for (double time = 1; time <= 2; time += 0.125) {
        const OndSolidState s = ond_motion_at(&t.motion, time);
        check_vec(ond_motion_pivot(&t.motion, &s.pose), 1, 1, 0, 1e-14, "holds");
        check_vec(s.spin, 0, 0, 0, 1e-14, "does not turn");
    }
    close_thing(&t);
}

// One angle alone: whole turns count, and the speed goes on through the keys.
static void test_whole_turns(void **state)
{
    (void)state;
    Thing t;
    open_thing(&t,
               "keys: [{time: 0, turn: [20, 0, 0]}, {time: 1, turn: [20, 360, 0]}, {time: 2, turn: "
               "[20, 720, 0]}, {time: 3, turn: [20, 1080, 0]}]",
               middle);
    const double full = 2 * M_PI;
    const OndSolidState s = ond_motion_at(&t.motion, 1.5);
    check_vec(s.spin, 0, full, 0, 1e-9, "a turn a second about y");
    check_vec(ond_pose_turn(&s.pose, ond_vec(1, 0, 0)), -1, 0, 0, 1e-9, "half way round");
    check_vec(ond_motion_at(&t.motion, 0.0).spin, 0, 0, 0, 1e-12, "starts from rest");
    close_thing(&t);
}

static const struct {
    const char *name, *keys;
} moving[] = {
    {"keys",
     "keys: [{time: 0.2, at: [0, 0, 0], turn: [0, 0, 0]}, {time: 0.7, at: [1, 2, -1], turn: [40, "
     "10, -80]}, {time: 2, at: [2, -1, 3], turn: [100, -30, 20]}, {time: 3.1, at: [3, -2, 3], "
     "turn: [110, 60, 20]}]"},
    {"formulas",
     "at: [1, 2, 3]\n    turn: [10, 20, 30]\n    move: [\"0.1*sin(2*pi*t)\", \"t^2\", 0]\n    "
     "turn_by: [\"90*t\", \"20*sin(3*t)\", \"t\"]"},
    {"both", "keys: [{time: 0, at: [0, 0, 0], turn: [0, 0, 0]}, {time: 3, at: [1, 2, 3], turn: [0, "
             "0, 400]}]\n    move: [0, \"cos(t)\"]\n    turn_by: [0, \"45*t\", 0]"},
};

// What moves must say how fast: of any point, by difference.
static void test_velocities(void **state)
{
    (void)state;
    const double h = 1e-6;
    const OndVec points[] = {{0, 0, 0}, {2, 1, -1}, {-0.3, 0.7, 0.1}};
    for (int c = 0; c < OND_COUNT(moving); ++c) {
        Thing t;
        open_thing(&t, moving[c].keys, middle);
        assert_true(ond_motion_moves(&t.motion));
        for (double time = 0.01; time < 3.5; time += 0.0937) {
            const OndSolidState s = ond_motion_at(&t.motion, time),
                                a = ond_motion_at(&t.motion, time - h),
                                b = ond_motion_at(&t.motion, time + h);
            for (int p = 0; p < OND_COUNT(points); ++p) {
                const OndVec arm = ond_pose_turn(&s.pose, points[p]);
                const OndVec v = ond_add(s.velocity, ond_cross(s.spin, arm));
                const OndVec d = ond_scale(
                    ond_sub(ond_pose_out(&b.pose, points[p]), ond_pose_out(&a.pose, points[p])),
                    0.5 / h);
                check_vec(v, d.x, d.y, d.z, 2e-6 * (1 + ond_length(d)), moving[c].name);
            }
        }
        close_thing(&t);
    }
}

// No jump of velocity or spin anywhere.
static void test_smooth(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(moving); ++c) {
        Thing t;
        open_thing(&t, moving[c].keys, middle);
        for (double time = 0.0; time < 3.5; time += 1e-3) {
            const OndSolidState a = ond_motion_at(&t.motion, time),
                                b = ond_motion_at(&t.motion, time + 1e-3);
            CHECK_NEAR(ond_length(ond_sub(b.velocity, a.velocity)), 0, 0.3, moving[c].name);
            CHECK_NEAR(ond_length(ond_sub(b.spin, a.spin)), 0, 0.1, moving[c].name);
        }
        close_thing(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),       cmocka_unit_test(test_keys),
        cmocka_unit_test(test_hold),       cmocka_unit_test(test_whole_turns),
        cmocka_unit_test(test_velocities), cmocka_unit_test(test_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

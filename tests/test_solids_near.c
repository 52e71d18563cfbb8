// SPDX-License-Identifier: MIT
// The faces that a point sees near it: how many, where, which way.
#include "solids/solids.h"

#include "solid_meshes.h"

static OndSolids *solids_of(const OndSolidDef *def, int count, bool flat)
{
    OndError err;
    OndSolids *solids = ond_solids_create(def, count, 0.1, flat, &err);
    if (!solids) fail_msg("%s", err.text);
    return solids;
}

static void check_touch(const OndTouch *touch, double distance, OndVec normal, const char *what)
{
    CHECK_NEAR(touch->distance, distance, 1e-6, what);
    CHECK_NEAR(ond_length(ond_sub(touch->normal, normal)), 0.0, 1e-5, what);
}

static void test_floor_is_one_face(void **state)
{
    (void)state;
    OndMesh mesh = sheet_mesh(ond_vec(-1, 0, -1), ond_vec(0, 0, 2), ond_vec(2, 0, 0), 40, 40);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    OndSolids *solids = solids_of(&def, 1, false);
    for (uint64_t key = 0; key < 2000; ++key) {
        OndTouch touch[OND_TOUCHES_MAX];
        OndVec p = {any(key, 0, -0.8, 0.8), any(key, 1, -0.15, 0.15), any(key, 2, -0.8, 0.8)};
        if (key % 4 == 1) p.x = 0.05 * floor(p.x / 0.05); // above edges and corners
        if (key % 4 == 2) p.z = p.x = 0.05 * floor(p.x / 0.05);
        assert_int_equal(ond_solids_near(solids, p, 0.2, touch), 1);
        check_touch(touch, fabs(p.y), ond_vec(0, p.y < 0 ? -1 : 1, 0), "floor");
    }
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
}

/// Corners of boxes, from inside and outside, as a shape, as two meshes.
static void test_boxes(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        bool container;
        OndVec at;
        int faces;
        double distance[3];
    } cases[] = {{"middle", true, {0, 0, 0}, 0, {0}},
                 {"wall", true, {0.93, 0.1, 0.2}, 1, {0.07}},
                 {"crease", true, {0.93, -0.9, 0.2}, 2, {0.07, 0.1}},
                 {"corner", true, {0.93, -0.9, 0.85}, 3, {0.07, 0.1, 0.15}},
                 {"out of the wall", true, {1.05, 0.1, 0.2}, 1, {-0.05}},
                 {"before a face", false, {1.05, 0.1, 0.2}, 1, {0.05}},
                 {"before an edge", false, {1.03, 1.04, 0.2}, 1, {0.05}},
                 {"before a corner", false, {1.01, 1.02, 1.02}, 1, {0.03}},
                 {"in the face", false, {0.95, 0.1, 0.2}, 1, {-0.05}}};
    OndArena arena = {0};
    OndMesh coarse = box_mesh(ond_vec(-1, -1, -1), ond_vec(1, 1, 1), 1, true);
    OndMesh fine = box_mesh(ond_vec(-1, -1, -1), ond_vec(1, 1, 1), 23, true);
    OndShape *box = ond_shape_box(&arena, ond_vec(-1, -1, -1), ond_vec(1, 1, 1));
    for (int i = 0; i < 3 * OND_COUNT(cases); ++i) {
        const int c = i / 3;
        const OndSolidDef def = i % 3 == 0   ? shape_def(box, cases[c].container)
                                : i % 3 == 1 ? mesh_def(&coarse, cases[c].container, true)
                                             : mesh_def(&fine, cases[c].container, true);
        OndSolids *solids = solids_of(&def, 1, false);
        OndTouch touch[OND_TOUCHES_MAX];
        const int faces = ond_solids_near(solids, cases[c].at, 0.2, touch);
        if (faces != cases[c].faces)
            fail_msg("%s (%d): %d faces, not %d", cases[c].what, i % 3, faces, cases[c].faces);
        for (int k = 0; k < faces; ++k)
            CHECK_NEAR(touch[k].distance, cases[c].distance[k], 1e-6, cases[c].what);
        ond_solids_destroy(solids);
    }
    ond_arena_free(&arena);
    ond_mesh_free(&coarse);
    ond_mesh_free(&fine);
}

static void test_balls(void **state)
{
    (void)state;
    OndMesh mesh = ball_mesh(ond_vec(0, 0, 0), 1.0, 24);
    OndArena arena = {0};
    OndShape *ball = ond_shape_sphere(&arena, ond_vec(0, 0, 0), 1.0);
    for (int i = 0; i < 4; ++i) {
        const bool container = i % 2;
        const OndSolidDef def =
            i < 2 ? mesh_def(&mesh, container, true) : shape_def(ball, container);
        OndSolids *solids = solids_of(&def, 1, false);
        for (uint64_t key = 0; key < 1000; ++key) {
            OndTouch touch[OND_TOUCHES_MAX];
            const OndVec way = ond_unit(any_vec(key, 1, -1, 1));
            const double off = any(key, 9, 0.02, 0.18), sign = container ? -1.0 : 1.0;
            const OndVec p = ond_scale(way, 1.0 + sign * off);
            assert_int_equal(ond_solids_near(solids, p, 0.2, touch), 1);
            CHECK_NEAR(touch[0].distance, off, 0.02, "distance");
            CHECK_NEAR(ond_dot(touch[0].normal, way), sign, 0.02, "normal");
            CHECK_NEAR(touch[0].distance, i < 2 ? slow_distance(&mesh, p) : off, 1e-9, "nearest");
        }
        ond_solids_destroy(solids);
    }
    ond_arena_free(&arena);
    ond_mesh_free(&mesh);
}

/// A cup cut out of a cylinder: its bottom and its side are two faces.
static void test_cup_by_difference(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndShape *part[2] = {
        ond_shape_cylinder(&arena, ond_vec(0, 0, 0), ond_vec(0, 2, 0), 1.0),
        ond_shape_cylinder(&arena, ond_vec(0, 0.1, 0), ond_vec(0, 3, 0), 0.9),
    };
    const OndSolidDef def = shape_def(ond_shape_difference(&arena, part, 2), false);
    OndSolids *solids = solids_of(&def, 1, false);
    OndTouch touch[OND_TOUCHES_MAX];
    assert_int_equal(ond_solids_near(solids, ond_vec(0.85, 0.2, 0), 0.2, touch), 2);
    check_touch(&touch[0], 0.05, ond_vec(-1, 0, 0), "side");
    check_touch(&touch[1], 0.1, ond_vec(0, 1, 0), "bottom");
    assert_int_equal(ond_solids_near(solids, ond_vec(1.05, 1, 0), 0.2, touch), 1);
    check_touch(&touch[0], 0.05, ond_vec(1, 0, 0), "outside");
    assert_int_equal(ond_solids_near(solids, ond_vec(0.86, 2.03, 0), 0.2, touch), 1);
    CHECK_NEAR(touch[0].distance, 0.05, 0.005, "rim");
    ond_solids_destroy(solids);
    ond_arena_free(&arena);
}

static void test_plane_and_turned(void **state)
{
    (void)state;
    const OndSolidDef def = {.name = "floor", .kind = OND_SOLID_PLANE, .slip = 1.0f};
    OndSolids *solids = solids_of(&def, 1, false);
    const OndSolidState tilted = {
        turned(ond_vec(0, 0, 1), 0.3, ond_vec(0, 1, 0)), {1, 2, 3}, {0, 0, 2}};
    ond_solids_place(solids, 0, &tilted);
    const OndVec normal = {-sin(0.3), cos(0.3), 0.0};
    const OndVec at = ond_add(ond_vec(0, 1, 0), ond_vec(cos(0.3), sin(0.3), 0));
    OndTouch touch[OND_TOUCHES_MAX];
    assert_int_equal(ond_solids_near(solids, ond_add(at, ond_scale(normal, 0.1)), 0.2, touch), 1);
    check_touch(touch, 0.1, normal, "tilted");
    CHECK_NEAR(ond_length(ond_sub(touch->at, at)), 0.0, 1e-9, "at");
    const OndVec velocity = ond_add(ond_vec(1, 2, 3), ond_scale(normal, 2.0));
    CHECK_NEAR(ond_length(ond_sub(touch->velocity, velocity)), 0.0, 1e-9, "velocity");
    ond_solids_destroy(solids);
}

static void test_flat_mesh(void **state)
{
    (void)state;
    OndMesh mesh = box_mesh(ond_vec(-1, -1, -1), ond_vec(1, 1, 1), 5, true);
    const OndSolidDef def = mesh_def(&mesh, true, true);
    OndSolids *solids = solids_of(&def, 1, true);
    OndTouch touch[OND_TOUCHES_MAX];
    assert_int_equal(ond_solids_near(solids, ond_vec(0.93, -0.9, 0), 0.2, touch), 2);
    check_touch(&touch[0], 0.07, ond_vec(-1, 0, 0), "side");
    check_touch(&touch[1], 0.1, ond_vec(0, 1, 0), "bottom");
    assert_int_equal(ond_solids_near(solids, ond_vec(1.05, 0, 0), 0.2, touch), 1);
    check_touch(&touch[0], -0.05, ond_vec(-1, 0, 0), "wrong side");
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
}

/// What is told to be far is far.
static void test_may_touch(void **state)
{
    (void)state;
    OndMesh mesh = knot_mesh(0.3, 80, 8);
    const OndSolidDef def = mesh_def(&mesh, true, true);
    OndSolids *solids = solids_of(&def, 1, false);
    int far = 0;
    for (uint64_t key = 0; key < 1000; ++key) {
        const OndVec p = any_vec(key, 1, -3.5, 3.5);
        const OndBox box = {ond_sub(p, ond_vec(0.05, 0.05, 0.05)),
                            ond_add(p, ond_vec(0.05, 0.05, 0.05))};
        const double d = slow_distance(&mesh, p);
        const bool may = ond_solids_may_touch(solids, box, 0.1);
        if (d < 0.1) assert_true(may);
        far += !may && d < 0.4;
    }
    assert_true(far > 10); // it must be of use
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
}

// From every side a turned box hides what is behind it, and nothing else.
static void test_between(void **state)
{
    (void)state;
    OndMesh mesh = box_mesh(ond_vec(-1, -1, -1), ond_vec(1, 1, 1), 3, true);
    const OndSolidDef def = mesh_def(&mesh, false, true);
    OndSolids *solids = solids_of(&def, 1, false);
    const OndSolidState pose = {
        turned(ond_vec(1, 2, 3), 0.7, ond_vec(5, 0, 0)), {0, 0, 0}, {0, 0, 0}};
    ond_solids_place(solids, 0, &pose);
    int hidden = 0, seen = 0;
    for (int k = 0; k < 4000; ++k) {
        const OndVec a = any_vec(k, 0, -2, 2), b = any_vec(k, 1, -2, 2);
        double nearest = 9; // of the way, from the box as a sum of looks
        for (int t = 0; t <= 400; ++t) {
            const OndVec p = ond_add(a, ond_scale(ond_sub(b, a), t / 400.0));
            nearest = fmin(nearest, fmax(fmax(fabs(p.x), fabs(p.y)), fabs(p.z)));
        }
        if (fmax(fmax(fabs(a.x), fabs(a.y)), fabs(a.z)) < 1.03 || fabs(nearest - 1) < 0.03)
            continue;
        const bool between = ond_solids_between(solids, ond_pose_out(&pose.pose, a),
                                                ond_pose_out(&pose.pose, b), 0.01);
        assert_int_equal(between, nearest < 1);
        *(between ? &hidden : &seen) += 1;
    }
    assert_true(hidden > 500 && seen > 500);
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
}

// As it is bent, and as it stands.
static void test_in_mesh(void **state)
{
    (void)state;
    OndMesh mesh = box_mesh(ond_vec(-1, -1, -1), ond_vec(1, 1, 1), 3, true);
    OndMesh wide = box_mesh(ond_vec(-3, -1, -1), ond_vec(3, 1, 1), 3, true);
    for (int container = 0; container < 2; ++container) {
        const OndSolidDef def = mesh_def(&mesh, container, true);
        OndSolids *solids = solids_of(&def, 1, false);
        const OndSolidState pose = {
            turned(ond_vec(1, 2, 3), 0.7, ond_vec(5, 0, 0)), {0, 0, 0}, {0, 0, 0}};
        ond_solids_place(solids, 0, &pose);
        for (int bent = 0; bent < 2; ++bent) {
            for (int k = 0; k < 2000; ++k) {
                const OndVec p = any_vec(k, 0, -4, 4);
                const bool want = fabs(p.x) < (bent ? 3 : 1) && fabs(p.y) < 1 && fabs(p.z) < 1;
                assert_int_equal(ond_solids_in_mesh(solids, 0, ond_pose_out(&pose.pose, p)), want);
            }
            ond_solids_bend(solids, 0, wide.corner);
            ond_solids_arrive(solids);
        }
        ond_solids_destroy(solids);
    }
    ond_mesh_free(&mesh);
    ond_mesh_free(&wide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floor_is_one_face),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_cup_by_difference),
        cmocka_unit_test(test_plane_and_turned),
        cmocka_unit_test(test_flat_mesh),
        cmocka_unit_test(test_may_touch),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_in_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

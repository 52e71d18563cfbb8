// SPDX-License-Identifier: MIT
// ctest: slow
// What is felt of a mesh against what its triangles say.
#include "solid_meshes.h"
#include "solids/distance_grid.h"

#define QUESTIONS 6000

typedef struct Case {
    const char *name;
    OndMesh mesh;
    bool closed, container;
    double reach;
    double least; ///< share of the questions near it that the grid should answer
} Case;

static OndMesh wavy_mesh(void)
{
    OndMesh mesh = ball_mesh(ond_vec(0, 0, 0), 1.0, 60);
    for (int c = 0; c < mesh.corner_count; ++c) {
        const OndVec p = ond_mesh_corner(&mesh, (uint32_t)c);
        const double r = 1.0 + 0.05 * sin(9.0 * p.x) * cos(11.0 * p.y);
        set_corner(&mesh, c, ond_scale(p, r));
    }
    return mesh;
}

static void each_case(void (*check)(const Case *))
{
    const OndVec low = {-1, -1, -1}, high = {1, 1, 1};
    Case cases[] = {
        {"ball", ball_mesh(ond_vec(0, 0, 0), 1.0, 60), true, false, 0.2, 0.9},
        {"inside a ball", ball_mesh(ond_vec(0, 0, 0), 1.0, 60), true, true, 0.2, 0.9},
        {"waves", wavy_mesh(), true, false, 0.15, 0.8},
        {"inside waves", wavy_mesh(), true, true, 0.15, 0.7},
        {"box", box_mesh(low, high, 20, true), true, false, 0.2, 0.6},
        {"inside a box", box_mesh(low, high, 20, true), true, true, 0.2, 0.5},
        {"cup", box_mesh(low, high, 20, false), false, false, 0.2, 0.3},
        {"knot", knot_mesh(0.3, 300, 40), true, false, 0.1, 0.5},
        {"inside a knot", knot_mesh(0.3, 300, 40), true, true, 0.1, 0.5},
    };
    for (int i = 0; i < OND_COUNT(cases); ++i) {
        check(&cases[i]);
        ond_mesh_free(&cases[i].mesh);
    }
}

static OndSolids *solids_of(const Case *c)
{
    const OndSolidDef def = {.name = c->name,
                             .kind = OND_SOLID_MESH,
                             .mesh = &c->mesh,
                             .closed = c->closed,
                             .container = c->container};
    OndError err = {0};
    OndSolids *solids = ond_solids_create(&def, 1, c->reach / 1.5, false, &err);
    if (!solids) fail_msg("%s: %s", c->name, err.text);
    const OndSolidState state = {
        turned(ond_vec(1, 2, 3), 0.7, ond_vec(0.4, -3.0, 2.0)), {0.5, 0, 0}, {0, 2, 0}};
    ond_solids_place(solids, 0, &state);
    return solids;
}

/// A point of the world near the mesh.
static OndVec any_near(const OndSolids *solids, const Case *c, uint64_t key)
{
    const uint64_t t = key * 7919 % (uint64_t)c->mesh.triangle_count;
    const OndVec corner = ond_mesh_corner(&c->mesh, c->mesh.triangle[3 * t]);
    const OndVec own = ond_add(corner, any_vec(key, 5, -1.1 * c->reach, 1.1 * c->reach));
    return ond_pose_out(&ond_solids_state(solids, 0)->pose, own);
}

static bool is_among(const OndTouch *one, const OndTouch *list, int count)
{
    for (int k = 0; k < count; ++k)
        if (ond_dot(one->normal, list[k].normal) > 0.93) return true;
    return false;
}

/// What is near is felt, and what is felt in full is near: faces come and go by degrees.
static void compare_all(const Case *c, const OndTouch *felt, int count, const OndTouch *near,
                        int all)
{
    for (int k = 0; k < all; ++k)
        if (!is_among(&near[k], felt, count))
            fail_msg("%s: face %d of %d is not felt", c->name, k, all);
    for (int k = 0; k < count; ++k) {
        assert_true(felt[k].news > 0.0 && felt[k].news <= 1.0);
        if (felt[k].news == 1.0 && !is_among(&felt[k], near, all))
            fail_msg("%s: face %d of %d is felt, but not near", c->name, k, count);
    }
}

static void compare(const Case *c, const OndTouch *felt, int count, const OndTouch *near, int all)
{
    const double within = OND_DISTANCE_WITHIN * c->reach;
    if (all == 0 && count == 0) return;
    if (all == 0 || count == 0) { // one says that it is just out of reach
        const double distance = all ? near[0].distance : felt[0].distance;
        if (fabs(fabs(distance) - c->reach) > within)
            fail_msg("%s: %d faces felt, %d near, at %g", c->name, count, all, distance);
        return;
    }
    CHECK_NEAR(felt[0].distance, near[0].distance, within, c->name);
    if (fabs(near[0].distance) < 1e-3 * c->reach) return; // it has no direction
    assert_true(ond_dot(felt[0].normal, near[0].normal) > 0.93);
    const OndVec off = ond_sub(felt[0].velocity, near[0].velocity);
    assert_true(ond_length(off) <= 2.0 * 0.4 * c->reach); // the spin, and where it is felt
    if (near[all - 1].distance < 0.9 * c->reach) compare_all(c, felt, count, near, all);
}

static void feels_right(const Case *c)
{
    OndSolids *solids = solids_of(c);
    int read = 0, close = 0;
    assert_true(ond_distance_grid_make(solids, 0, c->reach, 4096));
    for (uint64_t key = 0; key < QUESTIONS; ++key) {
        OndTouch felt[OND_TOUCHES_MAX], near[OND_TOUCHES_MAX];
        const OndVec p = any_near(solids, c, key);
        const int count = ond_solids_feel(solids, p, c->reach, felt);
        const int all = ond_solids_near(solids, p, c->reach, near);
        compare(c, felt, count, near, all);
        read += count > 0 && felt[0].part < 0;
        close += all > 0;
    }
    print_message("%s: %d of %d read off\n", c->name, read, close);
    assert_true(close > QUESTIONS / 3);
    if (read < c->least * close) fail_msg("%s: only %d of %d read off", c->name, read, close);
    ond_solids_destroy(solids);
}

static void test_distance_grid(void **state)
{
    (void)state;
    each_case(feels_right);
}

/// Nothing is called far that is within reach, to the last digit.
static void test_nothing(void **state)
{
    (void)state;
    Case c = {"waves", wavy_mesh(), true, false, 0.15, 0.0};
    OndSolids *solids = solids_of(&c);
    assert_true(ond_distance_grid_make(solids, 0, c.reach, 4096));
    const OndSolidMesh *mesh = &solids->solid[0].mesh;
    int nothing = 0, far = 0;
    for (uint64_t key = 0; key < QUESTIONS; ++key) {
        double distance = INFINITY;
        OndVec at, normal, p = any_vec(key, 7, -1.15, 1.15);
        int triangle;
        const bool none =
            ond_distance_grid_read(mesh, p, c.reach, &distance, &normal) == OND_DISTANCE_NONE;
        const double nearest =
            ond_solid_mesh_nearest(mesh, OND_AT_START, p, c.reach, &at, &triangle);
        if (none && distance == INFINITY) assert_true(nearest == INFINITY);
        nothing += none, far += nearest == INFINITY;
    }
    print_message("%d of %d known\n", nothing, far);
    assert_true(nothing > 0.9 * far);
    ond_solids_destroy(solids);
    ond_mesh_free(&c.mesh);
}

/// A box that nothing touches holds no point that anything is near.
static void boxes_are_right(const Case *c)
{
    OndSolids *solids = solids_of(c);
    int clear = 0;
    assert_true(ond_distance_grid_make(solids, 0, c->reach, 4096));
    for (uint64_t key = 0; key < QUESTIONS / 4; ++key) {
        const OndVec at =
            ond_add(any_near(solids, c, key), any_vec(key, 9, -2.5 * c->reach, 2.5 * c->reach));
        const OndVec half = any_vec(key, 6, 0.0, 0.7 * c->reach);
        const OndBox box = {ond_sub(at, half), ond_add(at, half)};
        if (ond_solids_may_touch(solids, box, c->reach)) continue;
        ++clear;
        for (uint64_t k = 0; k < 8; ++k) {
            OndTouch touch[OND_TOUCHES_MAX];
            const OndVec way = any_vec(8 * key + k, 8, -1.0, 1.0);
            const OndVec p = ond_add(at, ond_vec(way.x * half.x, way.y * half.y, way.z * half.z));
            assert_int_equal(ond_solids_near(solids, p, c->reach, touch), 0);
        }
    }
    if (clear < QUESTIONS / 60) fail_msg("%s: only %d boxes are clear", c->name, clear);
    ond_solids_destroy(solids);
}

static void test_boxes(void **state)
{
    (void)state;
    each_case(boxes_are_right);
}

/// Questions that the grid was not made for go to the triangles.
static void test_asked(void **state)
{
    (void)state;
    Case c = {"ball", ball_mesh(ond_vec(0, 0, 0), 1.0, 60), true, false, 0.2, 0.0};
    OndSolids *solids = solids_of(&c);
    const OndSolidMesh *mesh = &solids->solid[0].mesh;
    const OndVec near = ond_scale(ond_unit(ond_vec(3, 2, 1)), 1.05);
    double distance;
    OndVec normal;
    assert_int_equal(ond_distance_grid_read(mesh, near, 0.2, &distance, &normal), OND_DISTANCE_ASK);
    const size_t bare = ond_solids_bytes(solids);
    assert_int_equal(ond_solids_expect(solids, 0.2, NULL), OND_OK);
    assert_true(ond_solids_bytes(solids) > bare);
    assert_int_equal(ond_distance_grid_read(mesh, near, 0.2, &distance, &normal), OND_DISTANCE_ONE);
    CHECK_NEAR(distance, 0.05, 2e-3, "distance");
    CHECK_NEAR(ond_dot(normal, ond_unit(near)), 1.0, 1e-3, "normal");
    assert_int_equal(ond_distance_grid_read(mesh, near, 0.21, &distance, &normal),
                     OND_DISTANCE_ASK);
    assert_int_equal(ond_distance_grid_read(mesh, ond_vec(NAN, 0, 0), 0.2, &distance, &normal),
                     OND_DISTANCE_ASK);
    assert_int_equal(ond_distance_grid_read(mesh, ond_vec(0, 1e9, 0), 0.2, &distance, &normal),
                     OND_DISTANCE_ASK);
    ond_solids_bend(solids, 0, c.mesh.corner); // from now on it may look otherwise
    assert_int_equal(ond_distance_grid_read(mesh, near, 0.2, &distance, &normal), OND_DISTANCE_ASK);
    ond_solids_destroy(solids);
    ond_mesh_free(&c.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_grid),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

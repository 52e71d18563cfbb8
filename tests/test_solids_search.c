// SPDX-License-Identifier: MIT
// ctest: slow
// The quick search of meshes and of many solids against looking at everything.
#include "solid_meshes.h"
#include "solids/solids_parts.h"

#define MOST 64

typedef struct Case {
    const char *name;
    OndMesh mesh;
    bool closed;
    double reach; ///< of questions
} Case;

/// A ball with bumps everywhere: corners of all kinds.
static OndMesh bumpy_mesh(void)
{
    OndMesh mesh = ball_mesh(ond_vec(0.2, 0.1, 0), 1.0, 24);
    for (int c = 0; c < mesh.corner_count; ++c) {
        const OndVec p = ond_mesh_corner(&mesh, (uint32_t)c);
        set_corner(&mesh, c, ond_scale(p, any((uint64_t)c, 1, 0.93, 1.07)));
    }
    return mesh;
}

/// Triangles that have nothing to do with each other.
static OndMesh soup_mesh(void)
{
    OndMesh mesh;
    assert_int_equal(ond_mesh_make(&mesh, 900, 300, NULL), OND_OK);
    for (int t = 0; t < 300; ++t)
        for (int k = 0; k < 3; ++k) {
            const OndVec at = any_vec((uint64_t)t, 1, -1, 1);
            set_corner(&mesh, 3 * t + k, ond_add(at, any_vec((uint64_t)(3 * t + k), 2, -0.2, 0.2)));
            mesh.triangle[3 * t + k] = (uint32_t)(3 * t + k);
        }
    return mesh;
}

static void triangle_of(const OndMesh *mesh, int t, OndVec c[3])
{
    for (int k = 0; k < 3; ++k)
        c[k] = ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)t + k]);
}

/// Whether the distance from p falls from `at` into any triangle that it lies on.
static bool falls(const OndMesh *mesh, OndVec p, OndVec at)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        OndVec c[3];
        triangle_of(mesh, t, c);
        if (ond_distance2(ond_closest_on_triangle(c, at).at, at) > 1e-18) continue;
        for (int k = 0; k < 3; ++k) {
            const OndVec way = ond_sub(c[k], at), offset = ond_sub(p, at);
            const double slope = ond_dot(way, offset);
            if (slope > 1e-8 * ond_length(way) * ond_length(offset)) return true;
        }
    }
    return false;
}

static int slow_minima(const OndMesh *mesh, OndVec p, double reach, OndVec at[MOST])
{
    int count = 0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        OndVec c[3];
        triangle_of(mesh, t, c);
        const OndVec here = ond_closest_on_triangle(c, p).at;
        if (ond_distance2(here, p) > reach * reach) continue;
        bool known = false;
        for (int i = 0; i < count; ++i)
            known |= ond_distance2(here, at[i]) < 1e-16;
        if (known || falls(mesh, p, here)) continue;
        assert_true(count < MOST);
        at[count++] = here;
    }
    return count;
}

static void same_minima(const Case *c)
{
    OndArena arena = {0};
    OndSolidMesh solid;
    int all = 0, missed = 0;
    assert_int_equal(ond_solid_mesh_make(&solid, &arena, &c->mesh, c->closed, false, NULL), OND_OK);
    for (uint64_t key = 0; key < 400; ++key) {
        OndVec at[MOST], corner[3];
        OndMeshTouch touch[MOST];
        triangle_of(&c->mesh, (int)(key * 7919 % (uint64_t)c->mesh.triangle_count), corner);
        const OndVec p = ond_add(corner[key % 3], any_vec(key, 5, -0.6 * c->reach, 0.6 * c->reach));
        const int slow = slow_minima(&c->mesh, p, c->reach, at);
        const int quick = ond_solid_mesh_touches(&solid, p, c->reach, touch, MOST);
        double nearest = INFINITY, found = INFINITY;
        for (int i = 0; i < quick; ++i)
            found = ond_min(found, touch[i].distance);
        for (int i = 0; i < slow; ++i) {
            bool there = false;
            for (int k = 0; k < quick; ++k)
                there |= ond_distance2(at[i], touch[k].at) < 1e-14;
            nearest = ond_min(nearest, sqrt(ond_distance2(at[i], p)));
            missed += !there;
            ++all;
        }
        for (int k = 0; k < quick; ++k)
            assert_false(falls(&c->mesh, p, touch[k].at));
        if (slow > 0) CHECK_NEAR(found, nearest, 1e-9, c->name);
    }
    if (missed * 100 > all) fail_msg("%s: %d of %d places missed", c->name, missed, all);
    assert_true(all > 200);
    ond_solid_mesh_free(&solid);
    ond_arena_free(&arena);
}

static void each_case(void (*check)(const Case *))
{
    Case cases[] = {{"ball", ball_mesh(ond_vec(0, 0, 0), 1.0, 20), true, 0.3},
                    {"box", box_mesh(ond_vec(-1, -1, -1), ond_vec(1, 1, 1), 5, true), true, 0.7},
                    {"cup", box_mesh(ond_vec(-1, -1, -1), ond_vec(1, 1, 1), 3, false), false, 0.9},
                    {"knot", knot_mesh(0.3, 60, 9), true, 0.5},
                    {"bumps", bumpy_mesh(), true, 0.3},
                    {"soup", soup_mesh(), false, 0.3}};
    for (int i = 0; i < OND_COUNT(cases); ++i) {
        check(&cases[i]);
        ond_mesh_free(&cases[i].mesh);
    }
}

static void test_minima(void **state)
{
    (void)state;
    each_case(same_minima);
}

static void same_nearest(const Case *c)
{
    OndArena arena = {0};
    OndSolidMesh solid;
    assert_int_equal(ond_solid_mesh_make(&solid, &arena, &c->mesh, c->closed, false, NULL), OND_OK);
    for (uint64_t key = 0; key < 1000; ++key) {
        const OndVec p = any_vec(key, 5, -2, 2);
        const double reach = any(key, 40, 0.01, 3.0), slow = slow_distance(&c->mesh, p);
        OndVec at;
        int t;
        const double quick = ond_solid_mesh_nearest(&solid, OND_AT_START, p, reach, &at, &t);
        if (slow > reach) {
            assert_true(quick == INFINITY);
            continue;
        }
        CHECK_NEAR(quick, slow, 1e-9, c->name);
        CHECK_NEAR(sqrt(ond_distance2(at, p)), slow, 1e-9, c->name);
        assert_true(ond_solid_mesh_may_touch(&solid, p, slow * 1.001 + 1e-9));
    }
    ond_solid_mesh_free(&solid);
    ond_arena_free(&arena);
}

static void test_nearest(void **state)
{
    (void)state;
    each_case(same_nearest);
}

// The angle under which a mesh is seen, as a share of all: 1 inside it, 0 outside.
static double winding(const OndMesh *mesh, OndVec p)
{
    double sum = 0.0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        OndVec v[3];
        double l[3];
        triangle_of(mesh, t, v);
        for (int k = 0; k < 3; ++k)
            v[k] = ond_sub(v[k], p), l[k] = ond_length(v[k]);
        sum += atan2(ond_dot(v[0], ond_cross(v[1], v[2])),
                     l[0] * l[1] * l[2] + ond_dot(v[0], v[1]) * l[2] + ond_dot(v[1], v[2]) * l[0] +
                         ond_dot(v[2], v[0]) * l[1]);
    }
    return sum / (2.0 * M_PI);
}

/// Which side of a closed mesh a point is on, also where its nearest place is an edge or a corner.
static void right_side(const Case *c)
{
    if (!c->closed) return;
    const OndSolidDef def = mesh_def(&c->mesh, true, true);
    OndSolids *solids = ond_solids_create(&def, 1, c->reach, false, NULL);
    int asked = 0;
    for (uint64_t key = 0; key < 4000; ++key) {
        OndVec corner[3];
        OndTouch near[OND_TOUCHES_MAX];
        triangle_of(&c->mesh, (int)(key * 7919 % (uint64_t)c->mesh.triangle_count), corner);
        const OndVec p = ond_add(corner[key % 3], any_vec(key, 5, -0.6 * c->reach, 0.6 * c->reach));
        if (ond_solids_near(solids, p, c->reach, near) == 0 || fabs(near[0].distance) < 1e-6)
            continue;
        const bool inside = winding(&c->mesh, p) > 0.5;
        const OndMeshTouch touch = ond_solid_mesh_touch(&solids->solid[0].mesh, p, c->reach);
        if (inside != (near[0].distance > 0.0) || inside != touch.behind)
            fail_msg("%s: %g %g %g, %d, is at %g, %d", c->name, p.x, p.y, p.z, inside,
                     near[0].distance, touch.behind);
        ++asked;
    }
    assert_true(asked > 1000);
    ond_solids_destroy(solids);
}

static void test_sides(void **state)
{
    (void)state;
    each_case(right_side);
}

static void same_sweeps(const Case *c)
{
    OndArena arena = {0};
    OndSolidMesh solid;
    int hits = 0;
    assert_int_equal(ond_solid_mesh_make(&solid, &arena, &c->mesh, c->closed, false, NULL), OND_OK);
    for (uint64_t key = 0; key < 2000; ++key) {
        const OndVec from = any_vec(key, 5, -1.5, 1.5);
        const OndVec to =
            ond_add(from, ond_scale(any_vec(key, 6, -1, 1), pow(10.0, any(key, 40, -2, 0.3))));
        const OndSweep sweep = {from, to, pow(10.0, any(key, 41, -3, -0.7))};
        OndContact slow = {.t = 1.0, .start = INFINITY}, quick = slow;
        bool slow_hit = false;
        int t;
        for (int i = 0; i < c->mesh.triangle_count; ++i) {
            OndVec corner[3];
            triangle_of(&c->mesh, i, corner);
            slow_hit |= ond_sweep_triangle(corner, &sweep, &slow);
        }
        const bool quick_hit = ond_solid_mesh_sweep(&solid, OND_ON_THE_WAY, &sweep, &quick, &t);
        if (quick_hit != slow_hit)
            fail_msg("%s %d: %d, not %d", c->name, (int)key, quick_hit, slow_hit);
        if (slow.start < sweep.radius) CHECK_NEAR(quick.start, slow.start, 1e-12, "start");
        if (!slow_hit) continue;
        CHECK_NEAR(quick.t, slow.t, 1e-12, c->name);
        ++hits;
    }
    assert_true(hits > 100);
    ond_solid_mesh_free(&solid);
    ond_arena_free(&arena);
}

static void test_sweeps(void **state)
{
    (void)state;
    each_case(same_sweeps);
}

/// What is on the wrong side comes before the rest, then what is nearer.
static double first_of(double a, double b)
{
    if ((a < 0.0) != (b < 0.0)) return ond_min(a, b);
    return fabs(a) < fabs(b) ? a : b;
}

/// Hundreds of solids, some moving, give the same as each of them alone.
static void test_many_solids(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    OndArena arena = {0};
    OndSolidDef def[COUNT];
    OndSolids *one[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const OndVec at = any_vec((uint64_t)i, 1, -4, 4);
        const double r = pow(2.0, any((uint64_t)i, 20, -4, 0));
        def[i] = shape_def(i % 2 ? ond_shape_sphere(&arena, at, r)
                                 : ond_shape_box(&arena, ond_sub(at, ond_vec(r, r, r)),
                                                 ond_add(at, ond_vec(r, r, r))),
                           false);
    }
    def[7].kind = OND_SOLID_PLANE; // without bounds
    OndSolids *all = ond_solids_create(def, COUNT, 0.05, false, NULL);
    for (int i = 0; i < COUNT; ++i)
        one[i] = ond_solids_create(&def[i], 1, 0.05, false, NULL);
    for (int step = 0; step < 5; ++step) {
        for (int i = 0; i < COUNT; i += 3) {
            const OndSolidState to = {
                turned(ond_vec(1, 2, 3), 0.1 * step, any_vec((uint64_t)(i + step), 3, -0.3, 0.3)),
                {0, 0, 0},
                {0, 0, 0}};
            ond_solids_aim(all, i, &to);
            ond_solids_aim(one[i], 0, &to);
        }
        for (uint64_t key = 0; key < 300; ++key) {
            const OndVec p = any_vec(key, 5, -4, 4);
            OndTouch touch[OND_TOUCHES_MAX], alone[OND_TOUCHES_MAX];
            double nearest = INFINITY;
            bool met = false, too_near = false;
            for (int i = 0; i < COUNT; ++i) {
                OndVec to = ond_add(p, any_vec(key, 6, -0.3, 0.3)), v = {0, 0, 0};
                if (ond_solids_near(one[i], p, 0.2, alone) > 0) {
                    nearest = first_of(nearest, alone[0].distance);
                    too_near |= fabs(alone[0].distance) < 0.021;
                }
                met |= ond_solids_stop(one[i], p, &to, &v, 0.02, 0.01, NULL);
            }
            const int count = ond_solids_near(all, p, 0.2, touch);
            assert_int_equal(count > 0, nearest < INFINITY);
            if (count > 0) CHECK_NEAR(touch[0].distance, nearest, 1e-12, "nearest");
            OndVec to = ond_add(p, any_vec(key, 6, -0.3, 0.3)), v = {0, 0, 0};
            // One that starts too near is pushed off, or has left by itself.
            if (!too_near)
                assert_int_equal(ond_solids_stop(all, p, &to, &v, 0.02, 0.01, NULL), met);
            const OndBox box = {p, p};
            if (count > 0) assert_true(ond_solids_may_touch(all, box, 0.2));
        }
        ond_solids_arrive(all);
        for (int i = 0; i < COUNT; ++i)
            ond_solids_arrive(one[i]);
    }
    for (int i = 0; i < COUNT; ++i)
        ond_solids_destroy(one[i]);
    ond_solids_destroy(all);
    ond_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minima),      cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_sides),       cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_many_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

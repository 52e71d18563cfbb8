// SPDX-License-Identifier: MIT
// A moving ball against one triangle, one moving triangle, one shape.
#include "geom/sweep.h"

#include "geom/triangle.h"
#include "solid_meshes.h"

#define CASES 20000

static OndVec on_way(const OndSweep *s, double t)
{
    return ond_add(s->from, ond_scale(ond_sub(s->to, s->from), t));
}

/// Some are ordinary, some slivers, some without area, some a point.
static void any_triangle(uint64_t key, OndVec corner[3])
{
    for (int k = 0; k < 3; ++k)
        corner[k] = any_vec(key, (uint64_t)k, -1.0, 1.0);
    const OndVec way = ond_sub(corner[1], corner[0]);
    const double off = key % 8 == 1 ? 1e-7 : key % 8 == 2 ? 1e-12 : 0.0;
    if (key % 8 >= 1 && key % 8 <= 3)
        corner[2] = ond_add(ond_add(corner[0], ond_scale(way, any(key, 50, -0.5, 1.5))),
                            ond_scale(any_vec(key, 17, -1, 1), off));
    if (key % 8 == 4) corner[2] = corner[1];
    if (key % 64 == 5) corner[2] = corner[1] = corner[0];
}

static double distance_at(const OndVec c[3], const OndSweep *s, double t)
{
    return sqrt(ond_triangle_distance2(c[0], c[1], c[2], on_way(s, t)));
}

/// The first time it is too near, by small steps and then halving; above 1: never.
static double slow_time(const OndVec c[3], const OndSweep *s)
{
    const int steps = 2000;
    for (int i = 1; i <= steps; ++i) {
        double low = (i - 1.0) / steps, high = (double)i / steps;
        if (distance_at(c, s, high) >= s->radius) continue;
        for (int k = 0; k < 60; ++k) {
            const double middle = 0.5 * (low + high);
            *(distance_at(c, s, middle) < s->radius ? &high : &low) = middle;
        }
        return low;
    }
    return 2.0;
}

static void test_triangles(void **state)
{
    (void)state;
    int hits = 0;
    for (uint64_t key = 0; key < CASES; ++key) {
        OndVec c[3];
        any_triangle(key, c);
        const OndSweep s = {any_vec(key, 10, -2, 2), any_vec(key, 11, -2, 2),
                            any(key, 40, 1e-3, 0.5)};
        if (distance_at(c, &s, 0.0) < s.radius) continue;
        OndContact contact = {.t = 1.0, .start = INFINITY};
        const bool hit = ond_sweep_triangle(c, &s, &contact);
        const double t = slow_time(c, &s);
        if (!hit) {
            for (int i = 0; t <= 1.0 && i <= 4000; ++i) // a way that grazes it by rounding
                assert_true(distance_at(c, &s, i / 4000.0) > s.radius * (1.0 - 1e-6));
            continue;
        }
        ++hits;
        const double distance = distance_at(c, &s, contact.t);
        CHECK_NEAR(distance, s.radius, 1e-6 * s.radius, "distance at the contact");
        assert_true(distance >= s.radius * (1.0 - 1e-9));
        if (t <= 1.0) assert_true(contact.t <= t + 1e-9);
        const OndVec centre = on_way(&s, contact.t);
        CHECK_NEAR(
            ond_length(ond_sub(ond_sub(centre, contact.at), ond_scale(contact.normal, distance))),
            0.0, 1e-9, "normal");
        // Nothing before: the distance is convex, so the steps between say it too.
        for (int i = 0; i < 50; ++i)
            assert_true(distance_at(c, &s, contact.t * i / 50.0) > s.radius * (1.0 - 1e-9));
    }
    assert_true(hits > CASES / 20);
}

static void test_starts_that_touch(void **state)
{
    (void)state;
    const OndVec c[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    static const struct {
        const char *what;
        double from_y, to_y, to_x;
        bool hit;
    } cases[] = {
        {"into it", 0.1, -1.0, 0.2, true},          {"off it", 0.1, 0.5, 0.2, false},
        {"along it", 0.1, 0.1, 0.5, false},         {"nearer, into it", 0.05, 0.0, 0.2, true},
        {"nearer, off it", 0.05, 0.06, 0.2, false}, {"on it", 0.0, -0.1, 0.2, true}};
    for (int i = 0; i < OND_COUNT(cases); ++i) {
        const OndSweep s = {{0.2, cases[i].from_y, 0.2}, {cases[i].to_x, cases[i].to_y, 0.2}, 0.1};
        OndContact contact = {.t = 1.0, .start = INFINITY};
        if (ond_sweep_triangle(c, &s, &contact) != cases[i].hit) fail_msg("%s", cases[i].what);
        if (cases[i].hit) CHECK_NEAR(contact.t, 0.0, 1e-9, cases[i].what);
    }
}

static double moving_distance(const OndVec a[3], const OndVec b[3], const OndSweep *s, double t)
{
    OndVec c[3];
    for (int k = 0; k < 3; ++k)
        c[k] = ond_add(a[k], ond_scale(ond_sub(b[k], a[k]), t));
    return distance_at(c, s, t);
}

static void test_moving_triangles(void **state)
{
    (void)state;
    int hits = 0, early = 0;
    for (uint64_t key = 0; key < CASES / 4; ++key) {
        OndVec a[3], b[3];
        any_triangle(key, a);
        for (int k = 0; k < 3; ++k)
            b[k] = ond_add(a[k], any_vec(key, 60 + (uint64_t)k, -0.5, 0.5));
        const OndSweep s = {any_vec(key, 10, -1, 1), any_vec(key, 11, -1, 1),
                            any(key, 40, 0.01, 0.2)};
        if (moving_distance(a, b, &s, 0.0) < s.radius) continue;
        OndContact contact = {.t = 1.0, .start = INFINITY};
        const bool hit = ond_sweep_moving_triangle(a, b, &s, &contact);
        const double until = hit ? contact.t : 1.0;
        for (int i = 0; i <= 500; ++i)
            assert_true(moving_distance(a, b, &s, until * i / 500.0) > s.radius * (1.0 - 1e-3));
        if (!hit) continue;
        ++hits;
        early += moving_distance(a, b, &s, contact.t) > s.radius * 1.01;
    }
    assert_true(hits > CASES / 80);
    assert_true(early < hits / 50);
}

static void test_shapes(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndShape *box = ond_shape_box(&arena, ond_vec(-0.6, -0.4, -0.5), ond_vec(0.6, 0.4, 0.5));
    OndShape *ball = ond_shape_sphere(&arena, ond_vec(0.3, 0.2, 0), 0.5);
    OndShape *can = ond_shape_cylinder(&arena, ond_vec(0, -0.7, 0), ond_vec(0.1, 0.7, 0), 0.3);
    OndShape *pill = ond_shape_capsule(&arena, ond_vec(-0.5, 0, 0), ond_vec(0.5, 0, 0.3), 0.2);
    OndShape *parts[2] = {box, ball};
    OndShape *shape[] = {box,
                         ball,
                         can,
                         pill,
                         ond_shape_union(&arena, parts, 2),
                         ond_shape_difference(&arena, parts, 2),
                         ond_shape_intersection(&arena, parts, 2)};
    int hits = 0;
    for (uint64_t key = 0; key < CASES; ++key) {
        const OndShape *one = shape[key % OND_COUNT(shape)];
        const bool flat = key % 3 == 2;
        const OndSweep s = {any_vec(key, 10, -1, 1), any_vec(key, 11, -1, 1),
                            any(key, 40, 0.01, 0.1)};
        const double first = ond_shape_distance(one, s.from, flat), side = first < 0 ? -1.0 : 1.0;
        if (fabs(first) < s.radius) continue;
        OndContact contact = {.t = 1.0, .start = INFINITY};
        const bool hit = ond_sweep_shape(one, flat, &s, &contact);
        const double until = hit ? contact.t : 1.0;
        for (int i = 0; i <= 200; ++i) {
            const double d = side * ond_shape_distance(one, on_way(&s, until * i / 200.0), flat);
            if (!(d > s.radius * (1.0 - 1e-3)))
                fail_msg("case %d: %g of %g at %g of the way", (int)key, d, s.radius, until);
        }
        hits += hit;
        if (hit)
            CHECK_NEAR(side * ond_shape_distance(one, on_way(&s, contact.t), flat), s.radius,
                       (ond_shape_is_convex(one) ? 1e-6 : 0.1) * s.radius,
                       "distance at the contact");
    }
    assert_true(hits > CASES / 20);
    ond_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_starts_that_touch),
        cmocka_unit_test(test_moving_triangles),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Shapes: distances against closed forms and against a slow search, and how lattices fill them.
#include "check.h"

#include "base/parallel.h"
#include "base/random.h"
#include "geom/shape.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static OndVec random_point(int i, double reach)
{
    return ond_vec(reach * (2.0 * ond_random(i, 1) - 1.0), reach * (2.0 * ond_random(i, 2) - 1.0),
                   reach * (2.0 * ond_random(i, 3) - 1.0));
}

static void test_distances(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndShape *box = ond_shape_box(&arena, ond_vec(-1, -2, -3), ond_vec(1, 2, 3));
    OndShape *sphere = ond_shape_sphere(&arena, ond_vec(1, 0, 0), 0.5);
    OndShape *cylinder = ond_shape_cylinder(&arena, ond_vec(0, 0, 0), ond_vec(0, 2, 0), 0.5);
    OndShape *capsule = ond_shape_capsule(&arena, ond_vec(0, 0, 0), ond_vec(2, 0, 0), 0.5);
    OndShape *post = ond_shape_cylinder(&arena, ond_vec(0, 0, -1), ond_vec(0, 0, 1), 0.5);
    const struct {
        const char *name;
        const OndShape *shape;
        OndVec point;
        bool flat;
        double distance;
    } cases[] = {
        {"box centre", box, {0, 0, 0}, false, -1},
        {"box face", box, {1.5, 0, 0}, false, 0.5},
        {"box edge", box, {4, 6, 0}, false, 5},
        {"box corner", box, {2, 4, 5}, false, 3},
        {"box near a face, inside", box, {0, 0, 2.75}, false, -0.25},
        {"flat box ignores z", box, {0.75, 0, 99}, true, -0.25},
        {"flat box corner", box, {4, 6, 99}, true, 5},
        {"sphere centre", sphere, {1, 0, 0}, false, -0.5},
        {"sphere outside", sphere, {1, 3, 4}, false, 4.5},
        {"flat sphere is a disc", sphere, {1, 3, 4}, true, 2.5},
        {"cylinder axis", cylinder, {0, 1, 0}, false, -0.5},
        {"cylinder near its end", cylinder, {0, 1.9, 0}, false, -0.1},
        {"cylinder beyond its end", cylinder, {0.1, 3, 0.1}, false, 1},
        {"cylinder rim", cylinder, {3.5, 6, 0}, false, 5},
        {"cylinder side", cylinder, {0, 1, 2}, false, 1.5},
        {"flat cylinder is a rectangle", cylinder, {3.5, 6, 7}, true, 5},
        {"flat cylinder along z is a disc", post, {3, 4, 7}, true, 4.5},
        {"capsule side", capsule, {1, 2, 0}, false, 1.5},
        {"capsule end", capsule, {5, 4, 0}, false, 4.5},
        {"capsule inside", capsule, {1, 0.25, 0}, false, -0.25},
        {"flat capsule", capsule, {5, 4, 9}, true, 4.5},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c)
        CHECK_NEAR(ond_shape_distance(cases[c].shape, cases[c].point, cases[c].flat),
                   cases[c].distance, 1e-12, cases[c].name);
    ond_arena_free(&arena);
}

/// The nearest point of the other side, by looking at every point of a fine lattice.
static double distance_brute(const OndShape *shape, OndVec p, double reach, int steps)
{
    const bool inside = ond_shape_distance(shape, p, false) < 0.0;
    double best = INFINITY;
    for (int k = 0; k <= steps; ++k)
        for (int j = 0; j <= steps; ++j)
            for (int i = 0; i <= steps; ++i) {
                const double s = 2.0 * reach / steps;
                const OndVec q = {i * s - reach, j * s - reach, k * s - reach};
                if ((ond_shape_distance(shape, q, false) < 0.0) != inside)
                    best = fmin(best, ond_length(ond_sub(p, q)));
            }
    return inside ? -best : best;
}

static void test_skew_distances(void **state)
{
    (void)state;
    OndArena arena = {0};
    const OndVec from = {-0.4, -0.3, 0.1}, to = {0.5, 0.4, -0.3};
    OndShape *shape[] = {ond_shape_cylinder(&arena, from, to, 0.35),
                         ond_shape_capsule(&arena, from, to, 0.25)};
    const int steps = 60;
    const double off = 2.0 / steps * sqrt(3.0); // a cell's diagonal
    for (int s = 0; s < OND_COUNT(shape); ++s)
        for (int i = 0; i < 12; ++i) {
            const OndVec p = random_point(i, 0.9);
            CHECK_NEAR(ond_shape_distance(shape[s], p, false),
                       distance_brute(shape[s], p, 1.0, steps), off, "against brute force");
        }
    ond_arena_free(&arena);
}

static void test_union_and_difference(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndShape *part[] = {ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(2, 2, 2)),
                        ond_shape_sphere(&arena, ond_vec(2, 2, 2), 1.0)};
    OndShape *both = ond_shape_union(&arena, part, 2), *cut = ond_shape_difference(&arena, part, 2);
    CHECK_NEAR(ond_shape_distance(both, ond_vec(2.5, 2.5, 2.5), false) < 0, 1, 0, "in the sphere");
    CHECK_NEAR(ond_shape_distance(cut, ond_vec(1.9, 1.9, 1.9), false) > 0, 1, 0, "cut away");
    CHECK_NEAR(ond_shape_distance(cut, ond_vec(0.5, 0.5, 0.5), false), -0.5, 1e-12, "kept");
    CHECK_NEAR(ond_shape_bounds(both).max.x, 3, 0, "the union's bounds");
    CHECK_NEAR(ond_shape_bounds(cut).max.x, 2, 0, "the difference's bounds");

    const double spacing = 0.02, cell = spacing * spacing * spacing;
    const double eighth = PI / 6.0; // of the unit sphere
    CHECK_NEAR(ond_shape_sample(both, spacing, false, NULL, 0, 0) * cell, 8 + 7 * eighth, 0.05,
               "union's volume");
    CHECK_NEAR(ond_shape_sample(cut, spacing, false, NULL, 0, 0) * cell, 8 - eighth, 0.03,
               "difference's volume");
    CHECK_NEAR(ond_shape_union(&arena, (OndShape *[]){part[0], NULL}, 2) == NULL, 1, 0,
               "NULL part");
    OndShape *common = ond_shape_intersection(&arena, part, 2);
    CHECK_NEAR(ond_shape_sample(common, spacing, false, NULL, 0, 0) * cell, eighth, 0.01,
               "intersection's volume");
    CHECK_NEAR(ond_shape_distance(common, ond_vec(1.9, 1.9, 1.9), false), -0.1, 1e-12, "in both");
    CHECK_NEAR(ond_shape_distance(common, ond_vec(0.5, 0.5, 0.5), false) > 0, 1, 0, "in one");
    CHECK_NEAR(ond_shape_bounds(common).min.x, 1, 0, "the intersection's bounds");
    OndShape *nothing = ond_shape_intersection(&arena, NULL, 0);
    CHECK_NEAR(ond_shape_distance(nothing, ond_vec(0, 0, 0), false) > 1e20, 1, 0, "of nothing");
    nothing = ond_shape_union(&arena, NULL, 0);
    CHECK_NEAR(ond_shape_sample(nothing, 0.1, false, NULL, 0, 0), 0, 0, "a union of nothing");
    CHECK_NEAR(ond_shape_distance(nothing, ond_vec(0, 0, 0), false) > 1e20, 1, 0, "far away");
    ond_arena_free(&arena);
}

static void test_sharp(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndVec normal[3];
    OndShape *box = ond_shape_box(&arena, ond_vec(-1, -2, -3), ond_vec(1, 2, 3));
    OndShape *rod = ond_shape_cylinder(&arena, ond_vec(0, 0, 0), ond_vec(0, 2, 0), 0.5);
    OndShape *hole = ond_shape_difference(
        &arena, (OndShape *[]){ond_shape_sphere(&arena, ond_vec(0, 0, 0), 9), box}, 2);
    OndShape *beside = ond_shape_box(&arena, ond_vec(1, -2, -3), ond_vec(4, 2, 3));
    OndShape *within = ond_shape_box(&arena, ond_vec(0, -2, -3), ond_vec(4, 2, 3));
    OndShape *seam = ond_shape_union(&arena, (OndShape *[]){box, beside}, 2);
    OndShape *lap = ond_shape_union(&arena, (OndShape *[]){box, within}, 2);
    const struct {
        const char *name;
        const OndShape *shape;
        OndVec foot;
        bool flat;
        int faces;
        OndVec sum; ///< of their normals
    } cases[] = {
        {"face", box, {1, 0, 0}, false, 0, {0, 0, 0}},
        {"edge", box, {1, -2, 0}, false, 2, {1, -1, 0}},
        {"corner", box, {-1, -2, 3}, false, 3, {-1, -1, 1}},
        {"corner in 2D", box, {-1, 2, 3}, true, 2, {-1, 1, 0}},
        {"rod's side", rod, {0.5, 1, 0}, false, 0, {0, 0, 0}},
        {"rod's end", rod, {0.1, 2, 0}, false, 0, {0, 0, 0}},
        {"upper rim", rod, {0, 2, 0.5}, false, 2, {0, 1, 1}},
        {"lower rim", rod, {-0.5, 0, 0}, false, 2, {-1, -1, 0}},
        {"in 2D", rod, {0.5, 2, 0}, true, 2, {1, 1, 0}},
        {"taken away", hole, {1, -2, 0}, false, 0, {0, 0, 0}},
        {"seam of two", seam, {1, 2, 0}, false, 0, {0, 0, 0}},
        {"edge of the second", seam, {4, 2, 0}, false, 2, {1, 1, 0}},
        {"edge within a face", lap, {1, 2, 0}, false, 0, {0, 0, 0}},
        {"edge of both", lap, {0.5, 2, 3}, false, 2, {0, 1, 1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const int faces = ond_shape_faces(cases[k].shape, cases[k].foot, cases[k].flat, normal);
        OndVec sum = {0, 0, 0};
        for (int f = 0; f < faces; ++f)
            sum = ond_add(sum, normal[f]);
        CHECK_NEAR(faces, cases[k].faces, 0, cases[k].name);
        CHECK_NEAR(ond_length(ond_sub(sum, cases[k].sum)), 0, 1e-12, cases[k].name);
    }
    ond_arena_free(&arena);
}

static void test_bend(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndShape *ball = ond_shape_sphere(&arena, ond_vec(0, 0, 0), 0.5);
    OndShape *capsule = ond_shape_capsule(&arena, ond_vec(0, 0, 0), ond_vec(0, 2, 0), 0.5);
    OndShape *cylinder = ond_shape_cylinder(&arena, ond_vec(0, 0, 0), ond_vec(0, 2, 0), 0.5);
    OndShape *disc = ond_shape_cylinder(&arena, ond_vec(0, 0, -1), ond_vec(0, 0, 1), 0.5);
    OndShape *box = ond_shape_box(&arena, ond_vec(-1, -1, -1), ond_vec(1, 1, 1));
    OndShape *hollow = ond_shape_difference(&arena, (OndShape *[]){box, ball}, 2);
    OndShape *both = ond_shape_union(&arena, (OndShape *[]){box, capsule}, 2);
    const struct {
        const char *name;
        const OndShape *shape;
        OndVec foot;
        bool flat;
        double want;
    } cases[] = {
        {"ball", ball, {0.3, 0.4, 0}, false, 2},
        {"ball in 2D", ball, {0.3, 0.4, 0}, true, 1},
        {"capsule's side", capsule, {0.5, 1, 0}, false, 1},
        {"capsule's end", capsule, {0, 2.5, 0}, false, 2},
        {"capsule's side in 2D", capsule, {0.5, 1, 0}, true, 0},
        {"capsule's end in 2D", capsule, {0, 2.5, 0}, true, 1},
        {"cylinder's side", cylinder, {0, 1, 0.5}, false, 1},
        {"cylinder's lid", cylinder, {0.2, 2, 0}, false, 0},
        {"cylinder's edge", cylinder, {0.5, 2, 0}, false, 0},
        {"rectangle", cylinder, {0.5, 1, 0}, true, 0},
        {"disc", disc, {0.5, 0, 0}, true, 1},
        {"box", box, {1, 0.2, 0.3}, false, 0},
        {"ball taken out of a box", hollow, {0, 0.5, 0}, false, -2},
        {"box it is taken out of", hollow, {1, 0.2, 0}, false, 0},
        {"capsule in a union", both, {0, 2.5, 0}, false, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        CHECK_NEAR(ond_shape_bend(cases[k].shape, cases[k].foot, cases[k].flat), cases[k].want,
                   1e-9, cases[k].name);
    ond_arena_free(&arena);
}

/// Shapes that share faces on lattice planes: neither a gap nor a layer too many.
static void test_faces_on_the_lattice(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndShape *half[] = {ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(1, 1, 1)),
                        ond_shape_box(&arena, ond_vec(1, 0, 0), ond_vec(2, 1, 1))};
    OndShape *whole = ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(2, 1, 1));
    OndShape *both = ond_shape_union(&arena, half, 2);
    OndShape *rest = ond_shape_difference(&arena, (OndShape *[]){whole, half[1]}, 2);
    const double spacing[] = {0.1, 0.4, 1.0 / 3.0, 0.015, 2.0 / 7.0};
    for (int i = 0; i < OND_COUNT(spacing); ++i) {
        const long long n = ond_shape_sample(whole, spacing[i], false, NULL, 0, 0);
        CHECK_NEAR(ond_shape_sample(both, spacing[i], false, NULL, 0, 0), n, 0, "union");
        CHECK_NEAR(ond_shape_sample(rest, spacing[i], false, NULL, 0, 0),
                   ond_shape_sample(half[0], spacing[i], false, NULL, 0, 0), 0, "difference");
    }
    CHECK_NEAR(ond_shape_sample(half[0], 0.4, false, NULL, 0, 0), 8, 0, "points at 0.2 and 0.6");
    ond_arena_free(&arena);
}

static void test_box_points(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndShape *dam = ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(0.6, 0.9, 0.6));
    CHECK_NEAR(ond_shape_sample(dam, 0.015, false, NULL, 0, 0), 40 * 60 * 40, 0, "dam break");
    CHECK_NEAR(ond_shape_sample(dam, 0.015, true, NULL, 0, 0), 40 * 60, 0, "flat dam break");

    OndShape *box = ond_shape_box(&arena, ond_vec(1, 2, 3), ond_vec(1.2, 2.3, 3.4));
    float point[24 * 3 + 1];
    point[24 * 3] = 77.0f;
    CHECK_NEAR(ond_shape_sample(box, 0.1, false, point, 24, 0), 24, 0, "2 x 3 x 4");
    for (int i = 0; i < 24; ++i) {
        CHECK_NEAR(point[3 * i], 1.05 + 0.1 * (i % 2), 1e-6, "x is innermost");
        CHECK_NEAR(point[3 * i + 1], 2.05 + 0.1 * (i / 2 % 3), 1e-6, "then y");
        CHECK_NEAR(point[3 * i + 2], 3.05 + 0.1 * (i / 6), 1e-6, "then z");
    }
    CHECK_NEAR(point[24 * 3], 77.0, 0, "nothing past the end");
    point[5 * 3] = 77.0f;
    CHECK_NEAR(ond_shape_sample(box, 0.1, false, point, 5, 0), 24, 0, "room for 5 of 24");
    CHECK_NEAR(point[5 * 3], 77.0, 0, "no sixth point");
    CHECK_NEAR(ond_shape_sample(box, 0.1, true, point, 24, 0), 6, 0, "flat");
    CHECK_NEAR(point[2], 0, 0, "flat points lie in z = 0");
    ond_arena_free(&arena);
}

static void test_volumes(void **state)
{
    (void)state;
    OndArena arena = {0};
    const OndVec o = {0.1, 0.2, 0.3}, e = {0.8, 0.9, -0.4};
    const double length = 0.7 * sqrt(3.0), r = 0.4;
    const double cylinder = PI * r * r * length, sphere = 4.0 / 3.0 * PI * r * r * r;
    const double flat_length = 0.7 * sqrt(2.0);
    const struct {
        const char *name;
        const OndShape *shape;
        bool flat;
        double size;
    } cases[] = {
        {"sphere", ond_shape_sphere(&arena, o, r), false, sphere},
        {"disc", ond_shape_sphere(&arena, o, r), true, PI * r * r},
        {"cylinder", ond_shape_cylinder(&arena, o, e, r), false, cylinder},
        {"rectangle", ond_shape_cylinder(&arena, o, e, r), true, 2 * r * flat_length},
        {"capsule", ond_shape_capsule(&arena, o, e, r), false, cylinder + sphere},
        {"stadium", ond_shape_capsule(&arena, o, e, r), true, 2 * r * flat_length + PI * r * r},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const double spacing = cases[c].flat ? 0.004 : 0.01;
        const double cell = cases[c].flat ? spacing * spacing : spacing * spacing * spacing;
        const long long n = ond_shape_sample(cases[c].shape, spacing, cases[c].flat, NULL, 0, 0);
        CHECK_NEAR(n * cell, cases[c].size, 0.01 * cases[c].size, cases[c].name);
    }
    ond_arena_free(&arena);
}

/// Walking in strides must find what asking each point finds.
static void test_rows_against_each_point(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndShape *part[] = {ond_shape_capsule(&arena, ond_vec(0, 0, 0), ond_vec(1, 0.4, 0.2), 0.3),
                        ond_shape_box(&arena, ond_vec(0.4, -1, -1), ond_vec(0.5, 1, 1)),
                        ond_shape_sphere(&arena, ond_vec(0.9, 0.4, 0.2), 0.1)};
    OndShape *shape = ond_shape_difference(&arena, part, 3);
    const double s = 0.037;
    const OndBox b = ond_shape_bounds(shape);
    long long expected = 0;
    for (double z = b.min.z + 0.5 * s; z < b.max.z; z += s)
        for (double y = b.min.y + 0.5 * s; y < b.max.y; y += s)
            for (double x = b.min.x + 0.5 * s; x < b.max.x; x += s)
                expected += ond_shape_distance(shape, ond_vec(x, y, z), false) < 0.0;
    // The points are asked a ten-thousandth of a spacing apart, so a few at the surface may differ.
    CHECK_NEAR(ond_shape_sample(shape, s, false, NULL, 0, 0), expected, 2, "count");
    ond_arena_free(&arena);
}

static void test_same_for_any_threads(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndShape *shape = ond_shape_cylinder(&arena, ond_vec(0, 0, 0), ond_vec(1, 2, 3), 0.5);
    const long long n = ond_shape_sample(shape, 0.05, false, NULL, 0, 0);
    float *one = calloc((size_t)n * 3, sizeof *one), *four = calloc((size_t)n * 3, sizeof *four);
    assert_non_null(one);
    assert_non_null(four);
    ond_threads_set(1);
    ond_shape_sample(shape, 0.05, false, one, n, 0);
    ond_threads_set(4);
    ond_shape_sample(shape, 0.05, false, four, n, 0);
    ond_threads_set(0);
    assert_memory_equal(one, four, (size_t)n * 3 * sizeof(float));
    for (long long i = 1; i < n; ++i) {
        const float *p = one + 3 * (i - 1), *q = one + 3 * i;
        const bool ordered =
            q[2] > p[2] || (q[2] == p[2] && (q[1] > p[1] || (q[1] == p[1] && q[0] > p[0])));
        if (!ordered) fail_msg("point %lld is out of order", i);
    }
    free(one);
    free(four);
    ond_arena_free(&arena);
}

static void test_huge_and_absurd(void **state)
{
    (void)state;
    OndArena arena = {0};
    const long long limit = 200000000;
    OndShape *box = ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(1, 1, 1));
    OndShape *ball = ond_shape_sphere(&arena, ond_vec(0, 0, 0), 1.0);
    CHECK_NEAR(ond_shape_sample(box, 0.001, false, NULL, 0, limit), 1e9, 1, "a billion");
    CHECK_NEAR(ond_shape_sample(ball, 0.001, false, NULL, 0, limit) / (4e9 / 3.0 * PI), 1, 0.02,
               "four billion");
    CHECK_NEAR(ond_shape_sample(box, 1e-5, false, NULL, 0, limit) / 1e15, 1, 1e-9,
               "hours of counting, unless it is estimated");
    CHECK_NEAR(ond_shape_sample(box, 1e-7, false, NULL, 0, limit) / 1e21, 0.009, 0.001,
               "more than a number holds: the largest one");
    CHECK_NEAR(ond_shape_sample(box, 0.001, true, NULL, 0, limit), 1e6, 0, "flat: exact");

    const struct {
        const char *name;
        const OndShape *shape;
        double spacing;
    } empty[] = {
        {"no spacing", box, 0.0},
        {"negative spacing", box, -1.0},
        {"spacing is not a number", box, NAN},
        {"thinner than half a spacing", box, 3.0},
        {"inside out", ond_shape_box(&arena, ond_vec(1, 1, 1), ond_vec(0, 0, 0)), 0.1},
        {"not a number", ond_shape_box(&arena, ond_vec(NAN, 0, 0), ond_vec(1, 1, 1)), 0.1},
        {"endless", ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(INFINITY, 1, 1)), 0.1},
        {"beyond floats", ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(1e300, 1, 1)), 0.1},
        {"radius 0", ond_shape_sphere(&arena, ond_vec(0, 0, 0), 0.0), 0.1},
        {"negative radius", ond_shape_capsule(&arena, ond_vec(0, 0, 0), ond_vec(1, 0, 0), -1.0),
         0.1},
        {"no length", ond_shape_cylinder(&arena, ond_vec(0, 0, 0), ond_vec(0, 0, 0), 1.0), 0.1},
    };
    for (int c = 0; c < OND_COUNT(empty); ++c)
        CHECK_NEAR(ond_shape_sample(empty[c].shape, empty[c].spacing, false, NULL, 0, limit), 0, 0,
                   empty[c].name);
    ond_arena_free(&arena);
}

static void test_mostly_empty(void **state)
{
    (void)state;
    OndArena arena = {0};
    const long long limit = 200000000;
    // Two far grains: the lattice between them is beyond counting, the grains are not.
    OndShape *grain[] = {ond_shape_sphere(&arena, ond_vec(0, 0, 0), 0.01),
                         ond_shape_sphere(&arena, ond_vec(50, 50, 50), 0.01)};
    OndShape *grains = ond_shape_union(&arena, grain, 2);
    CHECK_NEAR(ond_shape_sample(grains, 0.001, false, NULL, 0, limit), 2 * 4189, 100, "two grains");
    CHECK_NEAR(ond_shape_sample(grains, 0.0001, false, NULL, 0, limit), -1, 0, "2.5e11 rows");
    OndShape *balls[] = {ond_shape_sphere(&arena, ond_vec(0, 0, 0), 100),
                         ond_shape_sphere(&arena, ond_vec(0, 0, 0), 99.999)};
    OndShape *bubble = ond_shape_difference(&arena, balls, 2);
    CHECK_NEAR(ond_shape_sample(bubble, 0.01, false, NULL, 0, limit), -1, 0, "a soap bubble");

    // Shells that no coarse lattice meets: too many points, and few in a lattice of 1e9.
    OndShape *thin[] = {
        ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(100, 100, 100)),
        ond_shape_box(&arena, ond_vec(0.02, 0.02, 0.02), ond_vec(99.98, 99.98, 99.98))};
    OndShape *shell = ond_shape_difference(&arena, thin, 2);
    CHECK_NEAR(ond_shape_sample(shell, 0.01, false, NULL, 0, limit) / 1.2e9, 1, 0.05, "thin shell");
    CHECK_NEAR(ond_shape_sample(shell, 0.01, true, NULL, 0, limit), 1e8 - pow(9996, 2), 0,
               "its cut");
    thin[0] = ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(40, 40, 40));
    thin[1] = ond_shape_box(&arena, ond_vec(0.2, 0.2, 0.2), ond_vec(39.8, 39.8, 39.8));
    shell = ond_shape_difference(&arena, thin, 2);
    const double hollow = pow(396, 3); // the walls are two points thick
    CHECK_NEAR(ond_shape_sample(shell, 0.1, false, NULL, 0, 6400000), 6.4e7 - hollow, 0, "exact");
    ond_arena_free(&arena);
}

static void check_box(OndBox got, OndVec min, OndVec max, const char *what)
{
    for (int a = 0; a < 3; ++a) {
        CHECK_NEAR(ond_axis(got.min, a), ond_axis(min, a), 0, what);
        CHECK_NEAR(ond_axis(got.max, a), ond_axis(max, a), 0, what);
    }
}

// Boxes grow by points and by boxes; what is not a number changes nothing.
static void test_boxes(void **state)
{
    const OndVec a = {1, -2, 3}, b = {-1, 5, 3}, odd = {NAN, 7, NAN};
    OndBox box = ond_box_add(ond_box_empty(), a);
    check_box(box, a, a, "a point");
    box = ond_box_add(box, b);
    check_box(box, ond_vec(-1, -2, 3), ond_vec(1, 5, 3), "two points");
    check_box(ond_box_add(box, odd), ond_vec(-1, -2, 3), ond_vec(1, 7, 3), "half a point");
    check_box(ond_box_widen(box, 0.5), ond_vec(-1.5, -2.5, 2.5), ond_vec(1.5, 5.5, 3.5), "wider");
    const OndBox other = {{0, 0, 0}, {2, 1, 9}};
    check_box(ond_box_join(box, other), ond_vec(-1, -2, 0), ond_vec(2, 5, 9), "both");
    check_box(ond_box_meet(box, other), ond_vec(0, 0, 3), ond_vec(1, 1, 3), "what both have");
    check_box(ond_box_join(box, ond_box_empty()), box.min, box.max, "and nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_skew_distances),
        cmocka_unit_test(test_union_and_difference),
        cmocka_unit_test(test_bend),
        cmocka_unit_test(test_sharp),
        cmocka_unit_test(test_faces_on_the_lattice),
        cmocka_unit_test(test_box_points),
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_rows_against_each_point),
        cmocka_unit_test(test_same_for_any_threads),
        cmocka_unit_test(test_huge_and_absurd),
        cmocka_unit_test(test_mostly_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

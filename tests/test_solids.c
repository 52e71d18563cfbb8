// SPDX-License-Identifier: MIT
// Balls that solids stop: none may come through, however they and the solids move.
#include "solids/solids.h"

#include "base/parallel.h"
#include "solid_meshes.h"

#include <stdlib.h>

#define RADIUS 0.02

typedef struct Crowd {
    float (*at)[3];
    OndVec *velocity;
    int count;
} Crowd;

static Crowd make_crowd(int count)
{
    const Crowd crowd = {malloc((size_t)count * sizeof *crowd.at),
                         calloc((size_t)count, sizeof *crowd.velocity), count};
    return crowd;
}

static void free_crowd(Crowd *crowd)
{
    free(crowd->at);
    free(crowd->velocity);
}

typedef struct Push {
    const OndSolids *solids;
    Crowd *crowd;
    double dt, shake; ///< shake: random change of velocity
    OndVec gravity;
    uint64_t step;
    double radius;
} Push;

static void push_some(int first, int last, int worker, void *context)
{
    const Push *push = context;
    (void)worker;
    for (int i = first; i < last; ++i) {
        float *at = push->crowd->at[i];
        OndVec *v = &push->crowd->velocity[i];
        const OndVec kick = any_vec(push->step << 20 ^ (uint64_t)i, 7, -1, 1);
        *v = ond_add(*v, ond_add(ond_scale(push->gravity, push->dt), ond_scale(kick, push->shake)));
        const OndVec from = {at[0], at[1], at[2]};
        OndVec to = ond_add(from, ond_scale(*v, push->dt));
        ond_solids_stop(push->solids, from, &to, v, push->radius, push->dt, NULL);
        at[0] = (float)to.x;
        at[1] = (float)to.y;
        at[2] = (float)to.z;
    }
}

static OndVec place_of(const Crowd *crowd, int i)
{
    return ond_vec(crowd->at[i][0], crowd->at[i][1], crowd->at[i][2]);
}

static void test_knot_holds_all(void **state)
{
    (void)state;
    OndMesh mesh = knot_mesh(0.35, 160, 9);
    const OndSolidDef def = mesh_def(&mesh, true, true);
    OndSolids *solids = ond_solids_create(&def, 1, 0.1, false, NULL);
    OndArena arena = {0};
    const OndShape *inside = ond_shape_mesh(&arena, &mesh, 1.0, ond_vec(0, 0, 0), NULL);
    Crowd crowd = make_crowd(4000);
    for (int i = 0; i < crowd.count; ++i) {
        const OndVec at = knot(2.0 * M_PI * i / crowd.count);
        crowd.at[i][0] = (float)at.x;
        crowd.at[i][1] = (float)at.y;
        crowd.at[i][2] = (float)at.z;
    }
    Push push = {solids, &crowd, 0.01, 0.0, {0, -10, 0}, 0, RADIUS};
    for (int step = 0; step < 300; ++step) {
        push.step = (uint64_t)step;
        push.shake = step % 2 ? 0.5 : step % 100 ? 0.0 : 20.0;
        ond_parallel_for(crowd.count, 64, push_some, &push);
        if (step % 100 != 99) continue;
        for (int i = 0; i < crowd.count; ++i) {
            const double d = -ond_shape_distance(inside, place_of(&crowd, i), false);
            if (!(d >= RADIUS * (1.0 - 1e-6))) fail_msg("step %d: %d is %g inside", step, i, d);
        }
    }
    free_crowd(&crowd);
    ond_solids_destroy(solids);
    ond_arena_free(&arena);
    ond_mesh_free(&mesh);
}

// ---- the bad cases of the source: leaks, endless rounds, oscillation
// ------------------------------

static OndSolids *wedge_of(OndMesh *mesh, double angle)
{
    // Two sheets that meet in the line x = z = 0 and open upwards.
    const double up = 2.0 * cos(0.5 * angle), out = 2.0 * sin(0.5 * angle);
    OndMesh raw;
    assert_int_equal(ond_mesh_make(&raw, 6, 4, NULL), OND_OK);
    for (int k = 0; k < 2; ++k) {
        const double z = k ? 1.0 : -1.0;
        set_corner(&raw, 3 * k, ond_vec(0, 0, z));
        set_corner(&raw, 3 * k + 1, ond_vec(out, up, z));
        set_corner(&raw, 3 * k + 2, ond_vec(-out, up, z));
    }
    set_triangle(&raw, 0, 0, 1, 4);
    set_triangle(&raw, 1, 0, 4, 3);
    set_triangle(&raw, 2, 0, 5, 2);
    set_triangle(&raw, 3, 0, 3, 5);
    *mesh = raw;
    OndSolidDef def = mesh_def(mesh, false, false);
    def.slip = 0.9f; // so that it does not slide to and fro for ever
    return ond_solids_create(&def, 1, 0.1, false, NULL);
}

/// A ball falls into ever more acute creases: it comes to rest between the walls, as deep as it
/// fits, in a bounded number of rounds, and stays there.
static void test_acute_creases(void **state)
{
    (void)state;
    static const double degrees[] = {150, 90, 60, 30, 10, 3, 2};
    for (int i = 0; i < OND_COUNT(degrees); ++i) {
        const double angle = degrees[i] * M_PI / 180.0, rest = RADIUS / sin(0.5 * angle);
        OndMesh mesh;
        OndSolids *solids = wedge_of(&mesh, angle);
        OndVec at = {0.0, rest + 0.3, 0.1}, v = {0.3 * sin(0.5 * angle), 0, 0};
        double low = INFINITY, high = -INFINITY;
        for (int step = 0; step < 2000; ++step) {
            OndHit hit = {.rounds = 0};
            v.y -= 9.81 * 0.005;
            OndVec to = ond_add(at, ond_scale(v, 0.005));
            ond_solids_stop(solids, at, &to, &v, RADIUS, 0.005, &hit);
            at = ond_vec((float)to.x, (float)to.y, (float)to.z);
            assert_true(hit.rounds <= 21);
            if (!(slow_distance(&mesh, at) >= RADIUS * (1.0 - 1e-6)))
                fail_msg("%g degrees: step %d", degrees[i], step);
            assert_true(fabs(at.x) <= at.y * tan(0.5 * angle));
            if (step < 1900) continue;
            low = fmin(low, at.y);
            high = fmax(high, at.y);
        }
        // No more than gravity moves it in a step.
        CHECK_NEAR(high - low, 0.0, 0.2 * 9.81 * 0.005 * 0.005 + 1e-3 * rest, "it does not shake");
        CHECK_NEAR(at.y, rest, 0.02 * rest, "as deep as it fits");
        ond_solids_destroy(solids);
        ond_mesh_free(&mesh);
    }
}

/// Round and round inside a ball, a shape or a mesh, without friction: the wall must not hold it
/// up, nor let it out. The source's circle, where every tangent leads out again.
static void test_round_in_a_ball(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndMesh mesh = ball_mesh(ond_vec(0, 0, 0), 1.0, 60);
    for (int kind = 0; kind < 2; ++kind) {
        const OndSolidDef def =
            kind ? mesh_def(&mesh, true, true)
                 : shape_def(ond_shape_sphere(&arena, ond_vec(0, 0, 0), 1.0), true);
        OndSolids *solids = ond_solids_create(&def, 1, 0.1, false, NULL);
        OndVec at = {0.0, -0.97, 0.0}, v = {2.0, 0.0, 0.5};
        double gone = 0.0;
        for (int step = 0; step < 2000; ++step) {
            OndVec to = ond_add(at, ond_scale(v, 0.01));
            const double want = ond_length(v) * 0.01;
            ond_solids_stop(solids, at, &to, &v, RADIUS, 0.01, NULL);
            to = ond_vec((float)to.x, (float)to.y, (float)to.z);
            const double way = ond_length(ond_sub(to, at));
            gone += way;
            if (way < 0.5 * want) fail_msg("kind %d, step %d: %g of %g", kind, step, way, want);
            at = to;
            const double inside = kind ? slow_distance(&mesh, at) : 1.0 - ond_length(at);
            assert_true(inside >= RADIUS * (1.0 - 1e-6) && ond_length(at) < 1.0);
            if (step % 100 == 99) v = ond_scale(v, 2.0 / ond_length(v)); // projection slows it
        }
        assert_true(gone > 20.0);
        ond_solids_destroy(solids);
    }
    ond_arena_free(&arena);
    ond_mesh_free(&mesh);
}

/// A ball in the corner of a box, pushed into it from all sides, for ever.
static void test_corner_stops(void **state)
{
    (void)state;
    OndMesh mesh = box_mesh(ond_vec(0, 0, 0), ond_vec(1, 1, 1), 3, true);
    const OndSolidDef def = mesh_def(&mesh, true, true);
    OndSolids *solids = ond_solids_create(&def, 1, 0.1, false, NULL);
    OndVec at = {0.1, 0.1, 0.1};
    for (uint64_t key = 0; key < 2000; ++key) {
        OndVec v = any_vec(key, 1, -3, 0);
        OndVec to = ond_add(at, ond_scale(v, 0.1));
        const bool met = ond_solids_stop(solids, at, &to, &v, RADIUS, 0.1, NULL);
        at = ond_vec((float)to.x, (float)to.y, (float)to.z);
        if (!met) continue;
        assert_true(at.x >= RADIUS * (1 - 1e-6) && at.y >= RADIUS * (1 - 1e-6) &&
                    at.z >= RADIUS * (1 - 1e-6));
    }
    CHECK_NEAR(at.x, RADIUS, 0.001 * RADIUS, "x");
    CHECK_NEAR(at.y, RADIUS, 0.001 * RADIUS, "y");
    CHECK_NEAR(at.z, RADIUS, 0.001 * RADIUS, "z");
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
}

/// A ball that starts nearer than its radius is pushed off, on its own side.
static void test_pushed_off(void **state)
{
    (void)state;
    OndMesh mesh = sheet_mesh(ond_vec(-1, 0, -1), ond_vec(0, 0, 2), ond_vec(2, 0, 0), 9, 9);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    OndSolids *solids = ond_solids_create(&def, 1, 0.1, false, NULL);
    for (uint64_t key = 0; key < 1000; ++key) {
        const double side = key % 2 ? 1.0 : -1.0;
        const OndVec from = {any(key, 1, -0.9, 0.9), side * RADIUS * any(key, 2, 1e-3, 0.999),
                             any(key, 3, -0.9, 0.9)};
        OndVec to = ond_add(from, ond_scale(any_vec(key, 4, -1, 1), 0.01)), v = {0, 0, 0};
        ond_solids_stop(solids, from, &to, &v, RADIUS, 0.01, NULL);
        if (!(side * (float)to.y >= RADIUS * (1 - 1e-6)))
            fail_msg("%d: from %g to %g", (int)key, from.y, to.y);
        assert_true(side * to.y < 3.0 * RADIUS);
    }
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
}

/// The same bits whatever the number of threads.
static void test_threads(void **state)
{
    (void)state;
    OndMesh mesh = knot_mesh(0.35, 60, 9);
    const OndSolidDef def = mesh_def(&mesh, true, true);
    float(*first)[3] = NULL;
    Crowd crowd[2];
    for (int run = 0; run < 2; ++run) {
        OndSolids *solids = ond_solids_create(&def, 1, 0.1, false, NULL);
        crowd[run] = make_crowd(1000);
        for (int i = 0; i < 1000; ++i) {
            const OndVec at = knot(2.0 * M_PI * i / 1000);
            crowd[run].at[i][0] = (float)at.x;
            crowd[run].at[i][1] = (float)at.y;
            crowd[run].at[i][2] = (float)at.z;
        }
        Push push = {solids, &crowd[run], 0.01, 0.5, {0, -10, 0}, 0, RADIUS};
        ond_threads_set(run ? 4 : 1);
        for (int step = 0; step < 30; ++step, ++push.step)
            ond_parallel_for(1000, 16, push_some, &push);
        ond_solids_destroy(solids);
    }
    ond_threads_set(0);
    first = crowd[0].at;
    assert_memory_equal(first, crowd[1].at, 1000 * sizeof *first);
    free_crowd(&crowd[0]);
    free_crowd(&crowd[1]);
    ond_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knot_holds_all),  cmocka_unit_test(test_acute_creases),
        cmocka_unit_test(test_round_in_a_ball), cmocka_unit_test(test_corner_stops),
        cmocka_unit_test(test_pushed_off),      cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

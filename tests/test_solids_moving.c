// SPDX-License-Identifier: MIT
// Solids that move, turn, close in and bend: nothing may get through them either.
#include "solids/solids.h"

#include "solid_meshes.h"

#define RADIUS 0.02

static OndSolids *solids_of(const OndSolidDef *def, int count)
{
    OndError err;
    OndSolids *solids = ond_solids_create(def, count, 0.1, false, &err);
    if (!solids) fail_msg("%s", err.text);
    return solids;
}

static OndVec as_stored(OndVec p)
{
    return ond_vec((float)p.x, (float)p.y, (float)p.z);
}

static OndSolidState state_at(OndPose pose)
{
    const OndSolidState state = {pose, {0, 0, 0}, {0, 0, 0}};
    return state;
}

/// Where the segment a-b goes through the unit plate at y = 0.
static bool crosses_plate(OndVec a, OndVec b)
{
    if ((a.y > 0.0) == (b.y > 0.0)) return false;
    const double t = a.y / (a.y - b.y), x = a.x + t * (b.x - a.x), z = a.z + t * (b.z - a.z);
    return fabs(x) < 0.5 && fabs(z) < 0.5;
}

/// A plate without thickness, at all speeds and angles, resting or thrown about, near and far.
static void plate_stops(double offset, double speed, int cuts)
{
    OndMesh mesh =
        sheet_mesh(ond_vec(-0.5, 0, -0.5), ond_vec(0, 0, 1), ond_vec(1, 0, 0), cuts, cuts);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    OndSolids *solids = solids_of(&def, 1);
    int stopped = 0;
    for (uint64_t key = 0; key < 20000; ++key) {
        const OndVec there = {offset, -offset, offset};
        const OndPose begin = turned(any_vec(key, 1, -1, 1), speed * any(key, 60, -1, 1), there);
        const OndPose end = turned(any_vec(key, 1, -1, 1), speed * any(key, 61, -1, 1),
                                   ond_add(there, any_vec(key, 2, -speed, speed)));
        const OndSolidState first = state_at(begin), last = state_at(end);
        ond_solids_place(solids, 0, &first);
        ond_solids_aim(solids, 0, &last);
        const double length = pow(10.0, any(key, 62, -3, 1));
        const OndVec near = {any(key, 63, -0.55, 0.55), any(key, 64, -0.1, 0.1),
                             any(key, 65, -0.55, 0.55)};
        const OndVec from = as_stored(ond_pose_out(&begin, near));
        const OndVec a = ond_pose_in(&begin, from);
        if (slow_distance(&mesh, a) < RADIUS) continue;
        OndVec to = ond_add(from, ond_scale(ond_unit(any_vec(key, 3, -1, 1)), length)),
               v = {1, 2, 3};
        const bool through = crosses_plate(a, ond_pose_in(&end, to));
        OndHit hit;
        const bool met = ond_solids_stop(solids, from, &to, &v, RADIUS, 0.01, &hit);
        const OndVec b = ond_pose_in(&end, as_stored(to));
        if (through && !met) fail_msg("%d went through", (int)key);
        if (through && (a.y > 0.0) != (b.y > 0.0)) fail_msg("%d is on the other side", (int)key);
        if (met && !(slow_distance(&mesh, b) >= RADIUS * (1.0 - 1e-6)))
            fail_msg("%d is too near: %g", (int)key, slow_distance(&mesh, b));
        if (met) assert_true(hit.rounds >= 1 && hit.rounds <= 21 && hit.solid == 0);
        stopped += met;
    }
    assert_true(stopped > 1000);
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
}

static void test_plate(void **state)
{
    (void)state;
    plate_stops(0.0, 0.0, 1);
    plate_stops(0.0, 0.0, 7);
    plate_stops(0.0, 0.05, 7);
    plate_stops(0.0, 0.5, 1);
    plate_stops(100.0, 0.05, 7);
    plate_stops(1000.0, 0.05, 1);
}

/// Particles in a closed box (a mesh, then a shape) that turns and is thrown about.
static void box_holds(bool as_mesh, OndVec centre)
{
    OndArena arena = {0};
    OndMesh mesh = box_mesh(ond_vec(-0.5, -0.3, -0.4), ond_vec(0.5, 0.3, 0.4), 6, true);
    const OndShape *box = ond_shape_box(&arena, ond_vec(-0.5, -0.3, -0.4), ond_vec(0.5, 0.3, 0.4));
    const OndSolidDef def = as_mesh ? mesh_def(&mesh, true, true) : shape_def(box, true);
    OndSolids *solids = solids_of(&def, 1);
    enum { COUNT = 200 };
    OndVec at[COUNT], v[COUNT] = {{0, 0, 0}};
    for (int i = 0; i < COUNT; ++i)
        at[i] = as_stored(ond_add(centre, any_vec((uint64_t)i, 1, -0.25, 0.25)));
    const double dt = 0.004;
    for (int step = 0; step < 500; ++step) {
        const double t0 = step * dt, t1 = t0 + dt;
        const OndVec axis = {1, 2, 0.5};
        const OndPose begin =
            turned(axis, 8.0 * sin(3.0 * t0), ond_add(centre, ond_vec(0.5 * sin(10.0 * t0), 0, 0)));
        const OndPose end =
            turned(axis, 8.0 * sin(3.0 * t1), ond_add(centre, ond_vec(0.5 * sin(10.0 * t1), 0, 0)));
        const OndSolidState first = state_at(begin), last = state_at(end);
        if (step == 0) ond_solids_place(solids, 0, &first);
        ond_solids_aim(solids, 0, &last);
        for (int i = 0; i < COUNT; ++i) {
            v[i].y -= 9.81 * dt;
            OndVec to = ond_add(at[i], ond_scale(v[i], dt));
            ond_solids_stop(solids, at[i], &to, &v[i], RADIUS, dt, NULL);
            at[i] = as_stored(to);
            const double d = -ond_shape_distance(box, ond_pose_in(&end, at[i]), false);
            if (!(d >= RADIUS * (1.0 - 1e-6)))
                fail_msg("mesh %d, x %g, step %d: %d is %.9g inside", as_mesh, centre.x, step, i,
                         d);
        }
        ond_solids_arrive(solids);
    }
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
    ond_arena_free(&arena);
}

static void test_turning_box(void **state)
{
    (void)state;
    box_holds(true, ond_vec(0, 0, 0));
    box_holds(false, ond_vec(0, 0, 0));
    box_holds(true, ond_vec(100, -200, 50));
    box_holds(false, ond_vec(1000, 0, 0));
}

/// A cup without a lid, turned and shaken at 5 m/s: what leaves it leaves over the rim.
static void test_shaken_cup(void **state)
{
    (void)state;
    OndMesh mesh = box_mesh(ond_vec(-0.3, 0, -0.3), ond_vec(0.3, 0.6, 0.3), 5, false);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    OndSolids *solids = solids_of(&def, 1);
    enum { COUNT = 400 };
    OndVec at[COUNT], v[COUNT] = {{0, 0, 0}};
    bool in[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        at[i] = as_stored(ond_add(ond_vec(0, 0.25, 0), any_vec((uint64_t)i, 1, -0.2, 0.2)));
        in[i] = true;
    }
    const double dt = 0.004;
    for (int step = 0; step < 500; ++step) {
        const double t0 = step * dt, t1 = t0 + dt, w = 50.0, a = 5.0 / w;
        const OndPose begin = turned(ond_vec(0, 0, 1), 0.6 * sin(4.0 * t0),
                                     ond_vec(a * sin(w * t0), a * sin(0.7 * w * t0), 0));
        const OndPose end = turned(ond_vec(0, 0, 1), 0.6 * sin(4.0 * t1),
                                   ond_vec(a * sin(w * t1), a * sin(0.7 * w * t1), 0));
        const OndSolidState first = state_at(begin), last = state_at(end);
        if (step == 0) ond_solids_place(solids, 0, &first);
        ond_solids_aim(solids, 0, &last);
        for (int i = 0; i < COUNT; ++i) {
            v[i].y -= 9.81 * dt;
            const OndVec a0 = ond_pose_in(&begin, at[i]);
            OndVec to = ond_add(at[i], ond_scale(v[i], dt));
            ond_solids_stop(solids, at[i], &to, &v[i], RADIUS, dt, NULL);
            at[i] = as_stored(to);
            const OndVec b0 = ond_pose_in(&end, at[i]);
            const bool now_in = fabs(b0.x) < 0.3 && fabs(b0.z) < 0.3 && b0.y > 0.0 && b0.y < 0.6;
            const double high = a0.y > b0.y ? a0.y : b0.y;
            if (in[i] != now_in && high < 0.55) fail_msg("step %d: %d went through", step, i);
            in[i] = now_in;
            if (!(slow_distance(&mesh, b0) >= RADIUS * (1.0 - 1e-6)))
                fail_msg("step %d: %d is too near", step, i);
        }
        ond_solids_arrive(solids);
    }
    int left = 0;
    for (int i = 0; i < COUNT; ++i)
        left += in[i];
    assert_true(left > COUNT / 100);
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
}

/// Two plates close in on balls until there is less room than a ball has: they stay between.
static void test_closing_plates(void **state)
{
    (void)state;
    OndMesh mesh = sheet_mesh(ond_vec(-0.5, 0, -0.5), ond_vec(0, 0, 1), ond_vec(1, 0, 0), 3, 3);
    OndArena arena = {0};
    const OndShape *box = ond_shape_box(&arena, ond_vec(-0.5, 0, -0.5), ond_vec(0.5, 0.2, 0.5));
    for (int kind = 0; kind < 2; ++kind) {
        const OndSolidDef def[2] = {mesh_def(&mesh, false, false),
                                    kind ? shape_def(box, false) : mesh_def(&mesh, false, false)};
        OndSolids *solids = solids_of(def, 2);
        enum { COUNT = 100 };
        OndVec at[COUNT];
        double low = -0.1, high = 0.1;
        for (int i = 0; i < COUNT; ++i)
            at[i] =
                as_stored(ond_vec(any((uint64_t)i, 1, -0.3, 0.3), any((uint64_t)i, 2, -0.07, 0.07),
                                  any((uint64_t)i, 3, -0.3, 0.3)));
        for (int step = 0; high - low > 0.02 * RADIUS; ++step) {
            const OndSolidState a0 = state_at(turned(ond_vec(0, 0, 1), 0, ond_vec(0, low, 0)));
            const OndSolidState b0 = state_at(turned(ond_vec(0, 0, 1), 0, ond_vec(0, high, 0)));
            if (step == 0) {
                ond_solids_place(solids, 0, &a0);
                ond_solids_place(solids, 1, &b0);
            }
            const double way = 0.2 * (high - low);
            low += way * 0.9;
            high -= way * 0.1;
            const OndSolidState a1 = state_at(turned(ond_vec(0, 0, 1), 0, ond_vec(0, low, 0)));
            const OndSolidState b1 = state_at(turned(ond_vec(0, 0, 1), 0, ond_vec(0, high, 0)));
            ond_solids_aim(solids, 0, &a1);
            ond_solids_aim(solids, 1, &b1);
            for (int i = 0; i < COUNT; ++i) {
                OndVec to = ond_add(
                           at[i], ond_scale(any_vec((uint64_t)(i + 1000 * step), 1, -1, 1), 0.02)),
                       v = {0, 0, 0};
                ond_solids_stop(solids, at[i], &to, &v, RADIUS, 0.01, NULL);
                at[i] = as_stored(to);
                if (fabs(at[i].x) > 0.5 || fabs(at[i].z) > 0.5) continue;
                if (!(at[i].y > low && at[i].y < high))
                    fail_msg("kind %d step %d: %d at %g is not in %g .. %g", kind, step, i, at[i].y,
                             low, high);
                const double room =
                    high - low > 2.2 * RADIUS ? RADIUS * (1 - 1e-6) : 0.1 * (high - low);
                if (!(at[i].y - low >= room && high - at[i].y >= room))
                    fail_msg("kind %d step %d: %d at %g is too near to %g .. %g", kind, step, i,
                             at[i].y, low, high);
            }
            ond_solids_arrive(solids);
        }
        ond_solids_destroy(solids);
    }
    ond_arena_free(&arena);
    ond_mesh_free(&mesh);
}

static double wave(double x, double z, double t)
{
    return 0.2 * sin(5.0 * x + 3.0 * t) * cos(4.0 * z - 2.0 * t);
}

/// A floor that waves under falling balls: a sheet that bends.
static void test_bending_sheet(void **state)
{
    (void)state;
    OndMesh mesh = sheet_mesh(ond_vec(-1, 0, -1), ond_vec(0, 0, 2), ond_vec(2, 0, 0), 16, 16);
    OndMesh now = sheet_mesh(ond_vec(-1, 0, -1), ond_vec(0, 0, 2), ond_vec(2, 0, 0), 16, 16);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    OndSolids *solids = solids_of(&def, 1);
    enum { COUNT = 300 };
    OndVec at[COUNT], v[COUNT] = {{0, 0, 0}};
    for (int i = 0; i < COUNT; ++i)
        at[i] =
            as_stored(ond_add(ond_vec(0, 0.1, 0), ond_scale(any_vec((uint64_t)i, 1, -1, 1), 0.05)));
    for (int i = 0; i < COUNT; ++i)
        at[i].x += 0.9 * (i % 17 - 8) / 8.0, at[i].z += 0.9 * (i % 13 - 6) / 6.0,
            at[i] = as_stored(at[i]);
    const double dt = 0.01;
    for (int step = 0; step < 200; ++step) {
        for (int c = 0; c < now.corner_count; ++c) {
            float *p = now.corner + 3 * c;
            p[1] =
                (float)wave(p[0], p[2], 6.0 * (step + 1) * dt) * (step < 20 ? step / 20.0f : 1.0f);
        }
        ond_solids_bend(solids, 0, now.corner);
        for (int i = 0; i < COUNT; ++i) {
            v[i].y -= 9.81 * dt;
            OndVec to = ond_add(at[i], ond_scale(v[i], dt));
            ond_solids_stop(solids, at[i], &to, &v[i], RADIUS, dt, NULL);
            at[i] = as_stored(to);
            if (fabs(at[i].x) > 0.97 || fabs(at[i].z) > 0.97) continue;
            const double d = slow_distance(&now, at[i]);
            // Above the sheet: a ray down meets it, seen as the nearest triangle's height.
            OndTouch touch[OND_TOUCHES_MAX];
            if (!(d >= RADIUS * (1.0 - 1e-6)))
                fail_msg("step %d: %d is too near: %g", step, i, d / RADIUS);
            (void)touch;
            if (at[i].y < -0.3) fail_msg("step %d: %d fell through", step, i);
        }
        ond_solids_arrive(solids);
    }
    ond_solids_destroy(solids);
    ond_mesh_free(&mesh);
    ond_mesh_free(&now);
}

/// The faces give back what they should.
static void test_velocities(void **state)
{
    (void)state;
    OndSolidDef def = {
        .name = "floor", .kind = OND_SOLID_PLANE, .slip = 0.25f, .restitution = 0.5f};
    OndSolids *solids = solids_of(&def, 1);
    OndVec to = {0.3, -1, 0}, v = {4, -8, 0};
    OndHit hit;
    assert_true(ond_solids_stop(solids, ond_vec(0, 0.1, 0), &to, &v, RADIUS, 0.1, &hit));
    CHECK_NEAR(v.x, 1.0, 1e-6, "slip");
    CHECK_NEAR(v.y, 4.0, 1e-6, "restitution");
    CHECK_NEAR(to.x, 0.3, 1e-6, "slides on");
    CHECK_NEAR(to.y, RADIUS, 1e-3 * RADIUS, "rests on it");
    CHECK_NEAR(hit.normal.y, 1.0, 1e-9, "normal");
    const OndSolidState up = state_at(turned(ond_vec(0, 0, 1), 0, ond_vec(0.5, 0.2, 0)));
    ond_solids_aim(solids, 0, &up);
    to = ond_vec(0, 0.1, 0), v = ond_vec(0, 0, 0);
    assert_true(ond_solids_stop(solids, to, &to, &v, RADIUS, 0.1, &hit));
    CHECK_NEAR(v.x, 5.0 * 0.75, 1e-6, "drawn along");
    CHECK_NEAR(v.y, 2.0 + 0.5 * 2.0, 1e-6, "thrown up");
    CHECK_NEAR(to.y, 0.2 + RADIUS, 1e-3 * RADIUS, "lifted");
    CHECK_NEAR(hit.velocity.x, 5.0, 1e-9, "the wall's velocity");
    ond_solids_destroy(solids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plate),         cmocka_unit_test(test_turning_box),
        cmocka_unit_test(test_shaken_cup),    cmocka_unit_test(test_closing_plates),
        cmocka_unit_test(test_bending_sheet), cmocka_unit_test(test_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

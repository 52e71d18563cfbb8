// SPDX-License-Identifier: MIT
// ctest: slow
// Solids of scenes and the liquid: the same bits for any number of threads and after a resume,
// bodies on slopes, heat by contact, drops.
#include "same_bits.h"
#include "solids.h"
#include "still.h"

#include "solids/solids.h"

// ---- the same bits

static const Play plays[] = {
    {"a dam breaks on a ball, a box stirs", 60,
     "dimension: 3\nduration: 10\nframe_rate: 50\ndomain: {min: [0, 0, 0], max: [1, 1, 0.5]}\n"
     "fluid: [{spacing: 0.04, viscosity: 0.1, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.6, "
     "0.5]}}]\n"
     "solid:\n  - {name: ball, slip: 0, shape: {type: sphere, center: [0.65, 0.1, 0.25], radius: "
     "0.12}}\n"
     "  - {name: paddle, shape: {type: box, min: [0.2, 0.3, 0.2], max: [0.25, 0.9, 0.3]}, move: "
     "[\"0.1*sin(20*t)\", 0, 0]}\n"},
    {"a tank that rocks, flat", 80,
     "dimension: 2\nduration: 10\nframe_rate: 50\nmethod: {type: sph, density: continuity}\n"
     "fluid: [{spacing: 0.02, shape: {type: box, min: [-0.4, 0], max: [0.4, 0.3]}}]\n"
     "solid: [{name: tank, use: container, pivot: [0, 0], turn_by: [0, 0, \"20*sin(6*t)\"],\n"
     "  shape: {type: box, min: [-0.4, 0], max: [0.4, 0.8]}}]\n"},
    {"ice falls on a ball", 80,
     "dimension: 3\nduration: 10\nframe_rate: 50\n"
     "fluid:\n  - {name: ice, spacing: 0.04, rigidity: 1, density: 900, velocity: [0, -2, 0],\n"
     "     shape: {type: box, min: [-0.12, 0.2, -0.12], max: [0.12, 0.4, 0.12]}}\n"
     "  - {name: slush, spacing: 0.04, rigidity: 0.8, velocity: [0, -2, 0],\n"
     "     shape: {type: box, min: [-0.12, 0.44, -0.12], max: [0.12, 0.6, 0.12]}}\n"
     "solid: [{name: ball, shape: {type: sphere, center: [0.05, 0, 0], radius: 0.15}}]\n"},
    {"a drop on a floor", 40,
     "dimension: 3\nduration: 10\nframe_rate: 100\ngravity: [0, -9.81, 0]\n"
     "fluid: [{spacing: 0.0005, tension: 0.07, viscosity: 0.001, shape: {type: sphere, center: [0, "
     "0.002, 0], radius: 0.002}}]\n"
     "solid: [{name: floor, shape: {type: plane}}]\n"},
};

static void test_any_number_of_threads(void **state)
{
    for (int p = 0; p < OND_COUNT(plays); ++p)
        check_threads(&plays[p]);
    ond_threads_set(1);
}

static void test_resumed(void **state)
{
    for (int p = 0; p < OND_COUNT(plays); ++p) {
        Stage *whole = stage_open(plays[p].yaml), *parts = stage_open(plays[p].yaml);
        const int half = plays[p].steps / 2;
        steps(whole, plays[p].steps);
        steps(parts, half);
        stop_and_resume(parts);
        steps(parts, plays[p].steps - half);
        if (hash_of(parts) != hash_of(whole))
            fail_msg("%s: other bits when resumed", plays[p].name);
        stage_close(parts);
        stage_close(whole);
    }
}

// ---- bodies on a slope

// Along the slope, down, and up from it.
static void look_along(const Stage *s, double angle, double *speed, double *lowest)
{
    *speed = 0, *lowest = INFINITY;
    for (int i = 0; i < s->count; ++i) {
        *speed += (s->v[0][i] * cos(angle) - s->v[1][i] * sin(angle)) / s->count;
        *lowest = fmin(*lowest, s->x[0][i] * sin(angle) + s->x[1][i] * cos(angle));
    }
}

static void test_slope(void **state)
{
    static const struct {
        const char *name;
        double rigidity, friction, rests; // rests: spacings from the slope
    } cases[] = {
        {"ice on a slippery slope", 1, 0, 0.5},
        {"ice that rubs", 1, 0.2, 0.5},
        {"jelly on a slippery slope", 0.9, 0, 0.5},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const double angle = M_PI / 9, spacing = 0.05;
        Stage *s = stage_openf(
            "dimension: 3\nduration: 10\nframe_rate: 20\nmethod: {type: sph, sound_speed: 10}\n"
            "fluid: [{name: block, spacing: 0.05, rigidity: %g, shape: {type: box, min: [-0.15, "
            "0.06, -0.1], max: [0.15, 0.16, 0.1]}}]\n"
            "solid: [{name: slope, friction: %g, shape: {type: plane, normal: [%.9f, %.9f, 0]}}]\n",
            cases[c].rigidity, cases[c].friction, sin(angle), cos(angle));
        double before, after, lowest;
        stage_run(s, 0.8);
        look_along(s, angle, &before, &lowest);
        const double from = ond_sim_time(s->sim);
        stage_run(s, 1.3);
        look_along(s, angle, &after, &lowest);
        const double got = (after - before) / (ond_sim_time(s->sim) - from);
        const double want = 9.81 * (sin(angle) - cases[c].friction * cos(angle));
        print_message("%s: %.3f m/s^2, want %.3f, lowest at %.3f spacings\n", cases[c].name, got,
                      want, lowest / spacing);
        CHECK_NEAR(got, want, 0.03 * want, cases[c].name);
        CHECK_NEAR(lowest / spacing, cases[c].rests, 0.05, cases[c].name);
        stage_close(s);
    }
}

// ---- friction at planes, as at the walls of test_physics.c

static double middle_speed(const Stage *s)
{
    double sum = 0, n = 0;
    for (int i = 0; i < s->count; ++i)
        if (fabs(s->x[1][i] - 0.5) < 0.06) sum += s->v[0][i], n += 1;
    return sum / n;
}

static void test_channels(void **state)
{
    static const struct {
        const char *name, *move;
        double force, time[3], want[3]; // speed in the middle
    } cases[] = {
        {"Poiseuille", "", 0.8, {0.225, 1, 5}, {0.17862, 0.61535, 0.99258}},
        {"Couette", ", move: [\"t\", 0, 0]", 0, {0.45, 1, 5}, {0.09558, 0.26276, 0.49542}},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s = stage_openf(
            "dimension: 2\nduration: 20\nframe_rate: 200\ngravity: [%g, 0]\n"
            "method: {type: sph, sound_speed: 15, artificial: 0}\n"
            "domain: {min: [0, -1], max: [0.4, 2], x: periodic, y: open}\n"
            "fluid: [{spacing: 0.04, density: 1, viscosity: 0.1, shape: {type: box, min: [0, 0], "
            "max: [0.4, 1]}}]\n"
            "solid:\n  - {name: floor, slip: 0, shape: {type: plane, normal: [0, 1]}}\n"
            "  - {name: lid, slip: 0, shape: {type: plane, normal: [0, -1], point: [0, 1]}%s}\n",
            cases[c].force, cases[c].move);
        for (int k = 0; k < 3; ++k) {
            stage_run(s, cases[c].time[k]);
            const double got = middle_speed(s);
            print_message("%s between planes, t = %.3f: %.5f, want %.5f (%+.4f)\n", cases[c].name,
                          cases[c].time[k], got, cases[c].want[k], got - cases[c].want[k]);
            CHECK_NEAR(got, cases[c].want[k], 0.01, cases[c].name);
        }
        stage_close(s);
    }
}

// ---- a drop sits on a floor as half a disc: no tension where they touch

static void test_drop(void **state)
{
    Stage *s = stage_open(
        "dimension: 2\nduration: 1\nframe_rate: 1000\ngravity: [0, 0]\nfluid: [{spacing: 0.0002, "
        "tension: 0.07, viscosity: 0.02, shape: {type: box, min: [-0.001, 0], max: [0.001, "
        "0.002]}}]\nsolid: [{name: floor, shape: {type: plane, normal: [0, 1]}}]\n");
    const double radius = sqrt(2 * s->count * 4e-8 / M_PI);
    double high = 0, wide = 0;
    stage_run(s, 0.02);
    for (int k = 0; k < 12; ++k) { // it still swings a little
        stage_run(s, ond_sim_time(s->sim) + 0.001);
        double top = 0, side = 0;
        for (int i = 0; i < s->count; ++i)
            top = fmax(top, s->x[1][i]), side = fmax(side, fabsf(s->x[0][i]));
        high += (top + 1e-4) / 12, wide += (side + 1e-4) / 12;
    }
    print_message("drop on a floor: %.3f mm high, %.3f mm to the side; half a disc has %.3f\n",
                  1e3 * high, 1e3 * wide, 1e3 * radius);
    CHECK_NEAR(high, radius, 0.15 * radius, "height of a drop");
    CHECK_NEAR(wide, radius, 0.15 * radius, "width of a drop");
    stage_close(s);
}

// ---- heat

// A slab between a hot plane and a cold one: after long enough, linear; as far on the way as
// between walls of the domain.
static double warmed(bool solid, double *middle)
{
    Still b = strip(10, 6, 6, 0.01);
    OndSolids *solids = NULL;
    const OndSolidDef def[2] = {
        {.name = "hot", .kind = OND_SOLID_PLANE, .slip = 1, .heats = true, .temperature = 1},
        {.name = "cold", .kind = OND_SOLID_PLANE, .slip = 1, .heats = true, .temperature = 0},
    };
    if (solid) {
        const double half = sqrt(0.5);
        const OndSolidState left = {.pose = {{0, 0, 0}, half, 0, 0, -half}};
        const OndSolidState right = {.pose = {{0.1, 0, 0}, half, 0, 0, half}};
        solids = ond_solids_create(def, 2, 0.01, false, NULL);
        assert_non_null(solids);
        ond_solids_place(solids, 0, &left), ond_solids_place(solids, 1, &right);
        b.world.solids = solids;
        set_sides(&b, OND_SIDE_OPEN, OND_SIDE_PERIODIC, OND_SIDE_PERIODIC);
    } else {
        b.world.wall_model = OND_WALL_PROJECT;
        warm_side(&b, 0, 1), warm_side(&b, 1, 0);
    }
    b.world.air_exchange = 1000; // no air gets to what the planes cover
    b.world.air_temperature = 50;
    open_still(&b);
    for (int k = 0; k < 20; ++k)
        spread(&b, 20);
    const double early = at_x(&b, 0.025);
    for (int k = 0; k < 60; ++k)
        spread(&b, 200);
    *middle = at_x(&b, 0.05);
    const double late = at_x(&b, 0.015);
    CHECK_NEAR(late, 0.85, 0.01, "temperature a layer and a half from the hot side");
    close_still(&b);
    ond_solids_destroy(solids);
    return early;
}

static void test_heat(void **state)
{
    double middle[2];
    const double wall = warmed(false, &middle[0]), solid = warmed(true, &middle[1]);
    print_message("heated by contact: %.4f C on the way by walls, %.4f by solids; %.4f and %.4f "
                  "in the middle in the end\n",
                  wall, solid, middle[0], middle[1]);
    CHECK_NEAR(solid, wall, 0.01, "temperature on the way");
    CHECK_NEAR(middle[1], 0.5, 0.01, "temperature in the middle");
}

// A drop comes back from solids as from a wall, with the share of what is left of its speed when
// it touches: pressure has braked it before.
static double bounce(const char *floor, double restitution)
{
    char yaml[900], text[300];
    snprintf(text, sizeof text, floor, restitution);
    snprintf(yaml, sizeof yaml,
             "gravity: [0, 0, 0]\nduration: 1\nframe_rate: 10\n"
             "method: {sound_speed: 10, smoothing: 2}\n" // the default is not the same at a wall
             "fluid: [{spacing: 0.1, velocity: [0.5, -4, 0],\n"
             "  shape: {type: box, min: [0, 0.3, 0], max: [0.1, 0.4, 0.1]}}]\n%s",
             text);
    Stage *s = stage_open(yaml);
    stage_run(s, 0.5);
    CHECK_NEAR(s->v[0][0], 0.5, 1e-3, "along the floor");
    const double v = s->v[1][0];
    stage_close(s);
    return v;
}

static void test_restitution(void **state)
{
    static const char *const wall = "domain: {min: [-9, 0, -9], max: [9, 9, 9], restitution: %g}\n";
    static const char *const floors[] = {
        "solid: [{shape: {type: plane}, restitution: %g}]\n",
        "solid: [{shape: {type: box, min: [-9, -1, -9], max: [9, 0, 9]}, restitution: %g}]\n",
        "solid: [{use: container, shape: {type: box, min: [-9, 0, -9], max: [9, 9, 9]},\n"
        "  restitution: %g}]\n",
    };
    for (int f = 0; f < OND_COUNT(floors); ++f) {
        const double whole = bounce(floors[f], 1);
        CHECK_NEAR(whole, bounce(wall, 1), 0.1, floors[f]);
        CHECK_NEAR(bounce(floors[f], 0.5), 0.5 * whole, 1e-3, floors[f]);
        CHECK_NEAR(bounce(floors[f], 0), 0, 1e-3, floors[f]);
    }
}

int main(void)
{
    ond_threads_set(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_restitution),
    };
    return cmocka_run_group_tests_name("sph_solids_scenes", tests, NULL, NULL);
}

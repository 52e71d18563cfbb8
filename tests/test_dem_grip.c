// SPDX-License-Identifier: MIT
// ctest: slow
// Grains that grip: slopes hold up to the angle of friction and not beyond, heaps stand still, and
// nothing else that holds for grains is lost.
#include "base/random.h"
#include "same_bits.h"
#include "scene_text.h"

static double middle(const Stage *s, int axis)
{
    double sum = 0;
    for (int i = 0; i < s->count; ++i)
        sum += s->x[axis][i];
    return sum / s->count;
}

static double fastest(const Stage *s)
{
    double most = 0;
    for (int i = 0; i < s->count; ++i)
        most = fmax(most, hypot(hypot(s->v[0][i], s->v[1][i]), s->v[2][i]));
    return most;
}

static void shake(Stage *s, double share)
{
    for (int a = 0; a < s->scene.dimension; ++a)
        for (int i = 0; i < s->count; ++i)
            s->x[a][i] +=
                (float)(share * s->scene.spacing * (2 * ond_random((uint64_t)i, (uint64_t)a) - 1));
}

// One grain on what is a slope because gravity is tilted: a wall, a box, a plane. Below
// the angle of friction it comes to rest, above it slides with what friction leaves.
static void test_one_grain_on_a_slope(void **state)
{
    static const struct {
        const char *name, *floor;
    } floors[] = {
        {"wall", "domain: {min: [-9, 0, -9], max: [9, 9, 9]}\n"},
        {"box", "solid: [{shape: {type: box, min: [-9, -1, -9], max: [9, 0, 9]}}]\n"},
        {"plane", "solid: [{shape: {type: plane, point: [0, 0, 0]}}]\n"},
    };
    static const struct {
        double along, friction, faster; // gravity along the floor; acceleration, m/s^2
    } cases[] = {{3, 0.5, 0}, {4, 0.5, 0}, {5, 0.5, 5 - 4.5}, {3, 0.2, 3 - 1.8}, {3, 0, 3}};
    (void)state;
    for (int f = 0; f < OND_COUNT(floors); ++f)
        for (int c = 0; c < OND_COUNT(cases); ++c) {
            char yaml[900], name[80];
            snprintf(yaml, sizeof yaml,
                     "gravity: [%g, -9, 0]\nduration: 1\nframe_rate: 10\n%s"
                     "method: {type: dem, stiffness: 3000, sliding: grip, friction: %g}\n"
                     "fluid: [{spacing: 0.1, density: 1000,\n"
                     "  shape: {type: box, min: [0, -0.003, 0], max: [0.1, 0.097, 0.1]}}]\n",
                     cases[c].along, floors[f].floor, cases[c].friction);
            snprintf(name, sizeof name, "%s, %g m/s^2, friction %g", floors[f].name, cases[c].along,
                     cases[c].friction);
            Stage *s = stage_open(yaml);
            CHECK_NEAR(s->count, 1, 0, name);
            stage_run(s, 0.5);
            const double v = s->v[0][0], x = s->x[0][0];
            stage_run(s, 1);
            CHECK_NEAR(2 * (s->v[0][0] - v), cases[c].faster, 0.01, name);
            if (!(cases[c].faster > 0)) CHECK_NEAR(s->x[0][0], x, 1e-5, name);
            stage_close(s);
        }
}

// A grain in the groove between two faces of one box, which are as near and take turns at being the
// nearer one. Below the angle of friction it stays where it is.
static void test_one_grain_in_a_groove(void **state)
{
    (void)state;
    // two faces push with cos 45 each: together sqrt 2 times as hard as one floor would
    static const struct {
        double along, faster;
    } cases[] = {{3, 0}, {6, 0}, {8, 8 - 0.5 * 9 * 1.41421356}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[900], name[40];
        snprintf(yaml, sizeof yaml,
                 "gravity: [-6.363961, -6.363961, %g]\nduration: 1\nframe_rate: 10\n"
                 "method: {type: dem, stiffness: 3000, sliding: grip, friction: 0.5}\n"
                 "solid: [{use: container, shape: {type: box, min: [0, 0, -9], max: [2, 2, 9]}}]\n"
                 "fluid: [{spacing: 0.1, density: 1000,\n"
                 "  shape: {type: box, min: [-0.003, -0.001, 0], max: [0.097, 0.099, 0.1]}}]\n",
                 cases[c].along);
        snprintf(name, sizeof name, "groove, %g m/s^2", cases[c].along);
        Stage *s = stage_open(yaml);
        CHECK_NEAR(s->count, 1, 0, name);
        stage_run(s, 0.5);
        const double v = s->v[2][0], z = s->x[2][0];
        stage_run(s, 1);
        CHECK_NEAR(2 * (s->v[2][0] - v), cases[c].faster, 0.02, name);
        if (!(cases[c].faster > 0)) CHECK_NEAR(s->x[2][0], z, 1e-5, name);
        stage_close(s);
    }
}

// A grain that rocks in the groove without any loss, so that its faces take turns at being the
// nearer one. Each holds with k along its normal and with k/2 along itself: a mass on 3/2 k along
// both axes. A spring that forgot, or took another face's stretch, would be softer or lose energy.
static void test_one_grain_rocks_in_a_groove(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "gravity: [-6, -5.1, 0]\nduration: 1\nframe_rate: 10\n"
        "method: {type: dem, stiffness: 3000, sliding: grip, friction: 0.9, restitution: 1,\n"
        "  shear: 0, stability: 0.01}\n"
        "solid: [{use: container, shape: {type: box, min: [0, 0, -9], max: [2, 2, 9]}}]\n"
        "fluid: [{spacing: 0.1, density: 1000,\n"
        "  shape: {type: box, min: [-0.002, -0.0017, 0], max: [0.098, 0.0983, 0.1]}}]\n");
    s->v[0][0] = 0.04f; // 0.6 mm, at 2 mm of overlap; with the other face 1.7 mm
    double most = 0, first = -1, last = 0, before = s->v[0][0], then = 0;
    int turns = 0; // of v, upwards
    while (!ond_sim_done(s->sim)) {
        stage_step(s);
        const double v = s->v[0][0], now = ond_sim_time(s->sim);
        if (before < 0 && v >= 0) {
            last = then + (now - then) * before / (before - v);
            if (first < 0)
                first = last;
            else
                ++turns;
        }
        if (now > 0.8) most = fmax(most, fabs(v));
        before = v, then = now;
    }
    const double period = (last - first) / turns, want = 2 * M_PI / sqrt(1.5 * 3000);
    print_message("rocks %d times, %.4f s each, expected %.4f; %.4f m/s of 0.04 are left\n", turns,
                  period, want, most);
    CHECK_NEAR(period, want, 0.02 * want, "period");
    CHECK_NEAR(most, 0.04, 0.002, "speed after 0.8 s");
    stage_close(s);
}

/// How far a block of grains goes along a floor tilted by `degrees`, in its second second.
static double creep(const char *sliding, double degrees)
{
    char yaml[900];
    snprintf(yaml, sizeof yaml,
             "gravity: [%g, %g, 0]\nduration: 2\nframe_rate: 10\n"
             "domain: {min: [-9, 0, -9], max: [9, 9, 9], restitution: 0.1}\n"
             "method: {type: dem, friction: 0.5, restitution: 0.1, sliding: %s}\n"
             "fluid: [{spacing: 0.05, density: 1600,\n"
             "  shape: {type: box, min: [0, 0, 0], max: [0.6, 0.15, 0.4]}}]\n",
             9.81 * sin(degrees * M_PI / 180), -9.81 * cos(degrees * M_PI / 180), sliding);
    Stage *s = stage_open(yaml);
    stage_run(s, 1);
    const double before = middle(s, 0);
    stage_run(s, 2);
    const double way = middle(s, 0) - before;
    stage_close(s);
    return way;
}

static void test_block_on_a_slope(void **state)
{
    (void)state;
    CHECK_NEAR(creep("grip", 18), 0, 1e-4, "below the angle of friction, 27 degrees");
    const double slides = creep("grip", 35), creeps = creep("drag", 18);
    print_message("a block in the second second: %.3g m on 35 degrees, by drag %.3g m on 18\n",
                  slides, creeps);
    if (slides < 0.5) fail_msg("above the angle of friction it stays: %g m", slides);
    if (creeps < 0.01) fail_msg("without springs it does not creep: %g m", creeps);
}

#define COLUMN                                                                                     \
    "fluid: [{spacing: 0.03, density: 1600,\n"                                                     \
    "  shape: {type: cylinder, from: [0, 0, 0], to: [0, 0.3, 0], radius: 0.12}}]\n"

#define POURED                                                                                     \
    "fluid: [{spacing: 0.03, density: 1600}]\n"                                                    \
    "emitter: [{center: [0, 0.3, 0], radius: 0.06, rate: 0.02, to: 0.8}]\n"

// A column falls to a heap, or one is poured; that stands, with a slope, and stays as it is.
static void test_heap_stands(void **state)
{
    static const struct {
        const char *name, *grains;
        double least, most; // degrees
    } cases[] = {{"column", COLUMN, 15, 21}, {"poured", POURED, 15, 21}};
    (void)state;
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[900];
        snprintf(yaml, sizeof yaml,
                 "duration: 4\nframe_rate: 10\ndomain: {min: [-3, 0, -3], max: [3, 1, 3]}\n"
                 "method: {type: dem, friction: 0.3, sliding: grip}\n%s",
                 cases[c].grains);
        Stage *s = stage_open(yaml);
        shake(s, 0.1);
        stage_run(s, 2.5);
        double wide = 0;
        const double height = middle(s, 1);
        for (int i = 0; i < s->count; ++i)
            wide += hypot(s->x[0][i], s->x[2][i]) / s->count;
        stage_run(s, 3.5);
        // a cone of radius R and height H has its grains at R/2 from its axis and at H/4 in the
        // mean
        const double angle = atan2(4 * height, 2 * wide) * 180 / M_PI;
        print_message(
            "%s: mean height %.3f m, mean radius %.3f m, %.1f degrees; fastest %.2g m/s\n",
            cases[c].name, height, wide, angle, fastest(s));
        if (angle < cases[c].least || angle > cases[c].most)
            fail_msg("%s: %g degrees is no heap", cases[c].name, angle);
        CHECK_NEAR(fastest(s), 0, 5e-5, "speed of the fastest after 3.5 s");
        CHECK_NEAR(middle(s, 1) / height, 1, 1e-3, "height of the middle, after another second");
        stage_close(s);
    }
}

// What grains do to each other cancels, springs included; also where grains are pressed so far into
// each other that they touch more of them (18 in a lattice of 0.6 diameters) than they can
// remember.
static void test_momentum(void **state)
{
    static const struct {
        const char *name;
        float apart; // of a diameter
    } cases[] = {{"side by side", 1.0f}, {"more contacts than slots", 0.6f}};
    (void)state;
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s = stage_open("gravity: [0, 0, 0]\nduration: 1\nframe_rate: 100\n"
                              "method: {type: dem, sliding: grip, stiffness: 3000}\n"
                              "fluid: [{spacing: 0.02, stretch: [-2, -3, -1], spin: [1, 2, 3],\n"
                              "  shape: {type: sphere, center: [0, 0, 0], radius: 0.13}}]\n");
        shake(s, 0.1);
        for (int k = 0; k < 3 * s->count; ++k)
            s->x[k % 3][k / 3] *= cases[c].apart;
        double before[3] = {0, 0, 0}, after[3] = {0, 0, 0}, scale = 0;
        for (int k = 0; k < 3 * s->count; ++k)
            before[k % 3] += s->v[k % 3][k / 3];
        stage_run(s, 0.2);
        for (int k = 0; k < 3 * s->count; ++k) {
            after[k % 3] += s->v[k % 3][k / 3];
            scale += fabs(s->v[k % 3][k / 3]);
        }
        for (int a = 0; a < 3; ++a) {
            print_message("%s: momentum off by %.2g\n", cases[c].name,
                          fabs(after[a] - before[a]) / scale);
            CHECK_NEAR(after[a], before[a], 1e-7 * scale, cases[c].name);
        }
        stage_close(s);
    }
}

// Springs give back no more than they took: a lump that is thrown on a floor and falls apart never
// has more energy than at the start.
static void test_energy_does_not_grow(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "duration: 0.6\nframe_rate: 100\ndomain: {min: [-3, 0, -3], max: [3, 1, 3]}\n"
        "method: {type: dem, friction: 0.5, sliding: grip, restitution: 1, shear: 0}\n"
        "fluid: [{spacing: 0.03, density: 1600, velocity: [2, -1, 0], spin: [3, 0, 2],\n"
        "  shape: {type: cylinder, from: [0, 0.1, 0], to: [0, 0.4, 0], radius: 0.12}}]\n");
    OndStepRecord record;
    stage_step(s);
    ond_sim_record(s->sim, &record);
    const double first = record.kinetic + record.potential;
    double last = first;
    while (!ond_sim_done(s->sim)) {
        stage_step(s);
        ond_sim_record(s->sim, &record);
        last = record.kinetic + record.potential;
        if (last > 1.001 * first)
            fail_msg("t = %g s: %g J, at the start %g J", ond_sim_time(s->sim), last, first);
    }
    print_message("energy: %.1f J of %.1f J are left after 0.6 s\n", last, first);
    if (last > 0.9 * first) fail_msg("nothing rubbed: %g J of %g J are left", last, first);
    stage_close(s);
}

static const Play plays[] = {
    {"column", 500,
     "domain: {min: [-3, 0, -3], max: [3, 1, 3]}\n"
     "method: {type: dem, friction: 0.5, sliding: grip}\n" COLUMN},
    {"periodic channel", 300,
     "dimension: 2\ngravity: [1, -2]\nmethod: {type: dem, sliding: grip, overlap: 0.2}\n"
     "domain: {min: [0, 0], max: [1, 1], x: periodic, sides: [{side: +y, velocity: [1, 0]}]}\n"
     "fluid: [{spacing: 0.02, stretch: [0.5, 1], shape: {type: box, min: [0, 0.1], max: [1, "
     "0.6]}}]\n"},
    {"drum, poured", 400,
     "method: {type: dem, sliding: grip}\nfluid: [{spacing: 0.04, density: 1600}]\n"
     "emitter: [{center: [0.05, 0.3, 0], radius: 0.1, rate: 0.1}]\n"
     "solid: [{use: container, turn_by: [0, 0, \"90*t\"],\n"
     "  shape: {type: cylinder, from: [0, 0, -0.2], to: [0, 0, 0.2], radius: 0.5}}]\n"},
};

static void test_any_number_of_threads(void **state)
{
    (void)state;
    for (int p = 0; p < OND_COUNT(plays); ++p)
        check_threads(&plays[p]);
    ond_threads_set(0);
}

static void test_resumed(void **state)
{
    (void)state;
    for (int p = 0; p < OND_COUNT(plays); ++p)
        check_resume(&plays[p]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_grain_on_a_slope),
        cmocka_unit_test(test_one_grain_in_a_groove),
        cmocka_unit_test(test_one_grain_rocks_in_a_groove),
        cmocka_unit_test(test_block_on_a_slope),
        cmocka_unit_test(test_heap_stands),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_energy_does_not_grow),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_resumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// ctest: slow
// Solid blocks against walls, against each other and in water.
#include "base/parallel.h"
#include "solids.h"

// ---- a block on a slope: gravity is tilted instead of the floor

static Stage *on_slope(int dimension, double angle, double friction)
{
    const double g = 9.81, depth = dimension == 3 ? 0.3 : 0;
    return stage_openf("dimension: %d\ngravity: [%.9g, %.9g, 0]\n"
                       "domain: {min: [0, 0, %g], max: [9, 2, %g], friction: %g}\n"
                       "fluid: [{spacing: 0.05, rigidity: 1,\n"
                       "  shape: {type: box, min: [0.5, 0, 0], max: [1.1, 0.2, %g]}}]\n",
                       dimension, g * sin(angle), -g * cos(angle), dimension == 3 ? -0.5 : 0,
                       dimension == 3 ? 0.8 : 0, friction, depth);
}

static void test_slope(void **state)
{
    (void)state;
    static const struct {
        int dimension;
        double degrees, friction;
    } cases[] = {
        {2, 0, 0.1},   {2, 10, 0},    {2, 10, 0.1}, {2, 10, 0.17}, {2, 10, 0.19},
        {2, 30, 0.3},  {2, 30, 0.55}, {2, 30, 0.6}, {3, 10, 0.1},  {3, 10, 0.17},
        {3, 10, 0.19}, {3, 30, 0.3},  {3, 30, 0.6}, {3, 0, 0},
    };
    int wrong = 0;
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const double angle = cases[c].degrees * acos(-1.0) / 180, mu = cases[c].friction;
        Stage *s = on_slope(cases[c].dimension, angle, mu);
        Past past = past_of(s);
        stage_run(s, 0.25);
        const Motion from = motion_of(s, 0);
        const double start = ond_sim_time(s->sim);
        stage_run(s, 0.75);
        const Motion to = motion_of(s, 0);
        const double pull = fmax(0, 9.81 * (sin(angle) - mu * cos(angle)));
        const double got = (to.velocity[0] - from.velocity[0]) / (ond_sim_time(s->sim) - start);
        const double moved = farthest_moved(&past, s, 0);
        const bool right = tan(angle) > mu ? fabs(got - pull) <= 0.05 * pull : moved < 0.1;
        print_message("%dD %2g degrees, mu %-4g: a = %.4f of %.4f, moved %.4f spacings, lengths "
                      "%.1g, tilt %.2g %s\n",
                      cases[c].dimension, cases[c].degrees, mu, got, pull, moved,
                      worst_stretch(&past, s, 3.01, 0), to.high[1] - from.high[1],
                      right ? "" : "WRONG");
        wrong += !right;
        CHECK_NEAR(to.high[1], from.high[1], 0.005, "height of the top");
        past_free(&past);
        stage_close(s);
    }
    CHECK_NEAR(wrong, 0, 0, "slopes that are wrong");
}

// ---- dropped

static void test_bounce(void **state)
{
    (void)state;
    static const double restitution[] = {0, 0.3, 0.5, 0.8};
    int wrong = 0;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int c = 0; c < OND_COUNT(restitution); ++c) {
            const double e = restitution[c], drop = 0.5, z = dimension == 3 ? 0.25 : 0;
            Stage *s = stage_openf(
                "dimension: %d\ndomain: {min: [-1, 0, %g], max: [1, 2, %g], restitution: %g}\n"
                "fluid: [{spacing: 0.05, rigidity: 1, shape: {type: box, min: [0, %g, 0],\n"
                "  max: [0.3, %g, %g]}}]\n",
                dimension, dimension == 3 ? -1.0 : 0, dimension == 3 ? 1.0 : 0, e, drop, drop + 0.3,
                z);
            Past past = past_of(s);
            stage_run(s, sqrt(2 * drop / 9.81) + 0.04);
            const double rest = 0.025;
            double top = 0, deep = 1;
            while (ond_sim_time(s->sim) < 1.0) {
                stage_step(s);
                const Motion m = motion_of(s, 0);
                top = fmax(top, m.low[1] - rest), deep = fmin(deep, m.low[1]);
            }
            const double want = e * e * drop;
            const bool right = fabs(top - want) <= 0.15 * want + 0.005;
            print_message(
                "%dD restitution %g: comes up %.4f m of %.4f, lowest %.4f, lengths %.1g%s\n",
                dimension, e, top, want, deep, worst_stretch(&past, s, 3.01, 0),
                right ? "" : " WRONG");
            wrong += !right;
            past_free(&past);
            stage_close(s);
        }
    CHECK_NEAR(wrong, 0, 0, "bounces that are wrong");
}

// Left alone on the floor for a while, a block neither sinks, nor creeps, nor shakes.
static void test_rests(void **state)
{
    (void)state;
    static const char *const walls[] = {"mirror", "project"};
    for (int w = 0; w < 2; ++w)
        for (int dimension = 2; dimension <= 3; ++dimension) {
            Stage *s = stage_openf(
                "dimension: %d\ndomain: {min: [-1, 0, %g], max: [1, 2, %g], walls: %s}\n"
                "fluid: [{spacing: 0.05, rigidity: 1, shape: {type: box, min: [0, 0.2, 0],\n"
                "  max: [0.3, 0.5, %g]}}]\n",
                dimension, dimension == 3 ? -1.0 : 0, dimension == 3 ? 1.0 : 0, walls[w],
                dimension == 3 ? 0.25 : 0);
            stage_run(s, 0.5);
            Past past = past_of(s);
            const Motion then = motion_of(s, 0);
            stage_run(s, 1.5);
            const Motion now = motion_of(s, 0);
            print_message("%dD, %s: lowest %.4f, later %.4f m, moved %.3g spacings, speed %.2g\n",
                          dimension, walls[w], then.low[1], now.low[1], farthest_moved(&past, s, 0),
                          now.speed);
            CHECK_NEAR(farthest_moved(&past, s, 0), 0, 0.02, "creeps");
            CHECK_NEAR(now.speed, 0, 0.01, "speed");
            if (now.low[1] < -1e-5 || now.low[1] > 0.05) fail_msg("stands at %g", now.low[1]);
            past_free(&past);
            stage_close(s);
        }
}

// Lands on an edge: comes to rest in the end.
static void test_lands_on_edge(void **state)
{
    (void)state;
    Stage *s =
        stage_open("domain: {min: [-1, 0, -1], max: [1, 2, 1], friction: 0.3}\n"
                   "fluid: [{spacing: 0.05, rigidity: 1, spin: [0, 0, 2.4], shape: {type: box,\n"
                   "  min: [0, 0.5, 0], max: [0.3, 0.8, 0.3]}}]\n");
    stage_run(s, 3);
    const Motion m = motion_of(s, 0);
    print_message("on an edge: after 3 s %.3f m high, speed %.3g\n", m.high[1] - m.low[1], m.speed);
    CHECK_NEAR(m.speed, 0, 0.02, "speed");
    CHECK_NEAR(m.high[1] - m.low[1], 0.25, 0.005, "lies flat");
    stage_close(s);
}

// ---- two bodies

static void test_collide(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int dimension;
        double offset, second_density, speed;
    } cases[] = {
        {"head on, 2D", 2, 0, 1000, 1},   {"head on", 3, 0, 1000, 1},
        {"off centre", 3, 0.15, 1000, 1}, {"heavy one", 3, 0, 5000, 1},
        {"fast", 3, 0.1, 1000, 5},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const double z = cases[c].dimension == 3 ? 0.2 : 0;
        Stage *s =
            stage_openf("dimension: %d\ngravity: [0, 0, 0]\nfluid:\n"
                        "  - {spacing: 0.05, density: 1000, rigidity: 1, velocity: [%g, 0, 0],\n"
                        "     shape: {type: box, min: [0, 0, 0], max: [0.2, 0.3, %g]}}\n"
                        "  - {spacing: 0.05, density: %g, rigidity: 1,\n"
                        "     shape: {type: box, min: [0.4, %g, 0], max: [0.6, %g, %g]}}\n",
                        cases[c].dimension, cases[c].speed, z, cases[c].second_density,
                        cases[c].offset, cases[c].offset + 0.3, z);
        Past past = past_of(s);
        const Motion was = motion_of(s, -1);
        double nearest = 1;
        const uint32_t *material = words_of(s, "material");
        while (ond_sim_time(s->sim) < 0.8 / cases[c].speed) {
            stage_step(s);
            material = words_of(s, "material");
            for (int i = 0; i < s->count; ++i)
                for (int j = 0; j < i; ++j)
                    if (material[i] != material[j]) nearest = fmin(nearest, length_now(s, i, j));
        }
        const Motion a = motion_of(s, 0), b = motion_of(s, 1);
        const double stretch =
            fmax(worst_stretch(&past, s, 3.01, 0), worst_stretch(&past, s, 3.01, 1));
        print_message("%-12s nearest %.3f spacings, %.4f and %.4f m/s after, %d pieces, centre off "
                      "by %.2g m, lengths %.2g\n",
                      cases[c].name, nearest / 0.05, a.velocity[0], b.velocity[0], count_pieces(s),
                      astray(s, &was), stretch);
        check_sane(s, 3 * cases[c].speed, cases[c].name);
        CHECK_NEAR(astray(s, &was), 0, 2e-6, "the centre of all");
        CHECK_NEAR(count_pieces(s), 2, 0, "pieces");
        CHECK_NEAR(stretch, 0, 1e-4, "lengths");
        if (nearest < 0.5 * 0.05) fail_msg("%s: %g spacings", cases[c].name, nearest / 0.05);
        if (cases[c].offset == 0 && b.velocity[0] < a.velocity[0] - 1e-3)
            fail_msg("%s: goes through", cases[c].name);
        past_free(&past);
        stage_close(s);
    }
}

static void test_stacked(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        const double z = dimension == 3 ? 0.3 : 0;
        Stage *s = stage_openf(
            "dimension: %d\ndomain: {min: [-1, 0, %g], max: [1, 2, %g], friction: 0.5}\nfluid:\n"
            "  - {spacing: 0.05, rigidity: 1, shape: {type: box, min: [0, 0, 0], max: [0.4, 0.2, "
            "%g]}}\n"
            "  - {spacing: 0.05, rigidity: 1, shape: {type: box, min: [0.1, 0.3, 0], max: [0.3, "
            "0.5, %g]}}\n",
            dimension, dimension == 3 ? -1.0 : 0, dimension == 3 ? 1.0 : 0, z, z);
        Past past = past_of(s);
        stage_run(s, 1.5);
        const Motion low = motion_of(s, 0), top = motion_of(s, 1);
        print_message("%dD: lower %.4f to %.4f, upper from %.4f m, speeds %.2g %.2g, moved %.3g "
                      "and %.3g spacings\n",
                      dimension, low.low[1], low.high[1], top.low[1], low.speed, top.speed,
                      farthest_moved(&past, s, 0), farthest_moved(&past, s, 1));
        CHECK_NEAR(count_pieces(s), 2, 0, "pieces");
        CHECK_NEAR(top.low[1] - low.high[1], 0.05, 0.025, "gap of the stack");
        CHECK_NEAR(top.center[0], 0.2, 0.02, "the upper one stays over the lower one");
        CHECK_NEAR(fmax(low.speed, top.speed), 0, 0.05, "at rest");
        past_free(&past);
        stage_close(s);
    }
}

// ---- in water

static void test_floats(void **state)
{
    (void)state;
    static const struct {
        double density, under, within; // share of the height under water
    } cases[] = {{500, 0.5, 0.15}, {900, 0.9, 0.15}, {2000, 9, 0}};
    int wrong = 0;
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s = stage_openf(
            "dimension: 2\ndomain: {min: [0, 0], max: [1.6, 2]}\nfluid:\n"
            "  - {spacing: 0.04, density: 1000, shape: {type: box, min: [0, 0], max: [1.6, 0.8]}}\n"
            "  - {spacing: 0.04, density: %g, rigidity: 1,\n"
            "     shape: {type: box, min: [0.6, 0.84], max: [1, 1.16]}}\n",
            cases[c].density);
        stage_run(s, 2);
        double low = 0, deep = 0, high = 0;
        int samples = 0;
        for (double t = 2; t < 3; t += 0.1, ++samples) {
            stage_run(s, t);
            const Motion m = motion_of(s, 1);
            low += m.low[1] - 0.02, high += m.high[1] + 0.02;
            int count = 0;
            double level = 0; // of the water at the sides: top particles of columns
            for (int column = 0; column < 10; ++column) {
                double top = 0;
                for (int i = 0; i < s->count; ++i)
                    if (counts(s, i, 0) && fabs(s->x[0][i] - 0.04 * column - 0.02) < 0.02)
                        top = fmax(top, s->x[1][i] + 0.02);
                level += top, ++count;
            }
            deep += level / count;
        }
        low /= samples, high /= samples, deep /= samples;
        const double under = (deep - low) / (high - low);
        const bool right =
            cases[c].density > 1000 ? low < 0.06 : fabs(under - cases[c].under) <= cases[c].within;
        print_message("density %g: from %.3f to %.3f m, water level %.3f: %.2f under%s\n",
                      cases[c].density, low, high, deep, under, right ? "" : " WRONG");
        wrong += !right;
        check_sane(s, 5, "in water");
        if (deep < 0.8) fail_msg("the water has not risen: %g", deep);
        stage_close(s);
    }
    CHECK_NEAR(wrong, 0, 0, "blocks that float wrongly");
}

// A block and a drop collide in the open.
static void test_block_and_drop(void **state)
{
    (void)state;
    Stage *s =
        stage_open("gravity: [0, 0, 0]\nfluid:\n"
                   "  - {spacing: 0.05, density: 1000, velocity: [2, 0, 0],\n"
                   "     shape: {type: sphere, center: [0, 0, 0], radius: 0.25}}\n"
                   "  - {spacing: 0.05, density: 700, rigidity: 1,\n"
                   "     shape: {type: box, min: [0.4, -0.1, -0.2], max: [0.6, 0.35, 0.2]}}\n"
                   "  - {spacing: 0.05, density: 700, rigidity: 0.9, velocity: [0, -1, 0],\n"
                   "     shape: {type: box, min: [0, 0.4, -0.2], max: [0.3, 0.55, 0.2]}}\n");
    const Motion was = motion_of(s, -1);
    Past past = past_of(s);
    stage_run(s, 0.5);
    const Motion is = motion_of(s, -1), block = motion_of(s, 1);
    print_message(
        "block and drop: centre off by %.2g m, angular %.2g, block at %.3f m/s, lengths %.2g\n",
        astray(s, &was), gap_of(is.turn, was.turn) / size_of(was.turn), block.velocity[0],
        worst_stretch(&past, s, 3.01, 1));
    check_sane(s, 10, "block and drop");
    CHECK_NEAR(astray(s, &was), 0, 2e-6, "the centre of all");
    CHECK_NEAR(gap_of(is.turn, was.turn) / size_of(was.turn), 0, 0.01, "angular momentum");
    CHECK_NEAR(worst_stretch(&past, s, 3.01, 1), 0, 1e-4, "lengths");
    if (block.velocity[0] < 0.1) fail_msg("the block is not pushed: %g m/s", block.velocity[0]);
    past_free(&past);
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope),   cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_rests),   cmocka_unit_test(test_lands_on_edge),
        cmocka_unit_test(test_collide), cmocka_unit_test(test_stacked),
        cmocka_unit_test(test_floats),  cmocka_unit_test(test_block_and_drop),
    };
    ond_threads_set(1); // small scenes
    return cmocka_run_group_tests_name("rigid bodies", tests, NULL, NULL);
}

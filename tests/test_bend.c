// SPDX-License-Identifier: MIT
// What is between liquid and solid bends, swings and tears as bodies do.
#include "base/parallel.h"
#include "solids.h"

// ---- a bar, clamped at its left end (x < 0), hanging over nothing

#define LENGTH 1.0
#define HEIGHT 0.2

typedef struct Bar {
    double sag;   // of the tip's middle line, m
    double shear; // of the middle line between x = 0 and two spacings further, m
    double slope; // of the middle line near the tip
    double tilt; // of the last cross-section: how far its top lies before its bottom, by its height
    double reach; // x of the tip's middle line
} Bar;

// Mean place of the particles that were in a strip across the bar.
static void strip(Past *p, const Stage *s, const double x[2], const double y[2], double at[2])
{
    int count = 0;
    at[0] = at[1] = 0;
    for (int k = 0; k < p->count; ++k) {
        const int i = p->at[k];
        if (i < 0 || p->x[k][0] < x[0] || p->x[k][0] > x[1] || p->x[k][1] < y[0] ||
            p->x[k][1] > y[1])
            continue;
        at[0] += s->x[0][i], at[1] += s->x[1][i], ++count;
    }
    assert_true(count > 0);
    at[0] /= count, at[1] /= count;
}

static Bar look_at_bar(Past *p, const Stage *s)
{
    const double d = s->scene.spacing, all[2] = {-1, 1}, end = LENGTH - 1.1 * d;
    double root[2], near[2], mid[2], tip[2], top[2], bottom[2];
    past_find(p, s);
    strip(p, s, (double[]){0, 1.1 * d}, all, root);
    strip(p, s, (double[]){2 * d, 3.1 * d}, all, near);
    strip(p, s, (double[]){LENGTH - 5.1 * d, LENGTH - 4 * d}, all, mid);
    strip(p, s, (double[]){end, LENGTH}, all, tip);
    strip(p, s, (double[]){end, LENGTH}, (double[]){HEIGHT - 1.1 * d, HEIGHT}, top);
    strip(p, s, (double[]){end, LENGTH}, (double[]){0, 1.1 * d}, bottom);
    return (Bar){.sag = 0.5 * HEIGHT - tip[1],
                 .shear = root[1] - near[1],
                 .slope = (mid[1] - tip[1]) / (tip[0] - mid[0]),
                 .tilt = (top[0] - bottom[0]) / (top[1] - bottom[1]),
                 .reach = tip[0]};
}

static Bar bend(int dimension, double rigidity, double time, const char *clamp)
{
    const double depth = dimension == 3 ? 0.15 : 0;
    Stage *s =
        stage_openf("dimension: %d\nfluid:\n"
                    "  - {spacing: 0.05, rigidity: %g, shape: {type: box, min: [-0.2, 0, 0],\n"
                    "     max: [%g, %g, %g]}, %s}\n",
                    dimension, rigidity, LENGTH, HEIGHT, depth, clamp);
    Past past = past_of(s);
    stage_run(s, time);
    check_sane(s, 10, "bar");
    const Bar bar = look_at_bar(&past, s);
    past_free(&past);
    stage_close(s);
    return bar;
}

#define CLAMP "regions: [{shape: {type: box, min: [-0.2, 0, 0], max: [0, 0.2, 0.15]}, fixed: true}]"

static void test_bar(void **state)
{
    (void)state;
    static const double dial[] = {0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1};
    for (int dimension = 2; dimension <= 3; ++dimension) {
        double last = 10;
        for (int k = 0; k < OND_COUNT(dial); ++k) {
            const Bar b = bend(dimension, dial[k], 0.4, CLAMP);
            print_message("%dD s = %.2f: sag %.4f m, %.4f at the clamp, slope %.3f, cross-section "
                          "%.3f, reach %.4f\n",
                          dimension, dial[k], b.sag, b.shear, b.slope, b.tilt, b.reach);
            if (!(b.sag < last)) fail_msg("s = %g: sags by %g, softer by %g", dial[k], b.sag, last);
            last = b.sag;
            if (b.slope < 1e-3) continue;
            // by shear alone, falling to 0 at the tip, it would sag by no more than this
            const double sheared = b.shear * 0.5 * LENGTH / 0.1;
            if (b.sag < 2 * sheared) fail_msg("s = %g: shears, sags by %g m", dial[k], b.sag);
            CHECK_NEAR(b.tilt, b.slope, 0.2 * b.slope, "cross-sections stand across the bar");
        }
        CHECK_NEAR(last, 0, 1e-5, "a solid bar stays put");
    }
}

// An arm that hangs out from a held shoulder swings in: its tip comes nearer to the body.
static void test_arm(void **state)
{
    (void)state;
    static const double dial[] = {0.8, 0.9};
    for (int k = 0; k < OND_COUNT(dial); ++k) {
        const Bar b = bend(2, dial[k], 1.0, CLAMP);
        const double swung = LENGTH - 0.5 * 0.05 - b.reach;
        print_message("arm s = %g after 1 s: sag %.3f m, tip in by %.4f m\n", dial[k], b.sag,
                      swung);
        // a line that keeps its length and sags so comes in by about sag^2 / 2
        CHECK_NEAR(swung, 0.55 * b.sag * b.sag, 0.25 * b.sag * b.sag, "the tip swings in");
    }
}

// How far the part of a bar that is beyond x = 0 sinks in 0.3 s, in the mean, m.
static double sinks(const char *fluids)
{
    Stage *s = stage_openf("dimension: 2\nfluid:\n%s", fluids);
    Past past = past_of(s);
    stage_run(s, 0.3);
    past_find(&past, s);
    double sum = 0, held = 0;
    int count = 0;
    for (int k = 0; k < past.count; ++k) {
        const double sunk = past.x[k][1] - s->x[1][past.at[k]];
        if (past.x[k][0] > 0)
            sum += sunk, ++count;
        else
            held = fmax(held, fabs(sunk));
    }
    CHECK_NEAR(held, 0, 1e-6, "the held part");
    past_free(&past);
    stage_close(s);
    return sum / count;
}

// Held by another fluid: it hangs on as if it were one with it.
static void test_held_beside(void **state)
{
    (void)state;
    const double one = sinks("  - {spacing: 0.05, rigidity: 0.9,\n"
                             "     shape: {type: box, min: [-0.2, 0], max: [0.6, 0.2]}, " CLAMP
                             "}\n"),
                 beside = sinks("  - {spacing: 0.05, rigidity: 0.9, fixed: true,\n"
                                "     shape: {type: box, min: [-0.2, 0], max: [0, 0.2]}}\n"
                                "  - {spacing: 0.05, rigidity: 0.9,\n"
                                "     shape: {type: box, min: [0, 0], max: [0.6, 0.2]}}\n");
    print_message("a bar sinks by %.5f m beside a held fluid, by %.5f m as one with it\n", beside,
                  one);
    CHECK_NEAR(beside, one, 0.02 * one, "the bar hangs on");
    if (!(beside > 1e-3)) fail_msg("the bar does not bend");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar),
        cmocka_unit_test(test_arm),
        cmocka_unit_test(test_held_beside),
    };
    ond_threads_set(1); // small scenes
    return cmocka_run_group_tests_name("bend", tests, NULL, NULL);
}

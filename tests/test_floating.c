// SPDX-License-Identifier: MIT
// ctest: slow
// Balls in water: half as heavy they float half under, as heavy they hover, twice as heavy they
// sink at the rate of a ball that must push water out of its way.
#include "solids/scene/sim_solids.h"
#include "stage.h"

#define SPACING 0.025
#define RADIUS  0.1
#define GRAVITY 9.81

typedef struct Pool {
    Stage *s;
    OndVec center; // of the ball at the start
    double width, level;
} Pool;

static Pool open_pool(double density, double height, double width, double depth, double spacing,
                      const char *method)
{
    Pool p = {NULL, {0.003, height, 0.002}, width, 0};
    char yaml[1200];
    const double w = 0.5 * width;
    snprintf(yaml, sizeof yaml,
             "gravity: [0, %g, 0]\nduration: 10\nframe_rate: 50\nmethod: {type: sph, %s}\n"
             "domain: {min: [%g, 0, %g], max: [%g, 3, %g]}\n"
             "fluid: [{spacing: %g, density: 1000,\n"
             "  shape: {type: box, min: [%g, 0, %g], max: [%g, %g, %g]}}]\n"
             "solid: [{name: ball, density: %g,\n"
             "  shape: {type: sphere, center: [%g, %g, %g], radius: %g}}]\n",
             -GRAVITY, method, -w, -w, w, w, spacing, -w, -w, w, depth, w, density, p.center.x,
             p.center.y, p.center.z, RADIUS);
    p.s = stage_open(yaml);
    return p;
}

static OndVec ball(const Pool *p)
{
    const OndSolidState *const s = ond_solids_state(ond_sim_solids(p->s->sim)->solids, 0);
    return ond_pose_out(&s->pose, p->center);
}

// Where the surface is when half of the ball is under it.
static double half_under(const Pool *p)
{
    const double water = p->s->count * pow(SPACING, 3), half = 2.0 / 3 * M_PI * pow(RADIUS, 3);
    return (water + half) / (p->width * p->width);
}

static void test_floats_half_under(void **state)
{
    Pool p = open_pool(500, 0.3, 0.6, 0.3, SPACING, "artificial: 0.3");
    stage_run(p.s, 1);
    double sum = 0;
    for (int k = 1; k <= 50; ++k) {
        stage_run(p.s, 1 + 0.02 * k);
        sum += ball(&p).y / 50;
    }
    print_message("floats at %.4f m, %.2f spacings above half under\n", sum,
                  (sum - half_under(&p)) / SPACING);
    CHECK_NEAR(sum, half_under(&p), 0.5 * SPACING, "mean height over a second");
    CHECK_NEAR(ball(&p).x, p.center.x, 2 * SPACING, "drift");
    stage_close(p.s);
}

static void test_hovers(void **state)
{
    Pool p = open_pool(1000, 0.2, 0.6, 0.4, SPACING, "artificial: 0.1");
    double most = 0;
    for (int k = 1; k <= 50; ++k) {
        stage_run(p.s, 0.02 * k);
        most = fmax(most, ond_length(ond_sub(ball(&p), p.center)));
    }
    print_message("drifts by %.2f spacings at most, %.2f after a second\n", most / SPACING,
                  ond_length(ond_sub(ball(&p), p.center)) / SPACING);
    CHECK_NEAR(most, 0, 0.5 * SPACING, "drift in a second");
    stage_close(p.s);
}

// Let go at the start: the slope of its speed over a period of the pool's own sound, so that what
// there is of its ringing averages out.
static double sinking(double spacing)
{
    Pool p = open_pool(2000, 0.35, 0.6, 0.5, spacing, "artificial: 0.002, sound_speed: 50");
    const OndSolids *const solids = ond_sim_solids(p.s->sim)->solids;
    double tt = 0, tv = 0;
    while (ond_sim_time(p.s->sim) < 0.04 - 1e-9) {
        stage_step(p.s);
        const double t = ond_sim_time(p.s->sim);
        tt += t * t, tv -= t * ond_solids_state(solids, 0)->velocity.y;
    }
    stage_close(p.s);
    return tv / tt;
}

// (rho_s - rho_f) / (rho_s + C rho_f) g. C is 0.5 in an unbounded liquid and 0.495 in this pool, by
// the potential of sources inside the ball and their images in walls, floor and surface.
static void test_sinks(void **state)
{
    static const struct {
        double fineness, within; // spacings a radius, share
    } cases[] = {{3, 0.10}, {5, 0.06}, {7, 0.045}};
    const double want = 1000.0 / 2495 * GRAVITY;
    double last = 0;
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        const double found = sinking(RADIUS / cases[k].fineness);
        print_message("sinks with %.2f of %.2f m/s^2 at %g spacings a radius\n", found, want,
                      cases[k].fineness);
        CHECK_NEAR(found, want, cases[k].within * want, "acceleration");
        if (found <= last) fail_msg("a finer ball is no nearer: %g after %g", found, last);
        last = found;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats_half_under),
        cmocka_unit_test(test_hovers),
        cmocka_unit_test(test_sinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

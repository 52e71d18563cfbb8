// SPDX-License-Identifier: MIT
// ctest: slow
// Bodies that are light against the liquid round them: it yields to them, and they stay calm.
#include "bodies.h"
#include "same_bits.h"

#define BALL  "type: sphere, center: [0, 0.35, 0], radius: 0.2"
#define BOARD "type: box, min: [-0.3, 0.3, -0.3], max: [0.3, 0.304, 0.3]"

static Stage *open_pool(const char *shape, double density, const char *method)
{
    char yaml[1200];
    snprintf(yaml, sizeof yaml,
             "duration: 10\nframe_rate: 50\nmethod: {pressure: wcsph, %s}\n"
             "domain: {min: [-0.5, 0, -0.5], max: [0.5, 1.6, 0.5]}\n"
             "fluid: [{spacing: 0.05, density: 1000,\n"
             "  shape: {type: box, min: [-0.5, 0, -0.5], max: [0.5, 0.8, 0.5]}}]\n"
             "solid: [{name: body, density: %g, shape: {%s}}]\n",
             method, density, shape);
    return stage_open(yaml);
}

// Down to bodies that weigh less than a particle of the liquid. Without weight a ball would rise by
// 2 g; it is 0.25 m below the surface, so it comes out with some 3 m/s.
static void test_calm(void **state)
{
    static const struct {
        const char *shape, *method;
        double density, end, fastest;
    } cases[] = {
        {BALL, "artificial: 0.1", 10, 0.5, 6},   {BALL, "artificial: 0.1", 1, 0.5, 6},
        {BALL, "artificial: 0.1", 0.01, 0.2, 6}, {BALL, "density: continuity", 1, 0.3, 6},
        {BALL, "artificial: 0.002", 1, 0.3, 6},  {BOARD, "artificial: 0.1", 500, 0.4, 0.2},
        {BOARD, "artificial: 0.1", 5, 0.2, 0.2},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s = open_pool(cases[c].shape, cases[c].density, cases[c].method);
        double most = 0, aside = 0;
        while (ond_sim_time(s->sim) < cases[c].end) {
            stage_step(s);
            most = fmax(most, ond_length(body(s, 0).velocity));
            aside = fmax(aside, hypot(body(s, 0).velocity.x, body(s, 0).velocity.z));
        }
        print_message("%.10s of %g kg/m^3, %s: %.2f m/s at most, %.3f aside, %.2f m up\n",
                      cases[c].shape, cases[c].density, cases[c].method, most, aside,
                      body(s, 0).pose.at.y);
        if (!(most < cases[c].fastest)) fail_msg("case %d: thrown with %g m/s", c, most);
        if (!(aside < 0.4)) fail_msg("case %d: thrown aside with %g m/s", c, aside);
        stage_close(s);
    }
}

// A tenth as heavy as water, it rises by (rho_f - rho_s) / (rho_s + k rho_f) g, where k is 1/2 in
// an ideal liquid without walls; a coarse ball takes more water along (docs/bodies.md).
static void test_rises(void **state)
{
    Stage *s = stage_open("gravity: [0, -9.81, 0]\nduration: 10\nframe_rate: 50\n"
                          "method: {type: sph, artificial: 0.002, sound_speed: 50}\n"
                          "domain: {min: [-0.4, 0, -0.4], max: [0.4, 3, 0.4]}\n"
                          "fluid: [{spacing: 0.025, density: 1000,\n"
                          "  shape: {type: box, min: [-0.4, 0, -0.4], max: [0.4, 0.5, 0.4]}}]\n"
                          "solid: [{density: 100,\n"
                          "  shape: {type: sphere, center: [0.003, 0.15, 0.002], radius: 0.1}}]\n");
    stage_run(s, 0.04); // a period of the pool's own sound
    const double a = body(s, 0).velocity.y / 0.04, k = 0.9 * 9.81 / a - 0.1;
    print_message("rises with %.2f m/s^2: takes %.2f of the water it displaces along\n", a, k);
    if (!(k > 0.45 && k < 0.75)) fail_msg("takes %g of the water along instead of 0.5", k);
    stage_close(s);
}

static OndVec momentum(const Stage *s, double mass)
{
    OndVec sum = ond_scale(body(s, 0).velocity, mass);
    for (int i = 0; i < s->count; ++i)
        sum = ond_add(sum,
                      ond_scale(ond_vec(s->v[0][i], s->v[1][i], s->v[2][i]), 1000 * pow(0.05, 3)));
    return sum;
}

// A light box shot into water stays in it; what it loses the water gains. (The first blow is
// left out: velocities look half a step ahead while it lasts.)
static void test_momentum(void **state)
{
    const double mass = 2;
    Stage *s =
        stage_open("gravity: [0, 0, 0]\nduration: 1\nframe_rate: 100\n"
                   "fluid: [{spacing: 0.05, density: 1000,\n"
                   "  shape: {type: box, min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5]}}]\n"
                   "solid: [{mass: 2, velocity: [3, 1, 0], spin: [0, 0, 4],\n"
                   "  shape: {type: box, min: [-0.2, -0.1, -0.15], max: [0.2, 0.1, 0.15]}}]\n");
    stage_run(s, 0.04);
    const OndVec early = momentum(s, mass);
    stage_run(s, 0.1);
    const OndVec late = momentum(s, mass);
    print_message("momentum %.4f %.4f %.4f, later %.4f %.4f %.4f; body %.3f m/s\n", early.x,
                  early.y, early.z, late.x, late.y, late.z, ond_length(body(s, 0).velocity));
    CHECK_NEAR(ond_length(ond_sub(late, early)), 0, 0.005 * ond_length(early), "momentum");
    CHECK_NEAR(ond_length(body(s, 0).velocity), 0, 1, "speed of what is light");
    stage_close(s);
}

// In 2D it stays in its plane.
static void test_flat(void **state)
{
    Stage *s = stage_open("dimension: 2\nduration: 1\nframe_rate: 50\n"
                          "domain: {min: [-0.5, 0], max: [0.5, 1.6]}\n"
                          "fluid: [{spacing: 0.025, density: 1000,\n"
                          "  shape: {type: box, min: [-0.5, 0], max: [0.5, 0.8]}}]\n"
                          "solid: [{density: 2, shape: {type: box, min: [-0.2, 0.2], max: [0.15, "
                          "0.3]}}]\n");
    double most = 0;
    while (ond_sim_time(s->sim) < 0.5) {
        stage_step(s);
        most = fmax(most, ond_length(body(s, 0).velocity));
    }
    print_message("flat: %.2f m/s at most, %.2f m up\n", most, body(s, 0).pose.at.y);
    if (!(most < 4)) fail_msg("thrown with %g m/s", most);
    CHECK_NEAR(body(s, 0).velocity.z, 0, 0, "out of the plane");
    CHECK_NEAR(hypot(body(s, 0).spin.x, body(s, 0).spin.y), 0, 0, "out of the plane");
    if (!(body(s, 0).pose.at.y > 0.03)) fail_msg("it did not rise: %g m", body(s, 0).pose.at.y);
    stage_close(s);
}

static void test_same_bits(void **state)
{
    const Play play = {"light ball", 40,
                       "duration: 1\nframe_rate: 50\n"
                       "domain: {min: [-0.5, 0, -0.5], max: [0.5, 1.6, 0.5]}\n"
                       "fluid: [{spacing: 0.05, density: 1000,\n"
                       "  shape: {type: box, min: [-0.5, 0, -0.5], max: [0.5, 0.8, 0.5]}}]\n"
                       "solid: [{density: 3, spin: [1, 2, 3], shape: {type: box,\n"
                       "  min: [-0.2, 0.7, -0.15], max: [0.2, 0.9, 0.1]}}]\n"};
    check_threads(&play);
    check_resume(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calm),      cmocka_unit_test(test_rises),
        cmocka_unit_test(test_momentum),  cmocka_unit_test(test_flat),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

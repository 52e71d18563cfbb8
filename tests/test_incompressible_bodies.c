// SPDX-License-Identifier: MIT
// ctest: slow
// Liquids that keep their volume and what stands, falls and floats in them: solids, rigid pieces, what
// melts. Momentum, the same bits for any number of threads and after resuming, and what is refused.
#include "bodies.h"
#include "physics/kernels.h"
#include "same_bits.h"
#include "tank.h"

#define G 9.81

#define OPEN(...)                                                                                  \
    ({                                                                                             \
        char yaml_text[3000];                                                                      \
        snprintf(yaml_text, sizeof yaml_text, __VA_ARGS__);                                        \
        stage_open(yaml_text);                                                                     \
    })

static OndStepRecord record_of(const Stage *s)
{
    OndStepRecord r;
    ond_sim_record(s->sim, &r);
    return r;
}

// Runs, and tells the most energy above that of the first step, and the fastest particle from `late`
// on.
static double watch_energy(Stage *s, double until, double late, double *fastest)
{
    double first = NAN, most = -INFINITY;
    *fastest = 0;
    while (ond_sim_time(s->sim) < until - 1e-9) {
        stage_step(s);
        const OndStepRecord r = record_of(s);
        if (isnan(first)) first = r.kinetic + r.potential;
        most = fmax(most, r.kinetic + r.potential - first);
        if (r.time > late) *fastest = fmax(*fastest, r.max_speed);
    }
    return most;
}

// ---- rigid pieces float at their depth, and nothing pumps

static double height_of(const Stage *s, uint32_t material)
{
    const uint32_t *of = ond_fields_find(&s->frame.particles, "material")->data[0];
    double sum = 0, count = 0;
    for (int i = 0; i < s->count; ++i)
        if (of[i] == material) sum += s->x[1][i], count += 1;
    return sum / count;
}

// A square of 0.2 m in a pool 1 m wide: under water by its share of the water's density.
static void check_floats(double density, const char *method, const char *rigidity)
{
    Stage *s =
        OPEN("dimension: 2\nduration: 30\nframe_rate: 50\nmethod: {%s}\n"
             "domain: {min: [0, 0], max: [1, 1]}\nfluid:\n"
             "  - {name: water, spacing: 0.02, density: 1000, shape: {type: difference, parts: "
             "[{type: box, min: [0, 0], max: [1, 0.4]}, {type: box, min: [0.4, 0.3], max: "
             "[0.6, 0.5]}]}}\n"
             "  - {name: block, spacing: 0.02, density: %g, rigidity: %s, shape: {type: box, "
             "min: [0.4, 0.3], max: [0.6, 0.5]}}\n",
             method, density, rigidity);
    double fastest;
    const double gained = watch_energy(s, 4, 3, &fastest), energy = 400 * G * 0.4;
    const double want = 0.38 + 0.04 * density / 1000 - 0.2 * density / 1000 + 0.1;
    const double got = height_of(s, 1);
    print_message("block of %g, rigidity %s, %s: at %.4f m, want %.4f; fastest %.3f m/s, gained "
                  "%.1e of its energy\n",
                  density, rigidity, method, got, want, fastest, gained / energy);
    CHECK_NEAR(got, want, 0.004, "height of a floating block, a fifth of a spacing");
    CHECK_NEAR(gained / energy, 0, 1e-3, "energy from nowhere");
    CHECK_NEAR(fastest, 0, 0.15, "fastest particle, m/s");
    stage_close(s);
}

static void test_rigid_blocks_float(void **state)
{
    (void)state;
    check_floats(250, "pressure: cg", "1");
    check_floats(500, "pressure: cg", "1");
    check_floats(800, "pressure: cg", "1");
    check_floats(500, "pressure: dfsph", "1");
}

// A bar of 240 kg on a film of two layers, which it presses out: the film bears all of it, and does not throw it up.
static void test_bar_on_film(void **state)
{
    (void)state;
    Stage *s = OPEN(
        "dimension: 2\nduration: 2\nframe_rate: 50\nmethod: {pressure: cg}\n"
        "domain: {min: [0, 0], max: [2, 1], slip: 0}\nfluid:\n"
        "  - {spacing: 0.02, density: 1000, viscosity: 1, shape: {type: box, min: [0.5, 0], max: "
        "[1.5, 0.04]}}\n"
        "  - {spacing: 0.02, density: 1000, rigidity: 1, shape: {type: box, min: [0.6, 0.04], max: "
        "[1.4, 0.34]}}\n");
    double fastest;
    const double from = height_of(s, 1), gained = watch_energy(s, 1, 0, &fastest);
    const double down = from - height_of(s, 1);
    print_message("bar on a film: gained %.2f J of 453, fastest %.2f m/s, down by %.4f m\n", gained,
                  fastest, down);
    CHECK_NEAR(gained, 0, 1.5, "energy from nowhere, J");
    if (!(down > 0.01 && down < 0.04)) fail_msg("the film is 0.04 m thick");
    stage_close(s);
}

// The foot of a T of wax melts on a hot plate; it rides down on that, and squeezes it little.
static void test_t_on_its_melt(void **state)
{
    (void)state;
    Stage *s = OPEN(
        "duration: 3\nframe_rate: 24\nmethod: {pressure: cg}\n"
        "domain: {min: [-0.1, 0, -0.08], max: [0.1, 0.12, 0.08], slip: 0, sides: [{side: -y, "
        "temperature: 95}]}\nfluid:\n"
        "  - {spacing: 0.01, material: wax, viscosity: 2, specific_heat: 2.9, latent_heat: 200, "
        "shape: {type: union, parts: [{type: box, min: [-0.025, 0, -0.025], max: [0.025, 0.06, "
        "0.025]}, {type: box, min: [-0.065, 0.06, -0.025], max: [0.065, 0.08, 0.025]}]}}\n");
    double most = 0, fastest = 0;
    while (ond_sim_time(s->sim) < 3 - 1e-9) {
        stage_step(s);
        most = fmax(most, record_of(s).density_error);
        fastest = fmax(fastest, record_of(s).max_speed);
    }
    print_message("T of wax on a hot plate: squeezed by %.2f %%, fastest %.2f m/s\n", 100 * most,
                  fastest);
    CHECK_NEAR(most, 0, 0.01, "how much what melts is squeezed");
    CHECK_NEAR(fastest, 0, 2, "fastest particle, m/s; a fall from its top makes 1.25");
    stage_close(s);
}

// ---- solids that move by what they feel

static void test_disc_floats(void **state)
{
    (void)state;
    Stage *s =
        OPEN("dimension: 2\nduration: 30\nframe_rate: 50\nmethod: {pressure: cg, artificial: "
             "0.3}\ndomain: {min: [0, 0], max: [1, 1]}\n"
             "fluid: [{spacing: 0.02, density: 1000, shape: {type: box, min: [0, 0], max: [1, "
             "0.4]}}]\n"
             "solid: [{name: disc, density: 500, shape: {type: sphere, center: [0.5, 0.42], "
             "radius: 0.15}}]\n");
    stage_run(s, 3);
    double y = 0;
    for (int k = 1; k <= 50; ++k) {
        stage_run(s, 3 + 0.02 * k);
        y += (0.42 + body(s, 0).pose.at.y) / 50;
    }
    const double level = s->count * 0.0004 + 0.5 * OND_PI * 0.0225;
    print_message("disc of 500: %.4f m, %.2f spacings above half under\n", y, (y - level) / 0.02);
    CHECK_NEAR((y - level) / 0.02, 0, 0.6, "height of a floating disc, spacings");
    stage_close(s);
}

// What starts half in the water does not burst, nor does a column 3.6 m high, whatever it weighs.
static void test_no_burst(void **state)
{
    (void)state;
    const char *const solver[] = {"cg", "pcisph", "iisph", "dfsph"};
    for (int k = 0; k < 8; ++k) {
        Stage *s =
            OPEN("dimension: 2\nduration: 30\nframe_rate: 100\ngravity: [0, %g]\n"
                 "method: {pressure: %s}\ndomain: {min: [0, 0], max: [2, 4.4]}\n"
                 "fluid: [{spacing: 0.05, density: 1000, shape: {type: box, min: [0, 0], max: "
                 "[0.5, 3.6]}}]\n"
                 "solid: [{name: box, density: 300, turn: [0, 0, 20], shape: {type: box, min: "
                 "[0.15, 3.5], max: [0.35, 3.7]}}]\n",
                 k < 4 ? -G : -10 * G, solver[k % 4]);
        const double gravity = k < 4 ? G : 10 * G, energy = 1800 * gravity * 1.8;
        double fastest;
        const double gained = watch_energy(s, k < 4 ? 0.6 : 0.2, 0, &fastest) / energy;
        print_message("column of 3.6 m, %s, %g m/s^2: fastest %.1f m/s, gained %.1e\n",
                      solver[k % 4], gravity, fastest, gained);
        CHECK_NEAR(gained, 0, 2e-3, "energy from nowhere");
        CHECK_NEAR(fastest / sqrt(2 * gravity * 3.6), 0, 2, "fastest, over free fall");
        stage_close(s);
    }
}

// ---- momentum

// A blob of water and a ball meet where there are no walls and no weight.
static void test_momentum(void **state)
{
    (void)state;
    Stage *s = OPEN("duration: 10\nframe_rate: 50\ngravity: [0, 0, 0]\nmethod: {pressure: cg}\n"
                    "fluid: [{spacing: 0.05, density: 1000, velocity: [1, 0, 0], shape: {type: "
                    "sphere, center: [0, 0, 0], radius: 0.25}}]\n"
                    "solid: [{name: ball, density: 800, shape: {type: sphere, center: [0.46, 0.05, "
                    "0], radius: 0.2}}]\n");
    const double mass = 0.125, ball = 800 * 4 / 3.0 * OND_PI * 0.008, whole = mass * s->count;
    double most = 0;
    for (int k = 0; k < 60; ++k) {
        stage_step(s);
        OndVec sum = ond_scale(body(s, 0).velocity, ball);
        for (int i = 0; i < s->count; ++i)
            sum = ond_add(sum, ond_scale(ond_vec(s->v[0][i], s->v[1][i], s->v[2][i]), mass));
        sum.x -= whole;
        most = fmax(most, ond_length(sum) / whole);
    }
    print_message("blob and ball: momentum off by %.1e, ball at %.2f m/s\n", most,
                  body(s, 0).velocity.x);
    CHECK_NEAR(most, 0, 1e-6, "momentum of water and ball, of the water's at the start");
    assert_true(body(s, 0).velocity.x > 0.1);
    stage_close(s);
}

// ---- bits

#define DAM                                                                                        \
    "duration: 1\nframe_rate: 100\n"                                                               \
    "domain: {min: [0, 0, 0], max: [1, 0.8, 0.3]}\nfluid:\n"                                       \
    "  - {spacing: 0.04, density: 1000, shape: {type: box, min: [0, 0, 0], max: [0.4, 0.5, "       \
    "0.3]}}\n"

static const Play plays[] = {
    {"cg", 25,
     DAM "method: {pressure: cg}\nsolid:\n"
         "  - {name: post, shape: {type: box, min: [0.6, 0, 0.1], max: [0.7, 0.4, 0.2]}}\n"
         "  - {name: ball, density: 400, shape: {type: sphere, center: [0.2, 0.5, 0.15], radius: "
         "0.1}}\n"},
    {"dfsph, with a rigid block", 20,
     DAM "  - {spacing: 0.04, density: 600, rigidity: 1, shape: {type: box, min: [0.1, 0.52, 0.1], "
         "max: [0.3, 0.64, 0.26]}}\nmethod: {pressure: dfsph}\n"},
    {"iisph", 15, DAM "method: {pressure: iisph}\n"},
    {"pcisph", 15, DAM "method: {pressure: pcisph}\n"},
    // an error that steps are shortened for, just before it is stopped
    {"cg, in short steps", 30, DAM "method: {pressure: cg, density_error: 1e-5}\n"},
};

static void test_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < OND_COUNT(plays); ++k) {
        check_threads(&plays[k]);
        check_resume(&plays[k]);
    }
}

// ---- what is refused

#define OF(method)                                                                                 \
    "method: {" method                                                                             \
    "}\nfluid: [{spacing: 0.05, shape: {type: box, min: [0, 0, 0], max: [1, 1, "                   \
    "1]}}]\n"

static void test_refused(void **state)
{
    (void)state;
    const char *const wrong[][2] = {
        {OF("pressure: cg, density_error: 0"), "1:39: error: density_error must be > 0"},
        {OF("pressure: cg, density_error: -1"), "1:39: error: density_error must be > 0"},
        {OF("pressure: cg, iterations: 0"), "1:36: error: iterations must be >= 1"},
        {OF("pressure: dfsph, divergence_error: 0"), "1:45: error: divergence_error must be > 0"},
        {OF("pressure: cg, divergence_error: 0.1"),
         "1:42: error: 'divergence_error' means nothing"},
        {OF("pressure: wcsph, density_error: 0.1"), "1:42: error: 'density_error' means nothing"},
        {OF("type: dem, pressure: cg"), "1:21: error: unknown key 'pressure'"},
        {OF("pressure: cg, state: tait"), "1:31: error: 'state' means nothing here"},
        {OF("pressure: cg, suction: true"), "1:33: error: 'suction' means nothing here"},
        {OF("pressure: cg, density: continuity"), "1:33: error: density: continuity is for"},
        {OF("pressure: cg, integrator: leapfrog"), "1:36: error: solvers that keep the volume"},
        {OF("pressure: cg, preset: thesis"), "1:20: error: the presets are of publications"},
        {OF("pressure: simple"),
         "1:20: error: pressure must be auto, wcsph, cg, pcisph, iisph or dfsph"},
        {"fluid: [{spacing: 0.05, viscosity: -1, shape: {type: box, min: [0, 0, 0], max: [1, 1, "
         "1]}}]\n",
         "1:36: error: viscosity must be >= 0"},
    };
    for (int k = 0; k < OND_COUNT(wrong); ++k)
        tank_refused(wrong[k][0], wrong[k][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_blocks_float), cmocka_unit_test(test_bar_on_film),
        cmocka_unit_test(test_t_on_its_melt),      cmocka_unit_test(test_disc_floats),
        cmocka_unit_test(test_no_burst),           cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_same_bits),          cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

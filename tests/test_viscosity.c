// SPDX-License-Identifier: MIT
// ctest: slow
// Implicit viscosity: flows between plates, momentum, walls that stick and slip, and its system.
#include "base/random.h"
#include "particles/viscous/viscous_state.h"
#include "same_bits.h"
#include "wet.h"

#define PI 3.14159265358979323846

#define OPEN(...)                                                                                  \
    ({                                                                                             \
        char yaml_text[2048];                                                                      \
        snprintf(yaml_text, sizeof yaml_text, __VA_ARGS__);                                        \
        stage_open(yaml_text);                                                                     \
    })

// ---- plates: width 1, speeds up to 1, so thick that explicit steps would be a twentieth

#define NU 4.0

// Of Couette and Poiseuille flows that start from rest, at height y and time T = nu t / L^2; the
// first has its plate's speed 1, the second its final middle speed 1.
static double couette(double y, double time)
{
    double u = y;
    for (int n = 1; n < 200; ++n)
        u += 2 / (n * PI) * (n % 2 ? -1 : 1) * sin(n * PI * y) * exp(-n * n * PI * PI * time);
    return u;
}

static double poiseuille(double y, double time)
{
    double u = 4 * y * (1 - y);
    for (int n = 1; n < 200; n += 2)
        u -= 32 / pow(n * PI, 3) * sin(n * PI * y) * exp(-n * n * PI * PI * time);
    return u;
}

static double worst_layer(const Stage *s, double time, double (*want)(double, double))
{
    double worst = 0;
    for (int layer = 0; layer < 25; ++layer) {
        const double low = 0.04 * layer, high = low + 0.04;
        double sum = 0, n = 0;
        for (int i = 0; i < s->count; ++i)
            if (s->x[1][i] >= low && s->x[1][i] < high)
                sum += s->v[0][i] - want(s->x[1][i], time), n += 1;
        if (n > 0) worst = fmax(worst, fabs(sum / n));
    }
    return worst;
}

static void run_plates(const char *name, const char *method, bool driven,
                       double (*want)(double, double))
{
    const double h = 2.3 * 0.04, explicit_step = 0.02 * h * h / NU;
    Stage *s =
        OPEN("dimension: 2\nduration: 20\nframe_rate: 2000\ngravity: [%g, 0]\n"
             "method: {%s, artificial: 0, viscosity: {solver: implicit}, step_rule: fixed, "
             "time_step: %g}\n"
             "domain: {min: [0, 0], max: [0.4, 1], slip: 0, x: periodic%s}\n"
             "fluid: [{spacing: 0.04, density: 1, viscosity: %g, shape: {type: box, min: [0, "
             "0], max: [0.4, 1]}}]\n",
             driven ? 8 * NU : 0.0, method, 20 * explicit_step,
             driven ? "" : ", sides: [{side: +y, slip: 0, velocity: [1, 0]}]", NU);
    const double time[] = {0.0225, 0.045, 0.1, 0.5, 1};
    for (int k = 0; k < 5; ++k) {
        stage_run(s, time[k] / NU);
        const double now = ond_sim_time(s->sim) * NU, off = worst_layer(s, now, want);
        print_message("%s, %s, nu t / L^2 = %.4f: off by %.4f at most\n", name, method, now, off);
        CHECK_NEAR(off, 0, 0.02, "flow between plates that starts up");
    }
    stage_close(s);
}

static void test_plates(void **state)
{
    (void)state;
    const char *const methods[] = {"sound_speed: 15", "pressure: cg, integrator: euler"};
    for (int m = 0; m < 2; ++m) {
        run_plates("Couette", methods[m], false, couette);
        run_plates("Poiseuille", methods[m], true, poiseuille);
    }
}

// ---- two layers, the lower one a hundredth as thick: they share their stress

// Slope of u over y between two heights, by least squares.
static double slope_of(const Stage *s, double low, double high)
{
    double n = 0, y = 0, u = 0, yy = 0, uy = 0;
    for (int i = 0; i < s->count; ++i) {
        const double at = s->x[1][i], v = s->v[0][i];
        if (at < low || at > high) continue;
        n += 1, y += at, u += v, yy += at * at, uy += at * v;
    }
    return (uy - u * y / n) / (yy - y * y / n);
}

static void test_two_layers(void **state)
{
    (void)state;
    Stage *s =
        OPEN("dimension: 2\nduration: 20\nframe_rate: 100\ngravity: [0, 0]\n"
             "method: {sound_speed: 15, artificial: 0, viscosity: {solver: implicit}}\n"
             "domain: {min: [0, 0], max: [0.4, 1], slip: 0, x: periodic, sides: [{side: +y, "
             "slip: 0, velocity: [1, 0]}]}\n"
             "fluid:\n"
             "  - {name: thin, spacing: 0.04, density: 1, viscosity: 0.04, shape: {type: box, "
             "min: [0, 0], max: [0.4, 0.52]}}\n"
             "  - {name: thick, spacing: 0.04, density: 1, viscosity: 4, shape: {type: box, "
             "min: [0, 0.52], max: [0.4, 1]}}\n");
    stage_run(s, 8);
    const double stress = 1 / (0.52 / 0.04 + 0.48 / 4); // of the steady flow
    const double thin = slope_of(s, 0.08, 0.44), thick = slope_of(s, 0.6, 0.96);
    const double off = thin * 0.04 / stress - 1, above = thick * 4 / stress - 1;
    print_message("two layers: slopes %.4f and %.5f, off by %+.2f %% and %+.2f %%\n", thin, thick,
                  100 * off, 100 * above);
    CHECK_NEAR(off, 0, 0.025, "slope in the thin layer");
    CHECK_NEAR(above, 0, 0.025, "slope in the thick layer");
    stage_close(s);
}

// ---- a blob by itself

static bool in_ball(const Wet *w, OndVec at)
{
    (void)w;
    return ond_length(ond_sub(at, ond_vec(0.3, 0.3, 0.3))) < 0.25;
}

// Sums of m v and of x x m v, and of the lengths of their terms.
static void momentum(const OndSph *s, OndVec *line, OndVec *turn, double size[2])
{
    *line = *turn = ond_vec(0, 0, 0);
    size[0] = size[1] = 0;
    for (int i = 0; i < s->fields.count; ++i) {
        const OndVec at = ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]);
        const OndVec p =
            ond_scale(ond_vec(s->v[0][i], s->v[1][i], s->v[2][i]), s->mass[s->material[i]]);
        *line = ond_add(*line, p), *turn = ond_add(*turn, ond_cross(at, p));
        size[0] += ond_length(p), size[1] += ond_length(ond_cross(at, p));
    }
}

static void test_momentum(void **state)
{
    (void)state;
    for (int leap = 0; leap < 2; ++leap) {
        Wet w = wet_make(3, 0.05);
        w.world.gravity[1] = 0.0f;
        w.world.material[0].viscosity = 3000.0f;
        w.def.viscosity.solver = OND_VISCOUS_IMPLICIT;
        w.def.viscosity.tolerance = 0.1; // what is left must not matter
        w.def.integrator = leap ? OND_LEAPFROG : OND_EULER;
        wet_fill(&w, (OndBox){{0, 0, 0}, {0.6, 0.6, 0.6}}, in_ball);
        for (int i = 0; i < w.s->fields.count; ++i) {
            const float y = w.s->x[1][i] - 0.3f, z = w.s->x[2][i] - 0.3f;
            w.s->v[0][i] = 3.0f * y + 0.5f, w.s->v[1][i] = 2.0f * z, w.s->v[2][i] = 1.0f * y;
        }
        OndVec line[2], turn[2];
        double size[2];
        momentum(w.s, &line[0], &turn[0], size);
        for (int k = 0; k < 30; ++k)
            wet_step(&w);
        double now[2];
        momentum(w.s, &line[1], &turn[1], now);
        const double off = ond_length(ond_sub(line[1], line[0])) / size[0];
        const double spun = ond_length(ond_sub(turn[1], turn[0])) / size[1];
        print_message("%s: momentum changes by %.1e, angular momentum by %.1e\n",
                      leap ? "leapfrog" : "euler", off, spun);
        CHECK_NEAR(off, 0, 2e-6, "momentum");
        CHECK_NEAR(spun, 0, leap ? 1e-4 : 2e-6, "angular momentum"); // leapfrog's is off by dt^2
        assert_true(w.s->iterations > 0);
        wet_close(&w);
    }
}

// ---- on a slope: gravity leans

static double slid(const char *where, double slip)
{
    const bool wall = strcmp(where, "domain") == 0;
    char solid[200] = "";
    if (!wall)
        snprintf(solid, sizeof solid,
                 "solid: [{name: floor, slip: %g, shape: {type: box, min: [-0.3, -0.2, -0.2], max: "
                 "[0.7, 0, 0.3]}}]\n",
                 slip);
    Stage *s =
        OPEN("duration: 1\ngravity: [3, -9, 0]\nmethod: {viscosity: {solver: implicit}}\n"
             "domain: {min: [-1, %g, -0.4], max: [2, 1, 0.5], slip: %g}\n%s"
             "fluid: [{spacing: 0.02, density: 1000, viscosity: 3000, shape: {type: box, min: "
             "[0, 0, 0], max: [0.16, 0.08, 0.12]}}]\n",
             wall ? 0.0 : -0.5, slip, solid);
    double before = 0, after = 0;
    for (int i = 0; i < s->count; ++i)
        before += s->x[0][i] / s->count;
    stage_run(s, 0.25);
    const double time = ond_sim_time(s->sim);
    for (int i = 0; i < s->count; ++i)
        after += s->x[0][i] / s->count;
    stage_close(s);
    return (after - before) / (0.5 * 3 * time * time);
}

static void test_slope(void **state)
{
    (void)state;
    const char *const floors[] = {"domain", "solid"};
    for (int f = 0; f < 2; ++f) {
        const double sticks = slid(floors[f], 0), half = slid(floors[f], 0.5),
                     slips = slid(floors[f], 1);
        print_message("%s: slid %.4f with slip 0, %.4f with 0.5, %.4f with 1 of a free fall\n",
                      floors[f], sticks, half, slips);
        CHECK_NEAR(sticks, 0, 0.03, "what sticks");
        CHECK_NEAR(slips, 1, 0.02, "what slips");
        assert_true(half > sticks && half < slips);
    }
}

// ---- the system

static double product(const OndViscous *v, int count, const OndQuad *a)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k)
            sum += (double)a[i][k] * v->out[i][k];
    return sum;
}

static void draw(OndQuad *v, int count, uint64_t stream)
{
    for (int i = 0; i < count; ++i)
        v[i] = (OndQuad){2 * ond_random((uint64_t)i, stream) - 1,
                         2 * ond_random((uint64_t)i, stream + 1) - 1,
                         2 * ond_random((uint64_t)i, stream + 2) - 1, 1.0f};
}

// u . A w = w . A u and u . A u >= 0, among walls of all kinds and a solid that moves by what it
// feels.
static void test_system(void **state)
{
    (void)state;
    Wet w = wet_make(3, 0.05);
    w.world.box = (OndBox){{0, 0, 0}, {0.5, 0.5, 0.5}};
    const float slip[6] = {0.0f, 0.3f, 1.0f, 1.0f, 1.0f, 1.0f};
    for (int side = 0; side < 6; ++side)
        w.world.side[side] =
            (OndSide){.kind = side < 4 ? OND_SIDE_WALL : OND_SIDE_PERIODIC, .slip = slip[side]};
    w.world.material[0].viscosity = 200.0f;
    w.def.viscosity.solver = OND_VISCOUS_IMPLICIT;
    OndArena arena = {0};
    const OndSolidDef balls[] = {
        {.name = "light",
         .kind = OND_SOLID_SHAPE,
         .slip = 0.4f,
         .free = true,
         .shape = ond_shape_sphere(&arena, ond_vec(0.2, 0.2, 0.25), 0.1)},
        {.name = "fixed",
         .kind = OND_SOLID_SHAPE,
         .slip = 0.7f,
         .shape = ond_shape_sphere(&arena, ond_vec(0.4, 0.3, 0.25), 0.06)}};
    wet_solids(&w, balls, 2);
    wet_fill(&w, w.world.box, wet_free);
    for (int k = 0; k < 5; ++k)
        wet_step(&w);
    const int n = w.s->fields.count;
    OndError err = {0};
    assert_int_equal(ond_sph_method.prepare(w.s, &err), OND_OK);
    for (int k = 0; k < 6; ++k) // as if it were made of cork
        ond_solids_loads(w.solids)[0].ease[k][k] = k < 3 ? 1.0 : 250.0;
    assert_int_equal(ond_viscous_room(w.s, &err), OND_OK);
    ond_viscous_begin(w.s, 0.01f);
    OndViscous *const v = w.s->viscous;
    OndQuad *const u = aligned_alloc(16, (size_t)n * sizeof *u), *const q = aligned_alloc(
                                                                     16, (size_t)n * sizeof *u);
    for (uint64_t round = 0; round < 5; ++round) {
        draw(u, n, 10 * round), draw(q, n, 10 * round + 5);
        memcpy(v->go, u, (size_t)n * sizeof *u);
        ond_viscous_sum(w.s, false);
        const double qau = product(v, n, q), uau = product(v, n, u);
        memcpy(v->go, q, (size_t)n * sizeof *u);
        ond_viscous_sum(w.s, false);
        const double uaq = product(v, n, u), qaq = product(v, n, q);
        const double size = sqrt(uau * qaq);
        CHECK_NEAR((qau - uaq) / size, 0, 1e-6, "the system's symmetry");
        assert_true(uau > 0 && qaq > 0);
    }
    free(u), free(q);
    ond_arena_free(&arena);
    wet_close(&w);
}

// ---- a thread that is poured does not tear: the mouth holds it

static int by_height(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double widest_gap(Stage *s)
{
    float *const y = malloc((size_t)s->count * sizeof *y);
    double gap = 0;
    memcpy(y, s->x[1], (size_t)s->count * sizeof *y);
    qsort(y, (size_t)s->count, sizeof *y, by_height);
    for (int i = 1; i < s->count; ++i)
        gap = fmax(gap, (double)(y[i] - y[i - 1]));
    free(y);
    return gap;
}

static void test_thread(void **state)
{
    (void)state;
    Stage *s =
        OPEN("duration: 1\nframe_rate: 50\nmethod: {pressure: cg, viscosity: {solver: implicit}}\n"
             "domain: {min: [-0.05, 0, -0.05], max: [0.05, 0.2, 0.05], slip: 0}\n"
             "fluid: [{spacing: 0.0025, density: 1400, viscosity: 60}]\n"
             "emitter: [{center: [0, 0.14, 0], radius: 0.006, rate: 0.000034}]\n");
    double worst = 0;
    while (ond_sim_time(s->sim) < 0.4) {
        stage_step(s);
        worst = fmax(worst, widest_gap(s));
    }
    print_message("a thread of %d particles: gaps of %.2f spacings at most\n", s->count,
                  worst / 0.0025);
    CHECK_NEAR(worst / 0.0025, 0, 1.6, "gap in a thread, spacings");
    stage_close(s);
}

// ---- what melts by its viscosity

static void test_melting(void **state)
{
    (void)state;
    const float temperature[] = {0, 20, 25, 30, 50}, want[] = {1e4f, 1e4f, 100, 1, 1};
    for (int k = 0; k < OND_COUNT(want); ++k) {
        Wet w = wet_make(2, 0.05);
        OndMaterial *const m = &w.world.material[0];
        m->viscosity = 1.0f, m->viscosity_solid = 1e4f, m->solid = 20.0f, m->liquid = 30.0f;
        m->rigidity = 0.0f;
        wet_fill(&w, (OndBox){{0, 0, 0}, {0.2, 0.2, 0}}, NULL);
        for (int i = 0; i < w.s->fields.count; ++i)
            w.s->temperature[i] = temperature[k];
        wet_step(&w);
        CHECK_NEAR(w.s->viscosity[0] / want[k], 1, 1e-5, "viscosity by temperature");
        assert_true(w.s->rubs); // by itself: explicit friction would shorten the steps
        wet_close(&w);
    }
}

// ---- what is refused

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method, *viscosity, *says;
    } cases[] = {
        {"viscosity: {tolerance: 0}", "1", "tolerance"},
        {"viscosity: {iterations: 0}", "1", "iterations"},
        {"viscosity: {solver: fast}", "1", "explicit"},
        {"viscosity: {solver: explicit, tolerance: 0.1}", "1", "implicit viscosity"},
        {"viscosity: {solver: explicit, iterations: 9}", "1", "implicit viscosity"},
        {"viscosity: {solver: implicit}", "-1", "viscosity"},
        {"type: sph", "1, viscosity_solid: 9", "nothing to melt to"},
        {"type: sph", "0, viscosity_solid: 9, T_solid: 1, T_liquid: 2", "nothing to melt to"},
        {"type: sph", "1, viscosity_solid: 9, T_solid: 1, T_liquid: 2", "give it rigidity: 0"},
        {"type: sph", "1, viscosity_solid: -9", "viscosity_solid"},
        {"type: dem, viscosity: {solver: implicit}", "1", "viscosity"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[400];
        OndTree tree = {0};
        OndError err = {0};
        OndSceneDef scene;
        snprintf(
            yaml, sizeof yaml,
            "method: {%s}\nfluid: [{spacing: 0.1, viscosity: %s, shape: {type: box, min: [0, 0, "
            "0], max: [1, 1, 1]}}]\n",
            cases[c].method, cases[c].viscosity);
        OndStatus status = ond_yaml_parse("test.yaml", yaml, strlen(yaml), &tree, &err);
        if (status == OND_OK) status = ond_scene_read(&tree, &scene, &err);
        if (status == OND_OK) fail_msg("not refused: %s", yaml);
        CHECK_SAYS(err.text, cases[c].says, yaml);
    }
}

// A cap that is hit is told.
static void test_cap(void **state)
{
    (void)state;
    for (int cap = 1; cap <= 1000; cap *= 1000) {
        Wet w = wet_make(3, 0.05);
        w.world.material[0].viscosity = 3000.0f;
        w.def.viscosity.solver = OND_VISCOUS_IMPLICIT;
        w.def.viscosity.iterations = cap;
        wet_fill(&w, (OndBox){{0, 0, 0}, {0.6, 0.6, 0.6}}, in_ball);
        for (int i = 0; i < w.s->fields.count; ++i)
            w.s->v[0][i] = 3.0f * w.s->x[1][i] * w.s->x[1][i];
        wet_step(&w);
        assert_int_equal(w.s->unconverged, cap == 1);
        assert_true(cap == 1 ? w.s->iterations == 1 : w.s->iterations > 1);
        wet_close(&w);
    }
}

// ---- bits

static const Play thick = {
    "thick liquid", 40,
    "domain: {min: [0, 0, 0], max: [0.6, 0.6, 0.3], slip: 0.3}\n"
    "method: {viscosity: {solver: implicit}}\n"
    "solid: [{name: ball, slip: 0.2, shape: {type: sphere, center: [0.3, 0.05, 0.15], radius: "
    "0.1}}]\n"
    "fluid: [{spacing: 0.03, viscosity: 50, shape: {type: box, min: [0, 0.18, 0], max: [0.6, 0.5, "
    "0.3]}}]\n"};

static void test_bits(void **state)
{
    (void)state;
    check_threads(&thick);
    ond_threads_set(0);
    check_resume(&thick);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plates),   cmocka_unit_test(test_two_layers),
        cmocka_unit_test(test_momentum), cmocka_unit_test(test_slope),
        cmocka_unit_test(test_system),   cmocka_unit_test(test_bits),
        cmocka_unit_test(test_thread),   cmocka_unit_test(test_melting),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_cap),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("viscosity", tests, NULL, NULL);
}

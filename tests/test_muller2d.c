// SPDX-License-Identifier: MIT
// `preset: muller2d` is the program that it is named after [Cardonna 2022]: the same motion as its equations
// by all pairs, in both forms of the pressure; its walls, its block and its cap.
#include "library.h"

#include "view/play/play.h"

#define H    15.0
#define MASS 4.0
#define MOST 3500

typedef struct Mote {
    double x[2], v[2], f[2], rho, p;
} Mote;

// ---- the program's equations, as they are written there

static void density_pressure(Mote *m, int n)
{
    for (int i = 0; i < n; ++i) {
        m[i].rho = 0.0;
        for (int j = 0; j < n; ++j) {
            const double x = m[j].x[0] - m[i].x[0], y = m[j].x[1] - m[i].x[1];
            const double left = H * H - x * x - y * y;
            if (left > 0.0) m[i].rho += MASS * 4.0 / (M_PI * pow(H, 8)) * left * left * left;
        }
        m[i].p = 2000.0 * (m[i].rho - 300.0);
    }
}

// Along the way to the other; its gradient has the sign and the power that the program gives it.
static void pair_force(Mote *a, const Mote *b, bool weighted)
{
    const double way[2] = {b->x[0] - a->x[0], b->x[1] - a->x[1]};
    const double r = hypot(way[0], way[1]);
    if (r >= H || r == 0.0) return;
    const double slope = -10.0 / (M_PI * pow(H, 5)) * pow(H - r, 3);
    const double mean = (a->p + b->p) / (2.0 * b->rho);
    const double sum = a->rho * (a->p / (a->rho * a->rho) + b->p / (b->rho * b->rho));
    const double rub = 200.0 * MASS / b->rho * 40.0 / (M_PI * pow(H, 5)) * (H - r);
    for (int k = 0; k < 2; ++k)
        a->f[k] += -way[k] / r * MASS * (weighted ? sum : mean) * slope + rub * (b->v[k] - a->v[k]);
}

static void program_step(Mote *m, int n, bool weighted)
{
    static const double far[2] = {1200.0 - H, 900.0 - H};
    density_pressure(m, n);
    for (int i = 0; i < n; ++i) {
        m[i].f[0] = 0.0, m[i].f[1] = -10.0 * MASS / m[i].rho;
        for (int j = 0; j < n; ++j)
            if (j != i) pair_force(&m[i], &m[j], weighted);
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 2; ++k) {
            m[i].v[k] += 0.001 * m[i].f[k] / m[i].rho;
            m[i].x[k] += 0.001 * m[i].v[k];
            if (m[i].x[k] < H) m[i].v[k] *= -1.0, m[i].x[k] = H;
            if (m[i].x[k] > far[k]) m[i].v[k] *= -1.0, m[i].x[k] = far[k];
        }
}

static int program_block(Mote *m)
{
    int n = 0;
    for (double y = 900.0 / 1.5 - 180.0; y < 900.0 / 1.5 + 180.0; y += 0.95 * H)
        for (double x = 600.0 - 180.0; x <= 600.0 + 180.0 && n < 234; x += 0.95 * H)
            m[n++] = (Mote){.x = {x, y}};
    return n;
}

// ---- against them

static OndScene *shipped(const char *set)
{
    OndScene *const scene = ond_scene_create();
    OK(ond_scene_file(scene, OND_SOURCE_DIR "/scenes/2d/muller2d.yaml", &why));
    if (set) OK(ond_scene_set(scene, set, &why));
    return scene;
}

static OndSim *sim_of(const char *set)
{
    OndError err = {0};
    OndScene *const scene = shipped(set);
    OndSim *const sim = ond_sim_create(scene, NULL, &err);
    if (!sim) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    return sim;
}

// Largest distance between particles of the same number.
static double apart(const OndSim *sim, const Mote *m, int n)
{
    const OndFieldView x = field(sim, "position"), id = field(sim, "id");
    assert_int_equal(x.count, n);
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        const Mote *const same = &m[((const uint32_t *)id.data[0])[i]];
        most = fmax(most, hypot(((const float *)x.data[0])[i] - same->x[0],
                                ((const float *)x.data[1])[i] - same->x[1]));
    }
    return most;
}

// The block falls, two rows meet the floor and turn back; from then on what is rounded grows tenfold a step.
static void compare(bool weighted)
{
    static Mote m[MOST];
    const int n = program_block(m);
    OndSim *const sim = sim_of(weighted ? "method.pressure_form=monaghan" : NULL);
    assert_true(apart(sim, m, n) < 1e-3);
    for (int step = 1; step <= 103; ++step) {
        OK(ond_sim_step(sim, &why));
        program_step(m, n, weighted);
        const double off = apart(sim, m, n);
        if (step == 100 || step == 103)
            print_message("%s: after %d steps they are %.3g pixels apart, at %.4g a second\n",
                          weighted ? "weighted" : "mean", step, off, -mean(sim, "velocity", 1));
        if (off > 0.05) fail_msg("step %d: %g pixels apart", step, off);
    }
    CHECK_NEAR(ond_sim_time(sim), 0.103, 1e-9, "a step is a thousandth");
    ond_sim_destroy(sim);
}

static void same_motion(void **state)
{
    (void)state;
    compare(false);
}

static void same_motion_weighted(void **state)
{
    (void)state;
    compare(true);
}

static void comes_to_rest(void **state)
{
    (void)state;
    OndSim *const sim = sim_of(NULL);
    advance(sim, 1.0);
    const OndFieldView x = field(sim, "position"), v = field(sim, "velocity");
    double sum = 0.0;
    for (int i = 0; i < x.count; ++i) {
        const double at[2] = {((const float *)x.data[0])[i], ((const float *)x.data[1])[i]};
        assert_true(at[0] >= 15 && at[0] <= 1185 && at[1] >= 15 && at[1] <= 885);
        sum += pow(((const float *)v.data[0])[i], 2) + pow(((const float *)v.data[1])[i], 2);
    }
    print_message("after a second: %g pixels a second (the program: 92)\n", sqrt(sum / x.count));
    assert_true(sqrt(sum / x.count) < 200.0); // a hundredth of the fall
    ond_sim_destroy(sim);
}

// Its surface tension: what is at the edge is drawn in.
static void tension_draws_in(void **state)
{
    (void)state;
    OndSim *const with = sim_of("fluid.0.tension=1e5"), *const without = sim_of(NULL);
    OK(ond_sim_step(with, &why));
    OK(ond_sim_step(without, &why));
    const OndFieldView x = field(with, "position"), v = field(with, "velocity");
    const OndFieldView bare = field(without, "velocity");
    double in = 0.0;
    for (int i = 0; i < x.count; ++i)
        for (int a = 0; a < 2; ++a) {
            const double arm = ((const float *)x.data[a])[i] - (a ? 477.0 : 598.125);
            in -= arm * (((const float *)v.data[a])[i] - ((const float *)bare.data[a])[i]);
        }
    print_message("drawn in: %g\n", in);
    assert_true(in > 0.0);
    ond_sim_destroy(with);
    ond_sim_destroy(without);
}

// The dam that it can start with, h apart, each particle up to a pixel to the right.
static void dam_is_jittered(void **state)
{
    (void)state;
    static const char dam[] =
        "dimension: 2\n"
        "gravity: [0, -10]\n"
        "domain: {min: [0, 0], max: [1200, 900], walls: project, margin: 15}\n"
        "method: {preset: muller2d, smoothing: 1}\n"
        "fluid: [{density: 300, viscosity: 200, spacing: 15, jitter: [1, 0],\n"
        "  shape: {type: box, min: [292.5, 7.5], max: [607.5, 307.5]}}]\n";
    OndSim *const sim = make(dam, NULL), *const same = make(dam, NULL);
    const OndFieldView x = field(sim, "position");
    double sum = 0.0;
    assert_int_equal(x.count, 21 * 20);
    for (int i = 0; i < x.count; ++i) {
        const double right = fmod(((const float *)x.data[0])[i], 15.0);
        assert_true(right >= 0.0 && right < 1.0 &&
                    fmod(((const float *)x.data[1])[i], 15.0) == 0.0);
        sum += right;
    }
    CHECK_NEAR(sum / x.count, 0.5, 0.05, "mean");
    advance(sim, 0.01), advance(same, 0.01);
    assert_true(hash_of(sim) == hash_of(same));
    ond_sim_destroy(sim);
    ond_sim_destroy(same);
}

// ---- its keys

static void keys(void **state)
{
    (void)state;
    OndError err = {0};
    OndScene *const scene = shipped(NULL);
    OndPlay *const play = ond_play_create(scene, &err);
    if (!play) fail_msg("%s", err.text);
    OndPlayStats stats;
    for (int k = 1; k <= 14; ++k) {
        ond_play_key(play, OND_PLAY_DROP);
        ond_play_stats(play, &stats);
        assert_int_equal(stats.particles, k < 14 ? 234 * (k + 1) : MOST);
        OK(ond_play_advance(play, 1.0 / 60, 1e9, &why));
    }
    assert_string_equal(ond_play_message(play, NULL), "");
    ond_play_key(play, OND_PLAY_DROP);
    assert_non_null(strstr(ond_play_message(play, NULL), "3500 particles"));
    ond_play_stats(play, &stats);
    assert_int_equal(stats.particles, MOST);
    for (int k = 0; k < 60; ++k)
        OK(ond_play_advance(play, 1.0 / 60, 1e9, &why));
    ond_play_stats(play, &stats);
    assert_false(stats.burst);
    CHECK_NEAR(stats.time, 0.001 * 74, 0.002, "a step a picture, sixty a second");
    ond_play_key(play, OND_PLAY_RESTART);
    ond_play_stats(play, &stats);
    assert_int_equal(stats.particles, 234);
    ond_play_destroy(play);
    ond_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_motion),     cmocka_unit_test(same_motion_weighted),
        cmocka_unit_test(comes_to_rest),   cmocka_unit_test(tension_draws_in),
        cmocka_unit_test(dam_is_jittered), cmocka_unit_test(keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

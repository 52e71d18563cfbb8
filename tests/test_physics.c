// SPDX-License-Identifier: MIT
// ctest: slow
// SPH against exact solutions and published experiments. Each test prints the error it reaches.
#include "stage.h"

#define PI 3.14159265358979323846

static const char *method(void) // liquids that sound squeezes; another method to try by hand
{
    const char *wish = getenv("ONDINE_TEST_METHOD");
    return wish ? wish : "pressure: wcsph";
}

#define OPEN(...)                                                                                  \
    ({                                                                                             \
        char yaml_text[2048];                                                                      \
        snprintf(yaml_text, sizeof yaml_text, __VA_ARGS__);                                        \
        stage_open(yaml_text);                                                                     \
    })

// ---- a still pool: p = rho g (H - y), and speeds go to 0

static void pool(int dimension, double spacing, double seconds, double *error, double *speed,
                 double *slope)
{
    const double depth = 0.4;
    Stage *s = OPEN("dimension: %d\nduration: 20\nframe_rate: 10\nmethod: {%s}\n"
                    "domain: {min: [0, 0, 0], max: [0.6, 0.8, 0.3]}\n"
                    "fluid: [{spacing: %g, density: 1000, shape: {type: box, min: [0, 0, 0], max: "
                    "[0.6, %g, 0.3]}}]\n",
                    dimension, method(), spacing, depth);
    stage_run(s, seconds);
    double n = 0, e2 = 0, sy = 0, syy = 0, sp = 0, syp = 0;
    *speed = 0;
    for (int i = 0; i < s->count; ++i) {
        const double y = s->x[1][i], p = s->pressure[i];
        *speed +=
            sqrt(s->v[0][i] * s->v[0][i] + s->v[1][i] * s->v[1][i] + s->v[2][i] * s->v[2][i]) /
            s->count;
        if (y > depth - 3 * spacing) continue; // the surface itself is one kernel thick
        e2 += pow(p - 9810 * (depth - y), 2);
        n += 1, sy += y, syy += y * y, sp += p, syp += y * p;
    }
    *error = sqrt(e2 / n) / (9810 * depth);
    *slope = (n * syp - sy * sp) / (n * syy - sy * sy) / -9810;
    stage_close(s);
}

static void test_hydrostatics(void **state)
{
    const struct {
        int dimension;
        double spacing, seconds;
    } cases[] = {{2, 0.02, 4}, {2, 0.01, 2}, {3, 0.03, 3}};
    for (int c = 0; c < 3; ++c) {
        double error, speed, slope;
        pool(cases[c].dimension, cases[c].spacing, cases[c].seconds, &error, &speed, &slope);
        print_message("still pool, %dD, %g m: pressure off by %.2f %% of rho g H (rms), slope "
                      "%.3f, mean speed %.4f m/s\n",
                      cases[c].dimension, cases[c].spacing, 100 * error, slope, speed);
        CHECK_NEAR(error, 0, 0.05, "hydrostatic pressure, share of rho g H");
        CHECK_NEAR(slope, 1, 0.05, "pressure gradient over rho g");
        CHECK_NEAR(speed, 0, 0.01, "mean speed of a still pool, m/s");
    }
}

// ---- standing wave: omega^2 = g k tanh(k d); tank 1 m, depth 0.5 m, half a wave: 1.1818 s

static double mode(const Stage *s, double k) // how much of the wave's velocity field is there
{
    double sum = 0;
    for (int i = 0; i < s->count; ++i)
        sum += -s->v[0][i] * sin(k * s->x[0][i]) * cosh(k * s->x[1][i]) +
               s->v[1][i] * cos(k * s->x[0][i]) * sinh(k * s->x[1][i]);
    return sum;
}

// A tank 1 m long, 0.5 m deep and, in 3D, 8 spacings wide.
static double wave_period(int dimension, double spacing, const char *more, double *left)
{
    const double k = PI, depth = 0.5, start = 0.15, width = 8 * spacing;
    Stage *s = OPEN("dimension: %d\nduration: 20\nframe_rate: 100\nmethod: {%s%s}\n"
                    "domain: {min: [0, 0, 0], max: [1, 1, %g]}\n"
                    "fluid: [{spacing: %g, density: 1000, shape: {type: box, min: [0, 0, 0], max: "
                    "[1, 0.5, %g]}}]\n",
                    dimension, method(), more, width, spacing, width);
    for (int i = 0; i < s->count; ++i) {
        const double x = s->x[0][i], y = s->x[1][i];
        s->v[0][i] = (float)(-start * sin(k * x) * cosh(k * y) / sinh(k * depth));
        s->v[1][i] = (float)(start * cos(k * x) * sinh(k * y) / sinh(k * depth));
    }
    double before = mode(s, k), crossing[4], peak = 0;
    const double whole = before;
    int crossings = 0;
    while (crossings < 4 && ond_sim_time(s->sim) < 4) {
        const double t0 = ond_sim_time(s->sim);
        stage_step(s);
        const double now = mode(s, k), t1 = ond_sim_time(s->sim);
        if (before * now < 0) crossing[crossings++] = t0 + (t1 - t0) * before / (before - now);
        if (crossings == 2) peak = fmax(peak, fabs(now)); // a whole period after the start
        before = now;
    }
    assert_int_equal(crossings, 4);
    *left = peak / whole;
    stage_close(s);
    return (crossing[3] - crossing[0]) / 1.5;
}

// How fast a wave is depends on how much the lattice resists shear, and that on the support alone:
// not on the spacing (test_kernels.c finds it from the kernel).
static void test_standing_wave(void **state)
{
    const struct {
        int dimension;
        double spacing;
        const char *more;
        double left, within;
    } cases[] = {{2, 0.025, "", 0.87, 0.017},
                 {2, 0.0125, "", 0.92, 0.015},
                 {2, 0.0125, ", smoothing: 3", 0.92, 0.012},
                 {3, 0.05, "", 0.8, 0.02},
                 {3, 0.033333333, "", 0.85, 0.02}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        double left;
        const double period =
            wave_period(cases[c].dimension, cases[c].spacing, cases[c].more, &left);
        const double off = period / 1.1818 - 1;
        print_message("standing wave, %dD, %g m%s: period %.4f s, want 1.1818 (%+.2f %%); after "
                      "one period %.2f of its speed is left\n",
                      cases[c].dimension, cases[c].spacing, cases[c].more, period, 100 * off, left);
        CHECK_NEAR(off, 0, cases[c].within, "period of the standing wave, share");
        CHECK_NEAR(left, cases[c].left, 0.1, "wave left after one period");
    }
}

// ---- channel flows that start up

// u at the middle over its final value, where the flow along x is read from the middle layers.
static double middle_speed(const Stage *s, double width)
{
    double sum = 0, n = 0;
    for (int i = 0; i < s->count; ++i)
        if (fabs(s->x[1][i] - 0.5 * width) < 0.06 * width) sum += s->v[0][i], n += 1;
    return sum / n;
}

static Stage *channel(const char *gravity, const char *sides)
{
    // width 1, nu = 0.1, rho = 1: slow enough for the speed of sound given
    return OPEN("dimension: 2\nduration: 20\nframe_rate: 200\ngravity: %s\nmethod: {%s, "
                "sound_speed: 15, artificial: 0}\n"
                "domain: {min: [0, 0], max: [0.4, 1], slip: 0, x: periodic%s}\n"
                "fluid: [{spacing: 0.04, density: 1, viscosity: 0.1, shape: {type: box, min: [0, "
                "0], max: [0.4, 1]}}]\n",
                gravity, method(), sides);
}

static void test_poiseuille(void **state)
{
    const double time[] = {0.225, 1, 5},
                 want[] = {0.17862, 0.61535, 0.99258}; // nu t / L^2 = 0.0225, 0.1, 0.5
    const double top = 0.8 / (8 * 0.1);                // g L^2 / (8 nu)
    Stage *s = channel("[0.8, 0]", "");
    for (int k = 0; k < 3; ++k) {
        stage_run(s, time[k]);
        const double got = middle_speed(s, 1) / top;
        print_message("Poiseuille, nu t / L^2 = %.4f: u / u_max = %.5f, want %.5f (%+.4f)\n",
                      0.1 * time[k], got, want[k], got - want[k]);
        CHECK_NEAR(got, want[k], 0.02, "Poiseuille start-up");
    }
    stage_close(s);
}

static void test_couette(void **state)
{
    const double time[] = {0.45, 1, 5},
                 want[] = {0.09558, 0.26276, 0.49542}; // nu t / L^2 = 0.045, 0.1, 0.5
    Stage *s = channel("[0, 0]", ", sides: [{side: +y, slip: 0, velocity: [1, 0]}]");
    for (int k = 0; k < 3; ++k) {
        stage_run(s, time[k]);
        const double got = middle_speed(s, 1);
        print_message("Couette, nu t / L^2 = %.4f: u / U = %.5f, want %.5f (%+.4f)\n",
                      0.1 * time[k], got, want[k], got - want[k]);
        CHECK_NEAR(got, want[k], 0.01, "Couette start-up");
    }
    stage_close(s);
}

// ---- elliptical drop: a disc of radius 1 stretched by (-100 x, 100 y)

static void test_elliptical_drop(void **state)
{
    const double time[] = {0.0008, 0.0038, 0.0076}, axis[] = {1.08310, 1.43922, 1.94452},
                 pressure[] = {4874.7, 3065.8, 1222.0};
    Stage *s = OPEN("dimension: 2\nduration: 1\nframe_rate: 5000\ngravity: [0, 0]\n"
                    "method: {%s, smoothing: 3, density: continuity, suction: true, sound_speed: "
                    "1400, artificial: 0.03}\n"
                    "fluid: [{spacing: 0.025, density: 1, stretch: [-100, 100], shape: {type: "
                    "sphere, center: [0, 0], radius: 1}}]\n",
                    method());
    for (int k = 0; k < 3; ++k) {
        double mean = 0, samples = 0, top = 0;
        while (ond_sim_time(s->sim) < time[k] + 0.0008 - 1e-12) {
            stage_step(s);
            const double t = ond_sim_time(s->sim);
            if (t < time[k] - 0.0008) continue;
            for (int i = 0; i < s->count; ++i) {
                if (s->x[0][i] * s->x[0][i] + s->x[1][i] * s->x[1][i] < 0.01)
                    mean += s->pressure[i], samples += 1;
                if (t <= time[k] + 1e-9) top = fmax(top, s->x[1][i]);
            }
        }
        const double want = axis[k],
                     got = top + 0.0125; // the outermost particle stands half a spacing inside
        print_message("elliptical drop, t = %.4f s: semi-axis %.4f, want %.4f (%+.2f %%); centre "
                      "pressure %.0f, want %.0f (%+.1f %%)\n",
                      time[k], got, want, 100 * (got / want - 1), mean / samples, pressure[k],
                      100 * (mean / samples / pressure[k] - 1));
        CHECK_NEAR(got, want, 0.01 * want, "semi-axis of the drop");
        CHECK_NEAR(mean / samples, pressure[k], 500,
                   "pressure at the drop's centre: within a tenth of its start");
    }
    stage_close(s);
}

// ---- dam break: Martin & Moyce 1952

static void test_dam_break(void **state)
{
    static const double table[][2] = {{0.41, 1.11}, {0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67},
                                      {1.63, 1.89}, {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56},
                                      {2.32, 2.78}, {2.51, 3.00}, {2.65, 3.22}, {2.83, 3.44},
                                      {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11}};
    const double a = 0.05715, unit = sqrt(2 * 9.81 / a);
    Stage *s = OPEN(
        "dimension: 2\nduration: 1\nframe_rate: 2000\nmethod: {%s, smoothing: 3, sound_speed: 15}\n"
        "domain: {min: [0, 0], max: [0.4, 0.2], slip: 0}\n"
        "fluid: [{spacing: %g, density: 1000, shape: {type: box, min: [0, 0], max: [%g, %g]}}]\n",
        method(), a / 40, a, 2 * a);
    double worst = 0, later = 0,
           sum = 0; // early on the experiment lags: its gate opens in finite time
    for (int k = 0; k < 15; ++k) {
        stage_run(s, table[k][0] / unit);
        double front = 0;
        for (int i = 0; i < s->count; ++i)
            front = fmax(front, s->x[0][i]);
        const double z = (front + a / 80) / a, off = z / table[k][1] - 1;
        worst = fmax(worst, fabs(off));
        if (table[k][0] >= 1.98) later = fmax(later, fabs(off));
        sum += off / 15;
        if (k % 2 == 0)
            print_message("dam break, T = %.2f: front %.3f a, want %.2f (%+.1f %%)\n", table[k][0],
                          z, table[k][1], 100 * off);
    }
    print_message("dam break: mean %+.1f %%, worst %.1f %%, worst after T = 1.98 %.1f %%\n",
                  100 * sum, 100 * worst, 100 * later);
    CHECK_NEAR(worst, 0, 0.12, "front of the dam break, worst of 15 points");
    CHECK_NEAR(later, 0, 0.05, "front of the dam break after T = 1.98, worst");
    stage_close(s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hydrostatics),    cmocka_unit_test(test_standing_wave),
        cmocka_unit_test(test_poiseuille),      cmocka_unit_test(test_couette),
        cmocka_unit_test(test_elliptical_drop), cmocka_unit_test(test_dam_break),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("physics", tests, NULL, NULL);
}

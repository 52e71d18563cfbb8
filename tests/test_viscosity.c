// SPDX-License-Identifier: MIT
// ctest: slow
// Implicit viscosity: flows between plates, momentum, walls that stick and slip, and its system.
#include "stage.h"
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plates),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("viscosity", tests, NULL, NULL);
}

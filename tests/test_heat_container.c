// SPDX-License-Identifier: MIT
// ctest: slow
// A hot ball that fills a cold container, whose surface cuts its lattice at all angles, cools as
// the series of a sphere with its surface held at a temperature has it [Carslaw, Jaeger 1959, 9.3]:
//
//     T(r, t) = T0 sum_n 2 (-1)^(n+1) R / (n pi r) sin(n pi r / R) exp(-n^2 pi^2 a t / R^2)
//
// whatever holds its particles: a solid fluid loses those nearest to the container at the start.
#include "base/parallel.h"
#include "physics/kernels.h"
#include "stage.h"

#define RADIUS      0.05
#define DIFFUSIVITY 0.0125 // m^2/s, a hundred thousand times that of wax: little time to wait
#define END         0.03   // s: the mean is 14 % of the start's; a hundred steps

static double exact(double r, double time)
{
    const double q = fmax(r / RADIUS, 1e-6), decay = OND_PI * OND_PI * DIFFUSIVITY * time;
    double sum = 0;
    for (int n = 1; n < 40; ++n)
        sum += (n % 2 ? 2 : -2) / (n * OND_PI * q) * sin(n * OND_PI * q) *
               exp(-n * n * decay / (RADIUS * RADIUS));
    return sum;
}

// Heat left in the particles over what the series leaves where they are.
static double heat_left(const char *held, double parts)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "duration: %g\nframe_rate: 100\ngravity: [0, 0, 0]\n"
             "method: {type: sph, largest_step: 0.0003}\n"
             "fluid: [{spacing: %.9g, temperature: 1, conductivity: %g, specific_heat: 1000, %s,\n"
             "  shape: {type: sphere, center: [0, 0, 0], radius: %g}}]\n"
             "solid: [{name: shell, use: container, temperature: 0,\n"
             "  shape: {type: sphere, center: [0, 0, 0], radius: %g}}]\n",
             END, RADIUS / parts, DIFFUSIVITY * 1e6, held, RADIUS, RADIUS);
    Stage *s = stage_open(yaml);
    stage_run(s, END);
    const float *temperature = ond_fields_find(&s->frame.particles, "temperature")->data[0];
    double sum = 0, want = 0;
    for (int i = 0; i < s->count; ++i) {
        sum += temperature[i];
        want += exact(
            sqrt(s->x[0][i] * s->x[0][i] + s->x[1][i] * s->x[1][i] + s->x[2][i] * s->x[2][i]), END);
    }
    stage_close(s);
    return sum / want;
}

static void test_ball(void **state)
{
    (void)state;
    static const char *const ways[] = {"rigidity: 1", "fixed: true"};
    static const double parts[] = {8, 12, 16}, within[] = {0.05, 0.03, 0.03};
    for (int w = 0; w < OND_COUNT(ways); ++w)
        for (int k = 0; k < OND_COUNT(parts); ++k) {
            const double left = heat_left(ways[w], parts[k]);
            print_message("ball of R/%g, %s: %.4f of the series' heat is left\n", parts[k], ways[w],
                          left);
            CHECK_NEAR(left, 1, within[k], ways[w]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball)};
    ond_threads_set(2);
    return cmocka_run_group_tests_name("heat in a container", tests, NULL, NULL);
}

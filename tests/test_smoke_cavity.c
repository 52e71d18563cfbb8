// SPDX-License-Identifier: MIT
// ctest: slow
// Flows whose numbers are known: a cavity under a moving lid, and air between a hot and a cold
// wall.
#include "bench/bench_cavity.h"
#include "tank.h"

static double cavity(int lid, int cells, const char *advection)
{
    char yaml[512];
    Tank t;
    snprintf(yaml, sizeof yaml,
             "dimension: 2\nduration: 100\nframe_rate: 0.5\ngravity: [0, 0]\n"
             "domain: {min: [0, 0], max: [1, 1], slip: 0, "
             "sides: [{side: +y, velocity: [1, 0]}]}\n"
             "method: {type: smoke, cell: %.17g, viscosity: %g, advection: %s, "
             "courant: 4, tolerance: 1e-3}\n",
             1.0 / cells, 1.0 / ond_cavity_lids[lid].re, advection);
    tank_open(&t, yaml);
    tank_run(&t, ond_cavity_lids[lid].time);
    const double off = ond_cavity_off(t.sim, lid);
    tank_close(&t);
    print_message("cavity, Re %g, %d cells, %s: off by at most %.4f\n", ond_cavity_lids[lid].re,
                  cells, advection, off);
    return off;
}

static void test_cavity(void **state)
{
    (void)state;
    for (int lid = 0; lid < 2; ++lid)
        CHECK_NEAR(cavity(lid, 128, "cubic"), 0, 0.01, "centre lines");
}

// What each scheme is worth on few cells; neither better nor worse without notice.
static void test_coarse(void **state)
{
    (void)state;
    static const struct {
        const char *advection;
        double off[2]; // at Reynolds numbers 100 and 1000
    } cases[] = {
        {"linear", {0.0140, 0.277}}, {"maccormack", {0.0095, 0.164}}, {"cubic", {0.0067, 0.1106}}};
    for (int c = 0; c < 3; ++c)
        for (int lid = 0; lid < 2; ++lid)
            CHECK_NEAR(cavity(lid, 32, cases[c].advection) / cases[c].off[lid], 1, 0.1,
                       cases[c].advection);
}

// Heat that goes into the fluid at the hot wall, over what would go through it at rest.
static double nusselt(const Tank *t)
{
    const int n = t->grid->n[0];
    double sum = 0.0;
    for (int j = 0; j < n; ++j)
        sum += (21.0 - t->temperature[tank_at(t, 0, j, 0)]) * 2.0;
    return sum; // over n cells of 1 / n m, across 1 K and 1 m
}

static void test_convection(void **state)
{
    (void)state;
    static const struct {
        double rayleigh, nusselt;
        int cells;
    } cases[] = {{1e3, 1.118, 32}, {1e4, 2.243, 32}, {1e6, 8.800, 128}};
    for (int c = 0; c < 3; ++c) {
        char yaml[768];
        Tank t;
        // g, the widths and the difference of temperatures are 1: Ra = expansion / (nu kappa)
        const double nu = sqrt(0.71 / cases[c].rayleigh), kappa = nu / 0.71;
        snprintf(yaml, sizeof yaml,
                 "dimension: 2\nduration: 400\nframe_rate: 0.2\ngravity: [0, -1]\n"
                 "air: {temperature: 20.5}\n"
                 "domain: {min: [0, 0], max: [1, 1], slip: 0, sides: [{side: -x, temperature: 21}, "
                 "{side: +x, temperature: 20}]}\n"
                 "method: {type: smoke, cell: %.17g, viscosity: %.9g, heat_diffusion: %.9g, "
                 "expansion: 1, advection: cubic, courant: 2, tolerance: 1e-4}\n",
                 1.0 / cases[c].cells, nu, kappa);
        tank_open(&t, yaml);
        tank_run(&t, 60);
        print_message("convection, Ra %g: Nu %.3f, %.3f wanted\n", cases[c].rayleigh, nusselt(&t),
                      cases[c].nusselt);
        CHECK_NEAR(nusselt(&t) / cases[c].nusselt, 1, 0.02, "Nusselt number");
        tank_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_coarse), cmocka_unit_test(test_cavity),
                                       cmocka_unit_test(test_convection)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

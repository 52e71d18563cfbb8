// SPDX-License-Identifier: MIT
// ctest: slow
// Flows whose numbers are known: a cavity under a moving lid, and air between a hot and a cold
// wall.
#include "tank.h"

static const double height[7] = {0.9531, 0.8516, 0.7344, 0.5, 0.2813, 0.1719, 0.0703},
                    way[7] = {0.9531, 0.9063, 0.8594, 0.5, 0.2344, 0.1563, 0.0781};
static const struct {
    double re, time, along[7], across[7];
} lids[2] = {{100,
              16,
              {0.69117, 0.23643, 0.00415, -0.20914, -0.15764, -0.10172, -0.04662},
              {-0.09334, -0.17715, -0.23371, 0.05754, 0.17955, 0.16480, 0.11177}},
             {1000,
              46,
              {0.47240, 0.33716, 0.18864, -0.06205, -0.28041, -0.38855, -0.22292},
              {-0.35512, -0.52640, -0.42637, 0.02580, 0.32537, 0.37689, 0.30992}}};

// Between two values of a line of faces that stand half a cell in.
static double on_line(const float *x, const Tank *t, int axis, double at)
{
    const int n = t->grid->n[0], low = (int)floor(at * n - 0.5);
    const size_t first = axis == 0 ? tank_at(t, n / 2, low, 0) : tank_at(t, low, n / 2, 0);
    const size_t step = (size_t)ond_grid_stride(t->grid, 1 - axis);
    return x[first] + (at * n - 0.5 - low) * (x[first + step] - x[first]);
}

static double worst(const Tank *t, int lid)
{
    double off = 0.0;
    for (int k = 0; k < 7; ++k) {
        off = fmax(off, fabs(on_line(t->v[0], t, 0, height[k]) - lids[lid].along[k]));
        off = fmax(off, fabs(on_line(t->v[1], t, 1, way[k]) - lids[lid].across[k]));
    }
    return off;
}

static void test_cavity(void **state)
{
    (void)state;
    for (int lid = 0; lid < 2; ++lid) {
        char yaml[512];
        Tank t;
        snprintf(yaml, sizeof yaml,
                 "dimension: 2\nduration: 100\nframe_rate: 0.5\ngravity: [0, 0]\n"
                 "domain: {min: [0, 0], max: [1, 1], slip: 0, "
                 "sides: [{side: +y, velocity: [1, 0]}]}\n"
                 "method: {type: smoke, cell: 0.0078125, viscosity: %g, advection: cubic, "
                 "courant: 4, tolerance: 1e-3}\n",
                 1.0 / lids[lid].re);
        tank_open(&t, yaml);
        tank_run(&t, lids[lid].time);
        print_message("cavity, Re %g: off by at most %.4f\n", lids[lid].re, worst(&t, lid));
        CHECK_NEAR(worst(&t, lid), 0, 0.01, "centre lines");
        tank_close(&t);
    }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cavity),
                                       cmocka_unit_test(test_convection)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

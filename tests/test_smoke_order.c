// SPDX-License-Identifier: MIT
// ctest: slow
// How the error of `type: smoke` falls with the cells and with the step: Taylor-Green vortices,
// whose decay is known, at rest and drifting through the grid. At rest the flow at a place only
// fades; drifting, all of it changes all the time.
#include "tank.h"

#define VISCOSITY 0.01

typedef struct Vortices {
    int n;
    const char *advection, *trace;
    double dt, drift; // m/s along x, half of it along y
} Vortices;

static void vortices_open(Tank *t, const Vortices *v)
{
    char yaml[512];
    snprintf(yaml, sizeof yaml,
             "dimension: 2\nduration: 9\nframe_rate: %.17g\ngravity: [0, 0]\n"
             "domain: {min: [0, 0], max: [1, 1], x: periodic, y: periodic}\n"
             "method: {type: smoke, cell: %.17g, viscosity: %g, advection: %s, trace: %s, "
             "courant: 100, largest_step: 9, tolerance: 1e-6}\n",
             1.0 / v->dt, 1.0 / v->n, VISCOSITY, v->advection, v->trace);
    tank_open(t, yaml);
}

// The vortices alone on the lower faces of cell (i, j), at a time.
static void vortices_at(const Vortices *v, int i, int j, double time, double out[2])
{
    const double left = exp(-8.0 * M_PI * M_PI * VISCOSITY * time), turn = 2.0 * M_PI / v->n;
    const double x = i - v->drift * time * v->n, y = j - 0.5 * v->drift * time * v->n;
    out[0] = left * sin(turn * x) * cos(turn * (y + 0.5));
    out[1] = -left * cos(turn * (x + 0.5)) * sin(turn * y);
}

static void vortices_set(Tank *t, const Vortices *v)
{
    for (int j = 0; j < v->n; ++j)
        for (int i = 0; i < v->n; ++i) {
            double flow[2];
            vortices_at(v, i, j, 0.0, flow);
            t->v[0][tank_at(t, i, j, 0)] = (float)(flow[0] + v->drift);
            t->v[1][tank_at(t, i, j, 0)] = (float)(flow[1] + 0.5 * v->drift);
        }
}

// Share of the energy that is left, and the mean error of the velocity.
static double look(const Tank *t, const Vortices *v, double *error)
{
    const double time = ond_sim_time(t->sim);
    double energy = 0.0, square = 0.0;
    for (int j = 0; j < v->n; ++j)
        for (int i = 0; i < v->n; ++i) {
            double flow[2];
            vortices_at(v, i, j, time, flow);
            for (int a = 0; a < 2; ++a) {
                const double u = t->v[a][tank_at(t, i, j, 0)] - v->drift * (a ? 0.5 : 1.0);
                energy += u * u;
                square += (u - flow[a]) * (u - flow[a]);
            }
        }
    *error = sqrt(square) / v->n;
    return 2.0 * energy / v->n / v->n;
}

static void test_energy(void **state)
{
    (void)state;
    static const struct {
        const char *advection;
        double within;
    } cases[] = {{"cubic", 2e-4}, {"maccormack", 6e-4}, {"linear", 0.04}};
    for (int c = 0; c < 3; ++c) {
        const Vortices v = {64, cases[c].advection, "taylor", 1.0 / 64, 0.0};
        double error;
        Tank t;
        vortices_open(&t, &v);
        vortices_set(&t, &v);
        tank_run(&t, 1);
        CHECK_NEAR(look(&t, &v, &error), 0.20615, cases[c].within, cases[c].advection);
        tank_run(&t, 2);
        CHECK_NEAR(look(&t, &v, &error), 0.04250, cases[c].within, cases[c].advection);
        tank_close(&t);
    }
}

static double error_of(Vortices v)
{
    double error;
    Tank t;
    vortices_open(&t, &v);
    vortices_set(&t, &v);
    tank_run(&t, 1);
    look(&t, &v, &error);
    tank_close(&t);
    return error;
}

// log2 of how much better a second run is than a first.
static double order(Vortices first, Vortices second)
{
    return log2(error_of(first) / error_of(second));
}

static void test_order(void **state)
{
    (void)state;
    static const struct {
        const char *what, *advection, *trace;
        int cells[2], steps[2];
        double least, most;
    } cases[] = {
        {"cells and steps", "cubic", "taylor", {32, 64}, {32, 64}, 1.8, 3},
        {"cells and steps", "maccormack", "taylor", {32, 64}, {32, 64}, 1.8, 3},
        {"steps alone", "cubic", "taylor", {128, 128}, {32, 64}, 1.8, 3},
        {"the flow as it stands", "cubic", "rk2", {32, 64}, {32, 64}, 0.8, 1.2},
        {"the flow as it stands", "cubic", "rk3", {32, 64}, {32, 64}, 0.8, 1.2},
    };
    for (int c = 0; c < (int)(sizeof cases / sizeof cases[0]); ++c) {
        Vortices run[2];
        for (int k = 0; k < 2; ++k)
            run[k] = (Vortices){cases[c].cells[k], cases[c].advection, cases[c].trace,
                                1.0 / cases[c].steps[k], 1.0};
        const double found = order(run[0], run[1]);
        print_message("%s, %s, %s: order %.2f\n", cases[c].advection, cases[c].trace, cases[c].what,
                      found);
        CHECK_NEAR(found >= cases[c].least && found <= cases[c].most, 1, 0, cases[c].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy), cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

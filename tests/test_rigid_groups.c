// SPDX-License-Identifier: MIT
// ctest: slow
// Groups along strong links: where rigidity runs from solid to soft, the iteration needs as few rounds at
// any size, and finds the same motion as one without such a guide would.
#include "library.h"

// A column whose rigidity runs from 1 at the top to 0.5 at its foot, with a stiff core beside the soft: it
// sags, bends and turns at once.
static const char column[] =
    "frame_rate: 100\n"
    "domain: {min: [-0.6, 0, -0.6], max: [0.6, 1.2, 0.6], slip: 0}\n"
    "fluid:\n"
    "  - {name: wax, spacing: 0.05, T_solid: 0, T_liquid: 100, temperature: 0, conductivity: 0.2,\n"
    "     shape: {type: box, min: [-0.1, 0, -0.1], max: [0.1, 0.8, 0.1]}}\n";

// Warmer towards the foot, and on one side.
static void warm(OndSim *sim)
{
    const struct {
        double low, by;
    } band[] = {{0.6, 2}, {0.4, 10}, {0.2, 15}, {0.0, 20}};
    for (int k = 0; k < 4; ++k) {
        const OndRegion all = ond_box(-0.2, 0.0, -0.2, 0.2, band[k].low + 0.2, 0.2);
        const OndRegion half = ond_box(0.0, 0.0, -0.2, 0.2, band[k].low + 0.2, 0.2);
        OK(ond_sim_heat_region(sim, &all, band[k].by, &why));
        OK(ond_sim_heat_region(sim, &half, 0.3 * band[k].by, &why));
    }
}

typedef struct Counts {
    double mean;
    int most, steps, particles;
    double fallen; // of the mean height, m
} Counts;

static Counts count(const char *set, double until)
{
    OndSim *const sim = make(column, set);
    Counts c = {.particles = ond_sim_particle_count(sim)};
    const double before = mean(sim, "position", 1);
    warm(sim);
    while (ond_sim_time(sim) < until) {
        OndStepReport r;
        OK(ond_sim_step(sim, &why));
        ond_sim_last_step(sim, &r);
        c.mean += r.iterations;
        c.most = r.iterations > c.most ? r.iterations : c.most;
        ++c.steps;
    }
    c.mean /= c.steps;
    c.fallen = before - mean(sim, "position", 1);
    ond_sim_destroy(sim);
    return c;
}

static void iterations_do_not_grow(void **state)
{
    const Counts coarse = count(NULL, 0.1), fine = count("fluid.0.spacing=0.025", 0.05);
    print_message("%d particles: %.1f iterations, at most %d; %d: %.1f, %d\n", coarse.particles,
                  coarse.mean, coarse.most, fine.particles, fine.mean, fine.most);
    assert_true(coarse.mean > 1.0); // there is something to find
    if (coarse.most > 40 || fine.most > 40) fail_msg("more than 40 iterations in a step");
    if (fine.mean > 1.5 * coarse.mean) fail_msg("iterations grow with the number of particles");
}

// A tolerance three hundred times as strict changes the motion by little: what the guide finds is right.
static void stricter_is_the_same(void **state)
{
    const Counts usual = count(NULL, 0.1), strict = count("method.rigidity.tolerance=1e-4", 0.1);
    print_message("fallen %.7f strict %.7f m\n", usual.fallen, strict.fallen);
    CHECK_NEAR(usual.fallen / strict.fallen, 1, 0.03, "fall with the usual tolerance");
    assert_true(strict.most > usual.most);
}

// A puddle on a floor that sticks, with solid pieces that stand in it: contacts by the hundred come and go in
// every step, and are found on the way of one solve instead of one solve for each set of them.
static const char puddle[] =
    "domain: {min: [-0.6, 0, -0.6], max: [0.6, 1.2, 0.6], slip: 0}\n"
    "fluid:\n"
    "  - {name: wax, spacing: 0.04, T_solid: 0, T_liquid: 100, temperature: 0, conductivity: 0.2,\n"
    "     shape: {type: box, min: [-0.32, 0, -0.16], max: [0.32, 0.24, 0.16]}, regions:\n"
    "     [{shape: {type: box, min: [-0.4, -0.1, -0.2], max: [-0.04, 0.4, 0.2]}, temperature: "
    "97},\n"
    "      {shape: {type: box, min: [0.2, -0.1, -0.2], max: [0.4, 0.4, 0.2]}, temperature: 60}]}\n";

static void contacts_cost_little(void **state)
{
    OndSim *const sim = make(puddle, NULL);
    double sum = 0;
    int most = 0, steps = 0;
    for (; ond_sim_time(sim) < 0.3; ++steps) {
        OndStepReport r;
        OK(ond_sim_step(sim, &why));
        ond_sim_last_step(sim, &r);
        sum += r.iterations;
        most = r.iterations > most ? r.iterations : most;
    }
    print_message("%d particles: %.1f iterations a step, at most %d\n", ond_sim_particle_count(sim),
                  sum / steps, most);
    ond_sim_destroy(sim);
    if (!(sum / steps < 4.0)) // 6.6 where each set of contacts is solved to the end
        fail_msg("%.1f iterations a step", sum / steps);
    if (!(most < 35)) fail_msg("%d iterations in a step", most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_do_not_grow),
        cmocka_unit_test(stricter_is_the_same),
        cmocka_unit_test(contacts_cost_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Laws of surfaces, solids, grains and heat between particles: each against its formula, and the
// limits that methods rely on.
#include "laws.h"
#include "laws_particles.h"
#include "physics/kernels.h"
#include "physics/step.h"
#include "physics/wall_density.h"

PARTICLE_LAWS(LAW_FUNCTIONS)

static void test_formulas(void **state)
{
    static const Law laws[] = {PARTICLE_LAWS(LAW_ENTRY)};
    check_laws(laws, sizeof laws / sizeof *laws);
}

static float within(int round, int stream, float low, float high)
{
    return low + (high - low) * ond_random((uint64_t)round, 100 + (uint64_t)stream);
}

// ---- kernels without their factors

static void test_kernel_shapes(void **state)
{
    for (int kind = 0; kind < OND_KERNEL_COUNT; ++kind)
        for (int s = 1; s < 100; ++s) {
            const OndKernelSet k = ond_kernel_set(kind, 0.2, 3);
            const float r = 0.002f * (float)s;
            const double value = ond_kernel_value(k, r * r), slope = ond_kernel_gradient(k, r),
                         bend = ond_kernel_laplacian(k, r);
            CHECK_NEAR(k.value * ond_kernel_shape(kind, r * r, k.inv_h), value, 1e-6 * value,
                       "shape");
            CHECK_NEAR(k.gradient * ond_kernel_gradient_shape(kind, r, k.inv_h), slope,
                       1e-6 * fabs(slope), "gradient");
            CHECK_NEAR(k.laplacian * ond_kernel_laplacian_shape(kind, r, k.inv_h), bend,
                       1e-6 * fabs(bend), "Laplacian");
        }
    assert_true(ond_kernel_shape(OND_KERNEL_WENDLAND, 0, 5) == 1); // the particle itself
}

// ---- surfaces

static double wendland(double q)
{
    return q < 1 ? pow(1 - q, 4) * (1 + 4 * q) : 0;
}

// What lap c is made of is the Laplacian of the kernel, by differences.
static void test_colour_laplacian(void **state)
{
    const double e = 1e-4;
    for (int sides = 1; sides <= 2; ++sides)
        for (double q = 0.05; q < 0.95; q += 0.05) {
            const double up = wendland(q + e), at = wendland(q), down = wendland(q - e);
            const double want = (up - 2 * at + down) / (e * e) + sides * (up - down) / (2 * e * q);
            const double got = -20.0 * ond_colour_bend(1, (float)q, (float)(1 - q), (float)sides);
            CHECK_NEAR(got, want, 1e-3, "Laplacian of the colour");
        }
}

// Neighbours on a ball of radius R see 1 / R, up to their distance squared.
static void test_curvature_of_a_ball(void **state)
{
    for (int round = 0; round < LAW_ROUNDS; ++round) {
        const double R = within(round, 0, 0.5f, 2), tilt = within(round, 1, 0.01f, 0.1f);
        const double n[2][2] = {{0, -1}, {-sin(tilt), -cos(tilt)}}; // into the liquid
        const double d[2] = {R * (n[1][0] - n[0][0]), R * (n[1][1] - n[0][1])};
        const double mine = n[0][0] * d[0] + n[0][1] * d[1],
                     other = n[1][0] * d[0] + n[1][1] * d[1];
        const double r2 = d[0] * d[0] + d[1] * d[1];
        const float w = ond_curvature_weight(0.7f, -3);
        const double got = ond_curvature(ond_curvature_turn(w, (float)other, (float)mine),
                                         ond_curvature_way(w, (float)r2, (float)mine));
        CHECK_NEAR(got, 1 / R, (1e-4 + tilt * tilt / 3) / R, "curvature of a ball");
    }
    assert_true(ond_curvature(0, 0) == 0); // alone
}

// ---- solids

static void test_rigidity_limits(void **state)
{
    assert_true(ond_rigidity_at(5, 10, 20) == 1 && ond_rigidity_at(25, 10, 20) == 0);
    assert_true(ond_rigidity_at(5, 10, 10) == 0); // never sets
    assert_true(ond_rigidity_in_step(0.4f, 0.01f, 0) == 0.4f);
    assert_true(ond_rigidity_in_step(1, 0.01f, 1) == 1 && ond_rigidity_in_step(0, 0.01f, 1) == 0);
    // two steps take back as much as one of both lengths
    const double one = ond_rigidity_in_step(0.6f, 0.03f, 0.1f),
                 two = 1 - (1 - ond_rigidity_in_step(0.6f, 0.01f, 0.1f)) *
                               (1 - ond_rigidity_in_step(0.6f, 0.02f, 0.1f));
    CHECK_NEAR(one, two, 1e-6, "in one step or two");
    assert_true(ond_link_shape(0, 1) == 0 && ond_link_shape(2, 1) == 0); // itself; out of reach
    assert_true(ond_link_lead(0, 0, 0.1f) == 0 && ond_link_lead(1, 20, 0.1f) == 1);
}

// What rubs off one piece the other gets, and nothing of what presses them.
static void test_rubbing(void **state)
{
    for (int round = 0; round < LAW_ROUNDS; ++round) {
        const float m[2] = {within(round, 0, 0.1f, 1), within(round, 1, 0.1f, 1)};
        float v[3], n[3], along = 0, r2 = 0;
        double work = 0;
        for (int a = 0; a < 3; ++a) {
            v[a] = within(round, 2 + a, -1, 1), n[a] = within(round, 5 + a, 0.1f, 1);
            along += v[a] * n[a], r2 += n[a] * n[a];
        }
        for (int a = 0; a < 3; ++a) {
            const double one = m[0] * ond_rub_change(0.2f, m[0], m[1], v[a], n[a], along, r2);
            const double other = m[1] * ond_rub_change(0.2f, m[1], m[0], -v[a], -n[a], along, r2);
            CHECK_NEAR(one, -other, 1e-6, "equal and opposite");
            work += one * n[a];
        }
        CHECK_NEAR(work, 0, 1e-6, "across the contact");
    }
}

// ---- grains

// A pair that meets and parts under the law keeps the share of its speed that was asked for.
static void test_restitution(void **state)
{
    for (double e = 0.1; e < 1; e += 0.2) {
        OndContactLaw law = {.stiffness = 1000,
                             .damping_share = (float)ond_contact_damping(e),
                             .friction = OND_NO_SLIP_LIMIT};
        const double mass = ond_contact_mass(0.2f, 0.6f), dt = 1e-6;
        const float inertia = ond_contact_inertia(&law, (float)mass);
        double overlap = 0, speed = -1; // of parting
        do {
            speed += dt * ond_contact_push(&law, (float)overlap, (float)speed, inertia) / mass;
            overlap -= dt * speed;
        } while (overlap > 0);
        CHECK_NEAR(speed, e, 2e-3, "speed after a collision");
    }
}

static void test_contact_limits(void **state)
{
    const OndContactLaw law = some_contact(0.5f);
    const float still[3] = {0, 0, 0};
    float stretch[3] = {0, 0, 0}, force[3];
    ond_contact_grip(&law, 10, still, 2, 0.01f, stretch, force);
    assert_true(force[0] == 0 && stretch[0] == 0);
    assert_true(ond_contact_drag(&law, -1, 1, 2) == 0); // what pulls does not rub
    // the step at which x'' = -w2 x, kicked and drifted, begins to grow is 2 / w
    CHECK_NEAR(ond_contact_step(100, 0), 0.2, 1e-12, "stable step");
    assert_true(isinf(ond_contact_step(0, 1)));
}

// ---- heat

static void test_heat_curve(void **state)
{
    const OndHeatCurve c = some_curve();
    for (double t = -20; t < 40; t += 0.37) {
        CHECK_NEAR(ond_heat_temperature(c, 0, ond_heat_held(c, t)), t, 1e-12, "there and back");
        CHECK_NEAR(ond_heat_temperature(c, 3, ond_heat_held(c, t) + 3 * t), t, 1e-12,
                   "with what is outside");
        // on its own branch the guess is the curve itself
        CHECK_NEAR(some_guessed(t, 0.5, ond_heat_held(c, t), false), ond_heat_held(c, t), 1e-10,
                   "guessed branch");
        CHECK_NEAR(some_guessed(t, 0.5, ond_heat_held(c, t), true), ond_heat_slope(c, t), 0,
                   "its slope");
    }
    assert_true(some_sure(20, true, true) == 2);
    // where one insulates nothing passes
    assert_true(ond_heat_mean(0, 5) == 0 && ond_heat_diffusivity(0, 5) == 0);
    assert_true(ond_heat_through(0, 1, 1) == 0);
    assert_true(ond_heat_lost(3, 20, 50) == -ond_heat_lost(3, 50, 20));
    // neither beyond the neighbour nor away from it, however long the step
    assert_true(ond_heat_pair(10, 20, 1e9, 1e9) < 20 && ond_heat_pair(10, 20, 0, 1e-9) > 10);
}

static void test_exposed_area(void **state)
{
    static const struct {
        const char *name;
        float missing[6];
        double want;
    } cases[] = {
        {"inside", {0, 0, 0, 0, 0, 0}, 0},  {"disorder", {.4f, .3f, .2f, .4f, .1f, .4f}, 0},
        {"a side", {0, 0, 0, 1, 0, 0}, 1},  {"an edge, rounded", {1, 0, 0, 1, 0, 0}, 1.41421356},
        {"a sheet", {0, 0, 1, 1, 0, 0}, 2}, {"alone", {1, 1, 1, 1, 1, 1}, 6}};
    for (int c = 0; c < 6; ++c)
        CHECK_NEAR(ond_heat_exposed(cases[c].missing, 3, 0.45f), cases[c].want, 1e-6,
                   cases[c].name);
    CHECK_NEAR(ond_step_heat(1e-6, 0.01, true), 25, 1e-9, "implicit step");
    CHECK_NEAR(ond_step_heat(1e-6, 0.01, false), 10, 1e-9, "explicit step");
    assert_true(isinf(ond_step_heat(0, 0.01, true)));
}

// ---- walls

static void test_wall_table(void **state)
{
    static OndWallTable table = {.per_metre = 100};
    for (int k = 0; k < OND_WALL_ENTRIES + 2; ++k)
        table.sum[k][OND_WALL_SLOPE] = (float)(k * k);
    for (double d = 0; d < 0.95; d += 0.0123) {
        const double at = 100 * d, k = floor(at), want = k * k + (at - k) * (2 * k + 1);
        CHECK_NEAR(ond_wall_sum(&table, OND_WALL_SLOPE, (float)d), want, 1e-3 * (want + 1),
                   "between two entries");
    }
    assert_true(ond_wall_sum(&table, OND_WALL_SLOPE, 2) == 0);
    assert_true(ond_wall_sum(&table, OND_WALL_SLOPE, -1) == 0); // as on the wall
    // a plane behind another by far is covered, one before it is not, one across it is half
    CHECK_NEAR(ond_wall_covered(1, -5, 1, 0.5f), 1, 1e-6, "behind");
    CHECK_NEAR(ond_wall_covered(1, 9, 1, 0.5f), 0, 1e-6, "before");
    CHECK_NEAR(ond_wall_covered(1, 0, 0, 0.5f), 0.5, 1e-6, "at a right angle, through the middle");
}

static void test_wrapping(void **state)
{
    for (int round = 0; round < LAW_ROUNDS; ++round) {
        const float low = within(round, 0, -2, 0), high = within(round, 1, 1, 3);
        const float x =
            round % 3 ? within(round, 2, -9, 9) : nextafterf(round % 2 ? low : high, -99);
        const float at = ond_motion_wrap(x, low, high);
        if (!(at >= low && at < high))
            fail_msg("%.9g in [%.9g, %.9g) went to %.9g", x, low, high, at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),         cmocka_unit_test(test_kernel_shapes),
        cmocka_unit_test(test_colour_laplacian), cmocka_unit_test(test_curvature_of_a_ball),
        cmocka_unit_test(test_rigidity_limits),  cmocka_unit_test(test_rubbing),
        cmocka_unit_test(test_restitution),      cmocka_unit_test(test_contact_limits),
        cmocka_unit_test(test_heat_curve),       cmocka_unit_test(test_exposed_area),
        cmocka_unit_test(test_wall_table),       cmocka_unit_test(test_wrapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

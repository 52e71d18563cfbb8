// SPDX-License-Identifier: MIT
// The physics of one pair: kernels, equations of state, friction, walls and steps against closed
// forms. Every kernel of the register is held to what a kernel is: its integral, its gradient as
// the slope of its value, its support. Those that `formulas` lists are also written here a second
// time, as their papers have them and in double; a new one needs no line here.
#include "check.h"
#include "method/world.h"
#include "particles/sph/sph_def.h"
#include "physics/kernels.h"
#include "physics/state.h"
#include "physics/step.h"
#include "physics/viscosity.h"
#include "physics/wall.h"

#include <stdbool.h>

#define SLICES 20000 // of a quadrature over the support

static const double radii[] = {0.003, 1.0, 15.0}; // m

static const char *label(const char *what, int kind, int dimension, double h)
{
    static char text[96];
    snprintf(text, sizeof text, "%s of %s, %dD, h = %g", what, ond_kernel_name(kind), dimension, h);
    return text;
}

// Calls `check` for every kernel, every dimension it is for, and every radius.
static void for_all(void (*check)(OndKernelSet k, int dimension, double h))
{
    for (int kind = 0; kind < OND_KERNEL_COUNT; ++kind)
        for (int d = 2; d <= 3; ++d)
            for (int r = 0; r < 3; ++r)
                if (ond_kernel_dimension(kind) == 0 || ond_kernel_dimension(kind) == d)
                    check(ond_kernel_set(kind, radii[r], d), d, radii[r]);
}

// ---- references

static double poly6(double r, double h, int d)
{
    const double c = d == 2 ? 4 / (OND_PI * pow(h, 8)) : 315 / (64 * OND_PI * pow(h, 9));
    return r < h ? c * pow(h * h - r * r, 3) : 0;
}

static double spiky(double r, double h, int d)
{
    const double c = d == 2 ? 10 / (OND_PI * pow(h, 5)) : 15 / (OND_PI * pow(h, 6));
    return r < h ? c * pow(h - r, 3) : 0;
}

static double cubic(double r, double h, int d)
{
    const double c = d == 2 ? 40 / (7 * OND_PI * h * h) : 8 / (OND_PI * h * h * h), q = r / h;
    return c * (q < 0.5 ? 6 * (q * q * q - q * q) + 1 : q < 1 ? 2 * pow(1 - q, 3) : 0);
}

static double wendland(double r, double h, int d)
{
    const double c = d == 2 ? 7 / (OND_PI * h * h) : 21 / (2 * OND_PI * h * h * h), q = r / h;
    return q < 1 ? c * pow(1 - q, 4) * (1 + 4 * q) : 0;
}

// Kernels that are known by their formulas. A set of several takes its gradient from one of its own
// and has a Laplacian of its own.
static const struct {
    int kind;
    double (*value)(double r, double h, int d);
    double (*pushes)(double r, double h, int d); // the kernel whose gradient pressure uses
    bool set;
} formulas[] = {{OND_KERNEL_MUELLER, poly6, spiky, true},
                {OND_KERNEL_CUBIC, cubic, cubic, false},
                {OND_KERNEL_WENDLAND, wendland, wendland, false},
                {OND_KERNEL_MULLER2D, poly6, spiky, true}};

// Where in `formulas`; -1: not there.
static int formula_of(int kind)
{
    for (int k = 0; k < OND_COUNT(formulas); ++k)
        if (formulas[k].kind == kind) return k;
    return -1;
}

static bool is_set(int kind)
{
    return formula_of(kind) >= 0 && formulas[formula_of(kind)].set;
}

static double value_at(int kind, double r, double h, int d)
{
    return formulas[formula_of(kind)].value(r, h, d);
}

// W'(r) of the kernel that pressure uses.
static double slope_at(int kind, double r, double h, int d)
{
    const double e = 1e-5 * h;
    if (kind == OND_KERNEL_MULLER2D) return 10 / (OND_PI * pow(h, 5)) * pow(h - r, 3); // outwards
    double (*const w)(double, double, int) = formulas[formula_of(kind)].pushes;
    return (w(r + e, h, d) - w(r - e, h, d)) / (2 * e);
}

// ---- kernels

static double shell(double r, int d) // surface of a ball
{
    return d == 2 ? 2 * OND_PI * r : 4 * OND_PI * r * r;
}

static void check_moments(OndKernelSet k, int d, double h)
{
    double whole = 0, slope = 0, bend = 0;
    const double dr = h / SLICES;
    for (int s = 0; s < SLICES; ++s) {
        const double r = (s + 0.5) * dr, dv = shell(r, d) * dr;
        whole += ond_kernel_value(k, (float)(r * r)) * dv;
        slope +=
            r * r * ond_kernel_gradient(k, (float)r) * dv; // r W': -d after partial integration
        bend += r * r * ond_kernel_laplacian(k, (float)r) * dv;
    }
    CHECK_NEAR(whole, 1, 1e-4, label("integral", k.kind, d, h));
    if (k.kind != OND_KERNEL_MULLER2D) // its gradient belongs to no kernel
        CHECK_NEAR(slope, -d, 1e-4 * d, label("gradient moment", k.kind, d, h));
    CHECK_NEAR(bend, 2 * d, 2e-4 * d, label("Laplacian moment", k.kind, d, h));
}

static void test_moments(void **state)
{
    for_all(check_moments);
}

// W(r) is what its slopes from r to the end of the support add up to.
static void check_slopes(OndKernelSet k, int d, double h)
{
    const double dr = h / SLICES, top = ond_kernel_value(k, 0);
    double sum = 0;
    if (is_set(k.kind)) return;
    for (int s = SLICES - 1; s >= 0; --s) {
        const double r = (s + 0.5) * dr, begin = s * dr;
        sum -= r * ond_kernel_gradient(k, (float)r) * dr;
        CHECK_NEAR(ond_kernel_value(k, (float)(begin * begin)), sum, 1e-5 * top,
                   label("sum of slopes", k.kind, d, h));
    }
}

static void test_slopes(void **state)
{
    for_all(check_slopes);
}

static void check_values(OndKernelSet k, int d, double h)
{
    if (formula_of(k.kind) < 0) return;
    const double top = value_at(k.kind, 0, h, d), steep = fabs(slope_at(k.kind, 0.3 * h, h, d));
    for (int s = 1; s < 200; ++s) {
        const double r = h * s / 200.0;
        CHECK_NEAR(ond_kernel_value(k, (float)(r * r)), value_at(k.kind, r, h, d), 1e-6 * top,
                   label("value", k.kind, d, h));
        CHECK_NEAR(r * ond_kernel_gradient(k, (float)r), slope_at(k.kind, r, h, d), 1e-5 * steep,
                   label("gradient", k.kind, d, h));
    }
    CHECK_NEAR(ond_kernel_value(k, 0), top, 1e-6 * top, label("value at 0", k.kind, d, h));
}

static void test_values_and_gradients(void **state)
{
    for_all(check_values);
}

static void check_laplacian(OndKernelSet k, int d, double h)
{
    const double c = (d == 2 ? 40 : 45) / (OND_PI * pow(h, d + 3));
    for (int s = 1; s < 200; ++s) {
        const double r = h * s / 200.0, got = ond_kernel_laplacian(k, (float)r);
        assert_true(got >= 0); // friction never speeds up
        if (formula_of(k.kind) < 0) continue;
        const bool own = is_set(k.kind);
        const double want = own ? c * (h - r) : -2 * slope_at(k.kind, r, h, d) / r;
        const double top = own ? c * h : fabs(2 * slope_at(k.kind, 0.3 * h, h, d) / (0.3 * h));
        CHECK_NEAR(got, want, 1e-4 * top, label("Laplacian", k.kind, d, h));
    }
}

static void test_laplacians(void **state)
{
    for_all(check_laplacian);
}

static void check_ends(OndKernelSet k, int d, double h)
{
    static const double beyond[] = {1.0, 1.0001, 2.0, 1e6};
    for (int b = 0; b < 4; ++b) {
        const float r = (float)(h * beyond[b]) * (b ? 1.0f : 1.0000002f);
        CHECK_NEAR(ond_kernel_value(k, r * r), 0, 0, label("value outside", k.kind, d, h));
        CHECK_NEAR(ond_kernel_gradient(k, r), 0, 0, label("gradient outside", k.kind, d, h));
        CHECK_NEAR(ond_kernel_laplacian(k, r), 0, 0, label("Laplacian outside", k.kind, d, h));
    }
    // at r = 0 the pair has no direction: what is multiplied by x_i - x_j = 0 must be finite
    assert_true(isfinite(ond_kernel_gradient(k, 0)) && isfinite(ond_kernel_laplacian(k, 0)));
}

static void test_ends(void **state)
{
    for_all(check_ends);
}

// A scene may ask for any spacing from 1e-6 m to 1e6 m, and h of 1 to 4 of them.
static void test_constants_of_all_scales(void **state)
{
    static const double scales[] = {1e-6, 1e-4, 1e-3, 1, 1e3, 1e5, 4e6};
    for (int s = 0; s < 7; ++s)
        for (int kind = 0; kind < OND_KERNEL_COUNT; ++kind)
            for (int d = 2; d <= 3; ++d) {
                const OndKernelSet k = ond_kernel_set(kind, scales[s], d);
                const bool fine = isfinite(k.value) && isfinite(k.gradient) &&
                                  isfinite(k.laplacian) && k.value > 0 && k.gradient != 0 &&
                                  k.laplacian > 0 && k.h2 > 0 && isfinite(k.inv_h);
                if (!fine)
                    fail_msg("%s: value %g, gradient %g, Laplacian %g",
                             label("constants", kind, d, scales[s]), (double)k.value,
                             (double)k.gradient, (double)k.laplacian);
            }
}

// ---- equations of state

static void test_state(void **state)
{
    static const struct {
        double density, rest, sound, exponent;
    } cases[] = {{1000, 1000, 10, 7}, {1020, 1000, 30, 7}, {990, 1000, 30, 7},
                 {1.1, 1, 15, 7},     {2, 1, 1, 1},        {13600, 13000, 100, 3.5}};
    for (int c = 0; c < 6; ++c) {
        const double rho = cases[c].density, rest = cases[c].rest, n = cases[c].exponent;
        const double c2 = cases[c].sound * cases[c].sound, unit = 1e-5 * rest * c2;
        const float r = (float)rho, r0 = (float)rest, sound = (float)cases[c].sound;
        CHECK_NEAR(ond_pressure_linear(r, r0, sound), c2 * (rho - rest), unit, "linear state");
        CHECK_NEAR(ond_pressure_tait(r, r0, sound, (float)n),
                   rest * c2 / n * (pow(rho / rest, n) - 1), unit, "Tait's state");
        // at rest both have the slope c^2
        const float up = 1.01f * r0, down = 0.99f * r0;
        const double slope = (ond_pressure_tait(up, r0, sound, (float)n) -
                              ond_pressure_tait(down, r0, sound, (float)n)) /
                             ((double)up - down);
        CHECK_NEAR(slope, c2, 3e-3 * c2, "slope of Tait's state at rest");
    }
}

// ---- friction

static void test_artificial_viscosity(void **state)
{
    static const struct {
        double closing, r, h, density_sum, linear, quadratic;
    } cases[] = {{-0.3, 0.1, 0.2, 2000, 3, 0},   {-0.3, 0.1, 0.2, 2000, 3, 2},
                 {-2, 0.01, 0.02, 1990, 0, 1.5}, {0.3, 0.1, 0.2, 2000, 3, 2},
                 {0, 0.1, 0.2, 2000, 3, 2},      {-1e-9, 0, 0.2, 2000, 3, 2},
                 {-40, 0.5, 1, 2.02, 1.5, 0.7}};
    for (int c = 0; c < 7; ++c) {
        const double h = cases[c].h, r = cases[c].r, closing = cases[c].closing;
        const double mu = closing < 0 ? h * closing / (r * r + 0.01 * h * h) : 0;
        const double want =
            2 * (-cases[c].linear * mu + cases[c].quadratic * mu * mu) / cases[c].density_sum;
        const double got = ond_artificial_viscosity(
            (float)closing, (float)(r * r), (float)h, (float)cases[c].density_sum,
            (float)cases[c].linear, (float)cases[c].quadratic);
        CHECK_NEAR(got, want, 1e-5 * fabs(want), "artificial viscosity");
        assert_true(got >= 0); // pushes apart, never together
    }
}

// ---- walls

static void test_wall_contact(void **state)
{
    static const struct {
        const char *name;
        float v[3];
        int axis;
        float inward, slip, bounce, wall[3], want[3];
    } cases[] = {
        {"slides along the floor", {3, -2, 1}, 1, 1, 1, 0, {0}, {3, 0, 1}},
        {"sticks", {3, -2, 1}, 1, 1, 0, 0, {0}, {0, 0, 0}},
        {"bounces back whole", {3, -2, 1}, 1, 1, 1, 1, {0}, {3, 2, 1}},
        {"half of each", {3, -2, 1}, 1, 1, 0.5f, 0.5f, {0}, {1.5f, 1, 0.5f}},
        {"upper wall", {3, -2, 1}, 0, -1, 0.5f, 0.25f, {0}, {-0.75f, -1, 0.5f}},
        {"already leaves", {3, 2, 1}, 1, 1, 1, 0.5f, {0}, {3, 2, 1}},
        {"already leaves, rubs", {3, 2, 1}, 1, 1, 0.5f, 0.5f, {0}, {1.5f, 2, 0.5f}},
        {"belt drags", {3, -2, 1}, 1, 1, 0, 0, {5, 0, -1}, {5, 0, -1}},
        {"belt, half", {3, -2, 1}, 1, 1, 0.5f, 0, {5, 0, -1}, {4, 0, 0}},
        {"wall that comes", {0, 0, 0}, 2, 1, 1, 0.5f, {0, 0, 2}, {0, 0, 3}},
    };
    for (int c = 0; c < 10; ++c) {
        float v[3];
        memcpy(v, cases[c].v, sizeof v);
        ond_wall_contact(v, cases[c].axis, cases[c].inward, cases[c].slip, cases[c].bounce,
                         cases[c].wall);
        for (int a = 0; a < 3; ++a)
            CHECK_NEAR(v[a], cases[c].want[a], 1e-6, cases[c].name);
    }
}

// ---- steps

static void test_adaptive_step(void **state)
{
    static const double speeds[] = {0, 1e-9, 0.1, 3, 1e5}, pushes[] = {0, 1e-9, 9.81, 4e4, 1e9};
    const double reach = 0.004;
    for (int v = 0; v < 5; ++v)
        for (int a = 0; a < 5; ++a) {
            const double speed = speeds[v], push = pushes[a];
            const double dt = ond_step_adaptive(speed, push, reach);
            if (speed == 0 && push == 0)
                assert_true(isinf(dt) && dt > 0);
            else
                CHECK_NEAR(push * dt * dt + speed * dt, reach, 1e-12 * reach, "root of the step");
            if (push == 0 && speed > 0)
                CHECK_NEAR(dt, reach / speed, 1e-12 * dt, "step without push");
            if (speed == 0 && push > 0)
                CHECK_NEAR(dt, sqrt(reach / push), 1e-12 * dt, "step from rest");
        }
    // almost no push: the textbook root (sqrt(v^2 + 4 a s) - v) / 2a would have lost all digits
    CHECK_NEAR(ond_step_adaptive(3, 1e-15, reach), reach / 3, 1e-12, "step with hardly any push");
}

// mu of a pair that closes in at speed u, from the quadratic term of its viscosity: Pi = 2 xi mu^2
// / (rho + rho).
static double mu_of(double u, double r, double h)
{
    const float pi =
        ond_artificial_viscosity((float)(-u * r), (float)(r * r), (float)h, 2000.0f, 0.0f, 1.0f);
    return sqrt(pi * 1000.0);
}

// The quadratic term counts like a speed of sound 0.6 xi mu: a step must know mu's largest value,
// whatever the distance of the pair.
static void test_largest_mu(void **state)
{
    const double h = 0.05, v = 3;
    double most = 0, at = 0;
    for (int k = 1; k <= 10000; ++k) {
        const double r = h * k / 10000, mu = mu_of(2 * v, r, h);
        if (mu > most) most = mu, at = r / h;
    }
    CHECK_NEAR(at, 0.1, 0.005, "where mu is largest, h");
    CHECK_NEAR(most, OND_MU_MOST * 2 * v, 1e-4 * most, "largest mu, by trying every distance");
    CHECK_NEAR(mu_of(2 * v, h / 2, h), 3.846 * v, 1e-3 * v, "mu at r = h / 2");
    CHECK_NEAR(ond_step_monaghan(v, 0, h, 10, 0, 2), 0.25 * h / (10 + 0.6 * 2 * most), 1e-8,
               "Monaghan's step knows it");
}

// Sum of Wendland's W over a square or cubic lattice that is drawn out by e^x along one axis and by
// e^-x along another, or so along diagonals; `size` stretches all of it. h in spacings. In doubles:
// a second difference is taken.
static double strained_sum(int dimension, double h, double x, bool diagonal, double size)
{
    const int reach = (int)ceil(h) + 1, flat = dimension == 2 ? 0 : reach;
    double sum = 0;
    for (int c = -flat; c <= flat; ++c)
        for (int b = -reach; b <= reach; ++b)
            for (int a = -reach; a <= reach; ++a) {
                const double u = diagonal ? a * cosh(x) + b * sinh(x) : a * exp(x);
                const double v = diagonal ? a * sinh(x) + b * cosh(x) : b * exp(-x);
                const double q = size * sqrt(u * u + v * v + c * c) / h;
                sum += q < 1 ? pow(1 - q, 4) * (1 + 4 * q) : 0;
            }
    return sum;
}

// Shear modulus of the lattice over its pressure: shear by x changes the density by a x^2 / 2 and
// so costs energy, as if it changed the volume.
static double lattice_modulus(int dimension, double h, bool diagonal)
{
    const double x = 1e-3, rest = strained_sum(dimension, h, 0, diagonal, 1);
    const double bend = strained_sum(dimension, h, x, diagonal, 1) +
                        strained_sum(dimension, h, -x, diagonal, 1) - 2 * rest;
    const double slope = strained_sum(dimension, h, 0, diagonal, 1 - x) -
                         strained_sum(dimension, h, 0, diagonal, 1 + x);
    return bend / (x * x) / (slope / (2 * x * dimension));
}

// A wave has as much of one shear as of the other. Their mean a raises omega^2 by a / 2 at any
// spacing: 5 % of the period in 2D and 10 % in 3D with a support of 2.
static void test_lattice_shear(void **state)
{
    for (int d = 2; d <= 3; ++d) {
        OndSphDef def;
        ond_schema_defaults(&ond_sph_schema, &def);
        def.pressure = OND_PRESSURE_WCSPH;
        ond_sph_apply_preset(&def, (OndSphScene){.dimension = d, .walls = OND_WALL_MIRROR});
        const double along = lattice_modulus(d, def.smoothing, false);
        const double across = lattice_modulus(d, def.smoothing, true);
        print_message("support of %g spacings, %dD: moduli %.3f and %.3f of the pressure\n",
                      def.smoothing, d, along, across);
        CHECK_NEAR(0.5 * (along + across), 0, d == 2 ? 0.08 : 0.11, "shear modulus, defaults");
        assert_true(along > 0 && across > 0); // it does not buckle
    }
    CHECK_NEAR(0.5 * (lattice_modulus(2, 2, false) + lattice_modulus(2, 2, true)), 0.217, 0.001,
               "with a support of 2");
    CHECK_NEAR(0.5 * (lattice_modulus(3, 2, false) + lattice_modulus(3, 2, true)), 0.446, 0.001,
               "with a support of 2 in 3D");
    CHECK_NEAR(0.5 * (lattice_modulus(3, 2.13, false) + lattice_modulus(3, 2.13, true)), 0.085,
               0.001, "with a support of 2.13 in 3D");
}

static void test_classical_steps(void **state)
{
    CHECK_NEAR(ond_step_cfl(2, 8, 0.05), 0.005, 1e-15, "CFL step");
    CHECK_NEAR(ond_step_monaghan(0, 0, 0.1, 10, 0, 0), 0.0025, 1e-12, "Monaghan's step, sound");
    CHECK_NEAR(ond_step_monaghan(3, 0, 0.1, 10, 0.5, 2), 0.25 * 0.1 / (10 + 0.6 * (5 + 60)), 1e-12,
               "Monaghan's step, friction");
    CHECK_NEAR(ond_step_monaghan(0, 1000, 0.1, 10, 0, 0), 0.0025, 1e-12, "both ask for the same");
    CHECK_NEAR(ond_step_monaghan(0, 1e5, 0.1, 10, 0, 0), 0.00025, 1e-12, "Monaghan's step, push");
    CHECK_NEAR(ond_step_advective(2, 0.05), 0.025, 1e-15, "advective step");
    assert_true(isinf(ond_step_advective(0, 0.05)));
    CHECK_NEAR(ond_step_paiva(2, 8, 0.001, 0.05), 0.0005, 1e-15, "Paiva's step, sound");
    CHECK_NEAR(ond_step_paiva(2, 8, 5, 0.06), 0.1 * 0.0036 / 30, 1e-15, "Paiva's step, friction");
    CHECK_NEAR(ond_step_viscous(0.1, 0.2), 0.02 * 0.04 / 0.1, 1e-12, "viscous step");
    CHECK_NEAR(ond_step_capillary(0.0728, 1000, 1e-3),
               0.25 * sqrt(1000 * 1e-9 / (2 * OND_PI * 0.0728)), 1e-12, "capillary step");
    assert_true(isinf(ond_step_viscous(0, 0.2)) && isinf(ond_step_capillary(0, 1000, 0.2)));
}

// ---- the register

// clang-format off
static const struct {
    const char *name;
    int number, only;
    float (*value)(float r2, float inv_h);
    float (*gradient)(float q);
    float (*laplacian)(float q);
    OndKernelFactors (*factors)(double h, int dimension);
} own[] = {
#define OND_KERNEL(name, number, only, about)                                                      \
    {#name, number, only, ond_kernel_##name##_value, ond_kernel_##name##_gradient,                 \
     ond_kernel_##name##_laplacian, ond_kernel_##name##_factors},
#include "physics/kernel_list.h"
#undef OND_KERNEL
};
// clang-format on

// Each kernel by its own functions, beside what is chosen by its number.
static void test_register(void **state)
{
    (void)state;
    CHECK_NEAR(OND_COUNT(own), OND_KERNEL_COUNT, 0, "all of them");
    CHECK_NEAR(ond_kernel_dimension(OND_KERNEL_MULLER2D), 2, 0, "flat constants");
    CHECK_NEAR(ond_kernel_dimension(OND_KERNEL_WENDLAND), 0, 0, "flat or not");
    assert_string_equal(ond_kernel_name(OND_KERNEL_WENDLAND), "wendland");
    for (int k = 0; k < OND_COUNT(own); ++k) {
        const int d = own[k].only == 0 ? 2 : own[k].only;
        assert_string_equal(ond_kernel_name(own[k].number), own[k].name);
        CHECK_NEAR(ond_kernel_dimension(own[k].number), own[k].only, 0, own[k].name);
        for (float q = 0.0f; q < 1.2f; q += 0.05f) {
            CHECK_NEAR(own[k].value(q * q, 0.5f), ond_kernel_shape(own[k].number, q * q, 0.5f),
                       1e-6, own[k].name);
            const double slope = ond_kernel_gradient_shape(own[k].number, 2 * q, 0.5f);
            CHECK_NEAR(own[k].gradient(q), slope, 1e-5 * fabs(slope), own[k].name);
            CHECK_NEAR(own[k].laplacian(q), ond_kernel_laplacian_shape(own[k].number, 2 * q, 0.5f),
                       1e-5 * ond_kernel_inverse(q), own[k].name);
        }
        const OndKernelFactors f = own[k].factors(0.5, d), g = ond_kernel_factors(k, 0.5, d);
        CHECK_NEAR(f.value, g.value, 1e-12 * f.value, own[k].name);
        CHECK_NEAR(f.gradient, g.gradient, 1e-12 * fabs(f.gradient), own[k].name);
        CHECK_NEAR(f.laplacian, g.laplacian, 1e-12 * f.laplacian, own[k].name);
    }
    CHECK_NEAR(ond_kernel_rest(0.25f), 0.75, 0, "1 - q");
    CHECK_NEAR(ond_kernel_rest(1.5f), 0, 0, "outside");
    CHECK_NEAR(ond_kernel_volume(0.5, 2), 0.25, 0, "square");
    CHECK_NEAR(ond_kernel_volume(0.5, 3), 0.125, 0, "cube");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_register),
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_values_and_gradients),
        cmocka_unit_test(test_laplacians),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_constants_of_all_scales),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_artificial_viscosity),
        cmocka_unit_test(test_wall_contact),
        cmocka_unit_test(test_adaptive_step),
        cmocka_unit_test(test_largest_mu),
        cmocka_unit_test(test_lattice_shear),
        cmocka_unit_test(test_classical_steps),
    };
    return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}

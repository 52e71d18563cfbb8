// SPDX-License-Identifier: MIT
// The pair laws of liquids: each against its formula, and what pairs give and take.
#include "laws.h"
#include "laws_sph.h"

SPH_LAWS(LAW_FUNCTIONS)

static void test_formulas(void **state)
{
    static const Law laws[] = {SPH_LAWS(LAW_ENTRY)};
    check_laws(laws, sizeof laws / sizeof *laws);
}

// ---- what i does to j and j to i

typedef struct Two {
    float x[2][3], v[2][3];
    float p[2], density[2], volume[2], viscosity[2];
    float d[3], r, g; // x_0 - x_1, its length, W' / r
} Two;

static float within(int round, int stream, float low, float high)
{
    return low + (high - low) * ond_random((uint64_t)round, 100 + (uint64_t)stream);
}

static Two make_two(int round)
{
    Two t;
    float r2 = 0;
    for (int k = 0; k < 2; ++k) {
        for (int a = 0; a < 3; ++a) {
            t.x[k][a] = within(round, 8 * k + a, 0, 0.1f);
            t.v[k][a] = within(round, 8 * k + 4 + a, -1, 1);
        }
        t.p[k] = within(round, 20 + k, 0, 1e4f);
        t.density[k] = within(round, 22 + k, 500, 2000);
        t.volume[k] = within(round, 24 + k, 1e-6f, 1e-3f);
        t.viscosity[k] = within(round, 26 + k, 0, 10);
    }
    for (int a = 0; a < 3; ++a) {
        t.d[a] = t.x[0][a] - t.x[1][a];
        r2 += t.d[a] * t.d[a];
    }
    t.r = sqrtf(r2);
    t.g = ond_kernel_gradient(ond_kernel_set(round % OND_KERNEL_COUNT, 0.2, 3), t.r);
    return t;
}

static double mass(const Two *t, int k)
{
    return (double)t->density[k] * t->volume[k];
}

// The force of the pressure on k, over d.
static double pressure_on(const Two *t, int k, bool weighted)
{
    OndPressureTerms terms[2];
    for (int n = 0; n < 2; ++n)
        terms[n] = weighted ? ond_pressure_weighted(t->p[n], t->density[n], t->volume[n])
                            : ond_pressure_mean(t->p[n], t->density[n], t->volume[n]);
    const double push = ond_pressure_pair(terms[!k].weight, terms[k].load, terms[!k].load, t->g);
    return -mass(t, k) * terms[k].scale * push * (k ? -1 : 1);
}

static double artificial_on(const Two *t, int k)
{
    float closing = 0;
    for (int a = 0; a < 3; ++a)
        closing += (t->v[0][a] - t->v[1][a]) * t->d[a];
    const float pi =
        ond_artificial_viscosity(closing, t->r * t->r, 0.2f, t->density[0] + t->density[1], 3, 2);
    return -mass(t, k) * ond_artificial_pair(t->density[!k], t->volume[!k], pi, t->g) *
           (k ? -1 : 1);
}

// Along x.
static double viscosity_on(const Two *t, int k)
{
    const float lap = -2 * t->g;
    return mass(t, k) * ond_viscosity_scale(1, t->density[k]) *
           ond_viscosity_pair(t->viscosity[k], t->viscosity[!k], t->volume[!k], lap) *
           (t->v[!k][0] - t->v[k][0]);
}

static double xsph_on(const Two *t, int k)
{
    return mass(t, k) * ond_xsph_weight(0.7f, t->density[k], t->density[!k], t->volume[!k]) *
           (t->v[!k][0] - t->v[k][0]);
}

static void test_pairs_give_what_they_take(void **state)
{
    for (int round = 0; round < LAW_ROUNDS; ++round) {
        const Two t = make_two(round);
        const double got[5][2] = {{pressure_on(&t, 0, false), pressure_on(&t, 1, false)},
                                  {pressure_on(&t, 0, true), pressure_on(&t, 1, true)},
                                  {artificial_on(&t, 0), artificial_on(&t, 1)},
                                  {viscosity_on(&t, 0), viscosity_on(&t, 1)},
                                  {xsph_on(&t, 0), xsph_on(&t, 1)}};
        static const char *const names[] = {"pressure, mean", "pressure, weighted",
                                            "artificial viscosity", "viscosity", "XSPH"};
        for (int n = 0; n < 5; ++n)
            CHECK_NEAR(got[n][0], -got[n][1], LAW_ROUNDING * fabs(got[n][0]), names[n]);
    }
}

// Density diffusion moves no mass: what one particle's density gains, times its volume, the other
// loses, for particles of one mass.
static void test_diffusion_keeps_mass(void **state)
{
    for (int round = 0; round < LAW_ROUNDS; ++round) {
        const Two t = make_two(round);
        double gain[2];
        for (int k = 0; k < 2; ++k) {
            const float share = ond_density_diffusion_share(t.g * t.volume[!k], t.r * t.r, 0);
            gain[k] =
                t.volume[k] * ond_density_diffusion_pair(share, 1 / t.volume[k], 1 / t.volume[!k]);
        }
        CHECK_NEAR(gain[0], -gain[1],
                   2 * LAW_ROUNDING * fabs((double)t.g * (t.volume[0] + t.volume[1])),
                   "gained and lost");
    }
}

// ---- limits

static void test_limits(void **state)
{
    // at rest there is no pressure, whatever the law; back and forth is where it began, but for
    // the last digit of a density, 6e-5 kg/m^3, which is 0.05 Pa
    assert_true(ond_pressure_linear(1000, 1000, 30) == 0);
    assert_true(ond_pressure_tait(1000, 1000, 30, 7) == 0);
    for (float p = 0; p < 1e5f; p += 997) {
        CHECK_NEAR(ond_pressure_linear(ond_density_linear(p, 1000, 30), 1000, 30), p, 0.3,
                   "linear");
        CHECK_NEAR(ond_pressure_tait(ond_density_tait(p, 1000, 30, 7), 1000, 30, 7), p, 0.3,
                   "Tait");
    }
    // two that part do not rub; the padding of a list (the particle itself) adds nothing and is finite
    assert_true(ond_artificial_viscosity(1, 0.01f, 0.2f, 2000, 3, 2) == 0);
    assert_true(ond_artificial_viscosity(0, 0, 0.2f, 2000, 3, 2) == 0);
    assert_true(ond_density_diffusion_share(-1, 0, 1e-6f) == 0);
    assert_true(ond_density_diffusion_pair(-1, 3, 3) == 0);
    assert_true(isfinite(ond_density_diffusion(1, 100, 0)));
    // stretched liquid pulls down to its strength, no farther
    assert_true(ond_pressure_held(-5, 10) == -5 && ond_pressure_held(-15, 10) == -10);
    assert_true(ond_pressure_held(-15, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_pairs_give_what_they_take),
        cmocka_unit_test(test_diffusion_keeps_mass),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

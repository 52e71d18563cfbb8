// SPDX-License-Identifier: MIT
// The pair laws of liquids (see laws.h).
#ifndef OND_TESTS_LAWS_SPH_H
#define OND_TESTS_LAWS_SPH_H

#include "physics/continuity.h"
#include "physics/foam.h"
#include "physics/incompressible.h"
#include "physics/kernels.h"
#include "physics/pressure.h"
#include "physics/state.h"
#include "physics/viscosity.h"

// clang-format off
#define SPH_LAWS(X)                                                                                \
    X(state_linear, ond_pressure_linear(a, b, c), c * c * (a - b), c * c * (a + b),                \
      900, 1100, 950, 1050, 1, 100)                                                                \
    X(state_tait, ond_pressure_tait(a, b, c, d), b * c * c / d * (pow(a / b, d) - 1),              \
      3 * b * c * c, 900, 1100, 950, 1050, 1, 100, 1, 8)                                           \
    X(density_linear, ond_density_linear(a, b, c), b + a / (c * c), want,                          \
      0, 5e4, 950, 1050, 10, 100)                                                                  \
    X(density_tait, ond_density_tait(a, b, c, d), b * pow(1 + d * a / (b * c * c), 1 / d), want,   \
      0, 5e4, 950, 1050, 10, 100, 1, 8)                                                            \
    X(density_summed, ond_density_summed(a, b, c), a * b * c, want,                                \
      .9f, 1.1f, 1e-3f, 1, 1e3f, 1e6f)                                                             \
    X(pressure_mean_load, ond_pressure_mean(a, b, c).load, a, want,                                \
      -1e3, 1e5, 900, 1100, 1e-6f, 1e-3f)                                                          \
    X(pressure_mean_weight, ond_pressure_mean(a, b, c).weight, c, want,                            \
      -1e3, 1e5, 900, 1100, 1e-6f, 1e-3f)                                                          \
    X(pressure_mean_scale, ond_pressure_mean(a, b, c).scale, 1 / (2 * b), want,                    \
      -1e3, 1e5, 900, 1100, 1e-6f, 1e-3f)                                                          \
    X(pressure_weighted_load, ond_pressure_weighted(a, b, c).load, a * c * c, want,                \
      -1e3, 1e5, 900, 1100, 1e-6f, 1e-3f)                                                          \
    X(pressure_weighted_weight, ond_pressure_weighted(a, b, c).weight, 1, want,                    \
      -1e3, 1e5, 900, 1100, 1e-6f, 1e-3f)                                                          \
    X(pressure_weighted_scale, ond_pressure_weighted(a, b, c).scale, 1 / (b * c), want,            \
      -1e3, 1e5, 900, 1100, 1e-6f, 1e-3f)                                                          \
    X(pressure_pair, ond_pressure_pair(a, b, c, d), a * (b + c) * d, a * (fabs(b) + fabs(c)) * d,  \
      0, 1e-3f, -1e3, 1e5, -1e3, 1e5, -50, 0)                                                      \
    X(pressure_damping, ond_pressure_damping(a, b, c), a * b * c, want,                            \
      0, .1f, 1, 100, -1e4, 1e4)                                                                   \
    X(pressure_held, ond_pressure_held(a, b), fmax(a, -b), want, -100, 100, 0, 100)                \
    X(pressure_behind, ond_pressure_behind(a, b, c), a * b * c, want,                              \
      900, 1100, -10, 10, -1, 1)                                                                   \
    X(impulse_pair, ond_impulse_pair(a, b, c), a * c + b * c, (a + b) * fabs(c),                   \
      0, 1e-9f, 0, 1e-9f, -50, 0)                                                                  \
    X(crowding_pair, ond_crowding_pair(a, b), a * b, want, -50, 0, -1e-3f, 1e-3f)                  \
    X(impulse_ease, ond_impulse_ease(a, b, c), a * b + c, want, 1, 1e3f, 0, 1e6f, 0, 1e9f)         \
    X(crowded, ond_crowded(a, b), a * b - 1, a * b + 1, 1e-6f, 1e-3f, 1e3f, 1e6f)                  \
    X(impulse_of, ond_impulse_of(a, b, c, d), a * pow(b * c, 2) / d, want,                         \
      0, 1e5f, 1e-6f, 1e-3f, 1e-4f, 1e-2f, .8f, 1.2f)                                              \
    X(impulse_pressure, ond_impulse_pressure(a, b, c, d), a * d / pow(b * c, 2), want,             \
      0, 1e-9f, 1e-4f, 1e-3f, 1e-3f, 1e-2f, .8f, 1.2f)                                             \
    X(artificial_viscosity, ond_artificial_viscosity(a, b * b, c, d, e, f),                        \
      2 / d * (-e * fmin(c * a / (b * b + .01 * c * c), 0) +                                       \
               f * pow(fmin(c * a / (b * b + .01 * c * c), 0), 2)),                                \
      want, -1, 1, 0, .2f, .1f, .2f, 1800, 2200, 0, 5, 0, 3)                                       \
    X(artificial_pair, ond_artificial_pair(a, b, c, d), a * b * c * d, want,                       \
      900, 1100, 1e-6f, 1e-3f, 0, 5, -50, 0)                                                       \
    X(viscosity_melting, ond_viscosity_melting(a, b, c), pow(a, 1 - c) * pow(b, c), 2 * want,      \
      1e-3f, 10, 1, 1e5f, 0, 1)                                                                    \
    X(viscous_pull, ond_viscous_pull(a, b, c), (1 + c * b) * a, want, -50, 0, 0, 1, 0, 1)          \
    X(viscous_pair, ond_viscous_pair(a, b, c), 2 * a * b / (a + b) * c, want,                      \
      1e-9f, 1, 1e-9f, 1, -50, 0)                                                                  \
    X(artificial_share, ond_artificial_share(a, b, c, d), 1 - d * a / (a + b + c), want + d,       \
      0, 1e3f, 0, 1e3f, 1e-3f, 1, 0, 1)                                                            \
    X(viscosity_pair, ond_viscosity_pair(a, b, c, d), (a + b) * c * d, want,                       \
      0, 10, 0, 10, 1e-6f, 1e-3f, 0, 50)                                                           \
    X(viscosity_scale, ond_viscosity_scale(a, b), a / (2 * b), want, 0, 1e5, 900, 1100)            \
    X(xsph_weight, ond_xsph_weight(a, b, c, d), a * c * d / (b + c), want,                         \
      0, 1, 900, 1100, 900, 1100, 1e-6f, 1e-3f)                                                    \
    X(continuity_pair, ond_continuity_pair(a, b), a * b, want, -1, 0, -1, 1)                       \
    X(density_diffusion_share, ond_density_diffusion_share(a, b, c), a / (1 + c / b), want,        \
      -1, 0, 1e-6f, 1, 0, 1e-6f)                                                                   \
    X(density_diffusion_pair, ond_density_diffusion_pair(a, b, c), a * b - a * c, a * (b + c),     \
      -1, 0, 900, 1100, 900, 1100)                                                                 \
    X(density_diffusion, ond_density_diffusion(a, b, c), fmin(2 * a, b / fabs(c)), want,           \
      0, 1, 10, 1e4, -1e4, -1)                                                                     \
    X(foam_weight, ond_foam_weight(a, b), fmax(1 - a * b, 0), 1, 0, .1f, 1, 20)                     \
    X(foam_full, ond_foam_full(a, 3), M_PI / 3 * a * a * a, want, 1, 4)                             \
    X(foam_full_2d, ond_foam_full(a, 2), M_PI / 3 * a * a, want, 1, 4)                              \
    X(foam_neighbours, ond_foam_neighbours(a, 3), 4 * M_PI / 3 * a * a * a, want, 1, 4)             \
    X(foam_neighbours_2d, ond_foam_neighbours(a, 2), M_PI * a * a, want, 1, 4)                      \
    X(foam_trapped, ond_foam_trapped(a, b, c), (a - b) * c, (a + fabs(b)) * c,                      \
      0, 5, -5, 5, 0, 1)                                                                           \
    X(foam_crest, ond_foam_crest(a, b, c, d), c < 0 ? (b - a) * d : 0, 2 * d,                       \
      -1, 1, 0, 1, -1, 1, 0, 1)                                                                    \
    X(foam_share, ond_foam_share(a, b, c), fmin(fmax((a - b) / (c - b), 0), 1), 1 + 1 / (c - b),    \
      0, 3, 0, 1, 2, 3)                                                                            \
    X(foam_drag, ond_foam_drag(a, b, c), c * a + (1 - c) * b, fabs(a) + 2 * fabs(b),                \
      -5, 5, -5, 5, 0, 1)                                                                          \
    X(continuity_rate, ond_continuity_rate(a, b, c, d, e), a * b + c * d * e,                      \
      fabs(a * b) + fabs(c * d * e), 900, 1100, -1, 1, 0, 1, 1e-3f, 1, -1e4, 1e4)
// clang-format on

#endif

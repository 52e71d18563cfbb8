// SPDX-License-Identifier: MIT
// Laws of the cells of a grid (see laws.h).
#ifndef OND_TESTS_LAWS_GRID_H
#define OND_TESTS_LAWS_GRID_H

#include "physics/advection.h"
#include "physics/boundary.h"
#include "physics/buoyancy.h"
#include "physics/interpolation.h"
#include "physics/stencil.h"

// Laws that read values from an array, or give more than one number.

OND_LAW float some_below(float x, int last, int which)
{
    float share;
    const int below = ond_interpolation_below(x, last, &share);
    return which ? share : (float)below;
}

OND_LAW float some_bilinear(float a, float b, float c, float d, float x, float y)
{
    const float v[6] = {0.0f, a, b, 0.0f, c, d};
    return ond_interpolate4(v, 1, 3, x, y);
}

// The values of a polynomial of third degree at -1, 0, 1, ... 4, between which it is found again.
OND_LAW float some_cubic(float x, float a, float b, float c, float d)
{
    float v[6];
    for (int k = 0; k < 6; ++k) {
        const float t = (float)(k - 1);
        v[k] = a + t * (b + t * (c + t * d));
    }
    const OndCubicWeights w = ond_cubic_weights(x, 3);
    return ond_cubic4(v + 1, w.first, w);
}

// The same in two directions at once.
OND_LAW float some_bicubic(float x, float y, float a, float b, float c)
{
    float v[36];
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i) {
            const float s = (float)(i - 1), t = (float)(j - 1);
            v[6 * j + i] = a * s * s * t + b * t * t + c * s * t;
        }
    const OndCubicWeights p = ond_cubic_weights(x, 3), q = ond_cubic_weights(y, 3);
    return ond_cubic16(v, 7 + p.first + 6 * q.first, 6, p, q);
}

// clang-format off
#define ADVECTION_LAWS(X)                                                                          \
    X(below_place, some_below(a, 5, 0), fmin(floor(a), 5), want, -1, 6)                            \
    X(below_share, some_below(a, 5, 1), a - fmin(floor(a), 5), 6, -1, 6)                           \
    X(interpolate, ond_interpolate(a, b, c), (1 - c) * a + c * b, 3, -1, 1, -1, 1, 0, 1)           \
    X(interpolate4, some_bilinear(a, b, c, d, e, f),                                               \
      (1 - f) * ((1 - e) * a + e * b) + f * ((1 - e) * c + e * d), 4,                              \
      -1, 1, -1, 1, -1, 1, -1, 1, 0, 1, 0, 1)                                                      \
    X(cubic4, some_cubic(a, b, c, d, e), b + c * a + d * a * a + e * pow(a, 3), 400,               \
      -1, 4, -1, 1, -1, 1, -1, 1, -1, 1)                                                           \
    X(cubic16, some_bicubic(a, b, c, d, e), c * a * a * b + d * b * b + e * a * b, 1000,           \
      -1, 4, -1, 4, -1, 1, -1, 1, -1, 1)                                                           \
    X(advection_inside, ond_advection_inside(a, b), fmin(fmax(a, 0), b), want, -9, 19, 1, 10)      \
    X(advection_round, ond_advection_round(a, 10, .1f), a - 10 * floor(a / 10), 40,                \
      -19.9f, 19.9f)                                                                               \
    X(advection_share, ond_advection_share(a, b), fmin(fmax(a / b, -1), .75), want,                \
      -2, 2, .1f, 2)                                                                               \
    X(maccormack, ond_maccormack(a, b, c, d), a + b * c - b * d, 4, -1, 1, 0, .5f, -1, 1, -1, 1)   \
    X(maccormack_trust, ond_maccormack_trust(a, b, c), sqrt(b) <= c ? a : 0, want,                 \
      0, .5f, 0, 4, 1, 1)                                                                          \
    X(least, ond_least(a, b), fmin(a, b), want, -1, 1, -1, 1)                                      \
    X(most, ond_most(a, b), fmax(a, b), want, -1, 1, -1, 1)                                        \
    X(limit, ond_limit(a, b, c), fmin(fmax(a, b), c), want, -3, 3, -1, 0, 0, 1)                    \
    X(fourth_difference, ond_fourth_difference(a, b, c, d, e), a - 4 * b + 6 * c - 4 * d + e, 30,  \
      -1, 1, -1, 1, -1, 1, -1, 1, -1, 1)                                                           \
    X(hyperviscosity, ond_hyperviscosity(a, b, c, d), a * fmin(fabs(b), c) * d, want,              \
      0, .1f, -1, 1, .5f, .5f, -9, 9)

#define STENCIL_LAWS(X)                                                                            \
    X(divergence, ond_divergence(a, b, c, d), b - a + d - c, 6, -1, 1, -1, 1, -1, 1, -1, 1)        \
    X(flux_cut, ond_flux_cut(a, b, c), a * b + c - a * c, 4, 0, 1, -1, 1, -1, 1)                   \
    X(gradient_off, ond_gradient_off(a, b, c, d), a + b * c - b * d, 20,                           \
      -1, 1, 0, 5, -1, 1, -1, 1)                                                                   \
    X(stencil_sum, ond_stencil_sum(a, b, c, d), a + b + c + d, 8, -1, 1, -1, 1, -1, 1, -1, 1)      \
    X(stencil_sent, ond_stencil_sent(a, b, c, d), a * b + c * d, 600,                              \
      0, 255, -1, 1, 0, 255, -1, 1)                                                                \
    X(stencil_pull, ond_stencil_pull(a, b, c, d, e), (a + c) * e - a * b - c * d, 1200,            \
      0, 255, -1, 1, 0, 255, -1, 1, -1, 1)                                                         \
    X(diffusion_gain, ond_diffusion_gain(a, b, c, d), a * b - a * c * d, 12,                       \
      0, 1, -6, 6, 4, 6, -1, 1)                                                                    \
    X(residual, ond_residual(a, b, c, d), a - (c * d - b), 3000,                                   \
      -1, 1, -1000, 1000, 0, 1530, -1, 1)                                                          \
    X(jacobi, ond_jacobi(a, b, c, d), a + b * c / d, 6, -1, 1, .5f, 1, -1000, 1000, 255, 1530)     \
    X(over_relax, ond_over_relax(a, b, c, d), (1 - b) * a + b * c / d, 30,                         \
      -1, 1, 1, 1.9f, -1000, 1000, 255, 1530)                                                      \
    X(diffusion_relax, ond_diffusion_relax(a, b, c, d), (a + b * c) / d, 10,                       \
      -1, 1, 0, 1, -6, 6, 1, 7)                                                                    \
    X(diffusion_relax_by, ond_diffusion_relax_by(a, b, c, d), (a + b * c) * d, 10,                 \
      -1, 1, 0, 1, -6, 6, .1f, 1)

#define SMOKE_LAWS(X)                                                                              \
    X(buoyancy, ond_buoyancy(a, b, c, d), a * b - c * d, 3, -1, 1, 0, 1, 0, .01f, -50, 100)        \
    X(buoyancy_push, ond_buoyancy_push(a, b, c, d), a * b + a * (c + d) / 2, 3,                    \
      -1, 1, 0, 1, -1, 1, -1, 1)                                                                   \
    X(cell_mean, ond_cell_mean(a, b), (a + b) / 2, 2, -1, 1, -1, 1)                                \
    X(central_slope, ond_central_slope(a, b, c), c * b - c * a, 2 * c, -1, 1, -1, 1, 1, 100)       \
    X(curl, ond_curl(a, b), a - b, 2, -1, 1, -1, 1)                                                \
    X(confinement, ond_confinement(a, b, c, d, e), a / e * d - b / e * c, 20,                      \
      -1, 1, -1, 1, -1, 1, -1, 1, .1f, 2)                                                          \
    X(source_fresh, ond_source_fresh(a), -expm1(-a), 2, 0, 5)                                      \
    X(source_mix, ond_source_mix(a, b, c), (1 - c) * a + c * b, 3, -1, 1, -1, 1, 0, 1)             \
    X(ghost_given, ond_ghost_given(a, b), b + (b - a), 3, -1, 1, -1, 1)                            \
    X(ghost_along, ond_ghost_along(a, b, c), (2 * c - 1) * a + 2 * (1 - c) * b, 6,                 \
      -1, 1, -1, 1, 0, 1)                                                                          \
    X(ghost_open, ond_ghost_open(a, b), b < 0 ? -a : a, want, -1, 1, -1, 1)                        \
    X(drawn_in, ond_drawn_in(a, b, c), a * fmax(1 - c * fmax(b, 0), 0), 2,                         \
      -1, 1, -1, 1, 0, 2)
// clang-format on

#define GRID_LAWS(X) ADVECTION_LAWS(X) STENCIL_LAWS(X) SMOKE_LAWS(X)

#endif

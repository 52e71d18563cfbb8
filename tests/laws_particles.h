// SPDX-License-Identifier: MIT
// Laws of surfaces, solids, grains and heat between particles (see laws.h).
#ifndef OND_TESTS_LAWS_PARTICLES_H
#define OND_TESTS_LAWS_PARTICLES_H

#include "physics/contact.h"
#include "physics/heat.h"
#include "physics/motion.h"
#include "physics/rigidity.h"
#include "physics/tension.h"
#include "physics/wall.h"
#include "physics/wall_density.h"

// Laws that take a struct, or give more than one number.

OND_LAW OndContactLaw some_contact(float friction)
{
    const OndContactLaw law = {2000.0f, 3.0f, 0.5f, 4.0f, 0.25f, friction, 0.5f};
    return law;
}

OND_LAW OndHeatCurve some_curve(void)
{
    const OndHeatCurve curve = {2.0, 10.0, 5.0, 15.0};
    return curve;
}

OND_LAW float some_push(float overlap, float apart, float inertia)
{
    const OndContactLaw law = some_contact(0.5f);
    return ond_contact_push(&law, overlap, apart, inertia);
}

OND_LAW float some_drag(float push, float slide, float inertia, float friction)
{
    const OndContactLaw law = some_contact(friction);
    return ond_contact_drag(&law, push, slide, inertia);
}

OND_LAW float some_inertia(float mass)
{
    const OndContactLaw law = some_contact(0.5f);
    return ond_contact_inertia(&law, mass);
}

OND_LAW float some_shear(float inertia)
{
    const OndContactLaw law = some_contact(0.5f);
    return ond_contact_shear(&law, inertia);
}

OND_LAW float some_spring(void)
{
    const OndContactLaw law = some_contact(0.5f);
    return ond_contact_spring(&law);
}

// The force across a contact that grips, and where its spring ends, along one axis.
OND_LAW float some_grip(float push, float slide, float dt, float before, bool stretched)
{
    const OndContactLaw law = some_contact(0.5f);
    const float v[3] = {slide, 0.0f, 0.0f};
    float stretch[3] = {before, 0.0f, 0.0f}, force[3];
    ond_contact_grip(&law, push, v, 2.0f, dt, stretch, force);
    return stretched ? stretch[0] : force[0];
}

OND_LAW double some_sure(double t, bool molten, bool steep)
{
    double slope;
    const double held = ond_heat_sure(some_curve(), t, molten, &slope);
    return steep ? slope : held;
}

OND_LAW double some_guessed(double t, double loose, double due, bool steep)
{
    double slope;
    const double held = ond_heat_guessed(some_curve(), t, loose, due, &slope);
    return steep ? slope : held;
}

// clang-format off
#define TENSION_LAWS(X)                                                                            \
    X(colour_volume, ond_colour_volume(a, b), fmin(a, b), want, 0, 1, 0, 1)                        \
    X(colour_slope, ond_colour_slope(a, b), a * b, want, 0, 1, -1, 0)                              \
    X(colour_bend, ond_colour_bend(a, b, c, d), a * c * c * (1 - 4 * b + d * c), a * c * c * 6,    \
      0, 1, 0, 1, 0, 1, 1, 2)                                                                      \
    X(curvature_weight, ond_curvature_weight(a, b), -(a * b), want, 0, 1, -1, 0)                   \
    X(curvature_turn, ond_curvature_turn(a, b, c), a * b - a * c, a * (fabs(b) + fabs(c)),         \
      0, 1, -1, 1, -1, 1)                                                                          \
    X(curvature_way, ond_curvature_way(a, b, c), a * b - a * c * c, a * (b + c * c),               \
      0, 1, 0, 1, -1, 1)                                                                           \
    X(curvature, ond_curvature(a, b), b > 0 ? a / b : 0, want, -1, 1, -.1f, 1)                     \
    X(surface_share, ond_surface_share(a, b), 1 / (1 + pow(b / a, 2)), want, .01f, 10, .1f, 1)     \
    X(surface_bare, ond_surface_bare(a, b, c), a * b / c, want, .1f, 1, 0, 50, 1, 100)             \
    X(surface_filled, ond_surface_filled(a, b, c, d, e), (d * (a - c) + e * (b - a)) / (b - c), 9, \
      0, 2, 1, 2, 0, .5f, .5f, .8f, .8f, 1)                                                        \
    X(curvature_outside, ond_curvature_outside(a, b, c),                                           \
      fmin(fmax(a / (1 + fmax(a * b, -.5)), -c), c), want, -10, 10, 0, 1, 1, 5)                    \
    X(tension_push, ond_tension_push(a, b, c, d, e), a * b * c * d / e, want,                      \
      0, .1f, -100, 100, 0, 50, 1e-6f, 1e-3f, 1e-3f, 1)                                            \
    X(tension_mueller, ond_tension_mueller(a, b, c, d), -a * b / (c * d), want,                    \
      0, .1f, -1e4f, 1e4f, .1f, 50, 900, 1100)

#define RIGID_LAWS(X)                                                                              \
    X(rigidity_at, ond_rigidity_at(a, b, c),                                                       \
      c > b ? fmin(fmax((c - a) / (c - b), 0), 1) : 0, 30, -10, 30, 0, 10, 5, 20)                  \
    X(rigidity_in_step, ond_rigidity_in_step(a, b, c), 1 - pow(1 - a, b / c), 10,                  \
      .001f, .999f, 1e-4f, .01f, 1e-3f, .1f)                                                       \
    X(link_lead, ond_link_lead(a, b, c), fmax(pow(a, b), c * a), want + .01, 0, 1, 1, 20, 0, .1f)  \
    X(link_shape, ond_link_shape(a, b), pow(fmax(1 - a * b, 0), 2), 3, 0, 2, 0, 1)                 \
    X(link_stiffness, ond_link_stiffness(a, b, c, d, e), a * fmin(b, c) * (d + e), want,           \
      0, 1, 0, 1, 0, 1, 0, 10, 0, 10)                                                              \
    X(link_root, ond_link_root(a, b), sqrt(a / b), want, 0, 100, 1e-4f, 1)                         \
    X(link_along, ond_link_along(a, b, c, d, e, f), a * d + b * e + c * f, 3,                      \
      -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1)                                                    \
    X(link_hold, ond_link_hold(a, b), fmin(a, b), want, 0, 1, 0, 1)                                \
    X(rigidity_loose, ond_rigidity_loose(a, b), 1 - fmin(a, b), 1, 0, 1, 0, 1)                     \
    X(rigidity_weight, ond_rigidity_weight(a, b, c), pow(a / b, c), 3 * want,                      \
      .5f, 1, .5f, 1, 1, 20)                                                                       \
    X(rub_change, ond_rub_change(a, b, c, d, e, f, g), a * c / (b + c) * (d - e * f / g), 30 * a,  \
      0, .2f, .1f, 1, .1f, 1, -1, 1, -1, 1, -1, 1, .1f, 1)

#define CONTACT_LAWS(X)                                                                            \
    X(contact_mass, ond_contact_mass(a, b), 1 / (1 / a + 1 / b), want, .01f, 10, .01f, 10)         \
    X(contact_inertia, some_inertia(a), sqrt(2000 * a), want, 0, 10)                               \
    X(contact_shear, some_shear(a), 4 + a / 4, want, 0, 10)                                        \
    X(contact_spring, some_spring(), 1000, want, 0, 1)                                             \
    X(contact_push, some_push(a, b, c), 2000 * a - (3 + c / 2) * b,                                \
      2000 * a + (3 + c) * fabs(b), 0, .01f, -2, 2, 0, 10)                                         \
    X(contact_drag, some_drag(a, b, c, d), fmin(4 + c / 4, d * fmax(a, 0) / b), want,              \
      -5, 20, .01f, 2, 0, 10, 0, 1)                                                                \
    X(contact_grip, some_grip(a, b, c, d, false),                                                  \
      -fmin(fmax(1000 * (d + c * b) + 4.5 * b, -.5 * fmax(a, 0)), .5 * fmax(a, 0)), 40,            \
      -2, 20, -1, 1, 0, .01f, -.01f, .01f)                                                         \
    X(contact_stretch, some_grip(a, b, c, d, true),                                                \
      (fmin(fmax(1000 * (d + c * b) + 4.5 * b, -.5 * fmax(a, 0)), .5 * fmax(a, 0)) - 4.5 * b) /    \
          1000,                                                                                    \
      .04, -2, 20, -1, 1, 0, .01f, -.01f, .01f)                                                    \
    X(contact_damping, ond_contact_damping(a),                                                     \
      -2 * log(a) / sqrt(pow(acos(-1), 2) + pow(log(a), 2)), want, .01f, 1)                        \
    X(contact_stiffness, ond_contact_stiffness(a, b, c), a * b / (c * c), want,                    \
      .01f, 1, .1f, 50, 1e-4f, 1e-2f)                                                              \
    X(contact_step, ond_contact_step(a, b), 4 / (sqrt(b * b + 4 * a) + b), want, 1, 1e6f, 0, 1e3f)

#define WALL_LAWS(X)                                                                               \
    X(wall_push, ond_wall_push(a, b, c, false), a * b + fmax(a * b + c, 0), 300,                   \
      0, 10, 0, 10, -50, 50)                                                                       \
    X(wall_push_suction, ond_wall_push(a, b, c, true), 2 * a * b + c, 300, -5, 10, 0, 10, -50, 50) \
    X(wall_squeeze, ond_wall_squeeze(a, b, c), b * a + c * fmin(a, 0), 20, -1, 1, 0, 5, 0, 5)      \
    X(wall_rate, ond_wall_rate(a, b, c, d), -2 * a * b * c * d, want, 0, 1, -1, 1, 0, 1, 0, 50)    \
    X(wall_image, ond_wall_image((a - b) * (a - b), a, b), pow(a + b, 2), 9 * want,                \
      .1f, 1, .1f, 1)                                                                              \
    X(contact_limited, ond_contact_limited(a, b, c), fmin(a, c / b), want, 0, 10, .01f, 2, 0, 5)   \
    X(rigidity_held_back, ond_rigidity_held_back(a, b),                                            \
      a > 0 ? fmin(fmax(a + b, 0), a) : fmax(fmin(a + b, 0), a), 4, -1, 1, -2, 2)

#define HEAT_LAWS(X)                                                                               \
    X(heat_held, ond_heat_held(some_curve(), a), 2 * a + 10 * fmin(fmax(a - 5, 0), 10), 200,       \
      -20, 40)                                                                                     \
    X(heat_slope, ond_heat_slope(some_curve(), a), a < 5 || a >= 15 ? 2 : 12, want, -20, 40)       \
    X(heat_sure, some_sure(a, false, false), 2 * a + 10 * fmax(a - 5, 0), 400, -20, 40)            \
    X(heat_sure_slope, some_sure(a, false, true), a < 5 ? 2 : 12, want, -20, 40)                   \
    X(heat_sure_molten, some_sure(a, true, false), 2 * a + 100, 200, -20, 40)                      \
    X(heat_mean, ond_heat_mean(a, b), 2 / (1 / a + 1 / b), want, .01f, 10, .01f, 10)               \
    X(heat_diffusivity, ond_heat_diffusivity(a, b), 2 / (1 / a + 1 / b), want, .01f, 10, .01f, 10) \
    X(heat_lost, ond_heat_lost(a, b, c), a * b - a * c, 200 * a, 0, 1, -20, 80, -20, 80)           \
    X(heat_through, ond_heat_through(a, b, c), 1 / (1 / a + c / b), want,                          \
      1, 100, .1f, 10, 1e-3f, .1f)                                                                 \
    X(heat_pair, ond_heat_pair(a, b, c, d), (a * (1 + c) + b * d) / (1 + c + d), 80,               \
      -20, 80, -20, 80, 0, 10, 0, 10)                                                              \
    X(heat_touching, ond_heat_touching(a, b, c), fmin(fmax((c - a) / (c - b), 0), 1), 10,          \
      0, 2, .5f, .9f, 1, 1.5f)                                                                     \
    X(heat_layer, ond_heat_layer(a), pow(fmax(1 - a, 0), 2), 1, 0, 2)                              \
    X(heat_wall_share, ond_heat_wall_share(a, b, c, d), a * b / fmax(c, d), want,                  \
      0, 1, 0, 1, .1f, 3, .8f, .8f)                                                                \
    X(heat_wall, ond_heat_wall(a, b, c, d), a * b * c / d, want, 0, 1, 0, 10, 0, 1, .01f, 1)       \
    X(heat_solenthaler, ond_heat_solenthaler(a, b, c, d, e, f), a * b * (d - c) * e * f,           \
      a * b * 200 * e * f, 0, 1, 0, 1, -20, 80, -20, 80, 0, 50, 0, .1f)                            \
    X(heat_paiva_slope, ond_heat_paiva_slope(a, b, c), c / (1 + .01 * pow(b / a, 2)), want,        \
      .01f, .2f, .1f, .2f, -50, 0)                                                                 \
    X(heat_paiva_dense, ond_heat_paiva_dense(a, b), 4 / (1 + b / a), want, 900, 1100, 900, 1100)   \
    X(heat_paiva, ond_heat_paiva(a, b, c, d, e, f, g), a * b * c * (d - e) * f * g,                \
      200 * a * b * c * f * g, 0, 1, 0, 1, 1, 3, -20, 80, -20, 80, -50, 0, 0, .1f)                 \
    X(heat_stora_gradient, ond_heat_stora_gradient(a, b, c, d, e), a * (c - b) * d * e,            \
      200 * a * d * e, 0, 1, -20, 80, -20, 80, -50, 0, -1, 1)                                      \
    X(heat_stora, ond_heat_stora(a, b, c, d), a * b * c * d, want, 0, 1, 0, 1, -50, 50, 0, .1f)    \
    X(heat_beside, ond_heat_beside(a), pow(fmax(1 - a, 0), 3), 1, 0, 2)

#define MOTION_LAWS(X)                                                                             \
    X(motion_kick, ond_motion_kick(a, b, c, d, e), a - e * c + d * b, 30,                          \
      -10, 10, -100, 100, -100, 100, 0, .1f, 0, .1f)                                               \
    X(motion_wrap, ond_motion_wrap(a, b, c), a - (c - b) * floor((a - b) / (c - b)), 30,           \
      -9, 9, -2, 0, 1, 3)                                                                          \
    X(mirror_across, ond_wall_mirror_across(a, b), b + (b - a), 9, -3, 3, -3, 3)                   \
    X(mirror_along, ond_wall_mirror_along(a, b, c), c * a + (1 - c) * (2 * b - a), 9,              \
      -3, 3, -3, 3, 0, 1)
// clang-format on

#define PARTICLE_LAWS(X)                                                                           \
    TENSION_LAWS(X) RIGID_LAWS(X) CONTACT_LAWS(X) WALL_LAWS(X) HEAT_LAWS(X) MOTION_LAWS(X)

#endif

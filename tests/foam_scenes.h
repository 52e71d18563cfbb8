// SPDX-License-Identifier: MIT
// Scenes that foam, and what is in a frame of them.
#pragma once
#include "same_bits.h"
#include "sim/sim_state.h"

// A jet into a pool, in the plane.
#define JET(pressure, more)                                                                        \
    "dimension: 2\nduration: 2\nframe_rate: 50\n"                                                  \
    "domain: {min: [0, 0], max: [1, 1]}\n"                                                         \
    "method: {type: sph, pressure: " pressure "}\n"                                                \
    "fluid: [{name: water, spacing: 0.02, shape: {type: box, min: [0, 0], max: [1, 0.3]}}]\n"      \
    "emitter: [{center: [0.4, 0.85], direction: [0.3, -1, 0], radius: 0.05, rate: 0.3}]\n"         \
    "solid: [{name: rod, shape: {type: sphere, center: [0.62, 0.34, 0], radius: 0.08}}]\n" more
#define DAM                                                                                        \
    "duration: 1\nframe_rate: 50\ndomain: {min: [0, 0, 0], max: [0.8, 0.8, 0.3]}\n"                \
    "method: {type: sph}\n"                                                                        \
    "fluid: [{spacing: 0.03, shape: {type: box, min: [0, 0, 0], max: [0.3, 0.6, 0.3]}}]\n"

static const OndFields *foam_of(const Stage *s)
{
    return &s->frame.foam;
}

static const void *column(const OndFields *f, const char *name, int c)
{
    const OndField *const field = ond_fields_find(f, name);
    if (!field) fail_msg("foam has no field '%s'", name);
    return field->data[c];
}

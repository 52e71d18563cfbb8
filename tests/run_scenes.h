// SPDX-License-Identifier: MIT
// Small scenes for whole runs of the command.
#ifndef OND_TESTS_RUN_SCENES_H
#define OND_TESTS_RUN_SCENES_H

// A few hundred particles in the plane: a step takes a moment.
static const char pool[] =
    "dimension: 2\n"
    "duration: 0.5\n"
    "frame_rate: 40\n"
    "domain: {min: [0, 0], max: [1, 1]}\n"
    "output: {format: both}\n"
    "method: {type: sph}\n"
    "fluid:\n"
    "  - {spacing: 0.02, shape: {type: box, min: [0, 0], max: [0.4, 0.6]}}\n";

static const char tap[] = "dimension: 2\n"
                          "duration: 0.5\n"
                          "frame_rate: 40\n"
                          "domain: {min: [0, 0], max: [1, 1]}\n"
                          "method: {type: sph, sound_speed: 20}\n"
                          "fluid:\n"
                          "  - {name: water, spacing: 0.01, tension: 0.07, viscosity: 0.01}\n"
                          "emitter:\n"
                          "  - {center: [0.5, 0.8], radius: 0.1, rate: 0.4}\n";

#endif

// SPDX-License-Identifier: MIT
// Pools that are to stay calm: how fast their fastest particles are, and boxes that stand in them.
#ifndef OND_TESTS_CALM_H
#define OND_TESTS_CALM_H

#include "stage.h"

// The fastest of all particles at any time from `from` on, and the mean of the fastest.
static inline void watch(Stage *s, double from, double until, double *most, double *mean)
{
    int count = 0;
    *most = *mean = 0;
    stage_run(s, from);
    for (; ond_sim_time(s->sim) < until; ++count) {
        OndStepRecord record;
        stage_step(s);
        ond_sim_record(s->sim, &record);
        *most = fmax(*most, record.max_speed), *mean += record.max_speed;
    }
    *mean /= count;
}

// ---- a pool 0.3 m deep round a box

typedef struct Edges {
    const char *name, *solids;
} Edges;

#define BOX(low, high)                                                                             \
    "  - {name: box, shape: {type: box, min: [0.1, " low ", 0.12], max: [0.3, " high ", 0.28]}"

static const Edges edges[] = {
    {"box on the floor", BOX("0", "0.2") "}\n"},
    {"box turned about y", BOX("0", "0.2") ", turn: [0, 30, 0]}\n"},
    {"box tilted", BOX("0.03", "0.19") ", turn: [20, 0, 30]}\n"},
    {"box and ball",
     BOX("0", "0.15") "}\n  - {name: ball, shape: {type: sphere, center: [0.3, 0.12, 0.2], "
                      "radius: 0.08}}\n"},
    {"box under water", BOX("0.1", "0.2") "}\n"},
};

// No particle is faster than 0.2 m/s, a twelfth of sqrt(2 g H), when the pool has settled.
static inline void check_edges(const Edges *e, double spacing, double from, double until)
{
    char yaml[1500];
    snprintf(yaml, sizeof yaml,
             "dimension: 3\nduration: 10\nframe_rate: 50\nmethod: {pressure: wcsph}\n"
             "domain: {min: [0, 0, 0], max: [0.4, 0.5, 0.4]}\n"
             "fluid: [{spacing: %g, shape: {type: box, min: [0, 0, 0], max: [0.4, 0.3, 0.4]}}]\n"
             "solid:\n%s",
             spacing, e->solids);
    Stage *s = stage_open(yaml);
    double most, mean;
    watch(s, from, until, &most, &mean);
    print_message("%s, spacing %g m: fastest %.2f m/s, %.3f in the mean\n", e->name, spacing, most,
                  mean);
    stage_close(s);
    if (!(most < 0.2)) fail_msg("%s, spacing %g m: too fast", e->name, spacing);
}

#endif

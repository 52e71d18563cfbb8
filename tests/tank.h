// SPDX-License-Identifier: MIT
// A scene with a grid on stage: from YAML text to a running simulation, with its arrays at hand.
#ifndef OND_TESTS_TANK_H
#define OND_TESTS_TANK_H

#include "check.h"
#include "io/scene_sections.h"
#include "io/yaml.h"
#include "sim/sim.h"

#include <stdlib.h>

typedef struct Tank {
    OndSceneDef scene;
    OndSim *sim;
    OndFrame frame; // the present
    const OndGrid *grid;
    float *v[3], *density, *temperature; // may be written before the first step
} Tank;

static inline void tank_look(Tank *t)
{
    ond_sim_frame(t->sim, &t->frame);
    const OndField *velocity = ond_fields_find(&t->frame.cells, "velocity");
    const OndField *density = ond_fields_find(&t->frame.cells, "density");
    const OndField *temperature = ond_fields_find(&t->frame.cells, "temperature");
    t->grid = &t->frame.grid;
    memcpy(t->v, velocity->data, sizeof t->v);
    t->density = density ? density->data[0] : NULL;
    t->temperature = temperature ? temperature->data[0] : NULL;
}

static inline OndStatus tank_try(Tank *t, const char *yaml, OndError *err)
{
    OndTree tree = {0};
    memset(t, 0, sizeof *t);
    OndStatus status = ond_yaml_parse("test.yaml", yaml, strlen(yaml), &tree, err);
    if (status == OND_OK) status = ond_scene_read(&tree, &t->scene, err);
    if (status == OND_OK) {
        t->sim = ond_sim_make(&t->scene, NULL, err);
        if (!t->sim) status = err->status;
    }
    if (status == OND_OK) tank_look(t);
    return status;
}

// A mistake in the scene fails the test with the scene's own message.
static inline void tank_open(Tank *t, const char *yaml)
{
    OndError err = {0};
    if (tank_try(t, yaml, &err) != OND_OK) fail_msg("%s", err.text);
}

static inline void tank_step(Tank *t)
{
    OndError err = {0};
    if (ond_sim_step(t->sim, &err) != OND_OK)
        fail_msg("t = %g s: %s", ond_sim_time(t->sim), err.text);
    tank_look(t);
}

static inline void tank_run(Tank *t, double time)
{
    while (ond_sim_time(t->sim) < time - 1e-9)
        tank_step(t);
}

static inline void tank_close(Tank *t)
{
    ond_sim_destroy(t->sim);
    ond_scene_free(&t->scene);
    memset(t, 0, sizeof *t);
}

static inline size_t tank_at(const Tank *t, int i, int j, int k)
{
    return ond_grid_at(t->grid, i, j, k);
}

// The sum over all cells.
static inline double tank_sum(const Tank *t, const float *x)
{
    double sum = 0.0;
    for (int r = 0; r < t->grid->rows; ++r)
        for (int i = 0; i < t->grid->n[0]; ++i)
            sum += x[ond_grid_row(t->grid, r) + (size_t)i];
    return sum;
}

// The largest magnitude over all cells.
static inline double tank_most(const Tank *t, const float *x)
{
    double most = 0.0;
    for (int r = 0; r < t->grid->rows; ++r)
        for (int i = 0; i < t->grid->n[0]; ++i)
            most = fmax(most, fabs(x[ond_grid_row(t->grid, r) + (size_t)i]));
    return most;
}

// A scene that cannot be, and a part of what is said about it.
static inline void tank_refused(const char *yaml, const char *says)
{
    Tank t;
    OndError err = {0};
    assert_int_not_equal(tank_try(&t, yaml, &err), OND_OK);
    CHECK_SAYS(err.text, says, yaml);
    tank_close(&t);
}

#endif

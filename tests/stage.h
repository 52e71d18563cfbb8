// SPDX-License-Identifier: MIT
// A scene on stage: from YAML text to a running simulation, for tests that look at the physics.
#ifndef OND_TESTS_STAGE_H
#define OND_TESTS_STAGE_H

#include "check.h"
#include "io/scene_sections.h"
#include "io/yaml.h"
#include "sim/sim.h"

#include <stdlib.h>

typedef struct Stage {
    OndSceneDef scene;
    OndSim *sim;
    OndFrame frame; // the present, refreshed by stage_run
    float *x[3], *v[3], *density, *pressure;
    int count;
} Stage;

static inline void stage_look(Stage *s)
{
    ond_sim_frame(s->sim, &s->frame);
    const OndFields *f = &s->frame.particles;
    memcpy(s->x, ond_fields_find(f, "position")->data, sizeof s->x);
    memcpy(s->v, ond_fields_find(f, "velocity")->data, sizeof s->v);
    const OndField *density = ond_fields_find(f, "density");
    const OndField *pressure = ond_fields_find(f, "pressure");
    s->density = density ? density->data[0] : NULL;
    s->pressure = pressure ? pressure->data[0] : NULL;
    s->count = f->count;
}

// Opens a scene; a mistake in it fails the test with the scene's own message. `from`: what reads
// the files that it names.
static inline Stage *stage_open_with(const char *yaml, const OndAssets *from)
{
    Stage *s = calloc(1, sizeof *s);
    OndTree tree = {0};
    OndError err = {0};
    OndStatus status = ond_yaml_parse("test.yaml", yaml, strlen(yaml), &tree, &err);
    if (status == OND_OK) status = ond_scene_read(&tree, &s->scene, &err);
    if (status == OND_OK) s->sim = ond_sim_make(&s->scene, from, &err);
    if (!s->sim) fail_msg("%s", err.text);
    stage_look(s);
    return s;
}

static inline Stage *stage_open(const char *yaml)
{
    return stage_open_with(yaml, NULL);
}

static inline void stage_step(Stage *s)
{
    OndError err = {0};
    if (ond_sim_step(s->sim, &err) != OND_OK)
        fail_msg("t = %g s: %s", ond_sim_time(s->sim), err.text);
    stage_look(s);
}

// Steps until the first frame at or after `time`.
static inline void stage_run(Stage *s, double time)
{
    while (ond_sim_time(s->sim) < time - 1e-12)
        stage_step(s);
}

static inline void stage_close(Stage *s)
{
    ond_sim_destroy(s->sim);
    ond_scene_free(&s->scene);
    free(s);
}

#endif

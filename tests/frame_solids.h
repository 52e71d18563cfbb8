// SPDX-License-Identifier: MIT
// Solids from YAML for frames that no run made.
#ifndef OND_TESTS_FRAME_SOLIDS_H
#define OND_TESTS_FRAME_SOLIDS_H

#include "scene_text.h"
#include "solids/scene/sim_solids.h"

#include <stdlib.h>

typedef struct FrameSolids {
    OndSceneDef scene;
    OndSimSolids made;
} FrameSolids;

// Gives a frame that owns its arrays what stands in `list`, as in a scene's `solid: [...]`. They go
// after the frame.
static inline FrameSolids *solids_give(OndFrame *frame, const char *list)
{
    char text[4096];
    OndError err = {0};
    FrameSolids *s = calloc(1, sizeof *s);
    assert_non_null(s);
    snprintf(text, sizeof text,
             "dimension: %d\nfluid: [{spacing: 0.05, shape: {type: sphere, center: [99, 99, %d], "
             "radius: 0.2}}]\nsolid: [%s]\n",
             frame->dimension, frame->dimension == 3 ? 99 : 0, list);
    OndStatus status = load(text, &s->scene, &err);
    if (status == OND_OK) status = ond_sim_solids_make(&s->scene, &assets, &s->made, &err);
    if (status == OND_OK) status = ond_frame_solids_place(frame, &s->made, &err);
    if (status != OND_OK) fail_msg("%s", err.text);
    return s;
}

static inline void solids_drop(FrameSolids *s)
{
    if (!s) return;
    ond_sim_solids_free(&s->made);
    ond_scene_free(&s->scene);
    free(s);
}

#endif

// SPDX-License-Identifier: MIT
#include "io/run_solids.h"

#include "base/memory.h"
#include "io/solid_poses.h"
#include "sim/scene/scene_shape.h"

#include <string.h>
#include <unistd.h>

struct OndRunSolids {
    OndSimSolids made;
    OndArena arena; // of the shapes that particles carry
    OndCarriedShapes carried;
    OndRunFolder home;    // path "": not known
    OndSolidState *state; // one a solid: what a file says
    bool *known;
};

OndStatus ond_run_solids_open(const OndSceneDef *scene, const OndAssets *assets,
                              const OndRunFolder *home, OndRunSolids **out, OndError *err)
{
    *out = NULL;
    const int count = scene->solids.count;
    if (count == 0 && !ond_scene_carries(scene)) return OND_OK;
    OndRunSolids *const s = OND_NEW(OndRunSolids);
    if (!s) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d solids", count);
    memcpy(s->home.path, home->path, sizeof s->home.path);
    OndStatus status = ond_sim_solids_make(scene, assets, &s->made, err);
    if (status == OND_OK) status = ond_scene_carried(scene, assets, &s->arena, &s->carried, err);
    s->state = OND_NEW_ARRAY(OndSolidState, count + 1);
    s->known = OND_NEW_ARRAY(bool, count + 1);
    if (status == OND_OK && (!s->state || !s->known))
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for %d solids", count);
    if (status == OND_OK)
        *out = s;
    else
        ond_run_solids_close(s);
    return status;
}

void ond_run_solids_close(OndRunSolids *s)
{
    if (!s) return;
    ond_sim_solids_free(&s->made);
    ond_arena_free(&s->arena);
    ond_free(s->state);
    ond_free(s->known);
    ond_free(s);
}

const OndSimSolids *ond_run_solids_made(const OndRunSolids *s)
{
    return &s->made;
}

// A run in which nothing moves has no such files.
static OndStatus read_poses(OndRunSolids *s, int number, OndError *err)
{
    char path[OND_PATH_MAX];
    memset(s->known, 0, (size_t)s->made.count * sizeof *s->known);
    if (!s->home.path[0]) return OND_OK;
    ond_run_path(&s->home, OND_RUN_SOLIDS, number, path);
    if (access(path, F_OK) != 0) return OND_OK;
    return ond_solid_poses_read(path, s->state, s->known, s->made.count, err);
}

OndStatus ond_run_solids_read(OndRunSolids *s, int number, OndFrame *frame, OndError *err)
{
    if (!s) return OND_OK;
    frame->carried = s->carried;
    OndStatus status = ond_frame_solids_place(frame, &s->made, err);
    if (status == OND_OK) status = read_poses(s, number, err);
    for (int k = 0; k < s->made.count && status == OND_OK; ++k)
        if (frame->solids.solid[k].body && s->known[k])
            ond_frame_solid_put(frame, &s->made, k, &s->state[k]);
    return status;
}

OndStatus ond_run_solids_between(OndRunSolids *s, const OndFrame *a, const OndFrame *b,
                                 double share, OndFrame *frame, OndError *err)
{
    if (!s) return OND_OK;
    frame->carried = s->carried;
    return ond_frame_solids_between(a, b, share, frame, &s->made, err);
}

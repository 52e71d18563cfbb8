// SPDX-License-Identifier: MIT
#include "app/props.h"

#include "app/run_scene.h"
#include "io/solid_poses.h"
#include "surface/solid_triangles.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct OndProps {
    const OndSceneDef *scene;
    const OndRunFolder *folder;
    OndSimSolids solids;
    OndMesh *mesh;           // one a solid; empty: not shown
    OndDrawnSolid *drawn;    // those that are shown
    int *which;              // solid of each
    OndSolidState *state[2]; // of the frames before and after
    bool *known[2];
    int drawn_count;
};

// How large the scene is: planes are drawn so wide.
static double scene_size(const OndSimSolids *s)
{
    const OndSceneDef *const scene = s->scene;
    double size = 0.0;
    if (scene->has_domain) return ond_length(ond_sub(scene->domain.max, scene->domain.min));
    for (int k = 0; k < s->count; ++k)
        if (s->solid[k].solid.kind != OND_SOLID_PLANE)
            size = fmax(size, ond_length(ond_sub(s->solid[k].bounds.max, s->solid[k].bounds.min)));
    return 2.0 * fmax(size, 50.0 * scene->spacing);
}

static OndSolidLook look_of(const OndSimSolid *s)
{
    if (s->def->look != OND_SOLID_LOOK_AUTO) return s->def->look;
    const bool sheet = s->solid.kind == OND_SOLID_MESH && !s->solid.closed;
    return s->solid.container || sheet ? OND_SOLID_LOOK_GLASS : OND_SOLID_LOOK_PLAIN;
}

// A container's triangles are its inner wall: glass of them is a pane.
static OndStatus add_drawn(OndProps *p, int k, double size, OndError *err)
{
    const OndSimSolid *const s = &p->solids.solid[k];
    const bool bends = s->sequence.count > 0; // its corners must stay in their order
    if (!s->def->shown) return OND_OK;
    const OndStatus status =
        bends ? OND_OK : ond_solid_triangles(&p->solids, k, size, &p->mesh[k], err);
    if (status != OND_OK || (!bends && p->mesh[k].triangle_count == 0)) return status;
    p->which[p->drawn_count] = k;
    p->drawn[p->drawn_count++] = (OndDrawnSolid){.mesh = bends ? &s->mesh : &p->mesh[k],
                                                 .corner = s->bent,
                                                 .look = look_of(s),
                                                 .has_colour = ond_node_get(s->def->node, "colour"),
                                                 .colour = s->def->colour,
                                                 .closed = s->solid.closed && !s->solid.container,
                                                 .endless = s->solid.kind == OND_SOLID_PLANE};
    return OND_OK;
}

static OndStatus make_room(OndProps *p, int count, OndError *err)
{
    bool whole = true;
    p->mesh = OND_NEW_ARRAY(OndMesh, count);
    p->drawn = OND_NEW_ARRAY(OndDrawnSolid, count);
    p->which = OND_NEW_ARRAY(int, count);
    for (int k = 0; k < 2; ++k) {
        p->state[k] = OND_NEW_ARRAY(OndSolidState, count);
        p->known[k] = OND_NEW_ARRAY(bool, count);
        whole = whole && p->state[k] && p->known[k];
    }
    if (whole && p->mesh && p->drawn && p->which) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory to draw %d solids", count);
}

OndStatus ond_props_open(const OndSceneDef *scene, const OndRunFolder *folder, OndProps **out,
                         OndError *err)
{
    *out = NULL;
    const int count = scene->solids.count;
    if (count == 0) return OND_OK;
    OndProps *const p = OND_NEW(OndProps);
    if (!p) return ond_fail(err, OND_NO_MEMORY, "not enough memory to draw %d solids", count);
    p->scene = scene;
    p->folder = folder && folder->path[0] ? folder : NULL;
    OndStatus status = ond_sim_solids_make(scene, &ond_scene_assets, &p->solids, err);
    if (status == OND_OK) status = make_room(p, count, err);
    const double size = status == OND_OK ? scene_size(&p->solids) : 0.0;
    for (int k = 0; k < count && status == OND_OK; ++k)
        status = add_drawn(p, k, size, err);
    if (status == OND_OK) {
        *out = p;
        return OND_OK;
    }
    ond_props_free(p);
    return status;
}

void ond_props_free(OndProps *p)
{
    if (!p) return;
    for (int k = 0; p->mesh && k < p->solids.count; ++k)
        ond_mesh_free(&p->mesh[k]);
    for (int k = 0; k < 2; ++k) {
        ond_free(p->state[k]);
        ond_free(p->known[k]);
    }
    ond_free(p->mesh);
    ond_free(p->drawn);
    ond_free(p->which);
    ond_sim_solids_free(&p->solids);
    ond_free(p);
}

// ---- where they stand

static OndStatus read_frame(OndProps *p, int index, int slot, OndError *err)
{
    char path[OND_PATH_MAX];
    memset(p->known[slot], 0, (size_t)p->solids.count * sizeof(bool));
    if (!p->folder) return OND_OK;
    ond_run_path(p->folder, OND_RUN_SOLIDS, index, path);
    if (access(path, F_OK) != 0) return OND_OK; // none of them moves
    return ond_solid_poses_read(path, p->state[slot], p->known[slot], p->solids.count, err);
}

static OndPose blend(const OndPose *a, const OndPose *b, double share)
{
    const double turn = a->w * b->w + a->x * b->x + a->y * b->y + a->z * b->z;
    const double sign = turn < 0.0 ? -1.0 : 1.0, rest = 1.0 - share;
    OndPose q = {ond_add(ond_scale(a->at, rest), ond_scale(b->at, share)),
                 rest * a->w + sign * share * b->w, rest * a->x + sign * share * b->x,
                 rest * a->y + sign * share * b->y, rest * a->z + sign * share * b->z};
    const double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q.w /= length, q.x /= length, q.y /= length, q.z /= length;
    return q;
}

// What moves as told is known at every moment; bodies are known at frames.
static OndStatus place_bodies(OndProps *p, double number, OndError *err)
{
    const int index = (int)floor(number + 1e-9);
    const double share = fmax(number - index, 0.0);
    OndStatus status = read_frame(p, index, 0, err);
    if (status == OND_OK && share > 1e-9) status = read_frame(p, index + 1, 1, err);
    for (int k = 0; k < p->solids.count && status == OND_OK; ++k) {
        if (!ond_solid_is_body(p->solids.solid[k].def) || !p->known[0][k]) continue;
        OndSolidState state = p->state[0][k];
        if (share > 1e-9 && p->known[1][k])
            state.pose = blend(&state.pose, &p->state[1][k].pose, share);
        ond_solids_place(p->solids.solids, k, &state);
    }
    return status;
}

OndStatus ond_props_place(OndProps *p, double number, double time, OndError *err)
{
    if (!p) return OND_OK;
    OndStatus status = ond_sim_solids_place(&p->solids, time, err);
    if (status == OND_OK && p->folder) status = place_bodies(p, number, err);
    for (int d = 0; d < p->drawn_count && status == OND_OK; ++d) {
        const OndSolidState *const state = ond_solids_state(p->solids.solids, p->which[d]);
        OndDrawnSolid *const drawn = &p->drawn[d];
        drawn->pose = state->pose;
        drawn->velocity = state->velocity;
        drawn->spin = state->spin;
    }
    return status;
}

void ond_props_show(const OndProps *p, OndRenderer *renderer)
{
    if (p)
        ond_render_solids(renderer, p->drawn, p->drawn_count, p->solids.solids);
    else
        ond_render_solids(renderer, NULL, 0, NULL);
}

const OndSolids *ond_props_solids(const OndProps *p)
{
    return p ? p->solids.solids : NULL;
}

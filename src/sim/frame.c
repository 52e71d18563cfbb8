// SPDX-License-Identifier: MIT
#include "sim/frame.h"

#include "solids/scene/sim_solids.h"

#include <string.h>

void ond_frame_free(OndFrame *frame)
{
    if (frame->owned) {
        ond_fields_free(&frame->particles);
        ond_fields_free(&frame->cells);
        ond_fields_free(&frame->foam);
        ond_free(frame->solids.solid);
    }
    memset(frame, 0, sizeof *frame);
}

// ---- solids

static OndFrameSolid solid_now(const OndSimSolids *all, int which)
{
    const OndSimSolid *const s = &all->solid[which];
    const OndSolidLoad *const load = &ond_solids_loads(all->solids)[which];
    const bool body = ond_solid_is_body(s->def);
    return (OndFrameSolid){.name = s->def->name,
                           .index = which,
                           .state = *ond_solids_state(all->solids, which),
                           .force = load->force,
                           .torque = load->torque,
                           .body = body,
                           .moves = body || ond_motion_moves(&s->motion),
                           .known = true,
                           .corner = s->sequence.count > 0 ? s->bent : NULL};
}

void ond_frame_solids_now(const OndSimSolids *solids, OndFrameSolid *room, OndFrameSolids *out)
{
    *out = (OndFrameSolids){
        .count = solids->count, .solid = room, .made = solids, .placed = solids->solids};
    for (int k = 0; k < solids->count; ++k)
        room[k] = solid_now(solids, k);
}

OndStatus ond_frame_solids_place(OndFrame *frame, OndSimSolids *solids, OndError *err)
{
    ond_free(frame->solids.solid);
    frame->solids = (OndFrameSolids){0};
    if (solids->count == 0) return OND_OK;
    OndFrameSolid *const room = OND_NEW_ARRAY(OndFrameSolid, solids->count);
    if (!room)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for the %d solids of a frame",
                        solids->count);
    const OndStatus status = ond_sim_solids_place(solids, frame->time, err);
    if (status != OND_OK) {
        ond_free(room);
        return status;
    }
    ond_frame_solids_now(solids, room, &frame->solids);
    for (int k = 0; k < solids->count; ++k)
        room[k].known = !room[k].body;
    return OND_OK;
}

void ond_frame_solid_put(OndFrame *frame, OndSimSolids *solids, int which,
                         const OndSolidState *state)
{
    frame->solids.solid[which].state = *state;
    frame->solids.solid[which].known = true;
    ond_solids_place(solids->solids, which, state);
}

// Straight from one place to the other, and turning the shorter way.
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

OndStatus ond_frame_solids_between(const OndFrame *a, const OndFrame *b, double share,
                                   OndFrame *frame, OndSimSolids *solids, OndError *err)
{
    const OndStatus status = ond_frame_solids_place(frame, solids, err);
    for (int k = 0; k < frame->solids.count && status == OND_OK; ++k) {
        const OndFrameSolid *const from = &a->solids.solid[k], *const to = &b->solids.solid[k];
        if (!from->body || !from->known) continue;
        OndSolidState state = from->state;
        if (to->known) state.pose = blend(&from->state.pose, &to->state.pose, share);
        ond_frame_solid_put(frame, solids, k, &state);
    }
    return status;
}

// SPDX-License-Identifier: MIT
// Whether one point can be seen from another, and whether it is inside.
#include "solids/solids_parts.h"

static OndVec in_frame(const OndSolids *all, const OndSolid *s, OndVec p)
{
    OndVec own = ond_pose_in(&s->start.pose, p);
    if (all->flat) own.z = 0.0;
    return own;
}

bool ond_solids_between(const OndSolids *solids, OndVec from, OndVec to, double radius)
{
    int list[OND_SOLIDS_NEARBY];
    if (ond_solids_count(solids) == 0) return false;
    const OndBox box = {{ond_min(from.x, to.x), ond_min(from.y, to.y), ond_min(from.z, to.z)},
                        {ond_max(from.x, to.x), ond_max(from.y, to.y), ond_max(from.z, to.z)}};
    const int listed = ond_solids_list(solids, box, radius, list);
    for (int i = 0; i < (listed < 0 ? solids->count : listed); ++i) {
        const OndSolid *const s = &solids->solid[listed < 0 ? i : list[i]];
        const OndSweep sweep = {in_frame(solids, s, from), in_frame(solids, s, to), radius};
        OndContact contact = {.t = 1.0 + 1e-9, .start = INFINITY};
        int part;
        if (ond_solid_sweep(s, solids->flat, OND_AT_START, &sweep, &contact, &part)) return true;
    }
    return false;
}

bool ond_solids_in_mesh(const OndSolids *solids, int which, OndVec point)
{
    const OndSolid *const s = &solids->solid[which];
    const OndVec own = in_frame(solids, s, point);
    const OndBox box = {own, own};
    if (s->def.kind != OND_SOLID_MESH || !s->mesh.closed) return false;
    if (!ond_boxes_near(&box, &s->bounds, 0.0)) return false;
    const double reach = ond_length(ond_sub(s->mesh.bounds.max, s->mesh.bounds.min));
    return ond_solid_mesh_touch(&s->mesh, own, reach).behind;
}

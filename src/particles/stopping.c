// SPDX-License-Identifier: MIT
#include "particles/stopping.h"

#define ROUNDS  8    // at most
#define PATIENT 4    // of them with the whole distance from faces; then a quarter of it each time
#define STEEP   0.01 // squared sine between face and wall, below which there is no way along it
#define CRUSHED 0.1  // spacings outside: more than rounding and the last of the distances kept

// The axis along which a place is farthest out of the box; by how much. -1: it is inside.
static int find_way_out(const OndStopping *s, OndVec at, double *out)
{
    int worst = -1;
    *out = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const float x = (float)ond_axis(at, axis);
        const double over = fmax(x - s->wall_at[2 * axis + 1], 0.0),
                     under = fmin(x - s->wall_at[2 * axis], 0.0), off = over + under;
        if (fabs(off) > fabs(*out)) worst = axis, *out = off;
    }
    return worst;
}

static double clamped(const OndStopping *s, int axis, double x)
{
    return fmin(fmax(x, s->wall_at[2 * axis]), s->wall_at[2 * axis + 1]);
}

// From a place that is `out` of the box: back to the wall, along a face.
static OndVec along_face(const OndStopping *s, OndVec at, int axis, double out, OndVec face)
{
    const double across = ond_axis(face, axis);
    const OndVec up = ond_vec(axis == 0, axis == 1, axis == 2);
    const OndVec along = ond_sub(up, ond_scale(face, across));
    const OndVec to = ond_sub(at, ond_scale(along, out / fmax(1.0 - across * across, STEEP)));
    return ond_vec(clamped(s, 0, to.x), clamped(s, 1, to.y), clamped(s, 2, to.z));
}

bool ond_stopping_stop(const OndStopping *s, OndVec from, OndVec *to, OndVec *velocity, OndHit *hit)
{
    if (!ond_solids_stop(s->solids, from, to, velocity, s->radius, s->dt, hit)) return false;
    double radius = s->radius, out;
    OndHit last = *hit;
    for (int round = 0; round < ROUNDS; ++round) {
        const int axis = find_way_out(s, *to, &out);
        if (axis < 0) break;
        if (round >= PATIENT) radius *= 0.25;
        OndVec aside = *velocity;
        OndHit again;
        *to = along_face(s, *to, axis, out, last.normal);
        if (ond_solids_stop(s->solids, from, to, &aside, radius, s->dt, &again)) last = again;
    }
    return true;
}

bool ond_stopping_crushes(const OndStopping *s, OndVec to, const OndHit *hit)
{
    double out;
    if (ond_solids_def(s->solids, hit->solid)->free) return false;
    return find_way_out(s, to, &out) >= 0 && fabs(out) > CRUSHED * s->spacing;
}

OndStatus ond_stopping_fail(const OndSolids *solids, int solid, const char *what, OndError *err)
{
    return ond_fail(err, OND_UNSTABLE,
                    "%s is crushed against a side of the domain: solid '%.60s' leaves it no room. "
                    "Leave it a way out, or move the solid less far",
                    what, ond_solids_def(solids, solid)->name);
}

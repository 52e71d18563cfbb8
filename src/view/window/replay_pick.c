// SPDX-License-Identifier: MIT
// Which particle was clicked, and what it carries.
#include "render/quantity.h"
#include "view/window/replay_state.h"

#include <math.h>
#include <string.h>

#define REACH 0.75 // of a particle for clicks, in spacings: no gaps between those that touch

static const OndField *places(const OndFrame *frame)
{
    const OndField *const x = ond_fields_find(&frame->particles, "position");
    return x && x->components == 3 && x->type == OND_F32 ? x : NULL;
}

static OndVec place(const OndField *x, int k)
{
    return ond_vec(((const float *)x->data[0])[k], ((const float *)x->data[1])[k],
                   ((const float *)x->data[2])[k]);
}

// By its id, which it keeps from frame to frame; without ids by its place in the file.
static uint32_t name_of(const OndFrame *frame, int k)
{
    const OndField *const id = ond_fields_find(&frame->particles, "id");
    return id && id->type == OND_U32 ? ((const uint32_t *)id->data[0])[k] : (uint32_t)k;
}

static int find(const OndFrame *frame, uint32_t name)
{
    const OndField *const id = ond_fields_find(&frame->particles, "id");
    if (!id || id->type != OND_U32) return name < (uint32_t)frame->particles.count ? (int)name : -1;
    for (int k = 0; k < frame->particles.count; ++k)
        if (((const uint32_t *)id->data[0])[k] == name) return k;
    return -1;
}

// How far along the ray it enters the ball round a point; INFINITY: it misses it.
static double meets(OndVec from, OndVec way, OndVec ball, double radius)
{
    const OndVec to = ond_sub(ball, from);
    const double along = ond_dot(to, way), aside = ond_dot(to, to) - along * along;
    return along > 0.0 && aside < radius * radius ? along - sqrt(radius * radius - aside)
                                                  : INFINITY;
}

void ond_replay_choose(OndReplay *r, const OndFrame *frame, const OndPlayRay *ray)
{
    const OndVec from = ond_vec(ray->from[0], ray->from[1], ray->from[2]),
                 way = ond_unit(ond_vec(ray->direction[0], ray->direction[1], ray->direction[2]));
    const OndField *const x = places(frame);
    double nearest = INFINITY;
    r->picked = false;
    for (int k = 0; x && k < frame->particles.count; ++k) {
        const double along = meets(from, way, place(x, k), REACH * frame->spacing);
        if (!(along < nearest)) continue;
        nearest = along;
        r->picked = true;
        r->picked_id = name_of(frame, k);
    }
}

static void tell_field(const OndField *field, int k, char *out, size_t room)
{
    const bool known = field->unit && field->unit[0];
    char value[96];
    if (field->type == OND_U32)
        snprintf(value, sizeof value, "%u", ((const uint32_t *)field->data[0])[k]);
    else if (field->components == 3)
        snprintf(value, sizeof value, "%.4g, %.4g, %.4g", ((const float *)field->data[0])[k],
                 ((const float *)field->data[1])[k], ((const float *)field->data[2])[k]);
    else
        snprintf(value, sizeof value, "%.5g", ((const float *)field->data[0])[k]);
    snprintf(out, room, "%s\t%s%s%s\n", field->name, value, known ? " " : "",
             known ? field->unit : "");
}

void ond_replay_tell(const OndReplay *r, const OndFrame *frame, OndReplayView *out)
{
    const OndField *const x = places(frame);
    const int k = r->picked && x ? find(frame, r->picked_id) : -1;
    if (k < 0) return;
    const OndVec at = place(x, k);
    out->picked = true;
    for (int a = 0; a < 3; ++a)
        out->picked_at[a] = ond_axis(at, a);
    for (int f = 0; f < frame->particles.field_count; ++f) {
        const size_t used = strlen(out->values);
        tell_field(&frame->particles.field[f], k, out->values + used, sizeof out->values - used);
    }
}

// SPDX-License-Identifier: MIT
#include "render/inner.h"

#include "base/memory.h"
#include "render/quantity.h"
#include "render/trace/trace_look.h"

#include <string.h>

#define SOLID 0.5f // rigidity

typedef struct MaterialSorting {
    const OndField *material, *rigidity; // NULL: not known
    const OndRenderDef *def;
} MaterialSorting;

static bool is_clear(const MaterialSorting *s, int i)
{
    const float number = s->material ? ond_quantity_value(s->material, i) : 0.0f;
    const int look = ond_look_of(s->def->looks, s->def->look_count, number);
    return ond_look(look)->kind == OND_LOOK_CLEAR;
}

static bool is_solid(const MaterialSorting *s, int i)
{
    return !is_clear(s, i) || (s->rigidity && ond_quantity_value(s->rigidity, i) > SOLID);
}

static OndStatus add_fields(const OndFields *from, int room, OndFields *to, OndError *err)
{
    OndStatus status = ond_fields_reserve(to, room, err);
    for (int k = 0; k < from->field_count && status == OND_OK; ++k) {
        const OndField *f = &from->field[k]; // names live as long as the frame they come from
        if (ond_fields_add(to, f->name, f->unit, f->type, f->components, f->flags) < 0)
            status = ond_fail(err, OND_NO_MEMORY, "no memory to draw %d solid particles", room);
    }
    return status;
}

static void copy_particle(const OndFields *from, int i, OndFields *to)
{
    const int n = to->count++;
    for (int k = 0; k < from->field_count; ++k)
        for (int c = 0; c < from->field[k].components; ++c)
            ((uint32_t *)to->field[k].data[c])[n] = ((const uint32_t *)from->field[k].data[c])[i];
}

OndStatus ond_inner_frame(const OndFrame *frame, const OndRenderDef *def, OndFrame *out,
                          OndError *err)
{
    const OndFields *from = &frame->particles;
    const MaterialSorting s = {ond_fields_find(from, "material"), ond_fields_find(from, "rigidity"),
                               def};
    memset(out, 0, sizeof *out);
    int solid = 0, liquid = 0;
    for (int i = 0; i < from->count && !def->paint; ++i)
        is_solid(&s, i) ? ++solid : ++liquid;
    if (solid == 0 || liquid == 0) return OND_OK;
    *out = *frame;
    memset(&out->particles, 0, sizeof out->particles);
    out->owned = true;
    const OndStatus status = add_fields(from, solid, &out->particles, err);
    for (int i = 0; i < from->count && status == OND_OK; ++i)
        if (is_solid(&s, i)) copy_particle(from, i, &out->particles);
    if (status != OND_OK) ond_frame_free(out);
    return status;
}

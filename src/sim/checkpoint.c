// SPDX-License-Identifier: MIT
#include "sim/checkpoint.h"

#include "base/memory.h"

#include <string.h>

static bool make_room(OndCheckpoint *c)
{
    if (c->number_count < c->number_room) return true;
    const int room = 2 * c->number_room + 64;
    OndCheckpointNumber *const more = OND_NEW_ARRAY(OndCheckpointNumber, room);
    if (!more) return false;
    if (c->number_count) memcpy(more, c->number, (size_t)c->number_count * sizeof *more);
    ond_free(c->number);
    c->number = more, c->number_room = room;
    return true;
}

void ond_checkpoint_add(OndCheckpoint *c, const char *name, double value)
{
    if (name && make_room(c))
        c->number[c->number_count++] = (OndCheckpointNumber){name, value};
    else
        c->lost = true;
}

OndStatus ond_checkpoint_check(const OndCheckpoint *c, OndError *err)
{
    if (!c->lost) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the %d numbers of a checkpoint",
                    c->number_count);
}

double ond_checkpoint_number(const OndCheckpoint *c, const char *name, double fallback)
{
    for (int k = 0; k < c->number_count; ++k)
        if (strcmp(c->number[k].name, name) == 0) return c->number[k].value;
    return fallback;
}

static OndStatus check_field(const OndField *from, const OndField *to, OndError *err)
{
    if (!from)
        return ond_fail(
            err, OND_BAD_VALUE,
            "the checkpoint has no field '%s'; it comes from another method or version, "
            "start the run anew",
            to->name);
    if (from->type != to->type || from->components != to->components)
        return ond_fail(err, OND_BAD_VALUE,
                        "the checkpoint's field '%s' has %d components of another type than the %d "
                        "needed; it comes from another version, start the run anew",
                        to->name, from->components, to->components);
    return OND_OK;
}

static OndStatus check_fields(const OndFields *from, const OndFields *into, OndError *err)
{
    OndStatus status = OND_OK;
    for (int f = 0; f < into->field_count && status == OND_OK; ++f)
        if (into->field[f].flags & OND_FIELD_STATE)
            status = check_field(ond_fields_find(from, into->field[f].name), &into->field[f], err);
    return status;
}

static void copy_fields(const OndFields *from, OndFields *into)
{
    for (int f = 0; f < into->field_count; ++f) {
        const OndField *to = &into->field[f];
        if (!(to->flags & OND_FIELD_STATE)) continue;
        const OndField *field = ond_fields_find(from, to->name);
        for (int k = 0; k < to->components; ++k)
            memcpy(to->data[k], field->data[k], (size_t)from->count * 4);
    }
    into->count = from->count;
}

static OndStatus restore(const OndFields *from, OndFields *into, OndError *err)
{
    OndStatus status = check_fields(from, into, err);
    if (status == OND_OK) status = ond_fields_reserve(into, from->count, err);
    if (status == OND_OK) copy_fields(from, into);
    return status;
}

OndStatus ond_checkpoint_restore(const OndCheckpoint *c, OndFields *into, OndError *err)
{
    return restore(&c->fields, into, err);
}

OndStatus ond_checkpoint_restore_foam(const OndCheckpoint *c, OndFields *into, OndError *err)
{
    return restore(&c->foam, into, err);
}

OndStatus ond_checkpoint_restore_cells(const OndCheckpoint *c, OndFields *into, OndError *err)
{
    const OndStatus status = check_fields(&c->cells, into, err);
    if (status != OND_OK) return status;
    if (c->cells.count != into->count)
        return ond_fail(
            err, OND_BAD_VALUE,
            "the checkpoint's grid has %d values a field, and this one has %d; it comes "
            "from another version, start the run anew",
            c->cells.count, into->count);
    copy_fields(&c->cells, into);
    return OND_OK;
}

void ond_checkpoint_free(OndCheckpoint *c)
{
    ond_fields_free(&c->fields);
    ond_free(c->body);
    ond_free(c->number);
    ond_fields_free(&c->cells);
    ond_fields_free(&c->foam);
    memset(c, 0, sizeof *c);
}

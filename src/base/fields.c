// SPDX-License-Identifier: MIT
#include "base/fields.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define PAD 64 // elements past the end that vector loops may read

static void *new_array(int capacity)
{
    return ond_alloc(((size_t)capacity + PAD) * 4);
}

int ond_fields_add(OndFields *set, const char *name, const char *unit, OndFieldType type,
                   int components, unsigned flags)
{
    if (set->field_count == OND_FIELDS_MAX) return -1;
    OndField f = {name, unit, type, components, flags, {NULL, NULL, NULL}};
    for (int c = 0; c < components; ++c) {
        f.data[c] = new_array(set->capacity);
        if (!f.data[c]) {
            while (c--)
                ond_free(f.data[c]);
            return -1;
        }
    }
    set->field[set->field_count] = f;
    return set->field_count++;
}

// All arrays of a set, the spare first; returns how many.
static int list_arrays(OndFields *set, void **array[1 + 3 * OND_FIELDS_MAX])
{
    int count = 0;
    array[count++] = &set->spare;
    for (int f = 0; f < set->field_count; ++f)
        for (int c = 0; c < set->field[f].components; ++c)
            array[count++] = &set->field[f].data[c];
    return count;
}

// Who holds pointers into a set learns of new ones only when all is well, so old arrays stay until
// there is room for every one.
OndStatus ond_fields_reserve(OndFields *set, int capacity, OndError *err)
{
    if (capacity <= set->capacity && set->spare) return OND_OK;
    void **array[1 + 3 * OND_FIELDS_MAX], *larger[1 + 3 * OND_FIELDS_MAX];
    const int count = list_arrays(set, array);
    for (int k = 0; k < count; ++k) {
        larger[k] = new_array(capacity);
        if (larger[k]) continue;
        while (k--)
            ond_free(larger[k]);
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles (%.1f GB)",
                        capacity, (double)capacity * ond_fields_bytes_each(set) * 1e-9);
    }
    for (int k = 0; k < count; ++k) {
        if (k > 0 && *array[k] && set->count) memcpy(larger[k], *array[k], (size_t)set->count * 4);
        ond_free(*array[k]);
        *array[k] = larger[k];
    }
    set->capacity = capacity;
    return OND_OK;
}

OndField *ond_fields_find(const OndFields *set, const char *name)
{
    for (int f = 0; f < set->field_count; ++f)
        if (strcmp(set->field[f].name, name) == 0) return (OndField *)&set->field[f];
    return NULL;
}

bool ond_field_view(const OndFields *set, const OndField *field, OndFieldView *out)
{
    *out = (OndFieldView){0};
    if (!field) return false;
    *out = (OndFieldView){.name = field->name,
                          .unit = field->unit,
                          .type = field->type,
                          .components = field->components,
                          .count = set->count,
                          .faces = field->flags & OND_FIELD_FACES};
    for (int c = 0; c < field->components; ++c)
        out->data[c] = field->data[c];
    return true;
}

void ond_fields_remove(OndFields *set, const char *name)
{
    OndField *field = ond_fields_find(set, name);
    if (!field) return;
    for (int c = 0; c < field->components; ++c)
        ond_free(field->data[c]);
    const OndField *last = &set->field[--set->field_count];
    memmove(field, field + 1, (size_t)(last - field) * sizeof *field);
}

typedef struct FieldMove {
    const uint32_t *from, *order;
    uint32_t *to;
} FieldMove;

static void move_range(int first, int last, int worker, void *context)
{
    (void)worker;
    const FieldMove *m = context;
    for (int k = first; k < last; ++k)
        m->to[k] = m->from[m->order[k]];
}

void ond_fields_reorder(OndFields *set, const uint32_t *order)
{
    int same = 0;
    while (same < set->count && order[same] == (uint32_t)same)
        ++same;
    if (same == set->count) return; // at rest nothing changes its cell
    for (int f = 0; f < set->field_count; ++f) {
        OndField *field = &set->field[f];
        if (field->flags & OND_FIELD_TEMP) continue;
        for (int c = 0; c < field->components; ++c) {
            FieldMove m = {field->data[c], order, set->spare};
            ond_parallel_for(set->count, 8192, move_range, &m);
            void *old = field->data[c];
            field->data[c] = set->spare;
            set->spare = old;
        }
    }
}

int ond_fields_bytes_each(const OndFields *set)
{
    int bytes = 4; // the spare
    for (int f = 0; f < set->field_count; ++f)
        bytes += 4 * set->field[f].components;
    return bytes;
}

const char *ond_fields_keep_text(OndFields *set, const char *text)
{
    OndArena arena = {set->name_store};
    const char *copy = ond_arena_text(&arena, text, strlen(text));
    set->name_store = arena.head;
    return copy ? copy : "";
}

void ond_fields_free(OndFields *set)
{
    for (int f = 0; f < set->field_count; ++f)
        for (int c = 0; c < set->field[f].components; ++c)
            ond_free(set->field[f].data[c]);
    ond_free(set->spare);
    OndArena arena = {set->name_store};
    ond_arena_free(&arena);
    memset(set, 0, sizeof *set);
}

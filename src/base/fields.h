// SPDX-License-Identifier: MIT
// Named arrays that belong together: what a particle (or a cell) carries.
//
// A set is described once, here; frames, checkpoints, pictures, converters and the re-sorting of
// particles read the description, so a new value per particle is one ond_fields_add. Each component
// is an array of its own (structure of arrays), 64-byte aligned.
#ifndef OND_BASE_FIELDS_H
#define OND_BASE_FIELDS_H

#include <ondine/fields.h>
#include <stdint.h>

enum {
    OND_FIELD_FRAME = 1, ///< goes into frames
    OND_FIELD_STATE = 2, ///< needed to go on: checkpoints keep it
    OND_FIELD_TEMP = 4,  ///< made anew each step: need not follow the particle when sorted
    OND_FIELD_FACES = 8, ///< of a grid: component c stands on the cell's lower face across axis c
};

#define OND_FIELDS_MAX 48

typedef struct OndField {
    const char *name; ///< "velocity"
    const char *unit; ///< "m/s"; "" for pure numbers
    OndFieldType type;
    int components; ///< 1 or 3
    unsigned flags;
    void *data[3]; ///< one array a component
} OndField;

typedef struct OndFields {
    OndField field[OND_FIELDS_MAX];
    int field_count;
    int count;    ///< elements in use
    int capacity; ///< elements allocated
    void *spare;  ///< one more array: ond_fields_reorder writes into it and swaps
    struct OndArenaChunk *name_store; ///< names read from files
} OndFields;

/// Adds a described array to a set that has room for `capacity` elements already or is still empty.
/// `name` and `unit` must outlive the set (or use ond_fields_keep_text). Returns its index, -1 when
/// full or out of memory.
int ond_fields_add(OndFields *set, const char *name, const char *unit, OndFieldType type,
                   int components, unsigned flags);

/// Makes room for `capacity` elements, keeping those in use. Data pointers change; on failure nothing
/// does.
OndStatus ond_fields_reserve(OndFields *set, int capacity, OndError *err);

/// The field of that name, or NULL.
OndField *ond_fields_find(const OndFields *set, const char *name);

/// The field as programs around the library see it. False, and an empty view, for NULL.
bool ond_field_view(const OndFields *set, const OndField *field, OndFieldView *out);

/// Takes a field out of the set and frees its arrays; no such field: nothing happens.
void ond_fields_remove(OndFields *set, const char *name);

/// Element k becomes what element order[k] was, for k < set->count. Skips OND_FIELD_TEMP fields.
void ond_fields_reorder(OndFields *set, const uint32_t *order);

/// Bytes held for one element over all fields (spare included).
int ond_fields_bytes_each(const OndFields *set);

/// A copy of `text` that lives as long as the set: for names read from a file.
const char *ond_fields_keep_text(OndFields *set, const char *text);

/// Frees everything; the struct is empty and usable again.
void ond_fields_free(OndFields *set);

#endif

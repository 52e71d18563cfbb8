// SPDX-License-Identifier: MIT
// Reading single values by their keys: numbers, words, vectors, formulas; inside base/schema_*.c.
#ifndef OND_BASE_SCHEMA_VALUES_H
#define OND_BASE_SCHEMA_VALUES_H

#include "base/schema.h"

typedef struct OndSchemaReader {
    const OndTree *tree;
    OndArena *arena;
    OndError *err;   // the complaint under way
    OndError *all;   // those before it
    uint64_t *wrong; // keys of the outermost table
} OndSchemaReader;

/// Complains that `name` must be what is wanted, and not what stands there.
OndStatus ond_schema_must_be(const OndSchemaReader *reader, const char *name, const OndNode *node,
                             const char *wanted);
/// The index of the word that stands there among the key's choices.
OndStatus ond_schema_read_choice(const OndSchemaReader *reader, const OndKey *key,
                                 const OndNode *node, int *out);
/// A value of any type but maps, lists and variants.
OndStatus ond_schema_read_value(const OndSchemaReader *reader, const OndKey *key,
                                const OndNode *node, void *place);

#endif

// SPDX-License-Identifier: MIT
// All tables that a table leads to, each once, in the order a reader meets them.
#ifndef OND_BASE_SCHEMA_WALK_H
#define OND_BASE_SCHEMA_WALK_H

#include "base/schema.h"

#define OND_WALK_MAX 96

typedef struct OndSchemaWalk {
    const OndSchema *schema[OND_WALK_MAX];
    const char *key[OND_WALK_MAX]; ///< the key that led here first; NULL for the root
    bool variant[OND_WALK_MAX];    ///< reached as one of several types
    bool untyped[OND_WALK_MAX];    ///< the one of them that needs no `type`
    int count;
} OndSchemaWalk;

/// Union and difference lead back to themselves; a table seen before is not followed again.
void ond_schema_walk(const OndSchema *root, OndSchemaWalk *out);

#endif

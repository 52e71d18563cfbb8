// SPDX-License-Identifier: MIT
// One table a struct: it reads, checks and documents.
//
// A schema lists the keys of a map: type, default, range, unit and a sentence each. From that one
// table come the values in a C struct (ond_schema_read), the errors with file, line and nearest
// right key, the reference in Markdown (ond_schema_markdown) and the JSON schema for editors
// (ond_schema_json).
#ifndef OND_BASE_SCHEMA_H
#define OND_BASE_SCHEMA_H

#include "base/expression.h"
#include "base/tree.h"
#include "base/vec.h"

#include <stdint.h>
#include <stdio.h>

typedef enum OndKeyType {
    OND_KEY_NUMBER,   ///< double
    OND_KEY_INT,      ///< int
    OND_KEY_BOOL,     ///< bool
    OND_KEY_TEXT,     ///< const char *
    OND_KEY_CHOICE,   ///< int: index into `choices`
    OND_KEY_VEC,      ///< OndVec: [x, y] or [x, y, z]; z is 0 when left out
    OND_KEY_MAP,      ///< struct of schema `sub`, in place
    OND_KEY_SECTION,  ///< void *: the same in the arena, for who does not know the struct
    OND_KEY_LIST,     ///< OndList of structs of schema `sub`
    OND_KEY_VARIANT,  ///< OndVariant: a map whose `type` picks one of `variants`
    OND_KEY_VARIANTS, ///< OndList of OndVariant
    OND_KEY_FORMULAS  ///< OndFormulas: [x, y] or [x, y, z], numbers or formulas of `variables`
} OndKeyType;

typedef struct OndList {
    void *items; ///< array of structs, in the arena given to ond_schema_read
    int count;
} OndList;

typedef struct OndVariant {
    int which;           ///< index into the variants; -1 when the key was absent
    void *def;           ///< struct of that variant's schema
    const OndNode *node; ///< where it stood, for later complaints
} OndVariant;

typedef struct OndFormulas {
    const OndExpression *part[3]; ///< NULL: 0
} OndFormulas;

struct OndSchema;

typedef struct OndKey {
    const char *name;
    OndKeyType type;
    size_t offset;   ///< of the value in the struct
    double fallback; ///< default of numbers, ints, bools, choices; each component of a vec
    /// Accepted range of numbers, ints and vec components. Both 0: any finite value. A max that is
    /// not above min means no upper bound, and either may be INFINITY.
    double min, max;
    bool above;       ///< min itself is not accepted (with min = max = 0: must be > 0)
    bool required;    ///< no default: its absence is an error
    const char *text; ///< default of texts; how the default is documented otherwise, where it helps
    const char *unit; ///< "m", "kg/m^3"; NULL for pure numbers
    const char *const *choices; ///< NULL-terminated names
    const struct OndSchema *sub;
    const struct OndSchema *const *variants; ///< NULL-terminated; a variant's `name` is its `type`
    bool first_variant;    ///< a map without `type` is the first of them; otherwise it is an error
    const char *variables; ///< OND_OF_TIME or OND_OF_PLACE; NULL: of time
    const char *help;      ///< one sentence
    OndVec vec;            ///< default of a vec
} OndKey;

typedef struct OndSchema {
    const char *name; ///< title in the documentation; the value of `type` for a variant
    const char *help;
    size_t size; ///< of the struct
    const OndKey *keys;
    int count;
    /// Offset of a `const OndNode *` that receives the map's place (NULL where defaults stand), or
    /// -1.
    long node_offset;
} OndSchema;

/// Clears `out` and fills in the defaults of the table. Lists are empty, variants absent (which =
/// -1).
void ond_schema_defaults(const OndSchema *schema, void *out);

/// Reads a map into `out` (defaults first). Unknown keys, doubled keys, wrong types and values out
/// of range are errors that point at the place, all of them in `err`. Lists and texts live in
/// `arena` and in the tree.
///
/// After OND_BAD_VALUE what is right stands in `out`, and what is not is left out: a value or a map
/// has its defaults, an entry is missing in its list, a variant is as its type begins. `wrong` (may
/// be NULL) tells the keys of this table that are not as written: bit k for key k, and the key that
/// an unknown one was probably meant to be; OND_SCHEMA_STRANGE for one that is like none of them.
#define OND_SCHEMA_STRANGE (UINT64_C(1) << 63)
OndStatus ond_schema_read(const OndSchema *schema, const OndTree *tree, const OndNode *map,
                          void *out, OndArena *arena, uint64_t *wrong, OndError *err);

/// The reference: a table for this schema and one for each it leads to.
void ond_schema_markdown(const OndSchema *schema, FILE *out);
/// JSON schema (draft 2020-12) of the same.
void ond_schema_json(const OndSchema *schema, FILE *out);

#endif

// SPDX-License-Identifier: MIT
// What a key's `min`, `max` and `above` mean, in one place for the reader and both documents.
#ifndef OND_BASE_SCHEMA_RANGE_H
#define OND_BASE_SCHEMA_RANGE_H

#include "base/schema.h"

#include <math.h>

static inline bool ond_key_has_min(const OndKey *key)
{
    if (!(key->min > -HUGE_VAL)) return false;
    return key->min != 0.0 || key->max != 0.0 || key->above;
}

static inline bool ond_key_has_max(const OndKey *key)
{
    return key->max > key->min && key->max < HUGE_VAL;
}

/// Written so that NaN is not within.
static inline bool ond_key_accepts(const OndKey *key, double value)
{
    if (!isfinite(value)) return false;
    if (ond_key_has_min(key) && !(key->above ? value > key->min : value >= key->min)) return false;
    return !ond_key_has_max(key) || value <= key->max;
}

/// A bound this far out keeps arithmetic finite; a person need not read it unless he meets it.
#define OND_SAFETY_BOUND 1e5

/// "> 0", ">= 0", "between 0 and 1", "2 or 3"; "" when any finite value goes. Leaves out safety
/// bounds.
void ond_key_range_text(const OndKey *key, char *out, size_t size);

#endif

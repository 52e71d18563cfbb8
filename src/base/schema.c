// SPDX-License-Identifier: MIT
#include "base/schema.h"

#include "base/schema_range.h"

#include <string.h>

static void fill_default(const OndKey *key, void *place)
{
    switch (key->type) {
    case OND_KEY_NUMBER:
        *(double *)place = key->fallback;
        break;
    case OND_KEY_INT:
    case OND_KEY_CHOICE:
        *(int *)place = (int)key->fallback;
        break;
    case OND_KEY_BOOL:
        *(bool *)place = key->fallback != 0.0;
        break;
    case OND_KEY_TEXT:
        *(const char **)place = key->text;
        break;
    case OND_KEY_VEC:
        *(OndVec *)place = ond_add(key->vec, ond_vec(key->fallback, key->fallback, key->fallback));
        break;
    case OND_KEY_MAP:
        ond_schema_defaults(key->sub, place);
        break;
    case OND_KEY_VARIANT:
        ((OndVariant *)place)->which = -1;
        break;
    case OND_KEY_SECTION:
    case OND_KEY_LIST:
    case OND_KEY_VARIANTS:
    case OND_KEY_FORMULAS:
        break;
    }
}

void ond_schema_defaults(const OndSchema *schema, void *out)
{
    memset(out, 0, schema->size);
    for (int k = 0; k < schema->count; ++k)
        fill_default(&schema->keys[k], (char *)out + schema->keys[k].offset);
}

void ond_key_range_text(const OndKey *key, char *out, size_t size)
{
    const bool low = ond_key_has_min(key) && key->min > -OND_SAFETY_BOUND;
    const bool high = ond_key_has_max(key) && key->max < OND_SAFETY_BOUND;
    out[0] = '\0';
    if (low && high && key->type == OND_KEY_INT && key->max == key->min + 1 && !key->above)
        snprintf(out, size, "%g or %g", key->min, key->max);
    else if (low && high && key->above)
        snprintf(out, size, "> %g and at most %g", key->min, key->max);
    else if (low && high)
        snprintf(out, size, "between %g and %g", key->min, key->max);
    else if (low)
        snprintf(out, size, "%s %g", key->above ? ">" : ">=", key->min);
    else if (high)
        snprintf(out, size, "at most %g", key->max);
}

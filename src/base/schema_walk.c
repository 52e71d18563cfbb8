// SPDX-License-Identifier: MIT
#include "base/schema_walk.h"

static void add(OndSchemaWalk *walk, const OndSchema *schema, const OndKey *key)
{
    for (int s = 0; s < walk->count; ++s)
        if (walk->schema[s] == schema) return;
    if (walk->count == OND_WALK_MAX) return;
    walk->schema[walk->count] = schema;
    walk->key[walk->count] = key ? key->name : NULL;
    walk->variant[walk->count] = key && key->variants;
    walk->untyped[walk->count] = key && key->first_variant && schema == key->variants[0];
    walk->count++;
}

static void follow(OndSchemaWalk *walk, const OndKey *key)
{
    if (key->type == OND_KEY_MAP || key->type == OND_KEY_SECTION || key->type == OND_KEY_LIST)
        add(walk, key->sub, key);
    if (key->type == OND_KEY_VARIANT || key->type == OND_KEY_VARIANTS)
        for (int v = 0; key->variants[v]; ++v)
            add(walk, key->variants[v], key);
}

void ond_schema_walk(const OndSchema *root, OndSchemaWalk *out)
{
    out->count = 0;
    add(out, root, NULL);
    for (int s = 0; s < out->count; ++s)
        for (int k = 0; k < out->schema[s]->count; ++k)
            follow(out, &out->schema[s]->keys[k]);
}

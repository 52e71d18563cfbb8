// SPDX-License-Identifier: MIT
#include "base/schema_walk.h"

static void add(OndSchemaWalk *walk, const OndSchema *schema, const char *key, bool variant)
{
    for (int s = 0; s < walk->count; ++s)
        if (walk->schema[s] == schema) return;
    if (walk->count == OND_WALK_MAX) return;
    walk->schema[walk->count] = schema;
    walk->key[walk->count] = key;
    walk->variant[walk->count] = variant;
    walk->count++;
}

static void follow(OndSchemaWalk *walk, const OndKey *key)
{
    if (key->type == OND_KEY_MAP || key->type == OND_KEY_LIST)
        add(walk, key->sub, key->name, false);
    if (key->type == OND_KEY_VARIANT || key->type == OND_KEY_VARIANTS)
        for (int v = 0; key->variants[v]; ++v)
            add(walk, key->variants[v], key->name, true);
}

void ond_schema_walk(const OndSchema *root, OndSchemaWalk *out)
{
    out->count = 0;
    add(out, root, NULL, false);
    for (int s = 0; s < out->count; ++s)
        for (int k = 0; k < out->schema[s]->count; ++k)
            follow(out, &out->schema[s]->keys[k]);
}

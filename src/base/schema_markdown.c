// SPDX-License-Identifier: MIT
// The reference in Markdown, from the table that also validates.
#include "base/schema.h"
#include "base/schema_range.h"
#include "base/schema_walk.h"

#include <string.h>

static const char *type_text(const OndKey *key)
{
    switch (key->type) {
    case OND_KEY_NUMBER:
        return "number";
    case OND_KEY_INT:
        return "whole number";
    case OND_KEY_BOOL:
        return "true or false";
    case OND_KEY_TEXT:
        return "text";
    case OND_KEY_CHOICE:
        return "one of";
    case OND_KEY_VEC:
        return "vector";
    case OND_KEY_MAP:
    case OND_KEY_SECTION:
        return "map";
    case OND_KEY_LIST:
        return "list of maps";
    case OND_KEY_VARIANT:
        return "map with a `type`";
    case OND_KEY_VARIANTS:
        return "list of maps with a `type`";
    case OND_KEY_FORMULAS:
        return key->variables && key->variables[1] ? "numbers or formulas of x, y, z"
                                                   : "numbers or formulas of t";
    }
    return "";
}

static void write_default(const OndKey *key, FILE *out)
{
    const OndVec v = ond_add(key->vec, ond_vec(key->fallback, key->fallback, key->fallback));
    if (key->required)
        fputs("**required**", out);
    else if (key->text)
        fprintf(out, key->type == OND_KEY_TEXT ? "`%s`" : "%s", key->text);
    else if (key->type == OND_KEY_NUMBER || key->type == OND_KEY_INT)
        fprintf(out, "%g", key->fallback);
    else if (key->type == OND_KEY_BOOL)
        fputs(key->fallback != 0.0 ? "true" : "false", out);
    else if (key->type == OND_KEY_CHOICE)
        fprintf(out, "`%s`", key->choices[(int)key->fallback]);
    else if (key->type == OND_KEY_VEC)
        fprintf(out, "[%g, %g, %g]", v.x, v.y, v.z);
    else
        fputs("none", out);
}

// Where a nested value is described, or what a value may be.
static void write_accepts(const OndKey *key, FILE *out)
{
    char range[96];
    if (key->type == OND_KEY_CHOICE)
        for (int c = 0; key->choices[c]; ++c)
            fprintf(out, "%s`%s`", c ? ", " : "", key->choices[c]);
    else if (key->type == OND_KEY_MAP || key->type == OND_KEY_SECTION || key->type == OND_KEY_LIST)
        fprintf(out, "[%s](#%s)", key->sub->name, key->sub->name);
    else if (key->type == OND_KEY_VARIANT || key->type == OND_KEY_VARIANTS)
        for (int v = 0; key->variants[v]; ++v)
            fprintf(out, "%s[%s](#%s)", v ? ", " : "", key->variants[v]->name,
                    key->variants[v]->name);
    else if (key->type <= OND_KEY_INT || key->type == OND_KEY_VEC) {
        ond_key_range_text(key, range, sizeof range);
        fputs(range, out);
    }
}

static void write_key(const OndKey *key, FILE *out)
{
    fprintf(out, "| `%s` | %s | ", key->name, type_text(key));
    write_accepts(key, out);
    fprintf(out, " | %s | ", key->unit ? key->unit : "");
    write_default(key, out);
    fprintf(out, " | %s |\n", key->help ? key->help : "");
}

static void write_schema(const OndSchemaWalk *walk, int s, FILE *out)
{
    const OndSchema *const schema = walk->schema[s];
    fprintf(out, "\n## %s\n\n", schema->name);
    if (walk->variant[s])
        fprintf(out, "A `%s` with `type: %s`%s. ", walk->key[s], schema->name,
                walk->untyped[s] ? ", or without a `type`" : "");
    fprintf(out, "%s\n", schema->help ? schema->help : "");
    if (schema->count == 0) return;
    fputs("\n| key | type | accepts | unit | default | meaning |\n|---|---|---|---|---|---|\n",
          out);
    for (int k = 0; k < schema->count; ++k)
        write_key(&schema->keys[k], out);
}

void ond_schema_markdown(const OndSchema *schema, FILE *out)
{
    OndSchemaWalk walk;
    ond_schema_walk(schema, &walk);
    for (int s = 0; s < walk.count; ++s)
        write_schema(&walk, s, out);
}

// SPDX-License-Identifier: MIT
// JSON schema (draft 2020-12) for editors, from the table that also validates.
//
// Every table becomes one entry of $defs; nesting is by $ref, so shapes may hold shapes. A variant
// is a definition that demands its own `type` (but for one that needs none), and the choice between
// variants is oneOf.
#include "base/schema.h"
#include "base/schema_range.h"
#include "base/schema_walk.h"
#include "base/words.h"

static void write_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (const char *c = text ? text : ""; *c; ++c) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            fprintf(out, "\\u%04x", (unsigned char)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static bool is_variant(const OndSchemaWalk *walk, const OndSchema *schema)
{
    for (int s = 0; s < walk->count; ++s)
        if (walk->schema[s] == schema) return walk->variant[s];
    return false;
}

// A table's name in $defs: letters and digits only, variants apart from sections of the same name.
static void write_ref_name(const OndSchemaWalk *walk, const OndSchema *schema, FILE *out)
{
    if (is_variant(walk, schema)) fputs("type-", out);
    for (const char *c = schema->name; *c; ++c) {
        const bool plain =
            (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        fputc(plain ? *c : '-', out);
    }
}

static void write_ref(const OndSchemaWalk *walk, const OndSchema *schema, FILE *out)
{
    fputs("{\"$ref\": \"#/$defs/", out);
    write_ref_name(walk, schema, out);
    fputs("\"}", out);
}

static void write_range(const OndKey *key, FILE *out)
{
    if (ond_key_has_min(key))
        fprintf(out, ", \"%s\": %.9g", key->above ? "exclusiveMinimum" : "minimum", key->min);
    if (ond_key_has_max(key)) fprintf(out, ", \"maximum\": %.9g", key->max);
}

static void write_vec(const OndKey *key, FILE *out)
{
    const OndVec v = ond_add(key->vec, ond_vec(key->fallback, key->fallback, key->fallback));
    fputs("\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {\"type\": \"number\"",
          out);
    write_range(key, out);
    fputs("}", out);
    if (!key->required && !key->text)
        fprintf(out, ", \"default\": [%.9g, %.9g, %.9g]", v.x, v.y, v.z);
}

static void write_choice(const OndKey *key, FILE *out)
{
    fputs("\"enum\": [", out);
    for (int c = 0; key->choices[c]; ++c) {
        if (c) fputs(", ", out);
        write_text(key->choices[c], out);
    }
    fputs("]", out);
    if (key->required || key->text) return;
    fputs(", \"default\": ", out);
    write_text(key->choices[(int)key->fallback], out);
}

static void write_variants(const OndSchemaWalk *walk, const OndKey *key, FILE *out)
{
    fprintf(out, "\"type\": \"object\", %s\"oneOf\": [",
            key->first_variant ? "" : "\"required\": [\"type\"], ");
    for (int v = 0; key->variants[v]; ++v) {
        if (v) fputs(", ", out);
        write_ref(walk, key->variants[v], out);
    }
    fputs("]", out);
}

static void write_number(const OndKey *key, FILE *out)
{
    fprintf(out, "\"type\": \"%s\"", key->type == OND_KEY_INT ? "integer" : "number");
    write_range(key, out);
    if (!key->required && !key->text) fprintf(out, ", \"default\": %.9g", key->fallback);
}

static void write_plain_text(const OndKey *key, FILE *out)
{
    fputs("\"type\": [\"string\", \"number\", \"boolean\"]", out);
    if (key->required || !key->text) return;
    fputs(", \"default\": ", out);
    write_text(key->text, out);
}

static void write_value(const OndSchemaWalk *walk, const OndKey *key, FILE *out)
{
    switch (key->type) {
    case OND_KEY_NUMBER:
    case OND_KEY_INT:
        write_number(key, out);
        break;
    case OND_KEY_BOOL:
        fprintf(out, "\"type\": \"boolean\", \"default\": %s",
                key->fallback != 0.0 ? "true" : "false");
        break;
    case OND_KEY_TEXT:
        write_plain_text(key, out);
        break;
    case OND_KEY_CHOICE:
        write_choice(key, out);
        break;
    case OND_KEY_VEC:
        write_vec(key, out);
        break;
    case OND_KEY_MAP:
    case OND_KEY_SECTION:
        fputs("\"allOf\": [", out);
        write_ref(walk, key->sub, out);
        fputs("]", out);
        break;
    case OND_KEY_LIST:
        fputs("\"type\": \"array\", \"items\": ", out);
        write_ref(walk, key->sub, out);
        break;
    case OND_KEY_VARIANT:
        write_variants(walk, key, out);
        break;
    case OND_KEY_VARIANTS:
        fputs("\"type\": \"array\", \"items\": {", out);
        write_variants(walk, key, out);
        fputs("}", out);
        break;
    case OND_KEY_FORMULAS:
        fputs("\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, "
              "\"items\": {\"type\": [\"number\", \"string\"]}",
              out);
        break;
    }
}

static void write_description(const OndKey *key, FILE *out)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s%s%s", key->help ? key->help : "", key->unit ? " Unit: " : "",
             key->unit ? key->unit : "", key->unit ? "." : "");
    fputs(", \"description\": ", out);
    write_text(text, out);
}

// A required key that can be spelt in two ways: one of them.
static void write_required_spellings(const OndSchema *schema, FILE *out)
{
    const char *joint = ", \"allOf\": [";
    for (int k = 0; k < schema->count; ++k) {
        const char *const name = schema->keys[k].name, *const other = ond_word_other_spelling(name);
        if (!schema->keys[k].required || !other) continue;
        fprintf(out, "%s{\"anyOf\": [{\"required\": [\"%s\"]}, {\"required\": [\"%s\"]}]}", joint,
                name, other);
        joint = ", ";
    }
    if (joint[2] != '"') fputs("]", out);
}

static void write_required(const OndSchema *schema, bool typed, FILE *out)
{
    const char *joint = "";
    fputs(", \"required\": [", out);
    if (typed) {
        fputs("\"type\"", out);
        joint = ", ";
    }
    for (int k = 0; k < schema->count; ++k) {
        const OndKey *const key = &schema->keys[k];
        if (!key->required || ond_word_other_spelling(key->name)) continue;
        fputs(joint, out);
        write_text(key->name, out);
        joint = ", ";
    }
    fputs("]", out);
    write_required_spellings(schema, out);
}

static void write_property(const OndSchemaWalk *walk, const OndKey *key, const char *name,
                           FILE *out)
{
    write_text(name, out);
    fputs(": {", out);
    write_value(walk, key, out);
    write_description(key, out);
    fputs("}", out);
}

// The inside of an object schema, without the braces.
static void write_object(const OndSchemaWalk *walk, int s, FILE *out)
{
    const OndSchema *const schema = walk->schema[s];
    fputs("\"type\": \"object\", \"additionalProperties\": false, \"description\": ", out);
    write_text(schema->help, out);
    write_required(schema, walk->variant[s] && !walk->untyped[s], out);
    fputs(", \"properties\": {", out);
    if (walk->variant[s]) {
        fputs("\n    \"type\": {\"const\": ", out);
        write_text(schema->name, out);
        fputs("}", out);
    }
    for (int k = 0; k < schema->count; ++k) {
        const OndKey *const key = &schema->keys[k];
        fputs(k || walk->variant[s] ? ",\n    " : "\n    ", out);
        write_property(walk, key, key->name, out);
        if (!ond_word_other_spelling(key->name)) continue;
        fputs(",\n    ", out);
        write_property(walk, key, ond_word_other_spelling(key->name), out);
    }
    fputs("}", out);
}

void ond_schema_json(const OndSchema *schema, FILE *out)
{
    OndSchemaWalk walk;
    ond_schema_walk(schema, &walk);
    fputs("{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n\"title\": ", out);
    write_text(schema->name, out);
    fputs(",\n", out);
    write_object(&walk, 0, out);
    fputs(",\n\"$defs\": {", out);
    for (int s = 1; s < walk.count; ++s) {
        fputs(s > 1 ? ",\n  \"" : "\n  \"", out);
        write_ref_name(&walk, walk.schema[s], out);
        fputs("\": {", out);
        write_object(&walk, s, out);
        fputs("}", out);
    }
    fputs("}}\n", out);
}

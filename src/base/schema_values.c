// SPDX-License-Identifier: MIT
#include "base/schema_values.h"

#include "base/number.h"
#include "base/schema_range.h"
#include "base/words.h"

#include <limits.h>
#include <string.h>

// "the text 'abc'", "a list": what stands there, for "must be a number, not ...".
static const char *what(const OndNode *node, char *buffer, size_t size)
{
    if (node->kind == OND_NODE_LIST) return "a list";
    if (node->kind == OND_NODE_MAP) return "a map";
    if (node->kind == OND_NODE_NULL) return "empty";
    snprintf(buffer, size, node->quoted ? "the text \"%.60s\"" : "'%.60s'", node->text);
    return buffer;
}

OndStatus ond_schema_must_be(const OndSchemaReader *r, const char *name, const OndNode *node,
                             const char *wanted)
{
    char buffer[96];
    return ond_tree_fail(r->tree, node, r->err, "%s must be %s, not %s", name, wanted,
                         what(node, buffer, sizeof buffer));
}

// ---- single values

static OndStatus not_a_number(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                              const char *name, OndNumberFault fault)
{
    if (fault == OND_NUMBER_NOT_FINITE)
        return ond_tree_fail(r->tree, node, r->err, "%s must be a finite number, not %.60s", name,
                             node->text);
    if (fault == OND_NUMBER_TAIL && key->unit)
        return ond_tree_fail(
            r->tree, node, r->err,
            "%s must be a number, not '%.60s'; units are fixed, so write the value "
            "in %s without the unit",
            name, node->text, key->unit);
    return ond_schema_must_be(r, name, node, "a number");
}

static OndStatus out_of_range(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                              const char *name, double value)
{
    char range[96];
    ond_key_range_text(key, range, sizeof range);
    if (value < key->min && key->min <= -OND_SAFETY_BOUND)
        snprintf(range, sizeof range, "at least %g", key->min);
    if (value > key->max && key->max >= OND_SAFETY_BOUND)
        snprintf(range, sizeof range, "at most %g", key->max);
    return ond_tree_fail(r->tree, node, r->err, "%s must be %s, not %.60s%s%s", name, range,
                         node->text, key->unit ? " " : "", key->unit ? key->unit : "");
}

static OndStatus read_number(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                             const char *name, double *out)
{
    if (node->kind != OND_NODE_SCALAR) return ond_schema_must_be(r, name, node, "a number");
    if (node->quoted) return ond_schema_must_be(r, name, node, "a number (without quotes)");
    double value = 0.0;
    const OndNumberFault fault = ond_number_parse(node->text, &value);
    if (fault != OND_NUMBER_OK) return not_a_number(r, key, node, name, fault);
    if (!ond_key_accepts(key, value)) return out_of_range(r, key, node, name, value);
    *out = value;
    return OND_OK;
}

static OndStatus read_int(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                          int *out)
{
    double value = 0.0;
    const OndStatus status = read_number(r, key, node, key->name, &value);
    if (status != OND_OK) return status;
    if (!(value >= INT_MIN && value <= INT_MAX) || value != floor(value))
        return ond_schema_must_be(r, key->name, node, "a whole number");
    *out = (int)value;
    return OND_OK;
}

static bool same_word(const char *a, const char *b)
{
    while (*a && (*a | 0x20) == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

static OndStatus read_bool(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                           bool *out)
{
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off"};
    if (node->kind == OND_NODE_SCALAR && !node->quoted)
        for (int w = 0; w < OND_COUNT(words); ++w)
            if (same_word(node->text, words[w])) {
                *out = w % 2 == 0;
                return OND_OK;
            }
    return ond_schema_must_be(r, key->name, node, "true or false");
}

static OndStatus read_text(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                           const char **out)
{
    if (node->kind != OND_NODE_SCALAR) return ond_schema_must_be(r, key->name, node, "a text");
    *out = node->text;
    return OND_OK;
}

OndStatus ond_schema_read_choice(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                                 int *out)
{
    int count = 0;
    while (key->choices[count])
        ++count;
    for (int c = 0; node->kind == OND_NODE_SCALAR && c < count; ++c)
        if (strcmp(node->text, key->choices[c]) == 0) {
            *out = c;
            return OND_OK;
        }
    char list[256], written[96];
    ond_words_list(key->choices, count, list, sizeof list);
    const char *const nearest =
        node->kind == OND_NODE_SCALAR ? ond_word_nearest(node->text, key->choices, count) : NULL;
    return ond_tree_fail(r->tree, node, r->err, "%s must be %s, not %s%s%s%s", key->name, list,
                         what(node, written, sizeof written), nearest ? "; did you mean '" : "",
                         nearest ? nearest : "", nearest ? "'?" : "");
}

static OndStatus read_vec(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                          OndVec *out)
{
    if (node->kind != OND_NODE_LIST)
        return ond_schema_must_be(r, key->name, node, "a list of numbers such as [0, 0, 0]");
    if (node->count != 2 && node->count != 3)
        return ond_tree_fail(r->tree, node, r->err, "%s must have 2 or 3 numbers, not %d",
                             key->name, node->count);
    double value[3] = {0.0, 0.0, 0.0};
    int axis = 0;
    for (const OndNode *n = node->child; n; n = n->next, ++axis) {
        char name[64];
        snprintf(name, sizeof name, "%.40s[%d]", key->name, axis);
        const OndStatus status = read_number(r, key, n, name, &value[axis]);
        if (status != OND_OK) return status;
    }
    *out = ond_vec(value[0], value[1], value[2]);
    return OND_OK;
}

// ---- formulas

// The text's own place: a fault is shown under the character it is at.
static OndStatus fail_formula(const OndSchemaReader *r, const OndNode *node, int place,
                              const OndError *why)
{
    OndNode at = *node;
    if (at.column > 0) at.column += place + at.quoted;
    if (why->status == OND_NO_MEMORY) return ond_fail(r->err, OND_NO_MEMORY, "%s", why->text);
    return ond_tree_fail(r->tree, &at, r->err, "%.600s", why->text);
}

static bool is_of_place(const OndKey *key)
{
    return key->variables && key->variables[1] != '\0';
}

static OndStatus read_formula(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                              const char *name, const OndExpression **out)
{
    const bool place = is_of_place(key);
    if (node->kind != OND_NODE_SCALAR)
        return ond_schema_must_be(r, name, node,
                                  place ? "a number or a formula such as \"sin(pi*x)\""
                                        : "a number or a formula such as \"sin(2*pi*t)\"");
    OndError why = {0};
    int at = 0;
    *out =
        ond_expression_parse(r->arena, node->text, place ? OND_OF_PLACE : OND_OF_TIME, &at, &why);
    if (!*out) return fail_formula(r, node, at, &why);
    const double value = place ? ond_expression_there(*out, ond_vec(0, 0, 0)) : 0.0;
    if (ond_expression_varies(*out) || ond_key_accepts(key, value)) return OND_OK;
    return out_of_range(r, key, node, name, value);
}

static OndStatus read_formulas(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                               OndFormulas *out)
{
    if (node->kind != OND_NODE_LIST)
        return ond_schema_must_be(r, key->name, node,
                                  is_of_place(key) ? "a list such as [1, \"0.1*sin(pi*x)\", 0]"
                                                   : "a list such as [\"0.1*sin(2*pi*t)\", 0, 0]");
    if (node->count != 2 && node->count != 3)
        return ond_tree_fail(r->tree, node, r->err, "%s must have 2 or 3 parts, not %d", key->name,
                             node->count);
    int axis = 0;
    OndStatus status = OND_OK;
    for (const OndNode *n = node->child; n && status == OND_OK; n = n->next, ++axis) {
        char name[64];
        snprintf(name, sizeof name, "%.40s[%d]", key->name, axis);
        status = read_formula(r, key, n, name, &out->part[axis]);
    }
    return status;
}

OndStatus ond_schema_read_value(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                                void *place)
{
    switch (key->type) {
    case OND_KEY_NUMBER:
        return read_number(r, key, node, key->name, place);
    case OND_KEY_INT:
        return read_int(r, key, node, place);
    case OND_KEY_BOOL:
        return read_bool(r, key, node, place);
    case OND_KEY_TEXT:
        return read_text(r, key, node, place);
    case OND_KEY_CHOICE:
        return ond_schema_read_choice(r, key, node, place);
    case OND_KEY_VEC:
        return read_vec(r, key, node, place);
    case OND_KEY_FORMULAS:
        return read_formulas(r, key, node, place);
    default:
        return ond_fail(r->err, OND_BAD_VALUE, "key '%s' has no known type", key->name);
    }
}

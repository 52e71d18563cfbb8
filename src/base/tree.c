// SPDX-License-Identifier: MIT
#include "base/tree.h"

#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 96 // characters of a source line under a message

OndNode *ond_tree_new(OndTree *tree, OndNodeKind kind)
{
    OndNode *node = ond_arena_take(&tree->arena, sizeof *node);
    if (node) node->kind = kind;
    return node;
}

OndNode *ond_tree_scalar(OndTree *tree, const char *text, bool quoted)
{
    OndNode *node = ond_tree_new(tree, OND_NODE_SCALAR);
    if (!node) return NULL;
    node->text = ond_arena_text(&tree->arena, text, strlen(text));
    node->quoted = quoted;
    return node->text ? node : NULL;
}

static void append(OndNode *parent, OndNode *value)
{
    value->next = NULL;
    if (parent->last)
        parent->last->next = value;
    else
        parent->child = value;
    parent->last = value;
    parent->count++;
}

static void replace(OndNode *parent, OndNode *old, OndNode *value)
{
    OndNode **link = &parent->child;
    while (*link != old)
        link = &(*link)->next;
    value->next = old->next;
    *link = value;
    if (parent->last == old) parent->last = value;
}

static OndNode *find(const OndNode *map, const char *key)
{
    if (!map || map->kind != OND_NODE_MAP) return NULL;
    key = ond_word_spelling(key);
    for (OndNode *n = map->child; n; n = n->next)
        if (n->key && strcmp(ond_word_spelling(n->key), key) == 0) return n;
    return NULL;
}

const OndNode *ond_node_get(const OndNode *map, const char *key)
{
    return find(map, key);
}

void ond_tree_put(OndTree *tree, OndNode *parent, const char *key, OndNode *value)
{
    (void)tree;
    if (!parent || !value) return;
    value->key = parent->kind == OND_NODE_MAP ? key : NULL;
    OndNode *const old = parent->kind == OND_NODE_MAP ? find(parent, key) : NULL;
    if (old)
        replace(parent, old, value);
    else
        append(parent, value);
}

// ---- dotted paths

static OndNode *item(const OndNode *list, int index)
{
    OndNode *n = list->child;
    while (n && index-- > 0)
        n = n->next;
    return n;
}

// The number a path's step is, or -1.
static int step_index(const char *step)
{
    const size_t length = strlen(step);
    if (length == 0 || length > 9 || strspn(step, "0123456789") != length) return -1;
    int index = 0;
    for (const char *c = step; *c; ++c)
        index = index * 10 + (*c - '0');
    return index;
}

static void put_at(OndTree *tree, OndNode *parent, const char *step, OndNode *value)
{
    OndNode *const old = parent->kind == OND_NODE_LIST ? item(parent, step_index(step)) : NULL;
    if (old)
        replace(parent, old, value);
    else
        ond_tree_put(tree, parent, step, value);
}

// The child a step leads to; NULL in `out` when it may be added.
static OndStatus look(const OndTree *tree, const OndNode *parent, const char *step,
                      const OndNode *value, OndNode **out, OndError *err)
{
    if (*step == '\0')
        return ond_tree_fail(tree, value, err, "a path has a name or a number between its dots");
    if (parent->kind == OND_NODE_SCALAR)
        return ond_tree_fail(tree, value, err,
                             "there is no '%.40s' here: '%.40s' is a single value", step,
                             parent->text);
    if (parent->kind == OND_NODE_MAP) {
        *out = find(parent, step);
        return OND_OK;
    }
    const int index = step_index(step);
    if (index < 0 || index > parent->count)
        return ond_tree_fail(tree, value, err,
                             "'%.40s' must be the number of an entry: %d are there, counted from 0",
                             step, parent->count);
    *out = item(parent, index);
    return OND_OK;
}

// The map or list that holds the last step, with everything on the way made where it is missing.
static OndStatus descend(OndTree *tree, char *path, OndNode *value, OndNode **parent, char **last,
                         OndError *err)
{
    OndNode *at = tree->root;
    char *step = path;
    for (char *dot = strchr(step, '.'); dot; dot = strchr(step, '.')) {
        *dot = '\0';
        OndNode *child = NULL;
        const OndStatus status = look(tree, at, step, value, &child, err);
        if (status != OND_OK) return status;
        if (!child || child->kind == OND_NODE_NULL) {
            child = ond_tree_new(tree, OND_NODE_MAP);
            if (!child) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
            child->origin = value->origin;
            put_at(tree, at, step, child);
        }
        at = child;
        step = dot + 1;
    }
    *parent = at;
    *last = step;
    return OND_OK;
}

OndStatus ond_tree_set(OndTree *tree, const char *path, OndNode *value, OndError *err)
{
    if (!tree->root || tree->root->kind == OND_NODE_NULL)
        tree->root = ond_tree_new(tree, OND_NODE_MAP);
    char *steps = ond_arena_text(&tree->arena, path, strlen(path));
    if (!tree->root || !steps)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
    OndNode *parent = NULL, *old = NULL;
    char *last = NULL;
    OndStatus status = descend(tree, steps, value, &parent, &last, err);
    if (status == OND_OK) status = look(tree, parent, last, value, &old, err);
    if (status == OND_OK) put_at(tree, parent, last, value);
    return status;
}

// The child that `step`, `length` long, names.
static const OndNode *step_into(const OndNode *parent, const char *step, size_t length)
{
    char key[64], *end = NULL;
    if (length >= sizeof key) return NULL;
    memcpy(key, step, length);
    key[length] = '\0';
    if (parent->kind != OND_NODE_LIST) return ond_node_get(parent, key);
    long index = strtol(key, &end, 10);
    const OndNode *child = length > 0 && *end == '\0' && index >= 0 ? parent->child : NULL;
    while (child && index-- > 0)
        child = child->next;
    return child;
}

const OndNode *ond_tree_get(const OndTree *tree, const char *path)
{
    const OndNode *node = tree->root;
    for (const char *at = path; node && at;) {
        const size_t length = strcspn(at, ".");
        node = step_into(node, at, length);
        at = at[length] ? at + length + 1 : NULL;
    }
    return node;
}

// ---- messages

// The text of line `number`; its length without the line end.
static const char *source_line(const char *source, int number, int *length)
{
    const char *at = source;
    for (int n = 1; n < number && *at; ++n) {
        at += strcspn(at, "\r\n");
        if (*at == '\r' && at[1] == '\n') ++at;
        if (*at) ++at;
    }
    *length = (int)strcspn(at, "\r\n");
    return at;
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

// Appends the part of the line around the column and a caret under it. Tabs become blanks; columns
// count characters, not bytes.
static void show_line(OndError *err, const char *line, int length, int column)
{
    char text[4 * SHOWN + 8], caret[SHOWN + 8];
    const int first = column > SHOWN * 3 / 4 ? column - SHOWN * 3 / 4 : 1;
    int used = 0, blanks = 0, at = 0;
    for (int b = 0; b < length && used < 4 * SHOWN; ++b) {
        at += starts_character(line[b]);
        if (at < first) continue;
        if (at >= first + SHOWN) break;
        text[used++] = line[b] == '\t' ? ' ' : line[b];
    }
    text[used] = '\0';
    for (int c = first; c < column && blanks < SHOWN; ++c)
        caret[blanks++] = ' ';
    caret[blanks] = '\0';
    const size_t start = strlen(err->text);
    snprintf(err->text + start, sizeof err->text - start, "\n    %s\n    %s^", text, caret);
}

static OndStatus fail_at(const OndTree *tree, const char *origin, int line, int column,
                         OndError *err, char *message)
{
    if (!err) return OND_BAD_VALUE;
    for (char *c = message; *c; ++c) // a quoted value may hold anything; a message is one line
        if ((unsigned char)*c < ' ' || *c == 0x7F) *c = ' ';
    const char *const name = tree->name ? tree->name : "scene";
    if (origin) return ond_fail(err, OND_BAD_VALUE, "%.200s: error: %s", origin, message);
    if (line < 1) return ond_fail(err, OND_BAD_VALUE, "%.200s: error: %s", name, message);
    ond_fail(err, OND_BAD_VALUE, "%.200s:%d:%d: error: %s", name, line, column, message);
    if (!tree->source) return OND_BAD_VALUE;
    int length = 0;
    const char *const text = source_line(tree->source, line, &length);
    if (length > 0) show_line(err, text, length, column);
    return OND_BAD_VALUE;
}

static OndStatus fail_node(const OndTree *tree, const OndNode *at, bool at_key, OndError *err,
                           const char *format, va_list args)
{
    char message[600];
    vsnprintf(message, sizeof message, format, args);
    if (!at) return fail_at(tree, NULL, 0, 0, err, message);
    if (!at_key || at->key_line < 1)
        return fail_at(tree, at->origin, at->line, at->column, err, message);
    return fail_at(tree, at->origin, at->key_line, at->key_column, err, message);
}

OndStatus ond_tree_fail(const OndTree *tree, const OndNode *at, OndError *err, const char *format,
                        ...)
{
    va_list args;
    va_start(args, format);
    const OndStatus status = fail_node(tree, at, false, err, format, args);
    va_end(args);
    return status;
}

OndStatus ond_tree_fail_key(const OndTree *tree, const OndNode *at, OndError *err,
                            const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const OndStatus status = fail_node(tree, at, true, err, format, args);
    va_end(args);
    return status;
}

// ---- copies

// NULL stays NULL; `whole` becomes false when there is no memory.
static const char *copy_text(OndTree *to, const char *text, bool *whole)
{
    const char *const copy = text ? ond_arena_text(&to->arena, text, strlen(text)) : NULL;
    *whole = *whole && (copy || !text);
    return copy;
}

static OndNode *copy_node(OndTree *to, const OndNode *node, bool *whole)
{
    OndNode *const copy = ond_tree_new(to, node->kind);
    if (!copy) {
        *whole = false;
        return NULL;
    }
    *copy = *node;
    copy->key = copy_text(to, node->key, whole);
    copy->text = copy_text(to, node->text, whole);
    copy->origin = copy_text(to, node->origin, whole);
    copy->child = copy->last = copy->next = NULL;
    copy->count = 0;
    for (const OndNode *n = node->child; n && *whole; n = n->next) {
        OndNode *const child = copy_node(to, n, whole);
        if (child) append(copy, child);
    }
    return copy;
}

OndStatus ond_tree_copy(const OndTree *tree, OndTree *out, OndError *err)
{
    bool whole = true;
    memset(out, 0, sizeof *out);
    out->name = copy_text(out, tree->name, &whole);
    out->source = copy_text(out, tree->source, &whole);
    if (tree->root) out->root = copy_node(out, tree->root, &whole);
    if (whole) return OND_OK;
    ond_tree_free(out);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for a copy of the scene");
}

void ond_tree_free(OndTree *tree)
{
    ond_arena_free(&tree->arena);
    memset(tree, 0, sizeof *tree);
}

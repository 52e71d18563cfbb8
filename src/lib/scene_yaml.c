// SPDX-License-Identifier: MIT
// The tree of a scene as YAML. Everything that could be misread is written in quotes; that is safe,
// because a number, a truth value or a choice never needs them.
#include "lib/scene.h"

#include <stdio.h>
#include <string.h>

#define STEP 2 // columns a level is indented

// A text that grows, as snprintf has it: what no longer fits is counted.
typedef struct Out {
    char *text;
    size_t size, used;
} Out;

static void put(Out *out, const char *bytes, size_t count)
{
    for (size_t k = 0; k < count; ++k, ++out->used)
        if (out->used + 1 < out->size) out->text[out->used] = bytes[k];
}

static void put_text(Out *out, const char *text)
{
    put(out, text, strlen(text));
}

static void put_blanks(Out *out, int count)
{
    while (count-- > 0)
        put(out, " ", 1);
}

static bool is_plain(const char *text)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-/";
    return text[0] != '\0' && strspn(text, safe) == strlen(text) && strcmp(text, "-") != 0 &&
           strncmp(text, "---", 3) != 0 && strncmp(text, "...", 3) != 0;
}

static void write_quoted(Out *out, const char *text)
{
    put_text(out, "\"");
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        char code[8];
        snprintf(code, sizeof code, c == '"' || c == '\\' ? "\\%c" : "\\x%02x", c);
        if (c == '"' || c == '\\' || c < 0x20 || c == 0x7f)
            put_text(out, code);
        else
            put(out, text, 1);
    }
    put_text(out, "\"");
}

static void write_scalar(Out *out, const char *text, bool quoted)
{
    if (!quoted && is_plain(text))
        put_text(out, text);
    else
        write_quoted(out, text);
}

static bool is_flat(const OndNode *node)
{
    for (const OndNode *n = node->child; n; n = n->next)
        if (n->kind == OND_NODE_LIST || n->kind == OND_NODE_MAP) return false;
    return true;
}

static void write_leaf(Out *out, const OndNode *node)
{
    if (node->kind == OND_NODE_NULL)
        put_text(out, "null");
    else
        write_scalar(out, node->text ? node->text : "", node->quoted);
}

static void write_row(Out *out, const OndNode *list)
{
    put_text(out, "[");
    for (const OndNode *n = list->child; n; n = n->next) {
        write_leaf(out, n);
        if (n->next) put_text(out, ", ");
    }
    put_text(out, "]");
}

static void write_children(Out *out, const OndNode *node, int indent, bool first_in_place);

// What stands after "key:" or "-", with the newline that ends it.
static void write_value(Out *out, const OndNode *node, int indent, bool in_list)
{
    const bool block = node->count > 0 && (node->kind == OND_NODE_MAP ||
                                           (node->kind == OND_NODE_LIST && !is_flat(node)));
    if (block) {
        put_text(out, in_list ? " " : "\n");
        write_children(out, node, indent + STEP, in_list);
        return;
    }
    put_text(out, " ");
    if (node->kind == OND_NODE_MAP)
        put_text(out, "{}");
    else if (node->kind == OND_NODE_LIST)
        write_row(out, node);
    else
        write_leaf(out, node);
    put_text(out, "\n");
}

// `first_in_place`: the line's indent is there already, after a dash.
static void write_children(Out *out, const OndNode *node, int indent, bool first_in_place)
{
    for (const OndNode *n = node->child; n; n = n->next) {
        if (n != node->child || !first_in_place) put_blanks(out, indent);
        if (node->kind == OND_NODE_MAP) {
            write_scalar(out, n->key, false);
            put_text(out, ":");
        } else {
            put_text(out, "-");
        }
        write_value(out, n, indent, node->kind == OND_NODE_LIST);
    }
}

size_t ond_tree_yaml(const OndTree *tree, char *text, size_t size)
{
    Out out = {text, size, 0};
    if (tree->root) write_children(&out, tree->root, 0, false);
    if (size > 0) text[out.used < size ? out.used : size - 1] = '\0';
    return out.used;
}

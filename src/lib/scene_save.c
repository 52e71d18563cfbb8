// SPDX-License-Identifier: MIT
// The tree of a scene as YAML. Everything that could be misread is written in quotes; that is safe,
// because a number, a truth value or a choice never needs them.
#include "lib/scene.h"

#include "io/file.h"
#include "lib/scene_load.h"

#include <string.h>

#define STEP 2 // columns a level is indented

static bool is_plain(const char *text)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-/";
    return text[0] != '\0' && strspn(text, safe) == strlen(text) && strcmp(text, "-") != 0 &&
           strncmp(text, "---", 3) != 0 && strncmp(text, "...", 3) != 0;
}

static void write_quoted(OndFile *file, const char *text)
{
    ond_file_print(file, "\"");
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            ond_file_print(file, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            ond_file_print(file, "\\x%02x", c);
        else
            ond_file_write(file, text, 1);
    }
    ond_file_print(file, "\"");
}

static void write_scalar(OndFile *file, const char *text, bool quoted)
{
    if (!quoted && is_plain(text))
        ond_file_print(file, "%s", text);
    else
        write_quoted(file, text);
}

static bool is_flat(const OndNode *node)
{
    for (const OndNode *n = node->child; n; n = n->next)
        if (n->kind == OND_NODE_LIST || n->kind == OND_NODE_MAP) return false;
    return true;
}

static void write_leaf(OndFile *file, const OndNode *node)
{
    if (node->kind == OND_NODE_NULL)
        ond_file_print(file, "null");
    else
        write_scalar(file, node->text ? node->text : "", node->quoted);
}

static void write_row(OndFile *file, const OndNode *list)
{
    ond_file_print(file, "[");
    for (const OndNode *n = list->child; n; n = n->next) {
        write_leaf(file, n);
        if (n->next) ond_file_print(file, ", ");
    }
    ond_file_print(file, "]");
}

static void write_children(OndFile *file, const OndNode *node, int indent, bool first_in_place);

// What stands after "key:" or "-", with the newline that ends it.
static void write_value(OndFile *file, const OndNode *node, int indent, bool in_list)
{
    const bool block = node->count > 0 && (node->kind == OND_NODE_MAP ||
                                           (node->kind == OND_NODE_LIST && !is_flat(node)));
    if (block) {
        ond_file_print(file, in_list ? " " : "\n");
        write_children(file, node, indent + STEP, in_list);
        return;
    }
    ond_file_print(file, " ");
    if (node->kind == OND_NODE_MAP)
        ond_file_print(file, "{}");
    else if (node->kind == OND_NODE_LIST)
        write_row(file, node);
    else
        write_leaf(file, node);
    ond_file_print(file, "\n");
}

// `first_in_place`: the line's indent is there already, after a dash.
static void write_children(OndFile *file, const OndNode *node, int indent, bool first_in_place)
{
    for (const OndNode *n = node->child; n; n = n->next) {
        if (n != node->child || !first_in_place) ond_file_print(file, "%*s", indent, "");
        if (node->kind == OND_NODE_MAP) {
            write_scalar(file, n->key, false);
            ond_file_print(file, ":");
        } else {
            ond_file_print(file, "-");
        }
        write_value(file, n, indent, node->kind == OND_NODE_LIST);
    }
}

static void write_comment(OndFile *file, const OndComment *comment)
{
    ond_file_print(file, "# %s", comment->head);
    for (const char *text = comment->text; *text; ++text) {
        const bool control = (unsigned char)*text < 0x20 || *text == 0x7f;
        ond_file_write(file, control ? " " : text, 1);
    }
    ond_file_print(file, "\n");
}

OndStatus ond_tree_save(const char *path, const OndTree *tree, const OndComment *comment,
                        int comments, OndError *err)
{
    OndFile *file = ond_file_create(path, err);
    if (!file) return OND_IO;
    for (int k = 0; k < comments; ++k)
        write_comment(file, &comment[k]);
    if (tree->root) write_children(file, tree->root, 0, false);
    return ond_file_commit(file, err);
}

OndStatus ond_scene_write(const OndScene *scene, const char *path, OndError *err)
{
    OndTree tree;
    OndStatus status = ond_tree_copy(&scene->tree, &tree, err);
    if (status != OND_OK) return status;
    ond_scene_find_files(&tree);
    const OndComment from = {"From: ", tree.name};
    status = ond_tree_save(path, &tree, &from, 1, err);
    ond_tree_free(&tree);
    return status;
}

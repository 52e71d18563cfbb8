// SPDX-License-Identifier: MIT
// Whether two scenes are the same simulation: all that is written counts, but for what only
// pictures and files see.
#include "base/hash.h"
#include "base/words.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

static bool is_one_of(const char *key, const char *const *keys, int count)
{
    for (int k = 0; key && k < count; ++k)
        if (strcmp(key, keys[k]) == 0) return true;
    return false;
}

// A key of the scene itself that only pictures and files see.
static bool is_free_section(const char *key, const OndSceneSection *const *sections)
{
    static const char *const own[] = {"title", "duration"};
    for (; key && sections && *sections; ++sections)
        if ((*sections)->seen && strcmp(key, (*sections)->key.name) == 0) return true;
    return is_one_of(key, own, OND_COUNT(own));
}

// The same of solids.
static bool is_free(const char *key)
{
    static const char *const of_solids[] = {"look", "colour", "shown"};
    return is_one_of(key ? ond_word_spelling(key) : NULL, of_solids, OND_COUNT(of_solids));
}

static void hash_node(OndHash *hash, const OndNode *node)
{
    ond_hash_add(hash, &node->kind, sizeof node->kind);
    const char *const key = node->key ? ond_word_spelling(node->key) : NULL;
    if (key) ond_hash_add(hash, key, strlen(key) + 1);
    if (node->text) ond_hash_add(hash, node->text, strlen(node->text) + 1);
    for (const OndNode *child = node->child; child; child = child->next)
        if (!is_free(child->key)) hash_node(hash, child);
}

uint64_t ond_sim_scene_hash(const OndSceneDef *scene)
{
    OndHash hash;
    ond_hash_begin(&hash);
    for (const OndNode *n = scene->tree.root ? scene->tree.root->child : NULL; n; n = n->next)
        if (!is_free_section(n->key, scene->sections)) hash_node(&hash, n);
    return ond_hash_end(&hash);
}

// ---- which key it was

typedef struct Finding {
    char path[128]; // dotted, as --set takes it
    const OndNode *was, *is;
    const OndSceneSection *const *sections;
} Finding;

static bool counts(const Finding *f, const char *key, bool top)
{
    return top ? !is_free_section(key, f->sections) : !is_free(key);
}

static bool compare(const OndNode *was, const OndNode *is, bool top, Finding *f);

// True when they differ; the path then leads to the place.
static bool compare_member(const OndNode *was, const OndNode *is, const char *step, Finding *f)
{
    const size_t used = strlen(f->path);
    snprintf(f->path + used, sizeof f->path - used, "%s%.40s", used ? "." : "", step);
    if (compare(was, is, false, f)) return true;
    f->path[used] = '\0';
    return false;
}

static bool compare_maps(const OndNode *was, const OndNode *is, bool top, Finding *f)
{
    for (const OndNode *n = was->child; n; n = n->next)
        if (counts(f, n->key, top) && compare_member(n, ond_node_get(is, n->key), n->key, f))
            return true;
    for (const OndNode *n = is->child; n; n = n->next)
        if (counts(f, n->key, top) && !ond_node_get(was, n->key) &&
            compare_member(NULL, n, n->key, f))
            return true;
    return false;
}

static bool compare_lists(const OndNode *was, const OndNode *is, Finding *f)
{
    const OndNode *a = was->child, *b = is->child;
    for (int k = 0; a || b; ++k) {
        char step[16];
        snprintf(step, sizeof step, "%d", k);
        if (compare_member(a, b, step, f)) return true;
        a = a ? a->next : NULL;
        b = b ? b->next : NULL;
    }
    return false;
}

static bool compare(const OndNode *was, const OndNode *is, bool top, Finding *f)
{
    f->was = was;
    f->is = is;
    if (!was || !is || was->kind != is->kind) return true;
    if (was->kind == OND_NODE_MAP) return compare_maps(was, is, top, f);
    if (was->kind == OND_NODE_LIST) return compare_lists(was, is, f);
    return was->text && is->text && strcmp(was->text, is->text) != 0;
}

static const char *value_text(const OndNode *node)
{
    if (!node) return "left out";
    if (node->kind == OND_NODE_MAP) return "a map";
    if (node->kind == OND_NODE_LIST) return "a list";
    return node->text ? node->text : "empty";
}

bool ond_scene_difference(const OndNode *was, const OndSceneDef *scene, char *out, size_t size)
{
    Finding f = {.sections = scene->sections};
    const OndNode *const is = scene->tree.root;
    if (!was || !is || !compare(was, is, true, &f)) return false;
    snprintf(out, size, "%s was %.60s and is %.60s", f.path[0] ? f.path : "the scene",
             value_text(f.was), value_text(f.is));
    return true;
}

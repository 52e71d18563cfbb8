// SPDX-License-Identifier: MIT
#include "io/yaml.h"

#include "io/child.h"
#include "io/file.h"

#include <libfyaml.h>
#include <string.h>

// Bounds that no scene comes near; they keep a file made to hurt from taking all memory or time.
#define DEEPEST     48
#define NODES_MAX   1000000
#define KEYS_MAX    1000
#define ANCHORS_MAX 256

#define TRIAL_SECONDS 60 // of processor time

typedef struct OpenNode {
    OndNode *node;
    const char *anchor; // name to register when the node is complete
    const char *key;    // waits for its value
    int key_line, key_column;
    bool key_merges; // the waiting key is <<
    OndNode *merge;  // value of <<
} OpenNode;

typedef struct Anchor {
    const char *name;
    const OndNode *node;
} Anchor;

typedef struct TreeBuilder {
    OndTree *tree;
    const char *origin;
    OndError *err;
    OndNode *root;
    OpenNode level[DEEPEST];
    int depth;
    int nodes;
    Anchor anchor[ANCHORS_MAX];
    int anchors;
} TreeBuilder;

typedef struct TextPlace {
    int line, column;
} TextPlace;

#define FAIL(b, place, ...)                                                                        \
    ond_tree_fail(                                                                                 \
        (b)->tree,                                                                                 \
        &(OndNode){.line = (place).line, .column = (place).column, .origin = (b)->origin},         \
        (b)->err, __VA_ARGS__)

static OndStatus no_memory(const TreeBuilder *b)
{
    return ond_fail(b->err, OND_NO_MEMORY, "not enough memory for '%.200s'", b->tree->name);
}

static TextPlace place_of(const TreeBuilder *b, struct fy_token *token)
{
    const struct fy_mark *const mark = token ? fy_token_start_mark(token) : NULL;
    if (mark && mark->line >= 0) return (TextPlace){mark->line + 1, mark->column + 1};
    // an empty value has no token: its key is the nearest place
    const OpenNode *const top = b->depth ? &b->level[b->depth - 1] : NULL;
    if (top && top->key) return (TextPlace){top->key_line, top->key_column};
    return top ? (TextPlace){top->node->line, top->node->column} : (TextPlace){1, 1};
}

static OndStatus new_node(TreeBuilder *b, OndNodeKind kind, TextPlace place, OndNode **out)
{
    if (++b->nodes > NODES_MAX)
        return FAIL(b, place, "more than %d values, counting what aliases repeat", NODES_MAX);
    *out = ond_tree_new(b->tree, kind);
    if (!*out) return no_memory(b);
    (*out)->line = place.line;
    (*out)->column = place.column;
    (*out)->origin = b->origin;
    return OND_OK;
}

// ---- putting nodes where they belong

static OndStatus take_key(TreeBuilder *b, OpenNode *top, const OndNode *node)
{
    const TextPlace place = {node->line, node->column};
    if (node->kind == OND_NODE_LIST || node->kind == OND_NODE_MAP)
        return FAIL(b, place, "a key must be a plain word, not a list or a map");
    top->key = node->text ? node->text : "";
    top->key_line = node->line;
    top->key_column = node->column;
    top->key_merges = !node->quoted && strcmp(top->key, "<<") == 0;
    if (top->key_merges ? top->merge != NULL : ond_node_get(top->node, top->key) != NULL)
        return FAIL(b, place, "key '%.60s' stands here a second time", top->key);
    if (top->node->count >= KEYS_MAX)
        return FAIL(b, place, "more than %d keys in one map", KEYS_MAX);
    return OND_OK;
}

static OndStatus attach(TreeBuilder *b, OndNode *node)
{
    if (b->depth == 0) {
        b->root = node;
        return OND_OK;
    }
    OpenNode *const top = &b->level[b->depth - 1];
    if (top->node->kind == OND_NODE_MAP && !top->key) return take_key(b, top, node);
    node->key_line = top->key_line;
    node->key_column = top->key_column;
    if (top->key_merges)
        top->merge = node;
    else
        ond_tree_put(b->tree, top->node, top->key, node);
    top->key = NULL;
    top->key_merges = false;
    return OND_OK;
}

// A key's text must not be mistaken for one that still waits.
static bool expects_key(const TreeBuilder *b)
{
    const OpenNode *const top = b->depth ? &b->level[b->depth - 1] : NULL;
    return top && top->node->kind == OND_NODE_MAP && !top->key;
}

// ---- anchors, aliases, merge keys

static const char *token_text(const TreeBuilder *b, struct fy_token *token)
{
    size_t length = 0;
    const char *const text = token ? fy_token_get_text(token, &length) : NULL;
    return text ? ond_arena_text(&b->tree->arena, text, length) : NULL;
}

static OndStatus keep_anchor(TreeBuilder *b, const char *name, const OndNode *node)
{
    if (!name) return OND_OK;
    if (b->anchors == ANCHORS_MAX)
        return FAIL(b, ((TextPlace){node->line, node->column}), "more than %d anchors",
                    ANCHORS_MAX);
    b->anchor[b->anchors++] = (Anchor){name, node};
    return OND_OK;
}

static OndStatus copy_node(TreeBuilder *b, const OndNode *from, int depth, OndNode **out)
{
    const TextPlace place = {from->line, from->column};
    if (depth > DEEPEST) return FAIL(b, place, "more than %d levels of nesting", DEEPEST);
    OndStatus status = new_node(b, from->kind, place, out);
    if (status != OND_OK) return status;
    (*out)->text = from->text;
    (*out)->quoted = from->quoted;
    (*out)->key_line = from->key_line;
    (*out)->key_column = from->key_column;
    for (const OndNode *n = from->child; n; n = n->next) {
        OndNode *copy = NULL;
        status = copy_node(b, n, depth + 1, &copy);
        if (status != OND_OK) return status;
        ond_tree_put(b->tree, *out, n->key, copy);
    }
    return OND_OK;
}

static OndStatus add_alias(TreeBuilder *b, struct fy_token *token)
{
    const TextPlace place = place_of(b, token);
    const char *const name = token_text(b, token);
    if (!name) return no_memory(b);
    for (int a = b->anchors - 1; a >= 0; --a) {
        if (strcmp(b->anchor[a].name, name) != 0) continue;
        OndNode *copy = NULL;
        const OndStatus status = copy_node(b, b->anchor[a].node, b->depth + 1, &copy);
        return status == OND_OK ? attach(b, copy) : status;
    }
    return FAIL(b, place, "alias '*%.60s' has no complete anchor '&%.60s' before it", name, name);
}

// What the map itself says wins over what it merges.
static OndStatus merge_map(TreeBuilder *b, OndNode *map, const OndNode *source)
{
    if (source->kind != OND_NODE_MAP)
        return FAIL(b, ((TextPlace){source->line, source->column}),
                    "<< merges maps: give it an alias of a map, or a list of such aliases");
    for (const OndNode *n = source->child; n; n = n->next) {
        if (ond_node_get(map, n->key)) continue;
        if (map->count >= KEYS_MAX)
            return FAIL(b, ((TextPlace){map->line, map->column}), "more than %d keys in one map",
                        KEYS_MAX);
        OndNode *copy = NULL;
        const OndStatus status = copy_node(b, n, b->depth + 1, &copy);
        if (status != OND_OK) return status;
        ond_tree_put(b->tree, map, n->key, copy);
    }
    return OND_OK;
}

static OndStatus resolve_merge(TreeBuilder *b, const OpenNode *level)
{
    const OndNode *const merge = level->merge;
    if (!merge) return OND_OK;
    if (merge->kind != OND_NODE_LIST) return merge_map(b, level->node, merge);
    OndStatus status = OND_OK;
    for (const OndNode *n = merge->child; n && status == OND_OK; n = n->next)
        status = merge_map(b, level->node, n);
    return status;
}

// ---- events

static bool means_nothing(const char *text)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    for (int w = 0; w < OND_COUNT(words); ++w)
        if (strcmp(text, words[w]) == 0) return true;
    return false;
}

static OndStatus no_tags(const TreeBuilder *b, struct fy_token *tag)
{
    if (!tag) return OND_OK;
    return FAIL(b, place_of(b, tag), "tags (!name) have no meaning in a scene; remove it");
}

// libfyaml points behind an opening quote; a caret is better under it.
static TextPlace scalar_place(const TreeBuilder *b, struct fy_token *token)
{
    TextPlace place = place_of(b, token);
    const enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    const bool marked = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    if (marked && place.column > 1) place.column--;
    return place;
}

static OndStatus add_scalar(TreeBuilder *b, const struct fy_event_scalar_data *event)
{
    OndStatus status = no_tags(b, event->tag);
    if (status != OND_OK) return status;
    const TextPlace place = scalar_place(b, event->value);
    size_t length = 0;
    const char *text = event->value ? fy_token_get_text(event->value, &length) : "";
    if (!text) return FAIL(b, place, "this value cannot be read");
    if (memchr(text, '\0', length)) return FAIL(b, place, "a text cannot hold the character \\0");
    const char *const copy = ond_arena_text(&b->tree->arena, text, length);
    if (!copy) return no_memory(b);
    const bool quoted = event->value && fy_token_scalar_style(event->value) != FYSS_PLAIN;
    const bool null = !quoted && !expects_key(b) && means_nothing(copy);
    OndNode *node = NULL;
    status = new_node(b, null ? OND_NODE_NULL : OND_NODE_SCALAR, place, &node);
    if (status != OND_OK) return status;
    node->text = null ? NULL : copy;
    node->quoted = quoted;
    status = keep_anchor(b, token_text(b, event->anchor), node);
    return status == OND_OK ? attach(b, node) : status;
}

static OndStatus open_level(TreeBuilder *b, OndNodeKind kind, struct fy_token *start,
                            struct fy_token *anchor, struct fy_token *tag)
{
    const TextPlace place = place_of(b, start);
    OndNode *node = NULL;
    OndStatus status = no_tags(b, tag);
    if (status == OND_OK) status = new_node(b, kind, place, &node);
    if (status == OND_OK) status = attach(b, node);
    if (status != OND_OK) return status;
    if (b->depth == DEEPEST) return FAIL(b, place, "more than %d levels of nesting", DEEPEST);
    b->level[b->depth++] = (OpenNode){.node = node, .anchor = token_text(b, anchor)};
    return OND_OK;
}

static OndStatus close_level(TreeBuilder *b)
{
    if (b->depth == 0)
        return FAIL(b, ((TextPlace){1, 1}), "a bracket is closed that was never opened");
    const OpenNode level = b->level[--b->depth];
    const OndStatus status = resolve_merge(b, &level);
    return status == OND_OK ? keep_anchor(b, level.anchor, level.node) : status;
}

static OndStatus add_event(TreeBuilder *b, const struct fy_event *event)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (!b->root) return OND_OK;
        return FAIL(b, place_of(b, event->document_start.document_start),
                    "a second document begins here; a scene is one document");
    case FYET_MAPPING_START:
        return open_level(b, OND_NODE_MAP, event->mapping_start.mapping_start,
                          event->mapping_start.anchor, event->mapping_start.tag);
    case FYET_SEQUENCE_START:
        return open_level(b, OND_NODE_LIST, event->sequence_start.sequence_start,
                          event->sequence_start.anchor, event->sequence_start.tag);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        return close_level(b);
    case FYET_SCALAR:
        return add_scalar(b, &event->scalar);
    case FYET_ALIAS:
        return add_alias(b, event->alias.anchor);
    default:
        return OND_OK;
    }
}

// ---- the parser

// ---- brackets that nobody closes

typedef struct Scan {
    TextPlace at;
    char quote; // open; 0: none
    bool comment;
    char before; // the character before this one
    char open[DEEPEST];
    TextPlace place[DEEPEST];
    int depth;
} Scan;

static void scan_character(Scan *s, char c)
{
    const bool starts = strchr(" \t\n[{,:", s->before) != NULL; // here a quote or a comment begins
    if (c == '\n') s->comment = false;
    if (s->comment) return;
    if (s->quote) {
        if (c == s->quote) s->quote = 0;
    } else if (starts && (c == '"' || c == '\'')) {
        s->quote = c;
    } else if (starts && c == '#') {
        s->comment = true;
    } else if ((c == '{' || c == '[') && s->depth < DEEPEST) {
        s->place[s->depth] = s->at;
        s->open[s->depth++] = c;
    } else if ((c == '}' || c == ']') && s->depth > 0) {
        --s->depth;
    }
}

// The innermost bracket that is open where the parser gave up: it notices only at what comes next.
static bool find_unclosed(const char *text, TextPlace end, TextPlace *at, char *bracket)
{
    Scan s = {.at = {1, 1}, .before = '\n'};
    for (; *text && (s.at.line < end.line || s.at.column < end.column); ++text) {
        scan_character(&s, *text);
        s.before = *text;
        if (((unsigned char)*text & 0xC0) != 0x80) ++s.at.column;
        if (*text == '\n') s.at = (TextPlace){s.at.line + 1, 1};
    }
    if (s.depth == 0) return false;
    *at = s.place[s.depth - 1];
    *bracket = s.open[s.depth - 1];
    return true;
}

static OndStatus syntax_error(const TreeBuilder *b, struct fy_diag *diag)
{
    void *state = NULL;
    const struct fy_diag_error *const e = fy_diag_errors_iterate(diag, &state);
    const TextPlace place = {e && e->line > 0 ? e->line : 1, e && e->column > 0 ? e->column : 1};
    TextPlace open;
    char bracket = '{';
    const bool brackets = e && e->msg && strstr(e->msg, "flow") && !b->origin && b->tree->source;
    if (brackets && find_unclosed(b->tree->source, place, &open, &bracket) &&
        open.line < place.line)
        return FAIL(b, open, "not YAML: this %c is not closed: a %c is missing before line %d",
                    bracket, bracket == '{' ? '}' : ']', place.line);
    return FAIL(b, place, "not YAML: %.200s", e && e->msg ? e->msg : "the text makes no sense");
}

static OndStatus run_parser(TreeBuilder *b, struct fy_parser *parser, struct fy_diag *diag)
{
    OndStatus status = OND_OK;
    struct fy_event *event = NULL;
    while (status == OND_OK && (event = fy_parser_parse(parser))) {
        status = add_event(b, event);
        fy_parser_event_free(parser, event);
    }
    if (status == OND_OK && (fy_parser_get_stream_error(parser) || fy_diag_got_error(diag)))
        return syntax_error(b, diag);
    return status;
}

static OndStatus parse_text(TreeBuilder *b, const char *text, size_t length)
{
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    struct fy_diag *const diag = fy_diag_create(&quiet);
    if (!diag) return no_memory(b);
    fy_diag_set_collect_errors(diag, true); // nothing is printed
    const struct fy_parse_cfg config = {.search_path = "", .flags = FYPCF_QUIET, .diag = diag};
    struct fy_parser *const parser = fy_parser_create(&config);
    OndStatus status = OND_NO_MEMORY;
    if (parser && fy_parser_set_string(parser, text, length) == 0)
        status = run_parser(b, parser, diag);
    else
        no_memory(b);
    if (parser) fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return status;
}

// ---- text that may be parsed

// Bytes of the UTF-8 character at `c`; 0 when it is none, or a control character.
static int character_length(const unsigned char *c, size_t left)
{
    if (c[0] < 0x80) return (c[0] >= ' ' && c[0] != 0x7F) || strchr("\t\n\r", c[0] ? c[0] : 1);
    const int length = c[0] >= 0xF0 ? 4 : c[0] >= 0xE0 ? 3 : 2;
    if (c[0] < 0xC2 || c[0] > 0xF4 || (size_t)length > left) return 0;
    for (int i = 1; i < length; ++i)
        if ((c[i] & 0xC0) != 0x80) return 0;
    const bool overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
    const bool surrogate = c[0] == 0xED && c[1] >= 0xA0;
    return overlong || surrogate || (c[0] == 0xF4 && c[1] > 0x8F) ? 0 : length;
}

static OndStatus check_text(const TreeBuilder *b, const char *text, size_t length)
{
    const unsigned char *const c = (const unsigned char *)text;
    TextPlace place = {1, 1};
    for (size_t at = 0; at < length;) {
        const int step = character_length(c + at, length - at);
        if (step == 0)
            return FAIL(b, place,
                        "byte 0x%02x is no text in UTF-8; a scene is a text file in YAML or JSON",
                        c[at]);
        place.column++;
        if (c[at] == '\n') place = (TextPlace){place.line + 1, 1};
        at += (size_t)step;
    }
    return OND_OK;
}

static OndStatus build(OndTree *tree, const char *text, size_t length, const char *origin,
                       OndNode **root, OndError *err)
{
    TreeBuilder *const b = OND_NEW(TreeBuilder);
    if (!b) return ond_fail(err, OND_NO_MEMORY, "not enough memory to read '%.200s'", tree->name);
    b->tree = tree;
    b->origin = origin;
    b->err = err;
    const char *const source = tree->source;
    tree->source = NULL; // bytes that are no text are better not shown
    OndStatus status = check_text(b, text, length);
    tree->source = source;
    if (status == OND_OK) status = parse_text(b, text, length);
    *root = b->root;
    ond_free(b);
    return status;
}

// ---- entries

OndStatus ond_yaml_parse(const char *name, const char *text, size_t length, OndTree *out,
                         OndError *err)
{
    memset(out, 0, sizeof *out);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { // byte order mark
        text += 3;
        length -= 3;
    }
    if (length > OND_YAML_BYTES_MAX)
        return ond_fail(err, OND_BAD_VALUE, "%.200s: error: larger than %ld MB; this is no scene",
                        name, OND_YAML_BYTES_MAX >> 20);
    out->name = ond_arena_text(&out->arena, name, strlen(name));
    out->source = ond_arena_text(&out->arena, text, length);
    OndStatus status = OND_NO_MEMORY;
    if (out->name && out->source)
        status = build(out, out->source, length, NULL, &out->root, err);
    else
        ond_fail(err, status, "not enough memory to read '%.200s'", name);
    if (status == OND_OK && (!out->root || out->root->kind == OND_NODE_NULL))
        status = ond_tree_fail(out, &(OndNode){.line = 1, .column = 1}, err, "the file is empty");
    if (status != OND_OK) ond_tree_free(out);
    return status;
}

// libfyaml dies of some broken texts, so a file is first read in a process of its own.
typedef struct Trial {
    const char *path, *bytes;
    size_t size;
} Trial;

static void try_text(int pipe, void *context)
{
    const Trial *t = context;
    OndTree tree;
    OndError err = {0};
    ond_yaml_parse(t->path, t->bytes, t->size, &tree, &err);
    ond_tree_free(&tree);
    ond_child_write(pipe, "", 1);
}

static OndStatus survive(Trial t, OndError *err)
{
    OndChild child;
    char answer;
    if (!ond_child_start(&child, try_text, &t, TRIAL_SECONDS)) return OND_OK; // then without a net
    const bool whole = ond_child_read(&child, &answer, 1);
    const OndChildEnd end = ond_child_finish(&child);
    if (whole || end == OND_CHILD_DONE) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE,
                    "%.200s: error: the text is so damaged that reading it as YAML %s. Look for "
                    "brackets, colons and question marks that do not belong there",
                    t.path, end == OND_CHILD_TOO_LONG ? "does not end" : "crashes");
}

OndStatus ond_yaml_read(const char *path, OndTree *out, OndError *err)
{
    memset(out, 0, sizeof *out);
    char *bytes = NULL;
    size_t size = 0;
    OndStatus status = ond_file_read_all(path, OND_YAML_BYTES_MAX, &bytes, &size, err);
    if (status != OND_OK) return status;
    status = ond_yaml_text(path, bytes, size, out, err);
    ond_free(bytes);
    return status;
}

OndStatus ond_yaml_text(const char *name, const char *text, size_t length, OndTree *out,
                        OndError *err)
{
    memset(out, 0, sizeof *out);
    const OndStatus status = survive((Trial){name, text, length}, err);
    return status == OND_OK ? ond_yaml_parse(name, text, length, out, err) : status;
}

OndStatus ond_yaml_assign(OndTree *tree, const char *by, const char *assignment, OndError *err)
{
    const char *const equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s %.200s: error: write a path and a value: fluid.0.spacing=0.01", by,
                        assignment);
    const size_t length = strlen(assignment), ahead = strlen(by) + 1;
    char *origin = ond_arena_take(&tree->arena, length + ahead + 1);
    char *path = ond_arena_text(&tree->arena, assignment, (size_t)(equals - assignment));
    char *value =
        ond_arena_text(&tree->arena, equals + 1, length - (size_t)(equals - assignment) - 1);
    if (!origin || !path || !value)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %s", by);
    memcpy(origin, by, ahead - 1);
    origin[ahead - 1] = ' ';
    memcpy(origin + ahead, assignment, length);
    OndNode *node = NULL;
    OndStatus status = survive((Trial){origin, value, strlen(value)}, err);
    if (status == OND_OK) status = build(tree, value, strlen(value), origin, &node, err);
    if (status != OND_OK) return status;
    if (!node) node = ond_tree_new(tree, OND_NODE_NULL);
    if (!node) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %s", by);
    node->origin = origin;
    return ond_tree_set(tree, path, node, err);
}

OndStatus ond_yaml_override(OndTree *tree, const char *assignment, OndError *err)
{
    return ond_yaml_assign(tree, "--set", assignment, err);
}

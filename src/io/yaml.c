// SPDX-License-Identifier: MIT
#include "io/yaml.h"

#include "io/child.h"
#include "io/file.h"
#include "io/yaml_build.h"

#include <string.h>

#define TRIAL_SECONDS 60 // of processor time

// ---- brackets that nobody closes

typedef struct Scan {
    OndYamlPlace at;
    char quote; // open; 0: none
    bool comment;
    char before; // the character before this one
    char open[OND_YAML_DEEPEST];
    OndYamlPlace place[OND_YAML_DEEPEST];
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
    } else if ((c == '{' || c == '[') && s->depth < OND_YAML_DEEPEST) {
        s->place[s->depth] = s->at;
        s->open[s->depth++] = c;
    } else if ((c == '}' || c == ']') && s->depth > 0) {
        --s->depth;
    }
}

// The innermost bracket that is open where the parser gave up: it notices only at what comes next.
static bool find_unclosed(const char *text, OndYamlPlace end, OndYamlPlace *at, char *bracket)
{
    Scan s = {.at = {1, 1}, .before = '\n'};
    for (; *text && (s.at.line < end.line || s.at.column < end.column); ++text) {
        scan_character(&s, *text);
        s.before = *text;
        if (((unsigned char)*text & 0xC0) != 0x80) ++s.at.column;
        if (*text == '\n') s.at = (OndYamlPlace){s.at.line + 1, 1};
    }
    if (s.depth == 0) return false;
    *at = s.place[s.depth - 1];
    *bracket = s.open[s.depth - 1];
    return true;
}

OndStatus ond_yaml_not(const OndYamlBuilder *b, OndYamlPlace place, bool brackets,
                       const char *message)
{
    OndYamlPlace open;
    char bracket = '{';
    brackets = brackets && !b->origin && b->tree->source;
    if (brackets && find_unclosed(b->tree->source, place, &open, &bracket) &&
        open.line < place.line)
        return OND_YAML_FAIL(b, open,
                             "not YAML: this %c is not closed: a %c is missing before line %d",
                             bracket, bracket == '{' ? '}' : ']', place.line);
    return OND_YAML_FAIL(b, place, "not YAML: %.200s", message);
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

static OndStatus check_text(const OndYamlBuilder *b, const char *text, size_t length)
{
    const unsigned char *const c = (const unsigned char *)text;
    OndYamlPlace place = {1, 1};
    for (size_t at = 0; at < length;) {
        const int step = character_length(c + at, length - at);
        if (step == 0)
            return OND_YAML_FAIL(
                b, place, "byte 0x%02x is no text in UTF-8; a scene is a text file in YAML or JSON",
                c[at]);
        place.column++;
        if (c[at] == '\n') place = (OndYamlPlace){place.line + 1, 1};
        at += (size_t)step;
    }
    return OND_OK;
}

static OndStatus build(OndTree *tree, const char *text, size_t length, const char *origin,
                       OndNode **root, OndError *err)
{
    OndYamlBuilder *const b = OND_NEW(OndYamlBuilder);
    if (!b) return ond_fail(err, OND_NO_MEMORY, "not enough memory to read '%.200s'", tree->name);
    b->tree = tree;
    b->origin = origin;
    b->err = err;
    const char *const source = tree->source;
    tree->source = NULL; // bytes that are no text are better not shown
    OndStatus status = check_text(b, text, length);
    tree->source = source;
    if (status == OND_OK) status = ond_yaml_events(b, text, length);
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

// Where no process is to be had, or none that gets going, the text is read without a net.
static OndStatus survive(Trial t, OndError *err)
{
    OndChildEnd end = OND_CHILD_STALLED;
    for (int k = 0; k < OND_CHILD_TRIES && end == OND_CHILD_STALLED; ++k) {
        OndChild child;
        char answer;
        if (!ond_child_start(&child, try_text, &t, TRIAL_SECONDS)) return OND_OK;
        const bool whole = ond_child_read(&child, &answer, 1);
        end = ond_child_finish(&child);
        if (whole) return OND_OK;
    }
    if (end == OND_CHILD_DONE || end == OND_CHILD_STALLED) return OND_OK;
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

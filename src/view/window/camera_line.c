// SPDX-License-Identifier: MIT
#include "view/window/camera_line.h"

#include "base/memory.h"
#include "io/file.h"
#include "io/yaml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SCENE_BYTES_MAX (64u * 1024 * 1024)

// ---- the line

// To a thousandth of how far away the eye is.
static double rounded(double x, double step)
{
    const double r = step * round(x / step);
    return r == 0.0 ? 0.0 : r; // not -0
}

void ond_camera_line(const OndOrbit *orbit, char out[OND_CAMERA_LINE])
{
    double from[3], way[3], to[3];
    const double step = pow(10.0, floor(log10(fmax(orbit->distance, 1e-6))) - 3.0);
    ond_orbit_ray(orbit, 1.0, 0.0, 0.0, from, way);
    for (int a = 0; a < 3; ++a) {
        to[a] = rounded(orbit->at[a], step);
        from[a] = rounded(from[a], step);
    }
    snprintf(out, OND_CAMERA_LINE,
             "camera: {from: [%.7g, %.7g, %.7g], to: [%.7g, %.7g, %.7g], fov: %.4g}", from[0],
             from[1], from[2], to[0], to[1], to[2], orbit->angle * 57.29577951308232);
}

// ---- into a text

// The line after the one that begins at `line`.
static const char *next_line(const char *line)
{
    const char *const end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static bool is_camera(const char *line)
{
    static const char *const names[] = {"camera:", "\"camera\":", "'camera':"};
    for (int k = 0; k < OND_COUNT(names); ++k) {
        const size_t length = strlen(names[k]);
        if (strncmp(line, names[k], length) == 0 && strchr(" \t\r\n", line[length])) return true;
    }
    return false;
}

// What belongs to a key at the left edge: lines that are indented, or close what it opened. Comments and
// empty lines before the next key belong to that.
static const char *end_of_section(const char *line)
{
    const char *end = next_line(line);
    for (const char *at = end; *at && (strchr(" \t\r\n#", *at) || *at == '}' || *at == ']');) {
        const bool own = !strchr("\r\n#", *at);
        at = next_line(at);
        if (own) end = at;
    }
    return end;
}

// Where a document ends: "...", or at the end of the text.
static const char *end_of_text(const char *text)
{
    for (const char *line = text; *line; line = next_line(line))
        if (strncmp(line, "...", 3) == 0 && (!line[3] || strchr(" \r\n", line[3]))) return line;
    return text + strlen(text);
}

char *ond_camera_put(const char *text, const char *line)
{
    const char *from = text;
    while (*from && !is_camera(from))
        from = next_line(from);
    const char *const to = *from ? end_of_section(from) : (from = end_of_text(text));
    const bool break_before = from > text && from[-1] != '\n';
    const size_t head = (size_t)(from - text), tail = strlen(to);
    char *const out = OND_NEW_ARRAY(char, head + strlen(line) + tail + 3);
    if (!out) return NULL;
    memcpy(out, text, head);
    snprintf(out + head, strlen(line) + 3, "%s%s\n", break_before ? "\n" : "", line);
    memcpy(out + strlen(out), to, tail + 1);
    return out;
}

// ---- into a file

static bool same_node(const OndNode *a, const OndNode *b)
{
    if (a->kind != b->kind || !a->text != !b->text || !a->key != !b->key) return false;
    if (a->text && strcmp(a->text, b->text) != 0) return false;
    if (a->key && strcmp(a->key, b->key) != 0) return false;
    const OndNode *p = a->child, *q = b->child;
    for (; p && q; p = p->next, q = q->next)
        if (!same_node(p, q)) return false;
    return !p && !q;
}

// The next child that is not the camera.
static const OndNode *but_camera(const OndNode *node)
{
    while (node && node->key && strcmp(node->key, "camera") == 0)
        node = node->next;
    return node;
}

static bool same_but_camera(const OndNode *a, const OndNode *b)
{
    const OndNode *p = but_camera(a->child), *q = but_camera(b->child);
    for (; p && q; p = but_camera(p->next), q = but_camera(q->next))
        if (!same_node(p, q)) return false;
    return !p && !q;
}

// That the new text says what the old one said, and the new camera besides.
static OndStatus check(const char *path, const char *old, const char *new, const char *line,
                       OndError *err)
{
    OndTree before = {0}, after = {0}, wanted = {0};
    OndStatus status = ond_yaml_text(path, old, strlen(old), &before, err);
    bool good = status == OND_OK && before.root->kind == OND_NODE_MAP;
    good = good && ond_yaml_text(path, new, strlen(new), &after, NULL) == OND_OK &&
           ond_yaml_text(path, line, strlen(line), &wanted, NULL) == OND_OK &&
           after.root->kind == OND_NODE_MAP && same_but_camera(before.root, after.root);
    const OndNode *const camera = good ? ond_node_get(after.root, "camera") : NULL;
    good = camera && same_node(camera, ond_node_get(wanted.root, "camera"));
    ond_tree_free(&before);
    ond_tree_free(&after);
    ond_tree_free(&wanted);
    if (status != OND_OK || good) return status;
    return ond_fail(err, OND_BAD_VALUE,
                    "%s is written such that no line can be added to it; put the camera there by "
                    "hand",
                    path);
}

OndStatus ond_camera_write(const char *path, const char *line, OndError *err)
{
    char *old = NULL, *new = NULL;
    size_t size = 0;
    OndStatus status = ond_file_read_all(path, SCENE_BYTES_MAX, &old, &size, err);
    if (status == OND_OK && !(new = ond_camera_put(old, line)))
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene's text");
    if (status == OND_OK) status = check(path, old, new, line, err);
    OndFile *const file = status == OND_OK ? ond_file_create(path, err) : NULL;
    if (status == OND_OK && !file) status = ond_file_status(err);
    if (file) {
        ond_file_write(file, new, strlen(new));
        status = ond_file_commit(file, err);
    }
    ond_free(old);
    ond_free(new);
    return status;
}

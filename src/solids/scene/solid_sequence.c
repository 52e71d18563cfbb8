// SPDX-License-Identifier: MIT
#include "solids/scene/solid_sequence.h"

#include "sim/scene/scene_missing.h"
#include "sim/scene/scene_shape.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FRAMES_MAX  100000
#define GAP         16                // numbers that may be missing before a sequence has ended
#define MEMORY_MAX  ((size_t)2 << 30) // bytes of all corners
#define NAME_LENGTH 1024

// Where the number stands and how wide it is; false when the text has none or more than one.
static bool find_number(const char *files, size_t *from, size_t *to, int *width, bool *zeros)
{
    const char *const percent = strchr(files, '%');
    if (!percent) return false;
    const char *c = percent + 1;
    *zeros = *c == '0';
    for (*width = 0; *c >= '0' && *c <= '9' && *width < 100; ++c)
        *width = 10 * *width + (*c - '0');
    *from = (size_t)(percent - files);
    *to = (size_t)(c - files) + 1;
    return *c == 'd' && *width <= 9 && !strchr(c, '%');
}

bool ond_sequence_pattern(const char *files)
{
    size_t from, to;
    int width;
    bool zeros;
    return find_number(files, &from, &to, &width, &zeros);
}

// Written out by hand: the text comes from a user and is no format.
static bool name_of(const char *files, int number, char out[NAME_LENGTH])
{
    size_t from, to;
    int width;
    bool zeros;
    char digits[32];
    if (!find_number(files, &from, &to, &width, &zeros)) return false;
    snprintf(digits, sizeof digits, zeros ? "%0*d" : "%*d", width, number);
    const int length = snprintf(out, NAME_LENGTH, "%.*s%s%s", (int)from, files, digits, files + to);
    return length >= 0 && length < NAME_LENGTH;
}

static bool is_there(const OndSceneDef *scene, const char *files, int number)
{
    char name[NAME_LENGTH];
    return name_of(files, number, name) && ond_scene_has_file(scene, name);
}

static OndStatus fail_at_files(const OndSceneDef *scene, const OndSequenceDef *def, OndError *err,
                               const char *sentence)
{
    return ond_tree_fail(&scene->tree, ond_scene_at(def->node, "files"), err, "%s", sentence);
}

// The first number and how many follow it. A gap in between is an error.
static OndStatus find_range(const OndSceneDef *scene, const OndSequenceDef *def, int *first,
                            int *count, OndError *err)
{
    char text[2 * NAME_LENGTH + 200], name[NAME_LENGTH], later[NAME_LENGTH];
    *first = is_there(scene, def->files, 0) ? 0 : 1;
    for (*count = 0; *count < FRAMES_MAX && is_there(scene, def->files, *first + *count);)
        ++*count;
    if (*count == 0) {
        name_of(def->files, 0, name);
        name_of(def->files, 1, later);
        snprintf(text, sizeof text, "there is neither %.200s nor %.200s beside the scene", name,
                 later);
        return fail_at_files(scene, def, err, text);
    }
    const int end = *first + *count;
    for (int k = end + 1; k < end + GAP; ++k) {
        if (!is_there(scene, def->files, k)) continue;
        name_of(def->files, end, name);
        name_of(def->files, k, later);
        snprintf(text, sizeof text, "%.200s is missing, but %.200s is there", name, later);
        return fail_at_files(scene, def, err, text);
    }
    return OND_OK;
}

static OndStatus check_same(const OndSceneDef *scene, const OndSequenceDef *def,
                            const OndMesh *first, const OndMesh *mesh, const char *name,
                            OndError *err)
{
    char text[NAME_LENGTH + 300];
    const char *fault = NULL;
    for (size_t i = 0; !fault && i < 3 * (size_t)mesh->corner_count; ++i)
        if (!isfinite(mesh->corner[i]))
            snprintf(text, sizeof text, "%.200s: corner %zu (from 0) is not finite", name, i / 3),
                fault = text;
    if (!fault && (mesh->corner_count != first->corner_count ||
                   mesh->triangle_count != first->triangle_count))
        snprintf(text, sizeof text,
                 "%.200s has %d corners and %d triangles, but the first mesh has %d and %d; export "
                 "them with the same topology",
                 name, mesh->corner_count, mesh->triangle_count, first->corner_count,
                 first->triangle_count),
            fault = text;
    return fault ? fail_at_files(scene, def, err, fault) : OND_OK;
}

static OndStatus read_one(const OndSceneDef *scene, const OndSequenceDef *def,
                          const OndAssets *assets, int number, OndMesh *mesh,
                          char name[NAME_LENGTH], OndError *err)
{
    name_of(def->files, number, name);
    const OndMeshPlace place = {.file = name,
                                .node = def->node,
                                .key = "files",
                                .turn = def->turn,
                                .move = def->move,
                                .scale = def->scale};
    return ond_scene_mesh(scene, &place, assets, mesh, err);
}

// Takes the corners of a mesh over; the first mesh stays whole.
static OndStatus keep(const OndSceneDef *scene, const OndSequenceDef *def, OndSequence *s, int k,
                      OndMesh *mesh, const char *name, OndError *err)
{
    const OndStatus status = check_same(scene, def, k ? &s->mesh : mesh, mesh, name, err);
    if (status == OND_OK) {
        s->corner[k] = mesh->corner;
        mesh->corner = NULL;
        if (k == 0) {
            s->mesh = *mesh; // corners are put in below
            mesh->triangle = NULL;
            s->mesh.corner = OND_NEW_ARRAY(float, 3 * (size_t)s->mesh.corner_count + 1);
            if (s->mesh.corner)
                memcpy(s->mesh.corner, s->corner[0], 12 * (size_t)s->mesh.corner_count);
        }
    }
    ond_mesh_free(mesh);
    if (status == OND_OK && !s->mesh.corner)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a sequence of meshes");
    return status;
}

static OndStatus check_size(const OndSceneDef *scene, const OndSequenceDef *def,
                            const OndMesh *mesh, int count, OndError *err)
{
    const double bytes = 12.0 * mesh->corner_count * count;
    if (bytes <= (double)MEMORY_MAX) return OND_OK;
    char text[200];
    snprintf(text, sizeof text,
             "%d meshes of %d corners take %.1f GiB of memory; at most 2 GiB are taken: use fewer "
             "files, or coarser meshes",
             count, mesh->corner_count, bytes / 1073741824.0);
    return fail_at_files(scene, def, err, text);
}

OndStatus ond_sequence_read(const OndSceneDef *scene, const OndSequenceDef *def,
                            const OndAssets *assets, OndSequence *out, OndError *err)
{
    int first = 0, count = 0;
    memset(out, 0, sizeof *out);
    OndStatus status = find_range(scene, def, &first, &count, err);
    if (status != OND_OK) return status;
    out->rate = def->rate;
    out->loop = def->loop;
    out->corner = OND_NEW_ARRAY(float *, count);
    if (!out->corner)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a sequence of meshes");
    out->count = count;
    out->first = first;
    for (int k = 0; k < count && status == OND_OK; ++k) {
        char name[NAME_LENGTH];
        OndMesh mesh = {0};
        status = read_one(scene, def, assets, first + k, &mesh, name, err);
        if (status == OND_OK && k == 0) status = check_size(scene, def, &mesh, count, err);
        if (status == OND_OK)
            status = keep(scene, def, out, k, &mesh, name, err);
        else
            ond_mesh_free(&mesh);
    }
    return status;
}

void ond_sequence_free(OndSequence *s)
{
    for (int k = 0; k < s->count && s->corner; ++k)
        ond_free(s->corner[k]);
    ond_free(s->corner);
    ond_mesh_free(&s->mesh);
    memset(s, 0, sizeof *s);
}

void ond_sequence_name(const OndSequence *s, const OndSequenceDef *def, int k, char *out,
                       size_t room)
{
    char name[NAME_LENGTH] = "";
    name_of(def->files, s->first + k, name);
    snprintf(out, room, "%.*s", (int)room - 1, name);
}

void ond_sequence_at(const OndSequence *s, double time, float *out)
{
    const double last = s->count - 1, place = fmax(time, 0.0) * s->rate;
    double at = s->loop ? fmod(place, s->count) : fmin(place, last);
    if (!(at >= 0.0)) at = 0.0;
    int k = (int)at;
    if (k >= s->count) k = s->count - 1;
    const int next = k + 1 < s->count ? k + 1 : s->loop ? 0 : k;
    const float share = (float)(at - k);
    const float *const a = s->corner[k], *const b = s->corner[next];
    for (size_t i = 0; i < 3 * (size_t)s->mesh.corner_count; ++i)
        out[i] = a[i] + share * (b[i] - a[i]);
}

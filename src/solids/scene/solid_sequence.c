// SPDX-License-Identifier: MIT
#include "solids/scene/solid_sequence.h"

#include "sim/scene/file_sequence.h"
#include "sim/scene/scene_shape.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MEMORY_MAX  ((size_t)2 << 30) // bytes of all corners
#define NAME_LENGTH OND_FILE_NAME_LENGTH

static OndStatus fail_at_files(const OndSceneDef *scene, const OndSequenceDef *def, OndError *err,
                               const char *sentence)
{
    return ond_tree_fail(&scene->tree, ond_scene_at(def->node, "files"), err, "%s", sentence);
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
    ond_files_name(def->files, number, name, NAME_LENGTH);
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
    const OndFilePattern pattern = {def->files, def->node, "files"};
    OndStatus status = ond_files_range(scene, &pattern, &first, &count, err);
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
    ond_files_name(def->files, s->first + k, out, room);
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

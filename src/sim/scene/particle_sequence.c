// SPDX-License-Identifier: MIT
#include "sim/scene/particle_sequence.h"

#include "base/hash.h"
#include "base/memory.h"
#include "particles/held_path.h"
#include "sim/scene/file_sequence.h"
#include "sim/scene/scene_shape.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_MAX ((size_t)2 << 30) // bytes of all places
#define EXACT      0x1FFFFFFFFFFFFFu // bits of a whole number that a double holds

// A particle of a file: who it is, and where it stands in the file.
typedef struct Member {
    uint32_t id;
    int row;
} Member;

typedef struct SequenceReader {
    const OndSceneDef *scene;
    const OndAnimatedDef *def;
    const OndAssets *assets;
    OndError *err;
    int first, frames; // numbers of the files
    int count;         // particles of each
    Member *was, *is;  // by id, in the first file and in the present one
    bool has_ids;
} SequenceReader;

static OndFilePattern pattern_of(const OndAnimatedDef *def)
{
    return (OndFilePattern){def->files, def->node, "sequence"};
}

static OndStatus read_one(const OndSceneDef *scene, const OndAnimatedDef *def,
                          const OndAssets *assets, int number, OndFrame *out, OndError *err)
{
    char name[OND_FILE_NAME_LENGTH];
    ond_files_name(def->files, number, name, sizeof name);
    const OndParticlesPlace at = {{name, def->scale, def->move}, def->node, "sequence"};
    return ond_scene_particles_at(scene, &at, assets, out, err);
}

OndStatus ond_particle_sequence_first(const OndSceneDef *scene, const OndAnimatedDef *def,
                                      const OndAssets *assets, OndFrame *out, OndError *err)
{
    int first = 0, count = 0;
    const OndFilePattern pattern = pattern_of(def);
    const OndStatus status = ond_files_range(scene, &pattern, &first, &count, err);
    return status == OND_OK ? read_one(scene, def, assets, first, out, err) : status;
}

// ---- the same particles in every file

#define FAIL_AT_FILE(r, frame, format, ...)                                                        \
    do {                                                                                           \
        char name_[OND_FILE_NAME_LENGTH];                                                          \
        ond_files_name((r)->def->files, (r)->first + (frame), name_, sizeof name_);                \
        return ond_tree_fail(&(r)->scene->tree, ond_scene_at((r)->def->node, "sequence"),          \
                             (r)->err, "%.200s " format, name_, __VA_ARGS__);                      \
    } while (0)

static int by_id(const void *a, const void *b)
{
    const uint32_t p = ((const Member *)a)->id, q = ((const Member *)b)->id;
    return (p > q) - (p < q);
}

static const uint32_t *ids_of(const OndFrame *frame)
{
    const OndField *const id = ond_fields_find(&frame->particles, "id");
    return id && id->type == OND_U32 && id->components == 1 ? id->data[0] : NULL;
}

static OndStatus list_members(const SequenceReader *r, const OndFrame *frame, int k, Member *out)
{
    const uint32_t *const id = ids_of(frame);
    for (int i = 0; i < r->count; ++i)
        out[i] = (Member){r->has_ids ? id[i] : (uint32_t)i, i};
    if (r->has_ids) qsort(out, (size_t)r->count, sizeof *out, by_id);
    for (int i = 1; i < r->count; ++i)
        if (out[i].id == out[i - 1].id) FAIL_AT_FILE(r, k, "has two particles of id %u", out[i].id);
    return OND_OK;
}

static OndStatus check_same(SequenceReader *r, const OndFrame *frame, int k)
{
    if (frame->particles.count != r->count)
        FAIL_AT_FILE(r, k, "has %d particles, but the first file has %d; write the same ones each",
                     frame->particles.count, r->count);
    if (r->has_ids && !ids_of(frame))
        FAIL_AT_FILE(r, k, "has no `id`%s", ", but the first file has: write it in all or in none");
    const OndStatus status = list_members(r, frame, k, r->is);
    for (int i = 0; i < r->count && status == OND_OK; ++i)
        if (r->is[i].id != r->was[i].id)
            FAIL_AT_FILE(r, k,
                         "has no particle of id %u, which the first file has; write the same "
                         "ones each",
                         r->was[i].id);
    return status;
}

static void put_places(const SequenceReader *r, const OndFrame *frame, float *out)
{
    const OndField *const position = ond_fields_find(&frame->particles, "position");
    for (int i = 0; i < r->count; ++i)
        for (int a = 0; a < 3; ++a)
            out[3 * (size_t)r->was[i].row + (size_t)a] =
                a < r->scene->dimension ? ((const float *)position->data[a])[r->is[i].row] : 0.0f;
}

// ---- all of them

static OndStatus fail_memory(const SequenceReader *r)
{
    return ond_fail(r->err, OND_NO_MEMORY, "not enough memory for a sequence of particles");
}

static OndStatus begin(SequenceReader *r, const OndFrame *frame)
{
    r->count = frame->particles.count;
    r->has_ids = ids_of(frame) != NULL;
    const double bytes = 12.0 * r->count * r->frames;
    if (r->count == 0) FAIL_AT_FILE(r, 0, "has no particles%s", "");
    if (bytes > (double)MEMORY_MAX)
        FAIL_AT_FILE(r, 0,
                     "and those after it, %d files of %d particles, take %.1f GiB of memory; at "
                     "most 2 GiB are taken: use fewer files, or animate fewer particles",
                     r->frames, r->count, bytes / 1073741824.0);
    r->was = OND_NEW_ARRAY(Member, r->count);
    r->is = OND_NEW_ARRAY(Member, r->count);
    return r->was && r->is ? list_members(r, frame, 0, r->was) : fail_memory(r);
}

static OndStatus read_frame(SequenceReader *r, int k, OndArena *arena, const float **out)
{
    OndFrame frame = {0};
    OndStatus status = read_one(r->scene, r->def, r->assets, r->first + k, &frame, r->err);
    if (status != OND_OK) return status;
    if (k == 0) status = begin(r, &frame);
    if (status == OND_OK) status = check_same(r, &frame, k);
    float *const place = status == OND_OK ? ond_arena_take(arena, 12 * (size_t)r->count) : NULL;
    if (place) put_places(r, &frame, place);
    ond_frame_free(&frame);
    *out = place;
    return status == OND_OK && !place ? fail_memory(r) : status;
}

OndStatus ond_particle_sequence_read(const OndSceneDef *scene, const OndAnimatedDef *def,
                                     const OndAssets *assets, OndArena *arena, OndHeldPath *out,
                                     OndError *err)
{
    SequenceReader r = {.scene = scene, .def = def, .assets = assets, .err = err};
    const OndFilePattern pattern = pattern_of(def);
    OndStatus status = ond_files_range(scene, &pattern, &r.first, &r.frames, err);
    if (status != OND_OK) return status;
    const float **const place = ond_arena_take(arena, (size_t)r.frames * sizeof *place);
    if (!place) return fail_memory(&r);
    for (int k = 0; k < r.frames && status == OND_OK; ++k)
        status = read_frame(&r, k, arena, &place[k]);
    ond_free(r.was);
    ond_free(r.is);
    if (status != OND_OK) return status;
    *out = (OndHeldPath){.count = r.count,
                         .frames = r.frames,
                         .place = place,
                         .rate = def->rate,
                         .from = def->from,
                         .loop = def->loop};
    out->fastest = ond_held_path_fastest(out);
    return OND_OK;
}

double ond_particle_sequence_mark(const OndHeldPath *path)
{
    OndHash hash;
    ond_hash_begin(&hash);
    for (int k = 0; k < path->frames; ++k)
        ond_hash_add(&hash, path->place[k], 12 * (size_t)path->count);
    return (double)(ond_hash_end(&hash) & EXACT);
}

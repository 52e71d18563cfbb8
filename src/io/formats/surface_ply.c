// SPDX-License-Identifier: MIT
// Written: the element `vertex` with x y z nx ny nz and a column for every attribute, then `face`
// with lists of three. The comments are those of frames.
//
// Read: whatever form the PLY has. Faces are counted first and cut into triangles on a second walk,
// so that memory is taken once and only for what is there.
#include "base/memory.h"
#include "io/formats/ply_body.h"
#include "io/formats/ply_write.h"
#include "io/formats/surface_files.h"
#include "io/formats/surface_parts.h"

#include <string.h>

// ---- writing

#define BLOCK 1024 // faces put together before they are written
#define EACH  13   // bytes of a face: how many, and three indices

static int add_triples(OndColumn *column, int count, const char *const names[3], float *data)
{
    for (int k = 0; k < 3; ++k) {
        OndColumn c = {.type = OND_F32, .data = data + k, .step = 3};
        strcpy(c.name, names[k]);
        column[count++] = c;
    }
    return count;
}

static int make_columns(const OndSurface *s, OndColumn column[OND_COLUMNS_MAX + 6])
{
    static const char *const places[] = {"x", "y", "z"}, *const normals[] = {"nx", "ny", "nz"};
    int count = add_triples(column, 0, places, s->mesh.corner);
    if (s->normal) count = add_triples(column, count, normals, s->normal);
    return count + ond_columns_of(&s->attributes, column + count);
}

static void write_faces(OndFile *file, const OndMesh *mesh)
{
    unsigned char block[BLOCK * EACH];
    for (int first = 0; first < mesh->triangle_count && ond_file_good(file); first += BLOCK) {
        const int left = mesh->triangle_count - first, some = left < BLOCK ? left : BLOCK;
        for (int k = 0; k < some; ++k) {
            unsigned char *to = block + (size_t)k * EACH;
            const uint32_t *of = mesh->triangle + 3 * (size_t)(first + k);
            *to++ = 3;
            for (int c = 0; c < 3; ++c)
                for (int b = 0; b < 4; ++b)
                    *to++ = (unsigned char)(of[c] >> 8 * b);
        }
        ond_file_write(file, block, (size_t)some * EACH);
    }
}

static OndStatus write_ply(const char *path, const OndSurface *surface,
                           const OndSurfaceAbout *about, OndError *err)
{
    OndColumn column[OND_COLUMNS_MAX + 6];
    const int columns = make_columns(surface, column), corners = surface->mesh.corner_count;
    const OndFrame meta = ond_surface_meta(surface);
    OndFile *file = ond_file_create(path, err);
    if (!file) return ond_file_status(err);
    ond_ply_print_start(file, &meta);
    ond_file_print(file, "comment " OND_RECIPE_FORMAT "\n", (unsigned long long)about->recipe);
    ond_ply_print_vertices(file, column, columns, corners);
    ond_file_print(file, "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                   surface->mesh.triangle_count);
    const OndStatus status = ond_ply_write_rows(file, column, columns, corners, err);
    if (status != OND_OK) {
        ond_file_abandon(file);
        return status;
    }
    write_faces(file, &surface->mesh);
    return ond_file_commit(file, err);
}

// ---- reading

typedef struct Faces {
    long long triangles;
    uint32_t *to; // NULL: only counted
    int corners;
} Faces;

static bool is_indices(const OndPlyProperty *p)
{
    return p->list &&
           (strcmp(p->name, "vertex_indices") == 0 || strcmp(p->name, "vertex_index") == 0);
}

// One polygon as a fan. An index that is no whole number in range fails.
static bool take_polygon(OndPlyBody *b, const OndPlyProperty *p, Faces *f)
{
    double length, index;
    uint32_t first = 0, before = 0;
    if (!ond_ply_body_take(b, p->count_type, &length) || !(length >= 0)) return false;
    for (double k = 0; k < length; ++k) {
        if (!ond_ply_body_take(b, p->type, &index)) return false;
        if (!(index >= 0 && index < f->corners)) return false;
        const uint32_t now = (uint32_t)index;
        if ((double)now != index) return false;
        if (k == 0) first = now;
        if (k >= 2) {
            if (f->to) memcpy(f->to + 3 * f->triangles, (uint32_t[3]){first, before, now}, 12);
            ++f->triangles;
        }
        before = now;
    }
    return true;
}

static bool take_face(OndPlyBody *b, const OndPlyElement *e, Faces *f)
{
    for (int k = 0; k < e->property_count; ++k) {
        const OndPlyProperty *p = &b->header->property[e->first + k];
        double ignored;
        const bool good = is_indices(p) ? take_polygon(b, p, f)
                          : p->list     ? ond_ply_body_pass_list(b, p)
                                        : ond_ply_body_take(b, p->type, &ignored);
        if (!good) return false;
    }
    return true;
}

static OndStatus walk_faces(OndPlyBody *b, const OndPlyElement *e, Faces *f)
{
    for (unsigned long long k = 0; k < e->count && e->property_count; ++k)
        if (!take_face(b, e, f))
            return ond_fail(b->err, OND_BAD_VALUE,
                            "%s: face %llu of %llu is cut short or has a corner that is not there "
                            "(there are %d)",
                            b->name, k, e->count, f->corners);
    return OND_OK;
}

static OndStatus read_faces(OndPlyBody *b, const OndPlyElement *e, int corners, OndMesh *mesh)
{
    OndPlyBody again = *b;
    Faces faces = {.corners = corners};
    if (!ond_ply_body_fits(b, e)) return ond_ply_body_short(b, e);
    OndStatus status = walk_faces(b, e, &faces);
    if (status == OND_OK) status = ond_mesh_make(mesh, corners, faces.triangles, b->err);
    faces = (Faces){.corners = corners, .to = mesh->triangle};
    return status == OND_OK ? walk_faces(&again, e, &faces) : status;
}

// Corners and normals lie x y z x y z; the other columns stay as they are.
static void take_triples(const OndField *field, float *to, int count)
{
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < count; ++k)
            to[3 * (size_t)k + (size_t)c] = ((const float *)field->data[c])[k];
}

static OndStatus take_vertices(OndSurface *s, OndError *err)
{
    OndFields *set = &s->attributes;
    const OndField *position = ond_fields_find(set, "position");
    const OndField *normal = ond_fields_find(set, "normal");
    if (!position)
        return ond_fail(
            err, OND_BAD_VALUE,
            "the PLY file has more than %d values a vertex before its x, y and z; write "
            "those first",
            OND_FIELDS_MAX);
    take_triples(position, s->mesh.corner, s->mesh.corner_count);
    if (normal) {
        s->normal = OND_NEW_ARRAY(float, 3 * (size_t)s->mesh.corner_count);
        if (!s->normal) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a surface");
        take_triples(normal, s->normal, s->mesh.corner_count);
    }
    ond_fields_remove(set, "position");
    ond_fields_remove(set, "normal");
    return ond_surface_complete_normals(s, err);
}

static OndStatus read_body(OndPlyBody *b, OndSurface *out)
{
    bool faces = false, vertices = false;
    for (int k = 0; k < b->header->element_count && !faces; ++k) {
        const OndPlyElement *e = &b->header->element[k];
        OndStatus status = OND_OK;
        if (strcmp(e->name, "vertex") == 0 && !vertices) {
            status = ond_ply_body_vertices(b, e, &out->attributes);
            vertices = true;
        } else if (strcmp(e->name, "face") == 0 && vertices) {
            status = read_faces(b, e, out->attributes.count, &out->mesh);
            faces = true;
        } else {
            status = ond_ply_body_pass(b, e);
        }
        if (status != OND_OK) return status;
    }
    if (faces) return take_vertices(out, b->err);
    return ond_fail(b->err, OND_BAD_VALUE,
                    "%s: the PLY file has no 'face' after its 'vertex': it holds points, not a "
                    "surface; make one with ondine mesh",
                    b->name);
}

static void take_meta(const OndFrame *meta, OndSurface *out)
{
    out->frame = meta->index;
    out->time = meta->time;
    out->dimension = meta->dimension;
    out->spacing = meta->spacing;
    out->domain = meta->domain;
}

OndStatus ond_surface_ply_parse(const char *name, const void *bytes, size_t size, OndSurface *out,
                                OndError *err)
{
    memset(out, 0, sizeof *out);
    OndPlyBody body;
    OndStatus status = ond_ply_body_open(&body, name, bytes, size, err);
    if (status != OND_OK) return status;
    take_meta(&body.header->meta, out);
    status = read_body(&body, out);
    if (status == OND_OK) status = ond_surface_check(name, out, err);
    if (status != OND_OK) ond_surface_free(out);
    ond_ply_body_close(&body);
    return status;
}

static OndStatus read_ply(const char *path, OndSurface *out, OndError *err)
{
    char *bytes;
    size_t size;
    memset(out, 0, sizeof *out);
    OndStatus status = ond_file_read_all(path, OND_PLY_FILE_LIMIT, &bytes, &size, err);
    if (status == OND_OK) status = ond_surface_ply_parse(path, bytes, size, out, err);
    ond_free(bytes);
    return status;
}

const OndSurfaceFormat ond_surface_format_ply = {
    "ply", "binary PLY with normals and attributes (Blender, MeshLab)", read_ply, write_ply};

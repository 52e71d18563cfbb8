// SPDX-License-Identifier: MIT
// Wavefront OBJ. Written: corners, normals and triangles, each corner with the normal of its own
// number; nine digits bring floats back as they were.
//
// Read: v, vn and f of any file (indices from 1 or from the end, polygons, v/vt/vn); everything
// else is passed over. A corner used with several normals gets their mean. Two walks: one counts,
// one fills.
#include "base/memory.h"
#include "io/formats/surface_files.h"
#include "io/formats/surface_parts.h"

#include <string.h>

#define FILE_LIMIT ((uint64_t)64 << 30) // bytes; a guard against nonsense, not a design limit

// ---- writing

static void write_triples(OndFile *file, const char *word, const float *data, int count)
{
    for (int k = 0; k < count && ond_file_good(file); ++k) {
        const float *v = data + 3 * (size_t)k;
        ond_file_print(file, "%s %.9g %.9g %.9g\n", word, (double)v[0], (double)v[1], (double)v[2]);
    }
}

static void write_faces(OndFile *file, const OndMesh *mesh, bool normals)
{
    for (int k = 0; k < mesh->triangle_count && ond_file_good(file); ++k) {
        const uint32_t *t = mesh->triangle + 3 * (size_t)k;
        const unsigned a = t[0] + 1, b = t[1] + 1, c = t[2] + 1;
        if (normals)
            ond_file_print(file, "f %u//%u %u//%u %u//%u\n", a, a, b, b, c, c);
        else
            ond_file_print(file, "f %u %u %u\n", a, b, c);
    }
}

static OndStatus write_obj(const char *path, const OndSurface *surface,
                           const OndSurfaceAbout *about, OndError *err)
{
    const OndMesh *mesh = &surface->mesh;
    OndFile *file = ond_file_create(path, err);
    if (!file) return ond_file_status(err);
    ond_file_print(file, "# " OND_RECIPE_FORMAT "\n# frame %d, %.17g s, metres\n",
                   (unsigned long long)about->recipe, surface->frame, surface->time);
    write_triples(file, "v", mesh->corner, mesh->corner_count);
    if (surface->normal) write_triples(file, "vn", surface->normal, mesh->corner_count);
    write_faces(file, mesh, surface->normal != NULL);
    return ond_file_commit(file, err);
}

// ---- reading

typedef struct ObjReader {
    const char *name;
    const char *at, *end; // what is left of the line
    const char *next, *last;
    long long line;
    long long corners, normals, triangles; // so far
    long long all_corners, all_normals;
    float *corner, *normal; // NULL: only counted
    uint32_t *triangle;
    float *sum; // normals of the corners, added up
    OndError *err;
} ObjReader;

static OndStatus complain(const ObjReader *r, const char *what)
{
    return ond_fail(r->err, OND_BAD_VALUE, "%s: not a usable OBJ file: line %lld %s", r->name,
                    r->line, what);
}

static bool next_line(ObjReader *r)
{
    if (r->next >= r->last) return false;
    const char *end = memchr(r->next, '\n', (size_t)(r->last - r->next));
    r->at = r->next;
    r->end = end ? end : r->last;
    r->next = end ? end + 1 : r->last;
    ++r->line;
    return true;
}

// The next word of the line; its length is 0 at the end.
static size_t next_word(ObjReader *r, const char **word)
{
    while (r->at < r->end && (unsigned char)*r->at <= ' ')
        ++r->at;
    *word = r->at;
    while (r->at < r->end && (unsigned char)*r->at > ' ')
        ++r->at;
    return (size_t)(r->at - *word);
}

static OndStatus read_triple(ObjReader *r, float *to, long long index)
{
    for (int k = 0; k < 3; ++k) {
        const char *word;
        double value;
        const size_t length = next_word(r, &word);
        if (!ond_text_number(word, length, &value)) return complain(r, "needs three numbers");
        if (to) to[3 * index + k] = (float)value;
    }
    return OND_OK;
}

// A whole number with its sign; returns how many characters it took, 0 when there is none.
static size_t read_index(const char *text, size_t length, long long *out)
{
    const bool minus = length > 0 && text[0] == '-';
    size_t k = minus;
    *out = 0;
    for (; k < length && text[k] >= '0' && text[k] <= '9'; ++k) {
        if (*out > 1000000000000) return 0;
        *out = *out * 10 + (text[k] - '0');
    }
    if (k == (size_t)minus) return 0;
    if (minus) *out = -*out;
    return k;
}

// From 1 on, or from the end of what there is so far; -1 when it leads nowhere.
static long long resolve(long long index, long long so_far, long long all)
{
    const long long place = index > 0 ? index - 1 : index < 0 ? so_far + index : -1;
    return place >= 0 && place < all ? place : -1;
}

static void add_normal(ObjReader *r, long long corner, long long normal)
{
    for (int k = 0; k < 3; ++k)
        r->sum[3 * corner + k] += r->normal[3 * normal + k];
}

// "7", "7/1", "7//3", "7/1/3": the corner; its normal is noted. -1 when it is none of these.
static long long read_corner(ObjReader *r, const char *word, size_t length)
{
    long long index, normal;
    const size_t used = read_index(word, length, &index);
    if (used == 0 || (used < length && word[used] != '/')) return -1;
    if (!r->corner) return 0;
    const long long corner = resolve(index, r->corners, r->all_corners);
    const char *slash = memchr(word, '/', length), *end = word + length;
    if (slash) slash = memchr(slash + 1, '/', (size_t)(end - slash - 1));
    if (corner < 0 || !slash || !read_index(slash + 1, (size_t)(end - slash - 1), &normal))
        return corner;
    normal = resolve(normal, r->normals, r->all_normals);
    if (normal >= 0) add_normal(r, corner, normal);
    return corner;
}

static OndStatus read_face(ObjReader *r)
{
    long long first = 0, before = 0;
    const char *word;
    size_t length;
    for (int k = 0; (length = next_word(r, &word)) > 0; k = k < 2 ? k + 1 : k) {
        const long long now = read_corner(r, word, length);
        if (now < 0) return complain(r, "has a corner that is not there, or no number");
        if (k == 0) first = now;
        if (k == 2) {
            const uint32_t of[3] = {(uint32_t)first, (uint32_t)before, (uint32_t)now};
            if (r->corner) memcpy(r->triangle + 3 * r->triangles, of, sizeof of);
            ++r->triangles;
        }
        before = now;
    }
    return OND_OK;
}

static OndStatus walk(ObjReader *r, const char *bytes, size_t size)
{
    OndStatus status = OND_OK;
    r->next = bytes;
    r->last = bytes + size;
    r->line = r->corners = r->normals = r->triangles = 0;
    while (status == OND_OK && next_line(r)) {
        const char *word;
        const size_t length = next_word(r, &word);
        if (length == 1 && word[0] == 'v')
            status = read_triple(r, r->corner, r->corners++);
        else if (length == 2 && memcmp(word, "vn", 2) == 0)
            status = read_triple(r, r->normal, r->normals++);
        else if (length == 1 && word[0] == 'f')
            status = read_face(r);
    }
    return status;
}

// After the first walk: room for all that it counted.
static OndStatus make_room(ObjReader *r, OndSurface *out)
{
    OndStatus status = ond_mesh_make(&out->mesh, r->corners, r->triangles, r->err);
    if (status != OND_OK) return status;
    out->normal = OND_NEW_ARRAY(float, 3 * (size_t)r->corners);
    r->normal = OND_NEW_ARRAY(float, 3 * (size_t)r->normals);
    r->corner = out->mesh.corner;
    r->triangle = out->mesh.triangle;
    r->sum = out->normal;
    r->all_corners = r->corners;
    r->all_normals = r->normals;
    if (out->normal && r->normal) return OND_OK;
    return ond_fail(r->err, OND_NO_MEMORY, "not enough memory to read %s", r->name);
}

OndStatus ond_surface_obj_parse(const char *name, const char *bytes, size_t size, OndSurface *out,
                                OndError *err)
{
    ObjReader r = {.name = name, .err = err};
    memset(out, 0, sizeof *out);
    out->dimension = 3;
    OndStatus status = walk(&r, bytes, size);
    if (status == OND_OK && r.corners == 0)
        status = ond_fail(err, OND_BAD_VALUE, "%s: not a surface: no line begins with 'v'", name);
    if (status == OND_OK) status = make_room(&r, out);
    if (status == OND_OK) status = walk(&r, bytes, size);
    ond_free(r.normal);
    out->attributes.count = out->mesh.corner_count;
    if (status == OND_OK) status = ond_surface_check(name, out, err);
    if (status == OND_OK) status = ond_surface_complete_normals(out, err);
    if (status != OND_OK) ond_surface_free(out);
    return status;
}

static OndStatus read_obj(const char *path, OndSurface *out, OndError *err)
{
    char *bytes;
    size_t size;
    memset(out, 0, sizeof *out);
    OndStatus status = ond_file_read_all(path, FILE_LIMIT, &bytes, &size, err);
    if (status == OND_OK) status = ond_surface_obj_parse(path, bytes, size, out, err);
    ond_free(bytes);
    return status;
}

const OndSurfaceFormat ond_surface_format_obj = {"obj", "Wavefront OBJ", read_obj, write_obj};

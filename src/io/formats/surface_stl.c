// SPDX-License-Identifier: MIT
// STL: a header of 80 bytes, the number of triangles, and 50 bytes for each: normal, three corners,
// two bytes that mean nothing. Little-endian floats.
#include "io/formats/surface_files.h"
#include "io/formats/surface_parts.h"

#include <stdio.h>
#include <string.h>

#define HEADER 80
#define EACH   50
#define BLOCK  1024 // triangles put together before they are written

static void store(unsigned char *to, const void *four_bytes)
{
    uint32_t v;
    memcpy(&v, four_bytes, 4);
    for (int b = 0; b < 4; ++b)
        to[b] = (unsigned char)(v >> 8 * b);
}

static void put_triangle(unsigned char *to, const OndMesh *mesh, int which)
{
    OndVec p[3];
    for (int k = 0; k < 3; ++k) {
        const float *c = mesh->corner + 3 * (size_t)mesh->triangle[3 * (size_t)which + (size_t)k];
        p[k] = ond_vec(c[0], c[1], c[2]);
        for (int axis = 0; axis < 3; ++axis)
            store(to + 12 * (k + 1) + 4 * axis, &c[axis]);
    }
    const OndVec n = ond_unit(ond_cross(ond_sub(p[1], p[0]), ond_sub(p[2], p[0])));
    const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
    for (int axis = 0; axis < 3; ++axis)
        store(to + 4 * axis, &normal[axis]);
    to[48] = to[49] = 0;
}

static void write_header(OndFile *file, int triangles, uint64_t recipe)
{
    char header[HEADER + 1] = {0};
    unsigned char count[4];
    // must not begin with "solid": that is how the text form begins
    snprintf(header, sizeof header, "surface, metres; " OND_RECIPE_FORMAT,
             (unsigned long long)recipe);
    ond_file_write(file, header, HEADER);
    store(count, &triangles);
    ond_file_write(file, count, sizeof count);
}

static OndStatus write_stl(const char *path, const OndSurface *surface,
                           const OndSurfaceAbout *about, OndError *err)
{
    unsigned char block[BLOCK * EACH];
    const int count = surface->mesh.triangle_count;
    OndFile *file = ond_file_create(path, err);
    if (!file) return ond_file_status(err);
    write_header(file, count, about->recipe);
    for (int first = 0; first < count && ond_file_good(file); first += BLOCK) {
        const int some = count - first < BLOCK ? count - first : BLOCK;
        for (int k = 0; k < some; ++k)
            put_triangle(block + (size_t)k * EACH, &surface->mesh, first + k);
        ond_file_write(file, block, (size_t)some * EACH);
    }
    return ond_file_commit(file, err);
}

const OndSurfaceFormat ond_surface_format_stl = {"stl", "binary STL, triangles alone", NULL,
                                                 write_stl};

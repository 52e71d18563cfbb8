// SPDX-License-Identifier: MIT
// Binary where the length is what its number of triangles asks for; else text, of which lines "vertex x y z" count.
#include "io/formats/stl.h"

#include "io/file.h"

#include <string.h>

#define HEADER 84 // bytes before the first triangle, their number included
#define EACH   50 // bytes of a triangle: normal, three corners, two that mean nothing

static uint32_t whole_at(const char *bytes)
{
    const unsigned char *const b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float real_at(const char *bytes)
{
    const uint32_t bits = whole_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void read_binary(const char *bytes, OndMesh *out)
{
    for (int k = 0; k < out->corner_count; ++k) {
        const char *const at = bytes + HEADER + (size_t)(k / 3) * EACH + 12 * (size_t)(1 + k % 3);
        for (int a = 0; a < 3; ++a)
            out->corner[3 * (size_t)k + (size_t)a] = real_at(at + 4 * a);
    }
}

// The next word and its length; 0 at the end.
static size_t next_word(const char **at, const char *end, const char **word)
{
    while (*at < end && (unsigned char)**at <= ' ')
        ++*at;
    *word = *at;
    while (*at < end && (unsigned char)**at > ' ')
        ++*at;
    return (size_t)(*at - *word);
}

// Corners of a text, into `corner` if it is there; -1: one is not made of numbers.
static long long read_text(const char *bytes, size_t size, float *corner)
{
    const char *at = bytes, *const end = bytes + size, *word;
    long long corners = 0;
    for (size_t length; (length = next_word(&at, end, &word)) > 0;) {
        if (length != 6 || memcmp(word, "vertex", 6) != 0) continue;
        for (int a = 0; a < 3; ++a) {
            double value;
            length = next_word(&at, end, &word);
            if (!ond_text_number(word, length, &value)) return -1;
            if (corner) corner[3 * corners + a] = (float)value;
        }
        ++corners;
    }
    return corners;
}

OndStatus ond_stl_parse(const char *name, const char *bytes, size_t size, OndMesh *out,
                        OndError *err)
{
    *out = (OndMesh){0};
    const uint64_t triangles = size >= HEADER ? whole_at(bytes + HEADER - 4) : 0;
    const bool binary = size >= HEADER && size == HEADER + EACH * triangles;
    const long long corners = binary ? 3 * (long long)triangles : read_text(bytes, size, NULL);
    if (corners <= 0 || corners % 3 != 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: not a usable STL file: it has neither the length that its number of "
                        "triangles asks for, nor three lines 'vertex x y z' for each",
                        name);
    const OndStatus status = ond_mesh_make(out, corners, corners / 3, err);
    if (status != OND_OK) return status;
    if (binary)
        read_binary(bytes, out);
    else
        read_text(bytes, size, out->corner);
    for (int k = 0; k < out->corner_count; ++k)
        out->triangle[k] = (uint32_t)k;
    return OND_OK;
}

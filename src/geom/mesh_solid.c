// SPDX-License-Identifier: MIT
// Is this mesh the surface of a solid?
//
// Files often repeat a corner for each triangle or each texture seam, so corners are first joined
// by position (exactly: files that split a corner write the same digits twice). Then all edges are
// sorted; triangles that share an edge stand side by side, and an edge with an odd number of
// triangles is a hole.
#include "geom/mesh.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

static OndStatus check_triangles(const OndMesh *mesh, OndError *err)
{
    if (mesh->corner_count <= 0 || mesh->triangle_count <= 0)
        return ond_fail(err, OND_BAD_VALUE, "the mesh has no triangles");
    for (int t = 0; t < mesh->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            const uint32_t c = mesh->triangle[3 * (size_t)t + k];
            if (c >= (uint32_t)mesh->corner_count)
                return ond_fail(err, OND_BAD_VALUE,
                                "triangle %d (from 0) uses corner %lu, but the mesh has only %d "
                                "corners",
                                t, (unsigned long)c, mesh->corner_count);
            const float *p = mesh->corner + 3 * (size_t)c;
            if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
                return ond_fail(err, OND_BAD_VALUE,
                                "triangle %d (from 0) has a corner at (%g, %g, %g); every "
                                "coordinate must be a finite number",
                                t, p[0], p[1], p[2]);
        }
    }
    return OND_OK;
}

// ---- joining corners -----------------------------------------------------------------------

static uint64_t hash_position(const float *p)
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; ++k) {
        const float value = p[k] + 0.0f; // -0 becomes 0: they are the same place
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = ond_scramble(hash ^ bits);
    }
    return hash;
}

static bool same_position(const float *p, const float *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/// For each corner the first one at its position. Corners that are not numbers stay alone.
static void find_first_corners(const OndMesh *mesh, uint32_t *first, uint32_t *slot, size_t slots)
{
    for (int c = 0; c < mesh->corner_count; ++c) {
        const float *p = mesh->corner + 3 * (size_t)c;
        first[c] = (uint32_t)c;
        if (!same_position(p, p)) continue;
        size_t s = (size_t)hash_position(p) & (slots - 1);
        while (slot[s] && !same_position(p, mesh->corner + 3 * (size_t)(slot[s] - 1)))
            s = (s + 1) & (slots - 1);
        if (slot[s])
            first[c] = slot[s] - 1;
        else
            slot[s] = (uint32_t)c + 1;
    }
}

static void join_triangles(const OndMesh *mesh, const uint32_t *first, OndMesh *out)
{
    int kept = 0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *from = mesh->triangle + 3 * (size_t)t;
        const uint32_t a = first[from[0]], b = first[from[1]], c = first[from[2]];
        if (a == b || b == c || c == a) continue;
        uint32_t *to = out->triangle + 3 * (size_t)kept++;
        to[0] = a;
        to[1] = b;
        to[2] = c;
    }
    out->triangle_count = kept;
}

OndStatus ond_mesh_weld(const OndMesh *mesh, OndMesh *out, OndError *err)
{
    OndStatus status = check_triangles(mesh, err);
    if (status == OND_OK)
        status = ond_mesh_make(out, mesh->corner_count, mesh->triangle_count, err);
    if (status != OND_OK) return status;

    size_t slots = 16;
    while (slots < 2 * (size_t)mesh->corner_count)
        slots *= 2;
    uint32_t *first = OND_NEW_ARRAY(uint32_t, mesh->corner_count);
    uint32_t *slot = OND_NEW_ARRAY(uint32_t, slots);
    if (first && slot) {
        memcpy(out->corner, mesh->corner, 3 * sizeof(float) * (size_t)mesh->corner_count);
        find_first_corners(mesh, first, slot, slots);
        join_triangles(mesh, first, out);
    } else {
        ond_mesh_free(out);
        status = ond_fail(err, OND_NO_MEMORY, "no memory to join the corners of a mesh");
    }
    ond_free(first);
    ond_free(slot);
    return status;
}

// ---- edges ---------------------------------------------------------------------------------

// An edge as one number: lower corner, higher corner, and in the last bit which comes first.
#define CORNER_BITS 27
_Static_assert(OND_MESH_MAX <= 1 << CORNER_BITS, "an edge must fit in 64 bits");

static uint64_t edge_key(uint32_t a, uint32_t b)
{
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return (low << CORNER_BITS | high) << 1 | (a > b);
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef struct EdgeCensus {
    long long open;
    uint64_t example; ///< key of the first open edge
    bool oriented;
} EdgeCensus;

static EdgeCensus count_edges(const uint64_t *key, size_t count)
{
    EdgeCensus census = {0, 0, true};
    for (size_t i = 0; i < count;) {
        size_t uses[2] = {0, 0};
        const uint64_t edge = key[i] >> 1;
        for (; i < count && key[i] >> 1 == edge; ++i)
            ++uses[key[i] & 1];
        if (uses[0] != uses[1]) census.oriented = false;
        if ((uses[0] + uses[1]) % 2 == 0) continue;
        if (census.open++ == 0) census.example = edge;
    }
    return census;
}

static OndStatus fail_open(const OndMesh *mesh, const EdgeCensus *census, OndError *err)
{
    const uint64_t mask = ((uint64_t)1 << CORNER_BITS) - 1;
    const float *a = mesh->corner + 3 * (size_t)(census->example >> CORNER_BITS);
    const float *b = mesh->corner + 3 * (size_t)(census->example & mask);
    return ond_fail(err, OND_BAD_VALUE,
                    "the mesh is not closed: it has %lld open edge%s, one from (%g, %g, %g) to "
                    "(%g, %g, %g); fill its holes in a modelling program",
                    census->open, census->open == 1 ? "" : "s", a[0], a[1], a[2], b[0], b[1], b[2]);
}

OndStatus ond_mesh_check_closed(const OndMesh *mesh, bool *oriented, OndError *err)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    uint64_t *key = OND_NEW_ARRAY(uint64_t, count);
    if (!key) return ond_fail(err, OND_NO_MEMORY, "no memory to check that a mesh is closed");
    for (size_t i = 0; i < count; ++i) {
        const size_t next = i % 3 == 2 ? i - 2 : i + 1;
        key[i] = edge_key(mesh->triangle[i], mesh->triangle[next]);
    }
    qsort(key, count, sizeof *key, compare_keys);
    const EdgeCensus census = count_edges(key, count);
    ond_free(key);
    *oriented = census.oriented;
    return census.open ? fail_open(mesh, &census, err) : OND_OK;
}

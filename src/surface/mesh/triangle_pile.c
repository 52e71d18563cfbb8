// SPDX-License-Identifier: MIT
#include "surface/mesh/triangle_pile.h"

#include "base/memory.h"

#include <string.h>

static bool grow(OndPile *p)
{
    if (p->count < p->room) return true;
    const int room = p->room ? 2 * p->room : 1024;
    float *const more = room <= OND_MESH_MAX / 3 ? OND_NEW_ARRAY(float, 9 * (size_t)room) : NULL;
    if (!more) {
        p->failed = true;
        return false;
    }
    if (p->count > 0) memcpy(more, p->corner, 9 * sizeof(float) * (size_t)p->count);
    ond_free(p->corner);
    p->corner = more;
    p->room = room;
    return true;
}

void ond_pile_add(OndPile *p, OndVec a, OndVec b, OndVec c)
{
    if (p->failed || !grow(p)) return;
    const OndVec v[3] = {a, b, c};
    float *const to = p->corner + 9 * (size_t)p->count++;
    for (int k = 0; k < 3; ++k)
        for (int x = 0; x < 3; ++x)
            to[3 * k + x] = (float)ond_axis(v[k], x);
}

void ond_pile_add_mesh(OndPile *p, const OndMesh *mesh, const float *corner)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        OndVec v[3];
        for (int k = 0; k < 3; ++k) {
            const float *const c = corner + 3 * (size_t)mesh->triangle[3 * (size_t)t + (size_t)k];
            v[k] = ond_vec(c[0], c[1], c[2]);
        }
        ond_pile_add(p, v[0], v[1], v[2]);
    }
}

void ond_pile_clear(OndPile *p)
{
    p->count = 0;
}

void ond_pile_free(OndPile *p)
{
    ond_free(p->corner);
    memset(p, 0, sizeof *p);
}

// The weld keeps all corners; those that no triangle uses go here.
static OndStatus compact(OndMesh *mesh, OndError *err)
{
    uint32_t *const place = OND_NEW_ARRAY(uint32_t, mesh->corner_count + 1);
    if (!place) return ond_fail(err, OND_NO_MEMORY, "no memory for the triangles of a solid");
    uint32_t count = 0;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i)
        place[mesh->triangle[i]] = 1;
    for (int c = 0; c < mesh->corner_count; ++c) {
        if (!place[c]) continue;
        memmove(mesh->corner + 3 * (size_t)count, mesh->corner + 3 * (size_t)c, 12);
        place[c] = count++;
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i)
        mesh->triangle[i] = place[mesh->triangle[i]];
    mesh->corner_count = (int)count;
    ond_free(place);
    return OND_OK;
}

OndStatus ond_pile_mesh(const OndPile *p, OndMesh *out, OndError *err)
{
    OndMesh loose = {0};
    if (p->failed) return ond_fail(err, OND_NO_MEMORY, "no memory for the triangles of a solid");
    if (p->count == 0) return ond_mesh_make(out, 0, 0, err);
    OndStatus status = ond_mesh_make(&loose, 3LL * p->count, p->count, err);
    if (status == OND_OK) {
        memcpy(loose.corner, p->corner, 9 * sizeof(float) * (size_t)p->count);
        for (uint32_t i = 0; i < 3 * (uint32_t)p->count; ++i)
            loose.triangle[i] = i;
        status = ond_mesh_weld(&loose, out, err);
    }
    ond_mesh_free(&loose);
    return status == OND_OK ? compact(out, err) : status;
}

// SPDX-License-Identifier: MIT
#include "geom/mesh_normals.h"

#include "base/memory.h"
#include "base/parallel.h"

typedef struct NormalMaker {
    const OndMesh *mesh;
    const float *corner;
    OndVec *normal;
    int *start, *list; // triangles at each corner of the mesh
    OndVec *face;      // normals of the triangles, by area
} NormalMaker;

static OndVec corner_at(const NormalMaker *m, size_t use)
{
    const float *const c = m->corner + 3 * (size_t)m->mesh->triangle[use];
    return ond_vec(c[0], c[1], c[2]);
}

static OndStatus find_faces(NormalMaker *m, OndError *err)
{
    const OndMesh *const mesh = m->mesh;
    const size_t uses = 3 * (size_t)mesh->triangle_count;
    m->start = OND_NEW_ARRAY(int, mesh->corner_count + 2);
    m->list = OND_NEW_ARRAY(int, uses + 1);
    m->face = OND_NEW_ARRAY(OndVec, mesh->triangle_count + 1);
    if (!m->start || !m->list || !m->face)
        return ond_fail(err, OND_NO_MEMORY, "no memory to draw a mesh of %d triangles",
                        mesh->triangle_count);
    for (size_t i = 0; i < uses; ++i)
        ++m->start[mesh->triangle[i] + 2];
    for (int c = 1; c < mesh->corner_count + 2; ++c)
        m->start[c] += m->start[c - 1];
    for (size_t i = 0; i < uses; ++i)
        m->list[m->start[mesh->triangle[i] + 1]++] = (int)(i / 3);
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const OndVec p = corner_at(m, 3 * (size_t)t);
        m->face[t] = ond_cross(ond_sub(corner_at(m, 3 * (size_t)t + 1), p),
                               ond_sub(corner_at(m, 3 * (size_t)t + 2), p));
    }
    return OND_OK;
}

static OndVec corner_normal(const NormalMaker *m, int triangle, uint32_t corner)
{
    const OndVec own = ond_unit(m->face[triangle]);
    OndVec sum = {0, 0, 0};
    for (int k = m->start[corner]; k < m->start[corner + 1]; ++k) {
        const OndVec other = m->face[m->list[k]];
        if (ond_dot(own, other) >= OND_CREASE * ond_length(other)) sum = ond_add(sum, other);
    }
    return ond_length(sum) > 0.0 ? ond_unit(sum) : own;
}

static void find_normals(int first, int last, int worker, void *context)
{
    const NormalMaker *const m = context;
    (void)worker;
    for (int t = first; t < last; ++t)
        for (int k = 0; k < 3; ++k) {
            const size_t use = 3 * (size_t)t + (size_t)k;
            m->normal[use] = corner_normal(m, t, m->mesh->triangle[use]);
        }
}

OndStatus ond_mesh_normals(const OndMesh *mesh, const float *corner, OndVec *normal, OndError *err)
{
    NormalMaker m = {.mesh = mesh, .corner = corner ? corner : mesh->corner, .normal = normal};
    const OndStatus status = find_faces(&m, err);
    if (status == OND_OK) ond_parallel_for(mesh->triangle_count, 1024, find_normals, &m);
    ond_free(m.start);
    ond_free(m.list);
    ond_free(m.face);
    return status;
}

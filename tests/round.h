// SPDX-License-Identifier: MIT
// A round surface made without the library that makes surfaces: an octahedron, cut finer.
#ifndef OND_TESTS_ROUND_H
#define OND_TESTS_ROUND_H

#include "check.h"

#include "base/memory.h"
#include "surface/surface.h"

// A corner between two others, on the sphere. Shared edges get the same corner: linear search, as
// there are few.
static inline uint32_t round_middle(OndMesh *m, uint32_t a, uint32_t b)
{
    double p[3], length = 0.0;
    for (int k = 0; k < 3; ++k) {
        p[k] = (double)m->corner[3 * a + (uint32_t)k] + (double)m->corner[3 * b + (uint32_t)k];
        length += p[k] * p[k];
    }
    float at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = (float)(p[k] / sqrt(length));
    for (int c = 0; c < m->corner_count; ++c)
        if (memcmp(m->corner + 3 * c, at, sizeof at) == 0) return (uint32_t)c;
    memcpy(m->corner + 3 * m->corner_count, at, sizeof at);
    return (uint32_t)m->corner_count++;
}

static inline void round_refine(OndMesh *m)
{
    const int before = m->triangle_count;
    for (int t = 0; t < before; ++t) {
        uint32_t *old = m->triangle + 3 * t, *next = m->triangle + 3 * m->triangle_count;
        const uint32_t a = old[0], b = old[1], c = old[2];
        const uint32_t ab = round_middle(m, a, b), bc = round_middle(m, b, c),
                       ca = round_middle(m, c, a);
        const uint32_t parts[9] = {a, ab, ca, ab, b, bc, ca, bc, c};
        memcpy(next, parts, sizeof parts);
        old[0] = ab, old[1] = bc, old[2] = ca;
        m->triangle_count += 3;
    }
}

static inline void round_attributes(OndSurface *s)
{
    OndFields *set = &s->attributes;
    const int count = s->mesh.corner_count;
    ond_fields_add(set, "velocity", "m/s", OND_F32, 3, OND_FIELD_FRAME);
    ond_fields_add(set, "temperature", "C", OND_F32, 1, OND_FIELD_FRAME);
    ond_fields_add(set, "material", "", OND_U32, 1, OND_FIELD_FRAME);
    ond_fields_add(set, "thickness", "mm", OND_F32, 1, OND_FIELD_FRAME);
    assert_int_equal(ond_fields_reserve(set, count, NULL), OND_OK);
    set->count = count;
    for (int k = 0; k < count; ++k) {
        for (int c = 0; c < 3; ++c)
            ((float *)set->field[0].data[c])[k] = 0.1f * (float)k + (float)c;
        ((float *)set->field[1].data[0])[k] = 20.0f + 0.3f * (float)k;
        ((uint32_t *)set->field[2].data[0])[k] = (uint32_t)k % 3;
        ((float *)set->field[3].data[0])[k] = 1.0f / (float)(k + 1);
    }
}

/// A sphere of radius 1 round the origin: 8 * 4^rounds triangles, with attributes.
static inline OndSurface round_surface(int rounds)
{
    static const float corner[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    static const uint32_t triangle[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                          2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    OndSurface s = {.frame = 7, .time = 0.1, .dimension = 3, .spacing = 0.125};
    s.domain = (OndBox){{-2, -1, -2}, {2, 3, 2}};
    const long long most = 8LL << 2 * rounds;
    assert_int_equal(ond_mesh_make(&s.mesh, most, most, NULL), OND_OK);
    memcpy(s.mesh.corner, corner, sizeof corner);
    memcpy(s.mesh.triangle, triangle, sizeof triangle);
    s.mesh.corner_count = 6, s.mesh.triangle_count = 8;
    for (int k = 0; k < rounds; ++k)
        round_refine(&s.mesh);
    s.normal = OND_NEW_ARRAY(float, 3 * s.mesh.corner_count);
    assert_non_null(s.normal);
    memcpy(s.normal, s.mesh.corner, (size_t)s.mesh.corner_count * 12);
    round_attributes(&s);
    return s;
}

#endif

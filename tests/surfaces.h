// SPDX-License-Identifier: MIT
// Particles to make surfaces from, and what is asked of every surface.
#ifndef OND_TESTS_SURFACES_H
#define OND_TESTS_SURFACES_H

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "surface/surface.h"

#include <stdlib.h>

// ---- frames

// A frame with room for `room` particles and their positions, velocities and materials.
static inline void frame_open(OndFrame *frame, double spacing, int dimension, int room)
{
    *frame = (OndFrame){.dimension = dimension, .spacing = spacing, .owned = true};
    OndError err = {0};
    if (ond_fields_reserve(&frame->particles, room, &err) != OND_OK) fail_msg("%s", err.text);
    ond_fields_add(&frame->particles, "position", "m", OND_F32, 3, OND_FIELD_FRAME);
    ond_fields_add(&frame->particles, "velocity", "m/s", OND_F32, 3, OND_FIELD_FRAME);
    ond_fields_add(&frame->particles, "temperature", "C", OND_F32, 1, OND_FIELD_FRAME);
    ond_fields_add(&frame->particles, "material", "", OND_U32, 1, OND_FIELD_FRAME);
}

static inline void frame_add(OndFrame *frame, double x, double y, double z)
{
    OndFields *set = &frame->particles;
    if (set->count == set->capacity) fail_msg("the frame is full");
    const float at[3] = {(float)x, (float)y, (float)z};
    for (int a = 0; a < 3; ++a)
        ((float *)set->field[0].data[a])[set->count] = at[a];
    ++set->count;
}

typedef double FrameShape(double x, double y, double z); // negative inside

// Lattice points of [-half, half]^3 inside the shape, each moved by up to `jitter` spacings.
static inline void frame_fill(OndFrame *frame, FrameShape *shape, double half, double jitter)
{
    const double s = frame->spacing;
    const int n = (int)(half / s);
    const int layers = frame->dimension == 2 ? 0 : n;
    for (int k = -layers; k <= layers; ++k)
        for (int j = -n; j <= n; ++j)
            for (int i = -n; i <= n; ++i) {
                double at[3] = {(i + 0.5) * s, (j + 0.5) * s, layers ? (k + 0.5) * s : 0.0};
                if (shape(at[0], at[1], at[2]) > 0.0) continue;
                for (int a = 0; a < frame->dimension; ++a)
                    at[a] += jitter * s *
                             (2.0 * ond_random((uint64_t)frame->particles.count, (uint64_t)a) - 1);
                frame_add(frame, at[0], at[1], at[2]);
            }
}

// ---- surfaces

static inline OndSurface surface_of(const OndFrame *frame, const OndSurfaceDef *def)
{
    OndSurface surface = {0};
    OndError err = {0};
    if (ond_surface_make(&surface, frame, def, NULL, &err) != OND_OK) fail_msg("%s", err.text);
    return surface;
}

static inline OndVec mesh_corner(const OndMesh *mesh, uint32_t c)
{
    const float *at = mesh->corner + 3 * (size_t)c;
    return ond_vec(at[0], at[1], at[2]);
}

static inline double mesh_volume(const OndMesh *mesh)
{
    double sum = 0.0;
    const OndVec base = mesh->corner_count ? mesh_corner(mesh, 0) : ond_vec(0, 0, 0);
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *c = mesh->triangle + 3 * (size_t)t;
        const OndVec a = ond_sub(mesh_corner(mesh, c[0]), base),
                     b = ond_sub(mesh_corner(mesh, c[1]), base),
                     d = ond_sub(mesh_corner(mesh, c[2]), base);
        sum += ond_dot(a, ond_cross(b, d)) / 6.0;
    }
    return sum;
}

static inline int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Every directed edge once, and its reverse once: closed, and neighbours agree on which side is
// out. Returns the number of (undirected) edges.
static inline int check_edges(const OndMesh *mesh, const char *what)
{
    const int count = 3 * mesh->triangle_count;
    uint64_t *edge = malloc(2 * sizeof *edge * ((size_t)count + 1)), *back = edge + count;
    for (int t = 0; t < mesh->triangle_count; ++t)
        for (int c = 0; c < 3; ++c) {
            const uint64_t a = mesh->triangle[3 * t + c], b = mesh->triangle[3 * t + (c + 1) % 3];
            if (a == b || a >= (uint64_t)mesh->corner_count)
                fail_msg("%s: triangle %d has corners %d and %d", what, t, (int)a, (int)b);
            edge[3 * t + c] = a << 32 | b, back[3 * t + c] = b << 32 | a;
        }
    qsort(edge, (size_t)count, sizeof *edge, compare_keys);
    qsort(back, (size_t)count, sizeof *back, compare_keys);
    for (int e = 0; e < count; ++e) {
        if (e && edge[e] == edge[e - 1]) fail_msg("%s: an edge has more than two triangles", what);
        if (edge[e] != back[e]) fail_msg("%s: an edge has only one triangle", what);
    }
    free(edge);
    return count / 2;
}

// The triangles at each corner are one fan: going round from one of them visits all.
static inline void check_fans(const OndMesh *mesh, const char *what)
{
    const int count = 3 * mesh->triangle_count;
    uint64_t(*next)[2] = malloc(sizeof *next * ((size_t)count + 1)); // (corner, from) -> to
    int *degree = calloc((size_t)mesh->corner_count + 1, sizeof *degree);
    for (int n = 0; n < count; ++n) {
        const int t = n - n % 3;
        const uint64_t c = mesh->triangle[n], from = mesh->triangle[t + (n + 1) % 3];
        next[n][0] = c << 32 | from, next[n][1] = mesh->triangle[t + (n + 2) % 3];
        ++degree[c];
    }
    qsort(next, (size_t)count, sizeof *next, compare_keys);
    for (int c = 0, first = 0; c < mesh->corner_count; first += degree[c++]) {
        uint64_t at = next[first][0] & UINT32_MAX;
        int steps = 0;
        do {
            const uint64_t key = (uint64_t)c << 32 | at;
            const uint64_t *found = bsearch(&key, next, (size_t)count, sizeof *next, compare_keys);
            if (!found) fail_msg("%s: the fan of corner %d is open", what, c);
            at = found[1];
        } while (++steps < degree[c] && at != (next[first][0] & UINT32_MAX));
        if (steps != degree[c])
            fail_msg("%s: corner %d has %d of %d triangles in its fan", what, c, steps, degree[c]);
    }
    free(next);
    free(degree);
}

// Closed, manifold, outward, sane normals. Returns the Euler characteristic.
static inline int check_surface(const OndSurface *surface, const char *what)
{
    const OndMesh *mesh = &surface->mesh;
    const int edges = check_edges(mesh, what);
    check_fans(mesh, what);
    if (!(mesh_volume(mesh) > 0.0)) fail_msg("%s: volume %g", what, mesh_volume(mesh));
    for (int c = 0; c < mesh->corner_count; ++c) {
        const float *n = surface->normal + 3 * (size_t)c;
        CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-5, what);
        assert_true(
            isfinite(mesh->corner[3 * c] + mesh->corner[3 * c + 1] + mesh->corner[3 * c + 2]));
    }
    return mesh->corner_count - edges + mesh->triangle_count;
}

#endif

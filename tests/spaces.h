// SPDX-License-Identifier: MIT
// Inputs for the tests of src/space/: objects that lie in every awkward way.
#ifndef OND_TESTS_SPACES_H
#define OND_TESTS_SPACES_H

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "space/space.h"

#include <stdlib.h>

static inline double rnd(int i, int stream)
{
    return (double)ond_random((uint64_t)i, (uint64_t)stream);
}

static inline OndBox box_at(OndVec at, OndVec size)
{
    return (OndBox){ond_sub(at, ond_scale(size, 0.5)), ond_add(at, ond_scale(size, 0.5))};
}

static inline OndVec random_vec(int i, int stream)
{
    return ond_vec(rnd(i, stream), rnd(i, stream + 1), rnd(i, stream + 2));
}

// ---- boxes

static inline OndBox random_boxes(int i)
{
    return box_at(ond_scale(random_vec(i, 0), 10), ond_scale(random_vec(i, 3), 0.5));
}

// As in figure 2.4 of the source: few large, some middling, many small.
static inline OndBox mixed_boxes(int i)
{
    const double size = i % 10 == 0 ? 1024 : i % 4 == 0 ? 64 : 16;
    return box_at(ond_scale(random_vec(i, 0), 8192), ond_scale(random_vec(i, 3), size));
}

static inline OndBox clustered_boxes(int i)
{
    const OndVec knot = ond_scale(random_vec(i % 3, 10), 1000);
    return box_at(ond_add(knot, ond_scale(random_vec(i, 0), 0.1 * rnd(i, 6))),
                  ond_scale(random_vec(i, 3), 0.01));
}

static inline OndBox layered_boxes(int i)
{
    const double size = i % 16 == 0 ? 0.4 : i % 4 == 0 ? 0.2 : 0.1;
    return box_at(ond_vec(4 * rnd(i, 0),
                          (size == 0.4   ? 0
                           : size == 0.2 ? 1
                                         : 1.6) +
                              rnd(i, 1),
                          4 * rnd(i, 2)),
                  ond_vec(size, size, size));
}

static inline OndBox coincident_boxes(int i)
{
    return (OndBox){{1, 2, 3}, {1.5, 2.5, 3.25}};
}

static inline OndBox coincident_points(int i)
{
    return (OndBox){{1, 2, 3}, {1, 2, 3}};
}

static inline OndBox far_boxes(int i)
{
    const OndBox b = random_boxes(i);
    const OndVec far = {1e6, -1e6, 1e6};
    return (OndBox){ond_add(b.min, far), ond_add(b.max, far)};
}

// Faces exactly on each other and on the borders of cells.
static inline OndBox raster_boxes(int i)
{
    const OndVec at = ond_vec(i % 10, i / 10 % 10, i / 100);
    return (OndBox){at, ond_add(at, ond_vec(1, 1, 1))};
}

static inline OndBox line_boxes(int i)
{
    return box_at(ond_vec(100 * rnd(i, 0), 5, 5), ond_vec(0.1 * rnd(i, 1), 0, 0));
}

static inline OndBox stray_boxes(int i)
{
    if (i == 3) return box_at(ond_vec(1e6, 0, 0), ond_vec(1, 1, 1));
    if (i == 5) return box_at(ond_vec(5, 5, 5), ond_vec(1e9, 1e9, 1e9));
    if (i == 7) return box_at(ond_vec(5, -1e30, 5), ond_vec(1, 1, 1));
    return random_boxes(i);
}

static inline OndBox odd_boxes(int i)
{
    OndBox b = random_boxes(i);
    switch (i % 8) {
    case 1:
        b.min.x = b.max.x + 1; // turned inside out
        break;
    case 2:
        b.max.y = NAN;
        break;
    case 3:
        b.min.z = -INFINITY, b.max.z = INFINITY;
        break;
    case 4:
        b = (OndBox){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, b.max.y, INFINITY}};
        break;
    case 5:
        b.min = b.max; // a point
        break;
    case 6:
        b.min.x = -1.7e308, b.max.x = 1.7e308;
        break;
    default:
        break;
    }
    return b;
}

// Sizes over twelve powers of ten.
static inline OndBox scaled_boxes(int i)
{
    const double size = pow(10.0, 12.0 * rnd(i, 6) - 9.0);
    return box_at(ond_scale(random_vec(i, 0), 100), ond_scale(random_vec(i, 3), size));
}

typedef struct BoxSet {
    const char *name;
    OndBox (*make)(int i);
    int count;
} BoxSet;

static const BoxSet box_sets[] = {
    {"random", random_boxes, 1500},
    {"mixed", mixed_boxes, 3000},
    {"clustered", clustered_boxes, 1500},
    {"layered", layered_boxes, 1500},
    {"coincident", coincident_boxes, 300},
    {"coincident points", coincident_points, 300},
    {"far away", far_boxes, 1500},
    {"on the raster", raster_boxes, 1000},
    {"line", line_boxes, 1000},
    {"stray", stray_boxes, 1000},
    {"odd", odd_boxes, 800},
    {"scaled", scaled_boxes, 1500},
    {"one", random_boxes, 1},
    {"two", random_boxes, 2},
    {"none", random_boxes, 0},
};

#define QUESTIONS 200

// Questions of every kind about one set: small, long, exact copies, points, all there is, and odd
// ones.
static inline OndBox question_box(const BoxSet *set, int q)
{
    const OndBox near = set->make(q * 7 % (set->count + 1));
    OndBox b = near;
    switch (q % 8) {
    case 0:
        break; // the same box again: all faces meet
    case 1:
        b.min = b.max; // a corner
        break;
    case 2: { // a path
        const OndVec to = ond_add(b.max, ond_scale(ond_sub(b.max, b.min), 4 * rnd(q, 30)));
        b.max = to;
        break;
    }
    case 3: // from one object to another
        b = set->make(q * 13 % (set->count + 1));
        b.min = ond_vec(fmin(b.min.x, near.min.x), fmin(b.min.y, near.min.y),
                        fmin(b.min.z, near.min.z));
        b.max = ond_vec(fmax(b.max.x, near.max.x), fmax(b.max.y, near.max.y),
                        fmax(b.max.z, near.max.z));
        break;
    case 4: // face to face, and no more
        b.min.x = b.max.x, b.max.x += 0.3;
        break;
    case 5: // just beyond
        b.min.x = nextafter(b.max.x, INFINITY), b.max.x = b.min.x + 0.1;
        break;
    case 6:
        b = random_boxes(q);
        break;
    default:
        if (q % 32 == 7)
            b = (OndBox){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
        else if (q % 32 == 15)
            b.min.y = NAN;
        else if (q % 32 == 23)
            b.min.x = b.max.x + 1;
        else
            b = (OndBox){{-1e12, 1, -1e12}, {1e12, 4, 1e12}};
        break;
    }
    return b;
}

// ---- points

typedef struct PointSet {
    const char *name;
    void (*make)(int i, float at[3], float *radius);
    int count;
    double reach;
} PointSet;

static inline void random_points(int i, float at[3], float *radius)
{
    for (int a = 0; a < 3; ++a)
        at[a] = (float)rnd(i, a);
    *radius = 0.03f;
}

static inline void sized_points(int i, float at[3], float *radius)
{
    random_points(i, at, radius);
    *radius = i % 20 == 0 ? 0.16f : i % 5 == 0 ? 0.05f : 0.01f + 0.01f * (float)rnd(i, 7);
}

static inline void clustered_points(int i, float at[3], float *radius)
{
    for (int a = 0; a < 3; ++a)
        at[a] = (float)(100 * rnd(i % 3, 10 + a) + 0.2 * rnd(i, a) * rnd(i, 6));
    *radius = 0.005f;
}

static inline void layered_points(int i, float at[3], float *radius)
{
    const int level = i % 16 == 0 ? 2 : i % 4 == 0 ? 1 : 0;
    *radius = 0.02f * powf(1.5874f, (float)level);
    at[0] = (float)rnd(i, 0), at[1] = (float)(1 - 0.3 * level - 0.3 * rnd(i, 1)),
    at[2] = (float)rnd(i, 2);
}

static inline void coincident_point(int i, float at[3], float *radius)
{
    at[0] = 0.25f, at[1] = -3, at[2] = 1e-3f;
    *radius = 0.1f;
}

static inline void far_points(int i, float at[3], float *radius)
{
    for (int a = 0; a < 3; ++a)
        at[a] = (a == 1 ? -1e6f : 1e6f) + (float)(20 * rnd(i, a));
    *radius = 0.5f;
}

static inline void odd_points(int i, float at[3], float *radius)
{
    sized_points(i, at, radius);
    if (i % 50 == 1) at[1] = NAN;
    if (i % 50 == 2) *radius = NAN;
    if (i % 50 == 3) at[0] = INFINITY;
    if (i % 50 == 4) *radius = -1;
    if (i % 50 == 5) *radius = 0;
    if (i == 60) *radius = 1e9f;
    if (i == 61) at[2] = 1e20f;
}

static inline void raster_points(int i, float at[3], float *radius)
{
    at[0] = 0.125f * (float)(i % 12), at[1] = 0.125f * (float)(i / 12 % 12),
    at[2] = 0.125f * (float)(i / 144);
    *radius = 0.0625f;
}

static const PointSet point_sets[] = {
    {"random", random_points, 1500, 0.1},
    {"sized", sized_points, 1500, 0.0},
    {"clustered", clustered_points, 1500, 0.02},
    {"layered", layered_points, 1500, 0.05},
    {"coincident", coincident_point, 300, 0.1},
    {"far away", far_points, 1500, 1.0},
    {"odd", odd_points, 1000, 0.05},
    {"on the raster", raster_points, 1728, 0.125},
    {"one", random_points, 1, 0.1},
    {"none", random_points, 0, 0.1},
};

typedef struct Points {
    float *x, *y, *z, *radius;
    OndSpacePoints view;
} Points;

static inline Points make_points(const PointSet *set)
{
    const size_t room = (size_t)set->count + 1;
    Points p = {calloc(room, sizeof(float)),
                calloc(room, sizeof(float)),
                calloc(room, sizeof(float)),
                calloc(room, sizeof(float)),
                {0}};
    for (int i = 0; i < set->count; ++i) {
        float at[3];
        set->make(i, at, &p.radius[i]);
        p.x[i] = at[0], p.y[i] = at[1], p.z[i] = at[2];
    }
    p.view = (OndSpacePoints){p.x, p.y, p.z, p.radius, set->count, set->reach};
    return p;
}

static inline void free_points(Points *p)
{
    free(p->x), free(p->y), free(p->z), free(p->radius);
}

#endif

// SPDX-License-Identifier: MIT
#include "solids/bodies/body_points.h"

#include "geom/closest.h"

#include <stdlib.h>

#define POINTS_MAX 3000
#define SAME_WAY   0.95 // of two unit normals: one direction
#define CLUSTER    4    // touches kept for a direction

// ---- points

typedef struct PointWriter {
    OndBodyPoint *point; // NULL: only count
    long long count;
} PointWriter;

static void put(PointWriter *w, OndVec at, OndVec way, double half)
{
    if (w->point) w->point[w->count] = (OndBodyPoint){at, way, half};
    ++w->count;
}

static OndVec way_of(const OndMesh *mesh, int triangle)
{
    OndVec corner[3];
    for (int k = 0; k < 3; ++k)
        corner[k] = ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)triangle + k]);
    return ond_unit(ond_triangle_normal(corner));
}

static double angle(OndVec a, OndVec b)
{
    return acos(fmax(-1.0, fmin(1.0, ond_dot(a, b))));
}

// At a corner the surface looks the mean way of the faces that meet there, by their angles, so that
// it does not matter how a flat side was cut into triangles.
static void lean_corners(const OndMesh *mesh, OndBodyPoint *point)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const OndVec way = way_of(mesh, t);
        const uint32_t *const c = mesh->triangle + 3 * (size_t)t;
        for (int k = 0; k < 3; ++k) {
            const OndVec a = ond_mesh_corner(mesh, c[k]);
            const OndVec u = ond_unit(ond_sub(ond_mesh_corner(mesh, c[(k + 1) % 3]), a)),
                         v = ond_unit(ond_sub(ond_mesh_corner(mesh, c[(k + 2) % 3]), a));
            point[c[k]].way = ond_add(point[c[k]].way, ond_scale(way, angle(u, v)));
        }
    }
    for (int c = 0; c < mesh->corner_count; ++c)
        if (ond_length(point[c].way) > 1e-9)
            point[c].way = ond_unit(point[c].way);
        else
            point[c].half = M_PI;
    for (int t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            OndBodyPoint *const p = &point[mesh->triangle[3 * (size_t)t + k]];
            p->half = fmax(p->half, angle(p->way, way_of(mesh, t)));
        }
}

// Along its sides, and inside the lattice of two of them. Two triangles each put points on the side
// that they share: there the surface looks both ways.
static void put_triangle(PointWriter *w, const OndMesh *mesh, int t, double pitch)
{
    const OndVec way = way_of(mesh, t);
    OndVec c[3];
    double longest = 0.0;
    for (int k = 0; k < 3; ++k)
        c[k] = ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)t + k]);
    for (int k = 0; k < 3; ++k) {
        const OndVec u = ond_sub(c[(k + 1) % 3], c[k]);
        const int n = (int)fmin(ond_length(u) / pitch, 200.0);
        longest = fmax(longest, ond_length(u));
        for (int i = 1; i < n; ++i)
            put(w, ond_add(c[k], ond_scale(u, (double)i / n)), way, 0.0);
    }
    const OndVec u = ond_sub(c[1], c[0]), v = ond_sub(c[2], c[0]);
    const int n = (int)fmin(longest / pitch, 200.0);
    for (int i = 1; i < n; ++i)
        for (int j = 1; i + j < n; ++j)
            put(w, ond_add(c[0], ond_add(ond_scale(u, (double)i / n), ond_scale(v, (double)j / n))),
                way, 0.0);
}

static void put_mesh(PointWriter *w, const OndMesh *mesh, double pitch)
{
    for (int c = 0; c < mesh->corner_count; ++c)
        put(w, ond_mesh_corner(mesh, (uint32_t)c), ond_vec(0, 0, 0), 0.0);
    if (w->point) lean_corners(mesh, w->point);
    for (int t = 0; t < mesh->triangle_count; ++t)
        put_triangle(w, mesh, t, pitch);
}

// Which way a shape looks at a place of its surface: asked a little off it on all sides, where the
// faces of an edge are seen one by one.
static void put_leaning(PointWriter *w, const OndShape *shape, OndVec p, double pitch, bool flat)
{
    OndVec way[6], mean = {0, 0, 0};
    double half = 0.0;
    for (int k = 0; k < (flat ? 4 : 6); ++k) {
        const double off = k % 2 ? 0.2 * pitch : -0.2 * pitch;
        const OndVec q =
            ond_vec(p.x + (k / 2 == 0) * off, p.y + (k / 2 == 1) * off, p.z + (k / 2 == 2) * off);
        way[k] = ond_shape_gradient(shape, q, 1e-4 * pitch, flat);
        mean = ond_add(mean, way[k]);
    }
    if (!(ond_length(mean) > 0.1)) {
        put(w, p, ond_vec(0, 0, 0), M_PI);
        return;
    }
    mean = ond_unit(mean);
    for (int k = 0; k < (flat ? 4 : 6); ++k)
        half = fmax(half, angle(mean, way[k]));
    put(w, p, mean, half);
}

// Lattice points near the surface, led to it.
static void put_shape(PointWriter *w, const OndShape *shape, double pitch, bool flat)
{
    const OndBox box = ond_shape_bounds(shape);
    const OndVec size = ond_sub(box.max, box.min);
    const int nx = (int)(size.x / pitch) + 3, ny = (int)(size.y / pitch) + 3,
              nz = flat ? 1 : (int)(size.z / pitch) + 3;
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                OndVec p = ond_add(box.min, ond_scale(ond_vec(i - 0.9, j - 0.9, k - 0.9), pitch));
                if (flat) p.z = 0.0;
                double d = ond_shape_distance(shape, p, flat);
                if (fabs(d) > 0.9 * pitch) continue;
                for (int round = 0; round < 3; ++round) {
                    p = ond_sub(p, ond_scale(ond_shape_gradient(shape, p, 1e-4 * pitch, flat), d));
                    d = ond_shape_distance(shape, p, flat);
                }
                if (fabs(d) < 1e-2 * pitch) put_leaning(w, shape, p, pitch, flat);
            }
}

static long long put_all(const OndSimSolid *solid, double pitch, bool flat, OndBodyPoint *to)
{
    PointWriter w = {to, 0};
    if (solid->mesh.triangle_count > 0 && !flat)
        put_mesh(&w, &solid->mesh, pitch);
    else
        put_shape(&w, solid->inside, pitch, flat);
    return w.count;
}

// Large meshes have more corners than are needed: every so many of them will do.
static int thin_points(OndBodyPoint *point, long long count)
{
    const long long stride = (count + POINTS_MAX - 1) / POINTS_MAX;
    int kept = 0;
    for (long long k = 0; k<count; k += stride> 0 ? stride : 1)
        point[kept++] = point[k];
    return kept;
}

OndStatus ond_body_points_make(const OndSimSolid *solid, double pitch, bool flat, OndArena *arena,
                               OndBodyPoints *out, OndError *err)
{
    const OndVec size = ond_sub(solid->bounds.max, solid->bounds.min);
    const double longest = fmax(size.x, fmax(size.y, flat ? 0.0 : size.z));
    *out = (OndBodyPoints){NULL, 0};
    pitch = fmin(fmax(pitch, longest / 40.0), longest / 4.0); // small ones have some, too
    if (!(pitch > 0.0)) return OND_OK;
    const long long count = put_all(solid, pitch, flat, NULL);
    if (count > 50000000)
        return ond_fail(err, OND_NO_MEMORY, "solid '%.60s' has too many corners for a body",
                        solid->def->name);
    out->point = ond_arena_take(arena, ((size_t)count + 1) * sizeof *out->point);
    if (!out->point)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %lld points", count);
    put_all(solid, pitch, flat, out->point);
    out->count = thin_points(out->point, count);
    return OND_OK;
}

double ond_body_point_facing(const OndBodyPoint *point, OndVec way, OndVec normal)
{
    if (point->half >= M_PI) return 1.0;
    const double off = angle(way, ond_scale(normal, -1.0)) - point->half;
    return off > 0.0 ? cos(off) : 1.0;
}

// ---- touches

static int by_depth(const void *a, const void *b)
{
    const OndBodyTouch *const x = a, *const y = b;
    const double value[2][4] = {{x->depth, x->at.x, x->at.y, x->at.z},
                                {y->depth, y->at.x, y->at.y, y->at.z}};
    for (int k = 0; k < 4; ++k)
        if (value[0][k] != value[1][k]) return value[0][k] > value[1][k] ? -1 : 1;
    return 0;
}

static void swap(OndBodyTouch *a, OndBodyTouch *b)
{
    const OndBodyTouch c = *a;
    *a = *b, *b = c;
}

// How much a touch adds to those that are kept: its distance to the nearest of them.
static double away(const OndBodyTouch *kept, int count, OndVec at)
{
    double nearest = INFINITY;
    for (int k = 0; k < count; ++k)
        nearest = fmin(nearest, ond_length(ond_sub(kept[k].at, at)));
    return nearest;
}

// The deepest is kept, then three times the one farthest from all that are kept. Returns how many
// are kept, and moves them to the front.
static int thin_cluster(OndBodyTouch *touch, int count, double apart)
{
    int kept = 1;
    while (kept < CLUSTER && kept < count) {
        int best = kept;
        double most = apart;
        for (int k = kept; k < count; ++k) {
            const double here = away(touch, kept, touch[k].at);
            if (here > most) most = here, best = k;
        }
        if (!(most > apart)) break;
        swap(&touch[kept++], &touch[best]);
    }
    return kept;
}

int ond_body_touches_thin(OndBodyTouch *touch, int count, double apart, int most)
{
    qsort(touch, (size_t)count, sizeof *touch, by_depth);
    int done = 0, left = 0;
    while (done < count && left + CLUSTER <= most) {
        const OndVec way = touch[done].normal;
        int same = done + 1;
        for (int k = done + 1; k < count; ++k)
            if (ond_dot(touch[k].normal, way) > SAME_WAY) swap(&touch[same++], &touch[k]);
        const int kept = thin_cluster(touch + done, same - done, apart);
        for (int k = 0; k < kept; ++k)
            touch[left + k] = touch[done + k];
        left += kept;
        done = same;
    }
    return left;
}

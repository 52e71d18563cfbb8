// SPDX-License-Identifier: MIT
#include "geom/mesh_repair.h"

#include "base/memory.h"
#include "base/random.h"
#include "geom/closest.h"
#include "geom/mesh_edges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A hole of a container is closed when it is smaller than this share of the mesh's size.
#define SMALL_HOLE 0.1

typedef struct Mending {
    OndMesh *mesh;
    int *origin; ///< of each triangle: its number in the mesh as given; -1: new
    OndMeshRepair *report;
    double size; ///< of the mesh
} Mending;

// ---- corners that are not quite one
// --------------------------------------------------------------

static double size_of(const OndMesh *mesh)
{
    double size = 0.0;
    for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 3 * mesh->triangle_count; ++i) {
            const double x = mesh->corner[3 * (size_t)mesh->triangle[i] + k];
            low = ond_min(low, x);
            high = ond_max(high, x);
        }
        size = ond_max(size, high - low);
    }
    return size;
}

typedef struct Bins {
    int *slot; ///< corner + 1 of a place already taken; 0: free
    size_t slots;
    double cell;
} Bins;

static uint64_t bin_key(const long long cell[3])
{
    uint64_t key = 0;
    for (int k = 0; k < 3; ++k)
        key = ond_scramble(key ^ (uint64_t)cell[k]);
    return key;
}

static void bin_of(const Bins *bins, const float *p, long long cell[3])
{
    for (int k = 0; k < 3; ++k)
        cell[k] = (long long)ond_clamp(floor(p[k] / bins->cell), -1e18, 1e18);
}

/// A corner taken before that is within `within` of corner c and stands in that bin; -1: none.
static int same_in_bin(const Bins *bins, const OndMesh *mesh, int c, const long long cell[3],
                       double within)
{
    const OndVec p = ond_mesh_corner(mesh, (uint32_t)c);
    size_t s = (size_t)bin_key(cell) & (bins->slots - 1);
    for (; bins->slot[s]; s = (s + 1) & (bins->slots - 1)) {
        const int other = bins->slot[s] - 1;
        if (ond_distance2(p, ond_mesh_corner(mesh, (uint32_t)other)) <= within * within)
            return other;
    }
    return -1;
}

static int same_corner(const Bins *bins, const OndMesh *mesh, int c, double within)
{
    long long here[3];
    int best = -1;
    bin_of(bins, mesh->corner + 3 * (size_t)c, here);
    for (int i = 0; i < 27; ++i) {
        const long long cell[3] = {here[0] + i % 3 - 1, here[1] + i / 3 % 3 - 1,
                                   here[2] + i / 9 - 1};
        const int other = same_in_bin(bins, mesh, c, cell, within);
        if (other >= 0 && (best < 0 || other < best)) best = other;
    }
    return best;
}

static void take_corner(Bins *bins, const OndMesh *mesh, int c)
{
    long long here[3];
    bin_of(bins, mesh->corner + 3 * (size_t)c, here);
    size_t s = (size_t)bin_key(here) & (bins->slots - 1);
    while (bins->slot[s])
        s = (s + 1) & (bins->slots - 1);
    bins->slot[s] = c + 1;
}

/// Corners of the same place are one after welding; those that almost are follow here.
static OndStatus join_near_corners(Mending *m, OndError *err)
{
    OndMesh *mesh = m->mesh;
    const double within = OND_MESH_WELD * m->size;
    Bins bins = {NULL, 64, 2.0 * within};
    while (bins.slots < 4 * (size_t)mesh->corner_count)
        bins.slots *= 2;
    bins.slot = OND_NEW_ARRAY(int, bins.slots);
    int *first = OND_NEW_ARRAY(int, mesh->corner_count);
    const bool room = bins.slot && first;
    for (int i = 0; room && i < 3 * mesh->triangle_count; ++i) {
        const int c = (int)mesh->triangle[i];
        if (first[c]) continue;
        const int same = within > 0.0 ? same_corner(&bins, mesh, c, within) : -1;
        if (same < 0 && within > 0.0) take_corner(&bins, mesh, c);
        m->report->welded += same >= 0;
        first[c] = (same < 0 ? c : same) + 1;
    }
    for (int i = 0; room && i < 3 * mesh->triangle_count; ++i)
        mesh->triangle[i] = (uint32_t)first[mesh->triangle[i]] - 1;
    ond_free(bins.slot);
    ond_free(first);
    return room ? OND_OK : ond_fail(err, OND_NO_MEMORY, "no memory to join the corners of a mesh");
}

// ---- triangles without area, and twice the same
// ----------------------------------------------------

static void sort3(const uint32_t *t, uint32_t out[3])
{
    const uint32_t a = t[0], b = t[1], c = t[2];
    out[0] = a < b ? (a < c ? a : c) : (b < c ? b : c);
    out[2] = a > b ? (a > c ? a : c) : (b > c ? b : c);
    out[1] = a ^ b ^ c ^ out[0] ^ out[2];
}

typedef struct NamedTriangle {
    uint32_t corner[3];
    int triangle;
} NamedTriangle;

static int compare_named(const void *a, const void *b)
{
    const NamedTriangle *x = a, *y = b;
    for (int k = 0; k < 3; ++k)
        if (x->corner[k] != y->corner[k]) return x->corner[k] < y->corner[k] ? -1 : 1;
    return x->triangle - y->triangle;
}

static void keep_marked(Mending *m, const unsigned char *drop)
{
    int kept = 0;
    for (int t = 0; t < m->mesh->triangle_count; ++t) {
        if (drop[t]) continue;
        memmove(m->mesh->triangle + 3 * (size_t)kept, m->mesh->triangle + 3 * (size_t)t,
                3 * sizeof(uint32_t));
        m->origin[kept++] = m->origin[t];
    }
    m->mesh->triangle_count = kept;
}

static bool has_no_area(const Mending *m, int t)
{
    OndVec c[3];
    const uint32_t *corner = m->mesh->triangle + 3 * (size_t)t;
    for (int k = 0; k < 3; ++k)
        c[k] = ond_mesh_corner(m->mesh, corner[k]);
    const double longest = sqrt(ond_max(
        ond_distance2(c[0], c[1]), ond_max(ond_distance2(c[1], c[2]), ond_distance2(c[2], c[0]))));
    return ond_length(ond_triangle_normal(c)) <= OND_MESH_WELD * m->size * longest * 1e-3;
}

/// Those with two corners in one are gone without a trace. A needle between neighbours stays: it
/// has no area, but without it they would gape.
static OndStatus drop_triangles(Mending *m, OndError *err)
{
    const int count = m->mesh->triangle_count;
    unsigned char *drop = OND_NEW_ARRAY(unsigned char, count + 1);
    NamedTriangle *named = OND_NEW_ARRAY(NamedTriangle, count + 1);
    for (int t = 0; drop && named && t < count; ++t) {
        const uint32_t *c = m->mesh->triangle + 3 * (size_t)t;
        drop[t] = c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
        m->report->dropped += drop[t];
        sort3(c, named[t].corner);
        named[t].triangle = t;
    }
    if (drop && named) {
        qsort(named, (size_t)count, sizeof *named, compare_named);
        for (int i = 1; i < count; ++i) {
            if (memcmp(named[i].corner, named[i - 1].corner, sizeof named[i].corner) != 0) continue;
            if (drop[named[i].triangle]) continue;
            drop[named[i].triangle] = 1;
            ++m->report->repeated;
        }
        keep_marked(m, drop);
    }
    ond_free(drop);
    ond_free(named);
    return drop && named ? OND_OK : ond_fail(err, OND_NO_MEMORY, "no memory to mend a mesh");
}

/// Needles that hang on to nothing on one of their sides do no good.
static OndStatus drop_needles(Mending *m, const OndMeshEdges *edges, OndError *err)
{
    const int count = m->mesh->triangle_count;
    unsigned char *drop = OND_NEW_ARRAY(unsigned char, count + 1);
    int dropped = 0;
    for (int t = 0; drop && t < count; ++t) {
        const int *other = edges->other + 3 * (size_t)t;
        const bool hangs = other[0] >= 0 && other[1] >= 0 && other[2] >= 0;
        drop[t] = !hangs && has_no_area(m, t);
        dropped += drop[t];
    }
    if (drop) keep_marked(m, drop);
    m->report->dropped += dropped;
    ond_free(drop);
    return drop ? OND_OK : ond_fail(err, OND_NO_MEMORY, "no memory to mend a mesh");
}

// ---- holes and crossings
// -------------------------------------------------------------

static OndStatus fail_open(const Mending *m, OndMeshUse use, const OndMeshEdges *edges,
                           OndError *err)
{
    int side = 0;
    while (side < 3 * m->mesh->triangle_count && edges->other[side] != OND_EDGE_OPEN &&
           edges->other[side] != OND_EDGE_CROWDED)
        ++side;
    const OndVec a = ond_mesh_corner(m->mesh, ond_side_from(m->mesh, side));
    const OndVec b = ond_mesh_corner(m->mesh, ond_side_to(m->mesh, side));
    static const char *const lacks[] = {[OND_MESH_CONTAINER] = "contains nothing",
                                        [OND_MESH_BODY] = "has no volume and cannot float",
                                        [OND_MESH_FILLED] = "has no volume and cannot be filled"};
    static const char *const remedy[] = {
        [OND_MESH_CONTAINER] = "close it, or use it as an obstacle",
        [OND_MESH_BODY] = "close it, or use it as an obstacle without density and mass",
        [OND_MESH_FILLED] = "fill its holes in a modelling program"};
    return ond_fail(
        err, OND_BAD_VALUE,
        "the mesh has holes, so it %s: %d open edge%s, one of triangle %d (from 0) from "
        "(%g, %g, %g) to (%g, %g, %g); %s",
        lacks[use], edges->open, edges->open == 1 ? "" : "s", m->origin[side / 3], a.x, a.y, a.z,
        b.x, b.y, b.z, remedy[use]);
}

static OndStatus close_all(Mending *m, OndMeshUse use, OndMeshEdges *edges, OndError *err)
{
    OndStatus status = OND_OK;
    if (edges->open > 0) {
        const int closed = ond_mesh_close_holes(m->mesh, edges, SMALL_HOLE * m->size, &m->origin);
        ond_mesh_edges_free(edges);
        if (closed < 0) return ond_fail(err, OND_NO_MEMORY, "no memory to close holes of a mesh");
        m->report->holes = closed;
        status = ond_mesh_edges_find(edges, m->mesh, err);
    }
    if (status == OND_OK && edges->open > 0) status = fail_open(m, use, edges, err);
    return status;
}

static OndStatus look_for_crossing(Mending *m, OndMeshUse use, OndError *err)
{
    int pair[2];
    OndVec at = {0, 0, 0};
    const OndStatus status = ond_mesh_find_crossing(m->mesh, pair, &at, err);
    if (status != OND_OK || pair[0] < 0) return status;
    m->report->crossing[0] = m->origin[pair[0]];
    m->report->crossing[1] = m->origin[pair[1]];
    if (use == OND_MESH_BODY) return OND_OK; // heavier than it looks, but it floats
    return ond_fail(
        err, OND_BAD_VALUE,
        "triangles %d and %d (from 0) pass through each other at (%.4g, %.4g, %.4g), so "
        "nobody can say what the mesh contains; mend it in a modeller, or use it as "
        "an obstacle",
        m->origin[pair[0]], m->origin[pair[1]], at.x, at.y, at.z);
}

// ---- words
// -------------------------------------------------------------------------------------------

static void say(OndMeshRepair *report, const char *what, int count)
{
    const size_t used = strlen(report->words);
    if (count == 0) return;
    snprintf(report->words + used, sizeof report->words - used, "%s%d %s", used ? "; " : "", count,
             what);
}

static void say_all(OndMeshRepair *r)
{
    say(r, "corners joined that almost were one", r->welded);
    say(r, "triangles without area left out", r->dropped);
    say(r, "triangles left out that were there twice", r->repeated);
    say(r, "triangles turned to face outwards with their neighbours", r->turned);
    say(r, "small holes closed", r->holes);
    say(r, "open edges left: it is a sheet with two sides", r->open_edges);
    const size_t used = strlen(r->words);
    if (r->crossing[0] >= 0)
        snprintf(r->words + used, sizeof r->words - used,
                 "%striangles %d and %d (from 0) pass through each other: where parts overlap, "
                 "volume and mass count twice",
                 used ? "; " : "", r->crossing[0], r->crossing[1]);
}

// ---- all of it
// -----------------------------------------------------------------------------------------

// The corner that is farthest from the mean of all: one slip of a hand makes everything else small.
static int farthest_corner(const OndMesh *mesh)
{
    OndVec middle = ond_vec(0, 0, 0);
    for (int i = 0; i < mesh->corner_count; ++i)
        middle = ond_add(middle,
                         ond_scale(ond_mesh_corner(mesh, (uint32_t)i), 1.0 / mesh->corner_count));
    int farthest = 0;
    double most = 0.0;
    for (int i = 0; i < mesh->corner_count; ++i) {
        const double away = ond_length(ond_sub(ond_mesh_corner(mesh, (uint32_t)i), middle));
        if (away > most) most = away, farthest = i;
    }
    return farthest;
}

static OndStatus fail_flat(const Mending *m, OndError *err)
{
    if (m->mesh->corner_count == 0 || !(m->size > 0.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "the mesh is a single point: it has no triangle with an area");
    const int corner = farthest_corner(m->mesh);
    const OndVec at = ond_mesh_corner(m->mesh, (uint32_t)corner);
    return ond_fail(err, OND_BAD_VALUE,
                    "the mesh has no triangle with an area: all are lines or points, or nothing "
                    "beside its corner %d (from 0) at (%g, %g, %g), if that is a slip",
                    corner, at.x, at.y, at.z);
}

static OndStatus mend(Mending *m, OndMeshUse use, OndError *err)
{
    OndMeshEdges edges = {0};
    OndStatus status = join_near_corners(m, err);
    if (status == OND_OK) status = drop_triangles(m, err);
    if (status == OND_OK) status = ond_mesh_edges_find(&edges, m->mesh, err);
    if (status == OND_OK) status = drop_needles(m, &edges, err);
    ond_mesh_edges_free(&edges);
    if (status == OND_OK && m->mesh->triangle_count == 0) status = fail_flat(m, err);
    if (status == OND_OK) status = ond_mesh_edges_find(&edges, m->mesh, err);
    if (status == OND_OK) {
        m->report->turned = ond_mesh_turn(m->mesh, &edges);
        if (m->report->turned < 0) status = ond_fail(err, OND_NO_MEMORY, "no memory for a mesh");
    }
    if (status == OND_OK && use != OND_MESH_SHEET) status = close_all(m, use, &edges, err);
    m->report->open_edges = edges.open;
    m->report->closed = edges.open == 0;
    ond_mesh_edges_free(&edges);
    if (status == OND_OK && (use == OND_MESH_CONTAINER || use == OND_MESH_BODY))
        status = look_for_crossing(m, use, err);
    return status;
}

/// Numbers of the triangles that welding keeps.
static void number_triangles(const OndMesh *mesh, const OndMesh *welded, int *origin)
{
    int kept = 0;
    for (int t = 0; t < mesh->triangle_count && kept < welded->triangle_count; ++t) {
        const uint32_t *from = mesh->triangle + 3 * (size_t)t;
        const uint32_t *to = welded->triangle + 3 * (size_t)kept;
        bool same = true;
        for (int k = 0; k < 3; ++k) {
            const float *p = mesh->corner + 3 * (size_t)from[k];
            const float *q = welded->corner + 3 * (size_t)to[k];
            same = same && p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
        }
        if (same) origin[kept++] = t;
    }
}

OndStatus ond_mesh_repair(const OndMesh *mesh, OndMeshUse use, OndMesh *out, OndMeshRepair *report,
                          OndError *err)
{
    memset(report, 0, sizeof *report);
    report->crossing[0] = report->crossing[1] = -1;
    OndStatus status = ond_mesh_weld(mesh, out, err);
    if (status != OND_OK) return status;
    Mending m = {out, OND_NEW_ARRAY(int, out->triangle_count + 1), report, size_of(out)};
    if (!m.origin) status = ond_fail(err, OND_NO_MEMORY, "no memory to mend a mesh");
    report->dropped = mesh->triangle_count - out->triangle_count;
    if (status == OND_OK) {
        number_triangles(mesh, out, m.origin);
        status = mend(&m, use, err);
    }
    ond_free(m.origin);
    if (status != OND_OK)
        ond_mesh_free(out);
    else
        say_all(report);
    return status;
}

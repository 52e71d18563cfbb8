// SPDX-License-Identifier: MIT
#include "surface/mesh/specks.h"

#include "base/memory.h"
#include "surface/mesh/mesh_parts.h"

#include <stdlib.h>
#include <string.h>

#define SHARE 0.4  // of the smallest particle near: islands with more liquid stay
#define WIDE  2.0  // sizes of the largest particle: what is wider is no speck
#define HOLDS 0.5  // sizes: a drop that is made in finer cells has its particle in its box,
#define ROUND 0.01 // but for rounding

typedef struct Island {
    OndBox box;
    double volume;
    uint32_t part;
    bool speck;
} Island;

typedef struct SpeckSearch {
    OndMesh *mesh;
    float *normal;
    const OndPoints *points;
    double cell;
    uint32_t *part; // of each corner: which one, counted from 0
    OndBox *box;    // of each part
    int part_count;
    Island *island; // the parts that are small, by where they begin along x
    int island_count;
} SpeckSearch;

// ---- islands

// Parts are numbered in the order of their first corners.
static void number_parts(SpeckSearch *s)
{
    ond_mesh_parts(s->mesh, s->part);
    for (uint32_t c = 0; c < (uint32_t)s->mesh->corner_count; ++c) // s->part[c] <= c
        s->part[c] = s->part[c] == c ? (uint32_t)s->part_count++ : s->part[s->part[c]];
}

static void find_boxes(SpeckSearch *s)
{
    uint32_t known = 0;
    for (int c = 0; c < s->mesh->corner_count; ++c) {
        const OndVec at = ond_mesh_corner(s->mesh, (uint32_t)c);
        const uint32_t part = s->part[c];
        s->box[part] = part < known ? ond_box_add(s->box[part], at) : (OndBox){at, at};
        known += part == known;
    }
}

static bool is_small(const SpeckSearch *s, const OndBox *box)
{
    const OndVec edge = ond_sub(box->max, box->min);
    return fmax(edge.x, fmax(edge.y, edge.z)) <= WIDE * s->points->largest;
}

static int compare_islands(const void *a, const void *b)
{
    const Island *x = a, *y = b;
    if (x->box.min.x != y->box.min.x) return x->box.min.x < y->box.min.x ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

static void add_volumes(SpeckSearch *s, const uint32_t *island_of)
{
    const OndMesh *mesh = s->mesh;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *corner = mesh->triangle + 3 * (size_t)t;
        const uint32_t own = island_of[s->part[corner[0]]];
        if (own == UINT32_MAX) continue;
        Island *island = &s->island[own];
        island->volume += ond_mesh_six_volumes(mesh, corner, island->box.min) / 6.0;
    }
}

static bool list_islands(SpeckSearch *s)
{
    int count = 0;
    for (int p = 0; p < s->part_count; ++p)
        count += is_small(s, &s->box[p]);
    if (count == 0) return true;
    uint32_t *island_of = OND_NEW_ARRAY(uint32_t, s->part_count);
    s->island = OND_NEW_ARRAY(Island, count);
    if (island_of && s->island) {
        for (int p = 0; p < s->part_count; ++p) {
            const bool small = is_small(s, &s->box[p]);
            island_of[p] = small ? (uint32_t)s->island_count : UINT32_MAX;
            if (small) s->island[s->island_count++] = (Island){s->box[p], 0.0, (uint32_t)p, false};
        }
        add_volumes(s, island_of);
        qsort(s->island, (size_t)count, sizeof *s->island, compare_islands);
    }
    ond_free(island_of);
    return s->island_count == count;
}

// ---- judging

// How far a particle is from a box, along the axis where it is farthest. One behind a wall counts
// as on it, where its drop is cut off.
static double distance_to(const SpeckSearch *s, const OndBox *box, uint32_t i)
{
    const OndPoints *p = s->points;
    const double at[3] = {p->x[i], p->y[i], p->z[i]};
    double most = 0.0;
    for (int a = 0; a < 3; ++a) {
        double x = at[a];
        if (p->walls.sides >> (2 * a) & 1) x = fmax(x, ond_walls_at(&p->walls, 2 * a));
        if (p->walls.sides >> (2 * a) & 2) x = fmin(x, ond_walls_at(&p->walls, 2 * a + 1));
        most = fmax(most, fmax(ond_axis(box->min, a) - x, x - ond_axis(box->max, a)));
    }
    return most;
}

// What it takes to be no speck, m^3; 0 where it holds a particle.
static double volume_needed(const SpeckSearch *s, const OndBox *box)
{
    const OndPoints *p = s->points;
    const double min[3] = {box->min.x, box->min.y, box->min.z};
    const double max[3] = {box->max.x, box->max.y, box->max.z};
    double least = p->spacing;
    OndBinWalk near = ond_near_sizes(&p->bins, min, max, 1.0);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            const double size = p->size[i], far = distance_to(s, box, i);
            if (ond_points_is_image(p, i) || far > size) continue;
            if (far <= fmax(ROUND * size, s->cell - HOLDS * size)) return 0.0;
            least = fmin(least, size);
        }
    return SHARE * least * least * (p->dimension == 2 ? p->spacing : least); // 2D: a slab
}

static bool lies_in(const OndBox *a, const OndBox *b)
{
    return a->min.x >= b->min.x && a->min.y >= b->min.y && a->min.z >= b->min.z &&
           a->max.x <= b->max.x && a->max.y <= b->max.y && a->max.z <= b->max.z;
}

// What is hollow in a speck goes with it; it begins later along x.
static void mark(SpeckSearch *s, int speck)
{
    Island *own = &s->island[speck];
    own->speck = true;
    for (int n = speck + 1; n < s->island_count && s->island[n].box.min.x <= own->box.max.x; ++n)
        if (s->island[n].volume <= 0.0 && lies_in(&s->island[n].box, &own->box))
            s->island[n].speck = true;
}

static int judge(SpeckSearch *s)
{
    int specks = 0;
    for (int n = 0; n < s->island_count; ++n) {
        const Island *own = &s->island[n];
        if (!(own->volume > 0.0) || own->volume >= volume_needed(s, &own->box)) continue;
        mark(s, n);
        ++specks;
    }
    return specks;
}

// ---- taking out

static int keep_corners(SpeckSearch *s, const bool *gone)
{
    int kept = 0;
    OndMesh *mesh = s->mesh;
    for (int c = 0; c < mesh->corner_count; ++c) {
        const bool stays = !gone[s->part[c]];
        if (stays && kept < c) {
            memcpy(mesh->corner + 3 * (size_t)kept, mesh->corner + 3 * (size_t)c, 12);
            memcpy(s->normal + 3 * (size_t)kept, s->normal + 3 * (size_t)c, 12);
        }
        s->part[c] = stays ? (uint32_t)kept++ : UINT32_MAX; // from here on: its new number
    }
    return kept;
}

static void take_out(SpeckSearch *s, const bool *gone)
{
    OndMesh *mesh = s->mesh;
    mesh->corner_count = keep_corners(s, gone);
    int kept = 0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *from = mesh->triangle + 3 * (size_t)t;
        if (s->part[from[0]] == UINT32_MAX) continue;
        uint32_t *to = mesh->triangle + 3 * (size_t)kept++;
        for (int k = 0; k < 3; ++k)
            to[k] = s->part[from[k]];
    }
    mesh->triangle_count = kept;
}

static bool run(SpeckSearch *s)
{
    number_parts(s);
    s->box = OND_NEW_ARRAY(OndBox, s->part_count);
    if (!s->box) return false;
    find_boxes(s);
    if (!list_islands(s)) return false;
    if (judge(s) == 0) return true;
    bool *gone = OND_NEW_ARRAY(bool, s->part_count);
    if (!gone) return false;
    for (int n = 0; n < s->island_count; ++n)
        gone[s->island[n].part] = s->island[n].speck;
    take_out(s, gone);
    ond_free(gone);
    return true;
}

OndStatus ond_specks_drop(OndMesh *mesh, float *normal, const OndPoints *points, double cell,
                          OndError *err)
{
    if (mesh->corner_count < 1) return OND_OK;
    SpeckSearch s = {.mesh = mesh, .normal = normal, .points = points, .cell = cell};
    s.part = OND_NEW_ARRAY(uint32_t, mesh->corner_count);
    const bool good = s.part && run(&s);
    ond_free(s.part);
    ond_free(s.box);
    ond_free(s.island);
    if (good) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory to look for specks among %d triangles",
                    mesh->triangle_count);
}

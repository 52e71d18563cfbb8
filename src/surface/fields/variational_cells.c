// SPDX-License-Identifier: MIT
// One constraint in each cell near the surface [Pouchol 4.2.1, second way].
//
//     V = lerp(d / 2r, +1, -1)            [4.3, turned so that inside is positive]
//
// with d from the middle of the cell to the nearest particle, r that particle's radius. Taken as it
// stands, places between the particles inside the liquid come out as outside, and a flat surface
// shows where its particles are. So before a broad surface d is the height over the particles that
// face the same way, less than 0 behind them, and near a sheet the height to either side. Values
// go on below -1 and above +1, so that the function keeps its slope.
//
// The constraints stand in a lattice, so close surfaces need no care and none coincide. Large
// particles have large cells, each a power of two of the smallest. A drop is only as round as its
// cells are fine, so particles without a way out are constraints themselves.
#include "base/memory.h"
#include "base/parallel.h"
#include "surface/fields/variational_place.h"

#include <limits.h>
#include <string.h>

#define CELL  0.7 // spacings
#define BAND  1.7 // spacings from surface particles that cells are taken
#define STIFF 1e-6
#define LIKE  0.6  // cosine between ways out: the same side of the liquid
#define ROUND 0.87 // spacings from the nearest particle: half the diagonal of a cube of eight
#define FULL  4.0  // the largest value
#define SLACK 0.1  // cells are more than particles, so each of them weighs less
#define GRAIN 256

typedef struct OctreeCell {
    int32_t at[3], level; // width CELL * spacing * 2^level
} OctreeCell;

typedef struct Cells {
    const OndPlacing *how;
    OctreeCell *list;
    int count, capacity;
    uint32_t *slot; // hash: index + 1; 0 where free
    uint32_t mask;
    OndConstraint *made;
} Cells;

// ---- which cells: a set, in the order of the particles that asked for them

static uint32_t hash(const OctreeCell *c)
{
    uint64_t h = (uint32_t)c->at[0];
    h = (h * 0x9e3779b97f4a7c15u) ^ (uint32_t)c->at[1];
    h = (h * 0x9e3779b97f4a7c15u) ^ (uint32_t)c->at[2];
    h = (h * 0x9e3779b97f4a7c15u) ^ (uint32_t)c->level;
    return (uint32_t)((h * 0x9e3779b97f4a7c15u) >> 32);
}

// Where the cell is, or the free slot where it belongs.
static uint32_t *find(const Cells *c, const OctreeCell *cell)
{
    for (uint32_t k = hash(cell) & c->mask;; k = (k + 1) & c->mask) {
        uint32_t *slot = &c->slot[k];
        if (!*slot || memcmp(&c->list[*slot - 1], cell, sizeof *cell) == 0) return slot;
    }
}

static bool grow(Cells *c)
{
    if (c->capacity > INT_MAX / 8) return false;
    const int room = c->capacity ? 2 * c->capacity : 4096;
    OctreeCell *list = OND_NEW_ARRAY(OctreeCell, room);
    uint32_t *slot = OND_NEW_ARRAY(uint32_t, 2 * room);
    if (!list || !slot) {
        ond_free(list);
        ond_free(slot);
        return false;
    }
    if (c->count) memcpy(list, c->list, (size_t)c->count * sizeof *list);
    ond_free(c->list);
    ond_free(c->slot);
    c->list = list, c->slot = slot, c->capacity = room, c->mask = 2 * (uint32_t)room - 1;
    for (int k = 0; k < c->count; ++k)
        *find(c, &list[k]) = (uint32_t)k + 1;
    return true;
}

static bool add(Cells *c, OctreeCell cell)
{
    if (c->count == c->capacity && !grow(c)) return false;
    uint32_t *slot = find(c, &cell);
    if (*slot) return true;
    c->list[c->count++] = cell;
    *slot = (uint32_t)c->count;
    return true;
}

static double width_of(const Cells *c, int level)
{
    return ldexp(CELL * c->how->points->spacing, level);
}

static bool add_near(Cells *c, int i)
{
    const OndPoints *p = c->how->points;
    const int level = (int)lrint(log2(p->size[i] / p->spacing));
    const double at[3] = {p->x[i], p->y[i], p->z[i]}, width = width_of(c, level);
    int32_t low[3] = {0}, high[3] = {0};
    for (int a = 0; a < p->dimension; ++a) {
        low[a] = (int32_t)floor((at[a] - BAND * p->size[i]) / width);
        high[a] = (int32_t)floor((at[a] + BAND * p->size[i]) / width);
    }
    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            for (int32_t x = low[0]; x <= high[0]; ++x)
                if (!add(c, (OctreeCell){{x, y, z}, level})) return false;
    return true;
}

// ---- what they say

// The nearest particle of all and the nearest at the surface, by the distance to their spheres.
typedef struct Near {
    int any, surface; // -1: none
    double distance;  // m, to `any`
} Near;

static void meet(const OndPoints *p, uint32_t j, const double at[3], Near *n, double best[2])
{
    const double x[3] = {p->x[j] - at[0], p->y[j] - at[1], p->z[j] - at[2]}, size = p->size[j];
    const double d = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (d - 0.5 * size < best[0]) best[0] = d - 0.5 * size, n->any = (int)j, n->distance = d;
    if (p->surface[j] && d - 0.5 * size < best[1]) best[1] = d - 0.5 * size, n->surface = (int)j;
}

static Near look_round(const OndPoints *p, const double at[3], double reach)
{
    Near n = {.any = -1, .surface = -1};
    double min[3], max[3], best[2] = {HUGE_VAL, HUGE_VAL};
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - reach, max[a] = at[a] + reach;
    OndBinWalk near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t j = run.first; j < run.last; ++j)
            meet(p, j, at, &n, best);
    return n;
}

static double along(const float a[3], const double x[3])
{
    return a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
}

// The plane through surface particles near a place.
typedef struct FittedPlane {
    double weight, at[3], out[3], lift; // sums
} FittedPlane;

// Adds particle j if it faces the way i does; to a sheet only if it lies in it.
static void add_to_plane(const Cells *c, int i, uint32_t j, const double at[3], FittedPlane *plane)
{
    const OndPoints *p = c->how->points;
    const OndOutward *own = &c->how->look[i], *look = &c->how->look[j];
    const double x[3] = {p->x[j], p->y[j], p->z[j]}, reach = 2.0 * p->size[i];
    const double other[3] = {x[0] - p->x[i], x[1] - p->y[i], x[2] - p->z[i]};
    const double like =
        own->out[0] * look->out[0] + own->out[1] * look->out[1] + own->out[2] * look->out[2];
    double rest = 1.0;
    for (int a = 0; a < 3; ++a)
        rest -= (x[a] - at[a]) * (x[a] - at[a]) / (reach * reach);
    if (!(rest > 0.0) || look->sheet != own->sheet) return;
    if (!((own->sheet ? fabs(like) : like) > LIKE)) return;
    if (own->sheet && fabs(along(own->out, other)) > 0.5 * p->size[i]) return;
    plane->weight += rest * rest;
    plane->lift += rest * rest * look->lift;
    for (int a = 0; a < 3; ++a) {
        plane->at[a] += rest * rest * x[a];
        plane->out[a] += rest * rest * (like < 0.0 ? -look->out[a] : look->out[a]);
    }
}

// Height of a place over the surface particles near it that face the way i does.
static double height(const Cells *c, int i, const double at[3])
{
    const OndPoints *p = c->how->points;
    const double reach = 2.0 * p->size[i];
    double min[3], max[3], high = 0.0, length = 0.0;
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - reach, max[a] = at[a] + reach;
    FittedPlane plane = {0};
    OndBinWalk near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t j = run.first; j < run.last; ++j)
            add_to_plane(c, i, j, at, &plane);
    for (int a = 0; a < 3; ++a)
        length += plane.out[a] * plane.out[a];
    if (!(length > 0.0)) return 0.0;
    for (int a = 0; a < 3; ++a)
        high += (at[a] - plane.at[a] / plane.weight) * plane.out[a] / sqrt(length);
    return high - plane.lift / plane.weight;
}

static bool faces_out(const OndOutward *look)
{
    return look->out[0] != 0.0f || look->out[1] != 0.0f || look->out[2] != 0.0f;
}

// Depth of a place, m. Beyond an edge the height over the surface says nothing: there, but not
// behind the surface, a place must be near enough to some particle.
static double depth(const Cells *c, const Near *n, const double at[3])
{
    const OndPoints *p = c->how->points;
    if (n->any < 0) return -HUGE_VAL;
    if (n->surface < 0) return HUGE_VAL;
    const double radius = 0.5 * p->size[n->surface];
    if (!p->surface[n->any] && !faces_out(&c->how->look[n->surface])) return radius;
    if (!faces_out(&c->how->look[n->surface])) return radius - n->distance;
    double high = height(c, n->surface, at), far = n->distance / p->size[n->any];
    if (c->how->look[n->surface].sheet) high = fabs(high);
    const double beyond = (ROUND - far) * p->size[n->any];
    return high > 0.0 && far > ROUND ? fmin(radius - high, beyond) : radius - high;
}

static void value_cells(int first, int last, int worker, void *context)
{
    const Cells *c = context;
    const OndPoints *p = c->how->points;
    for (int k = first; k < last; ++k) {
        const OctreeCell *cell = &c->list[k];
        const double width = width_of(c, cell->level), size = width / CELL;
        OndConstraint *made = &c->made[k];
        *made = (OndConstraint){.slack = STIFF, .size = size};
        for (int a = 0; a < p->dimension; ++a)
            made->at[a] = (cell->at[a] + 0.5) * width;
        made->at[3] = c->how->when;
        const Near n = look_round(p, made->at, 2.5 * size);
        const double deep = depth(c, &n, made->at);
        made->value = fmin(fmax(2.0 * deep / size, -FULL), FULL) * size / p->spacing;
        if (n.surface >= 0 && faces_out(&c->how->look[n.surface]) && !c->how->look[n.surface].sheet)
            made->slack = SLACK * c->how->slack + STIFF;
    }
}

// ---- together

static OndStatus collect(Cells *c, OndConstraints *to, OndError *err)
{
    const OndPoints *p = c->how->points;
    OndStatus status = OND_OK;
    for (int i = 0; i < p->count && status == OND_OK; ++i) {
        if (!p->surface[i]) continue;
        if (!add_near(c, i)) return OND_NO_MEMORY;
        if (faces_out(&c->how->look[i]) && !c->how->look[i].sheet) continue;
        const OndConstraint own = {
            {p->x[i], p->y[i], p->z[i], c->how->when}, p->size[i] / p->spacing, STIFF, p->size[i]};
        status = ond_constraints_add(to, &own, err);
    }
    if (status == OND_OK && c->count > 0) c->made = OND_NEW_ARRAY(OndConstraint, c->count);
    if (status != OND_OK || (c->count > 0 && !c->made)) return OND_NO_MEMORY;
    ond_parallel_for(c->count, GRAIN, value_cells, c);
    for (int k = 0; k < c->count && status == OND_OK; ++k)
        status = ond_constraints_add(to, &c->made[k], err);
    return status;
}

OndStatus ond_place_cells(OndConstraints *to, const OndPlacing *how, OndError *err)
{
    Cells c = {.how = how};
    const OndStatus status = collect(&c, to, err);
    ond_free(c.list);
    ond_free(c.slot);
    ond_free(c.made);
    if (status == OND_OK) return status;
    return ond_fail(err, status, "not enough memory for the constraints of %d particles",
                    how->points->count);
}

// SPDX-License-Identifier: MIT
// Cells of twice the distance in a hash table: a particle's sphere of that distance touches at most
// eight.
#include "sim/scene/scene_overlap.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct OverlapTable {
    int *head; // slot -> first particle, -1 for none
    int *next; // particle of the run -> next in its slot
    uint32_t mask;
    double cell;
} OverlapTable;

static OndVec point(OndParticleRun run, int i)
{
    return ond_vec(run.position[0][i], run.position[1][i], run.position[2][i]);
}

static OndBox bounds(OndParticleRun run)
{
    OndBox box = {point(run, run.first), point(run, run.first)};
    for (int i = run.first; i < run.last; ++i)
        box = ond_box_add(box, point(run, i));
    return box;
}

// Where both boxes are, with a rim.
static OndBox meeting(OndBox a, OndBox b, double rim)
{
    return ond_box_widen(ond_box_meet(a, b), rim);
}

static bool inside(OndBox box, OndVec p)
{
    return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y &&
           p.z >= box.min.z && p.z <= box.max.z;
}

static uint32_t slot(const OverlapTable *t, int64_t x, int64_t y, int64_t z)
{
    const uint64_t key =
        (uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^ (uint64_t)z * 83492791u;
    return (uint32_t)ond_scramble(key) & t->mask;
}

static int64_t cell_of(const OverlapTable *t, double x)
{
    return (int64_t)floor(x / t->cell);
}

static OndStatus make_table(OverlapTable *t, int count, double cell, OndError *err)
{
    uint32_t slots = 16;
    while (slots < (uint32_t)count)
        slots *= 2;
    *t = (OverlapTable){OND_NEW_ARRAY(int, slots), OND_NEW_ARRAY(int, count), slots - 1, cell};
    if (!t->head || !t->next)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory to compare %d particles", count);
    for (uint32_t s = 0; s < slots; ++s)
        t->head[s] = -1;
    return OND_OK;
}

static void insert(OverlapTable *t, OndParticleRun a, int i)
{
    const OndVec p = point(a, i);
    const uint32_t s = slot(t, cell_of(t, p.x), cell_of(t, p.y), cell_of(t, p.z));
    t->next[i - a.first] = t->head[s];
    t->head[s] = i;
}

static bool near_in_slot(const OverlapTable *t, OndParticleRun a, uint32_t s, OndVec p,
                         double distance)
{
    for (int i = t->head[s]; i >= 0; i = t->next[i - a.first]) {
        const OndVec d = ond_sub(point(a, i), p);
        if (ond_dot(d, d) < distance * distance) return true;
    }
    return false;
}

static bool near(const OverlapTable *t, OndParticleRun a, OndVec p, double distance)
{
    const int64_t high[3] = {cell_of(t, p.x + distance), cell_of(t, p.y + distance),
                             cell_of(t, p.z + distance)};
    for (int64_t z = cell_of(t, p.z - distance); z <= high[2]; ++z)
        for (int64_t y = cell_of(t, p.y - distance); y <= high[1]; ++y)
            for (int64_t x = cell_of(t, p.x - distance); x <= high[0]; ++x)
                if (near_in_slot(t, a, slot(t, x, y, z), p, distance)) return true;
    return false;
}

OndStatus ond_runs_overlap(OndParticleRun a, OndParticleRun b, double distance,
                           unsigned char *marks, int *found, OndError *err)
{
    *found = -1;
    if (a.first >= a.last || b.first >= b.last) return OND_OK;
    const OndBox box = meeting(bounds(a), bounds(b), distance);
    if (box.min.x > box.max.x || box.min.y > box.max.y || box.min.z > box.max.z) return OND_OK;
    OverlapTable table = {0};
    const OndStatus status = make_table(&table, a.last - a.first, 2.0 * distance, err);
    for (int i = a.first; i < a.last && status == OND_OK; ++i)
        if (inside(box, point(a, i))) insert(&table, a, i);
    for (int i = b.first; i < b.last && status == OND_OK && (marks || *found < 0); ++i) {
        if (!inside(box, point(b, i)) || !near(&table, a, point(b, i), distance)) continue;
        if (*found < 0) *found = i;
        if (marks) marks[i] = 1;
    }
    ond_free(table.head);
    ond_free(table.next);
    return status;
}

// SPDX-License-Identifier: MIT
#include "surface/attributes.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "surface/loops.h"

#define REACH 1.5 // sizes; a corner is about half a size from its particle
#define GRAIN 512
#define BATCH 256 // particles whose weights are found at once
#define LANES 8

static const char *const carried[] = {"velocity", "temperature", "rigidity", "material"};
#define VALUES_MAX (3 * OND_COUNT(carried))

typedef struct AttributeCarry {
    const OndMesh *mesh;
    const OndPoints *points;
    const OndSurfaceLoops *loops;
    OndSplats splats;
    const float *value[VALUES_MAX]; // of the frame's particles: means are taken
    float *mean[VALUES_MAX];        // of corners
    int sums;
    const uint32_t *number[VALUES_MAX]; // the nearest particle's counts
    uint32_t *nearest[VALUES_MAX];
    int numbers;
} AttributeCarry;

// Near particles of one corner. The nearest is at the end of the search in any case.
typedef struct Around {
    float weight, sum[VALUES_MAX];
    float nearest2;
    uint32_t nearest;
} Around;

// The walk round the corner before. Corners come block by block, most of them in the same bins.
typedef struct Kept {
    OndBinWalk near;
    OndRun run[OND_RUNS_MAX];
    int runs;
} Kept;

// `r2` has room for LANES more.
static void find_nearest(OndRun run, float *r2, Around *around)
{
    const int count = (int)(run.last - run.first);
    float lane[LANES], least = around->nearest2;
    for (int n = 0; n < LANES; ++n)
        lane[n] = least, r2[count + n] = INFINITY;
    for (int k = 0; k < count; k += LANES)
        for (int n = 0; n < LANES; ++n)
            lane[n] = r2[k + n] < lane[n] ? r2[k + n] : lane[n];
    for (int n = 0; n < LANES; ++n)
        least = lane[n] < least ? lane[n] : least;
    if (!(least < around->nearest2)) return;
    int k = 0;
    while (r2[k] != least)
        ++k;
    around->nearest2 = least, around->nearest = run.first + (uint32_t)k;
}

// Only a few of the particles in a run are near: weights first, then what they carry. The list is
// made without a branch, which nothing could foretell.
static void add_some(const AttributeCarry *c, OndRun run, const float at[3], Around *around)
{
    float weight[BATCH], r2[BATCH + LANES];
    int list[BATCH + 1], near = 0;
    const int count = (int)(run.last - run.first);
    c->loops->weights(&c->splats, run, at, weight, r2);
    find_nearest(run, r2, around);
    for (int k = 0; k < count; ++k) {
        list[near] = k;
        near += weight[k] > 0.0f;
    }
    for (int n = 0; n < near; ++n) {
        const float w = weight[list[n]];
        const uint32_t source = c->points->source[run.first + (uint32_t)list[n]];
        around->weight += w;
        for (int f = 0; f < c->sums; ++f)
            around->sum[f] += w * c->value[f][source];
    }
}

static void add_runs(const AttributeCarry *c, const OndRun *run, int runs, const float at[3],
                     Around *around)
{
    for (int r = 0; r < runs; ++r)
        for (OndRun part = {run[r].first, 0}; part.first < run[r].last; part.first = part.last) {
            part.last = run[r].last - part.first > BATCH ? part.first + BATCH : run[r].last;
            add_some(c, part, at, around);
        }
}

static void look_around(const AttributeCarry *c, const float at[3], double sizes, Kept *kept,
                        Around *around)
{
    const double place[3] = {at[0], at[1], at[2]};
    OndBinWalk near = ond_near_sizes(&c->points->bins, place, place, sizes);
    if (ond_near_same(&near, &kept->near)) {
        add_runs(c, kept->run, kept->runs, at, around);
        return;
    }
    const OndBinWalk whole = near;
    bool first = true;
    kept->near.bins = NULL;
    while ((kept->runs = ond_near_runs(&near, kept->run, OND_RUNS_MAX)) > 0) {
        add_runs(c, kept->run, kept->runs, at, around);
        if (kept->runs < OND_RUNS_MAX) break; // those were the last
        first = false;
    }
    if (first) kept->near = whole; // the list holds all of them
}

static void carry_one(const AttributeCarry *c, int corner, const Around *around)
{
    if (around->nearest2 == INFINITY) return; // nobody near: zeros
    const uint32_t source = c->points->source[around->nearest];
    for (int f = 0; f < c->numbers; ++f)
        c->nearest[f][corner] = c->number[f][source];
    for (int f = 0; f < c->sums; ++f)
        c->mean[f][corner] =
            around->weight > 0.0f ? around->sum[f] / around->weight : c->value[f][source];
}

static void carry_range(int first, int last, int worker, void *context)
{
    const AttributeCarry *c = context;
    Kept kept = {.runs = 0};
    for (int corner = first; corner < last; ++corner) {
        const float *place = c->mesh->corner + 3 * (size_t)corner;
        const float at[3] = {place[0], place[1], c->points->dimension == 2 ? 0.0f : place[2]};
        Around around = {.nearest2 = INFINITY};
        for (double far = 1.0; around.nearest2 == INFINITY && far < 16.0; far *= 2.0)
            look_around(c, at, far * REACH, &kept, &around);
        carry_one(c, corner, &around);
    }
}

// Arrays of one field of the frame, and those that it goes to.
static bool add_field(AttributeCarry *c, OndFields *out, const OndField *from, const char *name)
{
    const int index = ond_fields_add(out, name, ond_fields_keep_text(out, from->unit), from->type,
                                     from->components, OND_FIELD_FRAME);
    if (index < 0) return false;
    for (int a = 0; a < from->components; ++a)
        if (from->type == OND_F32) {
            c->value[c->sums] = from->data[a];
            c->mean[c->sums++] = out->field[index].data[a];
        } else {
            c->number[c->numbers] = from->data[a];
            c->nearest[c->numbers++] = out->field[index].data[a];
        }
    return true;
}

static OndStatus carry_all(AttributeCarry *c, OndError *err)
{
    const OndPoints *p = c->points;
    float *inv_h2 = OND_NEW_ARRAY(float, (size_t)p->count + OND_SURFACE_PAD);
    if (!inv_h2)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", p->count);
    for (int i = 0; i < p->count; ++i)
        inv_h2[i] = 1.0f / ((float)(REACH * REACH) * p->size[i] * p->size[i]);
    c->splats = (OndSplats){p->x, p->y, p->z, inv_h2, NULL, 3, 0.0f};
    c->loops = ond_surface_loops();
    ond_parallel_for(c->mesh->corner_count, GRAIN, carry_range, c);
    ond_free(inv_h2);
    return OND_OK;
}

OndStatus ond_attributes_carry(OndFields *out, const OndMesh *mesh, const OndPoints *points,
                               const OndFrame *frame, OndError *err)
{
    AttributeCarry carry = {.mesh = mesh, .points = points};
    const OndStatus status = ond_fields_reserve(out, mesh->corner_count, err);
    if (status != OND_OK) return status;
    out->count = mesh->corner_count;
    for (int k = 0; k < OND_COUNT(carried); ++k) {
        const OndField *from = ond_fields_find(&frame->particles, carried[k]);
        if (from && !add_field(&carry, out, from, carried[k]))
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for what %d corners carry",
                            mesh->corner_count);
    }
    return carry.sums || carry.numbers ? carry_all(&carry, err) : OND_OK;
}

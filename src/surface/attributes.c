// SPDX-License-Identifier: MIT
#include "surface/attributes.h"

#include "base/memory.h"
#include "base/parallel.h"

#define REACH 1.5 // sizes; a corner is about half a size from its particle
#define GRAIN 512

static const char *const carried[] = {"velocity", "temperature", "rigidity", "material"};

typedef struct Pair {
    const OndField *from;
    OndField *to;
} Pair;

typedef struct Carry {
    const OndMesh *mesh;
    const OndPoints *points;
    Pair pair[OND_COUNT(carried)];
    int pairs;
} Carry;

// Near particles of one corner. The nearest is at the end of the search in any case.
typedef struct Around {
    double weight;
    double sum[OND_COUNT(carried)][3];
    double nearest2;
    uint32_t nearest;
} Around;

static void add_particle(const Carry *c, uint32_t i, double r2, Around *around)
{
    const OndPoints *p = c->points;
    if (r2 < around->nearest2) around->nearest2 = r2, around->nearest = i;
    const double reach = REACH * p->size[i], rest = 1.0 - r2 / (reach * reach);
    if (!(rest > 0.0)) return;
    const double w = rest * rest * rest;
    around->weight += w;
    for (int f = 0; f < c->pairs; ++f)
        for (int a = 0; a < c->pair[f].from->components && c->pair[f].from->type == OND_F32; ++a)
            around->sum[f][a] += w * ((const float *)c->pair[f].from->data[a])[p->source[i]];
}

static void look_around(const Carry *c, const float *corner, double reach, Around *around)
{
    const OndPoints *p = c->points;
    const double at[3] = {corner[0], corner[1], p->dimension == 2 ? 0.0 : corner[2]};
    const double min[3] = {at[0] - reach, at[1] - reach, at[2] - reach},
                 max[3] = {at[0] + reach, at[1] + reach, at[2] + reach};
    OndNear near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            const double dx = p->x[i] - at[0], dy = p->y[i] - at[1], dz = p->z[i] - at[2];
            add_particle(c, i, dx * dx + dy * dy + dz * dz, around);
        }
}

static void carry_one(const Carry *c, int corner, const Around *around)
{
    if (around->nearest2 == HUGE_VAL) return; // nobody near: zeros
    const uint32_t source = c->points->source[around->nearest];
    for (int f = 0; f < c->pairs; ++f)
        for (int a = 0; a < c->pair[f].from->components; ++a) {
            const Pair *pair = &c->pair[f];
            if (pair->from->type == OND_U32)
                ((uint32_t *)pair->to->data[a])[corner] =
                    ((const uint32_t *)pair->from->data[a])[source];
            else
                ((float *)pair->to->data[a])[corner] =
                    around->weight > 0.0 ? (float)(around->sum[f][a] / around->weight)
                                         : ((const float *)pair->from->data[a])[source];
        }
}

static void carry_range(int first, int last, int worker, void *context)
{
    const Carry *c = context;
    for (int corner = first; corner < last; ++corner) {
        const float *at = c->mesh->corner + 3 * (size_t)corner;
        Around around = {.nearest2 = HUGE_VAL};
        for (double reach = REACH * c->points->largest;
             around.nearest2 == HUGE_VAL && reach < 20.0 * c->points->largest; reach *= 2.0)
            look_around(c, at, reach, &around);
        carry_one(c, corner, &around);
    }
}

OndStatus ond_attributes_carry(OndFields *out, const OndMesh *mesh, const OndPoints *points,
                               const OndFrame *frame, OndError *err)
{
    Carry carry = {.mesh = mesh, .points = points};
    OndStatus status = ond_fields_reserve(out, mesh->corner_count, err);
    if (status != OND_OK) return status;
    out->count = mesh->corner_count;
    for (int k = 0; k < OND_COUNT(carried); ++k) {
        const OndField *from = ond_fields_find(&frame->particles, carried[k]);
        if (!from) continue;
        if (ond_fields_add(out, carried[k], ond_fields_keep_text(out, from->unit), from->type,
                           from->components, OND_FIELD_FRAME) < 0)
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for what %d corners carry",
                            mesh->corner_count);
        carry.pair[carry.pairs++].from = from;
    }
    for (int f = 0; f < carry.pairs; ++f)
        carry.pair[f].to = &out->field[f];
    if (carry.pairs) ond_parallel_for(mesh->corner_count, GRAIN, carry_range, &carry);
    return OND_OK;
}

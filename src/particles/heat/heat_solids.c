// SPDX-License-Identifier: MIT
// Solids heat and cool by contact, and cover what lies on them from the air.
//
// As walls do (heat_outside.c): a layer of particles shares the area of the face, each less where
// others crowd. But a face may cut the lattice of what is solid at any angle, and what would
// stand too near is left out (solids/scene/solid_start.c): a layer begins at NEAREST and is one spacing
// deep and more. So each conducts over its own distance, which is exact where the temperature is
// linear, whatever the shares. Distances are to the face that the particle sees, taken as a plane.
#include "base/parallel.h"
#include "particles/heat/heat_state.h"
#include "particles/sph/sph_solids.h"

#define ROW_GRAIN 256
#define FACING    0.5f // cosine: a face this much on one side closes that side
#define NEAREST   0.25 // spacings: no solid fluid starts nearer; a liquid that is pays no heed
#define TOUCHES   1.0  // up to here a particle has its whole share of the face,
#define LETS_GO   1.5  // from here on, where the second layer of a flush lattice is, none

typedef struct Contact {
    OndSph *s;
    double scale; // dt / unit
} Contact;

// How much a particle belongs to the layer, so many spacings from the face. From NEAREST on that
// is one particle for each column of a lattice, in the mean over all places of the cut.
static double touching(double d)
{
    return ond_heat_touching(d, TOUCHES, LETS_GO);
}

// How many share the place of one on a face.
static double crowd(const OndSph *s, const OndRowTouch *touch, int i, double mine)
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    const double spacing = s->world.spacing;
    double sum = mine * ond_heat_layer_weight(s, 0.0);
    for (uint32_t e = 0; e < s->lists.length[i]; ++e) {
        const uint32_t j = list[e];
        const float d[3] = {s->x[0][j] - s->x[0][i], s->x[1][j] - s->x[1][i],
                            s->x[2][j] - s->x[2][i]};
        const double across = ond_dot3(d, touch->normal), far = touch->distance + across;
        if (j == (uint32_t)i || far < 0.0) continue;
        const double along2 = ond_dot3(d, d) - across * across;
        sum += touching(far / spacing) * ond_heat_layer_weight(s, along2 / (spacing * spacing));
    }
    return s->heat->contact * sum;
}

static void warm_rows(int first, int last, int worker, void *context)
{
    const Contact *c = context;
    const OndSph *s = c->s;
    const double spacing = s->world.spacing, area = pow(spacing, s->world.dimension - 1);
    for (int r = first; r < last; ++r) {
        const OndRow *row = ond_sph_row(s, r);
        const int i = row->particle;
        const double k = s->world.material[s->material[i]].conductivity;
        for (int t = 0; t < row->count && k > 0.0; ++t) {
            const OndRowTouch *touch = &row->touch[t];
            const OndSolidDef *def = ond_solids_def(s->world.solids, touch->solid);
            const double mine = touching(touch->distance / spacing);
            if (!def->heats || mine == 0.0) continue;
            const double share =
                ond_heat_wall_share(mine, area, crowd(s, touch, i, mine), OND_HEAT_SPREAD);
            const double depth = fmax(touch->distance, NEAREST * spacing);
            const double g = ond_heat_wall(c->scale, k, share, depth);
            s->heat->outside[i] += g;
            s->heat->toward[i] += g * def->temperature;
        }
    }
}

void ond_heat_feel_solids(OndSph *s, double scale)
{
    if (!s->solids) return;
    Contact c = {s, scale};
    OndHeat *h = s->heat;
    bool any = false;
    for (int k = 0; k < ond_solids_count(s->world.solids); ++k) {
        const OndSolidDef *def = ond_solids_def(s->world.solids, k);
        if (!def->heats) continue;
        h->low = fmin(h->low, def->temperature), h->high = fmax(h->high, def->temperature);
        any = true;
    }
    if (any) ond_parallel_for(s->solids->used_count, ROW_GRAIN, warm_rows, &c);
}

// ---- air

// Of (1 - q)^3 |d| on each side, as loops_heat.c sums it.
static void sum_sides(const OndSph *s, int i, float near[6])
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    for (uint32_t e = 0; e < s->lists.length[i]; ++e) {
        const uint32_t j = list[e];
        const float d[3] = {s->x[0][j] - s->x[0][i], s->x[1][j] - s->x[1][i],
                            s->x[2][j] - s->x[2][i]};
        const float w = ond_heat_beside(sqrtf(ond_dot3(d, d)) * s->kernel.inv_h);
        for (int axis = 0; axis < 3; ++axis)
            near[2 * axis + (d[axis] > 0.0f)] += w * fabsf(d[axis]);
    }
}

// Sides on which a face is as near as a neighbour would be.
static unsigned closed_sides(const OndSph *s, const OndRow *row)
{
    unsigned closed = 0;
    for (int t = 0; t < row->count; ++t) {
        const OndRowTouch *touch = &row->touch[t];
        for (int side = 0; side < 6 && touch->distance < (float)s->world.spacing; ++side) {
            const float facing = (side % 2 ? -1.0f : 1.0f) * touch->normal[side / 2];
            closed |= (unsigned)(facing > FACING) << side;
        }
    }
    return closed;
}

static void cover_rows(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const OndHeat *h = s->heat;
    for (int r = first; r < last; ++r) {
        const OndRow *row = ond_sph_row(s, r);
        const unsigned closed = closed_sides(s, row);
        float near[6] = {0}, missing[6];
        if (!closed || !(h->area[row->particle] > 0.0f)) continue;
        sum_sides(s, row->particle, near);
        for (int side = 0; side < 6; ++side)
            missing[side] = closed >> side & 1u ? 0.0f : 1.0f - near[side] * h->full;
        const float area = h->flat * ond_heat_exposed(missing, s->world.dimension, h->ignored);
        h->area[row->particle] = fminf(h->area[row->particle], area);
    }
}

void ond_heat_cover_solids(OndSph *s)
{
    if (s->solids) ond_parallel_for(s->solids->used_count, ROW_GRAIN, cover_rows, s);
}

// SPDX-License-Identifier: MIT
// Contacts that remember: springs across them hold a heap at rest.
//
// Each grain keeps a few slots, one for each grain, wall or face that it touches, with how far the
// spring between them is stretched. Both grains of a pair keep the same stretch with the other
// sign, computed from the same numbers, so that what they do to each other cancels to the last bit.
// A slot that nothing claimed in a step is free again. Slots are fields of the grains: they follow
// them when these are sorted, and checkpoints keep them.
//
// A grain with more contacts than slots, which needs grains pressed far into each other, feels the
// plain drag from those beyond.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/dem_state.h"

#include <string.h>

#define GRAIN      4096
#define CELL_GRAIN 256

// ---- slots

static const char *const with_names[] = {"contacts_0", "contacts_1", "contacts_2", "contacts_3",
                                         "contacts_4"};
static const char *const stretch_names[] = {"stretch_0",  "stretch_1",  "stretch_2",  "stretch_3",
                                            "stretch_4",  "stretch_5",  "stretch_6",  "stretch_7",
                                            "stretch_8",  "stretch_9",  "stretch_10", "stretch_11",
                                            "stretch_12", "stretch_13", "stretch_14"};
_Static_assert(3 * OND_COUNT(with_names) == OND_DEM_SLOTS, "three a field");
_Static_assert(OND_COUNT(stretch_names) == OND_DEM_SLOTS, "one a slot");

bool ond_dem_grip_describe(OndDem *d)
{
    bool good = ond_fields_add(&d->fields, "met", "", OND_U32, 1, OND_FIELD_TEMP) >= 0;
    for (int f = 0; f < OND_COUNT(with_names); ++f)
        good &= ond_fields_add(&d->fields, with_names[f], "", OND_U32, 3, OND_FIELD_STATE) >= 0;
    for (int s = 0; s < OND_DEM_SLOTS; ++s)
        good &= ond_fields_add(&d->fields, stretch_names[s], "m", OND_F32, 3, OND_FIELD_STATE) >= 0;
    return good;
}

void ond_dem_grip_bind(OndDem *d)
{
    d->met = ond_fields_find(&d->fields, "met")->data[0];
    for (int s = 0; s < OND_DEM_SLOTS; ++s) {
        d->with[s] = ond_fields_find(&d->fields, with_names[s / 3])->data[s % 3];
        memcpy(d->stretch[s], ond_fields_find(&d->fields, stretch_names[s])->data,
               sizeof d->stretch[s]);
    }
}

// The slot of a contact, a new one if need be; -1: all are taken.
static int find_slot(const OndDem *d, int i, uint32_t with)
{
    int vacant = -1;
    for (int s = 0; s < OND_DEM_SLOTS; ++s) {
        if (d->with[s][i] == with + 1) return s;
        if (vacant < 0 && d->with[s][i] == 0) vacant = s;
    }
    if (vacant < 0) return -1;
    d->with[vacant][i] = with + 1;
    for (int a = 0; a < 3; ++a)
        d->stretch[vacant][a][i] = 0.0f;
    return vacant;
}

static void let_go_range(int first, int last, int worker, void *context)
{
    OndDem *d = context;
    for (int s = 0; s < OND_DEM_SLOTS; ++s)
        for (int i = first; i < last; ++i)
            d->with[s][i] = d->met[i] >> s & 1u ? d->with[s][i] : 0;
}

void ond_dem_let_go(OndDem *d)
{
    ond_parallel_for(d->fields.count, GRAIN, let_go_range, d);
}

// ---- forces along the surface

static void drag_along(const OndDemRub *r, float force[3])
{
    const float slide =
        sqrtf(r->slide[0] * r->slide[0] + r->slide[1] * r->slide[1] + r->slide[2] * r->slide[2]);
    const float drag = ond_contact_drag(r->law, r->push, slide, r->inertia);
    for (int a = 0; a < 3; ++a)
        force[a] = -drag * r->slide[a];
}

void ond_dem_rub(OndDem *d, int i, const OndDemRub *r, float force[3])
{
    const int slot = r->law->grip > 0.0f ? find_slot(d, i, r->with) : -1;
    if (slot < 0) {
        drag_along(r, force);
        return;
    }
    d->met[i] |= 1u << slot;
    float stretch[3], off = 0.0f;
    for (int a = 0; a < 3; ++a) {
        stretch[a] = d->stretch[slot][a][i];
        off += stretch[a] * r->normal[a];
    }
    for (int a = 0; a < 3; ++a) // the surface may have turned
        stretch[a] -= off * r->normal[a];
    ond_contact_grip(r->law, r->push, r->slide, r->inertia, (float)d->last_dt, stretch, force);
    for (int a = 0; a < 3; ++a)
        d->stretch[slot][a][i] = stretch[a];
}

// ---- grain against grain

static inline bool touches(const OndDem *d, uint32_t i, uint32_t j)
{
    const float x = d->x[0][i] - d->x[0][j], y = d->x[1][i] - d->x[1][j],
                z = d->x[2][i] - d->x[2][j], r2 = x * x + y * y + z * z;
    return r2 < d->diameter * d->diameter && r2 > 0.0f; // not with itself
}

static void press_grain(OndDem *d, int i, uint32_t j, float sum[3])
{
    float way[3], v[3], r2 = 0.0f, apart = 0.0f;
    for (int a = 0; a < 3; ++a) {
        way[a] = d->x[a][i] - d->x[a][j];
        v[a] = d->v[a][i] - d->v[a][j];
        r2 += way[a] * way[a];
    }
    const uint32_t count = (uint32_t)d->fields.count;
    const uint32_t other = j < count ? j : d->images.source[j - count];
    const float distance = sqrtf(r2);
    OndDemRub rub = {&d->law, d->id[other],
                     .inertia = sqrtf(d->law.stiffness * ond_contact_mass(d->mass[i], d->mass[j]))};
    for (int a = 0; a < 3; ++a) {
        rub.normal[a] = way[a] / distance;
        apart += v[a] * rub.normal[a];
    }
    for (int a = 0; a < 3; ++a)
        rub.slide[a] = v[a] - apart * rub.normal[a];
    rub.push = ond_contact_push(&d->law, d->diameter - distance, apart, rub.inertia);
    float along[3];
    ond_dem_rub(d, i, &rub, along);
    for (int a = 0; a < 3; ++a)
        sum[a] += rub.push * rub.normal[a] + along[a];
    ++d->touching[i];
}

// The runs round a cell: of grains, then of images.
static int collect(const OndDem *d, int cell, OndRun run[18])
{
    const int own = ond_cells_near(&d->cells, cell, run);
    if (!d->images.count) return own;
    const int more = ond_cells_near(&d->images.cells, cell, run + own);
    for (int r = own; r < own + more; ++r)
        run[r].first += (uint32_t)d->fields.count, run[r].last += (uint32_t)d->fields.count;
    return own + more;
}

static void press_cells(int first, int last, int worker, void *context)
{
    OndDem *d = context;
    OndRun run[18];
    for (int cell = first; cell < last; ++cell) {
        const uint32_t begin = d->cells.first[cell], end = d->cells.first[cell + 1];
        const int runs = begin < end ? collect(d, cell, run) : 0;
        for (uint32_t i = begin; i < end; ++i) {
            float sum[3] = {0.0f, 0.0f, 0.0f};
            d->met[i] = d->touching[i] = 0;
            for (int r = 0; r < runs; ++r)
                for (uint32_t j = run[r].first; j < run[r].last; ++j)
                    if (touches(d, i, j)) press_grain(d, (int)i, j, sum);
            for (int a = 0; a < 3; ++a)
                d->a[a][i] += sum[a] / d->mass[i];
        }
    }
}

void ond_dem_grip_contacts(OndDem *d)
{
    ond_parallel_for(d->cells.cell_count, CELL_GRAIN, press_cells, d);
}

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
// plain drag from those beyond, and so do they: whoever has a slot for a grain that has none for it
// trades the spring's force for the drag, so that what they do to each other is equal.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/dem/dem_state.h"

#include <stdatomic.h>
#include <string.h>

#define GRAIN      4096
#define CELL_GRAIN 256
#define CROWDED    0x80000000u // in met: this grain touches more grains than it has slots

// ---- slots

static const char *const with_names[] = {"contacts_0", "contacts_1", "contacts_2", "contacts_3",
                                         "contacts_4"};
static const char *const stretch_names[] = {"stretch_0",  "stretch_1",  "stretch_2",  "stretch_3",
                                            "stretch_4",  "stretch_5",  "stretch_6",  "stretch_7",
                                            "stretch_8",  "stretch_9",  "stretch_10", "stretch_11",
                                            "stretch_12", "stretch_13", "stretch_14"};
_Static_assert(3 * OND_COUNT(with_names) == OND_DEM_SLOTS, "three a field");
_Static_assert(OND_COUNT(stretch_names) == OND_DEM_SLOTS, "one a slot");
_Static_assert(OND_DEM_SLOTS < 31, "one bit a slot, and one more");

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

static int find_slot(const OndDem *d, int i, uint32_t number)
{
    for (int s = 0; s < OND_DEM_SLOTS; ++s)
        if (d->with[s][i] == number) return s;
    return -1;
}

// The slot of a contact, a new one if need be; -1: all are taken.
static int take_slot(const OndDem *d, int i, uint32_t with)
{
    const int old = find_slot(d, i, with + 1);
    const int vacant = old < 0 ? find_slot(d, i, 0) : -1;
    if (vacant < 0) return old;
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
    const int slot = r->law->grip > 0.0f ? take_slot(d, i, r->with) : -1;
    if (slot < 0) {
        if (r->law->grip > 0.0f) d->met[i] |= CROWDED;
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

static int source_of(const OndDem *d, uint32_t j)
{
    const uint32_t count = (uint32_t)d->fields.count;
    return (int)(j < count ? j : d->images.source[j - count]);
}

// How grain i meets grain j, or an image of it.
static OndDemRub meet(const OndDem *d, int i, uint32_t j)
{
    float way[3], v[3], r2 = 0.0f, apart = 0.0f;
    for (int a = 0; a < 3; ++a) {
        way[a] = d->x[a][i] - d->x[a][j];
        v[a] = d->v[a][i] - d->v[a][j];
        r2 += way[a] * way[a];
    }
    const float distance = sqrtf(r2);
    OndDemRub rub = {&d->law, d->id[source_of(d, j)],
                     .inertia =
                         ond_contact_inertia(&d->law, ond_contact_mass(d->mass[i], d->mass[j]))};
    for (int a = 0; a < 3; ++a) {
        rub.normal[a] = way[a] / distance;
        apart += v[a] * rub.normal[a];
    }
    for (int a = 0; a < 3; ++a)
        rub.slide[a] = v[a] - apart * rub.normal[a];
    rub.push = ond_contact_push(&d->law, d->diameter - distance, apart, rub.inertia);
    return rub;
}

static void press_grain(OndDem *d, int i, uint32_t j, float sum[3])
{
    const OndDemRub rub = meet(d, i, j);
    float along[3];
    ond_dem_rub(d, i, &rub, along);
    for (int a = 0; a < 3; ++a)
        sum[a] += rub.push * rub.normal[a] + along[a];
    ++d->touching[i];
}

// The other one has no slot for this one: drag acted on it, so it does on this one.
static void trade_grain(OndDem *d, int i, uint32_t j, float sum[3])
{
    const OndDemRub rub = meet(d, i, j);
    const int slot = find_slot(d, i, rub.with + 1);
    if (slot < 0 || find_slot(d, source_of(d, j), d->id[i] + 1) >= 0) return;
    const float k = ond_contact_spring(rub.law), drag = ond_contact_shear(rub.law, rub.inertia);
    float along[3];
    drag_along(&rub, along);
    for (int a = 0; a < 3; ++a) // what the spring did, less
        sum[a] += along[a] + (k * d->stretch[slot][a][i] + drag * rub.slide[a]);
    d->met[i] &= ~(1u << slot);
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

typedef void Act(OndDem *d, int i, uint32_t j, float sum[3]);

// Lets `act` add up over all that grain i touches.
static inline void meet_all(OndDem *d, uint32_t i, const OndRun *run, int runs, Act *act)
{
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int r = 0; r < runs; ++r)
        for (uint32_t j = run[r].first; j < run[r].last; ++j)
            if (touches(d, i, j)) act(d, (int)i, j, sum);
    for (int a = 0; a < 3; ++a)
        d->a[a][i] += sum[a] / d->mass[i];
}

typedef struct Crowd {
    OndDem *d;
    atomic_bool crowded; // somebody is
} Crowd;

static void press_cells(int first, int last, int worker, void *context)
{
    Crowd *const crowd = context;
    OndDem *const d = crowd->d;
    OndRun run[18];
    for (int cell = first; cell < last; ++cell) {
        const uint32_t begin = d->cells.first[cell], end = d->cells.first[cell + 1];
        const int runs = begin < end ? collect(d, cell, run) : 0;
        for (uint32_t i = begin; i < end; ++i) {
            d->met[i] = d->touching[i] = 0;
            meet_all(d, i, run, runs, press_grain);
            if (d->met[i] & CROWDED)
                atomic_store_explicit(&crowd->crowded, true, memory_order_relaxed);
        }
    }
}

// Slots keep their numbers here: each grain looks at those of others.
static void trade_cells(int first, int last, int worker, void *context)
{
    OndDem *const d = ((Crowd *)context)->d;
    OndRun run[18];
    for (int cell = first; cell < last; ++cell) {
        const uint32_t begin = d->cells.first[cell], end = d->cells.first[cell + 1];
        const int runs = begin < end ? collect(d, cell, run) : 0;
        for (uint32_t i = begin; i < end; ++i)
            meet_all(d, i, run, runs, trade_grain);
    }
}

void ond_dem_grip_contacts(OndDem *d)
{
    Crowd crowd = {.d = d};
    ond_parallel_for(d->cells.cell_count, CELL_GRAIN, press_cells, &crowd);
    if (atomic_load_explicit(&crowd.crowded, memory_order_relaxed))
        ond_parallel_for(d->cells.cell_count, CELL_GRAIN, trade_cells, &crowd);
}

// SPDX-License-Identifier: MIT
// The order of a DEM step, and the life of the method. The passes are in dem_*.c, their hot loop in
// loops_contact.c.
#include "particles/dem/dem.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/dem/dem_state.h"
#include "solids/solids.h"

#include <string.h>

static const char *const phase_names[OND_DEM_PHASES] = {"sort", "contacts", "solids", "integrate"};

static OndStatus find_forces(OndDem *d, OndError *err)
{
    memset(d->phase_ms, 0, sizeof d->phase_ms);
    ond_dem_set_laws(d);
    double clock = ond_now_ms();
    OndStatus status = ond_dem_neighbours(d, err); // near in space becomes near in memory
    d->phase_ms[OND_DEM_SORT] += ond_lap_ms(&clock);
    if (status != OND_OK) return status;
    if (d->grips)
        ond_dem_grip_contacts(d);
    else
        ond_dem_contacts(d);
    ond_dem_walls(d);
    d->phase_ms[OND_DEM_CONTACTS] += ond_lap_ms(&clock);
    status = ond_dem_solids(d, err);
    d->phase_ms[OND_DEM_SOLIDS] += ond_lap_ms(&clock);
    if (status != OND_OK) return status;
    if (d->grips) ond_dem_let_go(d);
    const OndHeldView held = ond_dem_held(d);
    ond_held_set(&held);
    d->ready = true;
    return ond_dem_limits(d, err);
}

static OndStatus prepare(void *self, OndError *err)
{
    OndDem *d = self;
    return d->fields.count == 0 || d->ready ? OND_OK : find_forces(d, err);
}

static double largest_step(const void *self)
{
    const OndDem *d = self;
    return d->fields.count == 0 ? d->def.largest_step : ond_dem_step_size(d);
}

static OndStatus move_grains(OndDem *d, double dt, OndError *err)
{
    double clock = ond_now_ms();
    OndStatus status = ond_dem_integrate(d, dt, err);
    if (status != OND_OK) return status;
    d->last_dt = dt;
    d->ready = false;
    status = ond_dem_measure(d, err);
    d->phase_ms[OND_DEM_INTEGRATE] += ond_lap_ms(&clock);
    return status;
}

static OndStatus advance(void *self, double dt, const OndExchange *solids, OndError *err)
{
    OndDem *d = self;
    const bool any = d->fields.count > 0;
    if (any) ond_dem_load(d);
    OndStatus status = ond_exchange_depart(solids, dt, err);
    if (status == OND_OK && any) status = move_grains(d, dt, err);
    if (status != OND_OK) return status;
    d->time += dt;
    ond_exchange_arrive(solids, dt);
    ond_exchange_finish(solids, dt);
    return OND_OK;
}

// ---- what a grain carries

void ond_dem_bind(OndDem *d)
{
    const OndFields *f = &d->fields;
    memcpy(d->x, ond_fields_find(f, "position")->data, sizeof d->x);
    memcpy(d->v, ond_fields_find(f, "velocity")->data, sizeof d->v);
    memcpy(d->last, ond_fields_find(f, "acceleration")->data, sizeof d->last);
    memcpy(d->a, ond_fields_find(f, "force")->data, sizeof d->a);
    d->mass = ond_fields_find(f, "mass")->data[0];
    d->id = ond_fields_find(f, "id")->data[0];
    d->material = ond_fields_find(f, "material")->data[0];
    d->held = ond_fields_find(f, "held")->data[0];
    d->touching = ond_fields_find(f, "touching")->data[0];
    if (d->grips) ond_dem_grip_bind(d);
}

static bool describe(OndDem *d)
{
    const unsigned state = OND_FIELD_STATE, shown = OND_FIELD_STATE | OND_FIELD_FRAME,
                   temp = OND_FIELD_TEMP;
    const struct {
        const char *name, *unit;
        OndFieldType type;
        int components;
        unsigned flags;
    } list[] = {
        {"position", "m", OND_F32, 3, shown},         {"velocity", "m/s", OND_F32, 3, shown},
        {"acceleration", "m/s^2", OND_F32, 3, state}, // of the last step: leapfrog
        {"temperature", "C", OND_F32, 1, shown},      {"id", "", OND_U32, 1, shown},
        {"material", "", OND_U32, 1, shown},          {"held", "", OND_U32, 1, state},
        {"force", "m/s^2", OND_F32, 3, temp},         {"mass", "kg", OND_F32, 1, temp},
        {"touching", "", OND_U32, 1, temp},
    };
    for (int f = 0; f < OND_COUNT(list); ++f)
        if (ond_fields_add(&d->fields, list[f].name, list[f].unit, list[f].type, list[f].components,
                           list[f].flags) < 0)
            return false;
    return !d->grips || ond_dem_grip_describe(d);
}

OndHeldView ond_dem_held(const OndDem *d)
{
    return (OndHeldView){&d->world, d->time, d->fields.count, d->x,   d->v,
                         d->a,      d->last, d->material,     d->held};
}

double *ond_dem_sums(OndDem *d, int count)
{
    return ond_scratch(&d->sum, &d->sum_room, count);
}

// ---- life

static void destroy(void *self)
{
    OndDem *d = self;
    if (!d) return;
    ond_fields_free(&d->fields);
    ond_cells_free(&d->cells);
    ond_images_free(&d->images);
    ond_sorting_free(&d->sorting);
    for (int b = 0; b < d->block_room; ++b)
        ond_free(d->block[b].push);
    ond_free(d->block);
    ond_free(d->near);
    ond_free(d->sum);
    ond_free(d);
}

static void weigh_materials(OndDem *d)
{
    for (int m = 0; m < d->world.material_count; ++m)
        d->mass_of[m] = (float)ond_world_mass(&d->world, m);
}

static void *create(const OndSetup *setup, OndError *err)
{
    OndDem *d = OND_NEW(OndDem);
    if (!d) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
        return NULL;
    }
    d->def = *(const OndDemDef *)setup->def;
    d->world = *setup->world;
    d->grips = d->def.sliding == OND_DEM_SLIDING_GRIP;
    d->loops = ond_loops();
    d->diameter = (float)d->world.spacing;
    d->stiffness = d->def.stiffness;
    weigh_materials(d);
    if (!describe(d)) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
    } else if (ond_fields_reserve(&d->fields, setup->room, err) == OND_OK) {
        ond_dem_bind(d);
        return d;
    }
    destroy(d);
    return NULL;
}

static OndFields *particles(void *self)
{
    return &((OndDem *)self)->fields;
}

static OndStatus added(void *self, int first, OndError *err)
{
    OndDem *d = self;
    ond_dem_bind(d);
    for (int i = 0; first == d->fields.count && i < first; ++i) // resumed: from a file
        if (d->material[i] >= (uint32_t)d->world.material_count)
            return ond_fail(err, OND_BAD_VALUE,
                            "the checkpoint is damaged: particle %d has no fluid", i);
    for (int i = first; i < d->fields.count; ++i) {
        d->id[i] = (uint32_t)d->next_id++;
        for (int a = 0; a < 3; ++a)
            d->last[a][i] = d->a[a][i] = 0.0f;
        for (int s = 0; d->grips && s < OND_DEM_SLOTS; ++s)
            d->with[s][i] = 0;
    }
    d->ready = false;
    return OND_OK;
}

static OndStatus start(void *self, OndError *err)
{
    OndDem *d = self;
    if (!(d->stiffness > 0.0)) d->stiffness = ond_dem_find_stiffness(d);
    return ond_dem_measure(d, err);
}

// Grains that fall faster must be harder, unless the scene says how hard they are.
static OndStatus told(void *self, const OndWorld *world, OndError *err)
{
    OndDem *d = self;
    (void)err;
    d->world = *world;
    if (!(d->def.stiffness > 0.0)) d->stiffness = fmax(d->stiffness, ond_dem_find_stiffness(d));
    d->ready = false;
    return OND_OK;
}

static void report(const void *self, OndReport *out)
{
    const OndDem *d = self;
    *out = (OndReport){.max_speed = d->speed,
                       .max_acceleration = d->acceleration,
                       .kinetic = d->kinetic,
                       .potential = d->potential,
                       .phase_count = OND_DEM_PHASES,
                       .phase_names = phase_names};
    memcpy(out->phase_ms, d->phase_ms, sizeof d->phase_ms);
}

static const char *number(void *self, int slot, double **value)
{
    OndDem *d = self;
    double *const values[] = {&d->last_dt, &d->next_id, &d->stiffness, &d->time};
    static const char *const names[] = {"last_dt", "next_id", "stiffness", "time"};
    if (slot >= OND_COUNT(names)) return NULL;
    *value = values[slot];
    return names[slot];
}

static size_t bytes(const void *self)
{
    const OndDem *d = self;
    size_t sum = (size_t)d->fields.capacity * (size_t)ond_fields_bytes_each(&d->fields) +
                 ond_images_bytes(&d->images) + ond_cells_bytes(&d->cells) +
                 ond_sorting_bytes(&d->sorting) + (size_t)d->sum_room * 8;
    for (int b = 0; b < d->block_room; ++b)
        sum += sizeof d->block[b] + (size_t)d->block[b].room * sizeof(OndDemPush);
    return sum + (size_t)d->near_room;
}

static double neighbours(const void *self)
{
    const OndDem *d = self;
    double sum = 0;
    for (int i = 0; i < d->fields.count; ++i)
        sum += d->touching[i];
    return d->fields.count ? sum / d->fields.count : 0;
}

const OndMethod ond_dem_method = {
    .name = "dem",
    .schema = &ond_dem_schema,
    .remedy = "a smaller `stiffness` or a larger `overlap`",
    .check = ond_dem_check_scene,
    .uses = OND_USES_GRAVITY | OND_USES_DENSITY | OND_USES_WALLS | OND_USES_SOLIDS | OND_USES_HELD,
    .refused = ond_dem_refused,
    .place = "to grains",
    .contact = ond_dem_contact,
    .grains = true,
    .create = create,
    .start = start,
    .prepare = prepare,
    .largest_step = largest_step,
    .advance = advance,
    .particles = particles,
    .added = added,
    .hears = OND_HEARS_GRAVITY,
    .told = told,
    .report = report,
    .number = number,
    .bytes = bytes,
    .neighbours = neighbours,
    .destroy = destroy,
};

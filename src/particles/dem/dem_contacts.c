// SPDX-License-Identifier: MIT
// Sort by cell, then what grains and walls do to each grain.
#include "base/parallel.h"
#include "particles/dem/dem_state.h"

#define GRAIN      4096
#define CELL_GRAIN 256

static void begin_range(int first, int last, int worker, void *context)
{
    OndDem *d = context;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            d->a[a][i] = d->world.gravity[a];
    for (int i = first; i < last; ++i)
        d->mass[i] = d->mass_of[d->material[i]];
}

static OndStatus make_images(OndDem *d, OndError *err)
{
    d->images.count = 0;
    if (!d->has_images) return OND_OK;
    const OndImageView view = {&d->world, d->image_at, d->x, d->fields.count};
    int total = 0;
    OndStatus status = ond_images_count(&d->images, &view, &total, err);
    if (status == OND_OK && d->fields.count + total > d->fields.capacity) {
        status = ond_fields_reserve(&d->fields, d->fields.count + total + total / 4, err);
        ond_dem_bind(d);
    }
    if (status == OND_OK) status = ond_images_place(&d->images, &view, &d->cells, total, err);
    if (status == OND_OK) ond_images_velocity(&d->images, &view, d->v);
    return status;
}

OndStatus ond_dem_neighbours(OndDem *d, OndError *err)
{
    OndStatus status = ond_sorting_sort(&d->sorting, &d->fields, d->diameter, &d->cells, err);
    if (status != OND_OK) return status;
    ond_dem_bind(d);
    status = make_images(d, err);
    if (status != OND_OK) return status;
    ond_parallel_for(d->fields.count, GRAIN, begin_range, d);
    for (int k = 0; k < d->images.count; ++k)
        d->mass[d->fields.count + k] = d->mass[d->images.source[k]];
    return OND_OK;
}

typedef struct Contacts {
    const OndLoops *loops;
    OndContactLoop loop;
} Contacts;

static void contact_range(int first, int last, int worker, void *context)
{
    const Contacts *c = context;
    c->loops->contact(&c->loop, first, last);
}

void ond_dem_contacts(OndDem *d)
{
    Contacts c = {d->loops,
                  {&d->cells, d->images.count ? &d->images.cells : NULL, (uint32_t)d->fields.count,
                   d->x[0], d->x[1], d->x[2], d->v[0], d->v[1], d->v[2], d->mass, d->diameter,
                   d->law, d->a[0], d->a[1], d->a[2], d->touching}};
    ond_parallel_for(d->cells.cell_count, CELL_GRAIN, contact_range, &c);
}

// A side is a plane that pushes along its axis.
static void press_wall(OndDem *d, int i, int side, float overlap)
{
    const OndContactLaw *law = &d->wall[side];
    const OndSide *wall = &d->world.side[side];
    const int axis = side / 2;
    const float inward = side % 2 ? -1.0f : 1.0f;
    const float inertia = ond_contact_inertia(law, d->mass[i]);
    const float apart = inward * (d->v[axis][i] - wall->velocity[axis]);
    OndDemRub rub = {law, OND_DEM_WALL + (uint32_t)side, .inertia = inertia};
    for (int a = 0; a < 3; ++a)
        rub.slide[a] = a == axis ? 0.0f : d->v[a][i] - wall->velocity[a];
    rub.normal[axis] = inward;
    rub.push = ond_contact_push(law, overlap, apart, inertia);
    float force[3];
    ond_dem_rub(d, i, &rub, force);
    for (int a = 0; a < 3; ++a)
        d->a[a][i] += (a == axis ? inward * rub.push : force[a]) / d->mass[i];
}

static void wall_range(int first, int last, int worker, void *context)
{
    OndDem *d = context;
    const float radius = 0.5f * d->diameter;
    for (int axis = 0; axis < d->world.dimension; ++axis) {
        const float low = d->wall_at[2 * axis] + radius, high = d->wall_at[2 * axis + 1] - radius;
        const float *x = d->x[axis];
        for (int i = first; i < last; ++i) {
            if (x[i] < low) press_wall(d, i, 2 * axis, low - x[i]);
            if (x[i] > high) press_wall(d, i, 2 * axis + 1, x[i] - high);
        }
    }
}

void ond_dem_walls(OndDem *d)
{
    ond_parallel_for(d->fields.count, GRAIN, wall_range, d);
}

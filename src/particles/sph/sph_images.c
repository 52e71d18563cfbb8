// SPDX-License-Identifier: MIT
// Walls and periodic sides as images.
//
// A particle within h of a wall gets a mirror image behind it, one within h of a periodic side a
// copy beyond the opposite side. To the loops they are neighbours like any other, so a wall counts
// in the density, carries pressure and rubs, and a lattice that starts half a spacing from a wall
// simply continues through it: a still pool is right at the wall.
#include "base/parallel.h"
#include "particles/sph/sph_state.h"
#include "physics/pressure.h"

static OndImageView view_of(const OndSph *s)
{
    return (OndImageView){&s->world, s->image_at, s->x, s->fields.count};
}

OndStatus ond_sph_make_images(OndSph *s, OndError *err)
{
    OndImages *m = &s->images;
    m->count = 0;
    if (!s->has_walls) return OND_OK;
    const OndImageView view = view_of(s);
    int total = 0;
    OndStatus status = ond_images_count(m, &view, &total, err);
    if (status == OND_OK && s->fields.count + total > s->fields.capacity) {
        status = ond_fields_reserve(&s->fields, s->fields.count + total + total / 16, err);
        ond_sph_bind(s);
    }
    if (status == OND_OK) status = ond_images_place(m, &view, &s->cells, total, err);
    if (status == OND_OK) ond_sph_image_velocity(s);
    return status;
}

void ond_sph_image_velocity(OndSph *s)
{
    const OndImageView view = view_of(s);
    ond_images_velocity(&s->images, &view, s->v);
}

typedef struct ImageCopy {
    OndSph *s;
    float *const *value;
} ImageCopy;

static void copy_scalars(int first, int last, int worker, void *context)
{
    const ImageCopy *c = context;
    float *value = *c->value;
    for (int k = first; k < last; ++k)
        value[c->s->fields.count + k] = value[c->s->images.source[k]];
}

void ond_sph_image_scalar(OndSph *s, float *value)
{
    ImageCopy c = {s, &value};
    ond_parallel_for(s->images.count, OND_IMAGE_BLOCK, copy_scalars, &c);
}

static void copy_directions(int first, int last, int worker, void *context)
{
    const ImageCopy *c = context;
    for (int k = first; k < last; ++k)
        for (int a = 0; a < 3; ++a) {
            const float value = c->value[a][c->s->images.source[k]];
            const bool flip = ond_images_mirror(&c->s->images, &c->s->world, k, a);
            c->value[a][c->s->fields.count + k] = flip ? -value : value;
        }
}

void ond_sph_image_direction(OndSph *s, float *const vector[3])
{
    ImageCopy c = {s, vector};
    ond_parallel_for(s->images.count, OND_IMAGE_BLOCK, copy_directions, &c);
}

static void copy_pressures(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    for (int k = first; k < last; ++k) {
        const uint32_t from = s->images.source[k];
        const int to = s->fields.count + k;
        float p = s->pressure[from];
        for (int axis = 0; axis < s->world.dimension; ++axis)
            if (ond_images_mirror(&s->images, &s->world, k, axis))
                p += ond_pressure_behind(s->density[from], s->world.gravity[axis],
                                         s->x[axis][to] - s->x[axis][from]);
        s->pressure[to] = s->def.suction || p > 0.0f ? p : 0.0f;
    }
}

void ond_sph_image_pressure(OndSph *s)
{
    ond_parallel_for(s->images.count, OND_IMAGE_BLOCK, copy_pressures, s);
}

// SPDX-License-Identifier: MIT
// A heat step: what is outside, what pairs conduct, then the solver.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/heat/heat_state.h"

#include <string.h>

// ---- set up

// Sum over the lattice of r^2 lap W, without the kernel's factor.
static double lattice_laplacian(const OndSph *s)
{
    const double spacing = s->world.spacing;
    const int reach = (int)ceil(s->def.smoothing), flat = s->world.dimension == 2 ? 0 : reach;
    double sum = 0;
    for (int z = -flat; z <= flat; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x) {
                const double r = spacing * sqrt(x * x + y * y + z * z);
                sum +=
                    r * r * ond_kernel_laplacian_shape(s->kernel.kind, (float)r, s->kernel.inv_h);
            }
    return sum;
}

static void set_up_curves(OndSph *s, OndHeat *h)
{
    h->unit = 0;
    for (int m = 0; m < s->world.material_count; ++m)
        h->unit = fmax(h->unit, (double)s->mass[m] * s->world.material[m].specific_heat);
    for (int m = 0; m < s->world.material_count; ++m) {
        const OndMaterial *from = &s->world.material[m];
        const double range = (double)from->liquid - from->solid;
        const bool melts = s->def.heat.latent && range > 0.0 && from->latent_heat > 0.0f;
        h->curve[m] = (OndHeatCurve){
            .capacity = (double)s->mass[m] * from->specific_heat / h->unit,
            .melting = melts ? (double)s->mass[m] * from->latent_heat / (range * h->unit) : 0.0,
            .solid = melts ? from->solid : 0.0,
            .liquid = melts ? from->liquid : 0.0,
        };
    }
}

static OndStatus make(OndSph *s, OndError *err)
{
    if (s->heat) return OND_OK;
    s->heat = OND_NEW(OndHeat);
    if (!s->heat) return ond_fail(err, OND_NO_MEMORY, "not enough memory for heat");
    set_up_curves(s, s->heat);
    s->heat->per_lap = 2.0 * s->world.dimension / lattice_laplacian(s);
    ond_heat_set_up_outside(s);
    return OND_OK;
}

static void drop_arrays(OndHeat *h)
{
    void **arrays[] = {(void **)&h->conduct,  (void **)&h->sum,          (void **)&h->area,
                       (void **)&h->value,    (void **)&h->direction,    (void **)&h->pulled,
                       (void **)&h->residual, (void **)&h->flow,         (void **)&h->capacity,
                       (void **)&h->start,    (void **)&h->outside,      (void **)&h->toward,
                       (void **)&h->molten,   (void **)&h->image_offset, (void **)&h->image_sign};
    for (int a = 0; a < OND_COUNT(arrays); ++a) {
        ond_free(*arrays[a]);
        *arrays[a] = NULL;
    }
    h->room = h->image_room = 0;
}

static bool make_arrays(OndHeat *h, int n, int images)
{
    const int all = n + images;
    drop_arrays(h);
    h->conduct = OND_NEW_ARRAY(float, all), h->value = OND_NEW_ARRAY(double, all);
    h->direction = OND_NEW_ARRAY(double, all);
    h->sum = OND_NEW_ARRAY(float, n), h->area = OND_NEW_ARRAY(float, n);
    h->pulled = OND_NEW_ARRAY(double, n), h->residual = OND_NEW_ARRAY(double, n);
    h->flow = OND_NEW_ARRAY(double, n), h->capacity = OND_NEW_ARRAY(double, n);
    h->start = OND_NEW_ARRAY(double, n), h->outside = OND_NEW_ARRAY(double, n);
    h->toward = OND_NEW_ARRAY(double, n), h->molten = OND_NEW_ARRAY(uint8_t, n);
    h->image_offset = OND_NEW_ARRAY(double, images + 1);
    h->image_sign = OND_NEW_ARRAY(float, images + 1);
    h->room = n, h->image_room = images;
    return h->conduct && h->value && h->direction && h->sum && h->area && h->pulled &&
           h->residual && h->flow && h->capacity && h->start && h->outside && h->toward &&
           h->molten && h->image_offset && h->image_sign;
}

static OndStatus make_room(OndSph *s, OndError *err)
{
    OndHeat *h = s->heat;
    const int n = s->fields.count, images = s->images.count;
    bool good = true;
    if (n > h->room || images > h->image_room)
        good = make_arrays(h, n + n / 8, images + images / 4);
    if (s->lists.capacity > h->pair_room) {
        ond_free(h->weight);
        h->weight = OND_NEW_ARRAY(float, s->lists.capacity);
        h->pair_room = h->weight ? s->lists.capacity : 0;
        good &= h->weight != NULL;
    }
    if (good) return OND_OK;
    drop_arrays(h);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the heat of %d particles", n);
}

void ond_heat_free(OndHeat *heat)
{
    if (!heat) return;
    drop_arrays(heat);
    ond_free(heat->weight);
    ond_free(heat);
}

size_t ond_heat_bytes(const OndHeat *h)
{
    if (!h) return 0;
    const size_t each = 2 * sizeof(float) + 7 * sizeof(double) + 1;
    const size_t both = sizeof(float) + 2 * sizeof(double);
    return h->pair_room * sizeof(float) + (size_t)h->room * (each + both) +
           (size_t)h->image_room * (sizeof(double) + sizeof(float) + both);
}

// ---- pairs

typedef struct Pairs {
    OndSph *s;
    double dt;
    OndConductLoop loop;
} Pairs;

static void fill_range(int first, int last, int worker, void *context)
{
    const Pairs *p = context;
    const OndSph *s = p->s;
    float each[OND_MATERIALS_MAX];
    for (int m = 0; m < s->world.material_count; ++m) {
        const OndMaterial *of = &s->world.material[m];
        const double volume = (double)s->mass[m] / of->density;
        each[m] = (float)(of->conductivity * volume * s->heat->per_lap * p->dt / s->heat->unit);
    }
    for (int i = first; i < last; ++i)
        s->heat->conduct[i] = each[s->material[i]];
}

// What an image stands for: the same temperature as its particle, as if no heat crossed the wall;
// or, behind a wall that heats, as far on the other side of the wall's temperature, so that it is
// the wall's in between. Real neighbours are nearer than images, so the matrix keeps its signs.
static void mark_images(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    static const int power3[3] = {1, 3, 9};
    for (int k = first; k < last; ++k) {
        double sign = 1, offset = 0;
        for (int axis = 0; axis < s->world.dimension; ++axis) {
            const int way = s->images.code[k] / power3[axis] % 3;
            const OndSide *side = &s->world.side[2 * axis + (way == 2)];
            if (way == 0 || side->kind != OND_SIDE_WALL || !side->heats) continue;
            sign = -sign, offset = 2.0 * side->temperature - offset;
        }
        s->heat->image_sign[k] = (float)sign;
        s->heat->image_offset[k] = offset;
    }
}

void ond_heat_plain_images(OndSph *s)
{
    for (int k = 0; k < s->images.count; ++k)
        s->heat->image_sign[k] = 1.0f, s->heat->image_offset[k] = 0.0;
}

static void conduct_range(int first, int last, int worker, void *context)
{
    const Pairs *p = context;
    p->s->loops->conduct(&p->loop, first, last);
}

void ond_heat_conductances(OndSph *s, double dt)
{
    OndHeat *h = s->heat;
    Pairs p = {s, dt, {ond_sph_pairs(s), h->conduct, h->weight, h->sum, h->value, h->flow}};
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, fill_range, &p);
    ond_sph_image_scalar(s, h->conduct);
    ond_parallel_for(s->images.count, 8 * OND_GRAIN, mark_images, s);
    ond_heat_images(s, h->value, true);
    ond_parallel_for(s->fields.count, OND_GRAIN, conduct_range, &p);
}

typedef struct Copy {
    const OndSph *s;
    double *value;
    double whole;
} Copy;

static void image_range(int first, int last, int worker, void *context)
{
    const Copy *c = context;
    const OndHeat *h = c->s->heat;
    double *images = c->value + c->s->fields.count;
    for (int k = first; k < last; ++k)
        images[k] =
            h->image_sign[k] * c->value[c->s->images.source[k]] + c->whole * h->image_offset[k];
}

void ond_heat_images(OndSph *s, double *value, bool whole)
{
    Copy c = {s, value, whole};
    ond_parallel_for(s->images.count, 8 * OND_GRAIN, image_range, &c);
}

// ---- the step

typedef struct Range {
    const OndSph *s;
    double *low, *high;
} Range;

static void range_blocks(int first, int last, int worker, void *context)
{
    const Range *r = context;
    const OndSph *s = r->s;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK;
        const int end =
            begin + OND_SUM_BLOCK < s->fields.count ? begin + OND_SUM_BLOCK : s->fields.count;
        double low = INFINITY, high = -INFINITY;
        for (int i = begin; i < end; ++i) {
            const double t = ond_heat_load(s, i);
            s->heat->value[i] = t;
            low = t < low ? t : low;
            high = t > high ? t : high;
        }
        r->low[b] = low, r->high[b] = high;
    }
}

// Loads all temperatures and finds the lowest and highest.
static OndStatus load(OndSph *s, OndError *err)
{
    OndHeat *h = s->heat;
    const int blocks = ond_sum_block_count(s->fields.count);
    double *sums = ond_sph_sums(s, 2 * blocks);
    if (!sums) return ond_fail(err, OND_NO_MEMORY, "not enough memory for sums over particles");
    Range r = {s, sums, sums + blocks};
    ond_parallel_for(blocks, 1, range_blocks, &r);
    h->low = INFINITY, h->high = -INFINITY;
    for (int b = 0; b < blocks; ++b) {
        h->low = fmin(h->low, r.low[b]);
        h->high = fmax(h->high, r.high[b]);
    }
    return OND_OK;
}

OndStatus ond_heat_spread(OndSph *s, double dt, OndError *err)
{
    OndStatus status = make(s, err);
    if (status == OND_OK) status = make_room(s, err);
    if (status == OND_OK) status = load(s, err);
    if (status == OND_OK) status = ond_heat_outside(s, dt, err);
    if (status != OND_OK) return status;
    s->heat->iterations = s->heat->solves = 0;
    if (s->heat->span == 0.0) return OND_OK; // all is even
    return s->def.heat.solver == OND_HEAT_IMPLICIT ? ond_heat_implicit(s, dt, err)
                                                   : ond_heat_pairs(s, dt, err);
}

// SPDX-License-Identifier: MIT
// Density beside a free surface, for liquids with surface tension.
//
// A sum over neighbours takes the emptiness outside for thinner liquid. Tension presses the surface
// inwards until that sum is at rest density too: within some ten periods of a drop its outermost
// layer packs to half as many particles again, on less room, and the pressure inside rises by 15 %.
// So the sum is divided by what a full liquid would have at that depth. Depth tells by
//
//     q = h |sum_j grad W| / sum_j W
//
// which does not depend on how dense the liquid is: both sums grow with it alike. What a full
// liquid has at each q is read off a flat surface of the start lattice, layer by layer. Who lies on
// top of it has a greater q than the outermost layer; there the line through the outer two goes on,
// which leaves it less dense than at rest, so that it is not pushed away.
#include "base/parallel.h"
#include "particles/sph/sph_solids.h"
#include "physics/tension.h"

#define LEAST 0.5f // of the outermost layer's share: single particles have no side

// ---- the layers of a flat surface

// Sum of W, and of the gradient's length, over the lattice from `from` layers below a particle on.
static void add_layers(const OndSph *s, int from, double *value, double *slope)
{
    const double spacing = s->world.spacing;
    const int reach = (int)ceil((double)s->kernel.h / spacing),
              flat = s->world.dimension == 2 ? 0 : reach;
    for (int z = -flat; z <= flat; ++z)
        for (int x = -reach; x <= reach; ++x)
            for (int y = from; y <= reach; ++y) {
                const double r = spacing * sqrt(x * x + y * y + z * z);
                *value += ond_kernel_value(s->kernel, (float)(r * r));
                *slope -= spacing * y * ond_kernel_gradient(s->kernel, (float)r);
            }
}

static void set_layer(OndSphSurface *surface, double h, double volume, double value, double slope)
{
    const int k = surface->count++;
    surface->bare[k] = (float)(h * slope / value);
    surface->filled[k] = (float)(volume * value);
}

void ond_sph_set_up_surface(OndSph *s)
{
    OndSphSurface *const surface = &s->surface;
    const double h = s->kernel.h;
    double value = 1.0, slope = 1.0 / h;
    surface->count = 0;
    if (!s->has_tension || s->def.tension != OND_TENSION_CURVATURE ||
        s->def.density != OND_DENSITY_SUMMATION)
        return;
    for (int above = 0; slope > 1e-3 * value / h && surface->count < OND_SURFACE_LAYERS; ++above) {
        value = slope = 0;
        add_layers(s, -above, &value, &slope);
        set_layer(surface, h, s->rest_volume, value, slope);
    }
}

// Share of the neighbours that there are: between two layers in proportion.
static float filled_at(const OndSphSurface *t, float bare)
{
    int k = 0;
    while (k < t->count - 2 && bare < t->bare[k + 1])
        ++k;
    return fmaxf(
        ond_surface_filled(bare, t->bare[k], t->bare[k + 1], t->filled[k], t->filled[k + 1]),
        LEAST * t->filled[0]);
}

// ---- particles

// An even pressure pushes out of the liquid, as strongly as neighbours are missing.
static void even_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int i = first; i < last; ++i) {
        s->scale[i] = 1.0f;
        s->place[i] = (OndQuad){s->x[0][i], s->x[1][i], s->x[2][i], 0.5f};
    }
}

typedef struct Even {
    OndSph *s;
    OndPressureLoop loop;
} Even;

static void add_walls(const OndSph *s, int i, float push[3])
{
    const int slot = s->solids ? s->solids->slot[i] : -1;
    for (int k = 0; slot >= 0 && k < s->solids->row[slot].count; ++k) {
        const OndRowTouch *t = &s->solids->row[slot].touch[k];
        const float slope = ond_wall_sum(&s->solids->table, OND_WALL_SLOPE, t->distance);
        for (int a = 0; a < 3; ++a)
            push[a] += t->edge * slope * t->normal[a];
    }
}

static void fill_range(int first, int last, int worker, void *context)
{
    const Even *e = context;
    OndSph *const s = e->s;
    for (int i = first; i < last; ++i)
        s->normal[0][i] = s->normal[1][i] = s->normal[2][i] = 0.0f;
    s->loops->pressure(&e->loop, first, last);
    for (int i = first; i < last; ++i) {
        float push[3] = {s->normal[0][i], s->normal[1][i], s->normal[2][i]};
        add_walls(s, i, push);
        const float bare = ond_surface_bare(s->kernel.h, sqrtf(ond_dot3(push, push)), s->sum_w[i]);
        s->sum_w[i] /= filled_at(&s->surface, bare);
    }
}

void ond_sph_fill_surface(OndSph *s)
{
    if (s->surface.count == 0) return;
    ond_parallel_for(s->fields.count + s->images.count, OND_GRAIN, even_range, s);
    Even e = {s, {ond_sph_pairs(s), NULL, s->scale}};
    e.loop.pairs.ax = s->normal[0], e.loop.pairs.ay = s->normal[1], e.loop.pairs.az = s->normal[2];
    ond_parallel_for(s->fields.count, OND_GRAIN, fill_range, &e);
}

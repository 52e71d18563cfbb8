// SPDX-License-Identifier: MIT
// Surface tension, in one of two forms (loops_tension.c has the idea).
//
// The force of the curvature form is spread over the outer layers of particles, where its kernel
// lacks neighbours. On a flat surface of the start lattice, which knows of no drop, this fixes its
// two constants: what the weights of the layers sum up to, which must be 1, and how deep inside the
// curvature is seen. Of a ball of radius R, normals at depth z turn like those of radius R - z; to
// the first order a neighbour at depth z_j shows a particle at depth z_i a ball that is
// (3 z_j - z_i) / 2 smaller. The mean of that is given back.
#include "base/parallel.h"
#include "particles/sph/sph_state.h"
#include "physics/tension.h"

#define NORMAL_REACH 4.0 // spacings: with 3, normals of single particles upset the surface
#define FORCE_REACH  3.0 // spacings: narrow, so that the force is where the surface is
#define FAINT        0.2 // over h: slopes below a seventh of a flat surface's are disorder
#define SHARPEST     2.0 // spacings: no surface is taken as bent to a smaller radius
#define LAYERS_MOST  8
#define HOLD         1.0 // times tension over spacing: with none, particles leave the surface

typedef struct Tension {
    OndSph *s;
    OndSlopeLoop slope;
    OndCurvatureLoop curve;
    OndColourLoop colour;
} Tension;

// ---- by curvature

static void slope_range(int first, int last, int worker, void *context)
{
    const Tension *t = context;
    t->s->loops->slope(&t->slope, first, last);
}

// Gradients become unit normals, with the weight of each; `surface_delta` is the force's own (CSF).
static void direct_range(int first, int last, int worker, void *context)
{
    OndSph *s = ((const Tension *)context)->s;
    float *const *n = s->normal;
    float *const *f = s->pull;
    for (int i = first; i < last; ++i) {
        const float slope =
            sqrtf(n[0][i] * n[0][i] + n[1][i] * n[1][i] + n[2][i] * n[2][i]) + 1e-6f * s->faint;
        const float share = ond_surface_share(slope, s->faint);
        const float across = (f[0][i] * n[0][i] + f[1][i] * n[1][i] + f[2][i] * n[2][i]) / slope;
        for (int a = 0; a < 3; ++a)
            n[a][i] /= slope;
        s->bend[i] = share * slope;
        s->surface_delta[i] = s->surface_scale * share * across;
    }
}

static void curvature_range(int first, int last, int worker, void *context)
{
    const Tension *t = context;
    t->s->loops->curvature(&t->curve, first, last);
}

// Normals become accelerations.
static void push_range(int first, int last, int worker, void *context)
{
    OndSph *s = ((const Tension *)context)->s;
    const float sides = (float)(s->world.dimension - 1),
                most = (float)(1.0 / (SHARPEST * s->world.spacing));
    for (int i = first; i < last; ++i) {
        const float bent = sides * ond_curvature_outside(s->seen[i], s->depth, most);
        const float volume = ond_colour_volume(s->volume[i], s->rest_volume);
        const float push = ond_tension_push(s->tension[i], bent, s->surface_delta[i], volume,
                                            s->density[i] * s->volume[i]);
        for (int a = 0; a < 3; ++a)
            s->normal[a][i] *= push;
    }
}

static void add_range(int first, int last, int worker, void *context)
{
    OndSph *s = ((const Tension *)context)->s;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            s->a[a][i] += s->normal[a][i];
}

static void pull_by_curvature(OndSph *s, Tension *t)
{
    const int n = s->fields.count;
    ond_parallel_for(n, OND_GRAIN, slope_range, t);
    ond_sph_solids_colour(s);
    ond_parallel_for(n, OND_GRAIN, direct_range, t);
    ond_sph_image_direction(s, s->normal);
    ond_sph_image_scalar(s, s->bend);
    ond_parallel_for(n, OND_GRAIN, curvature_range, t);
    ond_parallel_for(n, OND_GRAIN, push_range, t);
    ond_sph_tension_balance(s);
    ond_parallel_for(n, OND_GRAIN, add_range, t);
}

// ---- as Mueller has it

static void colour_range(int first, int last, int worker, void *context)
{
    const Tension *t = context;
    t->s->loops->colour(&t->colour, first, last);
}

static void mueller_range(int first, int last, int worker, void *context)
{
    OndSph *s = ((const Tension *)context)->s;
    for (int i = first; i < last; ++i) {
        const float x = s->normal[0][i], y = s->normal[1][i], z = s->normal[2][i];
        const float length = sqrtf(x * x + y * y + z * z);
        if (length * s->colour.h < (float)s->def.tension_threshold) continue;
        const float push = ond_tension_mueller(s->tension[i], s->bend[i], length, s->density[i]);
        for (int a = 0; a < 3; ++a)
            s->a[a][i] += push * s->normal[a][i];
    }
}

static void pull_as_mueller(OndSph *s, Tension *t)
{
    ond_parallel_for(s->fields.count, OND_GRAIN, colour_range, t);
    ond_sph_solids_colour(s);
    ond_parallel_for(s->fields.count, OND_GRAIN, mueller_range, t);
}

void ond_sph_tension(OndSph *s)
{
    if (!s->has_tension) return;
    OndPairs pairs = ond_sph_pairs(s);
    pairs.kernel = s->colour;
    float *const *n = s->normal;
    Tension t = {.s = s,
                 .slope = {pairs, s->force, s->rest_volume, n[0], n[1], n[2], s->pull[0],
                           s->pull[1], s->pull[2]},
                 .curve = {pairs, n[0], n[1], n[2], s->bend, s->seen},
                 .colour = {pairs, s->world.dimension, n[0], n[1], n[2], s->bend}};
    if (s->def.tension == OND_TENSION_CURVATURE)
        pull_by_curvature(s, &t);
    else
        pull_as_mueller(s, &t);
}

// ---- the constants, on a flat surface of the start lattice

// Slope of the colour with `above` layers over the particle.
static double flat_slope(const OndSph *s, OndKernelSet kernel, int above)
{
    const int reach = (int)ceil(s->reach / s->world.spacing),
              flat = s->world.dimension == 2 ? 0 : reach;
    const double spacing = s->world.spacing;
    double slope = 0;
    for (int z = -flat; z <= flat; ++z)
        for (int x = -reach; x <= reach; ++x)
            for (int y = above + 1; y <= reach; ++y) {
                const double r = spacing * sqrt(x * x + y * y + z * z);
                slope -= spacing * y * ond_kernel_gradient(kernel, (float)r);
            }
    return s->rest_volume * slope;
}

// How much smaller a ball looks from a layer than it is, to the first order; in spacings.
static double flat_depth(const OndSph *s, const double weight[], int layers, int from)
{
    const int reach = (int)ceil(s->reach / s->world.spacing),
              flat = s->world.dimension == 2 ? 0 : reach;
    double sum = 0, all = 0;
    for (int z = -flat; z <= flat; ++z)
        for (int x = -reach; x <= reach; ++x)
            for (int k = 0; k < layers; ++k) {
                const double way = x * x + z * z,
                             r = s->world.spacing * sqrt(way + (k - from) * (k - from));
                const double w = -weight[k] * way * ond_kernel_gradient(s->colour, (float)r);
                sum += w * (k + 0.5);
                all += w;
            }
    return all > 0.0 ? 1.5 * sum / all - 0.5 * (from + 0.5) : 0.0;
}

void ond_sph_set_up_tension(OndSph *s)
{
    const int d = s->world.dimension;
    const double spacing = s->world.spacing;
    s->reach = fmaxf(s->kernel.h, s->has_tension ? (float)(NORMAL_REACH * spacing) : 0.0f);
    s->colour = ond_kernel_set(OND_KERNEL_WENDLAND, NORMAL_REACH * spacing, d);
    s->force = ond_kernel_set(OND_KERNEL_WENDLAND, FORCE_REACH * spacing, d);
    s->faint = (float)(FAINT / s->colour.h);
    s->hold = s->def.tension == OND_TENSION_CURVATURE ? (float)(HOLD / spacing) : 0.0f;
    const int layers = (int)fmin(ceil(NORMAL_REACH), LAYERS_MOST);
    double normal[LAYERS_MOST], force[LAYERS_MOST], all = 0, depth = 0;
    for (int k = 0; k < layers; ++k) {
        const double slope = flat_slope(s, s->colour, k);
        const double share = (double)ond_surface_share((float)slope, s->faint);
        normal[k] = share * slope;
        force[k] = share * flat_slope(s, s->force, k);
        all += spacing * force[k];
    }
    for (int k = 0; k < layers; ++k)
        depth += spacing * force[k] / all * flat_depth(s, normal, layers, k);
    s->surface_scale = (float)(1.0 / all);
    s->depth = (float)(spacing * depth);
}

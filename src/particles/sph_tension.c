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
#include "particles/sph_state.h"

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
    double push[3], turn[3], centre[3]; // what curvature would give the whole liquid
} Tension;

// ---- by curvature

static void slope_range(int first, int last, int worker, void *context)
{
    const Tension *t = context;
    t->s->loops->slope(&t->slope, first, last);
}

static float share_of_surface(float slope, float faint)
{
    return slope * slope / (slope * slope + faint * faint);
}

// Gradients become unit normals, with the weight of each; `load` is the force's own.
static void direct_range(int first, int last, int worker, void *context)
{
    OndSph *s = ((const Tension *)context)->s;
    float *const *n = s->normal;
    const float *const f[3] = {s->weight, s->load, s->scale};
    for (int i = first; i < last; ++i) {
        const float slope =
            sqrtf(n[0][i] * n[0][i] + n[1][i] * n[1][i] + n[2][i] * n[2][i]) + 1e-6f * s->faint;
        const float share = share_of_surface(slope, s->faint);
        const float across = (f[0][i] * n[0][i] + f[1][i] * n[1][i] + f[2][i] * n[2][i]) / slope;
        for (int a = 0; a < 3; ++a)
            n[a][i] /= slope;
        s->bend[i] = share * slope;
        s->load[i] = s->surface_scale * share * across;
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
        const float seen = s->weight[i], there = seen / (1.0f + fmaxf(s->depth * seen, -0.5f));
        const float bent = sides * fminf(fmaxf(there, -most), most);
        const float volume = fminf(s->volume[i], s->rest_volume);
        const float push = s->tension[i] * bent * s->load[i] * volume /
                           (s->density[i] * s->volume[i]); // over the mass
        for (int a = 0; a < 3; ++a)
            s->normal[a][i] *= push;
    }
}

static void add_range(int first, int last, int worker, void *context)
{
    const Tension *t = context;
    OndSph *s = t->s;
    for (int i = first; i < last; ++i) {
        const float x = s->x[0][i] - (float)t->centre[0], y = s->x[1][i] - (float)t->centre[1],
                    z = s->x[2][i] - (float)t->centre[2];
        const float u = (float)t->turn[0], v = (float)t->turn[1], w = (float)t->turn[2];
        s->a[0][i] += s->normal[0][i] - (float)t->push[0] - (v * z - w * y);
        s->a[1][i] += s->normal[1][i] - (float)t->push[1] - (w * x - u * z);
        s->a[2][i] += s->normal[2][i] - (float)t->push[2] - (u * y - v * x);
    }
}

// ---- what curvature gives a whole liquid: nothing

enum { MASS, AT = 1, PUSH = 4, TURN = 7, SPREAD = 10, SUMS = 16 }; // of a block

typedef struct Balance {
    const OndSph *s;
    double *sum;
} Balance;

static void balance_blocks(int first, int last, int worker, void *context)
{
    const Balance *b = context;
    const OndSph *s = b->s;
    for (int k = first; k < last; ++k) {
        const int begin = k * OND_SUM_BLOCK, next = begin + OND_SUM_BLOCK;
        double *sum = b->sum + (ptrdiff_t)k * SUMS;
        for (int e = 0; e < SUMS; ++e)
            sum[e] = 0;
        for (int i = begin; i < next && i < s->fields.count; ++i) {
            const double m = s->mass[s->material[i]];
            sum[MASS] += m;
            for (int a = 0; a < 3; ++a) {
                const int c = (a + 1) % 3, d = (a + 2) % 3;
                const double x = s->x[a][i], y = s->x[c][i], z = s->x[d][i];
                sum[AT + a] += m * x;
                sum[PUSH + a] += m * s->normal[a][i];
                sum[TURN + a] += m * (y * s->normal[d][i] - z * s->normal[c][i]);
                sum[SPREAD + a] += m * x * x;
                sum[SPREAD + 3 + a] += m * y * z;
            }
        }
    }
}

// The turning acceleration of a body of these sums that `turn` would give it; none about a line.
static void solve_turn(const double sum[SUMS], const double centre[3], const double turn[3],
                       double out[3])
{
    double inertia[3][3], size = 0;
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        inertia[a][a] = sum[SPREAD + c] + sum[SPREAD + d] -
                        sum[MASS] * (centre[c] * centre[c] + centre[d] * centre[d]);
        inertia[c][d] = inertia[d][c] = sum[MASS] * centre[c] * centre[d] - sum[SPREAD + 3 + a];
        size = fmax(size, inertia[a][a]);
    }
    double inverse[3][3], det = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            const int c = (a + 1) % 3, d = (a + 2) % 3, e = (b + 1) % 3, f = (b + 2) % 3;
            inverse[a][b] = inertia[c][e] * inertia[d][f] - inertia[c][f] * inertia[d][e];
        }
    for (int a = 0; a < 3; ++a)
        det += inertia[0][a] * inverse[0][a];
    for (int a = 0; a < 3; ++a) {
        out[a] = 0;
        for (int b = 0; b < 3 && det > 1e-9 * size * size * size; ++b)
            out[a] += inverse[a][b] * turn[b] / det;
    }
}

// Over a closed surface sigma kappa n sums up to nothing, and turns nothing. Of what particles make
// of it a rest remains, a millionth of the forces in a quiet drop and a hundredth in one that is
// thrown about, which no pair gives back. Where only the liquid itself could take it, it is taken
// off, as the motion of one rigid body; walls and solids bear their part.
static void balance(const OndSph *s, double *sums, Tension *t)
{
    Balance b = {s, sums};
    const int blocks = ond_sum_block_count(s->fields.count);
    double sum[SUMS] = {0}, turn[3];
    ond_parallel_for(blocks, 1, balance_blocks, &b);
    for (int k = 0; k < blocks; ++k)
        for (int e = 0; e < SUMS; ++e)
            sum[e] += sums[k * SUMS + e];
    for (int a = 0; a < 3; ++a) {
        t->centre[a] = sum[AT + a] / sum[MASS];
        t->push[a] = sum[PUSH + a] / sum[MASS];
    }
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        turn[a] = sum[TURN + a] - t->centre[c] * sum[PUSH + d] + t->centre[d] * sum[PUSH + c];
    }
    solve_turn(sum, t->centre, turn, t->turn);
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
    // without memory for the sums the step ends in ond_sph_limits, which asks for them next
    double *sums =
        s->has_walls || s->solids ? NULL : ond_sph_sums(s, SUMS * ond_sum_block_count(n));
    if (sums) balance(s, sums, t);
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
        const float push = -s->tension[i] * s->bend[i] / (length * s->density[i]);
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
                 .slope = {pairs, s->force, s->rest_volume, n[0], n[1], n[2], s->weight, s->load,
                           s->scale}, // scratch of the pressure
                 .curve = {pairs, n[0], n[1], n[2], s->bend, s->weight},
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
        const double share = (double)share_of_surface((float)slope, s->faint);
        normal[k] = share * slope;
        force[k] = share * flat_slope(s, s->force, k);
        all += spacing * force[k];
    }
    for (int k = 0; k < layers; ++k)
        depth += spacing * force[k] / all * flat_depth(s, normal, layers, k);
    s->surface_scale = (float)(1.0 / all);
    s->depth = (float)(spacing * depth);
}

// SPDX-License-Identifier: MIT
// Takes the bumps out of where surface particles stand.
//
// Particles of a calm surface are never quite level. For each, the mean height of the neighbours
// that face the same way, over its own,
//
//     rise_i = mean_j ((x_j - x_i) . n_i)
//
// is its bump, and the bend of the surface with it: on a ball all neighbours are lower. Bends are
// what neighbours share, so what is left after
//
//     lift_i = rise_i - mean_j rise_j
//
// is bump alone, and a ball stays as large as it is. The ways out are means over the same
// neighbours.
#include "base/memory.h"
#include "base/parallel.h"
#include "surface/fields/variational_place.h"

#include <string.h>

#define REACH 2.1 // spacings that neighbours are looked for
#define LIKE  0.6 // cosine between ways out: the same side of the liquid
#define LEVEL 0.9 // sizes of height: more is another layer
#define MOST  0.4 // sizes that a particle may be lifted
#define GRAIN 256

typedef struct Looking {
    const OndPoints *points;
    OndOutward *look;
    float *rise;
    bool risen;      // all of rise is known
    float (*way)[3]; // mean ways out
    double smoothing;
} Looking;

static void find_ways_out(int first, int last, int worker, void *context)
{
    const Looking *l = context;
    const OndPoints *p = l->points;
    for (int i = first; i < last; ++i) {
        if (!p->surface[i]) continue;
        OndAround around;
        ond_around_find(&around, p, i, REACH * fmax(p->size[i], p->spacing));
        const OndFacing facing = ond_facing_find(&around, p->size[i], p->dimension);
        for (int a = 0; a < 3; ++a)
            l->look[i].out[a] = facing.out || facing.sheet ? (float)facing.axis[0][a] : 0.0f;
        l->look[i].sheet = facing.sheet;
    }
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool is_broad(const OndOutward *look)
{
    return !look->sheet && dot(look->out, look->out) > 0.0f;
}

typedef struct Mean {
    float weight, height, rise, way[3]; // sums
} Mean;

static inline void add(const Looking *l, int i, uint32_t j, Mean *mean)
{
    const OndPoints *p = l->points;
    const float *out = l->look[i].out, *other = l->look[j].out, size = p->size[i];
    const float x[3] = {p->x[j] - p->x[i], p->y[j] - p->y[i], p->z[j] - p->z[i]};
    const float rest = 1.0f - dot(x, x) / (4.0f * size * size), height = dot(x, out);
    if (!(rest > 0.0f) || fabsf(height) > (float)LEVEL * size) return;
    if (l->look[j].sheet || !(dot(out, other) > (float)LIKE)) return;
    const float w = rest * rest;
    mean->weight += w;
    mean->height += w * height;
    if (l->risen) mean->rise += w * l->rise[j];
    for (int a = 0; a < 3; ++a)
        mean->way[a] += w * other[a];
}

// Over the neighbours that face the same way, and the particle itself.
static Mean mean_near(const Looking *l, int i)
{
    const OndPoints *p = l->points;
    const double at[3] = {p->x[i], p->y[i], p->z[i]}, reach = 2.0 * p->size[i];
    double min[3], max[3];
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - reach, max[a] = at[a] + reach;
    Mean mean = {0};
    OndBinWalk near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t j = run.first; j < run.last; ++j)
            add(l, i, j, &mean);
    return mean;
}

static void find_means(int first, int last, int worker, void *context)
{
    const Looking *l = context;
    for (int i = first; i < last; ++i) {
        if (!is_broad(&l->look[i])) continue;
        const Mean mean = mean_near(l, i);
        memcpy(l->way[i], mean.way, sizeof mean.way);
    }
}

static void take_means(int first, int last, int worker, void *context)
{
    const Looking *l = context;
    for (int i = first; i < last; ++i) {
        float *way = l->way[i], *out = l->look[i].out;
        const float length = sqrtf(dot(way, way));
        for (int a = 0; a < 3 && length > 0.0f; ++a)
            out[a] = way[a] / length;
    }
}

static void find_rise(int first, int last, int worker, void *context)
{
    const Looking *l = context;
    for (int i = first; i < last; ++i)
        if (is_broad(&l->look[i])) {
            const Mean mean = mean_near(l, i);
            l->rise[i] = mean.height / mean.weight;
        }
}

static void find_lift(int first, int last, int worker, void *context)
{
    const Looking *l = context;
    for (int i = first; i < last; ++i) {
        if (!is_broad(&l->look[i])) continue;
        const float most = (float)MOST * l->points->size[i];
        const Mean mean = mean_near(l, i);
        const float lift = (float)l->smoothing * (l->rise[i] - mean.rise / mean.weight);
        l->look[i].lift = fminf(fmaxf(lift, -most), most);
    }
}

OndStatus ond_look_make(OndOutward **looks, const OndPoints *points, double smoothing,
                        OndError *err)
{
    Looking l = {.points = points, .smoothing = smoothing};
    l.look = OND_NEW_ARRAY(OndOutward, points->count);
    l.rise = OND_NEW_ARRAY(float, points->count);
    l.way = ond_alloc((size_t)points->count * sizeof *l.way);
    *looks = l.look;
    const bool room = l.look && l.rise && l.way;
    if (room) {
        ond_parallel_for(points->count, GRAIN, find_ways_out, &l);
        ond_parallel_for(points->count, GRAIN, find_means, &l);
        ond_parallel_for(points->count, GRAIN, take_means, &l);
        ond_parallel_for(points->count, GRAIN, find_rise, &l);
        l.risen = true;
        ond_parallel_for(points->count, GRAIN, find_lift, &l);
    }
    ond_free(l.rise);
    ond_free(l.way);
    if (room) return OND_OK;
    ond_free(l.look);
    *looks = NULL;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", points->count);
}

// SPDX-License-Identifier: MIT
#include "surface/points.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "surface/loops.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define SIZES_APART 16.0 // sizes farther than this from the median count as this far
#define OUTSIDE     0.5  // spacings: what lies farther beyond a wall is astray
#define GRAIN       8192

// ---- spacing

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The median of what is positive and finite; 0 when nothing is. Sorts `value`.
static double median(float *value, int count)
{
    int good = 0;
    for (int i = 0; i < count; ++i)
        if (value[i] > 0.0f && isfinite(value[i])) value[good++] = value[i];
    if (good == 0) return 0.0;
    qsort(value, (size_t)good, sizeof *value, compare_floats);
    return value[good / 2];
}

static bool finite_at(const OndField *position, int i)
{
    const float *const *x = (const float *const *)position->data;
    return isfinite(x[0][i]) && isfinite(x[1][i]) && isfinite(x[2][i]);
}

static float nearest_distance(const OndField *position, int count, int i)
{
    const float *const *x = (const float *const *)position->data;
    double best = HUGE_VAL;
    for (int j = 0; j < count; ++j) {
        const double dx = (double)x[0][i] - x[0][j], dy = (double)x[1][i] - x[1][j],
                     dz = (double)x[2][i] - x[2][j], r2 = dx * dx + dy * dy + dz * dz;
        if (r2 > 0.0 && r2 < best) best = r2;
    }
    return (float)sqrt(best);
}

// When nobody says it: the usual distance to the nearest neighbour, over a few of the particles.
static double guess_spacing(const OndField *position, int count)
{
    enum { SAMPLES = 101 };
    float distance[SAMPLES];
    int samples = 0;
    const int step = count / SAMPLES + 1;
    for (int i = 0; i < count && samples < SAMPLES; i += step)
        if (finite_at(position, i)) distance[samples++] = nearest_distance(position, count, i);
    return median(distance, samples);
}

static double median_size(const OndField *sizes, double factor, int count)
{
    float *copy = OND_NEW_ARRAY(float, count);
    if (!copy) return 0.0;
    memcpy(copy, sizes->data[0], (size_t)count * sizeof *copy);
    const double middle = median(copy, count) * factor;
    ond_free(copy);
    return middle;
}

// Sizes of single particles: their own spacing, or twice their radius.
static const OndField *find_sizes(const OndFields *set, double *factor)
{
    const OndField *sizes = ond_fields_find(set, "spacing");
    *factor = 1.0;
    if (!sizes) sizes = ond_fields_find(set, "radius"), *factor = 2.0;
    return sizes && sizes->type == OND_F32 && sizes->components == 1 ? sizes : NULL;
}

// ---- taking

typedef struct Take {
    OndPoints *points;
    const OndField *position, *sizes;
    double size_factor;
    uint32_t *source, *order; // usable particles of the frame; then how they are sorted
    float *raw[3], *size;
    const OndWallsDef *walls;
    int own;      // particles; images come after them
    uint32_t *of; // which particle an image is of
    unsigned char *flip;
    uint32_t *rank; // where particles come in the order; NULL without images
} Take;

static OndStatus check_frame(const OndFrame *frame, const OndField *position, OndError *err)
{
    if (frame->particles.count < 1)
        return ond_fail(err, OND_BAD_VALUE,
                        "frame %d has no particles, so there is no surface to make", frame->index);
    if (!position || position->type != OND_F32 || position->components != 3)
        return ond_fail(err, OND_BAD_VALUE,
                        "frame %d has no positions; a surface needs the field `position` (x y z)",
                        frame->index);
    return OND_OK;
}

static OndStatus find_spacing(Take *take, const OndFrame *frame, OndError *err)
{
    const int count = frame->particles.count;
    double spacing = frame->spacing; // sizes that come and go between frames do not move it
    if (!(spacing > 0.0) && take->sizes)
        spacing = median_size(take->sizes, take->size_factor, count);
    if (!(spacing > 0.0 && isfinite(spacing))) spacing = guess_spacing(take->position, count);
    take->points->spacing = spacing;
    if (spacing > 1e-30 && spacing < 1e30) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE,
                    "the spacing of frame %d's particles is not known and cannot be guessed from "
                    "%d of them; give it (or a field `radius`) with the frame",
                    frame->index, count);
}

static bool usable(const Take *take, int i)
{
    const float *const *x = (const float *const *)take->position->data;
    const double far = OND_POINTS_FAR * take->points->spacing;
    for (int a = 0; a < take->points->dimension; ++a)
        if (!(fabs((double)x[a][i]) <= far)) return false; // NaN too
    return true;
}

static OndStatus choose(Take *take, const OndFrame *frame, OndError *err)
{
    OndPoints *p = take->points;
    const int all = frame->particles.count;
    for (int i = 0; i < all; ++i)
        if (usable(take, i)) take->source[p->count++] = (uint32_t)i;
    p->dropped = all - p->count;
    for (int a = 0; a < 3; ++a)
        for (int k = 0; k < p->count && a < p->dimension; ++k)
            take->raw[a][k] = ((const float *)take->position->data[a])[take->source[k]];
    if (p->count > 0) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE,
                    "none of the %d positions of frame %d can be used: they are not finite, or "
                    "farther than %.0e spacings away",
                    all, frame->index, OND_POINTS_FAR);
}

static OndStatus make_scratch(Take *take, int count, OndError *err)
{
    take->source = OND_NEW_ARRAY(uint32_t, count);
    take->order = OND_NEW_ARRAY(uint32_t, count);
    for (int a = 0; a < 3; ++a)
        take->raw[a] = OND_NEW_ARRAY(float, count);
    if (take->source && take->order && take->raw[0] && take->raw[1] && take->raw[2]) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", count);
}

static float size_of(const Take *take, uint32_t source)
{
    const double spacing = take->points->spacing;
    if (!take->sizes) return (float)spacing;
    const double size = ((const float *)take->sizes->data[0])[source] * take->size_factor;
    if (!(size > 0.0)) return (float)spacing;
    return (float)fmin(fmax(size, spacing / SIZES_APART), spacing * SIZES_APART);
}

// ---- images

// Writes the images of particle k from number `to` on; returns how many. `write` false: only
// counts.
static int reflect(const Take *take, int k, int to, bool write)
{
    const OndWalls *walls = &take->points->walls;
    const double at[3] = {take->raw[0][k], take->raw[1][k], take->raw[2][k]};
    const double size = size_of(take, take->source[k]);
    const double reach = take->walls->sight * fmax(size, take->points->spacing);
    float image[OND_IMAGES_MAX][3];
    unsigned char flip[OND_IMAGES_MAX];
    if (!ond_walls_near(walls, at, reach)) return 0;
    const int count = ond_walls_images(walls, at, reach, image, flip);
    for (int n = 0; n < count && write; ++n) {
        for (int a = 0; a < 3; ++a)
            take->raw[a][to + n] = image[n][a];
        take->of[to + n - take->own] = (uint32_t)k;
        take->source[to + n] = take->source[k];
        take->flip[to + n - take->own] = flip[n];
    }
    return count;
}

// Room for `want` elements of 4 bytes in place of `have`.
static void *widen(void *array, size_t have, size_t want)
{
    void *wide = ond_alloc(want * 4);
    if (wide) memcpy(wide, array, have * 4);
    ond_free(array);
    return wide;
}

static bool make_image_room(Take *take, size_t all)
{
    const size_t own = (size_t)take->own;
    take->source = widen(take->source, own, all);
    take->order = widen(take->order, own, all);
    bool good = take->source && take->order;
    for (int a = 0; a < 3; ++a)
        good = (take->raw[a] = widen(take->raw[a], own, all)) && good;
    take->of = OND_NEW_ARRAY(uint32_t, all - own);
    take->flip = OND_NEW_ARRAY(unsigned char, all - own);
    take->rank = OND_NEW_ARRAY(uint32_t, own);
    return good && take->of && take->flip && take->rank;
}

static OndStatus add_images(Take *take, const OndFrame *frame, OndError *err)
{
    OndPoints *p = take->points;
    const float *const at[3] = {take->raw[0], take->raw[1], take->raw[2]};
    p->walls = ond_walls(frame->domain, take->walls, p->dimension, p->spacing);
    ond_walls_check(&p->walls, at, p->count, OUTSIDE * p->spacing);
    take->own = p->count;
    if (!p->walls.sides) return OND_OK;
    long long all = take->own;
    for (int k = 0; k < take->own; ++k)
        all += reflect(take, k, 0, false);
    if (all == take->own) return OND_OK;
    if (all > INT_MAX / 2 || !make_image_room(take, (size_t)all))
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %lld particles and images", all);
    for (int k = 0; k < take->own; ++k)
        p->count += reflect(take, k, p->count, true);
    return OND_OK;
}

// ---- sorting

static OndStatus make_points(OndPoints *p, bool images, OndError *err)
{
    const size_t room = (size_t)p->count + OND_SURFACE_PAD;
    float **array[] = {&p->x, &p->y, &p->z, &p->size, &p->volume};
    bool all = true;
    for (int k = 0; k < OND_COUNT(array); ++k)
        all = (*array[k] = OND_NEW_ARRAY(float, room)) && all;
    p->source = OND_NEW_ARRAY(uint32_t, room);
    p->surface = OND_NEW_ARRAY(unsigned char, room);
    p->image_of = images ? OND_NEW_ARRAY(uint32_t, room) : NULL;
    p->flip = images ? OND_NEW_ARRAY(unsigned char, room) : NULL;
    if (images && !(p->image_of && p->flip)) all = false;
    if (all && p->source && p->surface) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", p->count);
}

static void gather(int first, int last, int worker, void *context)
{
    const Take *take = context;
    OndPoints *p = take->points;
    for (int k = first; k < last; ++k) {
        const uint32_t from = take->order[k];
        p->x[k] = take->raw[0][from], p->y[k] = take->raw[1][from], p->z[k] = take->raw[2][from];
        p->source[k] = take->source[from];
        p->size[k] = take->size[from];
        if (!p->flip) continue;
        const bool image = from >= (uint32_t)take->own;
        p->flip[k] = image ? take->flip[from - (uint32_t)take->own] : 0;
        p->image_of[k] = image ? take->rank[take->of[from - (uint32_t)take->own]] : (uint32_t)k;
    }
}

static void rank_particles(Take *take)
{
    for (int k = 0; take->rank && k < take->points->count; ++k)
        if (take->order[k] < (uint32_t)take->own) take->rank[take->order[k]] = (uint32_t)k;
}

static void find_box(OndPoints *p)
{
    const float *const at[3] = {p->x, p->y, p->z};
    double low[3], high[3];
    for (int a = 0; a < 3; ++a) {
        float min = at[a][0], max = min;
        for (int i = 1; i < p->count; ++i) {
            min = at[a][i] < min ? at[a][i] : min;
            max = at[a][i] > max ? at[a][i] : max;
        }
        low[a] = min, high[a] = max;
    }
    p->box = (OndBox){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    for (int i = 0; i < p->count; ++i)
        p->largest = p->size[i] > p->largest ? p->size[i] : p->largest;
}

static OndStatus sort_points(Take *take, double reach, OndError *err)
{
    OndPoints *p = take->points;
    const float *const at[3] = {take->raw[0], take->raw[1], take->raw[2]};
    take->size = OND_NEW_ARRAY(float, p->count);
    if (!take->size)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", p->count);
    const OndBinSizes sizes = {take->size, p->spacing, reach * p->spacing};
    for (int k = 0; k < p->count; ++k)
        take->size[k] = size_of(take, take->source[k]);
    OndStatus status = ond_bins_sort_sizes(&p->bins, at, p->count, &sizes, take->order, err);
    if (status == OND_OK) status = make_points(p, take->rank != NULL, err);
    if (status != OND_OK) return status;
    rank_particles(take);
    ond_parallel_for(p->count, GRAIN, gather, take);
    find_box(p);
    return ond_points_weigh(p, err);
}

OndStatus ond_points_take(OndPoints *points, const OndFrame *frame, double reach, OndError *err)
{
    const OndWallsDef none = {0};
    return ond_points_take_walled(points, frame, reach, &none, err);
}

OndStatus ond_points_take_walled(OndPoints *points, const OndFrame *frame, double reach,
                                 const OndWallsDef *walls, OndError *err)
{
    ond_points_free(points);
    Take take = {.points = points, .walls = walls};
    take.position = ond_fields_find(&frame->particles, "position");
    take.sizes = find_sizes(&frame->particles, &take.size_factor);
    points->frame = frame;
    points->dimension = frame->dimension == 2 ? 2 : 3;
    OndStatus status = check_frame(frame, take.position, err);
    if (status == OND_OK) status = find_spacing(&take, frame, err);
    if (status == OND_OK) status = make_scratch(&take, frame->particles.count, err);
    if (status == OND_OK) status = choose(&take, frame, err);
    if (status == OND_OK) status = add_images(&take, frame, err);
    if (status == OND_OK) status = sort_points(&take, reach, err);
    ond_free(take.source);
    ond_free(take.order);
    ond_free(take.of);
    ond_free(take.flip);
    ond_free(take.rank);
    ond_free(take.size);
    for (int a = 0; a < 3; ++a)
        ond_free(take.raw[a]);
    if (status != OND_OK) ond_points_free(points);
    return status;
}

void ond_points_free(OndPoints *points)
{
    ond_free(points->x);
    ond_free(points->y);
    ond_free(points->z);
    ond_free(points->size);
    ond_free(points->volume);
    ond_free(points->source);
    ond_free(points->surface);
    ond_free(points->image_of);
    ond_free(points->flip);
    ond_bins_free(&points->bins);
    memset(points, 0, sizeof *points);
}

size_t ond_points_bytes(const OndPoints *points)
{
    return (size_t)points->count * (points->flip ? 30 : 25) + ond_bins_bytes(&points->bins);
}

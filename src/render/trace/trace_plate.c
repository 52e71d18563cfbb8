// SPDX-License-Identifier: MIT
#include "render/trace/trace_plate.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "render/trace/trace_path.h"

#define TILE      OND_PLATE_TILE
#define BRIGHTEST 16.0f // of one sample; more would be a firefly
#define DOUBT     4.0f // times the variance that two or three samples show: they may agree by chance
#define CREASE    0.8f // cosine between the normals of neighbours: less is an edge

typedef struct Pixel {
    OndF3 light, normal, colour;
    float distance, shows;
    float sum, squares; // of the brightness on the screen
    float shine;        // of linear brightness: squares
    int count, behind;  // samples; those that saw the backdrop
} Pixel;

typedef struct PlateJob {
    OndPlate *plate;
    const OndTraceStage *stage;
} PlateJob;

OndStatus ond_plate_create(OndPlate *plate, int width, int height, OndError *err)
{
    *plate = (OndPlate){.width = width, .height = height};
    const long long all = (long long)width * height,
                    least = (long long)width * (2 * OND_PLATE_MARGIN + 3 * TILE);
    long long room = OND_PLATE_PIXELS > least ? OND_PLATE_PIXELS : least;
    if (room > all) room = all;
    plate->room = (int)room;
    plate->light = OND_NEW_ARRAY(OndF3, room);
    plate->normal = OND_NEW_ARRAY(OndF3, room);
    plate->colour = OND_NEW_ARRAY(OndF3, room);
    plate->other_light = OND_NEW_ARRAY(OndF3, room);
    plate->distance = OND_NEW_ARRAY(float, room);
    plate->shows = OND_NEW_ARRAY(float, room);
    plate->noise = OND_NEW_ARRAY(float, room);
    plate->other_noise = OND_NEW_ARRAY(float, room);
    if (plate->light && plate->normal && plate->colour && plate->other_light && plate->distance &&
        plate->shows && plate->noise && plate->other_noise &&
        ond_cover_create(&plate->cover, width, height, err) == OND_OK)
        return OND_OK;
    ond_plate_free(plate);
    return ond_fail(err, OND_NO_MEMORY, "no memory for a picture of %d x %d pixels", width, height);
}

void ond_plate_free(OndPlate *plate)
{
    ond_free(plate->light);
    ond_free(plate->normal);
    ond_free(plate->colour);
    ond_free(plate->other_light);
    ond_free(plate->distance);
    ond_free(plate->shows);
    ond_free(plate->noise);
    ond_free(plate->other_noise);
    ond_cover_free(&plate->cover);
    *plate = (OndPlate){0};
}

int ond_plate_rows(const OndPlate *plate)
{
    const int rows = plate->room / plate->width;
    return rows >= plate->height ? plate->height : rows - 2 * (OND_PLATE_MARGIN + TILE);
}

// ---- one sample

static float tent(float u)
{
    return u < 0.5f ? sqrtf(2.0f * u) - 1.0f : 1.0f - sqrtf(2.0f - 2.0f * u);
}

// Through a place of the lens to the same place of the plane that is sharp.
static OndRay through_lens(const OndTraceStage *s, OndRay ray, OndSampler *sampler)
{
    float a, b;
    ond_sample_pair(sampler, &a, &b);
    const float r = s->lens * sqrtf(a), angle = 6.2831853f * b;
    const float along = ond_f3_dot(ray.direction, s->camera.forward);
    const OndF3 sharp = ond_f3_step(ray.origin, ray.direction, s->focus / fmaxf(along, 1e-3f));
    OndF3 from = ond_f3_step(ray.origin, s->camera.right, r * cosf(angle));
    from = ond_f3_step(from, s->camera.up, r * sinf(angle));
    return (OndRay){from, ond_f3_unit(ond_f3_sub(sharp, from))};
}

static OndF3 limit(OndF3 c)
{
    const float most = fmaxf(c.x, fmaxf(c.y, c.z));
    if (!(most < 1e30f)) return ond_f3(0, 0, 0); // not a number; none is known to come here
    return most > BRIGHTEST ? ond_f3_scale(c, BRIGHTEST / most) : c;
}

static void add_sample(const OndTraceStage *s, int x, int y, Pixel *p)
{
    OndSampler sampler = ond_sampler(x, y, p->count, s->effort.first_bits, s->seed);
    OndSampler own = ond_sampler_own(x, y, p->count, s->seed);
    float u, v, time = 0.5f, spare;
    ond_sample_pair(&own, &u, &v);
    OndRay ray = ond_camera_ray(&s->camera, (float)x + 0.5f + OND_COVER_REACH * tent(u),
                                (float)y + 0.5f + OND_COVER_REACH * tent(v));
    if (s->lens > 0.0f) ray = through_lens(s, ray, &sampler);
    if (s->mesh.corner[1]) ond_sample_pair(&sampler, &time, &spare);
    OndSeen seen = {0};
    const OndF3 light = limit(ond_path_light(s, &ray, time, &sampler, &seen));
    const float linear = ond_brightness(light), shown = linear / (1.0f + linear);
    p->light = ond_f3_add(p->light, light);
    p->normal = ond_f3_add(p->normal, seen.normal);
    p->colour = ond_f3_add(p->colour, seen.colour);
    p->shows += seen.shows;
    if (seen.distance < INFINITY)
        p->distance += seen.distance;
    else
        ++p->behind;
    p->sum += shown;
    p->squares += shown * shown;
    p->shine += linear * linear;
    ++p->count;
}

// ---- one tile

// The variance of one sample on the screen.
static float variance(const Pixel *p)
{
    const float n = (float)p->count, mean = p->sum / n;
    return fmaxf(p->squares / n - mean * mean, 0.0f) * n / fmaxf(n - 1.0f, 1.0f);
}

static void store(OndPlate *plate, int at, const Pixel *p)
{
    const float each = 1.0f / (float)p->count;
    const OndF3 mean = ond_f3_scale(p->light, each);
    plate->light[at] = mean;
    plate->normal[at] = ond_f3_scale(p->normal, each);
    plate->colour[at] = ond_f3_scale(p->colour, each);
    plate->shows[at] = p->shows * each;
    const int near = p->count - p->behind;
    plate->distance[at] = 2 * near >= p->count ? p->distance / (float)near : INFINITY;
    const float b = ond_brightness(mean), spread = fmaxf(p->shine * each - b * b, 0.0f);
    plate->noise[at] = (p->count < 4 ? DOUBT : 1.0f) * spread / fmaxf((float)p->count - 1.0f, 1.0f);
}

// Ground and backdrop are smooth, so that the middle of a pixel tells all of it.
static void expose_open(const PlateJob *job, int x, int y, int at)
{
    OndPlate *plate = job->plate;
    const OndRay ray = ond_camera_ray(&job->stage->camera, (float)x + 0.5f, (float)y + 0.5f);
    OndSeen seen;
    plate->light[at] = limit(ond_path_open(job->stage, &ray, &seen));
    plate->normal[at] = seen.normal;
    plate->colour[at] = seen.colour;
    plate->distance[at] = seen.distance;
    plate->shows[at] = seen.shows;
    plate->noise[at] = 0.0f;
}

typedef struct Tile {
    int left, top, wide, high;
    Pixel pixel[TILE * TILE];  // with count 0 where no surface can be seen
    float spread[TILE * TILE]; // variance of a sample, by the first few
} Tile;

// The rim of something, or a fold of it: there a pixel needs samples to be smooth, noise or not.
static bool is_edge(const Pixel *a, const Pixel *b)
{
    if (a->behind > 0 || b->behind > 0) return a->behind < a->count || b->behind < b->count;
    const float na = (float)a->count, nb = (float)b->count, za = a->distance / na;
    const OndF3 dc =
        ond_f3_sub(ond_f3_scale(a->colour, 1.0f / na), ond_f3_scale(b->colour, 1.0f / nb));
    return fabsf(za - b->distance / nb) > 0.02f * za ||
           ond_f3_dot(a->normal, b->normal) < CREASE * na * nb || ond_f3_dot(dc, dc) > 0.01f;
}

// Samples that make a pixel as sure as it shall be. Two or four samples of its own may agree by
// chance: the pixels next to it have their say.
static int samples_wanted(const Tile *t, const OndEffort *e, int x, int y)
{
    const Pixel *own = &t->pixel[y * TILE + x];
    float sum = 0.0f, all = 0.0f;
    bool edge = false;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < t->high; ++j)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < t->wide; ++i) {
            const Pixel *p = &t->pixel[j * TILE + i];
            if (p->count == 0) continue;
            const float w = (i == x ? 1.0f : 0.5f) * (j == y ? 1.0f : 0.5f);
            sum += w * t->spread[j * TILE + i];
            all += w;
            edge = edge || is_edge(own, p);
        }
    const float wanted = sum / (all * e->noise * e->noise);
    if (wanted >= (float)e->most_samples) return e->most_samples;
    return edge && wanted < (float)e->edge_samples ? e->edge_samples : (int)ceilf(wanted);
}

static void expose_first(const PlateJob *job, Tile *t)
{
    const int first = 1 << job->stage->effort.first_bits;
    for (int y = 0; y < t->high; ++y)
        for (int x = 0; x < t->wide; ++x) {
            const int px = t->left + x, py = t->top + y;
            Pixel *p = &t->pixel[y * TILE + x];
            p->count = 0;
            if (!ond_cover_at(&job->plate->cover, px, py)) {
                expose_open(job, px, py, (py - job->plate->top) * job->plate->width + px);
                continue;
            }
            *p = (Pixel){0};
            while (p->count < first)
                add_sample(job->stage, px, py, p);
            t->spread[y * TILE + x] = variance(p);
        }
}

static void expose_tile(const PlateJob *job, int left, int top)
{
    OndPlate *plate = job->plate;
    Tile t; // not cleared: most of a picture has tiles without any surface
    t.left = left, t.top = top;
    t.wide = left + TILE < plate->width ? TILE : plate->width - left;
    t.high = top + TILE < plate->top + plate->rows ? TILE : plate->top + plate->rows - top;
    expose_first(job, &t);
    for (int y = 0; y < t.high; ++y)
        for (int x = 0; x < t.wide; ++x) {
            Pixel *p = &t.pixel[y * TILE + x];
            if (p->count == 0) continue;
            const int wanted = samples_wanted(&t, &job->stage->effort, x, y);
            while (p->count < wanted)
                add_sample(job->stage, left + x, top + y, p);
            store(plate, (top + y - plate->top) * plate->width + left + x, p);
        }
}

static void expose_tiles(int first, int last, int worker, void *context)
{
    const PlateJob *job = context;
    const int across = (job->plate->width + TILE - 1) / TILE;
    for (int i = first; i < last; ++i)
        expose_tile(job, i % across * TILE, job->plate->top + i / across * TILE);
}

void ond_plate_frame(OndPlate *plate, const OndTraceStage *stage)
{
    const bool all = stage->lens > 0.0f || stage->air; // both blur what is seen
    ond_cover_fill(&plate->cover, all);
    if (all) return;
    ond_cover_add(&plate->cover, &stage->camera, &stage->mesh);
    ond_cover_add(&plate->cover, &stage->camera, &stage->solids);
}

void ond_plate_expose(OndPlate *plate, const OndTraceStage *stage)
{
    PlateJob job = {plate, stage};
    const int across = (plate->width + TILE - 1) / TILE, down = (plate->rows + TILE - 1) / TILE;
    ond_parallel_for(across * down, 4, expose_tiles, &job);
}

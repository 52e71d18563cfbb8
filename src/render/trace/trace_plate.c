// SPDX-License-Identifier: MIT
#include "render/trace/trace_plate.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "render/trace/trace_path.h"

#define TILE      16
#define BRIGHTEST 16.0f // of one sample; more would be a firefly

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
                    least = (long long)width * (2 * OND_PLATE_MARGIN + TILE);
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
        plate->shows && plate->noise && plate->other_noise)
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
    *plate = (OndPlate){0};
}

int ond_plate_rows(const OndPlate *plate)
{
    const int rows = plate->room / plate->width;
    return rows >= plate->height ? plate->height : rows - 2 * OND_PLATE_MARGIN;
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
    OndSampler sampler = ond_sampler(x, y, p->count, s->seed);
    float u, v, time = 0.5f, spare;
    ond_sample_pair(&sampler, &u, &v);
    OndRay ray = ond_camera_ray(&s->camera, (float)x + 0.5f + 0.75f * tent(u),
                                (float)y + 0.5f + 0.75f * tent(v));
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

// How unsure the mean on the screen is.
static float unsure(const Pixel *p)
{
    const float n = (float)p->count, mean = p->sum / n;
    const float variance = fmaxf(p->squares / n - mean * mean, 0.0f);
    return sqrtf(variance / fmaxf(n - 1.0f, 1.0f));
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
    const float b = ond_brightness(mean), variance = fmaxf(p->shine * each - b * b, 0.0f);
    plate->noise[at] = variance / fmaxf((float)p->count - 1.0f, 1.0f);
}

static void expose_tile(const PlateJob *job, int left, int top)
{
    OndPlate *plate = job->plate;
    const OndEffort *e = &job->stage->effort;
    const int right = left + TILE < plate->width ? left + TILE : plate->width,
              bottom =
                  top + TILE < plate->top + plate->rows ? top + TILE : plate->top + plate->rows;
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) {
            Pixel p = {0};
            while (p.count < e->first_samples)
                add_sample(job->stage, x, y, &p);
            while (p.count < e->most_samples && unsure(&p) > e->noise) {
                const int goal = p.count + e->first_samples;
                while (p.count < goal)
                    add_sample(job->stage, x, y, &p);
            }
            store(plate, (y - plate->top) * plate->width + x, &p);
        }
}

static void expose_tiles(int first, int last, int worker, void *context)
{
    const PlateJob *job = context;
    const int across = (job->plate->width + TILE - 1) / TILE;
    for (int i = first; i < last; ++i)
        expose_tile(job, i % across * TILE, job->plate->top + i / across * TILE);
}

void ond_plate_expose(OndPlate *plate, const OndTraceStage *stage)
{
    PlateJob job = {plate, stage};
    const int across = (plate->width + TILE - 1) / TILE, down = (plate->rows + TILE - 1) / TILE;
    ond_parallel_for(across * down, 4, expose_tiles, &job);
}

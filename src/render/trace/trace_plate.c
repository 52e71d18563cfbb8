// SPDX-License-Identifier: MIT
#include "render/trace/trace_plate.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "render/trace/trace_open.h"
#include "render/trace/trace_path.h"

#define TILE OND_PLATE_TILE
_Static_assert(TILE == OND_OPEN_ROW, "a row of open pixels is a tile's");
#define STRIDE    (TILE + 2) // of a tile with one pixel more on each side
#define BRIGHTEST 16.0f      // of one sample; more would be a firefly
#define DOUBT     4.0f // times the variance that two or three samples show: they may agree by chance
#define CREASE    0.8f // cosine between the normals of neighbours: less is an edge

typedef struct Pixel {
    OndF3 light, normal, colour;
    OndF3 soft; // of the first sample that has it
    int opaque; // samples that have it
    float distance, shows;
    float sum, squares; // of the brightness on the screen
    float shine;        // of linear brightness: squares
    int count, behind;  // samples; those that saw the backdrop
    bool plain;         // what the last of them saw (OndSeen)
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
    plate->soft = OND_NEW_ARRAY(OndF3, room);
    plate->opaque = OND_NEW_ARRAY(float, room);
    plate->guide = OND_NEW_ARRAY(OndGuide, room);
    plate->tint = OND_NEW_ARRAY(OndTint, room);
    plate->other_tint = OND_NEW_ARRAY(OndTint, room);
    plate->distance = OND_NEW_ARRAY(float, room);
    plate->shows = OND_NEW_ARRAY(float, room);
    plate->noise = OND_NEW_ARRAY(float, room);
    if (plate->light && plate->normal && plate->colour && plate->distance && plate->shows &&
        plate->noise && plate->soft && plate->opaque && plate->guide && plate->tint &&
        plate->other_tint && ond_cover_create(&plate->cover, width, height, err) == OND_OK)
        return OND_OK;
    ond_plate_free(plate);
    return ond_fail(err, OND_NO_MEMORY, "no memory for a picture of %d x %d pixels", width, height);
}

void ond_plate_free(OndPlate *plate)
{
    ond_free(plate->light);
    ond_free(plate->normal);
    ond_free(plate->colour);
    ond_free(plate->soft);
    ond_free(plate->opaque);
    ond_free(plate->guide);
    ond_free(plate->tint);
    ond_free(plate->other_tint);
    ond_free(plate->distance);
    ond_free(plate->shows);
    ond_free(plate->noise);
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
    const float most = ond_f_max(c.x, ond_f_max(c.y, c.z));
    if (!(most < 1e30f)) return ond_f3(0, 0, 0); // not a number; none is known to come here
    return most > BRIGHTEST ? ond_f3_scale(c, BRIGHTEST / most) : c;
}

// Returns how bright it is.
static float add_soft(Pixel *p, const OndSoft *soft)
{
    if (!soft->met) return 0.0f;
    if (p->opaque++ == 0) p->soft = limit(soft->light);
    return ond_brightness(p->soft);
}

static void add_seen(Pixel *p, const OndSeen *seen)
{
    p->normal = ond_f3_add(p->normal, seen->normal);
    p->colour = ond_f3_add(p->colour, seen->colour);
    p->shows += seen->shows;
    if (seen->distance < INFINITY)
        p->distance += seen->distance;
    else
        ++p->behind;
    p->plain = seen->plain;
    ++p->count;
}

// Where one sample stands for all of a pixel, it is in its middle.
static OndRay sample_ray(const OndTraceStage *s, int x, int y, int index)
{
    float u, v;
    if (s->soft_apart && index == 0)
        return ond_camera_ray(&s->camera, (float)x + 0.5f, (float)y + 0.5f);
    OndSampler own = ond_sampler_own(x, y, s->soft_apart ? index - 1 : index, s->seed);
    ond_sample_pair(&own, &u, &v);
    return ond_camera_ray(&s->camera, (float)x + 0.5f + OND_COVER_REACH * tent(u),
                          (float)y + 0.5f + OND_COVER_REACH * tent(v));
}

static void add_sample(const OndTraceStage *s, int x, int y, Pixel *p)
{
    const int bits = s->soft_apart ? 0 : s->effort.first_bits;
    OndSampler sampler = ond_sampler(x, y, p->count, bits, s->seed);
    OndRay ray = sample_ray(s, x, y, p->count);
    float time = 0.5f, spare;
    if (s->lens > 0.0f) ray = through_lens(s, ray, &sampler);
    if (s->mesh.corner[1]) ond_sample_pair(&sampler, &time, &spare);
    OndSeen seen = {0};
    OndSoft soft = {.wanted = p->opaque == 0, .sampler = ond_sampler(x, y, 0, 0, ~s->seed)};
    const OndF3 light =
        limit(ond_path_light(s, &ray, time, &sampler, &seen, s->soft_apart ? &soft : NULL));
    const float whole = ond_brightness(light) + add_soft(p, &soft), shown = whole / (1.0f + whole),
                linear = ond_brightness(light);
    p->light = ond_f3_add(p->light, light);
    p->sum += shown;
    p->squares += shown * shown;
    p->shine += linear * linear;
    add_seen(p, &seen);
}

// ---- one tile

// The filter asks for no normal or colour of these.
static void store_open(const PlateJob *job, int at, OndF3 light, float distance)
{
    OndPlate *plate = job->plate;
    plate->light[at] = limit(light);
    plate->distance[at] = distance;
    plate->shows[at] = 1.0f;
    plate->noise[at] = plate->opaque[at] = 0.0f;
}

// The pixels of a tile's row that no surface can be seen in.
static void expose_open(const PlateJob *job, int left, int y, int wide)
{
    const OndCamera *camera = &job->stage->camera;
    const OndCover *cover = &job->plate->cover;
    OndOpenRow row;
    bool made = false;
    for (int x = left; x < left + wide; ++x) {
        const int at = (y - job->plate->top) * job->plate->width + x, k = x - left;
        if (ond_cover_at(cover, x, y)) continue;
        if (!made && !camera->flat) ond_open_row(job->stage, left, y, &row);
        made = true;
        if (camera->flat) {
            OndSeen seen;
            const OndRay ray = ond_camera_ray(camera, (float)x + 0.5f, (float)y + 0.5f);
            row.light[k] = ond_path_open(job->stage, &ray, &seen);
            row.distance[k] = seen.distance;
        }
        store_open(job, at, row.light[k], row.distance[k]);
    }
}

typedef struct Tile {
    int left, top, wide, high;
    // Round the tile, of one pixel on each side only what is seen is known; count 0 where no
    // surface can be seen.
    Pixel pixel[STRIDE * STRIDE];
    float spread[STRIDE * STRIDE]; // variance of a sample on the screen, by the first few
    float alone[STRIDE * STRIDE];  // of pixels with one sample: the variance of its light
} Tile;

static int tile_at(int x, int y)
{
    return (y + 1) * STRIDE + x + 1;
}

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

// The variance of one sample on the screen.
static float variance(const Pixel *p)
{
    const float n = (float)p->count, mean = p->sum / n;
    return ond_f_max(p->squares / n - mean * mean, 0.0f) * n / ond_f_max(n - 1.0f, 1.0f);
}

// The variance of a single sample's light, told by those of its neighbours on the same surface: two
// samples with the same spread differ by twice that.
static float variance_alone(const Tile *t, int x, int y)
{
    const Pixel *own = &t->pixel[tile_at(x, y)];
    const float light = ond_brightness(own->light);
    float sum = 0.0f;
    int alike = 0;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < t->high; ++j)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < t->wide; ++i) {
            const Pixel *p = &t->pixel[tile_at(i, j)];
            if (p == own || p->count != 1 || is_edge(own, p)) continue;
            const float d = ond_brightness(p->light) - light;
            sum += d * d;
            ++alike;
        }
    return alike ? 0.5f * sum / (float)alike : 0.0f;
}

static void store(OndPlate *plate, int at, const Pixel *p, float alone)
{
    const float each = 1.0f / (float)p->count;
    const OndF3 mean = ond_f3_scale(p->light, each);
    plate->light[at] = mean;
    plate->normal[at] = ond_f3_scale(p->normal, each);
    plate->colour[at] = ond_f3_scale(p->colour, each);
    plate->shows[at] = p->shows * each;
    plate->soft[at] = p->soft;
    plate->opaque[at] = (float)p->opaque * each;
    const int near = p->count - p->behind;
    plate->distance[at] = 2 * near >= p->count ? p->distance / (float)near : INFINITY;
    const float b = ond_brightness(mean), spread = ond_f_max(p->shine * each - b * b, 0.0f);
    plate->noise[at] = p->count == 1 ? alone
                                     : (p->count < 4 ? DOUBT : 1.0f) * spread /
                                           ond_f_max((float)p->count - 1.0f, 1.0f);
}

// Samples that make a pixel as sure as it shall be. Two or four samples of its own may agree by
// chance: the pixels next to it have their say.
static int samples_wanted(const Tile *t, const OndEffort *e, int x, int y)
{
    const Pixel *own = &t->pixel[tile_at(x, y)];
    float sum = 0.0f, all = 0.0f;
    bool edge = false;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            const int at = tile_at(x + i, y + j);
            const Pixel *p = &t->pixel[at];
            if (p->count == 0) continue;
            const bool within = x + i >= 0 && x + i < t->wide && y + j >= 0 && y + j < t->high;
            const float w = within ? (i ? 0.5f : 1.0f) * (j ? 0.5f : 1.0f) : 0.0f;
            sum += w * t->spread[at];
            all += w;
            edge = edge || is_edge(own, p);
        }
    const float wanted = sum / (all * e->noise * e->noise);
    if (wanted >= (float)e->most_samples) return e->most_samples;
    return edge && wanted < (float)e->edge_samples ? e->edge_samples : (int)ceilf(wanted);
}

// What neighbours in other tiles see, so that rims are found there too.
static void look_round(const PlateJob *job, Tile *t)
{
    const OndPlate *plate = job->plate;
    for (int y = -1; y <= t->high; ++y)
        for (int x = -1; x <= t->wide; ++x) {
            if (x >= 0 && x < t->wide && y >= 0 && y < t->high) continue;
            const int px = t->left + x, py = t->top + y;
            Pixel *p = &t->pixel[tile_at(x, y)];
            *p = (Pixel){0};
            t->spread[tile_at(x, y)] = 0.0f;
            const bool there = px >= 0 && px < plate->width && py >= 0 && py < plate->height;
            if (!job->stage->soft_apart || !there || !ond_cover_at(&plate->cover, px, py)) continue;
            const OndRay ray = sample_ray(job->stage, px, py, 0);
            OndSeen seen;
            ond_path_look(job->stage, &ray, &seen);
            add_seen(p, &seen);
        }
}

// True when some surface may be seen.
static bool expose_first(const PlateJob *job, Tile *t)
{
    const OndTraceStage *s = job->stage;
    const int first = 1 << s->effort.first_bits;
    bool some = false;
    for (int y = 0; y < t->high; ++y) {
        expose_open(job, t->left, t->top + y, t->wide);
        for (int x = 0; x < t->wide; ++x) {
            const int px = t->left + x, py = t->top + y;
            Pixel *p = &t->pixel[tile_at(x, y)];
            p->count = 0;
            if (!ond_cover_at(&job->plate->cover, px, py)) continue;
            some = true;
            *p = (Pixel){0};
            while (p->count < first && !(p->count == 1 && s->soft_apart && p->plain))
                add_sample(s, px, py, p);
        }
    }
    return some;
}

static void find_spread(Tile *t)
{
    for (int y = 0; y < t->high; ++y)
        for (int x = 0; x < t->wide; ++x) {
            const int at = tile_at(x, y);
            const Pixel *p = &t->pixel[at];
            if (p->count == 0) continue;
            t->alone[at] = p->count == 1 ? variance_alone(t, x, y) : 0.0f;
            const float bright = 1.0f - p->sum, slope = bright * bright; // of x / (1 + x)
            t->spread[at] = p->count == 1 ? t->alone[at] * slope * slope : variance(p);
        }
}

static void expose_tile(const PlateJob *job, int left, int top)
{
    OndPlate *plate = job->plate;
    Tile t; // not cleared: most of a picture has tiles without any surface
    t.left = left, t.top = top;
    t.wide = left + TILE < plate->width ? TILE : plate->width - left;
    t.high = top + TILE < plate->top + plate->rows ? TILE : plate->top + plate->rows - top;
    if (!expose_first(job, &t)) return;
    look_round(job, &t);
    find_spread(&t);
    for (int y = 0; y < t.high; ++y)
        for (int x = 0; x < t.wide; ++x) {
            Pixel *p = &t.pixel[tile_at(x, y)];
            if (p->count == 0) continue;
            const int wanted = samples_wanted(&t, &job->stage->effort, x, y);
            while (p->count < wanted)
                add_sample(job->stage, left + x, top + y, p);
            store(plate, (top + y - plate->top) * plate->width + left + x, p,
                  t.alone[tile_at(x, y)]);
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
    ond_cover_add_balls(&plate->cover, &stage->camera, stage->foam.ball, stage->foam.count);
}

void ond_plate_expose(OndPlate *plate, const OndTraceStage *stage)
{
    PlateJob job = {plate, stage};
    const int across = (plate->width + TILE - 1) / TILE, down = (plate->rows + TILE - 1) / TILE;
    ond_parallel_for(across * down, 4, expose_tiles, &job);
}

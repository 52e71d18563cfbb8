// SPDX-License-Identifier: MIT
#include "render/spheres/band.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "render/spheres/packet.h"
#include "render/stage/stage_solids.h"

#include <string.h>

#define TILE 8 // pixels

typedef struct BandJob {
    OndBand *band;
    const OndStage *stage;
    OndImage *image;
} BandJob;

static int tiles_of(int pixels)
{
    return (pixels + TILE - 1) / TILE;
}

int ond_band_rows(int width, int height, int samples)
{
    const int rows = OND_BAND_SAMPLES / (width * samples) / TILE * TILE;
    return rows < TILE ? TILE : rows < height ? rows : height;
}

// Each sample has its own column and row of the pixel (a golden-ratio lattice): even for any count.
static void place_samples(OndBand *band)
{
    for (int i = 0; i < band->samples; ++i) {
        const float y = band->samples > 1 ? 0.6180339887f * (float)(i + 1) : 0.5f;
        band->offset[i][0] = ((float)i + 0.5f) / (float)band->samples;
        band->offset[i][1] = y - floorf(y);
    }
}

OndStatus ond_band_create(OndBand *band, int width, int height, int samples, OndError *err)
{
    *band = (OndBand){.width = width, .samples = samples};
    place_samples(band);
    ond_colour_tone(&band->tone);
    const size_t pixels = (size_t)ond_band_rows(width, height, samples) * (size_t)width;
    band->sphere = ond_alloc(pixels * (size_t)samples * sizeof *band->sphere);
    band->mirrored = ond_alloc(pixels * sizeof *band->mirrored);
    band->light = ond_alloc(pixels * sizeof *band->light);
    band->tile = ond_alloc((size_t)tiles_of(width) * (size_t)tiles_of(height));
    if (band->sphere && band->mirrored && band->light && band->tile) return OND_OK;
    ond_band_free(band);
    return ond_fail(err, OND_NO_MEMORY,
                    "no memory to draw %d x %d pixels with %d samples; make the picture smaller",
                    width, height, samples);
}

void ond_band_free(OndBand *band)
{
    ond_free(band->sphere);
    ond_free(band->mirrored);
    ond_free(band->light);
    ond_free(band->tile);
    ond_free(band->seen);
    ond_free(band->fresh);
    *band = (OndBand){0};
}

OndStatus ond_band_begin(OndBand *band, int count, OndError *err)
{
    ond_free(band->seen);
    ond_free(band->fresh);
    band->seen = ond_alloc((size_t)count);
    band->fresh = ond_alloc((size_t)count * sizeof *band->fresh);
    if (band->seen && band->fresh) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "no memory to draw %d particles", count);
}

static int clamp_int(float x, int max)
{
    return x > 0.0f ? (x < (float)max ? (int)x : max) : 0; // NaN becomes 0
}

// Marks the tiles that a sphere's outline may touch; one beside or around the eye may touch all.
static void mark_sphere(OndBand *band, const OndStage *stage, OndF3 centre, float r)
{
    const OndCamera *c = &stage->camera;
    const OndF3 p = ond_camera_project(c, centre);
    const int columns = tiles_of(band->width), rows = tiles_of(band->rows);
    int x0 = 0, y0 = 0, x1 = columns - 1, y1 = rows - 1;
    if (!c->flat && p.z < -r) return;
    if (c->flat || p.z > 2.0f * r) {
        const float stretch = c->flat ? 1.0f : 1.0f + c->half_width + c->half_height;
        const float reach = r * stretch * ond_camera_scale(c, c->flat ? 1.0f : p.z - r) + 1.0f;
        const float y = p.y - (float)band->top;
        if (p.x + reach < 0 || y + reach < 0) return;
        if (p.x - reach > (float)band->width || y - reach > (float)band->rows) return;
        x0 = clamp_int((p.x - reach) / TILE, x1), x1 = clamp_int((p.x + reach) / TILE, x1);
        y0 = clamp_int((y - reach) / TILE, y1), y1 = clamp_int((y + reach) / TILE, y1);
    }
    for (int y = y0; y <= y1; ++y)
        memset(band->tile + y * columns + x0, 1, (size_t)(x1 - x0 + 1));
}

static void trace_pixels(const BandJob *job, int x0, int x1, int y)
{
    OndBand *band = job->band;
    const int total = (x1 - x0) * band->samples;
    uint32_t *out =
        band->sphere + ((size_t)y * (size_t)band->width + (size_t)x0) * (size_t)band->samples;
    OndPacket packet;
    for (int first = 0; first < total; first += OND_PACKET) {
        ond_packet_clear(&packet);
        for (int k = first; k < total && k < first + OND_PACKET; ++k) {
            const float *offset = band->offset[k % band->samples];
            const OndRay ray =
                ond_camera_ray(&job->stage->camera, (float)(x0 + k / band->samples) + offset[0],
                               (float)(band->top + y) + offset[1]);
            ond_packet_put(&packet, ray.origin, ray.direction, INFINITY);
        }
        ond_packet_intersect(&packet, job->stage->cloud.scene);
        for (int k = 0; k < packet.count; ++k)
            out[first + k] = ond_packet_sphere(&packet, k);
    }
}

typedef void TileRowFn(const BandJob *job, int x0, int x1, int y);

static void each_tile_row(const BandJob *job, int first, int last, TileRowFn *row)
{
    const OndBand *band = job->band;
    const int columns = tiles_of(band->width);
    for (int t = first; t < last; ++t) {
        if (!band->tile[t]) continue;
        const int x0 = t % columns * TILE, y0 = t / columns * TILE;
        const int x1 = x0 + TILE < band->width ? x0 + TILE : band->width;
        for (int y = y0; y < y0 + TILE && y < band->rows; ++y)
            row(job, x0, x1, y);
    }
}

static void trace_tiles(int first, int last, int worker, void *context)
{
    each_tile_row(context, first, last, trace_pixels);
}

static bool any_missed(const OndBand *band, int x, int y)
{
    const size_t at = (size_t)y * (size_t)band->width + (size_t)x;
    const uint32_t *id = band->sphere + at * (size_t)band->samples;
    for (int k = 0; k < band->samples; ++k)
        if (id[k] == OND_NO_SPHERE) return true;
    return false;
}

// Pixels of a row that look at the floor past all spheres, sixteen at a time.
static void mirror_pixels(const BandJob *job, int x0, int x1, int y)
{
    OndBand *band = job->band;
    const size_t row = (size_t)y * (size_t)band->width;
    OndPacket packet;
    ond_packet_clear(&packet);
    int place[OND_PACKET];
    for (int x = x0; x < x1; ++x) {
        if (!any_missed(band, x, y)) continue;
        OndRay back;
        const OndRay ray =
            ond_camera_ray(&job->stage->camera, (float)x + 0.5f, (float)(band->top + y) + 0.5f);
        if (!ond_stage_mirror(job->stage, &ray, &back)) continue;
        place[packet.count] = x;
        ond_packet_put(&packet, back.origin, back.direction, INFINITY);
    }
    if (packet.count == 0) return;
    ond_packet_intersect(&packet, job->stage->cloud.scene);
    for (int k = 0; k < packet.count; ++k)
        band->mirrored[row + (size_t)place[k]] = ond_packet_sphere(&packet, k);
}

static void mirror_tiles(int first, int last, int worker, void *context)
{
    each_tile_row(context, first, last, mirror_pixels);
}

static void trace_mirror(OndBand *band, const OndStage *stage)
{
    const OndF3 n = stage->floor.normal;
    memset(band->tile, 0, (size_t)(tiles_of(band->width) * tiles_of(band->rows)));
    for (int i = 0; i < stage->cloud.count; ++i) {
        const OndSphere *s = &stage->cloud.sphere[i];
        const OndF3 centre = ond_sphere_centre(s);
        const float height = ond_f3_dot(ond_f3_sub(centre, stage->floor.middle), n);
        if (height < OND_MIRROR_REACH)
            mark_sphere(band, stage, ond_f3_step(centre, n, -2.0f * height), s->r);
    }
    BandJob job = {band, stage, NULL};
    ond_parallel_for(tiles_of(band->width) * tiles_of(band->rows), 16, mirror_tiles, &job);
}

void ond_band_trace(OndBand *band, const OndStage *stage)
{
    const size_t pixels = (size_t)band->rows * (size_t)band->width;
    const int tiles = tiles_of(band->width) * tiles_of(band->rows);
    memset(band->sphere, 0xff,
           pixels * (size_t)band->samples * sizeof *band->sphere); // OND_NO_SPHERE
    memset(band->mirrored, 0xff, pixels * sizeof *band->mirrored);
    memset(band->tile, 0, (size_t)tiles);
    for (int i = 0; i < stage->cloud.count; ++i)
        mark_sphere(band, stage, ond_sphere_centre(&stage->cloud.sphere[i]),
                    stage->cloud.sphere[i].r);
    BandJob job = {band, stage, NULL};
    ond_parallel_for(tiles, 16, trace_tiles, &job);
    if (stage->has_floor && !stage->camera.flat && stage->studio.mirror > 0.0f)
        trace_mirror(band, stage);
}

static int note_seen(OndBand *band, const uint32_t *id, size_t count, int fresh)
{
    for (size_t i = 0; i < count; ++i) {
        if (id[i] == OND_NO_SPHERE || band->seen[id[i]]) continue;
        band->seen[id[i]] = 1;
        band->fresh[fresh++] = id[i];
    }
    return fresh;
}

void ond_band_light(OndBand *band, const OndStage *stage)
{
    const size_t pixels = (size_t)band->rows * (size_t)band->width;
    int fresh = note_seen(band, band->sphere, pixels * (size_t)band->samples, 0);
    fresh = note_seen(band, band->mirrored, pixels, fresh);
    ond_light_gather(&stage->lights, &stage->cloud, band->fresh, fresh, stage->glow);
}

static OndF3 shade_behind(const OndBand *band, const OndStage *stage, int x, int y)
{
    const OndRay ray =
        ond_camera_ray(&stage->camera, (float)x + 0.5f, (float)(band->top + y) + 0.5f);
    const OndF3 behind = ond_stage_behind(stage, &ray);
    const uint32_t mirrored = band->mirrored[(size_t)y * (size_t)band->width + (size_t)x];
    OndRay back;
    if (mirrored == OND_NO_SPHERE || !ond_stage_mirror(stage, &ray, &back)) return behind;
    return ond_stage_mirrored(stage, &back, mirrored, behind);
}

static OndF3 shade_pixel(const OndBand *band, const OndStage *stage, int x, int y)
{
    const uint32_t *id =
        band->sphere + ((size_t)y * (size_t)band->width + (size_t)x) * (size_t)band->samples;
    const float py = (float)(band->top + y);
    OndF3 sum = {0};
    int missed = 0;
    for (int k = 0; k < band->samples; ++k) {
        if (id[k] == OND_NO_SPHERE) {
            ++missed;
            continue;
        }
        const OndRay ray =
            ond_camera_ray(&stage->camera, (float)x + band->offset[k][0], py + band->offset[k][1]);
        sum = ond_f3_add(sum, ond_stage_sphere(stage, &ray, id[k]));
    }
    // what is behind is smooth: one look is enough for all samples that missed
    if (missed) sum = ond_f3_step(sum, shade_behind(band, stage, x, y), (float)missed);
    return ond_f3_scale(sum, 1.0f / (float)band->samples);
}

// The same where solids may stand before it: each sample looks for itself.
static OndF3 shade_with_solids(const OndBand *band, const OndStage *stage, int x, int y)
{
    const uint32_t *id =
        band->sphere + ((size_t)y * (size_t)band->width + (size_t)x) * (size_t)band->samples;
    const float py = (float)(band->top + y);
    const OndF3 behind = shade_behind(band, stage, x, y);
    OndF3 sum = {0};
    for (int k = 0; k < band->samples; ++k) {
        const bool missed = id[k] == OND_NO_SPHERE;
        const OndRay ray =
            ond_camera_ray(&stage->camera, (float)x + band->offset[k][0], py + band->offset[k][1]);
        const float far =
            missed ? ond_stage_floor(stage, &ray) : ond_stage_distance(stage, &ray, id[k]);
        const OndF3 light = missed ? behind : ond_stage_sphere(stage, &ray, id[k]);
        sum = ond_f3_add(sum, ond_stage_before(stage, &ray, far, light));
    }
    return ond_f3_scale(sum, 1.0f / (float)band->samples);
}

static void shade_rows(int first, int last, int worker, void *context)
{
    const BandJob *job = context;
    for (int y = first; y < last; ++y)
        for (int x = 0; x < job->band->width; ++x)
            job->band->light[(size_t)y * (size_t)job->band->width + (size_t)x] =
                job->stage->solids ? shade_with_solids(job->band, job->stage, x, y)
                                   : shade_pixel(job->band, job->stage, x, y);
}

void ond_band_shade(OndBand *band, const OndStage *stage)
{
    BandJob job = {band, stage, NULL};
    ond_parallel_for(band->rows, 4, shade_rows, &job);
}

static void encode_rows(int first, int last, int worker, void *context)
{
    const BandJob *job = context;
    const OndBand *band = job->band;
    for (int y = first; y < last; ++y) {
        const OndF3 *light = band->light + (size_t)y * (size_t)band->width;
        uint8_t *rgb = job->image->rgb + (size_t)(band->top + y) * (size_t)band->width * 3;
        for (int x = 0; x < band->width; ++x)
            ond_colour_encode(&band->tone, light[x], x, band->top + y, rgb + 3 * x);
    }
}

void ond_band_encode(const OndBand *band, OndImage *image)
{
    BandJob job = {(OndBand *)band, NULL, image};
    ond_parallel_for(band->rows, 8, encode_rows, &job);
}

float ond_band_open(const OndBand *band, const OndStage *stage, int x, int y, float depth)
{
    const uint32_t *id =
        band->sphere +
        ((size_t)(y - band->top) * (size_t)band->width + (size_t)x) * (size_t)band->samples;
    int open = 0;
    for (int k = 0; k < band->samples; ++k) {
        if (id[k] == OND_NO_SPHERE && !stage->solids) {
            ++open;
            continue;
        }
        const OndRay ray = ond_camera_ray(&stage->camera, (float)x + band->offset[k][0],
                                          (float)y + band->offset[k][1]);
        float t = id[k] == OND_NO_SPHERE ? INFINITY : ond_stage_distance(stage, &ray, id[k]);
        if (stage->solids) t = fminf(t, ond_stage_blocked(stage, &ray));
        open += t * ond_f3_dot(ray.direction, stage->camera.forward) > depth;
    }
    return (float)open / (float)band->samples;
}

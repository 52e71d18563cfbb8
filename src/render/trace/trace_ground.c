// SPDX-License-Identifier: MIT
#include "render/trace/trace_ground.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "render/trace/trace_stage.h"

#define PI        3.14159265f
#define OPEN_RAYS 512
#define GOLDEN    2.39996323f
#define PANES     8

OndStatus ond_ground_create(OndGround *ground, int side, OndError *err)
{
    if (ground->side == side) return OND_OK;
    ond_ground_free(ground);
    const size_t texels = (size_t)side * (size_t)side;
    ground->sky = ond_alloc(texels * sizeof(OndF3));
    ground->key = ond_alloc(texels * sizeof(OndF3));
    ground->scratch = ond_alloc(texels * sizeof(OndF3));
    ground->caught = ond_alloc(texels * 3 * sizeof(uint32_t));
    ground->side = side;
    if (ground->sky && ground->key && ground->scratch && ground->caught) return OND_OK;
    ond_ground_free(ground);
    return ond_fail(err, OND_NO_MEMORY, "no memory for the light on the ground");
}

void ond_ground_free(OndGround *ground)
{
    ond_free(ground->sky);
    ond_free(ground->key);
    ond_free(ground->scratch);
    ond_free(ground->caught);
    ground->sky = ground->key = ground->scratch = NULL;
    ground->caught = NULL;
    ground->side = 0;
}

// ---- gathering

// A direction about the normal, denser where more light counts (by the cosine).
static OndF3 upwards(const OndGround *g, float r2, float angle)
{
    const float r = sqrtf(r2);
    const OndF3 d = ond_f3_step(ond_f3_scale(g->u, r * cosf(angle)), g->v, r * sinf(angle));
    return ond_f3_step(d, g->normal, sqrtf(fmaxf(1.0f - r2, 1e-4f)));
}

void ond_ground_open(OndTraceStage *s)
{
    OndF3 sum = {0, 0, 0};
    for (int i = 0; i < OPEN_RAYS; ++i) {
        const OndF3 d = upwards(&s->ground, ((float)i + 0.5f) / OPEN_RAYS, GOLDEN * (float)i);
        sum = ond_f3_step(sum, ond_sky_soft(&s->sky, d), 1.0f / OPEN_RAYS);
    }
    s->ground.open = sum;
}

// What something in the way changes; exactly 0 where nothing is, so that open ground has no noise.
static OndF3 sky_change(const OndTraceStage *s, const OndRay *ray)
{
    OndTraceHit hit;
    const bool met = ond_stage_find(s, ray, INFINITY, 0.5f, &hit);
    if (!met && !s->air) return ond_f3(0, 0, 0);
    const OndLook *look = met ? ond_stage_look(&hit, 0.5f) : NULL;
    const OndF3 sky = ond_sky_soft(&s->sky, ray->direction);
    OndF3 light = sky;
    if (met && look->kind == OND_LOOK_CLEAR)
        light = ond_f3_mul(sky, ond_stage_straight(s, ray, INFINITY, 0.5f));
    else if (met)
        light = ond_stage_guess(s, &hit, look);
    return ond_f3_sub(ond_medium_veil(s->air, ray, met ? hit.t : INFINITY, light), sky);
}

// The key light's share that comes straight; what clear things let through comes as photons, but
// for panes, which bend nothing.
static OndF3 key_share(const OndTraceStage *s, const OndRay *ray)
{
    OndTraceHit hit;
    OndRay at = *ray;
    float share = 1.0f;
    const bool clear = s->mesh.clear || s->solids.clear;
    if (!clear && ond_stage_hides(s, ray, INFINITY, 0.5f)) return ond_f3(0, 0, 0);
    for (int k = 0; clear && k < PANES && ond_stage_find(s, &at, INFINITY, 0.5f, &hit); ++k) {
        const OndLook *look = ond_stage_look(&hit, 0.5f);
        if (look->kind != OND_LOOK_CLEAR || !look->thin) return ond_f3(0, 0, 0);
        share *= 0.9f;
        at = ond_trace_from(&hit, at.direction);
    }
    return ond_f3_scale(ond_medium_passes(s->air, ray, INFINITY), share);
}

static void gather_texel(OndTraceStage *s, int x, int y)
{
    OndGround *g = &s->ground;
    const int bits = s->effort.ground_bits, rays = 1 << bits;
    const float step = 2.0f * g->half / (float)g->side;
    const OndF3 row = ond_f3_step(g->middle, g->v, ((float)y + 0.5f) * step - g->half);
    OndRay ray = {ond_f3_step(row, g->u, ((float)x + 0.5f) * step - g->half), g->normal};
    ray.origin = ond_f3_step(ray.origin, g->normal, 1e-4f);
    OndF3 sky = g->open, key = {0, 0, 0};
    for (int i = 0; i < rays; ++i) {
        float a, b;
        OndSampler sampler = ond_sampler(x, y, i, bits, 17);
        ond_sample_pair(&sampler, &a, &b);
        ray.direction = upwards(g, a, 2.0f * PI * b);
        sky = ond_f3_step(sky, sky_change(s, &ray), 1.0f / (float)rays);
        ond_sample_pair(&sampler, &a, &b);
        ray.direction = ond_sky_key(&s->sky, a, b);
        key = ond_f3_step(key, key_share(s, &ray), 1.0f / (float)rays);
    }
    g->sky[y * g->side + x] = sky;
    g->key[y * g->side + x] = key;
}

static void gather_rows(int first, int last, int worker, void *context)
{
    OndTraceStage *s = context;
    for (int y = first; y < last; ++y)
        for (int x = 0; x < s->ground.side; ++x)
            gather_texel(s, x, y);
}

// ---- blur

static const float blur_weight[5] = {0.08f, 0.24f, 0.36f, 0.24f, 0.08f};

typedef struct Blur {
    const OndF3 *from;
    OndF3 *to;
    int side, step_x, step_y;
} Blur;

static void blur_rows(int first, int last, int worker, void *context)
{
    const Blur *b = context;
    const int side = b->side;
    for (int y = first; y < last; ++y)
        for (int x = 0; x < side; ++x) {
            OndF3 sum = {0, 0, 0};
            for (int k = -2; k <= 2; ++k) {
                const int cx = x + k * b->step_x, cy = y + k * b->step_y;
                const int tx = cx < 0 ? 0 : cx >= side ? side - 1 : cx;
                const int ty = cy < 0 ? 0 : cy >= side ? side - 1 : cy;
                sum = ond_f3_step(sum, b->from[ty * side + tx], blur_weight[k + 2]);
            }
            b->to[y * side + x] = sum;
        }
}

static void smooth(OndGround *g, OndF3 *map, int step)
{
    Blur across = {map, g->scratch, g->side, step, 0}, down = {g->scratch, map, g->side, 0, step};
    ond_parallel_for(g->side, 16, blur_rows, &across);
    ond_parallel_for(g->side, 16, blur_rows, &down);
}

void ond_ground_gather(OndTraceStage *stage)
{
    OndGround *g = &stage->ground;
    if (!g->there) return;
    ond_parallel_for(g->side, 2, gather_rows, stage);
    smooth(g, g->key, 1);
    smooth(g, g->sky, 1);
    smooth(g, g->sky, 2);
    ond_caustics_add(stage);
}

// ---- reading

float ond_ground_distance(const OndGround *g, const OndRay *ray)
{
    const float down = -ond_f3_dot(ray->direction, g->normal);
    if (!g->there || down < 1e-4f) return INFINITY;
    const float t = ond_f3_dot(ond_f3_sub(ray->origin, g->middle), g->normal) / down;
    return t > 0.0f ? t : INFINITY;
}

static OndF3 bilinear(const OndF3 *map, int side, int i, float fx, float fy)
{
    const OndF3 top = ond_f3_mix(map[i], map[i + 1], fx),
                bottom = ond_f3_mix(map[i + side], map[i + side + 1], fx);
    return ond_f3_mix(top, bottom, fy);
}

void ond_ground_light(const OndGround *g, OndF3 point, OndF3 *sky, OndF3 *key)
{
    const OndF3 d = ond_f3_sub(point, g->middle);
    const float a = ond_f3_dot(d, g->u) / g->half, b = ond_f3_dot(d, g->v) / g->half;
    const float rim = fmaxf(fabsf(a), fabsf(b));
    *sky = g->open;
    *key = ond_f3(1, 1, 1);
    if (!(rim < 0.98f)) return;
    const float x = (a + 1.0f) * 0.5f * (float)g->side - 0.5f,
                y = (b + 1.0f) * 0.5f * (float)g->side - 0.5f;
    const int ix = (int)x, iy = (int)y, i = iy * g->side + ix;
    const float kept = 1.0f - ond_smoothstep(0.8f, 0.98f, rim);
    *sky = ond_f3_mix(*sky, bilinear(g->sky, g->side, i, x - (float)ix, y - (float)iy), kept);
    *key = ond_f3_mix(*key, bilinear(g->key, g->side, i, x - (float)ix, y - (float)iy), kept);
}

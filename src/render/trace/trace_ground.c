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
#define BLOCK     ((int)OND_SAMPLE_BLOCK)

// A way about the normal, denser where more light counts (by the cosine).
static OndF3 upwards(float r2, float angle)
{
    const float r = sqrtf(r2);
    return ond_f3(r * cosf(angle), r * sinf(angle), sqrtf(ond_f_max(1.0f - r2, 1e-4f)));
}

static OndSampler ground_sampler(const OndGround *g, int x, int y, int ray)
{
    return ond_sampler(x % BLOCK, y % BLOCK, ray, g->bits, 17);
}

static OndF3 *way_at(const OndGround *g, int x, int y)
{
    return g->way + ((size_t)(y % BLOCK * BLOCK + x % BLOCK) << g->bits);
}

// The same for every frame of a film.
static void find_ways(OndGround *g)
{
    for (int k = 0; k < BLOCK * BLOCK; ++k)
        for (int i = 0; i < 1 << g->bits; ++i) {
            float a, b;
            OndSampler sampler = ground_sampler(g, k % BLOCK, k / BLOCK, i);
            ond_sample_pair(&sampler, &a, &b);
            way_at(g, k % BLOCK, k / BLOCK)[i] = upwards(a, 2.0f * PI * b);
        }
}

OndStatus ond_ground_create(OndGround *ground, int side, int bits, OndError *err)
{
    ond_ground_free(ground);
    ground->bits = bits;
    ground->way = ond_alloc((sizeof(OndF3) * BLOCK * BLOCK) << bits);
    if (ground->way) find_ways(ground);
    const size_t texels = (size_t)side * (size_t)side;
    ground->sky = ond_alloc(texels * sizeof(OndF3));
    ground->key = ond_alloc(texels * sizeof(OndF3));
    ground->light = ond_alloc(texels * sizeof(OndF3));
    ground->scratch = ond_alloc(texels * sizeof(OndF3));
    ground->caught = ond_alloc(texels * 3 * sizeof(uint32_t));
    ground->side = side;
    if (ground->sky && ground->key && ground->light && ground->scratch && ground->caught &&
        ground->way)
        return OND_OK;
    ond_ground_free(ground);
    return ond_fail(err, OND_NO_MEMORY, "no memory for the light on the ground");
}

void ond_ground_free(OndGround *ground)
{
    ond_free(ground->sky);
    ond_free(ground->key);
    ond_free(ground->light);
    ond_free(ground->scratch);
    ond_free(ground->caught);
    ground->sky = ground->key = ground->light = ground->scratch = NULL;
    ond_free(ground->way);
    ground->caught = NULL;
    ground->way = NULL;
    ground->side = 0;
}

// ---- gathering

static OndF3 direction_of(const OndGround *g, OndF3 way)
{
    const OndF3 level = ond_f3_step(ond_f3_scale(g->u, way.x), g->v, way.y);
    return ond_f3_step(level, g->normal, way.z);
}

void ond_ground_open(OndTraceStage *s)
{
    OndF3 sum = {0, 0, 0};
    for (int i = 0; i < OPEN_RAYS; ++i) {
        const OndF3 way = upwards(((float)i + 0.5f) / OPEN_RAYS, GOLDEN * (float)i);
        const OndF3 d = direction_of(&s->ground, way);
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

// ---- where shadows can fall

// The part of the map, in texels, that the key light cannot reach from all of its places: the shadow
// of the boxes round everything.
typedef struct KeyShade {
    float left, right, top, bottom;
} KeyShade;

static void add_shadow(KeyShade *shade, const OndGround *g, OndF3 corner, OndF3 to)
{
    const float up = ond_f3_dot(to, g->normal), texels = 0.5f * (float)g->side / g->half,
                half = 0.5f * (float)g->side;
    const OndF3 d = ond_f3_sub(corner, g->middle);
    const float high = ond_f_max(ond_f3_dot(d, g->normal), 0.0f);
    const OndF3 at = ond_f3_step(d, to, -high / ond_f_max(up, 1e-3f));
    const float x = ond_f3_dot(at, g->u) * texels + half, y = ond_f3_dot(at, g->v) * texels + half;
    shade->left = ond_f_min(shade->left, x - 1.0f);
    shade->right = ond_f_max(shade->right, x + 1.0f);
    shade->top = ond_f_min(shade->top, y - 1.0f);
    shade->bottom = ond_f_max(shade->bottom, y + 1.0f);
}

static void add_mesh_shadow(KeyShade *shade, const OndTraceStage *s, const OndTraceMesh *m)
{
    if (m->triangle_count == 0) return;
    for (int k = 0; k < 32; ++k) {
        const OndF3 corner = ond_f3(k & 1 ? m->max.x : m->min.x, k & 2 ? m->max.y : m->min.y,
                                    k & 4 ? m->max.z : m->min.z);
        add_shadow(shade, &s->ground, corner,
                   ond_sky_key(&s->sky, (float)(k >> 3 & 1), (float)(k >> 4)));
    }
}

static KeyShade key_shade(const OndTraceStage *s)
{
    KeyShade shade = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    if (s->air) return (KeyShade){-INFINITY, INFINITY, -INFINITY, INFINITY};
    add_mesh_shadow(&shade, s, &s->mesh);
    add_mesh_shadow(&shade, s, &s->solids);
    return shade;
}

// ---- gathering the maps

typedef struct GroundGathering {
    const OndTraceStage *stage;
    KeyShade shade;
} GroundGathering;

static void gather_texel(const GroundGathering *job, int x, int y)
{
    const OndTraceStage *s = job->stage;
    const OndGround *g = &s->ground;
    const float px = (float)x + 0.5f, py = (float)y + 0.5f;
    const bool shaded = px > job->shade.left && px < job->shade.right && py > job->shade.top &&
                        py < job->shade.bottom;
    const int rays = 1 << g->bits;
    const OndF3 *way = way_at(g, x, y);
    const float step = 2.0f * g->half / (float)g->side;
    const OndF3 row = ond_f3_step(g->middle, g->v, ((float)y + 0.5f) * step - g->half);
    OndRay ray = {ond_f3_step(row, g->u, ((float)x + 0.5f) * step - g->half), g->normal};
    ray.origin = ond_f3_step(ray.origin, g->normal, 1e-4f);
    OndF3 sky = g->open, key = {0, 0, 0};
    for (int i = 0; i < rays; ++i) {
        float a, b;
        ray.direction = direction_of(g, way[i]);
        sky = ond_f3_step(sky, sky_change(s, &ray), 1.0f / (float)rays);
        if (!shaded) continue;
        OndSampler sampler = ground_sampler(g, x, y, i);
        ond_sample_skip(&sampler); // taken by the way to the sky
        ond_sample_pair(&sampler, &a, &b);
        ray.direction = ond_sky_key(&s->sky, a, b);
        key = ond_f3_step(key, key_share(s, &ray), 1.0f / (float)rays);
    }
    g->sky[y * g->side + x] = sky;
    g->key[y * g->side + x] = shaded ? key : ond_f3(1, 1, 1);
}

static void gather_rows(int first, int last, int worker, void *context)
{
    const GroundGathering *job = context;
    for (int y = first; y < last; ++y)
        for (int x = 0; x < job->stage->ground.side; ++x)
            gather_texel(job, x, y);
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

// ---- what it sends back

// Towards its rim the map fades into open ground.
static float kept_at(const OndGround *g, int x, int y)
{
    const float half = 0.5f * (float)g->side, a = fabsf((float)x + 0.5f - half) / half,
                b = fabsf((float)y + 0.5f - half) / half;
    return 1.0f - ond_smoothstep(0.8f, OND_GROUND_RIM, a > b ? a : b);
}

static void shine_rows(int first, int last, int worker, void *context)
{
    const OndTraceStage *s = context;
    const OndGround *g = &s->ground;
    const OndF3 key = ond_sky_on(&s->sky, g->normal), one = {1, 1, 1};
    for (int y = first; y < last; ++y)
        for (int x = 0; x < g->side; ++x) {
            const int at = y * g->side + x;
            const float kept = kept_at(g, x, y);
            const OndF3 share = ond_f3_mix(one, g->key[at], kept),
                        sky = ond_f3_mix(g->open, g->sky[at], kept);
            g->light[at] = ond_f3_mul(g->colour, ond_f3_add(sky, ond_f3_mul(share, key)));
        }
}

void ond_ground_gather(OndTraceStage *stage)
{
    OndGround *g = &stage->ground;
    if (!g->there) return;
    GroundGathering gathering = {stage, key_shade(stage)};
    ond_parallel_for(g->side, 2, gather_rows, &gathering);
    smooth(g, g->key, 1);
    smooth(g, g->sky, 1);
    smooth(g, g->sky, 2);
    ond_caustics_add(stage);
    ond_parallel_for(g->side, 16, shine_rows, stage);
    g->far = ond_f3_mul(g->colour, ond_f3_add(g->open, ond_sky_on(&stage->sky, g->normal)));
}

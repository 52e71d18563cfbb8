// SPDX-License-Identifier: MIT
// Light from opaque things: the key light with its shadow, the sky with what is in the way, light
// that went through, gloss.
#include "render/trace/trace_stage.h"
#include "render/trace/trace_path.h"

#define PI          3.14159265f
#define LIQUID_HAZE 0.10f // of what can freeze
#define SOLID_HAZE  3.0f
#define PASSED      12 // clear surfaces that light comes straight through

// ---- what a place is made of

static float mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

OndF3 ond_stage_colour(const OndTraceStage *s, const OndTraceHit *h, const OndLook *look)
{
    if (look->kind != OND_LOOK_PAINT) return look->colour;
    if (!h->mesh->value) return s->plain;
    const float v = ond_trace_value(h->mesh->value, h);
    return ond_colour_pick(s->map, (v - s->range_min) * s->range_factor);
}

OndF3 ond_stage_glow(const OndTraceHit *h, const OndLook *look)
{
    const bool hot = look->kind == OND_LOOK_GLOW || look->kind == OND_LOOK_METAL;
    if (!hot || !h->mesh->temperature) return ond_f3(0, 0, 0);
    return ond_look_heat(ond_trace_value(h->mesh->temperature, h));
}

// Frozen water is ice, and molten ice water. Where solids have a surface of their own, all that is
// not in them is liquid.
OndEven ond_stage_inside(const OndTraceStage *s, const OndTraceHit *h, const OndLook *look)
{
    const bool freezes = look->haze > 0.0f && s->mesh.rigidity;
    const bool apart = s->inner.triangle_count > 0;
    const float rigid = !apart ? ond_stage_rigidity(h) : h->mesh == &s->inner ? 1.0f : 0.0f;
    const float haze = freezes ? mix(LIQUID_HAZE, SOLID_HAZE, rigid) : look->haze;
    // scattered light comes back from all sides of a hazy body: it is brighter than a thin veil
    const OndF3 veil = ond_f3_scale(s->veil, freezes ? mix(1.0f, 1.7f, rigid) : 1.0f);
    return (OndEven){.loss = look->inside, .haze = haze, .veil = veil};
}

OndF3 ond_stage_guess(const OndTraceStage *s, const OndTraceHit *h, const OndLook *look)
{
    if (look->kind == OND_LOOK_CLEAR) return s->veil;
    const OndF3 n = h->inside ? ond_f3_scale(h->normal, -1.0f) : h->normal;
    const float key = ond_f_max(ond_f3_dot(n, s->sky.lamp[OND_LAMP_KEY].to), 0.0f);
    const float up = 0.5f + 0.5f * ond_f3_dot(n, s->sky.up);
    const OndF3 sky = ond_f3_scale(s->ground.open, 0.35f + 0.65f * up);
    const OndF3 falls = ond_f3_step(sky, s->sky.key_light, 0.7f * key);
    return ond_f3_add(ond_f3_mul(ond_stage_colour(s, h, look), falls), ond_stage_glow(h, look));
}

bool ond_stage_find(const OndTraceStage *s, const OndRay *ray, float far, float time,
                    OndTraceHit *hit)
{
    OndTraceHit solid;
    const bool met = ond_trace_find(&s->mesh, ray, far, time, hit);
    if (s->solids.triangle_count == 0) return met;
    if (!ond_trace_find(&s->solids, ray, met ? hit->t : far, time, &solid)) return met;
    *hit = solid;
    return true;
}

static OndF3 straight_through_clear(const OndTraceStage *s, const OndRay *ray, float far,
                                    float time)
{
    OndF3 share = {1, 1, 1};
    OndRay at = *ray;
    OndTraceHit h;
    for (int k = 0; k < PASSED && ond_stage_find(s, &at, far, time, &h); ++k) {
        const OndLook *look = ond_stage_look(&h, 0.5f);
        if (look->kind != OND_LOOK_CLEAR) return ond_f3(0, 0, 0);
        if (h.inside && !look->thin) {
            OndF3 through;
            const OndEven medium = ond_stage_inside(s, &h, look);
            ond_even_cross(&medium, ond_f_min(h.t, 20.0f), &through);
            share = ond_f3_mul(share, through);
        }
        const float c = fabsf(ond_f3_dot(h.normal, at.direction));
        share = ond_f3_scale(share, 1.0f - 0.6f * ond_look_fresnel(c, 1.0f / look->ior));
        far -= h.t;
        at = ond_trace_from(&h, at.direction);
    }
    return share;
}

bool ond_stage_hides(const OndTraceStage *s, const OndRay *ray, float far, float time)
{
    return ond_trace_blocked(&s->mesh, ray, far, time) ||
           (s->solids.triangle_count > 0 && ond_trace_blocked(&s->solids, ray, far, time));
}

OndF3 ond_stage_straight(const OndTraceStage *s, const OndRay *ray, float far, float time)
{
    if (!s->mesh.clear && !s->solids.clear) {
        const float share = ond_stage_hides(s, ray, far, time) ? 0.0f : 1.0f;
        return ond_f3(share, share, share);
    }
    return straight_through_clear(s, ray, far, time);
}

OndF3 ond_stage_passes(const OndTraceStage *s, const OndRay *ray, float far, float time)
{
    const OndF3 share = ond_stage_straight(s, ray, far, time);
    if (!s->air || share.x + share.y + share.z == 0.0f) return share;
    return ond_f3_mul(share, ond_medium_passes(s->air, ray, far));
}

// A solid on a way that lies inside of something clear. The way to where it begins is in the
// liquid, the way to where it ends in the solid.
static void meet_inner(const OndTraceStage *s, const OndRay *ray, float time, float chance,
                       OndNext *next)
{
    OndTraceHit h;
    if (!ond_trace_find(&s->inner, ray, next->length, time, &h)) return;
    const OndLook *look = ond_stage_look(&h, chance);
    next->found = true;
    next->length = h.t;
    next->hit = h;
    next->passage = look->kind == OND_LOOK_CLEAR;
    if (next->passage && h.inside) next->medium = ond_stage_inside(s, &h, look);
    next->look = look;
}

// Whether a place lies in clear liquid, and in which: told by the surface ahead.
static float liquid_ahead(const OndTraceStage *s, const OndRay *ray, float time)
{
    OndTraceHit h;
    if (!ond_trace_find(&s->mesh, ray, INFINITY, time, &h) || !h.inside) return 1.0f;
    const OndLook *look = ond_stage_look(&h, 0.5f);
    return look->kind == OND_LOOK_CLEAR ? look->ior : 1.0f;
}

// Solids go before liquid: the liquid's surface may reach a little into them, where nobody sees it,
// so that there is no gap between water and glass.
static void meet_solid(const OndTraceStage *s, const OndRay *ray, float time, float chance,
                       OndNext *next)
{
    OndTraceHit h;
    if (!ond_trace_find(&s->solids, ray, INFINITY, time, &h)) return;
    const OndLook *look = ond_stage_look(&h, chance);
    const bool in_glass = h.inside && look->kind == OND_LOOK_CLEAR && !look->thin;
    if (!in_glass && h.t > next->length) return;
    if (in_glass && h.t > ond_ground_distance(&s->ground, ray)) return;
    if (in_glass) {
        const OndRay onward = ond_trace_from(&h, ray->direction);
        next->outer = liquid_ahead(s, &onward, time);
        next->medium = ond_stage_inside(s, &h, look);
    } else {
        next->outer = next->within ? next->look->ior : 1.0f;
    }
    next->within = in_glass || next->within;
    next->passage = false;
    next->found = true;
    next->length = h.t;
    next->hit = h;
    next->look = look;
}

void ond_stage_next(const OndTraceStage *s, const OndRay *ray, float time, float chance,
                    OndNext *next)
{
    const float ground = ond_ground_distance(&s->ground, ray);
    const float down = -ond_f3_dot(ray->direction, s->ground.normal);
    const float far = ground < INFINITY ? ground + 2.0f * OND_GROUND_LIFT / down : INFINITY;
    const bool met = ond_trace_find(&s->mesh, ray, far, time, &next->hit);
    next->passage = false;
    next->outer = 1.0f;
    next->found = met && next->hit.t < ground;
    next->length = next->found ? next->hit.t : ground;
    next->look = met ? ond_stage_look(&next->hit, chance) : NULL;
    next->within = met && next->hit.inside && next->look->kind == OND_LOOK_CLEAR;
    if (next->within) {
        next->medium = ond_stage_inside(s, &next->hit, next->look);
        if (s->inner.triangle_count > 0) meet_inner(s, ray, time, chance, next);
    }
    if (s->solids.triangle_count > 0) meet_solid(s, ray, time, chance, next);
}

// ---- behind everything

OndF3 ond_stage_back(const OndTraceStage *s, const OndRay *ray, float rough)
{
    const OndGround *g = &s->ground;
    const OndF3 sky = rough < 0.0f ? ond_sky_dome(&s->sky, ray->direction)
                                   : ond_sky_mirrored(&s->sky, ray->direction, rough);
    const float t = ond_ground_distance(g, ray);
    if (!(t < 1e4f)) return sky;
    const OndF3 at = ond_f3_step(ray->origin, ray->direction, t), away = ond_f3_sub(at, g->middle);
    const float wide = ond_f3_dot(away, away) / (4.0f * g->half * g->half);
    return ond_f3_mix(sky, ond_ground_light(g, at), 1.0f / (1.0f + wide * wide));
}

// ---- opaque things

typedef struct Shade {
    const OndTraceStage *stage;
    const OndTraceHit *hit;
    const OndLook *look;
    OndF3 normal; // towards the viewer
    float time;
    OndSampler *sampler;
} Shade;

static OndF3 key_part(const Shade *q)
{
    float a, b;
    ond_sample_pair(q->sampler, &a, &b);
    const OndF3 to = ond_sky_key(&q->stage->sky, a, b);
    const float wrap = q->look->kind == OND_LOOK_WAXY ? 0.25f : 0.0f;
    const float facing = (ond_f3_dot(q->normal, to) + wrap) / (1.0f + wrap);
    if (facing <= 0.0f) return ond_f3(0, 0, 0);
    OndRay ray = ond_trace_from(q->hit, to);
    // near the rim of the light smooth normals and flat triangles disagree: start off the surface
    ray.origin = ond_f3_step(ray.origin, q->normal, 2e-3f * (1.0f - facing) + 5e-4f);
    const OndF3 passes = ond_stage_passes(q->stage, &ray, INFINITY, q->time);
    return ond_f3_scale(ond_f3_mul(passes, q->stage->sky.key_light), facing);
}

static OndF3 sky_part(const Shade *q)
{
    float a, b;
    ond_sample_pair(q->sampler, &a, &b);
    OndF3 u, v;
    ond_f3_frame(q->normal, &u, &v);
    const float r = sqrtf(a), angle = 2.0f * PI * b;
    OndF3 d = ond_f3_step(ond_f3_scale(u, r * cosf(angle)), v, r * sinf(angle));
    d = ond_f3_step(d, q->normal, sqrtf(ond_f_max(1.0f - a, 1e-4f)));
    OndRay ray = ond_trace_from(q->hit, ond_f3_unit(d));
    ray.origin = ond_f3_step(ray.origin, q->normal, 5e-4f);
    OndTraceHit h;
    const float ground = ond_ground_distance(&q->stage->ground, &ray);
    const bool met = ond_stage_find(q->stage, &ray, ground, q->time, &h);
    const OndF3 light = met ? ond_stage_guess(q->stage, &h, ond_stage_look(&h, 0.5f))
                        : ground < INFINITY ? ond_stage_back(q->stage, &ray, -1.0f)
                                            : ond_sky_soft(&q->stage->sky, ray.direction);
    return ond_medium_veil(q->stage->air, &ray, met ? h.t : ground, light);
}

// Light that went in elsewhere: how far is it from a little below the surface to the outside, in
// the direction of the light?
static OndF3 through_part(const Shade *q)
{
    const float deep = q->look->depth;
    if (!(deep > 0.0f)) return ond_f3(0, 0, 0);
    float a, b;
    ond_sample_pair(q->sampler, &a, &b);
    const OndF3 to = ond_sky_key(&q->stage->sky, a, b);
    const float sunk = 0.7f * deep;
    const OndRay ray = {ond_f3_step(q->hit->at, q->normal, -sunk), to};
    OndTraceHit h;
    float way = sunk; // nothing ahead: it came out at the other side of something thin
    if (ond_trace_find(&q->stage->mesh, &ray, INFINITY, q->time, &h)) way = h.inside ? h.t : 0.0f;
    const float gets = expf(-way / deep);
    const OndF3 key = ond_f3_mul(q->stage->sky.key_light, q->look->inside);
    return ond_f3_scale(key, 0.55f * gets);
}

// The share of the light that gloss sends back.
static float gloss_share(const Shade *q, const OndRay *ray, float rough)
{
    const float c = ond_clamp01(-ond_f3_dot(ray->direction, q->normal));
    const float ior = q->look->ior,
                f0 = (ior - 1.0f) * (ior - 1.0f) / ((ior + 1.0f) * (ior + 1.0f));
    const float g = 1.0f - c, graze = g * g * g * g * g;
    return f0 + (1.0f - f0) * graze * (1.0f - rough) * (1.0f - rough);
}

static OndF3 gloss_part(const Shade *q, const OndRay *ray, int depth, float rough)
{
    const OndRay away =
        ond_trace_from(q->hit, ond_path_mirror(q->hit, ray->direction, q->hit->normal));
    OndTraceHit h;
    const float ground = ond_ground_distance(&q->stage->ground, &away);
    const bool met = depth < 2 && ond_stage_find(q->stage, &away, ground, q->time, &h);
    const OndF3 light = met ? ond_stage_guess(q->stage, &h, ond_stage_look(&h, 0.5f))
                            : ond_stage_back(q->stage, &away, rough);
    return ond_medium_veil(q->stage->air, &away, met ? h.t : ground, light);
}

static Shade shade_of(const OndTraceStage *s, const OndSpot *spot, OndSampler *sampler)
{
    const OndTraceHit *h = spot->hit;
    return (Shade){.stage = s,
                   .hit = h,
                   .look = spot->look,
                   .normal = h->inside ? ond_f3_scale(h->normal, -1.0f) : h->normal,
                   .time = spot->time,
                   .sampler = sampler};
}

static float roughness(const Shade *q)
{
    const float rigid = q->hit->mesh->rigidity ? ond_stage_rigidity(q->hit) : 0.5f;
    return mix(q->look->rough, q->look->rough_solid, rigid);
}

OndF3 ond_stage_sharp(const OndTraceStage *s, const OndSpot *spot, OndSampler *sampler)
{
    const Shade q = shade_of(s, spot, sampler);
    const float rough = roughness(&q), share = gloss_share(&q, spot->ray, rough);
    const OndF3 gloss = gloss_part(&q, spot->ray, spot->depth, rough);
    OndF3 light = ond_f3_mul(ond_stage_colour(s, q.hit, q.look), key_part(&q));
    light = ond_f3_add(light, through_part(&q));
    light = ond_f3_add(light, ond_stage_glow(q.hit, q.look));
    return ond_f3_add(ond_f3_scale(light, 1.0f - share), ond_f3_scale(gloss, share));
}

OndF3 ond_stage_soft(const OndTraceStage *s, const OndSpot *spot, OndSampler *sampler)
{
    const Shade q = shade_of(s, spot, sampler);
    const OndF3 sky = ond_f3_mul(ond_stage_colour(s, q.hit, q.look), sky_part(&q));
    return ond_f3_scale(sky, 1.0f - gloss_share(&q, spot->ray, roughness(&q)));
}

// SPDX-License-Identifier: MIT
#include "render/stage/stage_solids.h"

#define LAYERS 8 // of glass that are told apart

static const OndLook *look_at(const OndTraceHit *h)
{
    return &h->mesh->own[h->mesh->look[h->corner[0]]];
}

static OndF3 towards(const OndTraceHit *h)
{
    return h->inside ? ond_f3_scale(h->normal, -1.0f) : h->normal;
}

static bool in_shadow(const OndStage *stage, const OndTraceHit *h, OndF3 n)
{
    OndTraceHit other;
    OndRay ray = {ond_f3_step(h->at, n, 2e-3f), stage->lights.key};
    if (!ond_trace_find(stage->solids, &ray, INFINITY, 0.5f, &other)) return false;
    return look_at(&other)->kind != OND_LOOK_CLEAR;
}

// In 2D what faces the eye, as paper does, has the colour that it was given; the light there is
// made for particles, and too strong for that.
static float exposure(const OndStage *stage)
{
    const OndLights *l = &stage->lights;
    return stage->camera.flat ? 1.0f / (l->key_strength * l->key.z + l->sky_strength) : 1.0f;
}

static OndF3 opaque(const OndStage *stage, const OndRay *ray, const OndTraceHit *h,
                    const OndLook *look)
{
    const OndLights *l = &stage->lights;
    const OndF3 n = towards(h);
    const float facing = fmaxf(ond_f3_dot(n, l->key), 0.0f);
    const bool dark = facing > 0.0f && !stage->camera.flat && in_shadow(stage, h, n);
    const float key = dark ? 0.0f : l->key_strength * facing;
    const OndF3 up = stage->has_floor ? stage->floor.normal : stage->camera.up;
    const float sky = l->sky_strength * (0.55f + 0.45f * ond_f3_dot(n, up));
    const OndF3 half = ond_f3_unit(ond_f3_sub(l->key, ray->direction));
    const float shine = powf(fmaxf(ond_f3_dot(n, half), 0.0f), 40.0f);
    const float gloss = look->kind == OND_LOOK_METAL ? 0.6f : 0.06f;
    const OndF3 light = ond_f3_scale(look->colour, exposure(stage) * (key + sky));
    return ond_f3_step(light, ond_f3(1, 1, 1), gloss * shine * (key > 0.0f ? 1.0f : 0.0f));
}

// More at the rim, where one looks along it.
static OndF3 veil(const OndStage *stage, const OndRay *ray, const OndTraceHit *h,
                  const OndLook *look, OndF3 behind)
{
    const float c = fabsf(ond_f3_dot(ray->direction, h->normal)), g = 1.0f - c;
    const float share = 0.05f + 0.45f * g * g * g;
    const OndF3 sky = ond_f3_scale(stage->studio.line, 0.9f);
    const OndF3 tint = ond_f3_mix(ond_f3(1, 1, 1), look->colour, 0.15f);
    return ond_f3_mix(ond_f3_mul(behind, tint), sky, share);
}

OndF3 ond_stage_before(const OndStage *stage, const OndRay *ray, float far, OndF3 light)
{
    OndTraceHit layer[LAYERS];
    int count = 0;
    OndRay at = *ray;
    float gone = 0.0f;
    while (count < LAYERS && ond_trace_find(stage->solids, &at, far - gone, 0.5f, &layer[count])) {
        const OndTraceHit *const h = &layer[count++];
        gone += h->t;
        if (look_at(h)->kind != OND_LOOK_CLEAR) break;
        at = ond_trace_from(h, ray->direction);
    }
    while (count-- > 0) {
        const OndTraceHit *const h = &layer[count];
        const OndLook *const look = look_at(h);
        light = look->kind == OND_LOOK_CLEAR ? veil(stage, ray, h, look, light)
                                             : opaque(stage, ray, h, look);
    }
    return light;
}

float ond_stage_blocked(const OndStage *stage, const OndRay *ray)
{
    OndTraceHit h;
    OndRay at = *ray;
    float gone = 0.0f;
    for (int k = 0; k < LAYERS; ++k) {
        if (!ond_trace_find(stage->solids, &at, INFINITY, 0.5f, &h)) return INFINITY;
        gone += h.t;
        if (look_at(&h)->kind != OND_LOOK_CLEAR) return gone;
        at = ond_trace_from(&h, ray->direction);
    }
    return gone;
}

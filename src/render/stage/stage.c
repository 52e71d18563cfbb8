// SPDX-License-Identifier: MIT
#include "render/stage/stage.h"

#define SCATTERED 0.12f // part of the sky that finds its way into any gap: water is never black

float ond_stage_distance(const OndStage *stage, const OndRay *ray, uint32_t sphere)
{
    const OndSphere *s = &stage->cloud.sphere[sphere];
    const OndF3 to = ond_f3_sub(ond_sphere_centre(s), ray->origin);
    const float along = ond_f3_dot(to, ray->direction);
    const OndF3 aside = ond_f3_step(to, ray->direction, -along);
    return along - sqrtf(fmaxf(s->r * s->r - ond_f3_dot(aside, aside), 0.0f));
}

static OndF3 backdrop(const OndStage *stage, OndF3 direction)
{
    const OndCamera *c = &stage->camera;
    const float h = 0.5f + 0.5f * ond_f3_dot(direction, c->up) / (c->half_height * 1.05f);
    return ond_f3_mix(stage->studio.bottom, stage->studio.top, ond_smoothstep(0.0f, 1.0f, h));
}

static bool on_floor(const OndStage *stage, const OndRay *ray, OndF3 *point)
{
    if (!stage->has_floor) return false;
    const OndFloor *f = &stage->floor;
    const float down = -ond_f3_dot(ray->direction, f->normal);
    if (down < 1e-4f) return false;
    const float t = ond_f3_dot(ond_f3_sub(ray->origin, f->middle), f->normal) / down;
    *point = ond_f3_step(ray->origin, ray->direction, t);
    return t > 0.0f;
}

float ond_stage_floor(const OndStage *stage, const OndRay *ray)
{
    OndF3 at;
    if (!on_floor(stage, ray, &at)) return INFINITY;
    return ond_f3_dot(ond_f3_sub(at, ray->origin), ray->direction);
}

OndF3 ond_stage_behind(const OndStage *stage, const OndRay *ray)
{
    const OndF3 wall = stage->camera.flat ? stage->studio.top : backdrop(stage, ray->direction);
    OndF3 at;
    if (!on_floor(stage, ray, &at)) return wall;
    const OndFloor *f = &stage->floor;
    const OndLights *l = &stage->lights;
    float sky, key;
    ond_floor_light(f, at, &sky, &key);
    const float full_key = l->key_strength * fmaxf(ond_f3_dot(f->normal, l->key), 0.0f);
    const float lit = (full_key * key + l->sky_strength * sky) / (full_key + l->sky_strength);
    const OndF3 away = ond_f3_sub(at, f->middle);
    const float wide = ond_f3_dot(away, away) / (f->half * f->half);
    const float near = 1.0f / (1.0f + wide * wide); // pool of light
    const float shade = 1.0f - stage->studio.shadow * (1.0f - lit);
    return ond_f3_scale(ond_f3_mix(wall, stage->studio.floor, near), shade);
}

static OndF3 base_colour(const OndStage *stage, uint32_t sphere)
{
    if (sphere >= (uint32_t)stage->cloud.foam) return ond_f3(0.95f, 0.96f, 0.97f);
    if (!stage->cloud.value) return stage->plain;
    const float v = stage->cloud.value[sphere];
    return ond_colour_pick(stage->map, (v - stage->range_min) * stage->range_factor);
}

// The sphere's normal leant towards the liquid's own: beads that still read as one surface.
static OndF3 lean(OndF3 n, const OndGlow *g, float share)
{
    const OndF3 open = ond_f3(g->open[0], g->open[1], g->open[2]);
    return ond_f3_unit(ond_f3_step(ond_f3_scale(n, 1.0f - share), open, share));
}

OndF3 ond_stage_sphere(const OndStage *stage, const OndRay *ray, uint32_t sphere)
{
    const OndLights *l = &stage->lights;
    const OndGlow *g = &stage->glow[sphere];
    const float t = ond_stage_distance(stage, ray, sphere);
    const OndF3 at = ond_f3_step(ray->origin, ray->direction, t);
    const OndF3 own = ond_f3_unit(ond_f3_sub(at, ond_sphere_centre(&stage->cloud.sphere[sphere])));
    const OndF3 n = lean(own, g, 0.3f);

    // diffuse: the key light wraps a little around, as in something that is not quite opaque
    const float open = ond_glow_key(g, own);
    const float facing = (ond_f3_dot(n, l->key) + 0.2f) / 1.2f;
    const float key = l->key_strength * open * fmaxf(facing, 0.0f);
    const float sky = l->sky_strength * (ond_glow_sky(g, n) + SCATTERED);
    const OndF3 base = base_colour(stage, sphere);

    // gloss: a highlight of the key light, and the sky at grazing angles
    const OndF3 half = ond_f3_unit(ond_f3_sub(l->key, ray->direction));
    const OndF3 smooth = lean(own, g, 0.45f);
    const float h = fmaxf(ond_f3_dot(smooth, half), 0.0f), h4 = h * h * h * h,
                h16 = h4 * h4 * h4 * h4;
    const float graze = 1.0f - ond_clamp01(-ond_f3_dot(smooth, ray->direction));
    const float gloss = 0.35f * open * h16 * h16 * h4 + 0.3f * sky * graze * graze * graze * graze;
    const OndF3 warm = ond_f3_scale(ond_f3(1.03f, 1.0f, 0.95f), key),
                cool = ond_f3_scale(ond_f3(0.90f, 0.98f, 1.10f), sky);
    const OndF3 light =
        ond_f3_add(ond_f3_mul(base, ond_f3_add(warm, cool)), ond_f3(gloss, gloss, gloss));
    const float fog = 1.0f - expf(-stage->fog_rate * fmaxf(t - stage->fog_start, 0.0f));
    return ond_f3_mix(light, stage->studio.bottom, fog);
}

bool ond_stage_mirror(const OndStage *stage, const OndRay *ray, OndRay *back)
{
    if (!on_floor(stage, ray, &back->origin)) return false;
    const OndF3 n = stage->floor.normal;
    back->direction = ond_f3_step(ray->direction, n, -2.0f * ond_f3_dot(ray->direction, n));
    return true;
}

OndF3 ond_stage_mirrored(const OndStage *stage, const OndRay *back, uint32_t sphere, OndF3 behind)
{
    const OndF3 n = stage->floor.normal;
    const float graze = 1.0f - ond_clamp01(ond_f3_dot(back->direction, n));
    const float height =
        ond_f3_dot(ond_f3_sub(ond_sphere_centre(&stage->cloud.sphere[sphere]), back->origin), n);
    const float fade = ond_clamp01(1.0f - height / OND_MIRROR_REACH);
    const float share = stage->studio.mirror * (0.2f + 0.8f * graze * graze * graze) * fade * fade;
    return ond_f3_mix(behind, ond_stage_sphere(stage, back, sphere), share);
}

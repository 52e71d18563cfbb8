// SPDX-License-Identifier: MIT
#include "render/trace/trace_path.h"

#define LOOKED_UP 0.03f // a reflection weaker than this is not traced: the sky stands for it
#define LONGEST   20.0f // way through a medium that counts
#define FORGOTTEN 0.01f // a path with less than this share is not worth a ray
#define FOAM_SEEN 4     // pieces of a path on which foam is looked for
#define SHOWS     0.25f // of a line behind clear things

// ---- at a surface

OndF3 ond_path_mirror(const OndTraceHit *h, OndF3 d, OndF3 normal)
{
    const OndF3 n = h->inside ? ond_f3_scale(normal, -1.0f) : normal;
    const OndF3 flat = h->inside ? ond_f3_scale(h->flat, -1.0f) : h->flat;
    OndF3 r = ond_f3_step(d, n, -2.0f * ond_f3_dot(d, n));
    const float under = ond_f3_dot(r, flat);
    if (under < 0.01f) r = ond_f3_step(r, flat, 0.01f - under); // smooth normals may point it below
    return ond_f3_unit(r);
}

float ond_path_bend(const OndTraceHit *h, OndF3 d, OndF3 normal, float ior, OndF3 *onward)
{
    const OndF3 n = h->inside ? ond_f3_scale(normal, -1.0f) : normal;
    const float ratio = h->inside ? ior : 1.0f / ior;
    const float c = ond_f_max(-ond_f3_dot(d, n), 1e-3f);
    const float back = ond_look_fresnel(c, ratio);
    if (back >= 1.0f) return 1.0f;
    const float t = sqrtf(ond_f_max(1.0f - ratio * ratio * (1.0f - c * c), 0.0f));
    OndF3 o = ond_f3_step(ond_f3_scale(d, ratio), n, ratio * c - t);
    const OndF3 flat = h->inside ? ond_f3_scale(h->flat, -1.0f) : h->flat;
    const float over = ond_f3_dot(o, flat);
    if (over > -0.01f) o = ond_f3_step(o, flat, -0.01f - over);
    *onward = ond_f3_unit(o);
    return back;
}

// The normal of a tiny facet of a rough surface.
static OndF3 facet(OndF3 n, float rough, OndSampler *sampler)
{
    if (rough < 0.01f) return n;
    float a, b;
    ond_sample_pair(sampler, &a, &b);
    const float alpha = rough * rough, tan2 = alpha * alpha * a / ond_f_max(1.0f - a, 1e-3f);
    const float c = 1.0f / sqrtf(1.0f + tan2), s = sqrtf(ond_f_max(1.0f - c * c, 0.0f));
    OndF3 u, v;
    ond_f3_frame(n, &u, &v);
    const float angle = 6.2831853f * b;
    return ond_f3_step(ond_f3_step(ond_f3_scale(n, c), u, s * cosf(angle)), v, s * sinf(angle));
}

// ---- along a path

typedef struct Path {
    const OndTraceStage *stage;
    OndRay ray;
    OndF3 share; // of the light found from here on that reaches the eye
    OndF3 light; // found so far
    int depth;   // surfaces met
    float time;
    float rough;  // of the mirrors on the way; -1 straight from the camera
    float veiled; // by foam on the last piece: the share that passed it
    OndSampler *sampler;
    OndSeen *seen; // filled by the first thing met, then NULL
    OndSoft *soft; // of what the camera sees straight; NULL: not apart
} Path;

static OndF3 cross_air(Path *p, float length, OndF3 *through)
{
    float chance, spare;
    ond_sample_pair(p->sampler, &chance, &spare);
    return p->stage->air->cross(p->stage->air, &p->ray, length, chance, through);
}

static void cross(Path *p, const OndNext *next)
{
    OndF3 through = {1, 1, 1}, along = {0, 0, 0};
    if (next->within)
        along = ond_even_cross(&next->medium, ond_f_min(next->length, LONGEST), &through);
    else if (p->stage->air)
        along = cross_air(p, next->length, &through);
    else
        return;
    p->light = ond_f3_add(p->light, ond_f3_mul(p->share, along));
    p->share = ond_f3_mul(p->share, through);
}

// Foam on the way, behind some of it and before the rest.
static void cross_foam(Path *p, const OndNext *next)
{
    OndF3 light;
    float at = 0.0f;
    const OndTraceFoam *const foam = &p->stage->foam;
    const bool asked = foam->count > 0 && p->depth < FOAM_SEEN;
    const float through =
        asked ? ond_trace_foam_cross(foam, &p->ray, next->length, &light, &at) : 1.0f;
    if (through == 1.0f) {
        cross(p, next);
        return;
    }
    OndNext part = *next;
    part.length = at;
    cross(p, &part);
    p->light = ond_f3_add(p->light, ond_f3_mul(p->share, light));
    p->share = ond_f3_scale(p->share, through);
    part.length = next->length - at;
    cross(p, &part);
    p->veiled = through;
}

static void end_with(Path *p, OndF3 light)
{
    p->light = ond_f3_add(p->light, ond_f3_mul(p->share, light));
}

static OndF3 follow(Path *p);

static float brightest(OndF3 c)
{
    return ond_f_max(c.x, ond_f_max(c.y, c.z));
}

// The mirrored part at the first clear surface.
static void add_mirrored(Path *p, const OndTraceHit *h, OndF3 normal, float back, float rough)
{
    const OndRay ray = ond_trace_from(h, ond_path_mirror(h, p->ray.direction, normal));
    OndF3 light;
    if (back < LOOKED_UP) {
        light = ond_stage_back(p->stage, &ray, rough);
    } else {
        Path other = {.stage = p->stage,
                      .ray = ray,
                      .share = {1, 1, 1},
                      .depth = p->depth + 1,
                      .time = p->time,
                      .rough = rough,
                      .sampler = p->sampler};
        light = follow(&other);
    }
    p->light = ond_f3_add(p->light, ond_f3_mul(p->share, ond_f3_scale(light, back)));
}

static bool thrown_back(Path *p, float back)
{
    if (back >= 1.0f) return true;
    if (!p->stage->effort.chance) return back > 0.5f;
    float a, b;
    ond_sample_pair(p->sampler, &a, &b);
    return a < back;
}

// A pane throws a little back from both of its faces and lets the rest straight through.
static void pass_pane(Path *p, const OndTraceHit *h, const OndLook *look)
{
    const float c = fabsf(ond_f3_dot(p->ray.direction, h->normal));
    const float once = ond_look_fresnel(c, 1.0f / look->ior), back = 2.0f * once / (1.0f + once);
    if (p->depth == 0) add_mirrored(p, h, h->normal, back, look->rough);
    const OndF3 tint = ond_f3_mix(ond_f3(0.97f, 0.985f, 0.98f), look->colour, 0.5f);
    p->share = ond_f3_scale(ond_f3_mul(p->share, tint), 1.0f - back);
    p->ray = ond_trace_from(h, p->ray.direction);
}

// Goes on behind, or back from, a clear surface.
static void pass_clear(Path *p, const OndTraceHit *h, const OndLook *look, float outer)
{
    const float rigid = ond_stage_rigidity(h);
    const float rough = look->rough + (look->rough_solid - look->rough) * rigid;
    const OndF3 normal = facet(h->normal, 0.5f * rough, p->sampler);
    OndF3 onward;
    const float back = ond_path_bend(h, p->ray.direction, normal, look->ior / outer, &onward);
    const bool split = p->depth == 0 && !h->inside && back < 1.0f;
    if (split) {
        add_mirrored(p, h, normal, back, rough);
        p->share = ond_f3_scale(p->share, 1.0f - back);
    }
    const bool turns = !split && thrown_back(p, back);
    p->ray = ond_trace_from(h, turns ? ond_path_mirror(h, p->ray.direction, normal) : onward);
    p->rough = ond_f_max(p->rough, rough);
}

// A metal mirrors with its colour.
static void pass_metal(Path *p, const OndTraceHit *h, const OndLook *look)
{
    const float rigid = ond_stage_rigidity(h);
    const float rough = look->rough + (look->rough_solid - look->rough) * rigid;
    const float c = ond_clamp01(fabsf(ond_f3_dot(p->ray.direction, h->normal)));
    const float graze = (1.0f - c) * (1.0f - c) * (1.0f - c) * (1.0f - c) * (1.0f - c);
    const OndF3 normal = facet(h->normal, 0.6f * rough, p->sampler);
    p->light = ond_f3_add(p->light, ond_f3_mul(p->share, ond_stage_glow(h, look)));
    p->share = ond_f3_mul(p->share, ond_f3_mix(look->colour, ond_f3(1, 1, 1), graze));
    p->ray = ond_trace_from(h, ond_path_mirror(h, p->ray.direction, normal));
    p->rough = ond_f_max(p->rough, rough);
}

static OndSeen seen_at(const OndTraceStage *s, const OndRay *ray, const OndNext *next)
{
    const OndLook *look = next->look;
    const bool clear = look->kind == OND_LOOK_CLEAR;
    return (OndSeen){.normal = next->hit.normal,
                     .colour = clear ? ond_f3(1, 1, 1) : ond_stage_colour(s, &next->hit, look),
                     .distance = next->hit.t * ond_f3_dot(ray->direction, s->camera.forward),
                     .shows = clear ? SHOWS : 0.0f,
                     .plain = !clear && look->kind != OND_LOOK_METAL};
}

static OndSeen seen_back(const OndTraceStage *s, const OndRay *ray, float ground)
{
    const bool on = ground < INFINITY;
    return (OndSeen){.normal = on ? s->ground.normal : ond_f3(0, 0, 0),
                     .colour = on ? s->ground.colour : ond_f3(0.5f, 0.5f, 0.5f),
                     .distance =
                         on ? ground * ond_f3_dot(ray->direction, s->camera.forward) : INFINITY,
                     .shows = 1.0f,
                     .plain = true};
}

static OndSeen seen_next(const OndTraceStage *s, const OndRay *ray, const OndNext *next)
{
    return next->found ? seen_at(s, ray, next) : seen_back(s, ray, next->length);
}

// The filter must not take foam for the surface behind it.
static OndSeen seen_veiled(OndSeen seen, float passes)
{
    seen.colour = ond_f3_scale(seen.colour, passes);
    seen.shows *= passes;
    seen.plain = seen.plain && passes == 1.0f;
    return seen;
}

static void end_on_opaque(Path *p, const OndNext *next)
{
    const OndSpot spot = {&p->ray, &next->hit, next->look, p->depth, p->time};
    const bool apart = p->soft && p->depth == 0;
    end_with(p, ond_stage_sharp(p->stage, &spot, p->sampler));
    if (!apart) end_with(p, ond_stage_soft(p->stage, &spot, p->sampler));
    if (!apart) return;
    p->soft->met = true;
    if (p->soft->wanted) p->soft->light = ond_stage_soft(p->stage, &spot, &p->soft->sampler);
}

// What chooses between looks where they meet; all numbers after it are the same without.
static float chance_of_look(Path *p)
{
    const OndTraceStage *s = p->stage;
    float chance = 0.0f, spare;
    if (s->mesh.mixed || s->inner.mixed || s->solids.mixed)
        ond_sample_pair(p->sampler, &chance, &spare);
    else
        ond_sample_skip(p->sampler);
    return chance;
}

// Follows the path to its end and returns the light along it.
static OndF3 follow(Path *p)
{
    const OndTraceStage *s = p->stage;
    for (; p->depth < s->effort.bounces && brightest(p->share) > FORGOTTEN; ++p->depth) {
        OndNext next;
        ond_stage_next(s, &p->ray, p->time, chance_of_look(p), &next);
        p->veiled = 1.0f;
        cross_foam(p, &next);
        if (p->seen) *p->seen = seen_veiled(seen_next(s, &p->ray, &next), p->veiled);
        p->seen = NULL;
        if (!next.found) {
            end_with(p, ond_stage_back(s, &p->ray, p->rough));
            return p->light;
        }
        if (next.passage) {
            p->ray = ond_trace_from(&next.hit, p->ray.direction);
        } else if (next.look->kind == OND_LOOK_CLEAR && next.look->thin) {
            pass_pane(p, &next.hit, next.look);
        } else if (next.look->kind == OND_LOOK_CLEAR) {
            pass_clear(p, &next.hit, next.look, next.outer);
        } else if (next.look->kind == OND_LOOK_METAL) {
            pass_metal(p, &next.hit, next.look);
        } else {
            end_on_opaque(p, &next);
            return p->light;
        }
    }
    end_with(p, s->veil); // lost in reflections: a mean light, not black
    return p->light;
}

OndF3 ond_path_light(const OndTraceStage *stage, const OndRay *ray, float time, OndSampler *sampler,
                     OndSeen *seen, OndSoft *soft)
{
    Path path = {.stage = stage,
                 .ray = *ray,
                 .share = {1, 1, 1},
                 .time = time,
                 .rough = -1.0f,
                 .sampler = sampler,
                 .seen = seen,
                 .soft = soft};
    return follow(&path);
}

void ond_path_look(const OndTraceStage *stage, const OndRay *ray, OndSeen *seen)
{
    OndNext next;
    ond_stage_next(stage, ray, 0.5f, 0.5f, &next);
    *seen = seen_next(stage, ray, &next);
}

OndF3 ond_path_open(const OndTraceStage *stage, const OndRay *ray, OndSeen *seen)
{
    *seen = seen_back(stage, ray, ond_ground_distance(&stage->ground, ray));
    return ond_stage_back(stage, ray, -1.0f);
}

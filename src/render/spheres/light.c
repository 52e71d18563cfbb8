// SPDX-License-Identifier: MIT
#include "render/spheres/light.h"

#include "base/parallel.h"
#include "render/spheres/packet.h"

#define SKY_RAYS     32
#define KEY_RAYS     16
#define GOLDEN_ANGLE 2.39996323f
#define LIFT         1.02f // start just outside the sphere; inside a neighbour counts as blocked

// The same for every particle: made once a picture.
typedef struct RayPattern {
    OndF3 sky[SKY_RAYS];
    float sky_light[SKY_RAYS];
    OndF3 key_place[KEY_RAYS];     // on the half of the unit sphere that faces the key light
    OndF3 key_direction[KEY_RAYS]; // to a place on the light
    OndF3 key_slope[KEY_RAYS];     // weight of this ray in the linear part
} RayPattern;

typedef struct LightJob {
    const OndLights *lights;
    const OndCloud *cloud;
    const uint32_t *which;
    OndGlow *glow;
    RayPattern pattern;
} LightJob;

// Directions spread evenly over the sphere (a Fibonacci lattice around `up`).
static void make_sky(const OndLights *lights, RayPattern *p)
{
    OndF3 u, v;
    ond_f3_frame(lights->up, &u, &v);
    for (int i = 0; i < SKY_RAYS; ++i) {
        const float h = 1.0f - (2.0f * (float)i + 1.0f) / SKY_RAYS;
        const float s = sqrtf(1.0f - h * h), angle = GOLDEN_ANGLE * (float)i;
        const OndF3 side = ond_f3_step(ond_f3_scale(u, s * cosf(angle)), v, s * sinf(angle));
        p->sky[i] = ond_f3_step(side, lights->up, h);
        p->sky_light[i] = ond_light_sky(lights, p->sky[i]);
    }
}

// Places of the lit half, each with its own place on the light. The linear part is a least squares
// fit: the places lie evenly around the light, so its equations fall apart into one sum.
static void make_key(const OndLights *lights, RayPattern *p)
{
    OndF3 u, v;
    ond_f3_frame(lights->key, &u, &v);
    float moment = 0.0f;
    for (int i = 0; i < KEY_RAYS; ++i) {
        const float s = sqrtf(((float)i + 0.5f) / KEY_RAYS), angle = GOLDEN_ANGLE * (float)i;
        const OndF3 aside = ond_f3_step(ond_f3_scale(u, s * cosf(angle)), v, s * sinf(angle));
        p->key_place[i] = ond_f3_step(aside, lights->key, sqrtf(1.0f - s * s));
        p->key_slope[i] = aside;
        moment += 0.5f * s * s;
        const int j = (i * 7 + 3) % KEY_RAYS; // place on the light: unrelated to that on the sphere
        const float t = sqrtf(((float)j + 0.5f) / KEY_RAYS), turn = GOLDEN_ANGLE * (float)j;
        const OndF3 off =
            ond_f3_step(ond_f3_scale(lights->key_u, t * cosf(turn)), lights->key_v, t * sinf(turn));
        p->key_direction[i] = ond_f3_unit(ond_f3_add(lights->key, off));
    }
    for (int i = 0; i < KEY_RAYS; ++i)
        p->key_slope[i] = ond_f3_scale(p->key_slope[i], 1.0f / moment);
}

// Sixteen particles look in one direction at a time: they come in the order of the picture, so they
// are neighbours, and rays that run side by side are found several times faster than rays that fan
// out.
static int look(const LightJob *job, const uint32_t *which, int count, OndF3 place, OndF3 direction,
                float reach)
{
    OndPacket packet;
    ond_packet_clear(&packet);
    for (int i = 0; i < count; ++i) {
        const OndSphere *s = &job->cloud->sphere[which[i]];
        ond_packet_put(&packet, ond_f3_step(ond_sphere_centre(s), place, LIFT * s->r), direction,
                       reach);
    }
    ond_packet_occlude(&packet, job->cloud->scene);
    int open = 0;
    for (int i = 0; i < count; ++i)
        open |= !ond_packet_blocked(&packet, i) << i;
    return open;
}

static void add_sky(OndGlow *g, OndF3 d, float light)
{
    const float each = 1.0f / SKY_RAYS;
    g->sky[0] += light * each;
    g->sky[1] += 2.0f * light * each * d.x;
    g->sky[2] += 2.0f * light * each * d.y;
    g->sky[3] += 2.0f * light * each * d.z;
    g->open[0] += 4.0f * each * d.x;
    g->open[1] += 4.0f * each * d.y;
    g->open[2] += 4.0f * each * d.z;
}

static void add_key(OndGlow *g, OndF3 slope)
{
    g->key[0] += 1.0f / KEY_RAYS;
    g->key[1] += slope.x;
    g->key[2] += slope.y;
    g->key[3] += slope.z;
}

static void gather_group(const LightJob *job, const uint32_t *which, int count)
{
    const RayPattern *p = &job->pattern;
    for (int i = 0; i < count; ++i)
        job->glow[which[i]] = (OndGlow){0};
    for (int k = 0; k < SKY_RAYS; ++k) {
        const int open = look(job, which, count, p->sky[k], p->sky[k], job->lights->reach);
        for (int i = 0; i < count; ++i)
            if (open >> i & 1) add_sky(&job->glow[which[i]], p->sky[k], p->sky_light[k]);
    }
    for (int k = 0; k < KEY_RAYS; ++k) {
        const int open = look(job, which, count, p->key_place[k], p->key_direction[k], INFINITY);
        for (int i = 0; i < count; ++i)
            if (open >> i & 1) add_key(&job->glow[which[i]], p->key_slope[k]);
    }
}

static void gather_range(int first, int last, int worker, void *context)
{
    const LightJob *job = context;
    for (int i = first; i < last; i += OND_PACKET)
        gather_group(job, job->which + i, last - i < OND_PACKET ? last - i : OND_PACKET);
}

void ond_light_gather(const OndLights *lights, const OndCloud *cloud, const uint32_t *which,
                      int count, OndGlow *glow)
{
    LightJob job = {.lights = lights, .cloud = cloud, .which = which, .glow = glow};
    make_sky(lights, &job.pattern);
    make_key(lights, &job.pattern);
    ond_parallel_for(count, 64, gather_range, &job);
}

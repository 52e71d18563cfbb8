// SPDX-License-Identifier: MIT
// Sixteen rays at a time: fill with ond_packet_put, then ask which are blocked or what they hit.
#ifndef OND_RENDER_SPHERES_PACKET_H
#define OND_RENDER_SPHERES_PACKET_H

#include "render/camera.h"

#include <embree3/rtcore.h>

#define OND_PACKET 16

typedef struct OndPacket {
    struct RTCRayHit16 rays;
    _Alignas(64) int valid[OND_PACKET];
    int count;
} OndPacket;

static inline void ond_packet_clear(OndPacket *p)
{
    p->count = 0;
}

// A ray that reaches nowhere. Embree's paths below AVX-512 compute with lanes that are switched off
// too, and abort on what happens to stand there.
static inline void ond_packet_blank(OndPacket *p, int i)
{
    struct RTCRay16 *r = &p->rays.ray;
    r->org_x[i] = r->org_y[i] = r->org_z[i] = 0.0f;
    r->dir_x[i] = r->dir_y[i] = 0.0f, r->dir_z[i] = 1.0f;
    r->tnear[i] = 0.0f, r->tfar[i] = -INFINITY, r->time[i] = 0.0f;
    r->mask[i] = 0, r->id[i] = 0, r->flags[i] = 0;
    p->rays.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    p->rays.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
    p->valid[i] = 0;
}

/// Adds a ray that looks from its origin as far as `reach`. One that is not finite hits nothing.
static inline void ond_packet_put(OndPacket *p, OndF3 origin, OndF3 direction, float reach)
{
    const int i = p->count++;
    struct RTCRay16 *r = &p->rays.ray;
    ond_packet_blank(p, i);
    r->tfar[i] = INFINITY; // not blocked
    if (!ond_ray_is_fit(&(OndRay){origin, direction}) || !(reach >= 0.0f)) return;
    r->org_x[i] = origin.x, r->org_y[i] = origin.y, r->org_z[i] = origin.z;
    r->dir_x[i] = direction.x, r->dir_y[i] = direction.y, r->dir_z[i] = direction.z;
    r->tfar[i] = reach, r->mask[i] = ~0u;
    p->valid[i] = -1;
}

static inline void ond_packet_fill(OndPacket *p)
{
    for (int i = p->count; i < OND_PACKET; ++i)
        ond_packet_blank(p, i);
}

/// Finds what each ray hits first; read it with ond_packet_sphere.
static inline void ond_packet_intersect(OndPacket *p, RTCScene scene)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    ond_packet_fill(p);
    rtcIntersect16(p->valid, scene, &context, &p->rays);
}

/// The sphere that ray `i` hit, or UINT32_MAX.
static inline unsigned ond_packet_sphere(const OndPacket *p, int i)
{
    const bool hit = p->rays.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID;
    return hit ? p->rays.hit.primID[i] : ~0u;
}

/// Finds which rays are blocked; read it with ond_packet_blocked.
static inline void ond_packet_occlude(OndPacket *p, RTCScene scene)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    ond_packet_fill(p);
    rtcOccluded16(p->valid, scene, &context, &p->rays.ray);
}

static inline bool ond_packet_blocked(const OndPacket *p, int i)
{
    return p->rays.ray.tfar[i] < 0.0f; // Embree's sign of a blocked ray
}

#endif

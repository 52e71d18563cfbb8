// SPDX-License-Identifier: MIT
// Sixteen rays at a time: fill with ond_packet_put, then ask which are blocked or what they hit.
#ifndef OND_RENDER_PACKET_H
#define OND_RENDER_PACKET_H

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
    for (int i = 0; i < OND_PACKET; ++i)
        p->valid[i] = 0;
    p->count = 0;
}

/// Adds a ray that looks from its origin as far as `reach`.
static inline void ond_packet_put(OndPacket *p, OndF3 origin, OndF3 direction, float reach)
{
    const int i = p->count++;
    struct RTCRay16 *r = &p->rays.ray;
    r->org_x[i] = origin.x, r->org_y[i] = origin.y, r->org_z[i] = origin.z;
    r->dir_x[i] = direction.x, r->dir_y[i] = direction.y, r->dir_z[i] = direction.z;
    r->tnear[i] = 0.0f, r->tfar[i] = reach, r->time[i] = 0.0f;
    r->mask[i] = ~0u, r->id[i] = 0, r->flags[i] = 0;
    p->rays.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    p->rays.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
    p->valid[i] = -1;
}

/// Finds what each ray hits first; read it with ond_packet_sphere.
static inline void ond_packet_intersect(OndPacket *p, RTCScene scene)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
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
    rtcOccluded16(p->valid, scene, &context, &p->rays.ray);
}

static inline bool ond_packet_blocked(const OndPacket *p, int i)
{
    return p->rays.ray.tfar[i] < 0.0f; // Embree's sign of a blocked ray
}

#endif

// SPDX-License-Identifier: MIT
// A surface as rays meet it: moved to the origin, scaled to about one, in Embree's tree.
//
// The corners are copied, so that two things can be mended on the way. Triangles that a picture
// cannot use (corners that are no numbers, indices out of range) are left out. With a shutter time
// the corners stand at two places, a little before and after.
#ifndef OND_RENDER_TRACE_MESH_H
#define OND_RENDER_TRACE_MESH_H

#include "render/camera.h"
#include "render/spheres/cloud.h"
#include "render/trace/trace_look.h"
#include "surface/surface.h"

typedef struct OndTraceMesh {
    float *corner[2];   ///< x y z each, when the shutter opens and closes; [1] is NULL without blur
    float *normal;      ///< x y z each
    uint32_t *triangle; ///< three corners each
    float *temperature; ///< degrees Celsius, one a corner; NULL: not known
    float *rigidity;    ///< NULL: not known
    float *value;       ///< what paints it; NULL: nothing
    uint8_t *look;      ///< index into the looks, one a corner
    const OndLook *own; ///< looks of its own; NULL: those of the table
    int corner_count, triangle_count;
    OndF3 min, max; ///< round all of it while the shutter is open; min > max when there is nothing
    bool clear;     ///< light may go through some of it
    bool mixed;     ///< it has more than one look
    RTCScene scene;
} OndTraceMesh;

typedef struct OndTraceMeshDef {
    RTCDevice device;
    OndPlace place;
    double shutter;       ///< s; 0: no blur
    const uint8_t *looks; ///< of the frame's materials, by number
    int look_count;       ///< materials beyond use the first look
    int paint;            ///< the look of everything, or OND_LOOK_NONE: by material
    const OndLook *own;   ///< looks by material, instead of those of the table; NULL: none
    int own_count;
    const char *field; ///< attribute that paints; NULL: none
} OndTraceMeshDef;

typedef struct OndTraceHit {
    const OndTraceMesh *mesh; ///< that was hit
    float t;
    OndF3 at;
    OndF3 flat;   ///< normal of the triangle, outwards, unit
    OndF3 normal; ///< smooth, outwards, unit
    bool inside;  ///< the ray came from within
    uint32_t corner[3];
    float weight[3]; ///< of the corners; they sum up to 1
} OndTraceHit;

OndStatus ond_trace_mesh_build(OndTraceMesh *mesh, const OndSurface *surface,
                               const OndTraceMeshDef *def, OndError *err);
void ond_trace_mesh_free(OndTraceMesh *mesh);

/// The first thing a ray meets up to distance `far`; `time` in [0, 1] is within the shutter.
bool ond_trace_find(const OndTraceMesh *mesh, const OndRay *ray, float far, float time,
                    OndTraceHit *hit);

/// Whether anything is in a ray's way; quicker than finding what.
bool ond_trace_blocked(const OndTraceMesh *mesh, const OndRay *ray, float far, float time);

/// The value of a per-corner array where the ray hit.
static inline float ond_trace_value(const float *array, const OndTraceHit *h)
{
    return array[h->corner[0]] * h->weight[0] + array[h->corner[1]] * h->weight[1] +
           array[h->corner[2]] * h->weight[2];
}

/// A ray that starts at a hit, just off the surface on the side it goes to.
static inline OndRay ond_trace_from(const OndTraceHit *h, OndF3 direction)
{
    const float side = ond_f3_dot(direction, h->flat) >= 0.0f ? 1.5e-4f : -1.5e-4f;
    return (OndRay){ond_f3_step(h->at, h->flat, side), direction};
}

#endif

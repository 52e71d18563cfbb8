// SPDX-License-Identifier: MIT
// The stage: all that one picture is made of, and the light that comes along a ray through it.
#ifndef OND_RENDER_STAGE_H
#define OND_RENDER_STAGE_H

#include "render/camera.h"
#include "render/colour.h"
#include "render/spheres/floor.h"
#include "render/spheres/light.h"
#include "render/trace/trace_mesh.h"

/// The studio's colours, linear.
typedef struct OndStudio {
    OndF3 top, bottom; ///< backdrop, upper and lower end
    OndF3 floor;       ///< where the light falls
    OndF3 line;        ///< the domain's edges
    OndF3 ink;         ///< text
    float line_alpha;
    float shadow; ///< how much of the floor's light a full shadow takes, in [0, 1]
    float fog;    ///< how far the scene's far end sinks into the backdrop, in [0, 1]
    float mirror; ///< how strongly the floor reflects when looked at from the side
} OndStudio;

typedef struct OndStage {
    OndStudio studio;
    OndCamera camera;
    OndLights lights;
    OndCloud cloud;
    OndGlow *glow; ///< one a sphere, filled for those that are seen
    OndFloor floor;
    bool has_floor; ///< there is one and the camera is on its right side
    OndF3 map[OND_COLOUR_STEPS];
    OndF3 plain;                   ///< colour without a map
    float range_min, range_factor; ///< value -> [0, 1]
    float fog_start, fog_rate;
    const OndTraceMesh *solids; ///< NULL: none
} OndStage;

/// How far along the ray the sphere's surface lies (its closest point for a ray that only grazes
/// it).
float ond_stage_distance(const OndStage *stage, const OndRay *ray, uint32_t sphere);

/// Light from a sphere whose glow is known.
OndF3 ond_stage_sphere(const OndStage *stage, const OndRay *ray, uint32_t sphere);

/// How far along the ray the floor is; INFINITY: not at all.
float ond_stage_floor(const OndStage *stage, const OndRay *ray);

/// Light from backdrop and floor along a ray that hits no sphere.
OndF3 ond_stage_behind(const OndStage *stage, const OndRay *ray);

#define OND_MIRROR_REACH 0.6f // how high over the floor something may stand and still be mirrored

/// The ray that a polished floor would throw back; false when the ray does not meet the floor.
bool ond_stage_mirror(const OndStage *stage, const OndRay *ray, OndRay *back);

/// `behind` with the sphere that the ray thrown back hit.
OndF3 ond_stage_mirrored(const OndStage *stage, const OndRay *back, uint32_t sphere, OndF3 behind);

#endif

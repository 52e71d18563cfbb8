// SPDX-License-Identifier: MIT
// The cloud: a frame's particles as spheres that rays can hit.
//
// Positions are moved to the middle of the scene and scaled so that its half diagonal is one; a
// film of a drop and one of a harbour then use the same constants. Particles without a finite
// position are left out.
#ifndef OND_RENDER_SPHERES_CLOUD_H
#define OND_RENDER_SPHERES_CLOUD_H

#include "render/f3.h"
#include "sim/frame.h"

#include <embree3/rtcore.h>

#define OND_NO_SPHERE UINT32_MAX

typedef struct OndSphere {
    float x, y, z, r;
} OndSphere; // as Embree reads it

/// From metres to the units of the picture: (p - middle) * scale.
typedef struct OndPlace {
    OndVec middle;
    double scale;
} OndPlace;

typedef struct OndCloud {
    OndSphere *sphere;
    float *value; ///< what colours each sphere, in its own unit; NULL when all look the same
    int count;
    int foam;     ///< from this one on they are foam: small, and white
    float radius; ///< of the spheres of the liquid
    RTCScene scene;
} OndCloud;

static inline OndF3 ond_place(const OndPlace *place, OndVec p)
{
    return ond_f3_of(ond_scale(ond_sub(p, place->middle), place->scale));
}
static inline OndF3 ond_sphere_centre(const OndSphere *s)
{
    return ond_f3(s->x, s->y, s->z);
}

/// The box around all particles with finite positions; false when there are none.
bool ond_cloud_bounds(const OndFrame *frame, OndBox *box);

/// The radius that lets spheres at rest just touch, m: from the frame's spacing, else from how
/// dense they lie.
double ond_cloud_radius(const OndFrame *frame, const OndBox *box);

/// Makes spheres of radius `radius` metres and the structure that finds them. `field` colours them
/// (a vector by its length) and may be NULL.
OndStatus ond_cloud_build(OndCloud *cloud, RTCDevice device, const OndFrame *frame,
                          const OndField *field, const OndPlace *place, double radius,
                          OndError *err);

/// Of spheres that were built by their numbers: a tone in [0, 1] for each, at random, and the same
/// in every frame.
void ond_cloud_tones(OndCloud *cloud);

void ond_cloud_free(OndCloud *cloud);

#endif

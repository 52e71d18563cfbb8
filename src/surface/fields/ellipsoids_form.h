// SPDX-License-Identifier: MIT
// How ellipsoids get their form and their place from the neighbours of each point; inside
// surface/fields/ellipsoids*.c.
#ifndef OND_SURFACE_ELLIPSOIDS_FORM_H
#define OND_SURFACE_ELLIPSOIDS_FORM_H

#include "surface/fields/ellipsoids.h"

#define OND_ELLIPSOID_GROUP 32   // points of a bin that are worked on together
#define OND_ELLIPSOID_LONE  1.1f // radius of a lone particle's kernel, sizes

typedef struct OndEllipsoidMake {
    OndEllipsoids *e;
    const OndField3 *field;
    const OndPoints *points;
    const OndBins *bins;   // those of the points, or some of them
    float *pull[3];        // mean of each point's neighbours, m; 0 deep inside
    float *lift;           // what the weight of each point is multiplied by
    unsigned char *near;   // bins with points near the surface, by their first point
    float smoothing, lone; // lone: height of a lone particle's kernel before it is made to fit
    float kernel;          // factor of the kernel for h = 1
} OndEllipsoidMake;

/// What points first to last, at most a group of one bin, look like: S, weight, and the pull of
/// their neighbours.
void ond_ellipsoids_form(const OndEllipsoidMake *m, uint32_t first, uint32_t last);
/// Where they are, once all pulls are known.
void ond_ellipsoids_place(const OndEllipsoidMake *m, uint32_t first, uint32_t last);

/// Images are as their particles are, mirrored.
void ond_ellipsoids_mirror_pulls(OndEllipsoidMake *m);
void ond_ellipsoids_mirror(const OndEllipsoidMake *m);

/// 0 below `low`, 1 above `high`, smoothly between.
static inline float ond_ellipsoid_ramp(float at, float low, float high)
{
    const float t = (at - low) / (high - low), s = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return s * s * (3.0f - 2.0f * s);
}

#endif

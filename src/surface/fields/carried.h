// SPDX-License-Identifier: MIT
// What the particles of a surface that is carried along know of their shape: where in it they were,
// how their neighbourhood has turned since, and how much of it they still carry.
#ifndef OND_SURFACE_CARRIED_H
#define OND_SURFACE_CARRIED_H

#include "base/memory.h"
#include "geom/shape.h"
#include "surface/fields/field.h"

typedef struct OndCarriedPoints {
    bool any; ///< particle carries something; the rest is there only then
    OndArena arena;
    float (*origin)[3];     ///< of each point: where it was in the shape
    float (*turn)[9];       ///< how its neighbourhood has turned since, by rows
    float *share;           ///< that it carries, 0 to 1
    float *bent;            ///< share of their distances that its neighbours are off
    const OndShape **shape; ///< that it is of; NULL: it carries none
} OndCarriedPoints;

/// Finds all that for the points of a frame. Where none of them carries anything, `any` stays false.
/// Free with ond_carried_free, after a failure too.
OndStatus ond_carried_find(OndCarriedPoints *carried, const OndPoints *points, OndError *err);
void ond_carried_free(OndCarriedPoints *carried);

static inline float ond_carried_length2(const float v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/// Neighbours that carry the same shape, and were neighbours in it too: `was` apart.
static inline bool ond_carried_related(const OndCarriedPoints *c, float spacing, uint32_t i,
                                       uint32_t j, const float was[3])
{
    const float far = 3.0f * spacing; // farther from each other in the shape, two have met since
    return i != j && c->share[j] > 0.0f && c->shape[j] == c->shape[i] &&
           ond_carried_length2(was) < far * far;
}

/// 0 up to `low`, 1 from `high` on, smooth between.
static inline float ond_carried_ramp(float low, float high, float x)
{
    const float t = fminf(fmaxf((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

#endif

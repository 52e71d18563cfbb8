// SPDX-License-Identifier: MIT
#include "surface/bumps.h"

#include "physics/kernels.h"

#define FACES_UP 0.5 // cosine: steeper than 60 degrees is a side

// Walls at the foot and above do not count: the pool lies between them.
static bool away_from_sides(const OndBox *box, OndVec at, OndVec up, double margin)
{
    for (int a = 0; a < 3; ++a) {
        if (fabs(ond_axis(up, a)) > 0.5) continue;
        if (ond_axis(at, a) < ond_axis(box->min, a) + margin) return false;
        if (ond_axis(at, a) > ond_axis(box->max, a) - margin) return false;
    }
    return true;
}

OndBumps ond_bumps_measure(const OndSurface *surface, OndVec up, double margin)
{
    OndBumps bumps = {0};
    for (int c = 0; c < surface->mesh.corner_count; ++c) {
        const float *at = surface->mesh.corner + 3 * (size_t)c,
                    *n = surface->normal + 3 * (size_t)c;
        const double cosine = n[0] * up.x + n[1] * up.y + n[2] * up.z;
        if (cosine < FACES_UP) continue;
        if (!away_from_sides(&surface->domain, ond_vec(at[0], at[1], at[2]), up, margin)) continue;
        const double degrees = acos(fmin(cosine, 1.0)) * 180.0 / OND_PI;
        bumps.mean += degrees;
        bumps.most = fmax(bumps.most, degrees);
        ++bumps.corners;
    }
    if (bumps.corners) bumps.mean /= bumps.corners;
    return bumps;
}

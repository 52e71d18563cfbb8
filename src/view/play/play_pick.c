// SPDX-License-Identifier: MIT
// What a ray from the eye meets first: particles as balls, solids, or the far side of the domain. Smoke has
// no surface, so there the tool is in the middle of the room; in 2D it is in the plane.
#include "view/play/play_state.h"

#include <math.h>

#define BALL 0.6 // radius of a particle, spacings: neighbours close the surface
#define FAR  1e6 // extents: as far as anybody looks

// Where a ray is inside the bounds; false: never, and then the nearest it comes to their middle.
static bool cross_bounds(const OndPlay *play, const OndPlayRay *ray, double *near, double *far)
{
    double middle[3];
    *near = 0.0, *far = FAR * play->extent;
    for (int a = 0; a < 3; ++a) {
        middle[a] = 0.5 * (play->low[a] + play->high[a]) - ray->from[a];
        if (fabs(ray->direction[a]) < 1e-12) {
            if (ray->from[a] < play->low[a] || ray->from[a] > play->high[a]) *far = -1.0;
            continue;
        }
        const double one = (play->low[a] - ray->from[a]) / ray->direction[a];
        const double other = (play->high[a] - ray->from[a]) / ray->direction[a];
        *near = fmax(*near, fmin(one, other));
        *far = fmin(*far, fmax(one, other));
    }
    if (*near < *far) return true;
    *near = *far = fmax(ond_play_dot(middle, ray->direction), 0.0);
    return false;
}

static double meet_particles(const OndPlay *play, const OndPlayRay *ray, double first)
{
    OndFieldView x;
    const double radius = BALL * play->spacing;
    if (!ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x)) return first;
    for (int i = 0; i < x.count; ++i) {
        double way[3];
        ond_play_place(&x, i, way);
        ond_play_along(way, way, -1.0, ray->from);
        const double along = ond_play_dot(way, ray->direction);
        const double beside = ond_play_dot(way, way) - along * along;
        if (along <= 0.0 || along - radius >= first || beside >= radius * radius) continue;
        first = fmin(first, along - sqrt(radius * radius - beside));
    }
    return fmax(first, 0.0);
}

static double meet_plane(const OndPlayRay *ray)
{
    const double down = ray->direction[2];
    return fabs(down) > 1e-12 ? fmax(-ray->from[2] / down, 0.0) : 0.0;
}

double ond_play_pick(const OndPlay *play, const OndPlayRay *ray)
{
    double near, far, end[3];
    if (play->dimension == 2) return meet_plane(ray);
    const bool in = cross_bounds(play, ray, &near, &far);
    if (!in && !play->particles) return far;
    ond_play_along(end, ray->from, far, ray->direction);
    const double solid = far * ond_sim_sight(play->sim, ray->from, end, NULL);
    if (!play->particles) return fmin(solid, 0.5 * (near + far));
    return meet_particles(play, ray, solid);
}

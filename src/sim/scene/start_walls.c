// SPDX-License-Identifier: MIT
// Lattices are fitted to walls.
//
// A lattice begins flush with its shape, half a spacing from the wall it stands at. Where the shape
// is no whole number of spacings wide, the last layer may come to lie almost on the opposite wall,
// and its mirror images, or what stands beyond a periodic side, would throw it off in the first
// step; or it ends short of it, and the liquid falls into the gap. So what reaches from wall to
// wall is stretched until both its ends stand half a spacing off, and what is too near to one wall
// alone is moved away from it.
#include "sim/scene/scene_fill.h"

#define BESIDE 0.95 // spacings from a wall: the layer that stands at it
#define NEAR   0.45 // from here on its images push
#define FITS   1e-3
#define MOST   0.25 // of its extent: no lattice is stretched further

typedef struct Ends {
    double low, high;       // of the particles, m
    double to_low, to_high; // how far from the walls, spacings
} Ends;

static Ends find_ends(const OndSceneDef *scene, const OndStart *s, int first, int last, int axis)
{
    Ends e = {INFINITY, -INFINITY, 0, 0};
    for (int i = first; i < last; ++i) {
        e.low = fmin(e.low, s->position[axis][i]);
        e.high = fmax(e.high, s->position[axis][i]);
    }
    e.to_low = (e.low - ond_axis(scene->domain.min, axis)) / scene->spacing;
    e.to_high = (ond_axis(scene->domain.max, axis) - e.high) / scene->spacing;
    return e;
}

// x becomes a + b x.
static void map_range(OndStart *s, int first, int last, int axis, double a, double b)
{
    for (int i = first; i < last; ++i)
        s->position[axis][i] = (float)(a + b * s->position[axis][i]);
}

static void fit_axis(const OndSceneDef *scene, OndStart *s, int first, int last, int axis)
{
    const Ends e = find_ends(scene, s, first, last, axis);
    const double half = 0.5 * scene->spacing, low = ond_axis(scene->domain.min, axis) + half,
                 high = ond_axis(scene->domain.max, axis) - half;
    const bool fits = fabs(e.to_low - 0.5) < FITS && fabs(e.to_high - 0.5) < FITS;
    const bool wall = scene->domain.axis[axis] == OND_SIDE_WALL;
    if (e.to_low < BESIDE && e.to_high < BESIDE) {
        const double stretch = (high - low) / (e.high - e.low);
        if (!fits && fabs(stretch - 1.0) < MOST)
            map_range(s, first, last, axis, low - stretch * e.low, stretch);
    } else if (wall && e.to_high < NEAR) {
        map_range(s, first, last, axis, high - e.high, 1.0);
    } else if (wall && e.to_low < NEAR) {
        map_range(s, first, last, axis, low - e.low, 1.0);
    }
}

static bool acts(const OndSceneDef *scene, int axis)
{
    const int kind = scene->domain.axis[axis];
    return kind == OND_SIDE_PERIODIC ||
           (kind == OND_SIDE_WALL && scene->domain.walls == OND_WALL_MIRROR);
}

void ond_start_fit_walls(const OndSceneDef *scene, OndStart *start, int first, int last)
{
    for (int a = 0; scene->has_domain && a < scene->dimension && first < last; ++a)
        if (acts(scene, a)) fit_axis(scene, start, first, last, a);
}

// SPDX-License-Identifier: MIT
// The walls of the domain, as liquid stands against them.
//
// A particle near a wall has an image behind it, as in a mirror, and near an edge or a corner of
// the box an image behind each. So a field near a wall sees liquid on both sides and has no surface
// there; what lies beyond the wall is then cut off. The face against a wall is exactly flat, and
// the free surface meets it at a right angle.
#ifndef OND_SURFACE_WALLS_H
#define OND_SURFACE_WALLS_H

#include "base/vec.h"

#include <stdbool.h>

#define OND_WALLS_ALL  0x3fu // bits 0 to 5 for -x +x -y +y -z +z
#define OND_IMAGES_MAX 26    // of one point

typedef struct OndWalls {
    OndBox box;
    unsigned asked; ///< sides that may be walls: the lattice lies so that no node is on them
    unsigned sides; ///< those that are
    double far;     ///< m: what lies farther beyond a side is astray
} OndWalls;

/// What walls are wanted; lengths in spacings of the particles.
typedef struct OndWallsDef {
    unsigned sides;
    double sight;    ///< particles nearer than this have images
    double thinnest; ///< an axis along which the box is thinner than this has none
} OndWallsDef;

/// The sides of `box` that are wanted. In 2D z has none, nor has what is empty or not finite.
OndWalls ond_walls(OndBox box, const OndWallsDef *def, int dimension, double spacing);

/// Takes a side away that more than one point in a thousand lies `far` (m) beyond: then it is no
/// wall. Fewer are astray: a leak must not change the whole side.
void ond_walls_check(OndWalls *walls, const float *const at[3], int count, double far);

/// Images of a point in all walls nearer than `reach` (m), and the axes along which each is
/// mirrored, as bits; returns how many. Points astray have none, or they would come back.
int ond_walls_images(const OndWalls *walls, const double at[3], double reach,
                     float image[OND_IMAGES_MAX][3], unsigned char flip[OND_IMAGES_MAX]);

/// Distance from a side, positive within the domain, of a place with that coordinate.
static inline double ond_walls_depth(const OndWalls *walls, int side, double at)
{
    return side & 1 ? ond_axis(walls->box.max, side / 2) - at
                    : at - ond_axis(walls->box.min, side / 2);
}

/// Where a side lies along its axis.
static inline double ond_walls_at(const OndWalls *walls, int side)
{
    return ond_axis(side & 1 ? walls->box.max : walls->box.min, side / 2);
}

/// Whether the coordinate along an axis is beyond a wall, or on it.
static inline bool ond_walls_beyond(const OndWalls *walls, int axis, double at)
{
    const unsigned two = walls->sides >> (2 * axis);
    return (two & 1 && !(ond_walls_depth(walls, 2 * axis, at) > 0.0)) ||
           (two & 2 && !(ond_walls_depth(walls, 2 * axis + 1, at) > 0.0));
}

/// Moves a corner of the surface back along the axes of all walls that it was nearer to than
/// `margin` (m) at `before`, and inside of the others; true if there were such.
bool ond_walls_hold(const OndWalls *walls, double margin, const float before[3], float corner[3]);

/// Whether a place is nearer than `margin` to a wall.
bool ond_walls_near(const OndWalls *walls, const double at[3], double margin);

/// Where the lattice's first node along an axis lies: anchored in space, or at the walls.
double ond_walls_anchor(const OndWalls *walls, int axis, double cell);

#endif

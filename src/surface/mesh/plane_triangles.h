// SPDX-License-Identifier: MIT
// What a plane keeps of a box: the part of the box behind it, closed, as a wedge in a tank.
#ifndef OND_SURFACE_PLANE_TRIANGLES_H
#define OND_SURFACE_PLANE_TRIANGLES_H

#include "geom/pose.h"
#include "surface/mesh/triangle_pile.h"

/// Adds the part of `box` that lies behind the plane, facing outwards, in the plane's own frame:
/// its own y points to what may be free, and `pose` tells where it stands. False: the plane does
/// not cut the box, and nothing is added.
bool ond_plane_wedge(OndBox box, const OndPose *pose, OndPile *pile);

#endif

// SPDX-License-Identifier: MIT
// Each particle as an ellipsoid that lies along the surface [Yu and Turk 2013].
//
// With weights w_ij = 1 - (|x_j - x_i| / R)^4 over the neighbours within R, times their volume,
//
//     mean_i   = sum_j w_ij (x_j - x_i) / sum_j w_ij
//     spread_i = sum_j w_ij (x_j - x_i)(x_j - x_i)^T / sum_j w_ij - mean_i mean_i^T
//
// the spread says how the liquid lies round a particle: as far to all sides inside, flat at the
// surface. The kernel takes its form, q^2 = d^T S^-1 d with S = h^2 (spread / spread inside, plus a
// little of the unit matrix). That little is what limits the flattening: no eigenvectors are
// needed.
//
// The mean takes the noise out of positions, but it would also pull the surface inwards, corners
// most. What like-minded neighbours (those whose own mean lies the same way) are pulled by is
// therefore given back: a lattice stays where it is, two layers do not fall together, and only
// what differs from one particle to the next is smoothed.
//
// Particles with few neighbours turn into spheres little by little, each with the volume that it
// stands for, so that nothing vanishes and nothing jumps from frame to frame. Those deep inside
// cost nothing: they are spheres where they are.
//
// Between the two, where a film tears or a thread is drawn out, ellipsoids reach for neighbours
// that are too far to help, and the sum would sink below the threshold but for a speck here and
// there. So thin places are lifted: weights grow until the middle of each ellipsoid is inside.
#ifndef OND_SURFACE_ELLIPSOIDS_H
#define OND_SURFACE_ELLIPSOIDS_H

#include "surface/fields/field_loops.h"

#define OND_ELLIPSOIDS_SIGHT 3.5f ///< R, sizes: about 180 neighbours

typedef struct OndEllipsoids {
    const OndPoints *points;
    float radius;     ///< h inside the liquid, sizes
    float full;       ///< weight inside
    uint32_t *before; ///< of each point, and one more: how many points before it have their own
    OndEllipsoidArrays own; ///< of points near the surface, in the order of the points
    double reach;           ///< no ellipsoid goes farther than this from its point, sizes
} OndEllipsoids;

/// As the field's definition says: h in sizes; smoothing of the means; a lone particle is a sphere
/// of its own volume where the sum of all is the threshold.
OndStatus ond_ellipsoids_make(OndEllipsoids *e, const OndField3 *field, OndError *err);
void ond_ellipsoids_free(OndEllipsoids *e);

/// Adds those of the points of a run to the nodes.
void ond_ellipsoids_splat(const OndEllipsoids *e, OndRun run, OndNodes *nodes);
/// Adds value and gradient (x y z) of those of a run at a place.
void ond_ellipsoids_at(const OndEllipsoids *e, OndRun run, const OndSplitPlace *place,
                       float sum[4]);
/// Value and gradient of all of them at places that lie together.
void ond_ellipsoids_all(const OndEllipsoids *e, int count, const double (*at)[3], float (*sum)[4]);

#endif

// SPDX-License-Identifier: MIT
// What the two ways of placing constraints share: who is round a particle, and which way is out.
#ifndef OND_SURFACE_VARIATIONAL_PLACE_H
#define OND_SURFACE_VARIATIONAL_PLACE_H

#include "surface/fields/variational.h"

#define OND_AROUND 192 // neighbours looked at; more only where particles lie on top of each other

/// Neighbours of one particle, as differences to it.
typedef struct OndAround {
    int count;
    double x[OND_AROUND][3];
    double radius[OND_AROUND]; ///< half a neighbour's spacing
    uint32_t index[OND_AROUND];
} OndAround;

/// All within `reach` (m) of point i, itself left out.
void ond_around_find(OndAround *around, const OndPoints *points, int i, double reach);

/// Three directions at right angles. `out`: the first points away from the liquid; else all lies
/// even round the particle and the first is the thinnest way through (in 2D the last is z).
typedef struct OndFacing {
    double axis[3][3];
    bool out;
    bool sheet; ///< even to both sides, and far thinner along the first than along the others
} OndFacing;

OndFacing ond_facing_find(const OndAround *around, double size, int dimension);

/// What all surface particles see, found once for a placement.
typedef struct OndOutward {
    float out[3]; ///< the way out; zero where there is none
    bool sheet;   ///< out is to both sides
    float lift;   ///< m that the surface lies higher over this particle than over one that stands
                  ///< level with its neighbours; bends are kept, bumps are taken out
} OndOutward;

/// One for each point; `smoothing` is how much of the bumps goes. Free with ond_free.
OndStatus ond_look_make(OndOutward **looks, const OndPoints *points, double smoothing,
                        OndError *err);

/// What placements are called with.
typedef struct OndPlacing {
    const OndPoints *points;
    const OndOutward *look; ///< of each point
    double slack;           ///< of constraints at broad surfaces
    double when;
    bool in_time; ///< functions are of space and time
    double cell;  ///< spacings, of the polygons
} OndPlacing;

/// The constraints of all cells near the surface.
OndStatus ond_place_cells(OndConstraints *to, const OndPlacing *how, OndError *err);

#endif

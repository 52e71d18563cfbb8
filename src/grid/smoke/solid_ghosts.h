// SPDX-License-Identifier: MIT
// Ghost values in solids: what lies just inside of an immersed boundary, for the fluid to look at.
//
// Faces and cells that a solid covers have no flow and no smoke of their own, but what is carried
// past is found between neighbours, and these may be such. So they are given values that make the
// surface what it is:
//
//     velocity     along a surface with slip it is that of the fluid a cell off the surface, across
//                  it the solid's. So it is while things are carried; otherwise covered faces have
//                  the solid's velocity alone. Faces of which less than half is open are treated
//                  in the same way: what the projection leaves on a sliver says little, and would
//                  be carried off into the flow
//     density      that of the fluid beside it while things are carried, as if nothing were there;
//                  0 otherwise: there is no smoke in a solid
//     temperature  the same; inside a solid that has one, and so heats or cools, it is the solid's
//
// Heat passes through the surface of such a solid where it is: a cell with fluid whose neighbour's
// middle lies beyond it spreads to the surface instead, over the distance between them. So the
// temperature next to a surface is right to second order, and never beyond what is round it.
//
// A solid that moves on leaves such values behind in the cells it uncovers.
#ifndef OND_GRID_SMOKE_SOLID_GHOSTS_H
#define OND_GRID_SMOKE_SOLID_GHOSTS_H

#include <ondine/error.h>

#include <stddef.h>

#define OND_SMOKE_SLIVER                                                                           \
    160 ///< of 255: the middle of a face that is more open is hardly in a solid

struct OndSmoke;
typedef struct OndSolidGhosts OndSolidGhosts;

/// Anew, for solids as they stand, once the open shares of all faces are known.
OndStatus ond_solid_ghosts_find(struct OndSmoke *smoke, OndError *err);
void ond_solid_ghosts_free(OndSolidGhosts *ghosts); ///< NULL is allowed
size_t ond_solid_ghosts_bytes(const OndSolidGhosts *ghosts);

void ond_solid_ghosts_slide(struct OndSmoke *smoke); ///< the flow, to be carried
void ond_solid_ghosts_stick(struct OndSmoke *smoke); ///< solids as they are: to project, and show
void ond_solid_ghosts_fill(struct OndSmoke *smoke);  ///< density and temperature to be carried
void ond_solid_ghosts_clear(struct OndSmoke *smoke); ///< no smoke in solids

/// Implicit and explicit spreading of the temperature where a surface that has one is near, once it
/// was done as if there were none (smoke_diffuse.c); `a`: rate dt / h^2.
void ond_solid_ghosts_relax(const struct OndSmoke *smoke, float *x, const float *before, float a,
                            int colour);
void ond_solid_ghosts_spread(const struct OndSmoke *smoke, float *x, const float *before, float a);

#endif

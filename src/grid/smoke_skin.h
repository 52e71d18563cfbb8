// SPDX-License-Identifier: MIT
// What lies just inside solids, for the fluid beside them to look at.
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
//     temperature  the same; inside a solid that has one, and so heats or cools, what makes it the
//                  solid's at the surface
//
// A solid that moves on leaves such values behind in the cells it uncovers.
#ifndef OND_GRID_SMOKE_SKIN_H
#define OND_GRID_SMOKE_SKIN_H

#include <ondine/error.h>

#include <stddef.h>

struct OndSmoke;
typedef struct OndSmokeSkin OndSmokeSkin;

/// Anew, for solids as they stand, once the open shares of all faces are known.
OndStatus ond_smoke_skin_find(struct OndSmoke *smoke, OndError *err);
void ond_smoke_skin_free(OndSmokeSkin *skin); ///< NULL is allowed
size_t ond_smoke_skin_bytes(const OndSmokeSkin *skin);

void ond_smoke_skin_slide(struct OndSmoke *smoke); ///< the flow, to be carried
void ond_smoke_skin_stick(struct OndSmoke *smoke); ///< for a projection
void ond_smoke_skin_fill(struct OndSmoke *smoke);  ///< density and temperature to be carried
void ond_smoke_skin_clear(struct OndSmoke *smoke); ///< no smoke in solids

#endif

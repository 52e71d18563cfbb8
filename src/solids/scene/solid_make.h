// SPDX-License-Identifier: MIT
// From a solid as written to one that can be asked; inside sim/ only.
#ifndef OND_SOLIDS_SOLID_MAKE_H
#define OND_SOLIDS_SOLID_MAKE_H

#include "solids/scene/sim_solids.h"

/// What was mended goes into the notes of `all`. `out` is zeroed before, and freed with the others.
OndStatus ond_solid_make(OndSimSolids *all, const OndSceneSolid *def, const OndAssets *assets,
                         OndSimSolid *out, OndError *err);

/// What the mesh file of a solid that has one is called in the scene, and where.
const char *ond_solid_file_name(const OndSceneSolid *def);
const OndNode *ond_solid_file_node(const OndSceneSolid *def);

#endif

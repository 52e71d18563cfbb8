// SPDX-License-Identifier: MIT
// From a shape as written to a shape that can be asked: files are read, fonts become outlines.
#ifndef OND_SIM_SCENE_SHAPE_H
#define OND_SIM_SCENE_SHAPE_H

#include "geom/shape.h"
#include "sim/assets.h"
#include "sim/scene.h"

/// Any shape but `particles`, which has no inside. Lives in `arena`. Complaints point at the
/// shape's place in the scene.
OndStatus ond_scene_shape(const OndScene *scene, const OndVariant *def, const OndAssets *assets,
                          OndArena *arena, OndShape **out, OndError *err);

/// The particles of a `particles` shape, scaled and moved. Free with ond_frame_free.
OndStatus ond_scene_particles(const OndScene *scene, const OndVariant *def, const OndAssets *assets,
                              OndFrame *out, OndError *err);

/// How far a shape or the particles of a file reach. `arena` is scratch.
OndStatus ond_scene_extent(const OndScene *scene, const OndVariant *def, const OndAssets *assets,
                           OndArena *arena, OndBox *out, OndError *err);

#endif

// SPDX-License-Identifier: MIT
// From a shape as written to a shape that can be asked: files are read, fonts become outlines.
#ifndef OND_SIM_SCENE_SHAPE_H
#define OND_SIM_SCENE_SHAPE_H

#include "geom/shape.h"
#include "sim/assets.h"
#include "sim/scene/scene.h"

/// Any shape but `particles`, which has no inside. Lives in `arena`. Complaints point at the
/// shape's place in the scene.
OndStatus ond_scene_shape(const OndSceneDef *scene, const OndVariant *def, const OndAssets *assets,
                          OndArena *arena, OndShape **out, OndError *err);

/// True when a `mesh` shape's file is not there and its stand-in is used.
bool ond_scene_stands_in(const OndSceneDef *scene, const OndVariant *def);

/// A mesh file that a scene names, and where its mesh is put.
typedef struct OndMeshPlace {
    const char *file;
    const OndNode *node; ///< the map that names it ...
    const char *key;     ///< ... under this key, for complaints
    OndVec turn, move;
    double scale;
} OndMeshPlace;

/// The triangles themselves, turned, scaled and moved; open or closed. Free with ond_mesh_free.
OndStatus ond_scene_mesh(const OndSceneDef *scene, const OndMeshPlace *place,
                         const OndAssets *assets, OndMesh *out, OndError *err);

/// The particles of a `particles` shape, scaled and moved. Free with ond_frame_free.
OndStatus ond_scene_particles(const OndSceneDef *scene, const OndVariant *def,
                              const OndAssets *assets, OndFrame *out, OndError *err);

/// A particle file that a scene names, and where its particles are put.
typedef struct OndParticlesPlace {
    OndFileDef file;
    const OndNode *node; ///< the map that names it ...
    const char *key;     ///< ... under this key, for complaints
} OndParticlesPlace;

OndStatus ond_scene_particles_at(const OndSceneDef *scene, const OndParticlesPlace *at,
                                 const OndAssets *assets, OndFrame *out, OndError *err);

/// How far a shape or the particles of a file reach. `arena` is scratch.
OndStatus ond_scene_extent(const OndSceneDef *scene, const OndVariant *def, const OndAssets *assets,
                           OndArena *arena, OndBox *out, OndError *err);

/// Whether any fluid of the scene carries its surface.
bool ond_scene_carries(const OndSceneDef *scene);
/// The shapes whose surfaces are carried, made in `arena`; none when no fluid carries any.
OndStatus ond_scene_carried(const OndSceneDef *scene, const OndAssets *assets, OndArena *arena,
                            OndCarriedShapes *out, OndError *err);

// ---- checks of the shapes that come with the house (scene_check_shape.c), for their kinds

#define OND_SHAPE_CHECK(name)                                                                      \
    OndStatus ond_shape_check_##name(const OndSceneDef *scene, const OndVariant *shape, bool part, \
                                     OndError *err)
OND_SHAPE_CHECK(box);
OND_SHAPE_CHECK(rod);
OND_SHAPE_CHECK(parts);
OND_SHAPE_CHECK(text);
OND_SHAPE_CHECK(file);
OND_SHAPE_CHECK(mesh);

#endif

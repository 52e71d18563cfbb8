// SPDX-License-Identifier: MIT
// The register of shapes. A new one is a file that defines `ond_shape_schema_NAME` and
// `ond_shape_kind_NAME`, and one line here: fluids, regions, sources and solids may have it then,
// and the reference knows it. Particles, surfaces and bodies ask its distances; shapes that are
// known in closed form (bodies.c, solid_triangles.c) are only quicker.
#ifndef OND_SIM_SHAPES_H
#define OND_SIM_SHAPES_H

#include "base/schema.h"
#include "geom/shape.h"
#include "sim/assets.h"

struct OndSceneDef;

#define OND_SHAPES(X)                                                                              \
    X(box, OND_SHAPE_BOX)                                                                          \
    X(sphere, OND_SHAPE_SPHERE)                                                                    \
    X(cylinder, OND_SHAPE_CYLINDER)                                                                \
    X(capsule, OND_SHAPE_CAPSULE)                                                                  \
    X(union, OND_SHAPE_UNION)                                                                      \
    X(difference, OND_SHAPE_DIFFERENCE)                                                            \
    X(intersection, OND_SHAPE_INTERSECTION)                                                        \
    X(text, OND_SHAPE_TEXT)                                                                        \
    X(particles, OND_SHAPE_PARTICLES)                                                              \
    X(mesh, OND_SHAPE_MESH)                                                                        \
    /* the end: new ones go above */

// Of solids alone: everything on one side.
#define OND_SOLID_SHAPES(X) X(plane, OND_SHAPE_PLANE)

#define OND_SHAPE_NUMBER(name, number) number,
typedef enum OndShapeType {
    OND_SHAPES(OND_SHAPE_NUMBER) OND_SOLID_SHAPES(OND_SHAPE_NUMBER)
} OndShapeType;

// What a shape is made with.
typedef struct OndShapeMaker {
    const struct OndSceneDef *scene;
    const OndAssets *assets;
    OndArena *arena;
    OndError *err;
} OndShapeMaker;

typedef struct OndSceneShape {
    /// That it encloses something. `part`: it must have an inside. NULL: it always does.
    OndStatus (*check)(const struct OndSceneDef *scene, const OndVariant *shape, bool part,
                       OndError *err);
    /// The shape in the maker's arena; NULL: it has no inside.
    OndStatus (*make)(const OndShapeMaker *m, const OndVariant *shape, OndShape **out);
} OndSceneShape;

/// By OndShapeType.
extern const OndSceneShape *const ond_shape_kinds[];
/// The types a shape may have, in the same order; NULL-terminated.
extern const OndSchema *const ond_shape_schemas[];
/// What a solid may be.
extern const OndSchema *const ond_solid_shapes[];

/// For makers: done, or out of memory.
OndStatus ond_shape_made(const OndShapeMaker *m, OndShape *shape, OndShape **out);

#define OND_SHAPE_DECLARE(name, number)                                                            \
    extern const OndSchema ond_shape_schema_##name;                                                \
    extern const OndSceneShape ond_shape_kind_##name;
OND_SHAPES(OND_SHAPE_DECLARE)
OND_SOLID_SHAPES(OND_SHAPE_DECLARE)

#endif

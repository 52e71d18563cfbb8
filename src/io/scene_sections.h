// SPDX-License-Identifier: MIT
// A scene with all its sections: those that files, surfaces and pictures own are joined here to what
// sim/ knows. The section `output` is io/'s own.
#ifndef OND_IO_SCENE_SECTIONS_H
#define OND_IO_SCENE_SECTIONS_H

#include "sim/scene/scene.h"

// Of frames; grids are always written as VTK image data.
#define OND_OUTPUT_FORMATS(X)                                                                      \
    X(OND_OUTPUT_PLY, "ply")                                                                       \
    X(OND_OUTPUT_VTK, "vtk")                                                                       \
    X(OND_OUTPUT_BOTH, "both")                                                                     \
    X(OND_OUTPUT_VDB, "vdb") /* grids as OpenVDB, too; particles as `ply` */

#define OND_OUTPUT_NUMBER(number, name) number,
typedef enum OndOutputFormat { OND_OUTPUT_FORMATS(OND_OUTPUT_NUMBER) } OndOutputFormat;

typedef struct OndOutputDef {
    int format;        ///< OndOutputFormat
    double checkpoint; ///< s of wall-clock time between two
} OndOutputDef;

extern const OndSceneSection ond_output_section;
/// What the scene says there, or the defaults.
const OndOutputDef *ond_scene_output(const OndSceneDef *scene);

/// All sections that are not sim/'s; NULL-terminated.
extern const OndSceneSection *const ond_scene_sections[];

/// Reads and checks a tree with all of them: ond_scene_read_with.
OndStatus ond_scene_read(OndTree *tree, OndSceneDef *out, OndError *err);

#endif

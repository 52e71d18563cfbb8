// SPDX-License-Identifier: MIT
// A scene with all its sections: those that files, surfaces and pictures own are joined here to what
// sim/ knows. The section `output` is io/'s own.
#ifndef OND_IO_SCENE_SECTIONS_H
#define OND_IO_SCENE_SECTIONS_H

#include "io/formats/formats.h"
#include "sim/scene/scene.h"

typedef struct OndOutputDef {
    int format; ///< of frames: the place in ond_formats, or one of two more names behind them
    double checkpoint; ///< s of wall-clock time between two
} OndOutputDef;

extern const OndSceneSection ond_output_section;
/// What the scene says there, or the defaults.
const OndOutputDef *ond_scene_output(const OndSceneDef *scene);

/// That frames are written in a format. Grids are always written as VTK image data, and as what is
/// asked for beside that, if it holds grids; particles are then written in the first format.
bool ond_output_writes(const OndOutputDef *output, const OndFormat *format);
/// The place in ond_formats of a format of particles that is written and can be read; -1: none.
int ond_output_read_back(const OndOutputDef *output);

/// All sections that are not sim/'s; NULL-terminated.
extern const OndSceneSection *const ond_scene_sections[];

/// Reads and checks a tree with all of them: ond_scene_read_with.
OndStatus ond_scene_read(OndTree *tree, OndSceneDef *out, OndError *err);

#endif

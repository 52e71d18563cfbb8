// SPDX-License-Identifier: MIT
// Files a scene names. Reading them needs libraries, so whoever owns those (io/) hands in
// functions; the simulation itself needs none. A NULL function means that this build cannot read
// such files.
#ifndef OND_SIM_ASSETS_H
#define OND_SIM_ASSETS_H

#include "geom/mesh.h"
#include "geom/outline.h"
#include "sim/frame.h"

typedef struct OndAssets {
    OndStatus (*mesh)(const char *path, OndMesh *out, OndError *err);
    /// Outline of `text` in a font: a file's path, or a family name ("DejaVu Sans"). The letters
    /// stand on y = 0 from x = 0; capital letters are 1 high.
    OndStatus (*text)(const char *text, const char *font, OndOutline *out, OndError *err);
    OndStatus (*particles)(const char *path, OndFrame *out, OndError *err);
} OndAssets;

#endif

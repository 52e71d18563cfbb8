// SPDX-License-Identifier: MIT
// Frames become surfaces, one file each.
#ifndef OND_APP_MESH_FRAMES_H
#define OND_APP_MESH_FRAMES_H

#include "app/render_frames.h"
#include "io/formats/surface_files.h"

/// How surfaces between frames are made (surface/morph.h).
typedef enum OndMorphing {
    OND_MORPH_FOLLOW, ///< the particles move, and a surface is made of them
    OND_MORPH_4D,     ///< a variational surface in space and time, cut at the moment
} OndMorphing;

typedef struct OndMeshing {
    OndSurfaceDef def;
    const OndSurfaceFormat *format;
    const char *file;   ///< of the only frame; NULL: a file each
    const char *folder; ///< where they go; NULL: the run's surfaces/, or beside a loose frame
    OndMorphing morph;
    int guides; ///< moments at which a morph in space and time is told where all is
    bool again; ///< also those that are newer than their frame and made the same way
    OndProgressMode progress;
    int made, kept, empty;     ///< out: surfaces written, found there, and frames without particles
    double corners, triangles; ///< out: of those made, together
} OndMeshing;

/// Makes all surfaces. A signal (run_stop.h) ends it after one of them.
OndStatus ond_shots_mesh(OndShots *shots, OndMeshing *meshing, OndError *err);

/// Where the surface of a frame goes. False when the path is too long.
bool ond_mesh_path(const OndShots *shots, int shot, const OndMeshing *meshing,
                   char out[OND_PATH_MAX]);

#endif

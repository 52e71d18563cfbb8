// SPDX-License-Identifier: MIT
// The registers of file formats. A new one is a file of its own and one line here: options, help,
// messages, scenes' `output.format` and the names in a run's folder follow. NAME is the extension.
#ifndef OND_IO_FORMAT_LIST_H
#define OND_IO_FORMAT_LIST_H

// Frames: a file defines `const OndFormat ond_format_NAME` (formats.h). The first is the one that a
// run writes unless told otherwise.
#define OND_FORMATS(X)                                                                             \
    X(ply, PLY)                                                                                    \
    X(vtp, VTP)                                                                                    \
    X(vti, VTI)                                                                                    \
    X(vdb, VDB)                                                                                    \
    X(csv, CSV)                                                                                    \
    X(pov, POV)                                                                                    \
    /* the end: new ones go above */

// Surfaces: `const OndSurfaceFormat ond_surface_format_NAME` (surface_files.h). The first is the
// one that is kept in a run's folder unless told otherwise.
#define OND_SURFACE_FORMATS(X)                                                                     \
    X(ply, PLY)                                                                                    \
    X(obj, OBJ)                                                                                    \
    X(stl, STL)                                                                                    \
    X(vtp, VTP)                                                                                    \
    X(pov, POV)                                                                                    \
    /* the end: new ones go above */

#endif

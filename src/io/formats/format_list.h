// SPDX-License-Identifier: MIT
// The registers of file formats. A new one is a file of its own and one line here: options, help,
// messages and the names in a run's folder follow.
#ifndef OND_IO_FORMAT_LIST_H
#define OND_IO_FORMAT_LIST_H

// Frames: a file defines `const OndFormat ond_format_NAME` (formats.h).
#define OND_FORMATS(X)                                                                             \
    X(ply)                                                                                         \
    X(vtp)                                                                                         \
    X(vti)                                                                                         \
    X(vdb)                                                                                         \
    X(csv)                                                                                         \
    X(pov)                                                                                         \
    /* the end: new ones go above */

// Surfaces: `const OndSurfaceFormat ond_surface_format_NAME` (surface_files.h); NAME is the
// extension. The first is the one that is kept in a run's folder unless told otherwise.
#define OND_SURFACE_FORMATS(X)                                                                     \
    X(ply, PLY)                                                                                    \
    X(obj, OBJ)                                                                                    \
    X(stl, STL)                                                                                    \
    X(vtp, VTP)                                                                                    \
    X(pov, POV)                                                                                    \
    /* the end: new ones go above */

#endif

// SPDX-License-Identifier: MIT
// Surfaces as files, by extension. A new format is a file of its own and one line in format_list.h.
//
//     ply   binary, everything: normals, attributes, time; the form kept in a run's folder
//     obj   text: corners, normals, triangles
//     stl   binary: triangles alone, for printers and checkers
//     vtp   VTK PolyData with point data, for ParaView
//     pov   a POV-Ray scene with camera and light (io/formats/pov.c)
#ifndef OND_IO_SURFACE_FILES_H
#define OND_IO_SURFACE_FILES_H

#include "io/formats/format_list.h"
#include "render/of_scene.h"
#include "surface/surface.h"

/// What a file says besides the surface.
typedef struct OndSurfaceAbout {
    uint64_t
        recipe; ///< how it was made, as a number; files made the same way have the same. 0: none
    const OndCameraDef *camera; ///< for formats with a camera; NULL or without a node: fitted
} OndSurfaceAbout;

typedef struct OndSurfaceFormat {
    const char *extension;                                               ///< without the dot
    const char *what;                                                    ///< for people
    OndStatus (*read)(const char *path, OndSurface *out, OndError *err); ///< NULL: cannot be read
    /// `about` is never NULL here.
    OndStatus (*write)(const char *path, const OndSurface *surface, const OndSurfaceAbout *about,
                       OndError *err);
} OndSurfaceFormat;

#define OND_SURFACE_FORMAT_DECLARE(name, NAME)                                                     \
    extern const OndSurfaceFormat ond_surface_format_##name;
OND_SURFACE_FORMATS(OND_SURFACE_FORMAT_DECLARE)

/// All of them; `count` is set.
const OndSurfaceFormat *const *ond_surface_formats(int *count);
/// The format that a path's extension stands for (case does not matter), or NULL.
const OndSurfaceFormat *ond_surface_format_of(const char *path);

/// `out` is overwritten: ond_surface_free. On failure it is empty. Polygons are cut into triangles;
/// normals that the file lacks are made from the triangles.
OndStatus ond_surface_read(const char *path, OndSurface *out, OndError *err);
/// `about` may be NULL. A surface with a corner that is not finite is refused.
OndStatus ond_surface_write(const char *path, const OndSurface *surface,
                            const OndSurfaceAbout *about, OndError *err);

/// Whether the file at `path` says that it was made by that recipe.
bool ond_surface_made_by(const char *path, uint64_t recipe);

/// Readers from memory; `name` is what messages call the file.
OndStatus ond_surface_ply_parse(const char *name, const void *bytes, size_t size, OndSurface *out,
                                OndError *err);
OndStatus ond_surface_obj_parse(const char *name, const char *bytes, size_t size, OndSurface *out,
                                OndError *err);

#endif

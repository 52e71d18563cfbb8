// SPDX-License-Identifier: MIT
// From a frame to a surface: a closed triangle mesh with normals and what the liquid carries.
//
//     OndSurfaceDef def = ond_surface_default_def();
//     OndSurface surface = {0};
//     ond_surface_make(&surface, &frame, &def, NULL, &err);
//     ... ond_surface_free(&surface);
//
// A frame of a 2D scene gives a slab one spacing thick, so that everything after this sees one
// kind of mesh. The mesh is closed, manifold and the same bits for any number of threads.
#ifndef OND_SURFACE_SURFACE_H
#define OND_SURFACE_SURFACE_H

#include "geom/mesh.h"
#include "surface/fields/field.h"

// How cells become triangles: number, and what scenes and options call it.
#define OND_POLYGONS(X)                                                                            \
    X(OND_MARCHING_CUBES, "cubes")                                                                 \
    X(OND_MARCHING_TETRAHEDRA, "tetrahedra")

#define OND_POLYGONS_NUMBER(number, ...) number,
typedef enum OndPolygons { OND_POLYGONS(OND_POLYGONS_NUMBER) } OndPolygons;
extern const char *const ond_polygons_names[]; ///< NULL-terminated

typedef struct OndSurfaceDef {
    const char *field; ///< name of the kind; default "anisotropic"
    OndFieldDef how;
    double cell; ///< edge of a cell in spacings; default 0.5
    OndPolygons polygons;
    unsigned walls; ///< sides of the frame's domain that are walls (walls.h); default: all
    int smooth;     ///< rounds of smoothing that keeps the volume; default 0
    double
        decimate; ///< flat parts are thinned until a corner would move by so much, in cells; 0: off
    double memory;   ///< bytes it may use, as the caller knows what is free; 0: no limit
    uint32_t cookie; ///< set by ond_surface_default_def()
} OndSurfaceDef;

typedef struct OndSurface {
    OndMesh mesh;
    float *normal;        ///< x y z of each corner, unit length, outwards
    OndFields attributes; ///< per corner: velocity, temperature, material, rigidity, where the
                          ///< frame has them
    int frame;            ///< index of the frame it came from
    double time;          ///< s
    int dimension;
    double spacing; ///< of the particles, m
    OndBox domain;  ///< the frame's
} OndSurface;

typedef struct OndSurfaceTimes {
    double points, field, polygons, finish; ///< ms
    double bytes;                           ///< most memory held at once
} OndSurfaceTimes;

OndSurfaceDef ond_surface_default_def(void);

/// The walls that `def` asks for, with a field whose particles look `sight` sizes round.
OndWallsDef ond_surface_walls(const OndSurfaceDef *def, double sight);

/// Fails, with the numbers, when def->memory would not hold the surface of these points.
OndStatus ond_surface_plan(const OndSurfaceDef *def, const OndPoints *points, OndError *err);

/// Where liquid stands against the frame's solids, the surface ends on them (surface/mesh/solid_fit.h).
/// `surface` is freed first if it holds something. `times` may be NULL.
OndStatus ond_surface_make(OndSurface *surface, const OndFrame *frame, const OndSurfaceDef *def,
                           OndSurfaceTimes *times, OndError *err);
void ond_surface_free(OndSurface *surface);

#endif

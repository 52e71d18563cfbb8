// SPDX-License-Identifier: MIT
// Meshes as people have them: seams that do not quite meet, triangles without area, triangles that
// face the wrong way, holes. What can be mended safely is mended, and told; what cannot is an error
// that names a triangle of the mesh as it was given, counted from 0.
#ifndef OND_GEOM_MESH_REPAIR_H
#define OND_GEOM_MESH_REPAIR_H

#include "geom/mesh.h"

typedef struct OndMeshRepair {
    int welded;       ///< corners joined that were not quite at the same place
    int dropped;      ///< triangles without area left out
    int repeated;     ///< triangles left out that were there before
    int turned;       ///< triangles turned round to agree with their neighbours, or all outwards
    int holes;        ///< small flat holes closed
    int open_edges;   ///< that are left: it is a sheet with two sides
    bool closed;      ///< it has an inside
    int crossing[2];  ///< two triangles that pass through each other; -1: none, or not asked for
    char words[1024]; ///< all that in sentences; empty when nothing was done
} OndMeshRepair;

/// What the mesh is for. Small flat holes of containers, bodies and what is filled with particles
/// are closed, other holes of theirs are errors; of containers so are triangles that pass through
/// each other, of bodies they are told.
typedef enum OndMeshUse {
    OND_MESH_SHEET,
    OND_MESH_CONTAINER,
    OND_MESH_BODY,
    OND_MESH_FILLED,
} OndMeshUse;

/// Most distance of corners that are one, and height of triangles without area, as a share of the
/// mesh's size.
#define OND_MESH_WELD 1e-6

/// `out` is a new mesh; corners keep their numbers (those of closed holes come behind), so that a
/// sequence of shapes still fits.
OndStatus ond_mesh_repair(const OndMesh *mesh, OndMeshUse use, OndMesh *out, OndMeshRepair *report,
                          OndError *err);

#endif

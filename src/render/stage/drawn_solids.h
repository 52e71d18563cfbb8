// SPDX-License-Identifier: MIT
// The solids of frames as pictures show them: triangles and looks, found once for a run, and where
// they stand in the frame that is drawn.
#ifndef OND_RENDER_DRAWN_SOLIDS_H
#define OND_RENDER_DRAWN_SOLIDS_H

#include "sim/frame.h"
#include "sim/scene/scene_solid.h"

typedef struct OndDrawnSolid {
    const OndMesh *mesh;   ///< in its own frame
    const float *corner;   ///< instead of the mesh's, of one that bends; NULL: the mesh's
    OndPose pose;          ///< where it stands
    OndVec velocity, spin; ///< how it moves, for blur
    OndSolidLook look;     ///< not OND_SOLID_LOOK_AUTO
    bool has_colour;
    OndVec colour; ///< as a screen shows it
    bool closed;   ///< it has an inside; glass without is a thin pane
    bool endless;  ///< a plane: the camera need not see all of it
} OndDrawnSolid;

typedef struct OndDrawnSolids {
    OndDrawnSolid *solid; ///< those that are shown
    int count;
    const struct OndSimSolids *made; ///< whose triangles these are
    int *which;                      ///< solid of each
    OndMesh *mesh;                   ///< one for each of `made`; empty: not shown, or it bends
    int mesh_count;
} OndDrawnSolids;

/// The triangles and looks of one of them, without where it stands. `room` (empty; free with
/// ond_mesh_free) gets the triangles of one that keeps its shape. A container's triangles are its inner
/// wall: glass of them is a pane.
OndStatus ond_drawn_solid_make(const struct OndSimSolids *made, int which, OndMesh *room,
                               OndDrawnSolid *out, OndError *err);

/// Puts them where a frame has them; NULL: there are none. Triangles are laid out anew when the
/// solids are others than those of the frame before.
OndStatus ond_drawn_solids_place(OndDrawnSolids *drawn, const OndFrameSolids *frame, OndError *err);
void ond_drawn_solids_free(OndDrawnSolids *drawn);

#endif

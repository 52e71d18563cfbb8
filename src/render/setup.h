// SPDX-License-Identifier: MIT
// Sets the stage: where the camera stands, where the light comes from, which studio it is.
#ifndef OND_RENDER_SETUP_H
#define OND_RENDER_SETUP_H

#include "render/render.h"
#include "render/stage/stage.h"

/// The box a fitted camera looks at: the frame's domain, else its particles, else a metre around
/// the origin. `has_domain` says which.
OndBox ond_setup_box(const OndFrame *frame, bool *has_domain);

/// The units of the picture for that box.
/// The box round a mesh's finite corners; false when there are none.
bool ond_setup_mesh_box(const OndMesh *mesh, OndBox *box);

OndPlace ond_setup_place(OndBox box);

/// Corners in picture units; bit 0, 1, 2 of the index picks the far side in x, y, z.
void ond_setup_corners(OndBox box, const OndPlace *place, OndF3 corner[8]);

void ond_setup_studio(OndStage *stage, const OndRenderDef *def, bool flat);
void ond_setup_camera(OndStage *stage, const OndRenderDef *def, const OndF3 corner[8],
                      const OndPlace *place, bool flat);
/// After the camera: lights stand relative to it, so that every view is lit well.
void ond_setup_lights(OndStage *stage, const OndRenderDef *def, const OndF3 corner[8], bool flat);

#endif

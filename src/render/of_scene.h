// SPDX-License-Identifier: MIT
// The sections `camera` and `render` of a scene.
#ifndef OND_RENDER_OF_SCENE_H
#define OND_RENDER_OF_SCENE_H

#include "render/styles.h"
#include "sim/scene/scene.h"

typedef struct OndCameraDef {
    OndVec from, to;
    double fov;
    const OndNode *node; ///< NULL: no camera in the scene, fit one
} OndCameraDef;

typedef struct OndSmokeSection { // the section `render: smoke`
    int look;                    ///< OndSmokeKind
    OndVec colour;               ///< where `node` has it
    double extinction, glow;
    const OndNode *node;
} OndSmokeSection;

typedef struct OndPictureDef { // the section `render`
    int width, height;
    int as;     ///< OndDrawn
    int colour; ///< OndColour
    double min, max;
    bool legend;
    bool paint;
    int quality;  ///< OndQuality
    int backdrop; ///< OndBackdrop
    double motion_blur, lens, focus;
    int slice; ///< axis
    double slice_at;
    int arrows, streamlines;
    OndSmokeSection smoke;
    const OndNode *node;
} OndPictureDef;

extern const OndSceneSection ond_camera_section, ond_picture_section;

/// What the scene says there; with its defaults where it says nothing. NULL: it was read without.
const OndCameraDef *ond_scene_camera(const OndSceneDef *scene);
const OndPictureDef *ond_scene_picture(const OndSceneDef *scene);

#endif

// SPDX-License-Identifier: MIT
// Scenes from text, and what they need from files.
#ifndef OND_TESTS_SCENE_TEXT_H
#define OND_TESTS_SCENE_TEXT_H

#include "check.h"
#include "io/formats/formats.h"
#include "io/mesh_assimp.h"
#include "io/scene_sections.h"
#include "io/text_freetype.h"
#include "io/yaml.h"
#include "sim/scene/scene.h"
#include "sim/scene/scene_fill.h"

// Pieces that tests put together.
#define BALL   "shape: {type: sphere, center: [0.5, 0.5, 0.5], radius: 0.3}"
#define WATER  "fluid:\n  - name: water\n    spacing: 0.05\n    " BALL "\n"
#define DOMAIN "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"

static const OndAssets assets = {ond_mesh_load, ond_text_outline, ond_frame_read};

static inline OndStatus load(const char *text, OndSceneDef *out, OndError *err)
{
    OndTree tree;
    memset(out, 0, sizeof *out);
    const OndStatus status = ond_yaml_parse("scene.yaml", text, strlen(text), &tree, err);
    return status == OND_OK ? ond_scene_read(&tree, out, err) : status;
}

#endif

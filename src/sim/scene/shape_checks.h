// SPDX-License-Identifier: MIT
// Checks of the shapes that come with the house (scene_check_shape.c), for their kinds
// (scene_shape.c).
#ifndef OND_SIM_SHAPE_CHECKS_H
#define OND_SIM_SHAPE_CHECKS_H

#include "sim/scene/scene.h"

#define OND_SHAPE_CHECK(name)                                                                      \
    OndStatus ond_shape_check_##name(const OndSceneDef *scene, const OndVariant *shape, bool part, \
                                     OndError *err)
OND_SHAPE_CHECK(box);
OND_SHAPE_CHECK(rod);
OND_SHAPE_CHECK(parts);
OND_SHAPE_CHECK(text);
OND_SHAPE_CHECK(file);
OND_SHAPE_CHECK(mesh);

#endif

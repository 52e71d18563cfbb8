// SPDX-License-Identifier: MIT
// The checks of a scene, by topic: scene_check.c has the order, and everything but shapes and heat.
// Inside sim/ only.
#ifndef OND_SIM_SCENE_CHECK_H
#define OND_SIM_SCENE_CHECK_H

#include "sim/scene.h"

/// Complains at `key` of the map `node`; wants an `err` in scope.
#define FAIL(scene, node, key, ...)                                                                \
    ond_tree_fail(&(scene)->tree, ond_scene_at(node, key), err, __VA_ARGS__)

/// What several checks found, all told together. Each check leaves its first complaint in `one`.
typedef struct OndFindings {
    OndError *err; ///< may be NULL
    OndStatus status;
    OndError one;
} OndFindings;

static inline void ond_findings_add(OndFindings *f, OndStatus status)
{
    if (f->status == OND_OK) f->status = status;
    ond_error_add(f->err, &f->one);
}

/// `part`: it must have an inside.
OndStatus ond_scene_check_shape(const OndSceneDef *scene, const OndVariant *shape, bool part,
                                OndError *err);
/// Regions, melting, air and sources of heat.
OndStatus ond_scene_check_melting(const OndSceneDef *scene, OndError *err);
/// What a method on a grid needs of a scene, and what it cannot do.
OndStatus ond_scene_check_grid(const OndSceneDef *scene, OndError *err);
/// Keys of other methods that a grid does not hear.
OndStatus ond_scene_check_deaf(const OndSceneDef *scene, OndError *err);
/// The same for grains.
OndStatus ond_scene_check_grains(const OndSceneDef *scene, OndError *err);
/// Keys of SPH that its chosen solvers, step rule or equation of state do not read.
OndStatus ond_scene_check_variant(const OndSceneDef *scene, const OndSphDef *sph, OndError *err);
/// One of the section `heat`.
OndStatus ond_scene_check_heater(const OndSceneDef *scene, const OndHeaterDef *heater,
                                 OndError *err);
/// Tracers, and sources inside the fluid.
OndStatus ond_scene_check_flow(const OndSceneDef *scene, OndError *err);
/// Solids and read-outs.
OndStatus ond_scene_check_solids(const OndSceneDef *scene, OndError *err);

#endif

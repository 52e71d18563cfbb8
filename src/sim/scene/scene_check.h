// SPDX-License-Identifier: MIT
// The checks of a scene, by topic: scene_check.c has the order, domain, fluids and methods. For sim/
// and for those who own a section.
//
// A scene with keys that could not be read is checked, too: they are left out of it (base/schema.h)
// and marked in `wrong`. A check that would take what is left out for what the user meant asks
// ond_scene_whole first, so that nothing is told that follows from another mistake.
#ifndef OND_SIM_SCENE_CHECK_H
#define OND_SIM_SCENE_CHECK_H

#include "sim/scene/scene.h"

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

/// Beside the bits of the scene's table: which method it is cannot be told.
#define OND_WRONG_METHOD_TYPE (UINT64_C(1) << 62)

/// Whether those keys of the scene, separated by blanks, were read as they were written. Three more
/// names are known: `type`, which method it is; `spacing`, whatever it comes from; and `absent`,
/// for what is to be told of an absent key: none is unknown and like no other.
bool ond_scene_whole(const OndSceneDef *scene, const char *keys);
/// Leaves out the solids, of which one is wrong.
void ond_scene_drop_solids(OndSceneDef *scene);

/// In 2D nothing may point out of the plane.
OndStatus ond_scene_check_flat(const OndSceneDef *scene, const OndNode *node, const char *key,
                               OndVec v, OndError *err);
/// Emitters; `sound`: domain and spacing are, so that openings can be compared with them.
OndStatus ond_scene_check_emitters(const OndSceneDef *scene, bool sound, OndError *err);
/// `part`: it must have an inside.
OndStatus ond_scene_check_shape(const OndSceneDef *scene, const OndVariant *shape, bool part,
                                OndError *err);
/// Regions, melting, air and sources of heat.
OndStatus ond_scene_check_melting(const OndSceneDef *scene, OndError *err);
/// What a method on a grid needs of a scene, and what it cannot do. `sound` as above.
OndStatus ond_scene_check_grid(const OndSceneDef *scene, bool sound, OndError *err);
/// Keys that the scene's method refuses.
OndStatus ond_scene_check_refused(const OndSceneDef *scene, const OndWorld *world, OndError *err);
/// Whether it is settled what a key of a section belongs to (OndUse).
bool ond_scene_knows_use(OndSection section, const char *key);
/// A side of a grid that moves along itself.
OndStatus ond_scene_check_belt(const OndSceneDef *scene, const OndSideDef *side, OndError *err);
/// One of the section `heat`.
OndStatus ond_scene_check_heater(const OndSceneDef *scene, const OndHeaterDef *heater,
                                 OndError *err);
/// Tracers, and sources inside the fluid. `sound` as above.
OndStatus ond_scene_check_flow(const OndSceneDef *scene, bool sound, OndError *err);
/// Solids and read-outs.
OndStatus ond_scene_check_solids(const OndSceneDef *scene, OndError *err);

#endif

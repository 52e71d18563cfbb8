// SPDX-License-Identifier: MIT
// The solids of a scene in a simulation: made from what was written, moved as it says.
//
// Each has a frame of its own, which is that of its shape's coordinates (a plane's lies in it). The
// simulation aims them at the end of a step before the method takes it and lets them arrive after
// it; all positions come from the time alone, so a resumed run finds them where they were.
#ifndef OND_SOLIDS_SIM_SOLIDS_H
#define OND_SOLIDS_SIM_SOLIDS_H

#include "sim/assets.h"
#include "sim/frame.h"
#include "solids/scene/motion.h"
#include "solids/scene/solid_sequence.h"

typedef struct OndSimSolid {
    const OndSceneSolid *def;
    OndSolidDef solid; ///< what the structures of solids/solids.h were told
    OndMotion motion;
    OndMesh mesh;           ///< in its own frame; empty: a closed form
    OndSequence sequence;   ///< empty: it keeps its shape
    const OndShape *inside; ///< tells inside from outside, in its own frame; NULL: a plane or sheet
    OndBox bounds;          ///< in its own frame
    float *bent;            ///< corners of a sequence on their way
    const char *mark_name;  ///< in checkpoints (solid_marks.h)
    double mark;
} OndSimSolid;

typedef struct OndSimSolids {
    const OndSceneDef *scene;
    int count;
    OndSimSolid *solid;
    OndSolids *solids;  ///< NULL: there are none
    OndFrameSolid *now; ///< one each: room for what a frame is told of them
    double fastest;     ///< speed that any of them reaches during the scene, m/s, but for falling
    double fall;        ///< g H of the body that falls farthest, m^2/s^2
    OndArena arena;
    const char **note; ///< what was mended and what looks strange, a sentence each
    int note_count, note_room;
} OndSimSolids;

/// Makes them all and places them at time 0. The scene must outlive them. Free with
/// ond_sim_solids_free, in every case.
OndStatus ond_sim_solids_make(const OndSceneDef *scene, const OndAssets *assets, OndSimSolids *out,
                              OndError *err);
/// Only what is needed to draw them: no structures are built, `solids` stays NULL.
OndStatus ond_sim_solids_load(const OndSceneDef *scene, const OndAssets *assets, OndSimSolids *out,
                              OndError *err);
void ond_sim_solids_free(OndSimSolids *s);

/// Puts those that move as told where they are at a time.
OndStatus ond_sim_solids_place(OndSimSolids *s, double time, OndError *err);
/// Where those will be at the end of the step under way.
OndStatus ond_sim_solids_aim(OndSimSolids *s, double time, OndError *err);

/// Whether a particle cannot start at a point, as they stand now: inside an obstacle, outside all
/// containers, or nearer than `reach` to a surface. `which` (may be NULL) gets the solid's index,
/// or -1 when it is outside the containers.
bool ond_sim_solids_block(const OndSimSolids *s, OndVec point, double reach, int *which);

/// How fast its fastest part is, turning included, m/s; of a plane, which has no end, its pivot.
double ond_sim_solid_speed(const OndSimSolid *solid, const OndSolidState *state);

/// Adds a sentence to the notes; lost when there is no memory.
void ond_sim_solids_note(OndSimSolids *s, const char *format, ...) OND_PRINTF(2, 3);

#endif

// SPDX-License-Identifier: MIT
// Where a solid of a scene stands at a time, and how fast it moves and turns there.
//
// Places go through key frames as cubic curves whose slopes are held back where the way turns, so
// that nothing swings beyond a key; they rest at both ends. Turning does the same with rotations:
// between two keys it is q = q_a exp(w1 b1(s)) exp(w2 b2(s)) exp(w3 b3(s)) with the cumulative
// Bernstein polynomials b, where w1 and w3 follow from the spin at the two keys and w2 from where
// it must end [Kim 1995]. One axis: a cubic curve of the angle. Velocities and spins are exact
// derivatives of all that, formulas included.
//
// [Kim 1995] A general construction scheme for unit quaternion curves with simple high order
// derivatives, SIGGRAPH.
#ifndef OND_SOLIDS_MOTION_H
#define OND_SOLIDS_MOTION_H

#include "sim/scene/scene.h"
#include "solids/solids.h"

// A key with what the curve needs; inside solids/scene/motion.c only.
typedef struct OndMotionKey {
    double time;
    OndVec at, velocity;
    OndPose turn; ///< `at` is of no use
    OndVec spin;  ///< in the frame of the key, rad/s
    OndVec way;   ///< rotation to the next key, in the frame of this one, rad
} OndMotionKey;

// Evenly from one pose to another, instead of all that the scene says; before and after it rests.
typedef struct OndMotionLead {
    double from_time, to_time; ///< s
    OndPose from, to;          ///< of the solid's own frame
} OndMotionLead;

typedef struct OndMotion {
    const OndMotionLead *lead; ///< NULL: as the scene says
    const OndSceneSolid *def;
    OndVec pivot; ///< in the shape's coordinates
    OndPose base; ///< from the solid's own frame to the shape's coordinates
    int count;    ///< at least 1
    OndMotionKey *key;
} OndMotion;

/// `base` is where the solid's own frame lies in the coordinates of its shape. Keys live in
/// `arena`; the definition must outlive the motion.
OndStatus ond_motion_make(const OndSceneSolid *def, OndVec pivot, OndPose base, OndArena *arena,
                          OndMotion *out, OndError *err);

/// What formulas leave without a value comes out as not finite.
OndSolidState ond_motion_at(const OndMotion *motion, double time);

/// Whether it ever moves.
bool ond_motion_moves(const OndMotion *motion);

/// Where the pivot is, in the world, when the solid stands so.
OndVec ond_motion_pivot(const OndMotion *motion, const OndPose *pose);

/// First `inner`, then `outer`.
OndPose ond_pose_chain(const OndPose *outer, const OndPose *inner);

#endif

// SPDX-License-Identifier: MIT
// The hot loops of src/space/: testing a run of boxes, measuring a run of points.
//
// Like those of particles/ they are compiled once for each instruction set; ond_space_loops() hands
// out the best set for this processor.
#ifndef OND_SPACE_LOOPS_H
#define OND_SPACE_LOOPS_H

#include "space/cells.h"

#define OND_SPACE_JOIN2(a, b) a##_##b
#define OND_SPACE_JOIN(a, b)  OND_SPACE_JOIN2(a, b)
/// A loop's name in this instruction set.
#define OND_SPACE_LOOP(name) OND_SPACE_JOIN(ond_space_loop_##name, OND_ISA)

/// Elements past the end of a run that loops may read, and entries past a result they may write.
#define OND_SPACE_PAD 16

/// Boxes side by side, one array for each of their sides (space_method.h): 4 arrays, in 3D 6.
typedef struct OndTouchLoop {
    const float *side[6];
    int sides;
    const uint32_t *id;
    float limit[6], sure[6]; ///< of the question
} OndTouchLoop;

typedef struct OndSpaceLoops {
    /// Appends the ids of the runs' boxes that may touch, doubtful ones marked, to a list of n;
    /// returns the new n.
    uint32_t (*touch)(const OndTouchLoop *loop, const OndRun *run, int runs, uint32_t *out,
                      uint32_t n);
} OndSpaceLoops;

/// The best set for this processor.
const OndSpaceLoops *ond_space_loops(void);

#endif

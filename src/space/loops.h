// SPDX-License-Identifier: MIT
// The hot loops of src/space/: testing a run of boxes, measuring a run of points.
//
// Like those of particles/ they are compiled once for each instruction set; ond_space_loops() hands
// out the best set for this processor.
#ifndef OND_SPACE_LOOPS_H
#define OND_SPACE_LOOPS_H

#include "space/near_buffers.h"

#define OND_SPACE_JOIN2(a, b) a##_##b
#define OND_SPACE_JOIN(a, b)  OND_SPACE_JOIN2(a, b)
/// A loop's name in this instruction set.
#define OND_SPACE_LOOP(name) OND_SPACE_JOIN(ond_space_loop_##name, OND_ISA)

/// Elements past the end of a run that loops may read, and entries past a result they may write.
#define OND_SPACE_PAD 16

#define OND_SIDES_MAX 8
/// Set in a hit whose box is so near that only exact numbers can tell.
#define OND_HIT_DOUBT 0x80000000u

/// What a box is compared with (space_method.h): lo and hi apart by half of OND_SIDES_MAX in 3D, by
/// two in 2D. Turned round: a box touches when no side is more than its limit.
typedef struct OndLimits {
    float limit[OND_SIDES_MAX];
} OndLimits;

/// Boxes side by side, one array for each of their sides: 4 arrays, in 3D 6.
typedef struct OndTouchLoop {
    const float *side[6];
    int sides;
    float margin; ///< below its limit by this much, a side is so without doubt
    const uint32_t *id;
} OndTouchLoop;

/// One of many questions. Its runs stand behind those of the question before it, what it found
/// behind what that found.
typedef struct OndTouchAsked {
    OndLimits limits;
    uint32_t runs;   ///< its runs end here
    uint32_t found;  ///< out: what it found ends here
    uint32_t doubts; ///< out: not 0: some of that is doubtful
} OndTouchAsked;

/// What was found so far.
typedef struct OndTouchFound {
    uint32_t *id;
    uint32_t count;
} OndTouchFound;

typedef struct OndNearLoop {
    const OndCells *cells;
    const float *x, *y, *z; ///< sorted by cell
    float reach2;
    OndLists lists;
    OndNearBuffer *buffer; ///< one a worker
} OndNearLoop;

typedef struct OndSpaceLoops {
    /// Appends the ids of the runs' boxes that may touch, doubtful ones marked.
    void (*touch)(const OndTouchLoop *loop, const OndRun *run, OndTouchAsked *asked, int questions,
                  OndTouchFound *found);
    /// Neighbour lists of the points of a range of cells.
    void (*near)(const OndNearLoop *loop, int first_cell, int last_cell, int worker);
} OndSpaceLoops;

/// The best set for this processor.
const OndSpaceLoops *ond_space_loops(void);

#endif

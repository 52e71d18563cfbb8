// SPDX-License-Identifier: MIT
// A frame is what leaves a simulation and what everything after it takes: time, particles, cells,
// solids and where they stand.
//
// A run in memory, a run's folder on disk and a live view all hand over frames alike; nobody after
// this point knows which method made them, or asks a simulation or a file for more.
#ifndef OND_SIM_FRAME_H
#define OND_SIM_FRAME_H

#include "base/fields.h"
#include "base/vec.h"
#include "grid/layout.h"
#include "solids/solids.h"

#include <stdbool.h>

struct OndSimSolids;

/// A solid as it is at the frame's time.
typedef struct OndFrameSolid {
    const char *name;
    int index;           ///< in the scene, from 0
    OndSolidState state; ///< where it stands and how it moves
    OndVec force,
        torque;          ///< that acted on it in the last step, N and N m (2D: per metre of depth),
                         ///< about its own origin; 0 in frames from a folder
    bool body;           ///< the fluid moves it
    bool moves;          ///< its pose changes: it is a body, or moves as told
    bool known;          ///< false: a body whose place the run's folder lacks; it is where it began
    const float *corner; ///< of one that bends: the corners of its mesh now, in its own frame;
                         ///< NULL: it keeps its shape
} OndFrameSolid;

/// The solids of a frame, in the scene's order. `made`, `placed` and corners are borrowed from who
/// built the solids: a simulation, until its next step, or a run's reader, until it reads on.
typedef struct OndFrameSolids {
    int count;
    OndFrameSolid *solid;            ///< owned or borrowed as the particles
    const struct OndSimSolids *made; ///< their shapes and looks; the same for all frames of a run
    const OndSolids *placed;         ///< tells distances to them as they stand; NULL: nobody does
} OndFrameSolids;

/// The shapes that fluids began in, whose surfaces their particles carry (`carry` of a fluid).
typedef struct OndCarriedShapes {
    int count;                           ///< fluids of the scene; 0: none carries any
    const struct OndShape *const *shape; ///< of each, where the scene has it; NULL: it carries none
} OndCarriedShapes;

typedef struct OndFrame {
    int index;      ///< 0 is the start
    double time;    ///< s
    int dimension;  ///< 2 or 3
    double spacing; ///< rest distance of particles or edge of cells, m; 0 when unknown
    OndBox domain;  ///< walls to draw; min = max when there are none
    OndFields
        particles;   ///< a frame from a file owns its arrays; one from a simulation borrows them
    OndGrid grid;    ///< n[0] = 0: no grid
    OndFields cells; ///< what its cells and faces carry, in arrays of the grid's length; owned or
                     ///< borrowed as the particles
    OndFields foam;  ///< spray, foam and bubbles of a liquid (particles/foam/foam.h); no fields:
                     ///< none; owned or borrowed as the particles
    OndFrameSolids solids;
    OndCarriedShapes carried; ///< borrowed as solids' shapes are
    bool owned;
} OndFrame;

static inline bool ond_frame_has_grid(const OndFrame *frame)
{
    return frame->grid.n[0] > 0;
}

/// Frees an owned frame's arrays; a borrowed one is only cleared.
void ond_frame_free(OndFrame *frame);

/// The solids of a simulation as they stand now, in `room` for one each. Borrows all of it.
void ond_frame_solids_now(const struct OndSimSolids *solids, OndFrameSolid *room,
                          OndFrameSolids *out);

/// Gives an owned frame the solids of its scene at its time: what moves as told is placed there,
/// bodies where they began. Those that it had are freed.
OndStatus ond_frame_solids_place(OndFrame *frame, struct OndSimSolids *solids, OndError *err);

/// Puts one of them elsewhere; `solids` are those that the frame was given.
void ond_frame_solid_put(OndFrame *frame, struct OndSimSolids *solids, int which,
                         const OndSolidState *state);

/// The same for a frame between two: what moves as told is known at every moment; bodies are on
/// their way from `a` to `b`, a share of it, with the velocity that they had in `a`.
OndStatus ond_frame_solids_between(const OndFrame *a, const OndFrame *b, double share,
                                   OndFrame *frame, struct OndSimSolids *solids, OndError *err);

#endif

// SPDX-License-Identifier: MIT
// Questions that are answered together.
//
// A question to objects in rows is two things: finding the runs of boxes that are near, and testing
// those. How many boxes pass no processor can foresee; when it guessed wrong, all it had begun of
// the next question was in vain. So the runs of some dozens of questions are collected first, then
// all of them are tested without a branch on what is found, and only then anybody looks at the
// answers.
#ifndef OND_SPACE_PENDING_H
#define OND_SPACE_PENDING_H

#include "space/rows.h"

#define OND_PENDING_QUESTIONS 128
#define OND_PENDING_RUNS      512
#define OND_PENDING_MANY      1024 // boxes to be tested, or found: enough to stay in the cache

struct OndPending {
    const OndRows *rows; ///< that have the runs; NULL: none up to now
    OndHits *hits;       ///< what all questions found, one after another
    size_t boxes;        ///< in the runs
    int runs;
    int questions;
    int tested;  ///< questions none of whose runs are left
    bool failed; ///< no memory
    OndRun run[OND_PENDING_RUNS];
    OndTouchAsked asked[OND_PENDING_QUESTIONS];
};

static inline void ond_pending_begin(OndPending *p, OndHits *hits)
{
    hits->count = 0;
    p->rows = NULL, p->hits = hits;
    p->boxes = 0, p->runs = p->questions = p->tested = 0, p->failed = false;
}

/// No more questions should be asked before these are answered.
static inline bool ond_pending_full(const OndPending *p)
{
    return p->questions == OND_PENDING_QUESTIONS ||
           p->boxes + (size_t)p->hits->count >= OND_PENDING_MANY;
}

/// Tests all runs.
void ond_pending_flush(OndPending *p);

/// One more question, to which all runs belong from now on. There is room for its first.
static inline OndTouchAsked *ond_pending_open(OndPending *p)
{
    if (p->runs == OND_PENDING_RUNS) ond_pending_flush(p);
    OndTouchAsked *asked = &p->asked[p->questions++];
    asked->runs = (uint32_t)p->runs, asked->found = (uint32_t)p->hits->count, asked->doubts = 0;
    return asked;
}

static inline void ond_pending_add_first(OndPending *p, uint32_t first, uint32_t last)
{
    p->run[p->runs] = (OndRun){first, last};
    p->runs += first != last; // whether a cell is empty is too hard to foresee for a branch
    p->boxes += last - first;
}
static inline void ond_pending_add(OndPending *p, uint32_t first, uint32_t last)
{
    if (p->runs == OND_PENDING_RUNS) ond_pending_flush(p);
    ond_pending_add_first(p, first, last);
}

#endif

// SPDX-License-Identifier: MIT
// Inside of an OndSpace, for space*.c alone.
#ifndef OND_SPACE_SPACE_STATE_H
#define OND_SPACE_SPACE_STATE_H

#include "space/space_method.h"

struct OndSpace {
    const OndSpaceMethod *method;
    void *state; ///< the structure's own
    OndSpaceItems items;
    const OndBox *box;      ///< the caller's; NULL: there are points
    OndSpacePoints points;  ///< the caller's
    double origin[3];       ///< of all floats
    double low[3], high[3]; ///< round all kept boxes, from there
    double slack;           ///< m: boxes in floats are that much too large on each side
    float *sides;
    size_t sides_room;
    float size_least, size_most; ///< of the kept boxes' longest sides, without those of size 0
    int *apart;                  ///< objects tested one by one
    int apart_count, apart_room;
};

/// The object's box in the caller's numbers; false when nothing can touch it.
bool ond_space_get_box(const OndSpace *space, int i, double lo[3], double hi[3]);

// ---- questions

typedef enum OndAskKind { OND_ASK_TOUCH, OND_ASK_NEAR, OND_ASK_LARGER } OndAskKind;

typedef struct OndQuestion {
    OndAskKind kind;
    const OndBox *box; ///< touch
    OndVec at;         ///< near
    double r;          ///< near
    int i;             ///< larger: which ball
} OndQuestion;

/// Begins a question: what is near is pending.
void ond_space_put(const OndSpace *space, const OndQuestion *question, OndPending *pending);
/// Ends it: of what was found, keeps what is right. Not yet in order.
void ond_space_settle(const OndSpace *space, const OndQuestion *question, bool doubt,
                      OndHits *hits);
/// All of it, for one question.
OndStatus ond_space_ask(const OndSpace *space, const OndQuestion *question, OndHits *hits,
                        OndError *err);

#endif

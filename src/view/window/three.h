// SPDX-License-Identifier: MIT
// Three of something that go round between two threads: one is filled, one waits, one is shown. Called under
// the lock of whoever owns them.
#ifndef VIEW_WINDOW_THREE_H
#define VIEW_WINDOW_THREE_H

#include <stdbool.h>

typedef struct OndThree {
    int filled, ready, shown; ///< places, each another
    bool fresh;               ///< the one that is ready was not taken
} OndThree;

static inline OndThree ond_three(void)
{
    const OndThree three = {0, 1, 2, false};
    return three;
}

/// What was filled is ready; another is to be filled.
static inline void ond_three_give(OndThree *three)
{
    const int ready = three->ready;
    three->ready = three->filled;
    three->filled = ready;
    three->fresh = true;
}

/// Shows what is ready, if it is new; says whether it was.
static inline bool ond_three_take(OndThree *three)
{
    const bool fresh = three->fresh;
    if (fresh) {
        const int shown = three->shown;
        three->shown = three->ready;
        three->ready = shown;
    }
    three->fresh = false;
    return fresh;
}

#endif

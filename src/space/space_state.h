// SPDX-License-Identifier: MIT
// Inside of an OndSpace, for space*.c alone.
#ifndef OND_SPACE_SPACE_STATE_H
#define OND_SPACE_SPACE_STATE_H

#include "space/space_method.h"

struct OndSpace {
    const OndSpaceMethod *method;
    void *state; ///< the structure's own
    OndSpaceItems items;
    const OndBox *box;     ///< the caller's; NULL: there are points
    OndSpacePoints points; ///< the caller's
    double origin[3];      ///< of all floats
    double slack;          ///< m: boxes in floats are that much too large on each side
    float *sides;
    size_t sides_room;
    float size_least, size_most; ///< of the kept boxes' longest sides, without those of size 0
    int *apart;                  ///< objects tested one by one
    int apart_count, apart_room;
};

/// The object's box in the caller's numbers; false when nothing can touch it.
bool ond_space_get_box(const OndSpace *space, int i, double lo[3], double hi[3]);

#endif

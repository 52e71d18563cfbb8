// SPDX-License-Identifier: MIT
#include "space/space_method.h"

#define FEW 8.0 // objects more that a question tests in vain: a look into a level costs as much

// Share of the scene that a question about a place sees when it looks at cells of class c.
static double share_seen(const OndSpaceItems *items, int c)
{
    double share = 1.0;
    for (int a = 0; a < items->dimension; ++a) {
        const double side = (double)items->hi[a] - (double)items->lo[a];
        const double seen = 2.0 * (double)ond_class_size(c);
        share *= seen < side ? seen / side : 1.0;
    }
    return share;
}

void ond_levels_find(OndLevels *levels, const OndSpaceItems *items)
{
    const int classes = items->most - items->least + 1;
    int count[OND_CLASSES_MAX] = {0};
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (!ond_sides_left_out(side)) ++count[ond_sides_class(items, side) - items->least];
    }
    // from the smallest up: take along those so far, or leave them as a level
    int join[OND_CLASSES_MAX] = {0}, before = -1;
    double sum = 0.0;
    for (int c = 0; c < classes; ++c) {
        if (!count[c]) continue;
        if (before >= 0) {
            join[before] = sum * share_seen(items, items->least + c) <= FEW;
            if (!join[before]) sum = 0.0;
        }
        sum += count[c];
        before = c;
    }
    levels->count = 0;
    for (int c = classes - 1; c >= 0; --c) {
        if (!count[c]) continue;
        if (!join[c]) levels->class_of[levels->count++] = items->least + c;
        levels->level_of[c] = (int8_t)(levels->count - 1);
    }
}

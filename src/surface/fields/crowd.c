// SPDX-License-Identifier: MIT
#include "surface/fields/crowd.h"

float ond_crowd_largest(const OndPoints *points, uint32_t first, uint32_t last)
{
    float most = 0.0f;
    for (uint32_t i = first; i < last; ++i)
        most = points->size[i] > most ? points->size[i] : most;
    return most;
}

void ond_crowd_start(OndCrowd *crowd, const OndPoints *points, uint32_t first, uint32_t last,
                     float reach)
{
    const float *const at[3] = {points->x, points->y, points->z};
    const float far = reach * ond_crowd_largest(points, first, last);
    double min[3], max[3];
    for (int a = 0; a < 3; ++a) {
        float low = at[a][first], high = low;
        for (uint32_t i = first + 1; i < last; ++i) {
            low = at[a][i] < low ? at[a][i] : low;
            high = at[a][i] > high ? at[a][i] : high;
        }
        min[a] = crowd->min[a] = low - far;
        max[a] = crowd->max[a] = high + far;
    }
    crowd->points = points;
    crowd->near = ond_near(&points->bins, min, max);
    crowd->run = (OndRun){0, 0};
    crowd->count = 0;
}

// Takes what is in the box until the run or the room ends.
static void take(OndCrowd *c)
{
    const float *restrict x = c->points->x, *restrict y = c->points->y, *restrict z = c->points->z;
    const float x0 = c->min[0], y0 = c->min[1], z0 = c->min[2];
    const float x1 = c->max[0], y1 = c->max[1], z1 = c->max[2];
    int count = c->count;
    uint32_t j = c->run.first;
    for (; j < c->run.last && count < OND_CROWD; ++j) {
        c->index[count] = j;
        count +=
            (x[j] >= x0) & (x[j] <= x1) & (y[j] >= y0) & (y[j] <= y1) & (z[j] >= z0) & (z[j] <= z1);
    }
    c->run.first = j;
    c->count = count;
}

bool ond_crowd_next(OndCrowd *crowd)
{
    crowd->count = 0;
    while (crowd->count < OND_CROWD) {
        if (crowd->run.first == crowd->run.last && !ond_near_next(&crowd->near, &crowd->run)) break;
        take(crowd);
    }
    return crowd->count > 0;
}

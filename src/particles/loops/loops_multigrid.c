// SPDX-License-Identifier: MIT
// Between particles and the corners of the grid's cell that they stand in
// (particles/incompressible/multigrid.h). In a cell a value is linear along each axis, so that eight
// sums of it times 1, x, y, xy, z, xz, yz and xyz say what its corners get.
#include "particles/loops/near.h"

#include <string.h>

// Places in the cell, from 0 to 1 along each axis.
#define PLACE(axis, at) (((at)-p->low[axis]) * p->inv_size[axis])
#define WAY(axis)       PLACE(axis, p->x[axis][i])

OND_INLINE void take_row(const OndPressureGridLoop *p, int from, size_t count, OndNear *near,
                         OndLanes *ease)
{
    memcpy(near->x, p->x[0] + from, count * sizeof(float));
    memcpy(near->y, p->x[1] + from, count * sizeof(float));
    memcpy(near->z, p->x[2] + from, count * sizeof(float));
    memcpy(near->w, p->left + from, count * sizeof(float));
    memcpy(ease->at, p->ease + from, count * sizeof(float));
}

// In lanes of its own, as each compiler would take others: what is summed is the same everywhere.
void OND_LOOP(gather)(const OndPressureGridLoop *p, int first, int last);
void OND_LOOP(gather)(const OndPressureGridLoop *p, int first, int last)
{
    OndLanes s0 = {{0}}, s1 = {{0}}, s2 = {{0}}, s3 = {{0}};
    OndLanes s4 = {{0}}, s5 = {{0}}, s6 = {{0}}, s7 = {{0}};
    OndNear near = {{0}, {0}, {0}, {0}}; // past the end lanes are numbers, too
    OndLanes ease = {{0}};
    for (int from = first; from < last; from += OND_LANES) {
        if (from + OND_LANES <= last) {
            take_row(p, from, OND_LANES, &near, &ease);
        } else {
            memset(&ease, 0, sizeof ease); // past the end nothing counts
            take_row(p, from, (size_t)(last - from), &near, &ease);
        }
#pragma omp simd
        for (int k = 0; k < OND_LANES; ++k) {
            const float x = PLACE(0, near.x[k]), y = PLACE(1, near.y[k]), z = PLACE(2, near.z[k]);
            const float r = ease.at[k] > 0.0f ? near.w[k] : 0.0f, rz = r * z, xy = x * y;
            s0.at[k] += r, s1.at[k] += r * x, s2.at[k] += r * y, s3.at[k] += r * xy;
            s4.at[k] += rz, s5.at[k] += rz * x, s6.at[k] += rz * y, s7.at[k] += rz * xy;
        }
    }
    const OndLanes *const sum[8] = {&s0, &s1, &s2, &s3, &s4, &s5, &s6, &s7};
    for (int n = 0; n < 8; ++n)
        p->sum[n] += ond_lanes_sum(sum[n]);
}

void OND_LOOP(spread)(const OndPressureGridLoop *p, int first, int last);
void OND_LOOP(spread)(const OndPressureGridLoop *p, int first, int last)
{
    const float *const c = p->sum, back = p->back;
    for (int i = first; i < last; ++i) {
        const float x = WAY(0), y = WAY(1), z = WAY(2), xy = x * y;
        const float far =
            c[0] + c[1] * x + c[2] * y + c[3] * xy + z * (c[4] + c[5] * x + c[6] * y + c[7] * xy);
        const float ease = p->ease[i];
        p->place[i][3] = p->left[i] * ease + (ease > 0.0f ? far : 0.0f) + back * p->place[i][3];
    }
}

// G of each corner's function at a particle, times the root of what it weighs.
OND_INLINE void corner_slopes(const OndPressureGridLoop *p, int i, float way[3][8])
{
    const float at[3] = {WAY(0), WAY(1), WAY(2)};
    const float root = sqrtf(p->inverse_mass[i]), rise = root * p->slope_ratio / p->room[i];
    const float x[2] = {1.0f - at[0], at[0]}, y[2] = {1.0f - at[1], at[1]},
                z[2] = {1.0f - at[2], at[2]};
    const float step[3] = {rise * p->inv_size[0], rise * p->inv_size[1], rise * p->inv_size[2]};
    const float tx = root * p->place[i][0], ty = root * p->place[i][1], tz = root * p->place[i][2];
    for (int k = 0; k < 8; ++k) {
        const int a = k & 1, b = k >> 1 & 1, c = k >> 2;
        const float weight = x[a] * y[b] * z[c];
        way[0][k] = (a ? step[0] : -step[0]) * y[b] * z[c] + tx * weight;
        way[1][k] = (b ? step[1] : -step[1]) * x[a] * z[c] + ty * weight;
        way[2][k] = (c ? step[2] : -step[2]) * x[a] * y[b] + tz * weight;
    }
}

void OND_LOOP(element)(const OndPressureGridLoop *p, int first, int last);
void OND_LOOP(element)(const OndPressureGridLoop *p, int first, int last)
{
    float sum[8][8];
    memcpy(sum, p->element, sizeof sum);
    for (int i = first; i < last; ++i) {
        float way[3][8];
        corner_slopes(p, i, way);
        for (int k = 0; k < 8; ++k)
#pragma omp simd
            for (int l = 0; l < 8; ++l)
                sum[k][l] += way[0][k] * way[0][l] + way[1][k] * way[1][l] + way[2][k] * way[2][l];
    }
    memcpy(p->element, sum, sizeof sum);
}

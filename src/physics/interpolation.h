// SPDX-License-Identifier: MIT
// A value between those of a grid, along each axis in turn.
//
//     linear   between two: never beyond them
//     cubic    the polynomial through four (Lagrange); exact for cubics
//
// A place along an axis is in cells from the first value; `last` is the lower one of the last two
// values, and value -1 is a ghost.
#ifndef OND_PHYSICS_INTERPOLATION_H
#define OND_PHYSICS_INTERPOLATION_H

#include "physics/law.h"

// ---- linear

// The value below a place, and how far the place is on the way to the next.
OND_LAW int ond_interpolation_below(float x, int last, float *share)
{
    const int low = (int)(x + 1.0f) - 1, kept = low < last ? low : last;
    *share = x - (float)kept;
    return kept;
}

OND_LAW float ond_interpolate(float a, float b, float share)
{
    return a + share * (b - a);
}

// Between four values: number `at` and the next one, and those a row farther on. (Whole numbers, not
// pointers: vector loads of 32-bit indices are quicker.)
OND_LAW float ond_interpolate4(const float *v, int at, int row, float x, float y)
{
    return ond_interpolate(ond_interpolate(v[at], v[at + 1], x),
                           ond_interpolate(v[at + row], v[at + row + 1], x), y);
}

// ---- cubic

typedef struct OndCubicWeights {
    int first; // of four values
    float a, b, c, d;
} OndCubicWeights;

// Of the four values round a place; at the ends the last four there are.
OND_LAW OndCubicWeights ond_cubic_weights(float x, int last)
{
    const int low = (int)(x + 1.0f) - 2, high = last - 2;
    const int kept = low < high ? low : high, first = kept > -1 ? kept : -1;
    const float t = x - (float)(first + 1), up = t + 1.0f, down = t - 1.0f, far = t - 2.0f;
    const OndCubicWeights w = {first, -t * down * far * (1.0f / 6.0f), up * down * far * 0.5f,
                               -up * t * far * 0.5f, up * t * down * (1.0f / 6.0f)};
    return w;
}

// Of four values in a row, and of four rows of them.
OND_LAW float ond_cubic4(const float *v, int at, OndCubicWeights x)
{
    return x.a * v[at] + x.b * v[at + 1] + x.c * v[at + 2] + x.d * v[at + 3];
}

OND_LAW float ond_cubic16(const float *v, int at, int row, OndCubicWeights x, OndCubicWeights y)
{
    return y.a * ond_cubic4(v, at, x) + y.b * ond_cubic4(v, at + row, x) +
           y.c * ond_cubic4(v, at + 2 * row, x) + y.d * ond_cubic4(v, at + 3 * row, x);
}

#endif

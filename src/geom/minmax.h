// SPDX-License-Identifier: MIT
// The smaller and the larger of two numbers, as one instruction each. The C library's fmin and fmax
// are calls, because they must look for NaN; in the loops here that was half of the time.
#ifndef OND_GEOM_MINMAX_H
#define OND_GEOM_MINMAX_H

static inline double ond_min(double a, double b)
{
    return a < b ? a : b;
}
static inline double ond_max(double a, double b)
{
    return a > b ? a : b;
}
static inline double ond_clamp(double x, double low, double high)
{
    return ond_min(ond_max(x, low), high);
}

#endif

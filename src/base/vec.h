// SPDX-License-Identifier: MIT
// A point or direction in space. Hot loops use plain arrays of floats instead.
#ifndef OND_BASE_VEC_H
#define OND_BASE_VEC_H

#include <math.h>

typedef struct OndVec {
    double x, y, z;
} OndVec;

typedef struct OndBox {
    OndVec min, max;
} OndBox;

static inline OndVec ond_vec(double x, double y, double z)
{
    const OndVec v = {x, y, z};
    return v;
}
// Corner k of eight: bit 0 of k is set at the far end of x, bit 1 of y, bit 2 of z.
static inline OndVec ond_box_corner(OndBox box, int k)
{
    return ond_vec(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y,
                   k & 4 ? box.max.z : box.min.z);
}
static inline OndVec ond_add(OndVec a, OndVec b)
{
    return ond_vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline OndVec ond_sub(OndVec a, OndVec b)
{
    return ond_vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline OndVec ond_scale(OndVec a, double s)
{
    return ond_vec(a.x * s, a.y * s, a.z * s);
}
static inline double ond_dot(OndVec a, OndVec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline OndVec ond_cross(OndVec a, OndVec b)
{
    return ond_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double ond_length(OndVec a)
{
    return sqrt(ond_dot(a, a));
}
/// `a` made one long; the zero vector stays zero.
static inline OndVec ond_unit(OndVec a)
{
    const double length = ond_length(a);
    return length > 0.0 ? ond_scale(a, 1.0 / length) : a;
}
static inline double ond_axis(OndVec a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

#endif

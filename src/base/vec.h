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
// The smaller, or larger, of each coordinate: `a` where they cannot be compared.
static inline OndVec ond_lower(OndVec a, OndVec b)
{
    return ond_vec(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z);
}
static inline OndVec ond_upper(OndVec a, OndVec b)
{
    return ond_vec(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z);
}
/// Bounds of nothing: joining them to others changes nothing.
static inline OndBox ond_box_empty(void)
{
    const OndBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    return box;
}
static inline OndBox ond_box_join(OndBox a, OndBox b)
{
    const OndBox box = {ond_lower(a.min, b.min), ond_upper(a.max, b.max)};
    return box;
}
static inline OndBox ond_box_meet(OndBox a, OndBox b)
{
    const OndBox box = {ond_upper(a.min, b.min), ond_lower(a.max, b.max)};
    return box;
}
static inline OndBox ond_box_add(OndBox box, OndVec p)
{
    const OndBox larger = {ond_lower(box.min, p), ond_upper(box.max, p)};
    return larger;
}
/// With so much room on all sides.
static inline OndBox ond_box_widen(OndBox box, double by)
{
    const OndBox larger = {ond_vec(box.min.x - by, box.min.y - by, box.min.z - by),
                           ond_vec(box.max.x + by, box.max.y + by, box.max.z + by)};
    return larger;
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

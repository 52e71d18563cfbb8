// SPDX-License-Identifier: MIT
// Values between the cells of smoke, and the way of a ray through them; part of trace_smoke.c.
//
// Places are told in cells from the middle of the first one. Arrays have one more value on each
// side, so that a place from -1 up to (not reaching) n has eight neighbours.
#ifndef OND_RENDER_TRACE_SMOKE_GRID_H
#define OND_RENDER_TRACE_SMOKE_GRID_H

#include "render/trace/trace_smoke.h"

/// Elements of an array over n cells.
static inline size_t ond_smoke_room(const int n[3])
{
    return (size_t)(n[0] + 2) * (size_t)(n[1] + 2) * (size_t)(n[2] + 2);
}

static inline size_t ond_smoke_index(const int n[3], int i, int j, int k)
{
    return ((size_t)(k + 1) * (size_t)(n[1] + 2) + (size_t)(j + 1)) * (size_t)(n[0] + 2) +
           (size_t)(i + 1);
}

/// The lowest of the eight neighbours; the shares of the upper ones.
static inline size_t ond_smoke_corner(const int n[3], OndF3 at, OndF3 *share)
{
    // a place is never below -1: to cut off is to round down
    const int i = (int)(at.x + 1.0f), j = (int)(at.y + 1.0f), k = (int)(at.z + 1.0f);
    *share = ond_f3(at.x + 1.0f - (float)i, at.y + 1.0f - (float)j, at.z + 1.0f - (float)k);
    return ond_smoke_index(n, i - 1, j - 1, k - 1);
}

static inline float ond_smoke_value(const float *values, const int n[3], OndF3 at)
{
    OndF3 s;
    const float *const v = values + ond_smoke_corner(n, at, &s);
    const size_t row = (size_t)(n[0] + 2), plane = row * (size_t)(n[1] + 2);
    const float a = v[0] + s.x * (v[1] - v[0]), b = v[row] + s.x * (v[row + 1] - v[row]),
                c = v[plane] + s.x * (v[plane + 1] - v[plane]),
                d = v[plane + row] + s.x * (v[plane + row + 1] - v[plane + row]);
    const float low = a + s.y * (b - a), high = c + s.y * (d - c);
    return low + s.z * (high - low);
}

static inline OndF3 ond_smoke_colour(const OndF3 *values, const int n[3], OndF3 at)
{
    OndF3 s;
    const OndF3 *const v = values + ond_smoke_corner(n, at, &s);
    const size_t row = (size_t)(n[0] + 2), plane = row * (size_t)(n[1] + 2);
    const OndF3 a = ond_f3_mix(v[0], v[1], s.x), b = ond_f3_mix(v[row], v[row + 1], s.x),
                c = ond_f3_mix(v[plane], v[plane + 1], s.x),
                d = ond_f3_mix(v[plane + row], v[plane + row + 1], s.x);
    return ond_f3_mix(ond_f3_mix(a, b, s.y), ond_f3_mix(c, d, s.y), s.z);
}

/// From cells to those of a grid that is coarser by `every`, and back.
static inline OndF3 ond_smoke_coarse(OndF3 at, int every)
{
    const float off = 0.5f * (float)(every - 1), part = 1.0f / (float)every;
    return ond_f3((at.x - off) * part, (at.y - off) * part, (at.z - off) * part);
}
static inline OndF3 ond_smoke_fine(int i, int j, int k, int every)
{
    const float off = 0.5f * (float)(every - 1), f = (float)every;
    return ond_f3((float)i * f + off, (float)j * f + off, (float)k * f + off);
}

/// A ray's way through the box of all cells, in cells.
typedef struct OndWalk {
    OndF3 at, go;  ///< where it begins; direction, unit
    float skipped; ///< from the ray's origin to there
    float length;
} OndWalk;

/// False: the ray does not meet the box before `far`.
static inline bool ond_smoke_enter(const int n[3], OndF3 at, OndF3 go, float far, OndWalk *walk)
{
    const float o[3] = {at.x, at.y, at.z}, d[3] = {go.x, go.y, go.z};
    float from = 0.0f, to = far;
    for (int a = 0; a < 3; ++a) {
        const float low = -0.5f - o[a], high = (float)n[a] - 0.5f - o[a];
        if (fabsf(d[a]) < 1e-12f) {
            if (low > 0.0f || high < 0.0f) return false;
            continue;
        }
        const float p = low / d[a], q = high / d[a];
        from = fmaxf(from, fminf(p, q));
        to = fminf(to, fmaxf(p, q));
    }
    *walk = (OndWalk){ond_f3_step(at, go, from), go, from, to - from};
    return walk->length > 0.0f && walk->length < 1e6f;
}

/// The place at distance t, kept within the box against rounding.
static inline OndF3 ond_smoke_at(const int n[3], const OndWalk *w, float t)
{
    const OndF3 p = ond_f3_step(w->at, w->go, t);
    return ond_f3(fminf(fmaxf(p.x, -0.5f), (float)n[0] - 0.5f),
                  fminf(fmaxf(p.y, -0.5f), (float)n[1] - 0.5f),
                  fminf(fmaxf(p.z, -0.5f), (float)n[2] - 0.5f));
}

/// The box of cells that a place of the walk lies in: the largest density near it, and how far the
/// box goes on.
static inline float ond_smoke_most(const OndSmokeVolume *s, OndF3 at)
{
    const int i = (int)((at.x + 0.5f) * (1.0f / OND_SMOKE_BLOCK)),
              j = (int)((at.y + 0.5f) * (1.0f / OND_SMOKE_BLOCK)),
              k = (int)((at.z + 0.5f) * (1.0f / OND_SMOKE_BLOCK));
    return s
        ->most[((size_t)k * (size_t)s->blocks[1] + (size_t)j) * (size_t)s->blocks[0] + (size_t)i];
}

static inline float ond_smoke_axis_left(float at, float go)
{
    const float x = (at + 0.5f) * (1.0f / OND_SMOKE_BLOCK), part = x - floorf(x);
    if (fabsf(go) < 1e-9f) return INFINITY;
    return OND_SMOKE_BLOCK * (go > 0.0f ? 1.0f - part : part) / fabsf(go);
}

static inline float ond_smoke_left(OndF3 at, OndF3 go)
{
    return fminf(ond_smoke_axis_left(at.x, go.x),
                 fminf(ond_smoke_axis_left(at.y, go.y), ond_smoke_axis_left(at.z, go.z)));
}

/// Steps of that length to the end of an empty box; at least one.
static inline float ond_smoke_skip(OndF3 at, OndF3 go, float step)
{
    return step * fmaxf(ceilf(ond_smoke_left(at, go) / step), 1.0f);
}

static inline OndF3 ond_smoke_cells(const OndSmokeVolume *s, OndF3 point)
{
    return ond_f3_scale(ond_f3_sub(point, s->first), 1.0f / s->cell);
}

static inline OndF3 ond_smoke_fade(OndF3 loss, float depth)
{
    const float x = expf(-loss.x * depth);
    if (loss.x == loss.y && loss.y == loss.z) return ond_f3(x, x, x);
    return ond_f3(x, expf(-loss.y * depth), expf(-loss.z * depth));
}

/// The density, summed up over a way.
float ond_smoke_depth(const OndSmokeVolume *smoke, const OndWalk *walk, float step);

#endif

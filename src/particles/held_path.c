// SPDX-License-Identifier: MIT
#include "particles/held_path.h"

#include <stddef.h>

// A stretch of the path: from one place to the next, and how far along.
typedef struct Stretch {
    int first;
    double share; // 0 to 1
} Stretch;

static int wrapped(const OndHeldPath *p, int k)
{
    return ((k % p->frames) + p->frames) % p->frames;
}

static double place(const OndHeldPath *p, int k, int particle, int axis)
{
    return p->place[p->loop ? wrapped(p, k) : k][3 * (size_t)particle + (size_t)axis];
}

// Of a unit of one stretch.
static double slope(const OndHeldPath *p, int k, int particle, int axis)
{
    if (!p->loop && (k <= 0 || k >= p->frames - 1)) return 0.0;
    return 0.5 * (place(p, k + 1, particle, axis) - place(p, k - 1, particle, axis));
}

// False: it rests in its first or last place.
static bool find_stretch(const OndHeldPath *p, double time, Stretch *out)
{
    const double at = fmax(time - p->from, 0.0) * p->rate;
    const double along = p->loop ? fmod(at, p->frames) : fmin(at, p->frames - 1);
    const int last = p->loop ? p->frames - 1 : p->frames - 2;
    out->first = along < p->frames ? (int)along : p->frames - 1;
    out->share = along - out->first;
    if (out->first > last) { // the end of one that does not go round
        out->first = p->frames - 1;
        return false;
    }
    return time > p->from && p->frames > 1;
}

void ond_held_path_at(const OndHeldPath *p, int particle, double time, double x[3], double v[3])
{
    Stretch s;
    const bool moves = find_stretch(p, time, &s);
    for (int a = 0; a < 3; ++a) {
        x[a] = place(p, s.first, particle, a);
        if (v) v[a] = 0.0;
        if (!moves) continue;
        const double way = place(p, s.first + 1, particle, a) - x[a];
        const double begin = slope(p, s.first, particle, a);
        const double end = slope(p, s.first + 1, particle, a);
        const double square = 3.0 * way - 2.0 * begin - end, cube = begin + end - 2.0 * way;
        x[a] += s.share * (begin + s.share * (square + s.share * cube));
        if (v) v[a] = p->rate * (begin + s.share * (2.0 * square + 3.0 * s.share * cube));
    }
}

double ond_held_path_fastest(const OndHeldPath *p)
{
    double fastest2 = 0.0;
    for (int k = 0; k < p->frames; ++k)
        for (int half = 0; half < 2; ++half)
            for (int i = 0; i < p->count; ++i) {
                double x[3], v[3];
                ond_held_path_at(p, i, p->from + (k + 0.5 * half + 1e-9) / p->rate, x, v);
                fastest2 = fmax(fastest2, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            }
    return sqrt(fastest2);
}

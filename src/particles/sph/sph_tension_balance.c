// SPDX-License-Identifier: MIT
// What surface tension gives a whole drop: nothing.
//
// Over a closed surface sigma kappa n sums up to nothing, and turns nothing. Of what particles make
// of it by curvature a rest remains, the more the coarser and the odder the drop, which no pair
// gives back: left alone, a drop at rest would swim away. So the rest is taken off each drop, as
// the motion of one rigid body. A drop is what hangs together by neighbour lists. Who touches a
// wall, an image, a solid or something held is left alone: those bear their part.
#include "particles/sph/sph_solids.h"
#include "particles/sph/sph_state.h"

#define ALONE UINT32_MAX // of no drop that is balanced

enum { MASS, AT = 1, PUSH = 4, TURN = 7, SPREAD = 10, SUMS = 16 }; // of a drop

// ---- drops: the first of its particles stands for a drop

static uint32_t first_of(uint32_t *drop, uint32_t i)
{
    while (drop[i] != i) {
        drop[i] = drop[drop[i]]; // halves the way for the next
        i = drop[i];
    }
    return i;
}

static void join(uint32_t *drop, uint32_t i, uint32_t j)
{
    const uint32_t a = first_of(drop, i), b = first_of(drop, j);
    if (a < b)
        drop[b] = a;
    else
        drop[a] = b;
}

static void join_neighbours(OndSph *s)
{
    const uint32_t n = (uint32_t)s->fields.count;
    for (uint32_t i = 0; i < n; ++i)
        s->drop[i] = i;
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t e = 0; e < s->lists.length[i]; ++e) {
            const uint32_t j = s->lists.pool[s->lists.first[i] + e];
            if (j > i && j < n) join(s->drop, i, j);
        }
}

static bool is_held_back(const OndSph *s, uint32_t i)
{
    const uint32_t n = (uint32_t)s->fields.count;
    if (s->held[i] || (s->solids && s->solids->slot[i] >= 0)) return true;
    for (uint32_t e = 0; e < s->lists.length[i]; ++e)
        if (s->lists.pool[s->lists.first[i] + e] >= n) return true;
    return false;
}

// Numbers those that are balanced; `drop` then holds that number for each of their particles.
// `bend` is done with by now, and lends its room: of a drop's first particle, whether it is held
// back.
static int number_drops(OndSph *s)
{
    const uint32_t n = (uint32_t)s->fields.count;
    uint32_t *const drop = s->drop;
    float *const back = s->bend;
    int count = 0;
    for (uint32_t i = 0; i < n; ++i)
        back[i] = 0.0f;
    for (uint32_t i = 0; i < n; ++i) {
        drop[i] = first_of(drop, i); // all before it know theirs already
        if (!(back[drop[i]] > 0.0f) && is_held_back(s, i)) back[drop[i]] = 1.0f;
    }
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t first = drop[i];
        if (first == i)
            drop[i] = back[i] > 0.0f ? ALONE : (uint32_t)count++;
        else
            drop[i] = drop[first]; // the first comes before the others, and is numbered
    }
    return count;
}

// ---- their sums

static void add_particle(const OndSph *s, int i, double sum[SUMS])
{
    const double m = s->mass[s->material[i]];
    sum[MASS] += m;
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        const double x = s->x[a][i], y = s->x[c][i], z = s->x[d][i];
        sum[AT + a] += m * x;
        sum[PUSH + a] += m * s->normal[a][i];
        sum[TURN + a] += m * (y * s->normal[d][i] - z * s->normal[c][i]);
        sum[SPREAD + a] += m * x * x;
        sum[SPREAD + 3 + a] += m * y * z;
    }
}

// The turning acceleration of a body of these sums that `turn` would give it; none about a line.
static void solve_turn(const double sum[SUMS], const double centre[3], const double turn[3],
                       double out[3])
{
    double inertia[3][3], size = 0;
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        inertia[a][a] = sum[SPREAD + c] + sum[SPREAD + d] -
                        sum[MASS] * (centre[c] * centre[c] + centre[d] * centre[d]);
        inertia[c][d] = inertia[d][c] = sum[MASS] * centre[c] * centre[d] - sum[SPREAD + 3 + a];
        size = fmax(size, inertia[a][a]);
    }
    double inverse[3][3], det = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            const int c = (a + 1) % 3, d = (a + 2) % 3, e = (b + 1) % 3, f = (b + 2) % 3;
            inverse[a][b] = inertia[c][e] * inertia[d][f] - inertia[c][f] * inertia[d][e];
        }
    for (int a = 0; a < 3; ++a)
        det += inertia[0][a] * inverse[0][a];
    for (int a = 0; a < 3; ++a) {
        out[a] = 0;
        for (int b = 0; b < 3 && det > 1e-9 * size * size * size; ++b)
            out[a] += inverse[a][b] * turn[b] / det;
    }
}

// From sums to the motion that is taken off: centre, push, and turning, in their places.
static void solve_motion(double sum[SUMS])
{
    double centre[3], turn[3], about[3];
    for (int a = 0; a < 3; ++a)
        centre[a] = sum[AT + a] / sum[MASS];
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        turn[a] = sum[TURN + a] - centre[c] * sum[PUSH + d] + centre[d] * sum[PUSH + c];
    }
    solve_turn(sum, centre, turn, about);
    for (int a = 0; a < 3; ++a) {
        sum[AT + a] = centre[a];
        sum[PUSH + a] /= sum[MASS];
        sum[TURN + a] = about[a];
    }
}

static void take_off(OndSph *s, int i, const double *motion)
{
    double from[3];
    for (int a = 0; a < 3; ++a)
        from[a] = s->x[a][i] - motion[AT + a];
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        const double turned = motion[TURN + c] * from[d] - motion[TURN + d] * from[c];
        s->normal[a][i] -= (float)(motion[PUSH + a] + turned);
    }
}

void ond_sph_tension_balance(OndSph *s)
{
    const int n = s->fields.count;
    join_neighbours(s);
    const int drops = number_drops(s);
    // without memory for the sums the step ends in ond_sph_limits, which asks for them next
    double *const sum = drops > 0 ? ond_sph_sums(s, SUMS * drops) : NULL;
    if (!sum) return;
    for (int k = 0; k < SUMS * drops; ++k)
        sum[k] = 0;
    for (int i = 0; i < n; ++i)
        if (s->drop[i] != ALONE) add_particle(s, i, sum + (ptrdiff_t)SUMS * s->drop[i]);
    for (int k = 0; k < drops; ++k)
        solve_motion(sum + (ptrdiff_t)SUMS * k);
    for (int i = 0; i < n; ++i)
        if (s->drop[i] != ALONE) take_off(s, i, sum + (ptrdiff_t)SUMS * s->drop[i]);
}

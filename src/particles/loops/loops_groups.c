// SPDX-License-Identifier: MIT
// The loops over groups that move stiffly, six numbers each (particles/rigid/rigid_gather.c, rigid_cycle.c).
#include "particles/loops/loops.h"

#include <string.h>

// ---- what links tie them with

typedef double Four __attribute__((vector_size(32), aligned(8)));

// Adds the upper half of row row^T, in six fours: rows 0 and 1 up to column 3, both from there on; rows 2 and 3
// from column 2; rows 4 and 5 from column 4.
OND_INLINE void add_square(double *restrict at, const double row[6])
{
    const double a = row[0], b = row[1], c = row[2], d = row[3], e = row[4], f = row[5];
    Four *const sum = (Four *)at;
    const Four low = {a, b, c, d}, high = {c, d, e, f}, end = {e, f, e, f};
    sum[0] += low * a;
    sum[1] += low * b;
    sum[2] += end * (Four){a, a, b, b};
    sum[3] += high * c;
    sum[4] += high * d;
    sum[5] += end * (Four){e, e, f, f};
}

#define AHEAD 2

// The block of the neighbour `other`, which says itself whether it is meant.
OND_INLINE uint32_t take_seat(const OndTieLoop *l, OndSeats *seats, uint32_t other)
{
    const uint32_t block = seats->at[other];
    if (block - seats->first < seats->count && l->other[block] == other) return block;
    const uint32_t fresh = seats->first + seats->count++;
    seats->at[other] = fresh;
    l->other[fresh] = other;
    memset(l->link[fresh], 0, 24 * sizeof(double));
    return fresh;
}

OND_INLINE void tie_one(const OndTieLoop *l, OndSeats *seats, int k, int i)
{
    const double *const c = l->center[k];
    const double x = 0.5 * (double)l->px[i] - c[0], y = 0.5 * (double)l->py[i] - c[1],
                 z = 0.5 * (double)l->pz[i] - c[2];
    for (uint32_t e = l->first[i]; e < l->first[i] + l->length[i]; ++e) {
        const uint32_t j = l->near[e];
        const int other = l->home[j];
        if (other == k) continue; // itself as well, with which lists are filled up
        const double gx = l->gx[e], gy = l->gy[e], gz = l->gz[e];
        const double rx = x + 0.5 * (double)l->px[j], ry = y + 0.5 * (double)l->py[j],
                     rz = z + 0.5 * (double)l->pz[j];
        const double row[6] = {gx, gy, gz, ry * gz - rz * gy, rz * gx - rx * gz, rx * gy - ry * gx};
        add_square(other >= 0 ? l->link[take_seat(l, seats, (uint32_t)other)] : l->tie[k], row);
    }
}

// Members of a group are scattered, and so are their links: what the next ones need is asked for early.
OND_INLINE void fetch(const OndTieLoop *l, int i)
{
    const uint32_t first = l->first[i], last = first + l->length[i];
    for (uint32_t e = first; e < last; e += 16) { // a line of the cache
        __builtin_prefetch(&l->near[e]);
        __builtin_prefetch(&l->gx[e]);
        __builtin_prefetch(&l->gy[e]);
        __builtin_prefetch(&l->gz[e]);
    }
}

void OND_LOOP(tie)(const OndTieLoop *l, OndSeats *seats, int k, const int *member, int count);
void OND_LOOP(tie)(const OndTieLoop *l, OndSeats *seats, int k, const int *member, int count)
{
    for (int n = 0; n < count; ++n) {
        if (n + AHEAD < count) fetch(l, member[n + AHEAD]);
        tie_one(l, seats, k, member[n]);
    }
}

// Where a half has what stands in row a and column b, a <= b.
static const unsigned char place[6][6] = {{0, 1, 2, 3, 8, 9},      {1, 5, 6, 7, 10, 11},
                                          {2, 6, 12, 13, 14, 15},  {3, 7, 13, 17, 18, 19},
                                          {8, 10, 14, 18, 20, 21}, {9, 11, 15, 19, 21, 23}};

OND_INLINE void unfold(const double *half, double *whole)
{
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b)
            whole[6 * a + b] = half[place[a][b]];
}

// From sums of row row^T to what they are in the system: own block, and that between both, column by column.
void OND_LOOP(share)(const OndTieLoop *l, const OndSeats *seats, int k);
void OND_LOOP(share)(const OndTieLoop *l, const OndSeats *seats, int k)
{
    double sum[36], whole[36];
    const double *const mine = l->center[k];
    unfold(l->tie[k], sum);
    for (uint32_t e = seats->first; e < seats->first + seats->count; ++e) {
        double *restrict const link = l->link[e];
        const double *const theirs = l->center[l->other[e]];
        unfold(link, whole);
        for (int c = 0; c < 36; ++c)
            sum[c] += whole[c], link[c] = -whole[c];
        for (int a = 0; a < 3; ++a) {
            const int p = (a + 1) % 3, q = (a + 2) % 3;
            const double dp = mine[p] - theirs[p], dq = mine[q] - theirs[q];
            for (int b = 0; b < 6; ++b)
                link[6 * (3 + a) + b] -= dp * whole[6 * q + b] - dq * whole[6 * p + b];
        }
    }
    memcpy(l->tie[k], sum, sizeof sum);
}

void OND_LOOP(carry)(double block[36], const double m[36], const double d[3], const double e[3]);
void OND_LOOP(carry)(double block[36], const double m[36], const double d[3], const double e[3])
{
    double half[36]; // m U: columns of spin get m's columns of shift, crossed with e
    for (int a = 0; a < 6; ++a)
        for (int c = 0; c < 3; ++c) {
            const int p = (c + 1) % 3, q = (c + 2) % 3;
            half[6 * a + c] = m[6 * a + c];
            half[6 * a + 3 + c] = m[6 * a + 3 + c] + (e[p] * m[6 * a + q] - e[q] * m[6 * a + p]);
        }
    for (int k = 0; k < 36; ++k)
        block[k] += half[k];
    for (int c = 0; c < 3; ++c) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        for (int b = 0; b < 6; ++b)
            block[6 * (3 + c) + b] += d[p] * half[6 * q + b] - d[q] * half[6 * p + b];
    }
}

// ---- a cycle's passes

#define WIDE 8 // of six rows, two are not looked at

// sum += scale m x
static inline void add_block(const double *restrict m, const double *restrict x, double scale,
                             double *restrict sum)
{
    for (int b = 0; b < 6; ++b) {
        const double by = scale * x[b];
        for (int a = 0; a < WIDE; ++a) // eight lanes: unrolled into vectors without being asked
            sum[a] += by * m[6 * b + a];
    }
}

static inline void leave_one(const OndGroupLoop *l, int k, double sum[WIDE])
{
    for (int a = 0; a < 6; ++a)
        sum[a] = l->right[6 * k + a];
    sum[6] = sum[7] = 0.0;
    add_block(l->own + (size_t)36 * (size_t)k, l->x + 6 * k, -1.0, sum);
    for (uint32_t e = l->first[k]; e < l->first[k] + l->length[k]; ++e)
        add_block(l->link + (size_t)36 * e, l->x + 6 * l->near[e], -1.0, sum);
}

void OND_LOOP(leave)(const OndGroupLoop *l, int first, int last);
void OND_LOOP(leave)(const OndGroupLoop *l, int first, int last)
{
    for (int k = first; k < last; ++k) {
        double sum[WIDE];
        leave_one(l, k, sum);
        for (int a = 0; a < 6; ++a)
            l->out[6 * k + a] = sum[a];
    }
}

void OND_LOOP(relax)(const OndGroupLoop *l, int first, int last);
void OND_LOOP(relax)(const OndGroupLoop *l, int first, int last)
{
    for (int k = first; k < last; ++k) {
        double sum[WIDE], by[WIDE] = {0};
        leave_one(l, k, sum);
        add_block(l->inverse + (size_t)36 * (size_t)k, sum, l->step, by);
        for (int a = 0; a < 6; ++a)
            l->out[6 * k + a] = by[a];
    }
}

void OND_LOOP(begin)(const OndGroupLoop *l, int first, int last);
void OND_LOOP(begin)(const OndGroupLoop *l, int first, int last)
{
    for (int k = first; k < last; ++k) {
        double by[WIDE] = {0};
        add_block(l->inverse + (size_t)36 * (size_t)k, l->right + 6 * k, l->step, by);
        for (int a = 0; a < 6; ++a)
            l->x[6 * k + a] = by[a];
    }
}

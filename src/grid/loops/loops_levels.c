// SPDX-License-Identifier: MIT
// Between a grid and the next coarser one, whose cells have two of its own along each axis.
//
// A fine cell takes the value C of the cell it lies in, bent a quarter of the way towards the
// neighbours on its side:
//
//     f = C + 1/4 sum over axes  open (C_neighbour - C)
//
// which is exact for linear functions where faces are open, and takes C alone where they are
// closed, so that nothing passes through walls. What is given next door counts as 0: these are
// corrections. `collect` is exactly the transpose of `spread` (times `scale`), as a symmetric
// preconditioner needs.
#include "grid/loops/loops.h"

#define SHARE (0.25f / OND_FACE_OPEN)

// ---- coarse to fine

typedef struct Spread {
    const float *c, *cy, *cz;    // coarse rows: own, and the neighbours on the fine row's side
    const uint8_t *wx, *wy, *wz; // coarse faces: lower ones, and those towards cy and cz
    ptrdiff_t cell;              // 1 (see loops_stencil.c)
    const float *diagonal;       // of the fine row: what is no unknown stays 0
} Spread;

OND_GRID_INLINE void spread_row(const Spread *s, float *restrict fine, int count, const bool deep)
{
    const float *restrict c = s->c, *restrict cy = s->cy, *restrict cz = s->cz;
    const uint8_t *restrict wx = s->wx, *restrict wy = s->wy, *restrict wz = s->wz;
    const float *restrict diagonal = s->diagonal;
    const ptrdiff_t cell = s->cell;
#pragma omp simd
    for (int i = 0; i < count; ++i) {
        const float here = c[i];
        float mid = here + SHARE * (float)wy[i] * (cy[i] - here);
        if (deep) mid += SHARE * (float)wz[i] * (cz[i] - here);
        const float left = mid + SHARE * (float)wx[i] * (c[i - cell] - here);
        const float right = mid + SHARE * (float)wx[i + 1] * (c[i + cell] - here);
        fine[2 * i] += diagonal[2 * i] > 0.0f ? left : 0.0f;
        fine[2 * i + 1] += diagonal[2 * i + 1] > 0.0f ? right : 0.0f;
    }
}

// With an odd number of cells the last pair ends in a ghost, which is no unknown.
OND_GRID_INLINE void spread_to(const OndGridLoop *l, int r, const bool deep)
{
    const OndMatrix *m = l->coarse;
    const OndGrid *fine = &l->matrix->grid, *coarse = &m->grid;
    const int j = r % fine->n[1], k = r / fine->n[1], up = j & 1, above = k & 1;
    const size_t c = ond_grid_at(coarse, 0, j / 2, deep ? k / 2 : 0);
    const size_t cy = up ? c + (size_t)coarse->row : c - (size_t)coarse->row;
    const size_t cz = !deep ? c : above ? c + (size_t)coarse->plane : c - (size_t)coarse->plane;
    const Spread s = {l->a + c,
                      l->a + cy,
                      l->a + cz,
                      m->face[0] + c,
                      m->face[1] + (up ? cy : c),
                      deep ? m->face[2] + (above ? cz : c) : NULL,
                      coarse->cell,
                      l->matrix->diagonal + ond_grid_row(fine, r)};
    spread_row(&s, l->x + ond_grid_row(fine, r), coarse->n[0], deep);
}

double OND_GRID_LOOP(spread)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(spread)(OndGridLoop *l, int first, int last)
{
    for (int r = first; r < last; ++r)
        if (l->matrix->grid.deep)
            spread_to(l, r, true);
        else
            spread_to(l, r, false);
    return 0.0;
}

// ---- fine to coarse

// Fine rows: the four that lie in a row of coarse cells (two in 2D), those beside them below and
// above along y (in each of the two planes), and along z (in each of the two rows).
typedef struct Collect {
    const float *own[4]; // (low y, low z), (high y, low z), (low y, high z), (high y, high z)
    const float *south[2], *north[2], *below[2], *above[2];
    const uint8_t *wx, *south_w, *north_w, *below_w, *above_w;
} Collect;

// The sums of a fine column are taken first along z, then along y.
OND_GRID_INLINE void collect_row(const Collect *s, float *restrict out, int count, float scale,
                                 const bool deep)
{
    const float *restrict ll = s->own[0], *restrict hl = s->own[1];
    const float *restrict lh = s->own[2], *restrict hh = s->own[3];
    const float *restrict s0 = s->south[0], *restrict s1 = s->south[1];
    const float *restrict n0 = s->north[0], *restrict n1 = s->north[1];
    const float *restrict b0 = s->below[0], *restrict b1 = s->below[1];
    const float *restrict a0 = s->above[0], *restrict a1 = s->above[1];
    const uint8_t *restrict wx = s->wx, *restrict ws = s->south_w, *restrict wn = s->north_w;
    const uint8_t *restrict wb = s->below_w, *restrict wa = s->above_w;
#define PAIR(row)  (row[i] + row[i + 1])
#define COLUMN(at) (deep ? (ll[at] + hl[at]) + (lh[at] + hh[at]) : ll[at] + hl[at])
#pragma omp simd
    for (int c = 0; c < count; ++c) {
        const int i = 2 * c;
        const float low = COLUMN(i), high = COLUMN(i + 1);
        float bent =
            (float)wx[c] * (COLUMN(i - 1) - low) + (float)wx[c + 1] * (COLUMN(i + 2) - high);
        float south = PAIR(s0) - PAIR(ll), north = PAIR(n0) - PAIR(hl);
        if (deep) {
            south += PAIR(s1) - PAIR(lh);
            north += PAIR(n1) - PAIR(hh);
            bent += (float)wb[c] * (PAIR(b0) + PAIR(b1) - PAIR(ll) - PAIR(hl));
            bent += (float)wa[c] * (PAIR(a0) + PAIR(a1) - PAIR(lh) - PAIR(hh));
        }
        bent += (float)ws[c] * south + (float)wn[c] * north;
        out[c] = scale * (low + high + SHARE * bent);
    }
#undef PAIR
#undef COLUMN
}

// Rows past the ghosts are taken to be the ghosts: both hold zeros, or are behind a closed face.
OND_GRID_INLINE void collect_to(const OndGridLoop *l, int r, const bool deep)
{
    const OndMatrix *m = l->coarse;
    const OndGrid *fine = &l->matrix->grid, *coarse = &m->grid;
    const int j = r % coarse->n[1], k = r / coarse->n[1];
    const int j0 = 2 * j, j1 = j0 + 1, j2 = j0 + 2 > fine->n[1] ? fine->n[1] : j0 + 2;
    const int k0 = deep ? 2 * k : 0, k1 = deep ? k0 + 1 : 0;
    const int k2 = k0 + 2 > fine->n[2] ? fine->n[2] : k0 + 2;
    const float *a = l->a;
    const size_t c = ond_grid_at(coarse, 0, j, k);
    Collect s = {
        .own = {a + ond_grid_at(fine, 0, j0, k0), a + ond_grid_at(fine, 0, j1, k0),
                a + ond_grid_at(fine, 0, j0, k1), a + ond_grid_at(fine, 0, j1, k1)},
        .south = {a + ond_grid_at(fine, 0, j0 - 1, k0), a + ond_grid_at(fine, 0, j0 - 1, k1)},
        .north = {a + ond_grid_at(fine, 0, j2, k0), a + ond_grid_at(fine, 0, j2, k1)},
        .wx = m->face[0] + c,
        .south_w = m->face[1] + c,
        .north_w = m->face[1] + c + coarse->row};
    if (deep) {
        s.below[0] = a + ond_grid_at(fine, 0, j0, k0 - 1);
        s.below[1] = a + ond_grid_at(fine, 0, j1, k0 - 1);
        s.above[0] = a + ond_grid_at(fine, 0, j0, k2);
        s.above[1] = a + ond_grid_at(fine, 0, j1, k2);
        s.below_w = m->face[2] + c;
        s.above_w = m->face[2] + c + coarse->plane;
    }
    collect_row(&s, l->x + c, coarse->n[0], l->scale, deep);
}

double OND_GRID_LOOP(collect)(OndGridLoop *l, int first, int last);
double OND_GRID_LOOP(collect)(OndGridLoop *l, int first, int last)
{
    for (int r = first; r < last; ++r)
        if (l->matrix->grid.deep)
            collect_to(l, r, true);
        else
            collect_to(l, r, false);
    return 0.0;
}

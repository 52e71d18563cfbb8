// SPDX-License-Identifier: MIT
// Which way is out of the liquid, as one particle sees it.
//
// The mean of its neighbours lies on the side of the liquid: out is away from it. In a sheet or a
// thread of few particles the mean is in the middle and says nothing; there the spread of the
// neighbours tells how the sheet lies, and both sides are out.
#include "surface/fields/variational_place.h"

#include <string.h>

#define OFF_CENTRE 0.15 // sizes between a particle and the mean of what is round it: one-sided
#define FLAT       0.25 // of the second spread is the least of a sheet at most
#define TURNS      12

void ond_around_find(OndAround *around, const OndPoints *p, int i, double reach)
{
    const double at[3] = {p->x[i], p->y[i], p->z[i]};
    double min[3], max[3];
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - reach, max[a] = at[a] + reach;
    around->count = 0;
    OndBinWalk near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t j = run.first; j < run.last && around->count < OND_AROUND; ++j) {
            const double x = p->x[j] - at[0], y = p->y[j] - at[1], z = p->z[j] - at[2];
            if (x * x + y * y + z * z > reach * reach || (int)j == i) continue;
            double *to = around->x[around->count];
            to[0] = x, to[1] = y, to[2] = z;
            around->index[around->count] = j;
            around->radius[around->count++] = 0.5 * p->size[j];
        }
}

// ---- the spread

static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (fabs(a[p][q]) < 1e-300) return;
    const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; ++k) {
        const double x = a[p][k], y = a[q][k], vx = v[p][k], vy = v[q][k];
        a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        v[p][k] = c * vx - s * vy, v[q][k] = s * vx + c * vy;
    }
}

static void swap_rows(double a[3], double b[3])
{
    for (int k = 0; k < 3; ++k) {
        const double keep = a[k];
        a[k] = b[k], b[k] = keep;
    }
}

// Jacobi's turns until `spread` is diagonal; rows of `axis` then go from the thinnest way on.
static void principal_axes(double spread[3][3], double axis[3][3])
{
    for (int turn = 0; turn < TURNS; ++turn)
        rotate(spread, axis, turn % 3 == 2 ? 1 : 0, turn % 3 == 0 ? 1 : 2);
    double width[3] = {spread[0][0], spread[1][1], spread[2][2]}; // comes back sorted
    for (int a = 0; a < 2; ++a)
        for (int b = a + 1; b < 3; ++b)
            if (width[b] < width[a]) {
                const double keep = width[a];
                width[a] = width[b], width[b] = keep;
                swap_rows(axis[a], axis[b]);
            }
    for (int a = 0; a < 3; ++a)
        spread[a][a] = width[a];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// `a` less what it has of the unit vector `n`, made one long; false when nothing is left.
static bool straighten(double a[3], const double n[3])
{
    const double along = dot(a, n);
    for (int k = 0; k < 3; ++k)
        a[k] -= along * n[k];
    const double length = sqrt(dot(a, a));
    if (!(length > 0.3)) return false;
    for (int k = 0; k < 3; ++k)
        a[k] /= length;
    return true;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// The first axis becomes `n`, the second the thinnest way across it.
static void face(OndFacing *f, const double n[3])
{
    double across[3];
    for (int k = 0; k < 3; ++k) { // one of three unit vectors at right angles is far from n
        memcpy(across, f->axis[k], sizeof across);
        if (straighten(across, n)) break;
    }
    memcpy(f->axis[0], n, sizeof f->axis[0]);
    memcpy(f->axis[1], across, sizeof across);
    cross(f->axis[0], f->axis[1], f->axis[2]);
}

OndFacing ond_facing_find(const OndAround *around, double size, int dimension)
{
    OndFacing f = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double spread[3][3] = {{0}}, mean[3] = {0}, weight = 1.0; // the particle's own
    for (int j = 0; j < around->count; ++j) {
        const double *x = around->x[j], h = 4.0 * around->radius[j];
        const double rest = 1.0 - dot(x, x) / (h * h), w = rest > 0.0 ? rest * rest * rest : 0.0;
        weight += w;
        for (int a = 0; a < 3; ++a) {
            mean[a] += w * x[a];
            for (int b = 0; b < 3; ++b)
                spread[a][b] += w * x[a] * x[b];
        }
    }
    if (dimension == 2) spread[2][2] = HUGE_VAL; // stays last
    if (around->count > 0) principal_axes(spread, f.axis);
    const double off = sqrt(dot(mean, mean));
    f.out = off > OFF_CENTRE * size * weight;
    f.sheet = !f.out && spread[0][0] < FLAT * spread[1][1];
    if (!f.out) return f;
    for (int a = 0; a < 3; ++a)
        mean[a] /= -off;
    face(&f, mean);
    return f;
}

// SPDX-License-Identifier: MIT
#include "surface/fields/field_loops.h"
#include "surface/loops.h"

// ---- neighbours

static void moments(const OndNeighbourArrays *n, const float at[3], float inv_r2, OndMoments *out)
{
    const float ax = at[0], ay = at[1], az = at[2];
    float w0 = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;
    float xx = 0.0f, yy = 0.0f, zz = 0.0f, xy = 0.0f, xz = 0.0f, yz = 0.0f;
#pragma omp simd reduction(+ : w0, x, y, z, xx, yy, zz, xy, xz, yz)
    for (int k = 0; k < n->count; ++k) {
        const float dx = n->x[k] - ax, dy = n->y[k] - ay, dz = n->z[k] - az;
        const float q2 = (dx * dx + dy * dy + dz * dz) * inv_r2, rest = 1.0f - q2 * q2;
        const float w = (rest > 0.0f ? rest : 0.0f) * n->volume[k];
        const float wx = w * dx, wy = w * dy, wz = w * dz;
        w0 += w, x += wx, y += wy, z += wz;
        xx += wx * dx, yy += wy * dy, zz += wz * dz;
        xy += wx * dy, xz += wx * dz, yz += wy * dz;
    }
    out->w += w0, out->x += x, out->y += y, out->z += z;
    out->xx += xx, out->yy += yy, out->zz += zz;
    out->xy += xy, out->xz += xz, out->yz += yz;
}

static void pulls(const OndNeighbourArrays *n, const float at[3], const float pull[3],
                  const float inv_square[2], float out[4])
{
    const float ax = at[0], ay = at[1], az = at[2], ux = pull[0], uy = pull[1], uz = pull[2];
    const float inv_r2 = inv_square[0], inv_like = inv_square[1];
    float w0 = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;
#pragma omp simd reduction(+ : w0, x, y, z)
    for (int k = 0; k < n->count; ++k) {
        const float dx = n->x[k] - ax, dy = n->y[k] - ay, dz = n->z[k] - az;
        const float ex = n->px[k] - ux, ey = n->py[k] - uy, ez = n->pz[k] - uz;
        const float q2 = (dx * dx + dy * dy + dz * dz) * inv_r2, near = 1.0f - q2 * q2;
        const float like = 1.0f - (ex * ex + ey * ey + ez * ez) * inv_like;
        const float a = like > 0.0f ? like : 0.0f;
        const float w = (near > 0.0f ? near : 0.0f) * a * a * n->volume[k];
        w0 += w, x += w * n->px[k], y += w * n->py[k], z += w * n->pz[k];
    }
    out[0] += w0, out[1] += x, out[2] += y, out[3] += z;
}

// ---- ellipsoids on nodes

#define PART 256 // ellipsoids whose places are found together

typedef struct EllipsoidPlaces {
    float at[3][PART], extent[3][PART]; // in cells from the first node
    int meets[PART];
} EllipsoidPlaces;

static void find_places(const OndEllipsoidArrays *e, uint32_t first, int count,
                        const OndNodes *nodes, EllipsoidPlaces *p)
{
    const float inv = 1.0f / nodes->cell;
    for (int k = 0; k < count; ++k)
        p->meets[k] = 1;
    for (int a = 0; a < 3; ++a) {
        const float *restrict centre = e->centre[a] + first, *restrict extent =
                                                                 e->extent[a] + first;
        float *restrict at = p->at[a], *restrict half = p->extent[a];
        int *restrict meets = p->meets;
        const float high = nodes->start.high[a], low = nodes->start.low[a];
        const float last = (float)(nodes->n[a] - 1);
#pragma omp simd
        for (int k = 0; k < count; ++k) {
            const float x = ((centre[k] - high) - low) * inv, h = extent[k] * inv;
            at[k] = x, half[k] = h;
            meets[k] &= (x > -h) & (x < last + h);
        }
    }
}

// Along a row 1 - q^2 is c - (a dx + b) dx.
static inline void add_ellipsoid(const float m[6], float weight, const float at[3],
                                 const float extent[3], OndNodes *nodes)
{
    const OndNodeSpan ys = ond_span_of(at[1], extent[1], nodes->n[1]);
    const OndNodeSpan zs = ond_span_of(at[2], extent[2], nodes->n[2]);
    float dx[OND_BLOCK], square[OND_BLOCK];
    for (int i = 0; i < OND_BLOCK; ++i)
        dx[i] = (float)i - at[0], square[i] = m[0] * dx[i] * dx[i];
    for (int k = zs.first; k < zs.last; ++k)
        for (int j = ys.first; j < ys.last; ++j) {
            const float dy = (float)j - at[1], dz = (float)k - at[2];
            const float b = 2.0f * (m[3] * dy + m[4] * dz);
            const float c = 1.0f - (m[1] * dy * dy + (m[2] * dz + 2.0f * m[5] * dy) * dz);
            if (4.0f * m[0] * c + b * b <= 0.0f) continue; // the row misses it
            float *restrict row = nodes->value[k * OND_BLOCK + j];
#pragma omp simd
            for (int i = 0; i < OND_BLOCK; ++i) {
                const float rest = c - square[i] - b * dx[i], r = rest > 0.0f ? rest : 0.0f;
                row[i] += weight * r * r * r;
            }
        }
}

static void splat(const OndEllipsoidArrays *e, uint32_t first, uint32_t last, OndNodes *nodes)
{
    EllipsoidPlaces p;
    const float unit = nodes->cell * nodes->cell;
    for (uint32_t part = first; part < last; part += PART) {
        const int count = (int)(last - part < PART ? last - part : PART);
        find_places(e, part, count, nodes, &p);
        for (int k = 0; k < count; ++k) {
            if (!p.meets[k]) continue;
            const float at[3] = {p.at[0][k], p.at[1][k], p.at[2][k]};
            const float extent[3] = {p.extent[0][k], p.extent[1][k], p.extent[2][k]};
            float m[6];
            for (int q = 0; q < 6; ++q)
                m[q] = e->inverse[q][part + (uint32_t)k] * unit;
            add_ellipsoid(m, e->weight[part + (uint32_t)k], at, extent, nodes);
        }
    }
}

static void at_place(const OndEllipsoidArrays *e, uint32_t first, uint32_t last,
                     const OndSplitPlace *place, float out[4])
{
    const float *restrict cx = e->centre[0], *restrict cy = e->centre[1];
    const float *restrict cz = e->centre[2], *restrict weight = e->weight;
    const float *restrict xx = e->inverse[0], *restrict yy = e->inverse[1];
    const float *restrict zz = e->inverse[2], *restrict xy = e->inverse[3];
    const float *restrict xz = e->inverse[4], *restrict yz = e->inverse[5];
    const float hx = place->high[0], hy = place->high[1], hz = place->high[2];
    const float lx = place->low[0], ly = place->low[1], lz = place->low[2];
    float value = 0.0f, gx = 0.0f, gy = 0.0f, gz = 0.0f;
#pragma omp simd reduction(+ : value, gx, gy, gz)
    for (uint32_t i = first; i < last; ++i) {
        const float dx = (hx - cx[i]) + lx, dy = (hy - cy[i]) + ly, dz = (hz - cz[i]) + lz;
        const float x = xx[i] * dx + xy[i] * dy + xz[i] * dz;
        const float y = xy[i] * dx + yy[i] * dy + yz[i] * dz;
        const float z = xz[i] * dx + yz[i] * dy + zz[i] * dz;
        const float rest = 1.0f - (dx * x + dy * y + dz * z), r = rest > 0.0f ? rest : 0.0f;
        const float slope = -6.0f * weight[i] * r * r;
        value += weight[i] * r * r * r;
        gx += slope * x, gy += slope * y, gz += slope * z;
    }
    out[0] += value, out[1] += gx, out[2] += gy, out[3] += gz;
}

// ---- averages

static void average(OndSumRow sums, const OndRowLanes *lanes, const float d[3], float inv_r2,
                    float length)
{
#pragma omp simd
    for (int i = 0; i < OND_BLOCK; ++i) {
        const float dx = d[0] - lanes->x[i], dy = d[1] - lanes->y[i], dz = d[2] - lanes->z[i];
        const float rest = 1.0f - (dx * dx + dy * dy + dz * dz) * inv_r2;
        const float a = rest > 0.0f ? rest : 0.0f, g = 6.0f * inv_r2 * a * a, k = a * a * a;
        const float gx = g * dx, gy = g * dy, gz = g * dz;
        float *sum = sums + i;
        sum[OND_SUM_K * OND_BLOCK] += k, sum[OND_SUM_L * OND_BLOCK] += k * length;
        sum[OND_SUM_X * OND_BLOCK] += k * dx, sum[(OND_SUM_X + 1) * OND_BLOCK] += k * dy;
        sum[(OND_SUM_X + 2) * OND_BLOCK] += k * dz;
        sum[OND_SUM_GX * OND_BLOCK] += gx, sum[(OND_SUM_GX + 1) * OND_BLOCK] += gy;
        sum[(OND_SUM_GX + 2) * OND_BLOCK] += gz;
        sum[OND_SUM_XX * OND_BLOCK] += gx * dx, sum[(OND_SUM_XX + 1) * OND_BLOCK] += gy * dy;
        sum[(OND_SUM_XX + 2) * OND_BLOCK] += gz * dz;
        sum[(OND_SUM_XX + 3) * OND_BLOCK] += gx * dy;
        sum[(OND_SUM_XX + 4) * OND_BLOCK] += gx * dz;
        sum[(OND_SUM_XX + 5) * OND_BLOCK] += gy * dz;
    }
}

extern const OndFieldLoops OND_SURFACE_JOIN(ond_field_loops, OND_ISA);
const OndFieldLoops OND_SURFACE_JOIN(ond_field_loops, OND_ISA) = {
    .moments = moments,
    .pulls = pulls,
    .splat = splat,
    .at = at_place,
    .average = average,
};

// SPDX-License-Identifier: MIT
#include "surface/fields/ellipsoids_form.h"

#define ROUND 0.125f // share of the unit matrix in S: at most 3 times as wide as thick
#define LIKE  0.4f   // means farther apart than this, sizes, are not alike

static const struct {
    float spread;      // variance of 1 - q^4 along an axis where liquid fills space, of R^2
    float few, enough; // share of the full density (points.h): spheres below, turned above
} inside[2] = {{0.1875f, 0.40f, 0.58f}, // 2D
               {0.155556f, 0.26f, 0.62f}};

static void take_positions(const OndCrowd *crowd, OndNeighbourArrays *n)
{
    const OndPoints *p = crowd->points;
    n->count = crowd->count;
    for (int k = 0; k < crowd->count; ++k) {
        const uint32_t j = crowd->index[k];
        n->x[k] = p->x[j], n->y[k] = p->y[j], n->z[k] = p->z[j];
        n->volume[k] = ond_points_rest_volume(p, j);
    }
}

// The inverse of S (order xx yy zz xy xz yz), and the volume of its ellipsoid as a share of a unit
// ball's. In 2D nothing depends on z.
static float invert(const float s[6], int dimension, float out[6])
{
    if (dimension == 2) {
        const float det = s[0] * s[1] - s[3] * s[3], inv = 1.0f / det;
        out[0] = s[1] * inv, out[1] = s[0] * inv, out[3] = -s[3] * inv;
        out[2] = out[4] = out[5] = 0.0f;
        return sqrtf(det);
    }
    const float a = s[1] * s[2] - s[5] * s[5], b = s[4] * s[5] - s[3] * s[2],
                c = s[3] * s[5] - s[4] * s[1];
    const float det = s[0] * a + s[3] * b + s[4] * c, inv = 1.0f / det;
    out[0] = a * inv, out[3] = b * inv, out[4] = c * inv;
    out[1] = (s[0] * s[2] - s[4] * s[4]) * inv;
    out[2] = (s[0] * s[1] - s[3] * s[3]) * inv;
    out[5] = (s[3] * s[4] - s[0] * s[5]) * inv;
    return sqrtf(det);
}

// What the weight of a lone particle is multiplied by.
static float lone_weight(const OndEllipsoidMake *m, float size)
{
    const double q = ond_field_ball(m->field, size) / OND_ELLIPSOID_LONE, rest = 1.0 - q * q;
    return (float)(m->field->def.threshold / (m->lone * rest * rest * rest));
}

static void write_form(const OndEllipsoidMake *m, uint32_t i, const float s[6], float turned)
{
    const OndEllipsoidArrays *own = &m->e->own;
    const uint32_t k = m->e->before[i];
    float inverse[6];
    const float volume = invert(s, m->points->dimension, inverse);
    const float lone = turned < 1.0f ? lone_weight(m, m->points->size[i]) : 1.0f;
    own->weight[k] = m->kernel * ond_points_rest_volume(m->points, i) / volume *
                     (turned + (1.0f - turned) * lone);
    for (int a = 0; a < 3; ++a)
        own->extent[a][k] = sqrtf(s[a]);
    for (int q = 0; q < 6; ++q)
        own->inverse[q][k] = inverse[q];
}

static void form(const OndEllipsoidMake *m, uint32_t i, const OndMoments *sum)
{
    const OndPoints *p = m->points;
    const int d = p->dimension - 2;
    const float size = p->size[i], h = m->e->radius * size, inv = 1.0f / sum->w;
    const float turned = ond_ellipsoid_ramp(ond_points_rest_volume(p, i) / p->volume[i],
                                            inside[d].few, inside[d].enough);
    const float mean[3] = {sum->x * inv, sum->y * inv, sum->z * inv};
    const float wide =
        turned * h * h * (1.0f - ROUND) /
        (inside[d].spread * OND_ELLIPSOIDS_SIGHT * OND_ELLIPSOIDS_SIGHT * size * size);
    const float round = turned * h * h * ROUND +
                        (1.0f - turned) * OND_ELLIPSOID_LONE * OND_ELLIPSOID_LONE * size * size;
    const float s[6] = {wide * (sum->xx * inv - mean[0] * mean[0]) + round,
                        wide * (sum->yy * inv - mean[1] * mean[1]) + round,
                        wide * (sum->zz * inv - mean[2] * mean[2]) + round,
                        wide * (sum->xy * inv - mean[0] * mean[1]),
                        wide * (sum->xz * inv - mean[0] * mean[2]),
                        wide * (sum->yz * inv - mean[1] * mean[2])};
    write_form(m, i, s, turned);
    for (int a = 0; a < 3; ++a)
        m->pull[a][i] = turned * m->smoothing * mean[a];
}

void ond_ellipsoids_form(const OndEllipsoidMake *m, uint32_t first, uint32_t last)
{
    OndCrowd crowd;
    OndNeighbourArrays n;
    OndMoments sum[OND_ELLIPSOID_GROUP] = {{0}};
    const OndPoints *p = m->points;
    ond_crowd_start(&crowd, p, first, last, OND_ELLIPSOIDS_SIGHT);
    while (ond_crowd_next(&crowd)) {
        take_positions(&crowd, &n);
        for (uint32_t i = first; i < last; ++i) {
            const float at[3] = {p->x[i], p->y[i], p->z[i]}, r = OND_ELLIPSOIDS_SIGHT * p->size[i];
            ond_field_loops()->moments(&n, at, 1.0f / (r * r), &sum[i - first]);
        }
    }
    for (uint32_t i = first; i < last; ++i)
        if (!ond_points_is_image(p, i)) form(m, i, &sum[i - first]);
}

// ---- places

static void take_pulls(const OndEllipsoidMake *m, const OndCrowd *crowd, OndNeighbourArrays *n)
{
    take_positions(crowd, n);
    for (int k = 0; k < crowd->count; ++k) {
        const uint32_t j = crowd->index[k];
        n->px[k] = m->pull[0][j], n->py[k] = m->pull[1][j], n->pz[k] = m->pull[2][j];
    }
}

static void place(const OndEllipsoidMake *m, uint32_t i, const float sum[4])
{
    const OndPoints *p = m->points;
    const float at[3] = {p->x[i], p->y[i], p->z[i]};
    for (int a = 0; a < 3; ++a) // it is always like itself: sum[0] > 0
        m->e->own.centre[a][m->e->before[i]] = at[a] + m->pull[a][i] - sum[a + 1] / sum[0];
}

void ond_ellipsoids_place(const OndEllipsoidMake *m, uint32_t first, uint32_t last)
{
    OndCrowd crowd;
    OndNeighbourArrays n;
    float sum[OND_ELLIPSOID_GROUP][4] = {{0}};
    const OndPoints *p = m->points;
    ond_crowd_start(&crowd, p, first, last, OND_ELLIPSOIDS_SIGHT);
    while (ond_crowd_next(&crowd)) {
        take_pulls(m, &crowd, &n);
        for (uint32_t i = first; i < last; ++i) {
            const float at[3] = {p->x[i], p->y[i], p->z[i]};
            const float pull[3] = {m->pull[0][i], m->pull[1][i], m->pull[2][i]};
            const float r = OND_ELLIPSOIDS_SIGHT * p->size[i], like = LIKE * p->size[i];
            const float inv_square[2] = {1.0f / (r * r), 1.0f / (like * like)};
            ond_field_loops()->pulls(&n, at, pull, inv_square, sum[i - first]);
        }
    }
    for (uint32_t i = first; i < last; ++i)
        if (!ond_points_is_image(p, i)) place(m, i, sum[i - first]);
}

// ---- images: as their particles are, mirrored

static inline float turned_by(unsigned bits, float x)
{
    return bits == 1 || bits == 2 || bits == 4 ? -x : x;
}

void ond_ellipsoids_mirror_pulls(OndEllipsoidMake *m)
{
    const OndPoints *p = m->points;
    for (int i = 0; p->flip && i < p->count; ++i)
        for (int a = 0; a < 3; ++a)
            m->pull[a][i] = turned_by(p->flip[i] & 1u << a, m->pull[a][p->image_of[i]]);
}

static void mirror_one(const OndEllipsoidMake *m, uint32_t i)
{
    static const unsigned axes[6] = {0, 0, 0, 3, 5, 6}; // of the entries of S
    const OndPoints *p = m->points;
    const OndEllipsoidArrays *own = &m->e->own;
    const float *const at[3] = {p->x, p->y, p->z};
    const uint32_t of = p->image_of[i], k = m->e->before[i], from = m->e->before[of];
    own->weight[k] = own->weight[from];
    for (int a = 0; a < 3; ++a) {
        const float off = own->centre[a][from] - at[a][of];
        own->centre[a][k] = at[a][i] + turned_by(p->flip[i] & 1u << a, off);
        own->extent[a][k] = own->extent[a][from];
    }
    for (int q = 0; q < 6; ++q)
        own->inverse[q][k] = turned_by(p->flip[i] & axes[q], own->inverse[q][from]);
}

void ond_ellipsoids_mirror(const OndEllipsoidMake *m)
{
    const OndPoints *p = m->points;
    for (int i = 0; p->flip && i < p->count; ++i)
        if (p->flip[i] && m->e->before[i + 1] > m->e->before[i]) mirror_one(m, (uint32_t)i);
}

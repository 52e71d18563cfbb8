// SPDX-License-Identifier: MIT
#include "surface/fields/ellipsoids.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "physics/kernels.h"

#include <string.h>

#define REACH     OND_ELLIPSOIDS_SIGHT
#define ROUND     0.125f // share of the unit matrix in S: at most 3 times as wide as thick
#define LONE      1.1f   // radius of a lone particle's kernel, sizes
#define LIKE      0.4f   // means farther apart than this, sizes, are not alike
#define SEEN      1.5f   // thresholds: the field in the middle of an ellipsoid, where it is thin
#define GROUP     32     // points of a bin that are worked on together
#define ROW_GRAIN 2

static const struct {
    float spread;      // variance of 1 - q^4 along an axis where liquid fills space, of R^2
    float few, enough; // share of the full density (points.h): spheres below, turned above
    float thin, thick; // shares of it: lifted below, left alone above
} inside[2] = {{0.1875f, 0.40f, 0.58f, 0.49f, 0.56f}, // 2D
               {0.155556f, 0.26f, 0.62f, 0.45f, 0.58f}};

typedef struct Make {
    OndEllipsoids *e;
    const OndField3 *field;
    const OndPoints *points;
    const OndBins *bins;   // those of the points, or some of them
    float *pull[3];        // mean of each point's neighbours, m; 0 deep inside
    float *lift;           // what the weight of each point is multiplied by
    unsigned char *near;   // bins with points near the surface, by their first point
    float smoothing, lone; // lone: height of a lone particle's kernel before it is made to fit
    float kernel;          // factor of the kernel for h = 1
} Make;

// ---- near the surface

static void each_bin(const OndBins *b, int first, int last,
                     void (*visit)(Make *m, const OndBinRow *row, uint32_t bin), Make *m)
{
    for (int r = first; r < last; ++r)
        for (uint32_t bin = b->row[r].first; bin < b->row[r + 1].first; ++bin)
            visit(m, &b->row[r], bin);
}

static bool meets_surface(const OndPoints *p, const double min[3], const double max[3])
{
    OndBinWalk near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i)
            if (p->surface[i] && p->x[i] >= min[0] && p->x[i] <= max[0] && p->y[i] >= min[1] &&
                p->y[i] <= max[1] && p->z[i] >= min[2] && p->z[i] <= max[2])
                return true;
    return false;
}

static void judge_bin(Make *m, const OndBinRow *row, uint32_t bin)
{
    const OndBins *b = m->bins;
    const double at[3] = {b->bin_x[bin], row->y, row->z};
    const double reach =
        m->e->radius * ond_crowd_largest(m->points, b->bin_first[bin], b->bin_first[bin + 1]);
    double min[3], max[3];
    for (int a = 0; a < 3; ++a) {
        min[a] = b->origin[a] + at[a] * b->size - reach;
        max[a] = b->origin[a] + (at[a] + 1.0) * b->size + reach;
    }
    m->near[b->bin_first[bin]] = meets_surface(m->points, min, max);
}

static void judge_rows(int first, int last, int worker, void *context)
{
    Make *m = context;
    each_bin(m->bins, first, last, judge_bin, m);
}

static OndStatus make_arrays(OndEllipsoidArrays *own, size_t count, OndError *err)
{
    float **array = (float **)own;
    for (size_t k = 0; k < sizeof *own / sizeof *array; ++k) {
        array[k] = OND_NEW_ARRAY(float, count + 1);
        if (!array[k])
            return ond_fail(err, OND_NO_MEMORY,
                            "not enough memory for the ellipsoids of %zu particles", count);
    }
    return OND_OK;
}

static OndStatus number(Make *m, OndError *err)
{
    uint32_t count = 0;
    const OndPoints *p = m->points;
    uint32_t *before = m->e->before;
    for (const OndBins *b = &p->bins; b; b = b->next)
        for (int bin = 0; bin < b->bin_count; ++bin)
            for (uint32_t i = b->bin_first[bin]; i < b->bin_first[bin + 1]; ++i)
                before[i] = m->near[b->bin_first[bin]];
    for (int i = 0; i < p->count && p->flip; ++i)
        before[i] = before[p->image_of[i]];
    for (int i = 0; i < p->count; ++i) {
        const uint32_t own = before[i];
        before[i] = count;
        count += own;
    }
    before[p->count] = count;
    return make_arrays(&m->e->own, count, err);
}

// ---- forms

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

static float ramp(float at, float low, float high)
{
    const float t = (at - low) / (high - low), s = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return s * s * (3.0f - 2.0f * s);
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
static float lone_weight(const Make *m, float size)
{
    const double q = ond_field_ball(m->field, size) / LONE, rest = 1.0 - q * q;
    return (float)(m->field->def.threshold / (m->lone * rest * rest * rest));
}

static void write_form(const Make *m, uint32_t i, const float s[6], float turned)
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

static void form(const Make *m, uint32_t i, const OndMoments *sum)
{
    const OndPoints *p = m->points;
    const int d = p->dimension - 2;
    const float size = p->size[i], h = m->e->radius * size, inv = 1.0f / sum->w;
    const float turned =
        ramp(ond_points_rest_volume(p, i) / p->volume[i], inside[d].few, inside[d].enough);
    const float mean[3] = {sum->x * inv, sum->y * inv, sum->z * inv};
    const float wide =
        turned * h * h * (1.0f - ROUND) / (inside[d].spread * REACH * REACH * size * size);
    const float round = turned * h * h * ROUND + (1.0f - turned) * LONE * LONE * size * size;
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

static void form_group(const Make *m, uint32_t first, uint32_t last)
{
    OndCrowd crowd;
    OndNeighbourArrays n;
    OndMoments sum[GROUP] = {{0}};
    const OndPoints *p = m->points;
    ond_crowd_start(&crowd, p, first, last, REACH);
    while (ond_crowd_next(&crowd)) {
        take_positions(&crowd, &n);
        for (uint32_t i = first; i < last; ++i) {
            const float at[3] = {p->x[i], p->y[i], p->z[i]}, r = REACH * p->size[i];
            ond_field_loops()->moments(&n, at, 1.0f / (r * r), &sum[i - first]);
        }
    }
    for (uint32_t i = first; i < last; ++i)
        if (!ond_points_is_image(p, i)) form(m, i, &sum[i - first]);
}

// ---- places

static void take_pulls(const Make *m, const OndCrowd *crowd, OndNeighbourArrays *n)
{
    take_positions(crowd, n);
    for (int k = 0; k < crowd->count; ++k) {
        const uint32_t j = crowd->index[k];
        n->px[k] = m->pull[0][j], n->py[k] = m->pull[1][j], n->pz[k] = m->pull[2][j];
    }
}

static void place(const Make *m, uint32_t i, const float sum[4])
{
    const OndPoints *p = m->points;
    const float at[3] = {p->x[i], p->y[i], p->z[i]};
    for (int a = 0; a < 3; ++a) // it is always like itself: sum[0] > 0
        m->e->own.centre[a][m->e->before[i]] = at[a] + m->pull[a][i] - sum[a + 1] / sum[0];
}

static void place_group(const Make *m, uint32_t first, uint32_t last)
{
    OndCrowd crowd;
    OndNeighbourArrays n;
    float sum[GROUP][4] = {{0}};
    const OndPoints *p = m->points;
    ond_crowd_start(&crowd, p, first, last, REACH);
    while (ond_crowd_next(&crowd)) {
        take_pulls(m, &crowd, &n);
        for (uint32_t i = first; i < last; ++i) {
            const float at[3] = {p->x[i], p->y[i], p->z[i]};
            const float pull[3] = {m->pull[0][i], m->pull[1][i], m->pull[2][i]};
            const float r = REACH * p->size[i], like = LIKE * p->size[i];
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

static void mirror_pulls(Make *m)
{
    const OndPoints *p = m->points;
    for (int i = 0; p->flip && i < p->count; ++i)
        for (int a = 0; a < 3; ++a)
            m->pull[a][i] = turned_by(p->flip[i] & 1u << a, m->pull[a][p->image_of[i]]);
}

static void mirror_one(const Make *m, uint32_t i)
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

static void mirror_forms(const Make *m)
{
    const OndPoints *p = m->points;
    for (int i = 0; p->flip && i < p->count; ++i)
        if (p->flip[i] && m->e->before[i + 1] > m->e->before[i]) mirror_one(m, (uint32_t)i);
}

// ---- all

// The points of a bin that are no images are its first, as they were before sorting.
static uint32_t last_of(const Make *m, uint32_t bin)
{
    const uint32_t *first = m->bins->bin_first;
    uint32_t last = first[bin + 1];
    while (last > first[bin] && ond_points_is_image(m->points, last - 1))
        --last;
    return last;
}

static void form_bin(Make *m, const OndBinRow *row, uint32_t bin)
{
    const uint32_t first = m->bins->bin_first[bin], last = last_of(m, bin);
    for (uint32_t i = first; m->near[first] && i < last; i += GROUP)
        form_group(m, i, i + GROUP < last ? i + GROUP : last);
}

static void form_rows(int first, int last, int worker, void *context)
{
    Make *m = context;
    each_bin(m->bins, first, last, form_bin, m);
}

static void place_bin(Make *m, const OndBinRow *row, uint32_t bin)
{
    const uint32_t first = m->bins->bin_first[bin], last = last_of(m, bin);
    for (uint32_t i = first; m->near[first] && i < last; i += GROUP)
        place_group(m, i, i + GROUP < last ? i + GROUP : last);
}

static void place_rows(int first, int last, int worker, void *context)
{
    Make *m = context;
    each_bin(m->bins, first, last, place_bin, m);
}

static void find_reach(OndEllipsoids *e)
{
    const OndPoints *p = e->points;
    const float *const at[3] = {p->x, p->y, p->z};
    float most = e->radius;
    for (int i = 0; i < p->count; ++i) {
        const uint32_t k = e->before[i];
        for (int a = 0; a < p->dimension && e->before[i + 1] > k; ++a) {
            const float far = fabsf(e->own.centre[a][k] - at[a][i]) + e->own.extent[a][k];
            most = far > most * p->size[i] ? far / p->size[i] : most;
        }
    }
    e->reach = most * (1.0 + 1e-6); // as floats round
}

// ---- what is too thin to be seen

// The field at the middle of point i's ellipsoid.
static float middle_of(const Make *m, uint32_t i)
{
    const OndEllipsoidArrays *own = &m->e->own;
    const uint32_t k = m->e->before[i];
    const double at[3] = {own->centre[0][k], own->centre[1][k], own->centre[2][k]};
    const OndSplitPlace place = ond_place(at);
    float sum[4] = {0};
    OndBinWalk near = ond_near_sizes(&m->points->bins, at, at, m->e->reach);
    for (OndRun run; ond_near_next(&near, &run);)
        ond_ellipsoids_at(m->e, run, &place, sum);
    return sum[0];
}

static float lift_of(const Make *m, uint32_t i)
{
    const OndPoints *p = m->points;
    const int d = p->dimension - 2;
    const float least = SEEN * (float)m->field->def.threshold;
    const float share = ond_points_rest_volume(p, i) / p->volume[i];
    if (share >= inside[d].thick) return 1.0f;
    const float lift = fmaxf(least / middle_of(m, i), 1.0f); // it sees itself: not 0
    return 1.0f + (1.0f - ramp(share, inside[d].thin, inside[d].thick)) * (lift - 1.0f);
}

static void lift_bin(Make *m, const OndBinRow *row, uint32_t bin)
{
    const uint32_t first = m->bins->bin_first[bin], last = last_of(m, bin);
    for (uint32_t i = first; m->near[first] && i < last; ++i)
        m->lift[i] = lift_of(m, i);
}

static void lift_rows(int first, int last, int worker, void *context)
{
    Make *m = context;
    each_bin(m->bins, first, last, lift_bin, m);
}

static void lift_weights(const Make *m)
{
    const OndPoints *p = m->points;
    const uint32_t *before = m->e->before;
    for (int i = 0; i < p->count; ++i)
        if (before[i + 1] > before[i])
            m->e->own.weight[before[i]] *= m->lift[p->flip ? p->image_of[i] : (uint32_t)i];
}

static void all_rows(Make *m, OndRangeFn *visit)
{
    for (m->bins = &m->points->bins; m->bins; m->bins = m->bins->next)
        ond_parallel_for(m->bins->row_count, ROW_GRAIN, visit, m);
}

static OndStatus make_all(Make *m, OndError *err)
{
    const size_t count = (size_t)m->points->count;
    m->e->before = OND_NEW_ARRAY(uint32_t, count + 1);
    m->near = OND_NEW_ARRAY(unsigned char, count);
    for (int a = 0; a < 3; ++a)
        m->pull[a] = OND_NEW_ARRAY(float, count);
    if (!m->e->before || !m->near || !m->pull[0] || !m->pull[1] || !m->pull[2])
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for the ellipsoids of %zu particles",
                        count);
    all_rows(m, judge_rows);
    const OndStatus status = number(m, err);
    if (status != OND_OK) return status;
    all_rows(m, form_rows);
    mirror_pulls(m);
    all_rows(m, place_rows);
    mirror_forms(m);
    find_reach(m->e);
    m->lift = m->pull[0]; // pulls have done their work
    all_rows(m, lift_rows);
    lift_weights(m);
    return OND_OK;
}

OndStatus ond_ellipsoids_make(OndEllipsoids *e, const OndField3 *field, OndError *err)
{
    const int d = field->points->dimension;
    const double radius = field->def.radius;
    Make m = {.e = e, .field = field, .points = field->points};
    memset(e, 0, sizeof *e);
    e->points = field->points;
    e->radius = (float)radius;
    e->full = ond_kernel_set(OND_KERNEL_MUELLER, radius, d).value;
    m.smoothing = (float)field->def.smoothing;
    m.kernel = ond_kernel_set(OND_KERNEL_MUELLER, 1.0, d).value;
    m.lone = ond_kernel_set(OND_KERNEL_MUELLER, LONE, d).value;
    const OndStatus status = make_all(&m, err);
    ond_free(m.near);
    for (int a = 0; a < 3; ++a)
        ond_free(m.pull[a]);
    if (status != OND_OK) ond_ellipsoids_free(e);
    return status;
}

void ond_ellipsoids_free(OndEllipsoids *e)
{
    float **array = (float **)&e->own;
    for (size_t k = 0; k < sizeof e->own / sizeof *array; ++k)
        ond_free(array[k]);
    ond_free(e->before);
    memset(e, 0, sizeof *e);
}

// ---- asking

#define PART 64 // spheres that are handed on together

typedef struct Spheres {
    OndEllipsoidArrays arrays;
    float value[13][PART];
    uint32_t count;
} Spheres;

static void lay_spheres(Spheres *s)
{
    float **array = (float **)&s->arrays;
    for (int k = 0; k < 13; ++k)
        array[k] = s->value[k];
    s->count = 0;
}

static void add_sphere(Spheres *s, const OndEllipsoids *e, uint32_t i)
{
    const OndPoints *p = e->points;
    const float h = e->radius * p->size[i], inverse = 1.0f / (h * h);
    const float at[3] = {p->x[i], p->y[i], p->z[i]};
    const uint32_t k = s->count++;
    s->arrays.weight[k] = e->full;
    for (int a = 0; a < 3; ++a) {
        s->arrays.centre[a][k] = at[a];
        s->arrays.extent[a][k] = h;
        s->arrays.inverse[a][k] = a < p->dimension ? inverse : 0.0f;
        s->arrays.inverse[3 + a][k] = 0.0f;
    }
}

// The next points from *i on that have no ellipsoid of their own; false when there are none.
static bool next_spheres(Spheres *s, const OndEllipsoids *e, uint32_t *i, uint32_t last)
{
    s->count = 0;
    for (; *i < last && s->count < PART; ++*i)
        if (e->before[*i + 1] == e->before[*i]) add_sphere(s, e, *i);
    return s->count > 0;
}

void ond_ellipsoids_splat(const OndEllipsoids *e, OndRun run, OndNodes *nodes)
{
    const uint32_t first = e->before[run.first], last = e->before[run.last];
    Spheres spheres;
    ond_field_loops()->splat(&e->own, first, last, nodes);
    if (last - first == run.last - run.first) return;
    lay_spheres(&spheres);
    for (uint32_t i = run.first; next_spheres(&spheres, e, &i, run.last);)
        ond_field_loops()->splat(&spheres.arrays, 0, spheres.count, nodes);
}

void ond_ellipsoids_at(const OndEllipsoids *e, OndRun run, const OndSplitPlace *place, float sum[4])
{
    const uint32_t first = e->before[run.first], last = e->before[run.last];
    Spheres spheres;
    ond_field_loops()->at(&e->own, first, last, place, sum);
    if (last - first == run.last - run.first) return;
    lay_spheres(&spheres);
    for (uint32_t i = run.first; next_spheres(&spheres, e, &i, run.last);)
        ond_field_loops()->at(&spheres.arrays, 0, spheres.count, place, sum);
}

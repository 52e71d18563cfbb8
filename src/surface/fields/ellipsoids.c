// SPDX-License-Identifier: MIT
#include "surface/fields/ellipsoids.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "physics/kernels.h"
#include "surface/fields/ellipsoids_form.h"

#include <string.h>

#define SEEN      1.5f // thresholds: the field in the middle of an ellipsoid, where it is thin
#define ROW_GRAIN 2

static const struct {
    float thin, thick; // shares of the full density (points.h): lifted below, left alone above
} inside[2] = {{0.49f, 0.56f}, // 2D
               {0.45f, 0.58f}};

// ---- near the surface

static void each_bin(const OndBins *b, int first, int last,
                     void (*visit)(OndEllipsoidMake *m, const OndBinRow *row, uint32_t bin),
                     OndEllipsoidMake *m)
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

static void judge_bin(OndEllipsoidMake *m, const OndBinRow *row, uint32_t bin)
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
    OndEllipsoidMake *m = context;
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

static OndStatus number(OndEllipsoidMake *m, OndError *err)
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

// ---- all

// The points of a bin that are no images are its first, as they were before sorting.
static uint32_t last_of(const OndEllipsoidMake *m, uint32_t bin)
{
    const uint32_t *first = m->bins->bin_first;
    uint32_t last = first[bin + 1];
    while (last > first[bin] && ond_points_is_image(m->points, last - 1))
        --last;
    return last;
}

static void form_bin(OndEllipsoidMake *m, const OndBinRow *row, uint32_t bin)
{
    const uint32_t first = m->bins->bin_first[bin], last = last_of(m, bin);
    for (uint32_t i = first; m->near[first] && i < last; i += OND_ELLIPSOID_GROUP)
        ond_ellipsoids_form(m, i, i + OND_ELLIPSOID_GROUP < last ? i + OND_ELLIPSOID_GROUP : last);
}

static void form_rows(int first, int last, int worker, void *context)
{
    OndEllipsoidMake *m = context;
    each_bin(m->bins, first, last, form_bin, m);
}

static void place_bin(OndEllipsoidMake *m, const OndBinRow *row, uint32_t bin)
{
    const uint32_t first = m->bins->bin_first[bin], last = last_of(m, bin);
    for (uint32_t i = first; m->near[first] && i < last; i += OND_ELLIPSOID_GROUP)
        ond_ellipsoids_place(m, i, i + OND_ELLIPSOID_GROUP < last ? i + OND_ELLIPSOID_GROUP : last);
}

static void place_rows(int first, int last, int worker, void *context)
{
    OndEllipsoidMake *m = context;
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
static float middle_of(const OndEllipsoidMake *m, uint32_t i)
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

static float lift_of(const OndEllipsoidMake *m, uint32_t i)
{
    const OndPoints *p = m->points;
    const int d = p->dimension - 2;
    const float least = SEEN * (float)m->field->def.threshold;
    const float share = ond_points_rest_volume(p, i) / p->volume[i];
    if (share >= inside[d].thick) return 1.0f;
    const float lift = fmaxf(least / middle_of(m, i), 1.0f); // it sees itself: not 0
    return 1.0f +
           (1.0f - ond_ellipsoid_ramp(share, inside[d].thin, inside[d].thick)) * (lift - 1.0f);
}

static void lift_bin(OndEllipsoidMake *m, const OndBinRow *row, uint32_t bin)
{
    const uint32_t first = m->bins->bin_first[bin], last = last_of(m, bin);
    for (uint32_t i = first; m->near[first] && i < last; ++i)
        m->lift[i] = lift_of(m, i);
}

static void lift_rows(int first, int last, int worker, void *context)
{
    OndEllipsoidMake *m = context;
    each_bin(m->bins, first, last, lift_bin, m);
}

static void lift_weights(const OndEllipsoidMake *m)
{
    const OndPoints *p = m->points;
    const uint32_t *before = m->e->before;
    for (int i = 0; i < p->count; ++i)
        if (before[i + 1] > before[i])
            m->e->own.weight[before[i]] *= m->lift[p->flip ? p->image_of[i] : (uint32_t)i];
}

static void all_rows(OndEllipsoidMake *m, OndRangeFn *visit)
{
    for (m->bins = &m->points->bins; m->bins; m->bins = m->bins->next)
        ond_parallel_for(m->bins->row_count, ROW_GRAIN, visit, m);
}

static OndStatus make_all(OndEllipsoidMake *m, OndError *err)
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
    ond_ellipsoids_mirror_pulls(m);
    all_rows(m, place_rows);
    ond_ellipsoids_mirror(m);
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
    OndEllipsoidMake m = {.e = e, .field = field, .points = field->points};
    memset(e, 0, sizeof *e);
    e->points = field->points;
    e->radius = (float)radius;
    e->full = ond_kernel_set(OND_KERNEL_MUELLER, radius, d).value;
    m.smoothing = (float)field->def.smoothing;
    m.kernel = ond_kernel_set(OND_KERNEL_MUELLER, 1.0, d).value;
    m.lone = ond_kernel_set(OND_KERNEL_MUELLER, OND_ELLIPSOID_LONE, d).value;
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

#define PART 192 // spheres, or ellipsoids, that are handed on together

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

// ---- asking at places that lie together

typedef struct Together {
    const OndEllipsoids *e;
    int count;
    const double (*at)[3];
    float (*sum)[4];
    double min[3], max[3]; // round the places
    Spheres part;          // those that reach into that box
} Together;

static void hand_on(Together *t)
{
    for (int k = 0; k < t->count; ++k) {
        const OndSplitPlace place = ond_place(t->at[k]);
        ond_field_loops()->at(&t->part.arrays, 0, t->part.count, &place, t->sum[k]);
    }
    t->part.count = 0;
}

// An ellipsoid that rounding leaves out has nothing to add there.
static bool reaches_in(const Together *t, const float *const centre[3], const float *const half[3],
                       uint32_t k)
{
    for (int a = 0; a < 3; ++a)
        if (centre[a][k] - half[a][k] > t->max[a] || centre[a][k] + half[a][k] < t->min[a])
            return false;
    return true;
}

static void take(Together *t, uint32_t i)
{
    const OndEllipsoids *e = t->e;
    Spheres *s = &t->part;
    const uint32_t k = e->before[i];
    if (e->before[i + 1] == k) {
        add_sphere(s, e, i);
    } else if (reaches_in(t, (const float *const *)e->own.centre,
                          (const float *const *)e->own.extent, k)) {
        float *const *array = (float *const *)&e->own;
        for (int q = 0; q < 13; ++q)
            s->value[q][s->count] = array[q][k];
        ++s->count;
    }
    if (s->count == PART) hand_on(t);
}

void ond_ellipsoids_all(const OndEllipsoids *e, int count, const double (*at)[3], float (*sum)[4])
{
    Together t = {.e = e, .count = count, .at = at, .sum = sum};
    lay_spheres(&t.part);
    for (int a = 0; a < 3; ++a) {
        t.min[a] = t.max[a] = at[0][a];
        for (int k = 1; k < count; ++k) {
            t.min[a] = fmin(t.min[a], at[k][a]);
            t.max[a] = fmax(t.max[a], at[k][a]);
        }
    }
    memset(sum, 0, (size_t)count * sizeof *sum);
    OndBinWalk near = ond_near_sizes(&e->points->bins, t.min, t.max, e->reach);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i)
            take(&t, i);
    hand_on(&t);
}

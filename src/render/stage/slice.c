// SPDX-License-Identifier: MIT
#include "render/stage/slice.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "render/overlay.h"
#include "render/quantity.h"

#include <string.h>

#define EDGE      0.04 // of the picture's smaller side, left free
#define LOOKED_AT 2e6  // cells, to find the range

OndSlice ond_slice_place(const OndFrame *frame, const OndRenderDef *def)
{
    const OndGrid *const g = &frame->grid;
    OndSlice s = {.grid = g, .normal = g->deep ? def->slice_axis : 2};
    s.across = s.normal == 0 ? 2 : 0;
    s.up = s.normal == 1 ? 2 : 1;
    const double at = def->slice_middle
                          ? 0.5 * (g->n[s.normal] - 1)
                          : (def->slice_at - ond_axis(g->origin, s.normal)) / g->h - 0.5;
    s.at = fmin(fmax(at, 0.0), g->n[s.normal] - 1.0);
    const double words = ond_overlay_share(def->width, def->height) * def->height;
    const double edge = EDGE * fmin(def->width, def->height);
    const double wide = def->width - 2.0 * edge, high = def->height - 2.0 * fmax(words, edge);
    s.scale = fmax(fmin(wide / g->n[s.across], high / g->n[s.up]), 1e-6);
    s.left = 0.5 * (def->width - s.scale * g->n[s.across]);
    s.top = 0.5 * (def->height - s.scale * g->n[s.up]);
    return s;
}

double ond_slice_sample(const OndGrid *g, const OndField *field, int component, const double at[3])
{
    const float *const data = field->data[component];
    const bool faces = field->flags & OND_FIELD_FACES;
    int low[3] = {0, 0, 0};
    double share[3] = {0, 0, 0};
    for (int a = 0; a < (g->deep ? 3 : 2); ++a) {
        const bool face = faces && a == component;
        const double most = face ? g->n[a] : g->n[a] - 1, x = at[a] + (face ? 0.5 : 0.0);
        const double kept = x > 0.0 ? fmin(x, most) : 0.0;
        low[a] = (int)fmin(floor(kept), fmax(most - 1.0, 0.0));
        share[a] = kept - low[a];
    }
    double sum = 0.0;
    for (int c = 0; c < 8; ++c) {
        double weight = 1.0;
        for (int a = 0; a < 3; ++a)
            weight *= c >> a & 1 ? share[a] : 1.0 - share[a];
        if (weight > 0.0)
            sum += weight * data[ond_grid_at(g, low[0] + (c & 1), low[1] + (c >> 1 & 1),
                                             low[2] + (c >> 2 & 1))];
    }
    return sum;
}

// How fast component `c` changes along `axis`, over a cell.
static double slope(const OndShade *s, int c, int axis, const double at[3])
{
    const int n = s->grid->n[axis];
    double low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
    low[axis] = fmax(at[axis] - 0.5, 0.0);
    high[axis] = fmin(at[axis] + 0.5, n - 1.0);
    const double way = (high[axis] - low[axis]) * s->grid->h;
    if (!(way > 0.0)) return 0.0;
    return (ond_slice_sample(s->grid, s->field, c, high) -
            ond_slice_sample(s->grid, s->field, c, low)) /
           way;
}

static double turning(const OndShade *s, const double at[3])
{
    const double z = slope(s, 1, 0, at) - slope(s, 0, 1, at);
    if (!s->grid->deep) return fabs(z);
    const double x = slope(s, 2, 1, at) - slope(s, 1, 2, at),
                 y = slope(s, 0, 2, at) - slope(s, 2, 0, at);
    return sqrt(x * x + y * y + z * z);
}

double ond_slice_value(const OndShade *shade, const double at[3])
{
    const OndGrid *const g = shade->grid;
    const OndField *const field = shade->field;
    double square = 0.0;
    if (field->components != 3) return ond_slice_sample(g, field, 0, at);
    if (shade->turning) return turning(shade, at);
    for (int c = 0; c < (g->deep ? 3 : 2); ++c) {
        const double v = ond_slice_sample(g, field, c, at);
        square += v * v;
    }
    return sqrt(square);
}

typedef struct Paint {
    const OndSlice *slice;
    const OndShade *shade;
    uint8_t (*map)[3];
    double min, factor;
    OndImage *out;
    int left, right, top;
} Paint;

static void paint_rows(int first, int last, int worker, void *context)
{
    const Paint *const p = context;
    const OndSlice *const s = p->slice;
    (void)worker;
    for (int y = p->top + first; y < p->top + last; ++y)
        for (int x = p->left; x < p->right; ++x) {
            double at[3];
            at[s->normal] = s->at;
            at[s->across] = (x + 0.5 - s->left) / s->scale - 0.5;
            at[s->up] = s->grid->n[s->up] - (y + 0.5 - s->top) / s->scale - 0.5;
            const double v = (ond_slice_value(p->shade, at) - p->min) * p->factor;
            const int entry = v > 0.0 ? (int)(fmin(v, 1.0) * (OND_COLOUR_STEPS - 1) + 0.5) : 0;
            memcpy(p->out->rgb + 3 * ((size_t)y * (size_t)p->out->width + (size_t)x), p->map[entry],
                   3);
        }
}

// Pixels whose middles lie inside the rectangle.
static void paint_range(Paint *p, int *rows)
{
    const OndSlice *const s = p->slice;
    const double wide = s->scale * s->grid->n[s->across], high = s->scale * s->grid->n[s->up];
    p->left = (int)fmax(ceil(s->left - 0.5), 0.0);
    p->right = (int)fmin(ceil(s->left + wide - 0.5), p->out->width);
    p->top = (int)fmax(ceil(s->top - 0.5), 0.0);
    *rows = (int)fmin(ceil(s->top + high - 0.5), p->out->height) - p->top;
}

void ond_slice_paint(const OndSlice *slice, const OndShade *shade, const OndF3 *map, double min,
                     double max, OndImage *out)
{
    uint8_t bytes[OND_COLOUR_STEPS][3];
    for (int k = 0; k < OND_COLOUR_STEPS; ++k) {
        const float channel[3] = {map[k].x, map[k].y, map[k].z};
        for (int c = 0; c < 3; ++c)
            bytes[k][c] = (uint8_t)lroundf(255.0f * ond_colour_gamma(ond_clamp01(channel[c])));
    }
    Paint p = {slice, shade, bytes, min, 1.0 / (max - min), out, 0, 0, 0};
    int rows = 0;
    paint_range(&p, &rows);
    if (rows > 0) ond_parallel_for(rows, 8, paint_rows, &p);
}

// ---- the range

// Every so many cells along an axis, so that about LOOKED_AT are looked at.
static int stride_for(const OndGrid *g)
{
    int every = 1;
    while ((double)ond_grid_cells(g) / pow(every, g->deep ? 3 : 2) > LOOKED_AT)
        ++every;
    return every;
}

typedef struct Sieve {
    double low, high;
    int bin[OND_HISTOGRAM_BINS], total;
    bool sorting; // into bins, when the ends are known
} Sieve;

static void sift(Sieve *s, double v)
{
    if (!isfinite(v)) return;
    if (!s->sorting) {
        s->low = fmin(s->low, v), s->high = fmax(s->high, v);
        return;
    }
    const int at = (int)((v - s->low) / (s->high - s->low) * OND_HISTOGRAM_BINS);
    ++s->bin[at < OND_HISTOGRAM_BINS ? at : OND_HISTOGRAM_BINS - 1];
    ++s->total;
}

static void sift_all(Sieve *s, const OndShade *shade)
{
    const int *const n = shade->grid->n, every = stride_for(shade->grid);
    for (int k = n[2] > 1 ? every / 2 : 0; k < n[2]; k += every)
        for (int j = every / 2; j < n[1]; j += every)
            for (int i = every / 2; i < n[0]; i += every)
                sift(s, ond_slice_value(shade, (const double[3]){i, j, k}));
}

bool ond_slice_range(const OndShade *shade, double *min, double *max)
{
    Sieve s = {.low = INFINITY, .high = -INFINITY};
    sift_all(&s, shade);
    if (!(s.low <= s.high)) return false;
    double low = s.low, high = s.high;
    if (high > low) {
        s.sorting = true;
        sift_all(&s, shade);
        low = ond_histogram_below(s.bin, s.total, 0.005, s.low, s.high);
        high = ond_histogram_below(s.bin, s.total, 0.995, s.low, s.high);
    }
    *min = fmin(*min, low);
    *max = fmax(*max, high);
    return true;
}

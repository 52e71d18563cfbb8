// SPDX-License-Identifier: MIT
#include "render/slice.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "render/overlay.h"

#include <string.h>

#define EDGE   0.04 // of the picture's smaller side, left free
#define BINS   1024
#define SHADOW 0.35f // light that is left on a solid

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

// A vector's length or the value itself.
static double value_at(const OndGrid *g, const OndField *field, const double at[3])
{
    double square = 0.0;
    if (field->components != 3) return ond_slice_sample(g, field, 0, at);
    for (int c = 0; c < (g->deep ? 3 : 2); ++c) {
        const double v = ond_slice_sample(g, field, c, at);
        square += v * v;
    }
    return sqrt(square);
}

typedef struct Paint {
    const OndSlice *slice;
    const OndField *field;
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
            const double v = (value_at(s->grid, p->field, at) - p->min) * p->factor;
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

void ond_slice_paint(const OndSlice *slice, const OndField *field, const OndF3 *map, double min,
                     double max, OndImage *out)
{
    uint8_t bytes[OND_COLOUR_STEPS][3];
    for (int k = 0; k < OND_COLOUR_STEPS; ++k) {
        const float channel[3] = {map[k].x, map[k].y, map[k].z};
        for (int c = 0; c < 3; ++c)
            bytes[k][c] = (uint8_t)lroundf(255.0f * ond_colour_gamma(ond_clamp01(channel[c])));
    }
    Paint p = {slice, field, bytes, min, 1.0 / (max - min), out, 0, 0, 0};
    int rows = 0;
    paint_range(&p, &rows);
    if (rows > 0) ond_parallel_for(rows, 8, paint_rows, &p);
}

// ---- solids

typedef struct Point {
    double x, y;
} Point;

static double edge_side(Point a, Point b, double x, double y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static void shade_triangle(uint8_t *mask, const OndImage *image, const Point p[3])
{
    const double turn = edge_side(p[0], p[1], p[2].x, p[2].y);
    const double way = turn < 0.0 ? -1.0 : 1.0;
    if (!isfinite(turn) || turn == 0.0) return;
    const double low = fmin(p[0].y, fmin(p[1].y, p[2].y)),
                 high = fmax(p[0].y, fmax(p[1].y, p[2].y));
    const double left = fmin(p[0].x, fmin(p[1].x, p[2].x)),
                 right = fmax(p[0].x, fmax(p[1].x, p[2].x));
    const int top = (int)fmin(fmax(low - 0.5, 0.0), image->height),
              bottom = (int)fmax(fmin(ceil(high + 0.5), image->height), 0.0);
    const int first = (int)fmin(fmax(left - 0.5, 0.0), image->width),
              last = (int)fmax(fmin(ceil(right + 0.5), image->width), 0.0);
    for (int y = top; y < bottom; ++y)
        for (int x = first; x < last; ++x)
            if (way * edge_side(p[0], p[1], x + 0.5, y + 0.5) >= 0.0 &&
                way * edge_side(p[1], p[2], x + 0.5, y + 0.5) >= 0.0 &&
                way * edge_side(p[2], p[0], x + 0.5, y + 0.5) >= 0.0)
                mask[(size_t)y * (size_t)image->width + (size_t)x] = 1;
}

static Point corner_of(const OndSlice *s, const OndDrawnSolid *solid, int corner)
{
    const float *const c =
        (solid->corner ? solid->corner : solid->mesh->corner) + 3 * (size_t)corner;
    const OndVec at = ond_pose_out(&solid->pose, ond_vec(c[0], c[1], c[2]));
    const OndVec o = s->grid->origin;
    const double x = (ond_axis(at, s->across) - ond_axis(o, s->across)) / s->grid->h,
                 y = (ond_axis(at, s->up) - ond_axis(o, s->up)) / s->grid->h;
    return (Point){s->left + s->scale * x, s->top + s->scale * (s->grid->n[s->up] - y)};
}

static void apply_shade(const OndSlice *s, const uint8_t *mask, OndImage *out)
{
    Paint p = {.slice = s, .out = out};
    int rows = 0;
    paint_range(&p, &rows);
    for (int y = p.top; y < p.top + rows; ++y)
        for (int x = p.left; x < p.right; ++x) {
            const size_t at = (size_t)y * (size_t)out->width + (size_t)x;
            for (int c = 0; c < 3 && mask[at]; ++c)
                out->rgb[3 * at + (size_t)c] = (uint8_t)(SHADOW * 255.0f);
        }
}

void ond_slice_solids(const OndSlice *s, const OndDrawnSolid *solid, int count, OndImage *out)
{
    if (count == 0) return;
    uint8_t *const mask = OND_NEW_ARRAY(uint8_t, (size_t)out->width * (size_t)out->height);
    if (!mask) return; // a picture without solids is better than none
    for (int k = 0; k < count; ++k) {
        if (solid[k].endless) continue;
        const OndMesh *const mesh = solid[k].mesh;
        for (int t = 0; t < mesh->triangle_count; ++t) {
            Point p[3];
            for (int c = 0; c < 3; ++c)
                p[c] = corner_of(s, &solid[k], (int)mesh->triangle[3 * (size_t)t + (size_t)c]);
            shade_triangle(mask, out, p);
        }
    }
    apply_shade(s, mask, out);
    ond_free(mask);
}

// ---- the range

static double part_below(const int *bin, int total, double part, double min, double max)
{
    int sum = 0, i = 0;
    while (i < BINS - 1 && sum + bin[i] < part * total)
        sum += bin[i++];
    return min + (max - min) * (i + 0.5) / BINS;
}

static double cell_value(const OndGrid *g, const OndField *field, int row, int i)
{
    const double at[3] = {i, row % g->n[1], row / g->n[1]};
    return value_at(g, field, at);
}

bool ond_slice_range(const OndGrid *g, const OndField *field, double *min, double *max)
{
    double low = INFINITY, high = -INFINITY;
    for (int row = 0; row < g->rows; ++row)
        for (int i = 0; i < g->n[0]; ++i) {
            const double v = cell_value(g, field, row, i);
            if (!isfinite(v)) continue;
            low = fmin(low, v), high = fmax(high, v);
        }
    if (!(low <= high)) return false;
    if (high > low) {
        int bin[BINS] = {0}, total = 0;
        for (int row = 0; row < g->rows; ++row)
            for (int i = 0; i < g->n[0]; ++i) {
                const double v = cell_value(g, field, row, i);
                if (!isfinite(v)) continue;
                const int at = (int)((v - low) / (high - low) * BINS);
                ++bin[at < BINS ? at : BINS - 1];
                ++total;
            }
        const double first = part_below(bin, total, 0.005, low, high);
        high = part_below(bin, total, 0.995, low, high);
        low = first;
    }
    *min = fmin(*min, low);
    *max = fmax(*max, high);
    return true;
}

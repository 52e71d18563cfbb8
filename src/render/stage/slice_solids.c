// SPDX-License-Identifier: MIT
// Solids over a slice: in 3D what the plane cuts of them, in 2D their outline.
//
// A cut goes through triangles in pieces of lines; along a row of pixels a closed solid begins and
// ends where these pieces cross the row, so between the first and second, third and fourth crossing
// the pixels are its own. In 2D solids may be flat, and are seen from the front: every triangle is
// filled.
#include "render/stage/slice.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define GREY 89 // of a solid

typedef struct PixelPoint {
    double x, y; // pixels
} PixelPoint;

typedef struct LinePiece {
    PixelPoint a, b;
} LinePiece;

// ---- where corners are

static OndVec corner_of(const OndDrawnSolid *solid, uint32_t corner)
{
    const float *const c =
        (solid->corner ? solid->corner : solid->mesh->corner) + 3 * (size_t)corner;
    return ond_pose_out(&solid->pose, ond_vec(c[0], c[1], c[2]));
}

// In the picture; `deep` is how far it lies behind the slice, in cells.
static PixelPoint to_pixels(const OndSlice *s, OndVec at, double *deep)
{
    const OndGrid *const g = s->grid;
    const double x = (ond_axis(at, s->across) - ond_axis(g->origin, s->across)) / g->h,
                 y = (ond_axis(at, s->up) - ond_axis(g->origin, s->up)) / g->h;
    // not through corners that lie in the plane
    *deep = (ond_axis(at, s->normal) - ond_axis(g->origin, s->normal)) / g->h - 0.5 - s->at - 1e-6;
    return (PixelPoint){s->left + s->scale * x, s->top + s->scale * (g->n[s->up] - y)};
}

// ---- outlines

static double edge_side(PixelPoint a, PixelPoint b, double x, double y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static void fill_triangle(uint8_t *mask, const OndImage *image, const PixelPoint p[3])
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

// ---- cuts

// Where the plane crosses the edge from a to b.
static PixelPoint between(PixelPoint a, double deep_a, PixelPoint b, double deep_b)
{
    const double t = deep_a / (deep_a - deep_b);
    return (PixelPoint){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

// The piece that the plane cuts out of a triangle; false: it does not meet it.
static bool cut(const PixelPoint p[3], const double deep[3], LinePiece *piece)
{
    int count = 0;
    PixelPoint end[3];
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        if ((deep[k] < 0.0) != (deep[next] < 0.0))
            end[count++] = between(p[k], deep[k], p[next], deep[next]);
    }
    if (count != 2) return false;
    *piece = (LinePiece){end[0], end[1]};
    return isfinite(end[0].x + end[0].y + end[1].x + end[1].y);
}

static int by_place(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void fill_row(uint8_t *row, int width, double *cross, int count)
{
    qsort(cross, (size_t)count, sizeof *cross, by_place);
    for (int k = 0; k + 1 < count; k += 2) {
        const int first = (int)fmin(fmax(ceil(cross[k] - 0.5), 0.0), width),
                  last = (int)fmin(fmax(ceil(cross[k + 1] - 0.5), 0.0), width);
        memset(row + first, 1, last > first ? (size_t)(last - first) : 0);
    }
}

static void fill_cut(uint8_t *mask, const OndImage *image, const LinePiece *piece, int count,
                     double *cross)
{
    for (int y = 0; y < image->height; ++y) {
        int crossings = 0;
        const double at = y + 0.5;
        for (int k = 0; k < count; ++k) {
            const PixelPoint a = piece[k].a, b = piece[k].b;
            if ((a.y < at) != (b.y < at))
                cross[crossings++] = a.x + (at - a.y) / (b.y - a.y) * (b.x - a.x);
        }
        fill_row(mask + (size_t)y * (size_t)image->width, image->width, cross, crossings);
    }
}

// ---- one solid

static void add_solid(const OndSlice *s, const OndDrawnSolid *solid, uint8_t *mask,
                      const OndImage *image)
{
    const OndMesh *const mesh = solid->mesh;
    if (!solid->closed) return; // a container: what it holds is not hidden
    int count = 0;
    LinePiece *const piece = OND_NEW_ARRAY(LinePiece, mesh->triangle_count);
    double *const cross = OND_NEW_ARRAY(double, mesh->triangle_count);
    for (int t = 0; t < mesh->triangle_count && piece && cross; ++t) {
        PixelPoint p[3];
        double deep[3];
        for (int c = 0; c < 3; ++c)
            p[c] =
                to_pixels(s, corner_of(solid, mesh->triangle[3 * (size_t)t + (size_t)c]), &deep[c]);
        if (!s->grid->deep)
            fill_triangle(mask, image, p);
        else if (cut(p, deep, &piece[count]))
            ++count;
    }
    if (count > 0) fill_cut(mask, image, piece, count, cross);
    ond_free(piece);
    ond_free(cross);
}

static void put_on(const OndSlice *s, const uint8_t *mask, OndImage *out)
{
    const double right = s->left + s->scale * s->grid->n[s->across],
                 bottom = s->top + s->scale * s->grid->n[s->up];
    for (int y = 0; y < out->height; ++y)
        for (int x = 0; x < out->width; ++x) {
            const size_t at = (size_t)y * (size_t)out->width + (size_t)x;
            const bool within =
                x + 0.5 >= s->left && x + 0.5 < right && y + 0.5 >= s->top && y + 0.5 < bottom;
            if (mask[at] && within) memset(out->rgb + 3 * at, GREY, 3);
        }
}

void ond_slice_solids(const OndSlice *s, const OndDrawnSolid *solid, int count, OndImage *out)
{
    if (count == 0) return;
    uint8_t *const mask = OND_NEW_ARRAY(uint8_t, (size_t)out->width * (size_t)out->height);
    if (!mask) return; // a picture without solids is better than none
    for (int k = 0; k < count; ++k)
        if (!solid[k].endless) add_solid(s, &solid[k], mask, out);
    put_on(s, mask, out);
    ond_free(mask);
}

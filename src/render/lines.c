// SPDX-License-Identifier: MIT
#include "render/lines.h"

#include <stddef.h>

#define NEAREST 1e-3f // clip distance in front of the eye

typedef struct PixelLine {
    OndF3 a, b; // in pixels; z is the distance along the view
} PixelLine;

// Cuts off what lies behind the eye; false when nothing is left.
static bool clip(const OndCamera *c, OndF3 *a, OndF3 *b)
{
    if (c->flat) return true;
    const float za = ond_f3_dot(ond_f3_sub(*a, c->eye), c->forward);
    const float zb = ond_f3_dot(ond_f3_sub(*b, c->eye), c->forward);
    if (za < NEAREST && zb < NEAREST) return false;
    const OndF3 whole = ond_f3_sub(*b, *a);
    if (za < NEAREST)
        *a = ond_f3_step(*a, whole, (NEAREST - za) / (zb - za));
    else if (zb < NEAREST)
        *b = ond_f3_step(*a, whole, (NEAREST - za) / (zb - za));
    return true;
}

// Distance along the view at part t of the line; perspective keeps 1/z straight, not z.
static float depth_at(const OndCanvas *canvas, const PixelLine *line, float t)
{
    if (canvas->camera->flat) return line->a.z + (line->b.z - line->a.z) * t;
    return 1.0f / (1.0f / line->a.z + (1.0f / line->b.z - 1.0f / line->a.z) * t);
}

static void blend(const OndCanvas *canvas, const PixelLine *line, int x, int y)
{
    const float dx = line->b.x - line->a.x, dy = line->b.y - line->a.y;
    const float px = (float)x + 0.5f - line->a.x, py = (float)y + 0.5f - line->a.y;
    const float square = dx * dx + dy * dy;
    const float t = square > 0.0f ? ond_clamp01((px * dx + py * dy) / square) : 0.0f;
    const float ex = px - t * dx, ey = py - t * dy;
    const float cover = ond_clamp01(0.5f * canvas->thick + 0.5f - sqrtf(ex * ex + ey * ey));
    if (cover <= 0.0f) return;
    const float open = canvas->open(canvas->own, x, y, depth_at(canvas, line, t));
    OndF3 *light = &canvas->light[(size_t)(y - canvas->top) * (size_t)canvas->width + (size_t)x];
    *light = ond_f3_mix(*light, canvas->ink, cover * open * canvas->alpha);
}

static int bound(float x, int max)
{
    return x > 0.0f ? (x < (float)max ? (int)x : max) : 0;
}

// Walks along the longer side of the line; each step touches the few pixels across it.
static void draw(const OndCanvas *canvas, const PixelLine *line)
{
    const bool steep = fabsf(line->b.y - line->a.y) > fabsf(line->b.x - line->a.x);
    const float a0 = steep ? line->a.y : line->a.x, a1 = steep ? line->b.y : line->b.x;
    const float c0 = steep ? line->a.x : line->a.y, c1 = steep ? line->b.x : line->b.y;
    const int low = steep ? canvas->top : 0,
              high = steep ? canvas->top + canvas->rows : canvas->width;
    const int first = low + bound(fminf(a0, a1) - canvas->thick - (float)low, high - low);
    const int last = low + bound(fmaxf(a0, a1) + canvas->thick + 1.0f - (float)low, high - low);
    const float slope = a1 != a0 ? (c1 - c0) / (a1 - a0) : 0.0f;
    const int side_low = steep ? 0 : canvas->top,
              side_high = steep ? canvas->width : canvas->top + canvas->rows;
    const float half = 0.5f * canvas->thick + 2.0f;
    for (int i = first; i < last; ++i) {
        const float across = c0 + slope * ((float)i + 0.5f - a0);
        const int from = side_low + bound(across - half - (float)side_low, side_high - side_low);
        const int to =
            side_low + bound(across + half + 1.0f - (float)side_low, side_high - side_low);
        for (int j = from; j < to; ++j)
            blend(canvas, line, steep ? j : i, steep ? i : j);
    }
}

void ond_lines_box(const OndCanvas *canvas, const OndF3 corner[8])
{
    const OndCamera *c = canvas->camera;
    for (int from = 0; from < 8; ++from)
        for (int axis = 0; axis < 3; ++axis) {
            const int to = from | 1 << axis;
            if (to == from) continue;
            if (c->flat && (axis == 2 || (from & 4))) continue; // the same four edges again
            OndF3 a = corner[from], b = corner[to];
            if (!clip(c, &a, &b)) continue;
            const PixelLine line = {ond_camera_project(c, a), ond_camera_project(c, b)};
            draw(canvas, &line);
        }
}

// SPDX-License-Identifier: MIT
// Arrows and streamlines over a slice.
#include "render/slice.h"

#define INK         0.7f // of a line, over the colours below it
#define STEPS       150  // of a streamline, each way
#define STEP        0.5  // cells
#define STALE_SPEED 1e-3 // of the fastest: there a streamline ends

typedef struct Place {
    double x, y; // cells from the middle of the first, across and up
} Place;

static Place to_pixels(const OndSlice *s, Place p)
{
    return (Place){s->left + s->scale * (p.x + 0.5),
                   s->top + s->scale * (s->grid->n[s->up] - p.y - 0.5)};
}

static bool inside(const OndSlice *s, Place p)
{
    return p.x > -0.5 && p.y > -0.5 && p.x < s->grid->n[s->across] - 0.5 &&
           p.y < s->grid->n[s->up] - 0.5;
}

static Place velocity_at(const OndSlice *s, const OndField *velocity, Place p)
{
    double at[3];
    at[s->normal] = s->at, at[s->across] = p.x, at[s->up] = p.y;
    return (Place){ond_slice_sample(s->grid, velocity, s->across, at),
                   ond_slice_sample(s->grid, velocity, s->up, at)};
}

static double fastest(const OndSlice *s, const OndField *velocity)
{
    double most = 0.0;
    for (int j = 0; j < s->grid->n[s->up]; ++j)
        for (int i = 0; i < s->grid->n[s->across]; ++i) {
            const Place v = velocity_at(s, velocity, (Place){i, j});
            const double speed = hypot(v.x, v.y);
            if (isfinite(speed)) most = fmax(most, speed);
        }
    return most;
}

// ---- lines

static void blend(OndImage *out, int x, int y, const uint8_t ink[3], float alpha)
{
    uint8_t *const rgb = out->rgb + 3 * ((size_t)y * (size_t)out->width + (size_t)x);
    for (int c = 0; c < 3; ++c)
        rgb[c] = (uint8_t)lroundf((float)rgb[c] + alpha * ((float)ink[c] - (float)rgb[c]));
}

static void draw_line(OndImage *out, Place a, Place b, double thick, const uint8_t ink[3])
{
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const double reach = 0.5 * thick + 1.0;
    const int left = (int)fmax(fmin(a.x, b.x) - reach, 0.0),
              right = (int)fmin(fmax(a.x, b.x) + reach, out->width - 1),
              top = (int)fmax(fmin(a.y, b.y) - reach, 0.0),
              bottom = (int)fmin(fmax(a.y, b.y) + reach, out->height - 1);
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
            const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
            const double along = length2 > 0.0 ? (px * dx + py * dy) / length2 : 0.0;
            const double t = along < 0.0 ? 0.0 : fmin(along, 1.0);
            const double d = hypot(px - t * dx, py - t * dy);
            const double cover = fmin(fmax(0.5 * thick + 0.5 - d, 0.0), 1.0);
            if (cover > 0.0) blend(out, x, y, ink, (float)cover * INK);
        }
}

static double thickness(const OndImage *out)
{
    return fmax(1.0, out->height / 600.0);
}

// ---- arrows

static void draw_arrow(const OndSlice *s, Place from, Place v, double length, const uint8_t ink[3],
                       OndImage *out)
{
    const double speed = hypot(v.x, v.y);
    if (!(speed > 0.0)) return;
    const Place d = {v.x / speed, v.y / speed};
    const Place tail = {from.x - 0.5 * length * d.x, from.y - 0.5 * length * d.y};
    const Place tip = {from.x + 0.5 * length * d.x, from.y + 0.5 * length * d.y};
    const double head = 0.35 * length;
    draw_line(out, to_pixels(s, tail), to_pixels(s, tip), thickness(out), ink);
    for (int side = -1; side <= 1; side += 2) {
        const Place barb = {tip.x - head * (0.87 * d.x + side * 0.5 * d.y),
                            tip.y - head * (0.87 * d.y - side * 0.5 * d.x)};
        draw_line(out, to_pixels(s, barb), to_pixels(s, tip), thickness(out), ink);
    }
}

void ond_slice_arrows(const OndSlice *s, const OndField *velocity, int count, const uint8_t ink[3],
                      OndImage *out)
{
    const double most = fastest(s, velocity), gap = s->grid->n[s->across] / fmax(count, 1.0);
    const int rows = (int)fmax(floor(s->grid->n[s->up] / gap), 1.0);
    if (!(most > 0.0)) return;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < count; ++i) {
            const Place at = {(i + 0.5) * gap - 0.5, (j + 0.5) * gap - 0.5};
            const Place v = velocity_at(s, velocity, at);
            draw_arrow(s, at, v, 0.95 * gap * hypot(v.x, v.y) / most, ink, out);
        }
}

// ---- streamlines

// A step of constant length along or against the flow, by the midpoint; false where it stands.
static bool advance(const OndSlice *s, const OndField *velocity, double slow, double way, Place *p)
{
    Place v = velocity_at(s, velocity, *p);
    double speed = hypot(v.x, v.y);
    if (!(speed > slow)) return false;
    const Place half = {p->x + 0.5 * way * STEP * v.x / speed,
                        p->y + 0.5 * way * STEP * v.y / speed};
    v = velocity_at(s, velocity, half);
    speed = hypot(v.x, v.y);
    if (!(speed > slow)) return false;
    p->x += way * STEP * v.x / speed;
    p->y += way * STEP * v.y / speed;
    return inside(s, *p);
}

void ond_slice_streamlines(const OndSlice *s, const OndField *velocity, int count,
                           const uint8_t ink[3], OndImage *out)
{
    const double slow = STALE_SPEED * fastest(s, velocity);
    const double gap = s->grid->n[s->across] / fmax(count, 1.0);
    const int rows = (int)fmax(floor(s->grid->n[s->up] / gap), 1.0);
    for (int seed = 0; seed < rows * count; ++seed)
        for (double way = -1.0; way <= 1.0; way += 2.0) {
            Place at = {(seed % count + 0.5) * gap - 0.5, (seed / count + 0.5) * gap - 0.5};
            for (int k = 0; k < STEPS; ++k) {
                const Place from = at;
                if (!advance(s, velocity, slow, way, &at)) break;
                draw_line(out, to_pixels(s, from), to_pixels(s, at), thickness(out), ink);
            }
        }
}

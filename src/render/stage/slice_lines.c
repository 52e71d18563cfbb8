// SPDX-License-Identifier: MIT
// Arrows and streamlines over a slice.
#include "render/stage/slice.h"

#include "base/memory.h"

#define INK         0.75f // of a line, over the colours below it
#define STARTS_MAX  1e6   // of lines in a picture
#define MIDDLE      128   // brightness from which on lines are dark
#define SHORTEST    4.0   // squares that a streamline goes through, or it is left out
#define STEP        0.5   // cells
#define STALE_SPEED 1e-3  // of the fastest: there a streamline ends

typedef struct SlicePlace {
    double x, y; // cells from the middle of the first, across and up
} SlicePlace;

static SlicePlace to_pixels(const OndSlice *s, SlicePlace p)
{
    return (SlicePlace){s->left + s->scale * (p.x + 0.5),
                        s->top + s->scale * (s->grid->n[s->up] - p.y - 0.5)};
}

static bool inside(const OndSlice *s, SlicePlace p)
{
    return p.x > -0.5 && p.y > -0.5 && p.x < s->grid->n[s->across] - 0.5 &&
           p.y < s->grid->n[s->up] - 0.5;
}

static SlicePlace velocity_at(const OndSlice *s, const OndField *velocity, SlicePlace p)
{
    double at[3];
    at[s->normal] = s->at, at[s->across] = p.x, at[s->up] = p.y;
    return (SlicePlace){ond_slice_sample(s->grid, velocity, s->across, at),
                        ond_slice_sample(s->grid, velocity, s->up, at)};
}

static double fastest(const OndSlice *s, const OndField *velocity)
{
    double most = 0.0;
    for (int j = 0; j < s->grid->n[s->up]; ++j)
        for (int i = 0; i < s->grid->n[s->across]; ++i) {
            const SlicePlace v = velocity_at(s, velocity, (SlicePlace){i, j});
            const double speed = hypot(v.x, v.y);
            if (isfinite(speed)) most = fmax(most, speed);
        }
    return most;
}

// ---- lines

// How much of each pixel lines cover; they are put over the picture together, at the end, so that
// crossings are no darker and each pixel can choose an ink that is seen on what is below.
typedef struct Sheet {
    uint8_t *cover;
    OndImage *out;
} Sheet;

static bool sheet_open(Sheet *sheet, OndImage *out)
{
    *sheet = (Sheet){OND_NEW_ARRAY(uint8_t, (size_t)out->width * (size_t)out->height), out};
    return sheet->cover; // a picture without lines is better than none
}

static void sheet_close(Sheet *sheet)
{
    const size_t pixels = (size_t)sheet->out->width * (size_t)sheet->out->height;
    for (size_t i = 0; i < pixels; ++i) {
        uint8_t *const rgb = sheet->out->rgb + 3 * i;
        const float alpha = INK / 255.0f * (float)sheet->cover[i];
        const bool dark = 2 * rgb[0] + 5 * rgb[1] + rgb[2] < 8 * MIDDLE;
        for (int c = 0; c < 3 && sheet->cover[i]; ++c)
            rgb[c] =
                (uint8_t)lroundf((float)rgb[c] + alpha * ((dark ? 250.0f : 20.0f) - (float)rgb[c]));
    }
    ond_free(sheet->cover);
}

static void draw_line(const Sheet *sheet, SlicePlace a, SlicePlace b, double thick)
{
    const OndImage *const out = sheet->out;
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
            const int cover = (int)(255.0 * fmin(fmax(0.5 * thick + 0.5 - d, 0.0), 1.0));
            uint8_t *const at = &sheet->cover[(size_t)y * (size_t)out->width + (size_t)x];
            if (cover > *at) *at = (uint8_t)cover;
        }
}

static double thickness(const OndImage *out)
{
    return fmax(1.0, out->height / 600.0);
}

// The two strokes of an arrow's head, of that length in cells.
static void draw_head(const OndSlice *s, const Sheet *sheet, SlicePlace tip, SlicePlace d,
                      double head)
{
    for (int side = -1; side <= 1; side += 2) {
        const SlicePlace barb = {tip.x - head * (0.87 * d.x + side * 0.5 * d.y),
                                 tip.y - head * (0.87 * d.y - side * 0.5 * d.x)};
        draw_line(sheet, to_pixels(s, barb), to_pixels(s, tip), thickness(sheet->out));
    }
}

// How far apart lines start, so that `count` of them fit across: farther where there would be more
// of them than anybody can see. Says how many start in a row, and how many rows there are.
static double gap_for(const OndSlice *s, int count, int *columns, int *rows)
{
    const double wide = s->grid->n[s->across], high = s->grid->n[s->up];
    const double gap = fmax(wide / fmax(count, 1.0), sqrt(wide * high / STARTS_MAX));
    *columns = (int)fmax(floor(wide / gap + 1e-9), 1.0);
    *rows = (int)fmax(floor(high / gap + 1e-9), 1.0);
    return gap;
}

// ---- arrows

static void draw_arrow(const OndSlice *s, const Sheet *sheet, SlicePlace from, SlicePlace v,
                       double length)
{
    const double speed = hypot(v.x, v.y);
    if (!(speed > 0.0)) return;
    const SlicePlace d = {v.x / speed, v.y / speed};
    const SlicePlace tail = {from.x - 0.5 * length * d.x, from.y - 0.5 * length * d.y};
    const SlicePlace tip = {from.x + 0.5 * length * d.x, from.y + 0.5 * length * d.y};
    draw_line(sheet, to_pixels(s, tail), to_pixels(s, tip), thickness(sheet->out));
    draw_head(s, sheet, tip, d, 0.35 * length);
}

void ond_slice_arrows(const OndSlice *s, const OndField *velocity, int count, OndImage *out)
{
    int columns, rows;
    const double most = fastest(s, velocity), gap = gap_for(s, count, &columns, &rows);
    Sheet sheet;
    if (!(most > 0.0) || !sheet_open(&sheet, out)) return;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const SlicePlace at = {(i + 0.5) * gap - 0.5, (j + 0.5) * gap - 0.5};
            const SlicePlace v = velocity_at(s, velocity, at);
            draw_arrow(s, &sheet, at, v, 0.95 * gap * hypot(v.x, v.y) / most);
        }
    sheet_close(&sheet);
}

// ---- streamlines

// Lines keep apart: the picture is divided into squares, and a line ends where it comes into one
// that an earlier line went through (a simple form of Jobard and Lefer 1997, "Creating
// evenly-spaced streamlines of arbitrary density").
typedef struct Weave {
    const OndSlice *slice;
    const OndField *velocity;
    double slow; // where the flow is slower, lines end
    double side; // of the squares, cells
    int across, up;
    int *owner; // of each square: the line that was there first, from 1; 0: none
    SlicePlace *path;
    int most; // places of a path; there is room for two
} Weave;

static int *square_at(const Weave *w, SlicePlace p)
{
    const int i = (int)((p.x + 0.5) / w->side), j = (int)((p.y + 0.5) / w->side);
    return &w->owner[(j < w->up ? j : w->up - 1) * w->across + (i < w->across ? i : w->across - 1)];
}

// A step of constant length along or against the flow, by the midpoint; false where it stands.
static bool advance(const Weave *w, double way, SlicePlace *p)
{
    SlicePlace v = velocity_at(w->slice, w->velocity, *p);
    double speed = hypot(v.x, v.y);
    if (!(speed > w->slow)) return false;
    const SlicePlace half = {p->x + 0.5 * way * STEP * v.x / speed,
                             p->y + 0.5 * way * STEP * v.y / speed};
    v = velocity_at(w->slice, w->velocity, half);
    speed = hypot(v.x, v.y);
    if (!(speed > w->slow)) return false;
    p->x += way * STEP * v.x / speed;
    p->y += way * STEP * v.y / speed;
    return inside(w->slice, *p);
}

// Follows the flow from a seed, one way, into `path`; returns how many places there are.
static int follow(const Weave *w, SlicePlace seed, double way, int line, SlicePlace *path)
{
    int count = 0;
    SlicePlace at = seed;
    for (path[count++] = at; count < w->most && advance(w, way, &at); path[count++] = at) {
        const int owner = *square_at(w, at);
        if (owner != 0 && owner != line) break;
        *square_at(w, at) = line;
    }
    return count;
}

static void draw_path(const OndSlice *s, const Sheet *sheet, const SlicePlace *path, int count)
{
    for (int k = 1; k < count; ++k)
        draw_line(sheet, to_pixels(s, path[k - 1]), to_pixels(s, path[k]), thickness(sheet->out));
}

static void draw_streamline(const Weave *w, const Sheet *sheet, SlicePlace seed, int line)
{
    const OndSlice *const s = w->slice;
    const SlicePlace v = velocity_at(s, w->velocity, seed);
    const double speed = hypot(v.x, v.y);
    if (*square_at(w, seed) != 0 || !(speed > w->slow)) return;
    *square_at(w, seed) = line;
    SlicePlace *const ahead = w->path, *const back = w->path + w->most;
    const int to = follow(w, seed, 1.0, line, ahead), from = follow(w, seed, -1.0, line, back);
    if ((to + from) * STEP < SHORTEST * w->side) return;
    draw_path(s, sheet, ahead, to);
    draw_path(s, sheet, back, from);
    draw_head(s, sheet, seed, (SlicePlace){v.x / speed, v.y / speed}, 0.4 * w->side);
}

static bool weave_open(Weave *w, const OndSlice *s, const OndField *velocity, double gap)
{
    const int wide = s->grid->n[s->across], high = s->grid->n[s->up];
    *w = (Weave){.slice = s, .velocity = velocity, .slow = STALE_SPEED * fastest(s, velocity)};
    w->side = 0.5 * gap;
    w->across = (int)ceil(wide / w->side), w->up = (int)ceil(high / w->side);
    w->most = (int)(2.0 * (wide + high) / STEP) + 2;
    w->owner = OND_NEW_ARRAY(int, (size_t)w->across *(size_t)w->up);
    w->path = OND_NEW_ARRAY(SlicePlace, 2 * (size_t)w->most);
    return w->owner && w->path;
}

// Seeds are not taken in the order of their places but in strides, which have no divisor in common
// with their number.
static int stride_for(int seeds)
{
    int stride = (int)(0.618 * seeds) + 1;
    for (;; ++stride) {
        int a = seeds, b = stride;
        while (b != 0) {
            const int rest = a % b;
            a = b, b = rest;
        }
        if (a == 1) return stride;
    }
}

void ond_slice_streamlines(const OndSlice *s, const OndField *velocity, int count, OndImage *out)
{
    int columns, rows;
    const double gap = gap_for(s, count, &columns, &rows);
    Weave w;
    Sheet sheet;
    const bool ready = weave_open(&w, s, velocity, gap);
    if (ready && sheet_open(&sheet, out)) {
        const int seeds = rows * columns, stride = stride_for(seeds);
        for (int seed = 0; seed < seeds; ++seed) {
            const int spread = (int)((long long)seed * stride % seeds);
            const SlicePlace at = {(spread % columns + 0.5) * gap - 0.5,
                                   (spread / columns + 0.5) * gap - 0.5};
            draw_streamline(&w, &sheet, at, seed + 1);
        }
        sheet_close(&sheet);
    }
    ond_free(w.owner);
    ond_free(w.path);
}

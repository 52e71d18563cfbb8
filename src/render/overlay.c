// SPDX-License-Identifier: MIT
#include "render/overlay.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define SMALLEST 160 // pixels; on smaller pictures words would cover what there is to see

// 1, 2 or 5 times a power of ten, so that at most about `most` of them fit.
static double round_step(double width, int most)
{
    const double rough = width / most;
    const double power = pow(10.0, floor(log10(rough)));
    const double part = rough / power * (1.0 - 1e-9); // 2.0000001 is 2
    return power * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0);
}

void ond_overlay_round(double *min, double *max)
{
    if (!(*max > *min) || !isfinite(*max - *min)) return;
    const double step = round_step(*max - *min, 8);
    const double low = floor(*min / step + 1e-6) * step, high = ceil(*max / step - 1e-6) * step;
    if (low < high && isfinite(low) && isfinite(high)) *min = low, *max = high;
}

int ond_overlay_ticks(double min, double max, int most, double tick[16], double *step)
{
    *step = 0.0;
    if (!(max > min) || !isfinite(max - min) || most < 2) return 0;
    *step = round_step(max - min, most);
    if (!(*step > 0.0)) return 0;
    int count = 0;
    const double slack = 1e-9 * (max - min);
    for (double k = ceil((min - slack) / *step); count < 16; ++k) {
        if (k * *step > max + slack) break;
        tick[count++] = k == 0.0 ? 0.0 : k * *step;
    }
    return count;
}

static void write_tick(char *out, size_t size, double value, double step)
{
    const double places = -floor(log10(step) + 1e-9);
    if (places > 6.0 || fabs(value) >= 1e6)
        snprintf(out, size, "%.4g", value);
    else
        snprintf(out, size, "%.*f", places > 0.0 ? (int)places : 0, value);
}

// ---- sizes, in pixels

typedef struct Sizes {
    float text, margin;
    float bar; // thickness of the legend's
} Sizes;

// False on a picture too small for words.
static bool sizes_for(int width, int height, Sizes *out)
{
    const int side = width < height ? width : height;
    const float text = fmaxf(10.0f, (float)side / 42.0f);
    *out = (Sizes){text, 1.7f * text, 0.5f * text};
    return side >= SMALLEST;
}

// From the legend's upper edge to the foot of its numbers.
static float legend_height(const Sizes *s)
{
    return s->bar + 1.55f * s->text;
}

float ond_overlay_share(int width, int height)
{
    Sizes s;
    if (!sizes_for(width, height, &s)) return 0.0f;
    return (s.margin + legend_height(&s) + 0.3f * s.text) / (float)height;
}

// ---- drawing

// How much of a pixel a bar with round ends covers.
static float bar_cover(float x, float y, float left, float top, float width, float height)
{
    const float r = 0.5f * height, cy = top + r;
    const float cx = fminf(fmaxf(x, left + r), left + width - r);
    const float d = sqrtf((x - cx) * (x - cx) + (y - cy) * (y - cy));
    return ond_clamp01(r + 0.5f - d);
}

static void draw_bar(const OndOverlay *o, OndImage *image, float left, float top, float width,
                     float height)
{
    const int y1 = (int)(top + height + 2.0f), x1 = (int)(left + width + 2.0f);
    for (int y = (int)top - 1; y < y1; ++y)
        for (int x = (int)left - 1; x < x1; ++x) {
            if (x < 0 || y < 0 || x >= image->width || y >= image->height) continue;
            const float cover =
                bar_cover((float)x + 0.5f, (float)y + 0.5f, left, top, width, height);
            const OndF3 c = ond_colour_pick(o->map, ((float)x + 0.5f - left) / width);
            const float rgb[3] = {c.x, c.y, c.z};
            uint8_t *out = image->rgb + ((size_t)y * (size_t)image->width + (size_t)x) * 3;
            for (int k = 0; k < 3; ++k)
                out[k] = (uint8_t)lroundf(
                    (float)out[k] + (255.0f * ond_colour_gamma(rgb[k]) - (float)out[k]) * cover);
        }
}

// "kg/m^3" with its 2s and 3s set as powers.
static void raise_powers(char *out, size_t size, const char *unit)
{
    size_t n = 0;
    for (const char *c = unit; *c && n + 3 < size; ++c) {
        const bool power = c[0] == '^' && (c[1] == '2' || c[1] == '3') && c[2] != '.';
        if (power) {
            out[n++] = '\xc2';
            out[n++] = *++c == '2' ? '\xb2' : '\xb3';
        } else {
            out[n++] = *c;
        }
    }
    out[n] = '\0';
}

// A bar at the lower right; its name to the left, round numbers below.
static void draw_legend(const OndOverlay *o, OndText *text, OndImage *image, const Sizes *s)
{
    const float size = s->text, height = s->bar;
    const float width = fminf(16.0f * size, 0.45f * (float)image->width);
    const float left = (float)image->width - s->margin - width;
    const float bottom = (float)image->height - s->margin, top = bottom - legend_height(s);
    draw_bar(o, image, left, top, width, height);
    char words[128];
    char unit[64];
    raise_powers(unit, sizeof unit, o->unit);
    snprintf(words, sizeof words, unit[0] ? "%s (%s)" : "%s", o->quantity, unit);
    const float room = ond_text_width(text, size, words) + 0.9f * size;
    ond_text_draw(text, image, left - room, top + 0.5f * height + 0.35f * size, size, words, o->ink,
                  0.85f);
    double tick[16], step;
    const int count = ond_overlay_ticks(o->min, o->max, 5, tick, &step);
    for (int i = 0; i < count; ++i) {
        write_tick(words, sizeof words, tick[i], step);
        const float at = (float)((tick[i] - o->min) / (o->max - o->min));
        const float half = 0.5f * ond_text_width(text, 0.85f * size, words);
        ond_text_draw(text, image, left + at * width - half, bottom, 0.85f * size, words, o->ink,
                      0.7f);
    }
}

void ond_overlay_draw(const OndOverlay *o, OndText *text, OndImage *image)
{
    Sizes s;
    if (!text || !sizes_for(image->width, image->height, &s)) return;
    const float size = s.text, margin = s.margin;
    if (o->title && o->title[0])
        ond_text_draw(text, image, margin, margin + size, 1.35f * size, o->title, o->ink, 0.95f);
    char words[64];
    if (isfinite(o->time)) {
        snprintf(words, sizeof words, "t = %.2f s", o->time);
        ond_text_draw(text, image, margin, (float)image->height - margin, size, words, o->ink,
                      0.85f);
    }
    if (o->map && o->max > o->min) draw_legend(o, text, image, &s);
}

// SPDX-License-Identifier: MIT
// The filter against noise: an edge-stopping wavelet in four rounds, with steps of 1, 2, 4 and 8
// pixels (Dammertz et al. 2010), led by each pixel's own noise (Schied et al. 2017).
//
// Before that, a pixel that is brighter or darker than all of its neighbours on the same surface is
// made like the nearest of them: few samples that agree by chance look sure of themselves, and
// would stay as specks.
//
// Mirrors and lenses have no noise here, so what they show stays sharp; soft shadows and light from
// the sky have it, and are smoothed. The soft light that comes apart, one sample in a pixel, goes
// the same way beside the rest; for it no brightness need agree.
//
// Only pixels that a surface may be seen in have noise. What the rounds ask of one lies together in
// memory: that, not arithmetic, is what they would wait for.
#include "base/parallel.h"
#include "render/trace/trace_plate.h"

#define ROUNDS    4
#define TOLERANCE 2.5f  // in standard deviations: how much brightness may differ
#define UNNOTICED 1e-6f // variance below this is not seen
#define BAND      8     // rows a piece of work
#define ALIKE     0.9f  // cosine: neighbours on the same surface
#define WITNESSES 5     // so many of them tell what is a speck

typedef struct FilterJob {
    OndPlate *plate;
    const OndTint *from; // of a round
    OndTint *to;
    int step;
} FilterJob;

// The next pixel of a row, from x on, that a surface may be seen in.
static int next_covered(const OndPlate *p, int x, int y)
{
    while (x < p->width && !ond_cover_at(&p->cover, x, y + p->top))
        x = (x / OND_COVER_CELL + 1) * OND_COVER_CELL;
    return x;
}

// ---- before the rounds

// The noise of one pixel is known badly from few samples; its neighbours know more.
static float steady_noise(const OndPlate *p, int x, int y)
{
    float sum = 0.0f, all = 0.0f;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            if (x + i < 0 || x + i >= p->width || y + j < 0 || y + j >= p->rows) continue;
            const float w = (i ? 0.5f : 1.0f) * (j ? 0.5f : 1.0f);
            sum += w * p->noise[(y + j) * p->width + x + i];
            all += w;
        }
    return sum / all;
}

static bool same_surface(const OndPlate *p, int a, int b)
{
    const float za = p->distance[a], zb = p->distance[b];
    if (p->shows[b] == 1.0f) return false; // ground and backdrop are no surface
    if (!(za < INFINITY && zb < INFINITY) || fabsf(za - zb) > 0.02f * za) return false;
    const OndF3 dc = ond_f3_sub(p->colour[a], p->colour[b]);
    return ond_f3_dot(p->normal[a], p->normal[b]) > ALIKE && ond_f3_dot(dc, dc) < 1e-3f;
}

// Light of a pixel, no brighter and no darker than that of its neighbours.
static OndF3 without_speck(const OndPlate *p, int x, int y)
{
    const int at = y * p->width + x;
    float least = INFINITY, most = 0.0f;
    int alike = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            if (x + i < 0 || x + i >= p->width || y + j < 0 || y + j >= p->rows) continue;
            const int near = at + j * p->width + i;
            if (near == at || !same_surface(p, at, near)) continue;
            const float b = ond_brightness(p->light[near]);
            least = ond_f_min(least, b);
            most = ond_f_max(most, b);
            ++alike;
        }
    const float own = ond_brightness(p->light[at]);
    if (alike < WITNESSES || (own >= least && own <= most)) return p->light[at];
    if (own > most) return ond_f3_scale(p->light[at], most / own);
    return own > 1e-4f ? ond_f3_scale(p->light[at], ond_f_min(least / own, 4.0f)) : p->light[at];
}

static void begin_rows(int first, int last, int worker, void *context)
{
    const FilterJob *job = context;
    const OndPlate *p = job->plate;
    for (int y = first; y < last; ++y)
        for (int x = next_covered(p, 0, y); x < p->width; x = next_covered(p, x + 1, y)) {
            const int at = y * p->width + x;
            const float noise = steady_noise(p, x, y);
            const OndF3 light = noise < UNNOTICED ? p->light[at] : without_speck(p, x, y);
            job->to[at] = (OndTint){light, noise, p->soft[at], ond_brightness(light)};
            p->guide[at] = (OndGuide){.normal = p->normal[at],
                                      .distance = p->distance[at],
                                      .colour = p->colour[at],
                                      .soft = p->opaque[at] > 0.0f,
                                      .there = true};
        }
}

// ---- a round

// How much two pixels show the same surface, times `whole`.
static float kinship(const OndGuide *a, const OndGuide *b, float step, float whole)
{
    const OndF3 dc = ond_f3_sub(a->colour, b->colour);
    const float paint = 1.0f + 200.0f * ond_f3_dot(dc, dc);
    if (!(a->distance < INFINITY && b->distance < INFINITY))
        return a->distance < INFINITY || b->distance < INFINITY ? 0.0f : whole / paint;
    const float n = ond_f3_dot(a->normal, b->normal);
    if (n <= 0.5f) return 0.0f;
    const float far = a->distance * 0.01f * step, dz = a->distance - b->distance;
    const float n2 = n * n, n4 = n2 * n2, n8 = n4 * n4;
    return whole * n8 * n8 * far * far / ((far * far + dz * dz) * paint);
}

typedef struct FilterSums {
    OndF3 light, soft;
    float noise, all, all_soft;
} FilterSums;

// `scale` is one over the brightness that may differ; 0: the light is left alone.
static void add_near(FilterSums *s, const FilterJob *job, int at, int near, float whole,
                     float scale)
{
    const OndGuide *a = &job->plate->guide[at], *b = &job->plate->guide[near];
    if (!b->there || (scale == 0.0f && !b->soft)) return;
    const float w = kinship(a, b, (float)job->step, whole);
    const OndTint *own = &job->from[at], *other = &job->from[near];
    if (b->soft) {
        s->soft = ond_f3_step(s->soft, other->soft, w);
        s->all_soft += w;
    }
    if (scale == 0.0f) return;
    const float db = (own->bright - other->bright) * scale, v = w / (1.0f + db * db * db * db);
    s->light = ond_f3_step(s->light, other->light, v);
    s->noise += v * v * other->noise;
    s->all += v;
}

static void filter_pixel(const FilterJob *job, int x, int y)
{
    const OndPlate *p = job->plate;
    const int at = y * p->width + x, step = job->step;
    const OndTint *own = &job->from[at];
    const bool noisy = own->noise >= UNNOTICED;
    job->to[at] = *own;
    if (!noisy && !p->guide[at].soft) return;
    const float scale = noisy ? 1.0f / (TOLERANCE * sqrtf(own->noise) + 1e-4f) : 0.0f;
    FilterSums s = {own->light, own->soft, own->noise, 1.0f, 1.0f};
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            const int nx = x + i * step, ny = y + j * step;
            if ((i | j) == 0 || nx < 0 || nx >= p->width || ny < 0 || ny >= p->rows) continue;
            add_near(&s, job, at, ny * p->width + nx, i && j ? 0.25f : 0.5f, scale);
        }
    const float each = 1.0f / s.all;
    const OndF3 light = ond_f3_scale(s.light, each);
    job->to[at] = (OndTint){light, s.noise * each * each, ond_f3_scale(s.soft, 1.0f / s.all_soft),
                            ond_brightness(light)};
}

static void filter_rows(int first, int last, int worker, void *context)
{
    const FilterJob *job = context;
    const OndPlate *p = job->plate;
    for (int y = first; y < last; ++y)
        for (int x = next_covered(p, 0, y); x < p->width; x = next_covered(p, x + 1, y))
            filter_pixel(job, x, y);
}

// ---- after them

// What is left is as it was before: nothing is there.
static void end_rows(int first, int last, int worker, void *context)
{
    const FilterJob *job = context;
    OndPlate *p = job->plate;
    for (int y = first; y < last; ++y)
        for (int x = next_covered(p, 0, y); x < p->width; x = next_covered(p, x + 1, y)) {
            const int at = y * p->width + x;
            const OndTint *t = &job->from[at];
            p->light[at] = ond_f3_step(t->light, t->soft, p->opaque[at]);
            p->guide[at].there = false;
        }
}

static void run_rows(FilterJob *job, OndRangeFn *rows)
{
    ond_parallel_for(job->plate->rows, BAND, rows, job);
    OndTint *const done = job->to;
    job->to = done == job->plate->tint ? job->plate->other_tint : job->plate->tint;
    job->from = done;
}

void ond_plate_filter(OndPlate *plate)
{
    FilterJob job = {.plate = plate, .to = plate->tint};
    run_rows(&job, begin_rows);
    for (int round = 0; round < ROUNDS; ++round) {
        job.step = 1 << round;
        run_rows(&job, filter_rows);
    }
    run_rows(&job, end_rows);
}

// SPDX-License-Identifier: MIT
// The filter against noise: an edge-stopping wavelet in four rounds, with steps of 1, 2, 4 and 8
// pixels (Dammertz et al. 2010), led by each pixel's own noise (Schied et al. 2017).
//
// Before that, a pixel that is brighter or darker than all of its neighbours on the same surface is
// made like the nearest of them: few samples that agree by chance look sure of themselves, and
// would stay as specks.
//
// Mirrors and lenses have no noise here, so what they show stays sharp; soft shadows and light from
// the sky have it, and are smoothed.
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
    int step;
} FilterJob;

// The noise of one pixel is known badly from few samples; its neighbours know more.
static void steady_rows(int first, int last, int worker, void *context)
{
    const FilterJob *job = context;
    const OndPlate *p = job->plate;
    for (int y = first; y < last; ++y)
        for (int x = 0; x < p->width; ++x) {
            float sum = 0.0f, all = 0.0f;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) {
                    if (x + i < 0 || x + i >= p->width || y + j < 0 || y + j >= p->rows) continue;
                    const float w = (i ? 0.5f : 1.0f) * (j ? 0.5f : 1.0f);
                    sum += w * p->noise[(y + j) * p->width + x + i];
                    all += w;
                }
            p->other_noise[y * p->width + x] = sum / all;
        }
}

static bool same_surface(const OndPlate *p, int a, int b)
{
    const float za = p->distance[a], zb = p->distance[b];
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
            least = fminf(least, b);
            most = fmaxf(most, b);
            ++alike;
        }
    const float own = ond_brightness(p->light[at]);
    if (alike < WITNESSES || (own >= least && own <= most)) return p->light[at];
    if (own > most) return ond_f3_scale(p->light[at], most / own);
    return own > 1e-4f ? ond_f3_scale(p->light[at], fminf(least / own, 4.0f)) : p->light[at];
}

static void speck_rows(int first, int last, int worker, void *context)
{
    const FilterJob *job = context;
    const OndPlate *p = job->plate;
    for (int y = first; y < last; ++y)
        for (int x = 0; x < p->width; ++x) {
            const int at = y * p->width + x;
            p->other_light[at] = p->noise[at] < UNNOTICED ? p->light[at] : without_speck(p, x, y);
        }
}

static float likeness(const OndPlate *p, int a, int b, float scale, float step)
{
    const float za = p->distance[a], zb = p->distance[b];
    if ((za < INFINITY) != (zb < INFINITY)) return 0.0f;
    float w = 1.0f;
    if (za < INFINITY) {
        const float dz = fabsf(za - zb) / (za * 0.01f * step);
        const float n = ond_f3_dot(p->normal[a], p->normal[b]);
        if (n <= 0.5f) return 0.0f;
        const float n2 = n * n, n4 = n2 * n2, n8 = n4 * n4;
        w = n8 * n8 / (1.0f + dz * dz);
    }
    const OndF3 dc = ond_f3_sub(p->colour[a], p->colour[b]);
    const float db = (ond_brightness(p->light[a]) - ond_brightness(p->light[b])) * scale;
    return w / ((1.0f + 200.0f * ond_f3_dot(dc, dc)) * (1.0f + db * db * db * db));
}

static void filter_pixel(const FilterJob *job, int x, int y)
{
    OndPlate *p = job->plate;
    const int at = y * p->width + x, step = job->step;
    if (p->noise[at] == 0.0f) return; // open ground: it stands in both halves already
    p->other_light[at] = p->light[at];
    p->other_noise[at] = p->noise[at];
    if (p->noise[at] < UNNOTICED) return;
    const float scale = 1.0f / (TOLERANCE * sqrtf(p->noise[at]) + 1e-4f);
    OndF3 light = {0, 0, 0};
    float noise = 0.0f, all = 0.0f;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            const int nx = x + i * step, ny = y + j * step;
            if (nx < 0 || nx >= p->width || ny < 0 || ny >= p->rows) continue;
            const int near = ny * p->width + nx;
            const float w = (i ? 0.5f : 1.0f) * (j ? 0.5f : 1.0f) *
                            (near == at ? 1.0f : likeness(p, at, near, scale, (float)step));
            light = ond_f3_step(light, p->light[near], w);
            noise += w * w * p->noise[near];
            all += w;
        }
    p->other_light[at] = ond_f3_scale(light, 1.0f / all);
    p->other_noise[at] = noise / (all * all);
}

static void filter_rows(int first, int last, int worker, void *context)
{
    const FilterJob *job = context;
    for (int y = first; y < last; ++y)
        for (int x = 0; x < job->plate->width; ++x)
            filter_pixel(job, x, y);
}

static void swap_light(OndPlate *p)
{
    OndF3 *light = p->light;
    p->light = p->other_light;
    p->other_light = light;
}

static void swap_noise(OndPlate *p)
{
    float *noise = p->noise;
    p->noise = p->other_noise;
    p->other_noise = noise;
}

void ond_plate_filter(OndPlate *plate)
{
    FilterJob job = {plate, 1};
    ond_parallel_for(plate->rows, BAND, steady_rows, &job);
    swap_noise(plate);
    ond_parallel_for(plate->rows, BAND, speck_rows, &job);
    swap_light(plate);
    for (int round = 0; round < ROUNDS; ++round) {
        job.step = 1 << round;
        ond_parallel_for(plate->rows, BAND, filter_rows, &job);
        swap_light(plate);
        swap_noise(plate);
    }
}

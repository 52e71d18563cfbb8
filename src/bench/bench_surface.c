// SPDX-License-Identifier: MIT
#include "bench/bench_surface.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <stdio.h>
#include <time.h>

// ---- the splash, in a pool one metre wide

#define DEPTH  0.25
#define DROPS  60
#define JITTER 0.15 // spacings

typedef struct Drop {
    double x, y, z, radius;
} Drop;

typedef struct Splash {
    Drop drop[DROPS];
    double spacing;
    OndFrame *frame; // NULL while counting
    int count;
} Splash;

static void place_drops(Splash *s)
{
    for (uint64_t d = 0; d < DROPS; ++d)
        s->drop[d] = (Drop){ond_random(d, 1), 0.35 + 0.4 * ond_random(d, 2), ond_random(d, 3),
                            0.008 + 0.022 * ond_random(d, 4)};
}

// Height of the water: waves from the middle, and two trains across.
static double water_level(double x, double z)
{
    const double r = sqrt((x - 0.5) * (x - 0.5) + (z - 0.5) * (z - 0.5));
    return DEPTH + 0.03 * cos(40.0 * r) / (1.0 + 6.0 * r) + 0.012 * sin(23.0 * x + 5.0 * z) +
           0.008 * sin(31.0 * z - 11.0 * x);
}

// The crown: a thin wall that leans outwards, with teeth.
static bool in_crown(double x, double y, double z)
{
    const double r = sqrt((x - 0.5) * (x - 0.5) + (z - 0.5) * (z - 0.5));
    const double angle = atan2(z - 0.5, x - 0.5), height = y - 0.2;
    const double top = 0.15 + 0.05 * cos(14.0 * angle);
    return height > 0.0 && height < top && fabs(r - 0.2 - 0.3 * height) < 0.02 - 0.06 * height;
}

static bool in_drop(const Splash *s, double x, double y, double z)
{
    for (int d = 0; d < DROPS && y > 0.3; ++d) {
        const double dx = x - s->drop[d].x, dy = y - s->drop[d].y, dz = z - s->drop[d].z;
        if (dx * dx + dy * dy + dz * dz < s->drop[d].radius * s->drop[d].radius) return true;
    }
    return false;
}

static void add(Splash *s, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    OndField *position = &s->frame->particles.field[0], *velocity = &s->frame->particles.field[1];
    for (int a = 0; a < 3; ++a) {
        const double moved = 2.0 * ond_random((uint64_t)s->count, (uint64_t)a) - 1.0;
        ((float *)position->data[a])[s->count] = (float)(at[a] + JITTER * s->spacing * moved);
        ((float *)velocity->data[a])[s->count] = (float)(at[a] - 0.5);
    }
}

// Once to count, once to fill.
static void walk(Splash *s)
{
    const int n = (int)(1.0 / s->spacing);
    s->count = 0;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const double x = (i + 0.5) * s->spacing, y = (j + 0.5) * s->spacing,
                             z = (k + 0.5) * s->spacing;
                if (y > water_level(x, z) && !in_crown(x, y, z) && !in_drop(s, x, y, z)) continue;
                if (s->frame) add(s, x, y, z);
                ++s->count;
            }
}

OndStatus ond_bench_splash(OndFrame *frame, int particles, OndError *err)
{
    const double volume = 0.2597; // m^3, of all of it
    Splash splash = {.spacing = cbrt(volume / particles)};
    place_drops(&splash);
    walk(&splash);
    *frame = (OndFrame){.dimension = 3, .spacing = splash.spacing, .owned = true};
    OndFields *set = &frame->particles;
    OndStatus status = ond_fields_reserve(set, splash.count, err);
    if (status == OND_OK && (ond_fields_add(set, "position", "m", OND_F32, 3, 1) < 0 ||
                             ond_fields_add(set, "velocity", "m/s", OND_F32, 3, 1) < 0))
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", splash.count);
    if (status != OND_OK) return status;
    splash.frame = frame;
    walk(&splash);
    set->count = splash.count;
    return OND_OK;
}

// ---- measuring

static double sum_of(const OndSurfaceTimes *t)
{
    return t->points + t->field + t->polygons + t->finish;
}

void ond_bench_surface(const OndFrame *frame, const char *field, int runs, OndSurfaceRow *row)
{
    OndSurfaceDef def = ond_surface_default_def();
    OndSurface surface = {0};
    OndSurfaceTimes times;
    OndError err = {0};
    def.field = field;
    *row = (OndSurfaceRow){.field = field, .particles = frame->particles.count};
    row->ms = row->core_ms = HUGE_VAL;
    row->threads = ond_threads(), row->spacing = frame->spacing;
    for (int run = 0; run < runs && !row->error[0]; ++run) {
        const clock_t before = clock();
        if (ond_surface_make(&surface, frame, &def, &times, &err) != OND_OK)
            snprintf(row->error, sizeof row->error, "%.190s", err.text);
        else if (sum_of(&times) < row->ms)
            row->times = times, row->ms = sum_of(&times);
        row->core_ms = fmin(row->core_ms, 1e3 * (double)(clock() - before) / CLOCKS_PER_SEC);
        row->corners = surface.mesh.corner_count;
        row->triangles = surface.mesh.triangle_count;
    }
    ond_surface_free(&surface);
}

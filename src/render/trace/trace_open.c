// SPDX-License-Identifier: MIT
#include "render/trace/trace_open.h"

#define ROW OND_OPEN_ROW

// The way of a row of rays, step by step for all of them at once.
typedef struct Rays {
    float x[ROW], y[ROW], z[ROW];  // direction, unit
    float t[ROW];                  // to the ground
    float share[ROW];              // of the ground in what is seen; far away it fades into the sky
    float sky[ROW];                // share of the dome's upper or lower colour
    float across[ROW], along[ROW]; // the point of the ground in texels, from the map's middle
} Rays;

static void aim(const OndCamera *c, int x, int y, Rays *r)
{
    const float sy = (1.0f - 2.0f * ((float)y + 0.5f) / (float)c->height) * c->half_height;
    const OndF3 row = ond_f3_step(c->forward, c->up, sy);
    const float scale = 2.0f * c->half_width / (float)c->width;
    const float start = ((float)x + 0.5f) * scale - c->half_width;
    const OndF3 right = c->right;
#pragma omp simd
    for (int i = 0; i < ROW; ++i) {
        const float sx = start + (float)i * scale;
        const float dx = row.x + right.x * sx, dy = row.y + right.y * sx, dz = row.z + right.z * sx;
        const float once = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz);
        r->x[i] = dx * once, r->y[i] = dy * once, r->z[i] = dz * once;
    }
}

// Where the rays meet the ground; t is 0 where they do not.
static void meet_ground(const OndGround *g, OndF3 eye, Rays *r)
{
    const OndF3 n = g->normal, u = g->u, v = g->v, from = ond_f3_sub(eye, g->middle);
    const float height = ond_f3_dot(from, n), texels = 0.5f * (float)g->side / g->half;
    const float u0 = ond_f3_dot(from, u), v0 = ond_f3_dot(from, v);
    const float wide = 1.0f / (4.0f * g->half * g->half);
    const float least = g->there ? 1e-4f : 2.0f; // steeper than any ray: none meets it
#pragma omp simd
    for (int i = 0; i < ROW; ++i) {
        const float x = r->x[i], y = r->y[i], z = r->z[i];
        const float down = -(n.x * x + n.y * y + n.z * z);
        const float t = height / (down > least ? down : least);
        const bool on = (down >= least) & (t > 0.0f);
        const float a = u0 + t * (u.x * x + u.y * y + u.z * z),
                    b = v0 + t * (v.x * x + v.y * y + v.z * z);
        const float away = (a * a + b * b) * wide;
        r->share[i] = (on & (t < 1e4f)) ? 1.0f / (1.0f + away * away) : 0.0f;
        r->t[i] = on ? t : 0.0f;
        r->across[i] = a * texels, r->along[i] = b * texels;
    }
}

// As ond_sky_dome: `sky` is above 0 for the upper colour, below for the lower.
static void look_up(const OndSky *sky, Rays *r)
{
    const OndF3 up = sky->up;
#pragma omp simd
    for (int i = 0; i < ROW; ++i) {
        const float h = up.x * r->x[i] + up.y * r->y[i] + up.z * r->z[i];
        const float far = h < 0.0f ? h * (-1.0f / 0.6f) : h * (1.0f / 0.75f),
                    t = far < 1.0f ? far : 1.0f, s = t * t * (3.0f - 2.0f * t);
        r->sky[i] = h < 0.0f ? -s : s;
    }
}

void ond_open_row(const OndTraceStage *stage, int x, int y, OndOpenRow *row)
{
    const OndSky *sky = &stage->sky;
    const OndF3 forward = stage->camera.forward;
    Rays r;
    aim(&stage->camera, x, y, &r);
    meet_ground(&stage->ground, stage->camera.eye, &r);
    look_up(sky, &r);
    for (int i = 0; i < ROW; ++i) {
        OndF3 light = {0, 0, 0};
        if (r.share[i] < 1.0f)
            light = r.sky[i] < 0.0f ? ond_f3_mix(sky->horizon, sky->below, -r.sky[i])
                                    : ond_f3_mix(sky->horizon, sky->above, r.sky[i]);
        if (r.share[i] > 0.0f)
            light = ond_f3_mix(light, ond_ground_at(&stage->ground, r.across[i], r.along[i]),
                               r.share[i]);
        row->light[i] = light;
        row->distance[i] =
            r.t[i] > 0.0f ? r.t[i] * ond_f3_dot(ond_f3(r.x[i], r.y[i], r.z[i]), forward) : INFINITY;
    }
}

// SPDX-License-Identifier: MIT
// Caustics: the key light that clear things bend, caught on the ground.
//
// A bundle of parallel places, as wide as the surface, sends one photon each along the key light
// (each from its own place of the lamp). One that meets something clear is refracted in and out,
// tinted on the way, and counted in the texel of the ground where it ends. Those that meet nothing
// are left out: the ground's own rays know about them without noise.
//
// Counts are whole numbers, so the sum does not depend on which thread came first.
#include "base/memory.h"
#include "base/parallel.h"
#include "render/trace/trace_path.h"
#include "render/trace/trace_stage.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define UNIT      1000.0f // of a photon with all its light: all four million of them fit 32 bits
#define FEW       4.0f    // photons a texel
#define SURFACES  8
#define NARROW    0.5f // of the lamp: sharper than real, as in the sun
#define BRIGHTEST 3.5f // of what falls unhindered; sharper foci would be noise

typedef struct Bundle {
    OndTraceStage *stage;
    OndF3 corner, u, v; // of the rectangle that the photons start from
    int side;
} Bundle;

static void catch (OndGround *g, OndF3 at, OndF3 light)
{
    const OndF3 d = ond_f3_sub(at, g->middle);
    const float a = ond_f3_dot(d, g->u) / g->half, b = ond_f3_dot(d, g->v) / g->half;
    if (!(fabsf(a) < 0.999f && fabsf(b) < 0.999f)) return;
    const int x = (int)((a + 1.0f) * 0.5f * (float)g->side),
              y = (int)((b + 1.0f) * 0.5f * (float)g->side);
    const float c[3] = {light.x, light.y, light.z};
    for (int k = 0; k < 3; ++k) {
        _Atomic uint32_t *texel = (_Atomic uint32_t *)&g->caught[3 * (y * g->side + x) + k];
        atomic_fetch_add_explicit(texel, (uint32_t)(ond_clamp01(c[k]) * UNIT + 0.5f),
                                  memory_order_relaxed);
    }
}

// Through clear surfaces down to the ground.
static void follow(OndTraceStage *s, OndRay ray)
{
    OndF3 light = {1, 1, 1};
    for (int k = 0; k < SURFACES; ++k) {
        OndNext next;
        ond_stage_next(s, &ray, 0.5f, 0.5f, &next);
        if (!next.found && (k == 0 || !(next.length < INFINITY))) return;
        if (next.within) {
            OndF3 through;
            ond_even_cross(&next.medium, next.length, &through);
            light = ond_f3_mul(light, through);
        }
        if (!next.found) {
            catch (&s->ground, ond_f3_step(ray.origin, ray.direction, next.length), light);
            return;
        }
        if (next.look->kind != OND_LOOK_CLEAR) return;
        if (next.passage) {
            ray = ond_trace_from(&next.hit, ray.direction);
            continue;
        }
        const OndTraceHit *h = &next.hit;
        OndF3 onward;
        if (next.look->thin) {
            ray = ond_trace_from(h, ray.direction);
            continue;
        }
        const float back =
            ond_path_bend(h, ray.direction, h->normal, next.look->ior / next.outer, &onward);
        if (back < 1.0f)
            light = ond_f3_scale(light, 1.0f - back);
        else
            onward = ond_path_mirror(h, ray.direction, h->normal); // all is thrown back
        ray = ond_trace_from(h, onward);
    }
}

static void send_rows(int first, int last, int worker, void *context)
{
    const Bundle *b = context;
    for (int y = first; y < last; ++y)
        for (int x = 0; x < b->side; ++x) {
            OndSampler sampler = ond_sampler(x, y, 0, 0, 91);
            float i, j, m, n;
            ond_sample_pair(&sampler, &i, &j);
            ond_sample_pair(&sampler, &m, &n);
            m = 0.5f + NARROW * (m - 0.5f), n = 0.5f + NARROW * (n - 0.5f);
            const OndF3 row = ond_f3_step(b->corner, b->v, ((float)y + j) / (float)b->side);
            const OndF3 at = ond_f3_step(row, b->u, ((float)x + i) / (float)b->side);
            follow(b->stage, (OndRay){at, ond_f3_scale(ond_sky_key(&b->stage->sky, m, n), -1.0f)});
        }
}

// Something that bends light.
static bool any_clear(const OndTraceMesh *m)
{
    for (int i = 0; i < m->corner_count && m->triangle_count > 0; ++i) {
        const OndLook *look = m->own ? &m->own[m->look[i]] : ond_look(m->look[i]);
        if (look->kind == OND_LOOK_CLEAR && !look->thin) return true;
    }
    return false;
}

static OndF3 lower(OndF3 a, OndF3 b)
{
    return ond_f3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z));
}

static OndF3 upper(OndF3 a, OndF3 b)
{
    return ond_f3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}

// The rectangle across the key light that holds the shadow of the surface's box, on its lit side.
static void span(Bundle *b)
{
    const OndTraceStage *s = b->stage;
    const bool solids = any_clear(&s->solids);
    const OndF3 min = solids ? lower(s->mesh.min, s->solids.min) : s->mesh.min,
                max = solids ? upper(s->mesh.max, s->solids.max) : s->mesh.max;
    const OndLamp *key = &b->stage->sky.lamp[OND_LAMP_KEY];
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 8; ++i) {
        const OndF3 p = ond_f3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
        const float c[3] = {ond_f3_dot(p, key->u), ond_f3_dot(p, key->v), ond_f3_dot(p, key->to)};
        for (int k = 0; k < 3; ++k)
            low[k] = fminf(low[k], c[k]), high[k] = fmaxf(high[k], c[k]);
    }
    b->corner = ond_f3_add(ond_f3_step(ond_f3_scale(key->u, low[0]), key->v, low[1]),
                           ond_f3_scale(key->to, high[2] + 0.01f));
    b->u = ond_f3_scale(key->u, high[0] - low[0]);
    b->v = ond_f3_scale(key->v, high[1] - low[1]);
}

static float soften(float x)
{
    return BRIGHTEST * (1.0f - expf(-x / BRIGHTEST));
}

// The mean of what the texels within `reach` caught, nearer ones counting more.
static void mean_caught(const OndGround *g, int x, int y, int reach, float mean[3])
{
    float all = 0.0f;
    mean[0] = mean[1] = mean[2] = 0.0f;
    for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i) {
            const int tx = x + i, ty = y + j;
            if (tx < 0 || ty < 0 || tx >= g->side || ty >= g->side) continue;
            const float w = (float)((reach + 1 - abs(i)) * (reach + 1 - abs(j)));
            const uint32_t *c = g->caught + 3 * (ty * g->side + tx);
            for (int k = 0; k < 3; ++k)
                mean[k] += w * (float)c[k];
            all += w;
        }
    for (int k = 0; k < 3; ++k)
        mean[k] /= UNIT * all;
}

typedef struct Adding {
    OndGround *ground;
    float photon; // what one of them adds to a texel's share
} Adding;

// Photons near each other are averaged, over a wider area where there are few. The key's share is
// what came straight and what came bent.
static void add_rows(int first, int last, int worker, void *context)
{
    const Adding *a = context;
    OndGround *g = a->ground;
    for (int y = first; y < last; ++y)
        for (int x = 0; x < g->side; ++x) {
            float mean[3];
            mean_caught(g, x, y, 1, mean);
            if (mean[1] < FEW) mean_caught(g, x, y, 3, mean);
            const OndF3 bent = ond_f3(soften(mean[0] * a->photon), soften(mean[1] * a->photon),
                                      soften(mean[2] * a->photon));
            g->key[y * g->side + x] = ond_f3_add(g->key[y * g->side + x], bent);
        }
}

void ond_caustics_add(OndTraceStage *stage)
{
    OndGround *g = &stage->ground;
    const OndLamp *key = &stage->sky.lamp[OND_LAMP_KEY];
    const float facing = ond_f3_dot(g->normal, key->to);
    if (facing < 0.05f || !(any_clear(&stage->mesh) || any_clear(&stage->solids))) return;
    Bundle bundle = {.stage = stage, .side = stage->effort.photons};
    span(&bundle);
    memset(g->caught, 0, 3 * sizeof(uint32_t) * (size_t)g->side * (size_t)g->side);
    ond_parallel_for(bundle.side, 4, send_rows, &bundle);
    const float area = sqrtf(ond_f3_dot(bundle.u, bundle.u) * ond_f3_dot(bundle.v, bundle.v));
    const float texel = 2.0f * g->half / (float)g->side;
    const float each = area / ((float)bundle.side * (float)bundle.side);
    Adding adding = {g, each / (texel * texel * facing)};
    ond_parallel_for(g->side, 4, add_rows, &adding);
}

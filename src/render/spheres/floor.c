// SPDX-License-Identifier: MIT
#include "render/spheres/floor.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "render/spheres/packet.h"

#define SIDE OND_FLOOR_SIDE
#define RAYS 8 // of each kind, a texel
_Static_assert(2 * RAYS == OND_PACKET, "a texel is one packet");

typedef struct FloorJob {
    OndFloor *floor;
    const OndLights *lights;
    const OndCloud *cloud;
} FloorJob;

OndStatus ond_floor_create(OndFloor *floor, OndError *err)
{
    floor->sky = OND_NEW_ARRAY(float, SIDE *SIDE);
    floor->key = OND_NEW_ARRAY(float, SIDE *SIDE);
    floor->scratch = OND_NEW_ARRAY(float, SIDE *SIDE);
    if (floor->sky && floor->key && floor->scratch) return OND_OK;
    ond_floor_free(floor);
    return ond_fail(err, OND_NO_MEMORY, "no memory for the floor's light");
}

void ond_floor_free(OndFloor *floor)
{
    ond_free(floor->sky);
    ond_free(floor->key);
    ond_free(floor->scratch);
    floor->sky = floor->key = floor->scratch = NULL;
}

static OndF3 texel_point(const OndFloor *f, float x, float y)
{
    const float step = 2.0f * f->half / SIDE;
    const OndF3 row = ond_f3_step(f->middle, f->v, (y + 0.5f) * step - f->half);
    return ond_f3_step(row, f->u, (x + 0.5f) * step - f->half);
}

// A point of the unit disc for ray i; `turn` in [0, 1) sets a texel's pattern apart from its
// neighbours'.
static void disc_point(int i, float turn, float *x, float *y)
{
    const float r = sqrtf(((float)i + 0.5f) / RAYS);
    const float angle = 2.39996323f * (float)i + 6.2831853f * turn;
    *x = r * cosf(angle);
    *y = r * sinf(angle);
}

static void gather_texel(const FloorJob *job, int x, int y)
{
    const OndFloor *f = job->floor;
    const OndLights *l = job->lights;
    const OndF3 at = ond_f3_step(texel_point(f, (float)x, (float)y), f->normal, 1e-4f);
    const float turn = ond_random((uint64_t)(y * SIDE + x), 17);
    OndPacket packet;
    ond_packet_clear(&packet);
    for (int i = 0; i < 2 * RAYS; ++i) {
        float a, b;
        disc_point(i % RAYS, turn, &a, &b);
        OndF3 d;
        if (i < RAYS) { // cosine-weighted about the normal
            d = ond_f3_step(ond_f3_scale(f->u, a), f->v, b);
            d = ond_f3_step(d, f->normal, sqrtf(fmaxf(1.0f - a * a - b * b, 1e-4f)));
        } else {
            d = ond_f3_step(ond_f3_step(l->key, l->key_u, a), l->key_v, b);
        }
        ond_packet_put(&packet, at, ond_f3_unit(d), i < RAYS ? 2.0f * l->reach : INFINITY);
    }
    ond_packet_occlude(&packet, job->cloud->scene);
    int open[2] = {0, 0};
    for (int i = 0; i < 2 * RAYS; ++i)
        open[i / RAYS] += !ond_packet_blocked(&packet, i);
    f->sky[y * SIDE + x] = (float)open[0] / RAYS;
    f->key[y * SIDE + x] = (float)open[1] / RAYS;
}

static void gather_rows(int first, int last, int worker, void *context)
{
    for (int y = first; y < last; ++y)
        for (int x = 0; x < SIDE; ++x)
            gather_texel(context, x, y);
}

static const float blur_weight[7] = {0.03f, 0.11f, 0.22f, 0.28f, 0.22f, 0.11f, 0.03f};

// One pass along rows or columns.
static void blur(const float *from, float *to, int step_x, int step_y)
{
    for (int y = 0; y < SIDE; ++y)
        for (int x = 0; x < SIDE; ++x) {
            float sum = 0.0f;
            for (int k = -3; k <= 3; ++k) {
                const int cx = x + k * step_x, cy = y + k * step_y;
                const int tx = cx < 0 ? 0 : cx >= SIDE ? SIDE - 1 : cx;
                const int ty = cy < 0 ? 0 : cy >= SIDE ? SIDE - 1 : cy;
                sum += blur_weight[k + 3] * from[ty * SIDE + tx];
            }
            to[y * SIDE + x] = sum;
        }
}

void ond_floor_gather(OndFloor *floor, const OndLights *lights, const OndCloud *cloud)
{
    FloorJob job = {floor, lights, cloud};
    ond_parallel_for(SIDE, 4, gather_rows, &job);
    float *maps[2] = {floor->sky, floor->key};
    for (int m = 0; m < 2; ++m) {
        blur(maps[m], floor->scratch, 1, 0);
        blur(floor->scratch, maps[m], 0, 1);
    }
}

static float bilinear(const float *map, int x, int y, float fx, float fy)
{
    const float *p = map + y * SIDE + x;
    const float top = p[0] + (p[1] - p[0]) * fx;
    const float bottom = p[SIDE] + (p[SIDE + 1] - p[SIDE]) * fx;
    return top + (bottom - top) * fy;
}

void ond_floor_light(const OndFloor *floor, OndF3 point, float *sky, float *key)
{
    const OndF3 d = ond_f3_sub(point, floor->middle);
    const float a = ond_f3_dot(d, floor->u) / floor->half,
                b = ond_f3_dot(d, floor->v) / floor->half;
    const float rim = fmaxf(fabsf(a), fabsf(b));
    *sky = *key = 1.0f;
    if (!(rim < 0.98f)) return;
    const float x = (a + 1.0f) * 0.5f * SIDE - 0.5f, y = (b + 1.0f) * 0.5f * SIDE - 0.5f;
    const int ix = (int)x, iy = (int)y;
    const float kept = 1.0f - ond_smoothstep(0.8f, 0.98f, rim);
    *sky = 1.0f - kept * (1.0f - bilinear(floor->sky, ix, iy, x - (float)ix, y - (float)iy));
    *key = 1.0f - kept * (1.0f - bilinear(floor->key, ix, iy, x - (float)ix, y - (float)iy));
}

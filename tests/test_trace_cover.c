// SPDX-License-Identifier: MIT
// What spares the ray tracer work: cells of the picture without a surface, rays beside all of it.
#include "check.h"

#include "base/random.h"
#include "render/trace/trace_cover.h"
#include "render/trace/trace_open.h"

#define TRIANGLES 40
#define WIDTH     160
#define HEIGHT    90

typedef struct Shards {
    float corner[9 * TRIANGLES], normal[9 * TRIANGLES];
    uint32_t triangle[3 * TRIANGLES];
    RTCDevice device;
    OndTraceMesh mesh;
} Shards;

typedef struct Draw {
    uint64_t seed, count;
} Draw;

static float any(Draw *draw, float low, float high)
{
    return low + (high - low) * ond_random(draw->seed, draw->count++);
}

// Small triangles anywhere within half a unit of the middle.
static void make_shards(Shards *s)
{
    Draw random = {11, 0};
    for (int i = 0; i < TRIANGLES; ++i) {
        const float at[3] = {any(&random, -0.5f, 0.5f), any(&random, -0.5f, 0.5f),
                             any(&random, -0.5f, 0.5f)};
        for (int k = 0; k < 9; ++k) {
            s->corner[9 * i + k] = at[k % 3] + any(&random, -0.06f, 0.06f);
            s->normal[9 * i + k] = k % 3 == 2;
        }
        for (int k = 0; k < 3; ++k)
            s->triangle[3 * i + k] = (uint32_t)(3 * i + k);
    }
    const OndSurface surface = {.mesh = {s->corner, s->triangle, 3 * TRIANGLES, TRIANGLES},
                                .normal = s->normal};
    s->device = rtcNewDevice("threads=1");
    const OndTraceMeshDef def = {
        .device = s->device, .place = {{0, 0, 0}, 1.0}, .paint = OND_LOOK_NONE};
    assert_int_equal(ond_trace_mesh_build(&s->mesh, &surface, &def, NULL), OND_OK);
}

static void free_shards(Shards *s)
{
    ond_trace_mesh_free(&s->mesh);
    rtcReleaseDevice(s->device);
}

// No sample of a pixel that is not covered meets anything, from afar, from amidst, and flat.
static void test_cover(void **state)
{
    Shards s;
    make_shards(&s);
    OndCover cover;
    assert_int_equal(ond_cover_create(&cover, WIDTH, HEIGHT, NULL), OND_OK);
    for (int view = 0; view < 3; ++view) {
        const OndF3 eye = view == 1 ? ond_f3(0.1f, 0, 0) : ond_f3(0.3f, -3, 0.4f);
        OndCamera camera = ond_camera_aim(eye, ond_f3(0, 1, 0), ond_f3(0, 0, 1), WIDTH, HEIGHT);
        ond_camera_open(&camera, 30.0f);
        camera.flat = view == 2;
        ond_cover_fill(&cover, false);
        ond_cover_add(&cover, &camera, &s.mesh);
        Draw random = {5, 0};
        int met = 0, open = 0;
        for (int i = 0; i < 60 * WIDTH * HEIGHT; ++i) {
            const int x = i % WIDTH, y = i / WIDTH % HEIGHT;
            const OndRay ray = ond_camera_ray(
                &camera, (float)x + 0.5f + any(&random, -OND_COVER_REACH, OND_COVER_REACH),
                (float)y + 0.5f + any(&random, -OND_COVER_REACH, OND_COVER_REACH));
            OndTraceHit hit;
            const bool covered = ond_cover_at(&cover, x, y);
            const bool meets = ond_trace_find(&s.mesh, &ray, INFINITY, 0.5f, &hit);
            assert_true(covered || !meets);
            met += meets, open += !covered;
        }
        if (view == 1)
            assert_int_equal(open, 0); // some reach behind the eye: they may be anywhere
        else
            assert_true(met > 6000 && open > 600000);
    }
    ond_cover_free(&cover);
    free_shards(&s);
}

// A ray is blocked when it finds something; and where it looks, it is found.
static void test_blocked(void **state)
{
    Shards s;
    make_shards(&s);
    Draw random = {3, 0};
    int met = 0;
    for (int i = 0; i < 5000; ++i) {
        const float *c = s.corner + 9 * (i % TRIANGLES);
        const OndF3 middle =
            ond_f3((c[0] + c[3] + c[6]) / 3, (c[1] + c[4] + c[7]) / 3, (c[2] + c[5] + c[8]) / 3);
        OndRay ray = {ond_f3(any(&random, -2, 2), any(&random, -2, 2), any(&random, -2, 2)),
                      {0, 0, 0}};
        const OndF3 to = ond_f3_sub(middle, ray.origin);
        ray.direction = ond_f3_unit(to);
        if (i % 2) ray.direction = ond_f3_unit(ond_f3(to.z, to.x, to.y)); // somewhere
        OndTraceHit hit;
        const bool meets = ond_trace_find(&s.mesh, &ray, INFINITY, 0.5f, &hit);
        assert_int_equal(ond_trace_blocked(&s.mesh, &ray, INFINITY, 0.5f), meets);
        if (i % 2 == 0) assert_true(meets);
        met += meets;
    }
    assert_true(met < 4900);
    free_shards(&s);
}

// ---- rows of open pixels

static void fill_ground(OndGround *g)
{
    assert_int_equal(ond_ground_create(g, 128, 1, NULL), OND_OK);
    g->there = true;
    g->normal = ond_f3(0, 1, 0), g->u = ond_f3(0, 0, 1), g->v = ond_f3(1, 0, 0);
    g->middle = ond_f3(0, -0.4f, 0);
    g->half = 1.9f;
    g->far = ond_f3(0.3f, 0.2f, 0.1f);
    Draw random = {7, 0};
    for (int i = 0; i < 128 * 128; ++i)
        g->light[i] = ond_f3(any(&random, 0, 1), any(&random, 0, 1), any(&random, 0, 1));
}

// A row of pixels is what each of them is by itself: on the ground and beyond its map, in the sky,
// with no ground, from below it.
static void test_open_rows(void **state)
{
    OndTraceStage s = {0};
    fill_ground(&s.ground);
    for (int view = 0; view < 4; ++view) {
        const OndF3 eye = view == 3 ? ond_f3(0.3f, -2, 3) : ond_f3(0.3f, 0.8f, 3);
        s.camera = ond_camera_aim(eye, ond_f3(0.1f, view == 1 ? -0.05f : -0.3f, -1),
                                  ond_f3(0, 1, 0), WIDTH, HEIGHT);
        ond_camera_open(&s.camera, 50.0f);
        s.ground.there = view < 2;
        ond_sky_make(&s.sky, ond_f3(0, 1, 0), s.camera.forward, s.camera.right, view == 1, false);
        OndOpenRow row;
        for (int y = 0; y < HEIGHT; ++y)
            for (int x = 0; x < WIDTH; ++x) {
                OndSeen seen;
                const OndRay ray = ond_camera_ray(&s.camera, (float)x + 0.5f, (float)y + 0.5f);
                const OndF3 want = ond_path_open(&s, &ray, &seen);
                if (x % OND_OPEN_ROW == 0) ond_open_row(&s, x, y, &row);
                const int k = x % OND_OPEN_ROW;
                CHECK_NEAR(row.light[k].x, want.x, 2e-3, "red");
                CHECK_NEAR(row.light[k].z, want.z, 2e-3, "blue");
                if (seen.distance < 1e4f)
                    CHECK_NEAR(row.distance[k] / seen.distance, 1.0, 1e-3, "distance");
                else
                    assert_true(row.distance[k] > 1e3f);
            }
    }
    ond_ground_free(&s.ground);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cover),
        cmocka_unit_test(test_blocked),
        cmocka_unit_test(test_open_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// The parts of the ray tracer: samples, optics, lamps, media, the mesh, the filter.
#include "check.h"

#include "base/memory.h"
#include "base/random.h"
#include "render/trace/trace_path.h"
#include "render/trace/trace_plate.h"

// ---- samples

// The first 16 points of a pair lie one each in all 16 boxes of every shape 1 x 16, 2 x 8, 4 x 4
// ...
static void test_samples_spread(void **state)
{
    for (int pixel = 0; pixel < 50; ++pixel)
        for (int wide = 1; wide <= 16; wide *= 2) {
            int seen[16] = {0};
            for (int i = 0; i < 16; ++i) {
                OndSampler s = ond_sampler(pixel, 3 * pixel, i, 4, 7);
                float u, v;
                ond_sample_pair(&s, &u, &v);
                ond_sample_pair(&s, &u, &v); // the second pair of a path
                assert_true(u >= 0.0f && u < 1.0f && v >= 0.0f && v < 1.0f);
                ++seen[(int)(u * (float)wide) * (16 / wide) + (int)(v * (float)(16 / wide))];
            }
            for (int b = 0; b < 16; ++b)
                CHECK_NEAR(seen[b], 1, 0, "points in a box");
        }
}

// So do one of each of 4 x 4 pixels, and four of each of 2 x 2.
static void test_samples_spread_over_pixels(void **state)
{
    for (int block = 0; block < 50; ++block)
        for (int wide = 1; wide <= 16; wide *= 2)
            for (int bits = 0; bits <= 2; bits += 2) {
                int seen[16] = {0};
                const int side = bits ? 2 : 4;
                for (int i = 0; i < 16; ++i) {
                    const int pixel = i >> bits;
                    OndSampler s = ond_sampler(4 * block + pixel % side, 8 * block + pixel / side,
                                               i & ((1 << bits) - 1), bits, 7);
                    float u, v;
                    ond_sample_pair(&s, &u, &v);
                    ++seen[(int)(u * (float)wide) * (16 / wide) + (int)(v * (float)(16 / wide))];
                }
                for (int b = 0; b < 16; ++b)
                    CHECK_NEAR(seen[b], 1, 0, "points of neighbours in a box");
            }
}

static void test_samples_differ(void **state)
{
    float u[3], v[3];
    for (int k = 0; k < 3; ++k) {
        OndSampler s = ond_sampler(k == 1 ? 11 : 10, 20, 0, 2, k == 2 ? 6 : 5);
        ond_sample_pair(&s, &u[k], &v[k]);
    }
    assert_true(u[0] != u[1] && u[0] != u[2] && v[0] != v[1] && v[0] != v[2]);
}

// ---- optics

static void test_fresnel(void **state)
{
    static const struct {
        const char *name;
        double cosine, ratio, want;
    } cases[] = {
        {"water, straight", 1.0, 1 / 1.333, 0.020373},
        {"water from within, straight", 1.0, 1.333, 0.020373},
        {"glass, straight", 1.0, 1 / 1.5, 0.04},
        {"glass at 60 degrees", 0.5, 1 / 1.5, 0.089187},
        {"grazing", 0.0, 1 / 1.333, 1.0},
        {"beyond the critical angle", 0.5, 1.5, 1.0},
        {"nothing there", 0.3, 1.0, 0.0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c)
        CHECK_NEAR(ond_look_fresnel((float)cases[c].cosine, (float)cases[c].ratio), cases[c].want,
                   2e-5, cases[c].name);
}

static void test_bend(void **state)
{
    for (int degrees = 0; degrees < 90; degrees += 10)
        for (int inside = 0; inside < 2; ++inside) {
            const float a = (float)degrees * 0.01745329f, y = inside ? 1.0f : -1.0f;
            const OndTraceHit hit = {.flat = {0, 1, 0}, .normal = {0, 1, 0}, .inside = inside == 1};
            const OndF3 d = ond_f3(sinf(a), y * cosf(a), 0);
            OndF3 onward;
            const float back = ond_path_bend(&hit, d, hit.normal, 1.333f, &onward);
            const double sine = inside ? 1.333 * sin(a) : sin(a) / 1.333;
            CHECK_NEAR(back >= 1.0f, sine > 1.0, 0, "all thrown back");
            const OndF3 mirrored = ond_path_mirror(&hit, d, hit.normal);
            if (degrees < 89) CHECK_NEAR(mirrored.y, -d.y, 1e-5, "mirrored");
            if (back >= 1.0f) continue;
            CHECK_NEAR(onward.x, sine, 1e-5, "Snell");
            assert_true(onward.y * d.y > 0.0f);
        }
}

// Smooth normals may ask for a ray into the wrong side; none is sent there.
static void test_never_wrong_side(void **state)
{
    for (int i = 0; i < 2000; ++i) {
        float r[6];
        for (int k = 0; k < 6; ++k)
            r[k] = 2.0f * ond_random((uint64_t)i, (uint64_t)k) - 1.0f;
        const OndF3 d = ond_f3_unit(ond_f3(r[0], -fabsf(r[1]) - 1e-3f, r[2]));
        const OndF3 n = ond_f3_unit(ond_f3(r[3], fabsf(r[4]) + 0.05f, r[5]));
        const OndTraceHit hit = {.flat = {0, 1, 0}, .normal = n};
        OndF3 onward;
        assert_true(ond_path_mirror(&hit, d, n).y > 0.0f);
        if (ond_path_bend(&hit, d, n, 1.5f, &onward) < 1.0f) assert_true(onward.y < 0.0f);
    }
}

static void test_heat(void **state)
{
    OndF3 last = {-1, -1, -1};
    CHECK_NEAR(ond_look_heat(20).x, 0, 0, "cold things do not shine");
    for (float t = 600; t <= 1300; t += 50) {
        const OndF3 c = ond_look_heat(t);
        assert_true(c.x > last.x && c.y > last.y && c.x > c.y && c.y > c.z);
        last = c;
    }
}

static void test_look_of_materials(void **state)
{
    const uint8_t looks[] = {3, 1, 2, 200}; // the last is no look
    static const struct {
        float material;
        int look;
    } cases[] = {{0, 3},    {0.4f, 3}, {0.6f, 1},  {1.4f, 1}, {1.6f, 2},
                 {3.0f, 0}, {7.0f, 3}, {-5.0f, 3}, {NAN, 3},  {INFINITY, 3}};
    for (int c = 0; c < OND_COUNT(cases); ++c)
        CHECK_NEAR(ond_look_of(looks, 4, cases[c].material), cases[c].look, 0, "material");
    CHECK_NEAR(ond_look_of(looks, 0, 1.0f), 0, 0, "no materials");
}

// ---- lamps

// The light that a white wall gets from a lamp, summed over directions, is what the lamp is meant
// to give, and more by what its soft edge is not counted for (highlights are to be seen); roughness
// spreads it and leaves the sum. What is left is the lattice of directions.
static void test_lamps(void **state)
{
    OndSky sky;
    ond_sky_make(&sky, ond_f3(0, 1, 0), ond_f3(0, -0.2f, -1), ond_f3(1, 0, 0), false, false);
    const OndLamp *key = &sky.lamp[OND_LAMP_KEY];
    const float rough[] = {0.0f, 0.2f, 0.35f};
    OndSky alone = sky; // the other lamps reach into the key's corner
    alone.lamp[OND_LAMP_STRIP].light = alone.lamp[OND_LAMP_PANEL].light = ond_f3(0, 0, 0);
    for (int k = 0; k < OND_COUNT(rough); ++k) {
        double sum = 0.0;
        const int n = 400;
        const double half = 0.6, each = 4 * half * half / n / n;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const float x = (float)(half * (2.0 * (i + 0.5) / n - 1.0)),
                            y = (float)(half * (2.0 * (j + 0.5) / n - 1.0));
                const OndF3 d =
                    ond_f3_unit(ond_f3_step(ond_f3_step(key->to, key->u, x), key->v, y));
                const float lamp =
                    ond_sky_mirrored(&alone, d, rough[k]).y - ond_sky_dome(&sky, d).y;
                sum += lamp * each;
            }
        const double want = sky.key_light.y / (1.0 - key->edge);
        CHECK_NEAR(sum / 3.14159265 / want, 1.0, 0.02, "light of the key");
    }
    for (int i = 0; i < 16; ++i) {
        const OndF3 d = ond_sky_key(&sky, (float)i / 16.0f, 0.5f);
        assert_true(ond_sky_mirrored(&sky, d, 0).y > 2.0f * ond_sky_dome(&sky, d).y || i == 0);
    }
}

// ---- media

static void test_even_medium(void **state)
{
    const OndEven water = {.loss = {2.0f, 0.5f, 0.1f}, .haze = 0.3f, .veil = {1, 1, 1}};
    OndF3 whole, first, second;
    ond_even_cross(&water, 1.0f, &whole);
    ond_even_cross(&water, 0.3f, &first);
    ond_even_cross(&water, 0.7f, &second);
    CHECK_NEAR(first.x * second.x, whole.x, 1e-6, "two pieces are one");
    CHECK_NEAR(whole.x, exp(-2.3), 1e-6, "Beer");
    assert_true(whole.x < whole.y && whole.y < whole.z);
    CHECK_NEAR(ond_even_cross(&water, 0.0f, &whole).x, 0, 0, "no way, no veil");
    CHECK_NEAR(whole.x, 1, 0, "no way, no loss");
}

// ---- the mesh

static void test_mesh(void **state)
{
    float corner[] = {0.03f, 0.5f, 0.5f, 0.06f, 0.6f, 0.5f, 0.04f, 0.5f, 0.6f, 0.5f, 0.5f, 0.5f};
    float normal[] = {-0.9f, 0.43f, 0, -0.9f, -0.43f, 0, -0.9f, 0, 0.43f, 1, 0, 0};
    uint32_t triangle[] = {0, 2, 1, 1, 2, 3, 0, 1, 99, 3, 3, 1}; // the last two cannot be used
    const OndSurface surface = {
        .mesh = {corner, triangle, 4, 4},
        .normal = normal,
        .dimension = 3,
        .spacing = 0.1,
        .domain = {{0, 0, 0}, {1, 1, 1}},
    };
    RTCDevice device = rtcNewDevice("threads=1");
    OndTraceMeshDef def = {.device = device, .place = {{0, 0, 0}, 1.0}, .paint = OND_LOOK_NONE};
    OndTraceMesh mesh;
    assert_int_equal(ond_trace_mesh_build(&mesh, &surface, &def, NULL), OND_OK);
    CHECK_NEAR(mesh.triangle_count, 2, 0, "triangles that can be used");
    for (int i = 0; i < 12; ++i)
        CHECK_NEAR(mesh.corner[0][i], corner[i], 1e-6, "nothing moves");
    ond_trace_mesh_free(&mesh);
    rtcReleaseDevice(device);
}

// A corner whose normal belongs to the other side of a crease does not bend the light on this one.
static void test_crease(void **state)
{
    float corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t triangle[] = {0, 1, 2};
    const struct {
        float x, z; // normal of the last corner
        double bent;
    } cases[] = {{1, 0, 0.0}, {0.6f, 0.8f, 0.17}};
    RTCDevice device = rtcNewDevice("threads=1");
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        float normal[] = {0, 0, 1, 0, 0, 1, cases[c].x, 0, cases[c].z};
        const OndSurface surface = {.mesh = {corner, triangle, 3, 1}, .normal = normal};
        OndTraceMeshDef def = {.device = device, .place = {{0, 0, 0}, 1.0}, .paint = OND_LOOK_NONE};
        OndTraceMesh mesh;
        OndTraceHit hit;
        assert_int_equal(ond_trace_mesh_build(&mesh, &surface, &def, NULL), OND_OK);
        const OndRay ray = {{0.25f, 0.25f, 1.0f}, {0, 0, -1}};
        assert_true(ond_trace_find(&mesh, &ray, 10.0f, 0.5f, &hit));
        CHECK_NEAR(hit.normal.x, cases[c].bent, 0.02, "normal");
        ond_trace_mesh_free(&mesh);
    }
    rtcReleaseDevice(device);
}

// ---- the filter

static OndPlate make_plate(int width, int height)
{
    OndPlate p;
    assert_int_equal(ond_plate_create(&p, width, height, NULL), OND_OK);
    p.rows = height;
    ond_cover_fill(&p.cover, true);
    return p;
}

// Left half 0.2 and facing one way, right half 0.8 and facing another; noise of 0.1 on both.
static void test_filter(void **state)
{
    enum { W = 96, H = 64 };
    OndPlate p = make_plate(W, H);
    for (int i = 0; i < W * H; ++i) {
        const bool right = i % W >= W / 2;
        const float noise = 0.1f * (2.0f * ond_random((uint64_t)i, 1) - 1.0f) * 1.732f;
        const float b = (right ? 0.8f : 0.2f) + noise;
        p.light[i] = ond_f3(b, b, b);
        p.normal[i] = right ? ond_f3(1, 0, 0) : ond_f3(0, 1, 0);
        p.colour[i] = ond_f3(0.5f, 0.5f, 0.5f);
        p.distance[i] = 3.0f;
        p.noise[i] = 0.01f;
    }
    ond_plate_filter(&p);
    double off = 0.0;
    for (int i = 0; i < W * H; ++i) {
        const double want = i % W >= W / 2 ? 0.8 : 0.2;
        off += (p.light[i].y - want) * (p.light[i].y - want);
        CHECK_NEAR(p.light[i].y, want, 0.15, "each side keeps its light");
    }
    CHECK_NEAR(sqrt(off / (W * H)), 0, 0.02, "noise after the filter"); // 0.1 before
    ond_plate_free(&p);
}

// Samples that agree by chance leave a pixel far off with little noise of its own.
static void test_filter_takes_specks(void **state)
{
    enum { W = 40, H = 30, SPECK = 15 * W + 20, DARK = 20 * W + 10 };
    OndPlate p = make_plate(W, H);
    for (int i = 0; i < W * H; ++i) {
        p.light[i] = ond_f3(0.2f, 0.2f, 0.2f);
        p.normal[i] = ond_f3(0, 1, 0);
        p.distance[i] = 3.0f;
        p.noise[i] = 1e-5f;
    }
    p.light[SPECK] = ond_f3(2, 2, 2);
    p.light[DARK] = ond_f3(0.06f, 0.06f, 0.06f);
    ond_plate_filter(&p);
    CHECK_NEAR(p.light[SPECK].x, 0.2, 0.01, "no bright speck");
    CHECK_NEAR(p.light[DARK].x, 0.2, 0.01, "no dark speck");
    ond_plate_free(&p);
}

static void test_filter_leaves_sharp(void **state)
{
    enum { W = 40, H = 30 };
    OndPlate p = make_plate(W, H);
    for (int i = 0; i < W * H; ++i) {
        const float b = ond_random((uint64_t)i, 5);
        p.light[i] = ond_f3(b, b, b);
        p.normal[i] = ond_f3(0, 1, 0);
        p.distance[i] = 3.0f;
    }
    ond_plate_filter(&p);
    for (int i = 0; i < W * H; ++i)
        CHECK_NEAR(p.light[i].x, ond_random((uint64_t)i, 5), 0, "no noise, no change");
    ond_plate_free(&p);
}

// Soft light, one sample a pixel with much noise, comes out smooth whatever the rest does; sides
// that face different ways keep theirs, and pixels get as much of it as their samples had. Where
// nothing can be seen, it is none of the filter's business.
static void test_filter_soft(void **state)
{
    enum { W = 96, H = 64, OPEN = 16 };
    OndPlate p = make_plate(W, H);
    ond_cover_fill(&p.cover, false);
    for (int y = 0; y < H; y += OND_COVER_CELL)
        for (int x = OPEN; x < W; x += OND_COVER_CELL)
            atomic_store(&p.cover.cell[y / OND_COVER_CELL * p.cover.across + x / OND_COVER_CELL],
                         1);
    for (int i = 0; i < W * H; ++i) {
        const bool right = i % W >= W / 2;
        const float noise = 0.2f * (2.0f * ond_random((uint64_t)i, 3) - 1.0f) * 1.732f;
        const float b = (right ? 0.8f : 0.4f) + noise;
        p.light[i] = ond_f3(0.3f, 0.3f, 0.3f);
        p.normal[i] = right ? ond_f3(1, 0, 0) : ond_f3(0, 1, 0);
        p.distance[i] = 3.0f;
        p.soft[i] = ond_f3(b, b, b);
        p.opaque[i] = i / W < H / 2 ? 1.0f : 0.5f;
    }
    for (int again = 0; again < 2; ++again) { // of the first picture nothing must be left
        ond_plate_filter(&p);
        double off = 0.0;
        for (int i = 0; i < W * H; ++i) {
            const double share = i / W < H / 2 ? 1.0 : 0.5;
            const double more = i % W < OPEN ? 0.0 : (i % W < W / 2 ? 0.4 : 0.8) * share;
            off += (p.light[i].y - 0.3 - more) * (p.light[i].y - 0.3 - more);
            CHECK_NEAR(p.light[i].y, 0.3 + more, 0.15, "soft light of its own side");
            p.light[i] = ond_f3(0.3f, 0.3f, 0.3f);
        }
        CHECK_NEAR(sqrt(off / (W * H)), 0, 0.02, "noise of soft light"); // 0.2 before
    }
    ond_plate_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_spread),
        cmocka_unit_test(test_samples_spread_over_pixels),
        cmocka_unit_test(test_samples_differ),
        cmocka_unit_test(test_fresnel),
        cmocka_unit_test(test_bend),
        cmocka_unit_test(test_never_wrong_side),
        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_look_of_materials),
        cmocka_unit_test(test_lamps),
        cmocka_unit_test(test_even_medium),
        cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_crease),
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_filter_takes_specks),
        cmocka_unit_test(test_filter_leaves_sharp),
        cmocka_unit_test(test_filter_soft),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

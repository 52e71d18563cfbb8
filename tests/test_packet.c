// SPDX-License-Identifier: MIT
// Rays in packets of sixteen: lanes that hold no ray, and rays that lead nowhere, must not matter,
// with none of the instruction sets that Embree chooses from.
// ctest: isa
#include "check.h"

#include "base/cpu.h"
#include "base/random.h"
#include "render/spheres/packet.h"

#include <string.h>

#define SPHERES 40

typedef struct Row {
    RTCDevice device;
    RTCScene scene;
} Row;

// Spheres in a row along x, each 3 in front of the plane z = 0.
static Row make_row(const char *options)
{
    Row row = {.device = rtcNewDevice(options)};
    assert_non_null(row.device);
    row.scene = rtcNewScene(row.device);
    RTCGeometry spheres = rtcNewGeometry(row.device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float *at =
        rtcSetNewGeometryBuffer(spheres, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 16, SPHERES);
    for (int i = 0; i < SPHERES; ++i)
        at[4 * i] = (float)i, at[4 * i + 1] = 0, at[4 * i + 2] = 3, at[4 * i + 3] = 0.3f;
    rtcCommitGeometry(spheres);
    rtcAttachGeometry(row.scene, spheres);
    rtcReleaseGeometry(spheres);
    rtcCommitScene(row.scene);
    return row;
}

static void free_row(Row *row)
{
    rtcReleaseScene(row->scene);
    rtcReleaseDevice(row->device);
}

// What happens to stand in memory: all ones, a huge number everywhere, or anything.
static void soil(OndPacket *packet, int round)
{
    uint8_t *byte = (uint8_t *)packet;
    for (size_t k = 0; k < sizeof *packet; ++k)
        byte[k] = round == 0   ? 0xff
                  : round == 1 ? 0x7e
                               : (uint8_t)(256.0f * ond_random((uint64_t)k, (uint64_t)round));
}

static void look_ahead(OndPacket *packet, int first, int count)
{
    ond_packet_clear(packet);
    for (int k = 0; k < count; ++k)
        ond_packet_put(packet, ond_f3((float)(first + k), 0, 0), ond_f3(0, 0, 1), INFINITY);
}

static void check_row(const char *options)
{
    Row row = make_row(options);
    for (int round = 0; round < 400; ++round) {
        OndPacket packet;
        const int count = 1 + round % OND_PACKET, first = round % (SPHERES - OND_PACKET);
        soil(&packet, round);
        look_ahead(&packet, first, count);
        ond_packet_intersect(&packet, row.scene);
        for (int k = 0; k < count; ++k)
            CHECK_NEAR(ond_packet_sphere(&packet, k), first + k, 0, options);
        soil(&packet, round);
        look_ahead(&packet, first, count);
        ond_packet_occlude(&packet, row.scene);
        for (int k = 0; k < count; ++k)
            CHECK_NEAR(ond_packet_blocked(&packet, k), 1, 0, options);
    }
    free_row(&row);
}

static void test_unused_lanes(void **state)
{
    check_row("threads=1,isa=sse2");
    if (ond_cpu_isa() >= OND_ISA_V3) check_row("threads=1,isa=avx2");
    if (ond_cpu_isa() >= OND_ISA_V4) check_row("threads=1,isa=avx512");
}

static void test_rays_that_lead_nowhere(void **state)
{
    const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, 2e18f};
    Row row = make_row(ond_cpu_isa() >= OND_ISA_V3 ? "threads=1,isa=avx2" : "threads=1,isa=sse2");
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; ++b) {
        OndPacket packet;
        for (int hits = 0; hits < 2; ++hits) {
            ond_packet_clear(&packet);
            ond_packet_put(&packet, ond_f3(bad[b], 0, 0), ond_f3(0, 0, 1), INFINITY);
            ond_packet_put(&packet, ond_f3(0, 0, 0), ond_f3(0, bad[b], 1), INFINITY);
            ond_packet_put(&packet, ond_f3(0, 0, 0), ond_f3(0, 0, 1), NAN);
            ond_packet_put(&packet, ond_f3(2, 0, 0), ond_f3(0, 0, 1), INFINITY);
            if (hits)
                ond_packet_intersect(&packet, row.scene);
            else
                ond_packet_occlude(&packet, row.scene);
            for (int k = 0; k < 3; ++k) {
                if (hits) CHECK_NEAR(ond_packet_sphere(&packet, k), ~0u, 0, "hits nothing");
                if (!hits) CHECK_NEAR(ond_packet_blocked(&packet, k), 0, 0, "is not blocked");
            }
            if (hits) CHECK_NEAR(ond_packet_sphere(&packet, 3), 2, 0, "the good one hits");
            if (!hits) CHECK_NEAR(ond_packet_blocked(&packet, 3), 1, 0, "the good one is blocked");
        }
    }
    free_row(&row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unused_lanes),
                                       cmocka_unit_test(test_rays_that_lead_nowhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

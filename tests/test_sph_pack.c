// SPDX-License-Identifier: MIT
// A liquid whose lattice is cut by solids starts at rest all the same.
#include "same_bits.h"
#include "solid_meshes.h"
#include "solids/scene/sim_solids.h"
#include "wet.h"

#include <string.h>

#define POOL                                                                                       \
    "duration: 10\nframe_rate: 50\ndomain: {min: [-0.5, 0, -0.5], max: [0.5, 1.2, 0.5]}\n"         \
    "fluid: [{spacing: 0.05, density: 1000,\n"                                                     \
    "  shape: {type: box, min: [-0.5, 0, -0.5], max: [0.5, 0.8, 0.5]}}]\n"
#define BALL "solid: [{shape: {type: sphere, center: [0.01, 0.4, 0.02], radius: 0.2}}]\n"

static OndVec force_of(const Stage *s)
{
    return ond_solids_loads(ond_sim_solids(s->sim)->solids)[0].force;
}

static OndVec place(const Stage *s, int i)
{
    return ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]);
}

// The first steps carry a ball under water as all later ones do. Unpacked it is 0.6 of its buoyancy
// at first, and to and fro by a quarter of it for some tenths of a second.
static void test_calm(void **state)
{
    const double want = 9810 * 4.0 / 3.0 * M_PI * pow(0.2, 3);
    Stage *s = stage_open("method: {pressure: wcsph}\n" POOL BALL);
    double first = 0, sum = 0, square = 0, aside = 0, steps = 0;
    while (ond_sim_time(s->sim) < 0.2) {
        stage_step(s);
        const OndVec force = ond_scale(force_of(s), 1.0 / want);
        if (steps == 0) first = force.y;
        sum += force.y, square += force.y * force.y, ++steps;
        aside = fmax(aside, hypot(force.x, force.z));
    }
    const double mean = sum / steps, rms = sqrt(square / steps - mean * mean);
    print_message("ball under water: carried by %.3f at first, then %.3f to and fro by %.3f, aside "
                  "by %.3f\n",
                  first, mean, rms, aside);
    CHECK_NEAR(first, 1, 0.1, "first step");
    CHECK_NEAR(mean, 1, 0.03, "buoyancy");
    CHECK_NEAR(rms, 0, 0.08, "to and fro");
    CHECK_NEAR(aside, 0, 0.08, "aside");
    stage_close(s);
}

// All are where they may be: in the domain, not too near to the ball nor to each other.
static void test_places(void **state)
{
    Stage *s = stage_open(POOL BALL);
    double face = 1, pair = 1;
    for (int i = 0; i < s->count; ++i) {
        face = fmin(face, ond_length(ond_sub(place(s, i), ond_vec(0.01, 0.4, 0.02))) - 0.2);
        for (int j = 0; j < i; ++j)
            pair = fmin(pair, ond_length(ond_sub(place(s, i), place(s, j))));
        if (!(fabs(s->x[0][i]) < 0.5 && fabs(s->x[2][i]) < 0.5 && s->x[1][i] > 0))
            fail_msg("particle %d is out of the domain", i);
    }
    print_message("nearest to the ball %.2f spacings, to each other %.2f\n", face / 0.05,
                  pair / 0.05);
    if (!(face > 0.25 * 0.05)) fail_msg("%g m from the ball", face);
    if (!(pair > 0.75 * 0.05)) fail_msg("two are %g m apart", pair);
    stage_close(s);
}

// How far a place is inside a groove of 20 degrees, m.
static double in_groove(OndVec at)
{
    const double side = atan2(0.141061585, 0.8);
    return sin(side) * (at.y - 0.1) - cos(side) * fabs(at.x - 0.5);
}

static bool is_in_groove(const Wet *w, OndVec at)
{
    return in_groove(at) > 0.02 * w->world.spacing;
}

// In a sheet folded sharply nobody is pushed through the one side by the other.
static void test_groove(void **state)
{
    static const float corner[] = {0.358938415f, 0.9f, -1, 0.5f, 0.1f, -1, 0.641061585f, 0.9f, -1,
                                   0.358938415f, 0.9f, 1,  0.5f, 0.1f, 1,  0.641061585f, 0.9f, 1};
    static const uint32_t triangle[] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
    OndMesh mesh;
    assert_int_equal(ond_mesh_make(&mesh, 6, 4, NULL), OND_OK);
    memcpy(mesh.corner, corner, sizeof corner), memcpy(mesh.triangle, triangle, sizeof triangle);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    Wet w = wet_make(3, 0.02);
    wet_solids(&w, &def, 1);
    wet_fill(&w, (OndBox){{0.35, 0.1, 0}, {0.65, 0.6, 0.2}}, is_in_groove);
    double least = 1;
    for (int i = 0; i < w.s->fields.count; ++i)
        least = fmin(least, in_groove(ond_vec(w.s->x[0][i], w.s->x[1][i], w.s->x[2][i])));
    print_message("%d in a groove: nearest %.3f spacings\n", w.s->fields.count, least / 0.02);
    if (!(w.s->fields.count > 100 && least > 0)) fail_msg("%g m from a face", least);
    wet_close(&w);
    ond_mesh_free(&mesh);
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(float));
}

static float *places(const Stage *s)
{
    float *const at = calloc((size_t)s->count, 3 * sizeof(float));
    for (int k = 0; k < 3 * s->count; ++k)
        at[k] = s->x[k % 3][k / 3];
    qsort(at, (size_t)s->count, 3 * sizeof(float), compare);
    return at;
}

// Particles that are not where they are without packing; -1: there are more or less of them.
static int moved_by_packing(const char *scene)
{
    char raw[2000];
    snprintf(raw, sizeof raw, "method: {type: sph, settle: false}\n%s", scene);
    Stage *a = stage_open(scene), *b = stage_open(raw);
    int moved = a->count == b->count ? 0 : -1;
    float *const one = places(a), *const other = places(b);
    for (int i = 0, j = 0; moved >= 0 && i < a->count; ++i) {
        while (j < b->count && compare(other + 3 * j, one + 3 * i) < 0)
            ++j;
        moved += j == b->count || compare(other + 3 * j, one + 3 * i) != 0;
    }
    free(one), free(other);
    stage_close(a), stage_close(b);
    return moved;
}

// What is flush with its lattice stays where it is, and so does what is solid.
static void test_stays(void **state)
{
    static const char box[] =
        POOL "solid: [{shape: {type: box, min: [-0.2, 0.2, -0.2], max: [0.2, 0.6, 0.2]}}]\n";
    static const char ice[] =
        "duration: 10\nframe_rate: 50\nfluid: [{spacing: 0.05, density: 900, rigidity: 1,\n"
        "  shape: {type: box, min: [-0.3, 0, -0.3], max: [0.3, 0.3, 0.3]}}]\n"
        "solid: [{shape: {type: plane, point: [0, -0.013, 0]}}]\n";
    CHECK_NEAR(moved_by_packing(box), 0, 0, "round a box flush with the lattice");
    CHECK_NEAR(moved_by_packing(ice), 0, 0, "a block of ice");
}

#define PIPE                                                                                       \
    "duration: 10\nframe_rate: 50\n"                                                               \
    "domain: {min: [0, 0, 0], max: [0.6, 1, 0.6], x: periodic, z: periodic}\n"                     \
    "fluid: [{spacing: 0.05, density: 1000, shape: {type: box, min: [0, 0, 0], max: [0.6, 0.5, "   \
    "0.6]}}]\n"                                                                                    \
    "solid: [{shape: {type: capsule, from: [-1, 0.2, 0.3], to: [2, 0.2, 0.3], radius: 0.08}}]\n"

static double fastest(const Stage *s)
{
    double most = 0;
    for (int i = 0; i < s->count; ++i)
        most = fmax(most, hypot(s->v[0][i], hypot(s->v[1][i], s->v[2][i])));
    return most;
}

// A tank that goes round, with a pipe in it: nobody leaves it, and the surface stays as it is.
static void test_periodic(void **state)
{
    Stage *s = stage_open("method: {pressure: wcsph}\n" PIPE);
    double top = 0;
    for (int i = 0; i < s->count; ++i) {
        top = fmax(top, s->x[1][i]);
        if (!(s->x[0][i] >= 0 && s->x[0][i] < 0.6f && s->x[2][i] >= 0 && s->x[2][i] < 0.6f))
            fail_msg("particle %d at %g %g", i, s->x[0][i], s->x[2][i]);
    }
    CHECK_NEAR(top, 0.475, 1e-6, "the highest");
    double most = 0;
    while (ond_sim_time(s->sim) < 0.2) {
        stage_step(s);
        most = fmax(most, fastest(s));
    }
    print_message("round a pipe: %.3f m/s at most\n", most);
    if (!(most < 0.2)) fail_msg("%g m/s", most);
    stage_close(s);
}

// ---- solvers that keep the volume: nobody falls into what a lattice leaves open beside walls

#define FLAT(domain, box, solid)                                                                   \
    "dimension: 2\nduration: 10\nframe_rate: 50\ndomain: {min: " domain                            \
    "}\nfluid: [{spacing: 0.05, density: 1000, shape: {type: box, min: " box "}}]\n" solid

static const struct {
    const char *name, *scene;
    double most; // m/s; without: 0.77, 0.29, 0.45, 0.59
} loose[] = {
    {"round a pipe", PIPE, 0.2},
    {"a fifth of a spacing wider than its lattice",
     FLAT("[0, 0], max: [0.61, 1]", "[0, 0], max: [0.61, 0.5]", ""), 0.05},
    {"the same between faces",
     FLAT("[-1, -1], max: [2, 2]", "[0, 0], max: [0.61, 0.5]",
          "solid: [{use: container, shape: {type: box, min: [0, 0], max: [0.61, 1]}}]\n"),
     0.15},
    {"wedge",
     FLAT("[-1.5, -0.2], max: [1.5, 1.6]", "[-1.4, 0], max: [1.4, 1]",
          "solid: [{shape: {type: plane, normal: [1, 1]}}, {shape: {type: plane, normal: [-1, "
          "1]}}]\n"),
     0.2},
};

static void test_loose(void **state)
{
    for (int k = 0; k < OND_COUNT(loose); ++k) {
        char scene[1500];
        snprintf(scene, sizeof scene, "method: {pressure: cg}\n%s", loose[k].scene);
        Stage *s = stage_open(scene);
        double most = 0;
        while (ond_sim_time(s->sim) < 0.3) {
            stage_step(s);
            most = fmax(most, fastest(s));
        }
        print_message("%s: %.3f m/s at most\n", loose[k].name, most);
        CHECK_NEAR(most, 0, loose[k].most, loose[k].name);
        stage_close(s);
    }
}

// What has room for another reason keeps it: a free surface, and a row that stands alone.
static void test_open(void **state)
{
    const char *const scenes[] = {
        FLAT("[0, 0], max: [0.6, 1]", "[0, 0], max: [0.6, 0.5]", ""),
        FLAT("[0, 0], max: [1, 1]", "[0.2, 0.5], max: [0.8, 0.55]", ""),
    };
    const double share[] = {0.86, 0.71};
    for (int k = 0; k < OND_COUNT(scenes); ++k) {
        char scene[1000];
        snprintf(scene, sizeof scene, "method: {pressure: cg}\n%s", scenes[k]);
        Stage *s = stage_open(scene);
        double least = INFINITY, top = -INFINITY;
        for (int i = 0; i < s->count; ++i)
            top = fmax(top, s->x[1][i]);
        stage_step(s);
        for (int i = 0; i < s->count; ++i)
            if (s->x[1][i] > top - 0.01 && fabs(s->x[0][i] - 0.5) < 0.05)
                least = fmin(least, s->density[i] / 1000);
        CHECK_NEAR(least, share[k], 0.01, k == 0 ? "a surface's density" : "a row's density");
        stage_close(s);
    }
}

// Two pieces of liquid that nearly touch fall together; told to press before they meet, they would part with
// energy from nowhere.
static void test_two_pieces(void **state)
{
    Stage *s = stage_open(
        "dimension: 2\nduration: 10\nframe_rate: 50\n"
        "domain: {min: [0, 0, 0], max: [1, 2, 0]}\nmethod: {pressure: cg}\n"
        "fluid:\n"
        "  - {spacing: 0.05, shape: {type: box, min: [0, 0, 0], max: [1, 0.5, 0]}}\n"
        "  - {spacing: 0.05, shape: {type: box, min: [0, 0.54, 0], max: [1, 1.04, 0]}}\n");
    double start = 0, gained = -INFINITY;
    for (OndStepRecord r = {0}; ond_sim_time(s->sim) < 0.6;) {
        stage_step(s);
        ond_sim_record(s->sim, &r);
        if (r.step == 1) start = r.kinetic + r.potential;
        gained = fmax(gained, r.kinetic + r.potential - start);
    }
    print_message("two pieces: gain %.2f J\n", gained);
    if (!(gained < 1.0)) fail_msg("%g J", gained);
    stage_close(s);
}

static void test_same_bits(void **state)
{
    const Play play = {"packed", 10, POOL BALL};
    check_threads(&play);
    check_resume(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calm),      cmocka_unit_test(test_places),
        cmocka_unit_test(test_groove),    cmocka_unit_test(test_stays),
        cmocka_unit_test(test_periodic),  cmocka_unit_test(test_loose),
        cmocka_unit_test(test_open),      cmocka_unit_test(test_two_pieces),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// ctest: slow
// Variational surfaces: constraints, patches blended, and what the source asks of
// them.
#include "surface/fields/variational.h"

#include "base/parallel.h"
#include "surfaces.h"

// ---- helpers

static double noise(int key, int stream)
{
    return 2.0 * ond_random((uint64_t)key, (uint64_t)stream) - 1.0;
}

static uint32_t *count_up(int count)
{
    uint32_t *which = malloc(sizeof *which * (size_t)count);
    for (int k = 0; k < count; ++k)
        which[k] = (uint32_t)k;
    return which;
}

static OndConstraint *scatter(int count, int dimension)
{
    OndConstraint *list = calloc((size_t)count, sizeof *list);
    for (int k = 0; k < count; ++k) {
        for (int a = 0; a < dimension; ++a)
            list[k].at[a] = 3.0 + noise(k, a);
        list[k].value = noise(k, 7);
        list[k].size = 0.1;
    }
    return list;
}

static OndPatch fit(const OndConstraint *list, int count, int dimension)
{
    OndPatch patch = {0};
    OndError err = {0};
    uint32_t *which = count_up(count);
    if (ond_patch_fit(&patch, list, which, count, dimension, &err) != OND_OK)
        fail_msg("%s", err.text);
    free(which);
    return patch;
}

static int find_root(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// How many separate pieces a mesh has.
static int pieces(const OndMesh *mesh)
{
    int *parent = malloc(sizeof *parent * ((size_t)mesh->corner_count + 1)), count = 0;
    for (int c = 0; c < mesh->corner_count; ++c)
        parent[c] = c;
    for (int t = 0; t < mesh->triangle_count; ++t)
        for (int k = 1; k < 3; ++k) {
            const int a = find_root(parent, (int)mesh->triangle[3 * t]);
            parent[find_root(parent, (int)mesh->triangle[3 * t + k])] = a;
        }
    for (int c = 0; c < mesh->corner_count; ++c)
        count += parent[c] == c;
    free(parent);
    return count;
}

static OndSurfaceDef variational(double cell, int placement)
{
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "variational";
    def.cell = cell;
    def.how.placement = placement;
    return def;
}

typedef struct Heights {
    double low, high;
} Heights;

// Of the corners over the middle of a surface that lies in z = 0.
static Heights heights(const OndSurface *s, double middle)
{
    Heights h = {HUGE_VAL, -HUGE_VAL};
    for (int c = 0; c < s->mesh.corner_count; ++c) {
        const float *at = s->mesh.corner + 3 * c;
        if (fabs(at[0]) > middle || fabs(at[1]) > middle || at[2] < 0.0f) continue;
        h.low = fmin(h.low, at[2]), h.high = fmax(h.high, at[2]);
    }
    return h;
}

// ---- patches

// f(c_i) = h_i, sum d_j = 0, sum d_j c_j = 0: the rows of [Pouchol 1.37].
static void test_system(void **state)
{
    static const int counts[] = {1, 2, 3, 4, 5, 6, 40, 400};
    for (int dimension = 2; dimension <= 4; ++dimension)
        for (int c = 0; c < OND_COUNT(counts); ++c) {
            OndConstraint *list = scatter(counts[c], dimension);
            OndPatch patch = fit(list, counts[c], dimension);
            double sum[5] = {0}, most = 0.0;
            for (int j = 0; j < patch.count; ++j) {
                CHECK_NEAR(ond_patch_value(&patch, list[j].at, NULL), list[j].value, 1e-8,
                           "meets its values");
                sum[0] += patch.weight[j];
                most = fmax(most, fabs(patch.weight[j]));
                for (int a = 0; a < dimension; ++a)
                    sum[a + 1] += patch.weight[j] * patch.at[a][j];
            }
            for (int a = 0; a <= dimension; ++a)
                CHECK_NEAR(sum[a], 0.0, 1e-12 * (1.0 + most * counts[c]), "side conditions");
            ond_patch_free(&patch);
            free(list);
        }
}

static void test_plane_is_exact(void **state)
{
    for (int dimension = 2; dimension <= 4; ++dimension) {
        OndConstraint *list = scatter(30, dimension);
        for (int k = 0; k < 30; ++k)
            list[k].value = 2.0 + list[k].at[0] - 3.0 * list[k].at[dimension - 1],
            list[k].slack = 10.0;
        OndPatch patch = fit(list, 30, dimension);
        const double far[4] = {9, -4, 5, 6};
        double slope[4];
        CHECK_NEAR(ond_patch_value(&patch, far, slope), 2.0 + 9.0 - 3.0 * far[dimension - 1], 1e-9,
                   "a plane, whatever the slack");
        CHECK_NEAR(slope[0], 1.0, 1e-9, "its slope");
        ond_patch_free(&patch);
        free(list);
    }
}

static void test_patch_slopes_and_rows(void **state)
{
    for (int dimension = 2; dimension <= 4; ++dimension) {
        OndConstraint *list = scatter(50, dimension);
        OndPatch patch = fit(list, 50, dimension);
        double at[4] = {3.1, 2.9, 3.2, 2.8}, slope[4], x[OND_BLOCK], row[OND_BLOCK];
        ond_patch_value(&patch, at, slope);
        for (int a = 0; a < dimension; ++a) {
            double up[4], down[4];
            memcpy(up, at, sizeof up), memcpy(down, at, sizeof down);
            up[a] += 1e-5, down[a] -= 1e-5;
            const double change =
                ond_patch_value(&patch, up, NULL) - ond_patch_value(&patch, down, NULL);
            CHECK_NEAR(slope[a], change / 2e-5, 1e-5, "slope");
        }
        for (int k = 0; k < OND_BLOCK; ++k)
            x[k] = 2.5 + 0.1 * k;
        ond_patch_row(&patch, x, at, row);
        for (int k = 0; k < OND_BLOCK; ++k) {
            at[0] = x[k];
            CHECK_NEAR(row[k], ond_patch_value(&patch, at, NULL), 1e-9, "a row of values");
        }
        ond_patch_free(&patch);
        free(list);
    }
}

static void test_degenerate(void **state)
{
    static const struct {
        const char *what;
        double spread[3]; // of the places
        double value;     // added to every other one's
    } cases[] = {
        {"in a plane", {1, 1, 0}, 1},
        {"on a line", {1, 0, 0}, 1},
        {"in one place, agreeing", {0, 0, 0}, 0},
        {"in one place, disagreeing", {0, 0, 0}, 1},
        {"nearly in one place", {1e-12, 1e-12, 1e-12}, 1},
        {"nearly in a plane", {1, 1, 1e-9}, 1},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndConstraint list[20];
        memset(list, 0, sizeof list);
        uint32_t which[20];
        for (int k = 0; k < 20; ++k) {
            for (int a = 0; a < 3; ++a)
                list[k].at[a] = cases[c].spread[a] * noise(k, a);
            list[k].value = k % 2 ? 1.0 : 1.0 - cases[c].value;
            list[k].size = 0.1, which[k] = (uint32_t)k;
        }
        OndPatch patch = {0};
        OndError err = {0};
        if (ond_patch_fit(&patch, list, which, 20, 3, &err) != OND_OK)
            fail_msg("%s: %s", cases[c].what, err.text);
        const double off[4] = {0.01, 0.02, 0.03, 0};
        assert_true(isfinite(ond_patch_value(&patch, off, NULL)));
        ond_patch_free(&patch);
    }
}

static void test_not_finite(void **state)
{
    OndConstraint *list = scatter(10, 3);
    uint32_t *which = count_up(10);
    list[3].value = NAN;
    list[5].at[1] = INFINITY;
    OndPatch patch = {0};
    OndError err = {0};
    assert_int_equal(ond_patch_fit(&patch, list, which, 10, 3, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "have no solution", "not finite");
    free(list), free(which);
}

// ---- constraints and parts

static void test_merge(void **state)
{
    OndConstraints all = {0};
    for (int k = 0; k < 40; ++k) {
        const OndConstraint c = {{k / 2, k % 2 ? 0.1 : 0.0, 0, 0}, k % 2 ? 1 : 0, 0, 1.0};
        assert_int_equal(ond_constraints_add(&all, &c, NULL), OND_OK);
    }
    assert_int_equal(ond_constraints_merge(&all, NULL), OND_OK);
    assert_int_equal(all.count, 20);
    for (int k = 0; k < 20; ++k) {
        CHECK_NEAR(all.list[k].at[0], k, 0, "in order");
        CHECK_NEAR(all.list[k].at[1], 0.05, 1e-12, "in the middle");
        CHECK_NEAR(all.list[k].value, 0.5, 1e-12, "with the mean value");
    }
    ond_constraints_free(&all);
}

static double ball(double x, double y, double z)
{
    return x * x + y * y + z * z - 36.0;
}

static OndParts *parts_of(const OndFrame *frame, OndConstraints *all, int exact_limit)
{
    OndPoints points = {0};
    OndParts *parts = NULL;
    OndError err = {0};
    const OndFieldDef how = {.placement = OND_PLACE_PARTICLES, .smoothing = 0.9};
    OndStatus status = ond_points_take(&points, frame, 2.1, &err);
    if (status == OND_OK) status = ond_constraints_place(all, &points, &how, NULL, &err);
    if (status == OND_OK) status = ond_parts_make(&parts, all, 3, exact_limit, &err);
    if (status != OND_OK) fail_msg("%s", err.text);
    ond_points_free(&points);
    return parts;
}

static void test_parts_are_near_exact(void **state)
{
    OndFrame frame;
    frame_open(&frame, 1.0, 3, 4000);
    frame_fill(&frame, ball, 8.0, 0.1);
    OndConstraints one = {0}, many = {0};
    OndParts *exact = parts_of(&frame, &one, 5000), *parts = parts_of(&frame, &many, 1);
    assert_int_equal(ond_parts_count(exact), 1);
    if (ond_parts_count(parts) < 20) fail_msg("%d parts", ond_parts_count(parts));
    for (int k = 0; k < 200; ++k) {
        double at[3] = {noise(k, 1), noise(k, 2), noise(k, 3)}, slope[2][3], up[3];
        const double length = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        for (int a = 0; a < 3; ++a)
            at[a] *= 6.3 / length;
        const double x = ond_parts_gradient(exact, at, 0.0, slope[0]),
                     y = ond_parts_gradient(parts, at, 0.0, slope[1]);
        CHECK_NEAR(y, x, 0.15, "depth, in half spacings");
        memcpy(up, at, sizeof up);
        up[0] += 1e-5;
        CHECK_NEAR(slope[1][0], (ond_parts_gradient(parts, up, 0.0, slope[0]) - y) / 1e-5, 1e-3,
                   "slope of the blend");
    }
    ond_parts_free(exact), ond_parts_free(parts);
    ond_constraints_free(&one), ond_constraints_free(&many);
    ond_frame_free(&frame);
}

// ---- surfaces

static void test_lone_particle(void **state)
{
    static const struct {
        int placement;
        double round; // how far the radius may vary
    } cases[] = {{OND_PLACE_PARTICLES, 0.01}, {OND_PLACE_CELLS, 0.15}};
    const double at[3] = {0.13, 0.27, -0.31};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndFrame frame;
        frame_open(&frame, 1.0, 3, 1);
        frame_add(&frame, at[0], at[1], at[2]);
        const OndSurfaceDef def = variational(0.1, cases[c].placement);
        OndSurface s = surface_of(&frame, &def);
        assert_int_equal(check_surface(&s, "lone"), 2);
        double low = HUGE_VAL, high = 0.0;
        for (int k = 0; k < s.mesh.corner_count; ++k) {
            const OndVec away =
                ond_sub(mesh_corner(&s.mesh, (uint32_t)k), ond_vec(at[0], at[1], at[2]));
            low = fmin(low, ond_length(away)), high = fmax(high, ond_length(away));
        }
        CHECK_NEAR(high / low, 1.0, cases[c].round * 1.2, "round");
        if (c == 0) CHECK_NEAR(mesh_volume(&s.mesh), 1.0, 0.03, "the volume of one particle");
        ond_surface_free(&s);
        ond_frame_free(&frame);
    }
}

// Level particles give a level surface, also where they stand irregularly in the plane [F4.4].
static void test_aligned_particles(void **state)
{
    static const struct {
        const char *what;
        int placement;
        double jitter; // in the plane
        double within;
    } cases[] = {
        {"regular", OND_PLACE_PARTICLES, 0.0, 0.01},
        {"irregular", OND_PLACE_PARTICLES, 0.15, 0.05},
        {"regular, cells", OND_PLACE_CELLS, 0.0, 0.01},
        {"irregular, cells", OND_PLACE_CELLS, 0.15, 0.1},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndFrame frame;
        frame_open(&frame, 1.0, 3, 21 * 21 * 5);
        for (int k = 0, n = 0; k < 5; ++k)
            for (int j = -10; j <= 10; ++j)
                for (int i = -10; i <= 10; ++i, ++n)
                    frame_add(&frame, i + cases[c].jitter * noise(n, 1),
                              j + cases[c].jitter * noise(n, 2), -k);
        const OndSurfaceDef def = variational(0.5, cases[c].placement);
        OndSurface s = surface_of(&frame, &def);
        assert_int_equal(check_surface(&s, cases[c].what), 2);
        const Heights h = heights(&s, 4.0);
        CHECK_NEAR(h.low, 0.5, cases[c].within, cases[c].what);
        CHECK_NEAR(h.high, 0.5, cases[c].within, cases[c].what);
        ond_surface_free(&s);
        ond_frame_free(&frame);
    }
}

// Smoother than blobs on particles that are not quite level.
static double roughness(const OndFrame *frame, const OndSurfaceDef *def)
{
    OndSurface s = surface_of(frame, def);
    double sum = 0.0;
    int count = 0;
    for (int c = 0; c < s.mesh.corner_count; ++c) {
        const float *at = s.mesh.corner + 3 * c, *n = s.normal + 3 * c;
        if (fabsf(at[0]) > 5.0f || fabsf(at[1]) > 5.0f || at[2] < 0.0f) continue;
        sum += 1.0 - (double)n[2] * n[2], ++count;
    }
    ond_surface_free(&s);
    return sqrt(sum / count);
}

static void test_smoother_than_blobs(void **state)
{
    OndFrame frame;
    frame_open(&frame, 1.0, 3, 21 * 21 * 5);
    for (int k = 0, n = 0; k < 5; ++k)
        for (int j = -10; j <= 10; ++j)
            for (int i = -10; i <= 10; ++i, ++n)
                frame_add(&frame, i + 0.15 * noise(n, 1), j + 0.15 * noise(n, 2),
                          -k + 0.15 * noise(n, 3));
    const OndSurfaceDef ours = variational(0.5, OND_PLACE_PARTICLES);
    OndSurfaceDef blobs = ours;
    blobs.field = "blobs";
    const double smooth = roughness(&frame, &ours), rough = roughness(&frame, &blobs);
    if (!(smooth < 0.5 * rough))
        fail_msg("normals stray by %g, those of blobs by %g", smooth, rough);
    ond_frame_free(&frame);
}

// A sheet over another, nearer than two spacings; a tip over the bulk [F4.6]: no bridge, no hole.
static void add_sheet(OndFrame *frame, double x, double z, int half)
{
    for (int j = -half; j <= half; ++j)
        for (int i = -half; i <= half; ++i)
            frame_add(frame, i + x, j + 0.4, z);
}

static void test_close_sheets(void **state)
{
    static const double gaps[] = {1.5, 1.6, 1.8, 2.1, 3.0};
    for (int placement = 0; placement <= 1; ++placement)
        for (int g = placement; g < OND_COUNT(gaps); ++g) {
            if (placement == OND_PLACE_CELLS && gaps[g] < 3.0) continue; // cells are too wide
            OndFrame frame;
            frame_open(&frame, 1.0, 3, 2 * 169);
            add_sheet(&frame, 0.0, 0.0, 6);
            add_sheet(&frame, 0.3, gaps[g], 6);
            const OndSurfaceDef def = variational(0.2, placement);
            OndSurface s = surface_of(&frame, &def);
            CHECK_NEAR(pieces(&s.mesh), 2, 0, "two sheets");
            assert_int_equal(check_surface(&s, "two sheets"), 4);
            ond_surface_free(&s);
            ond_frame_free(&frame);
        }
}

static void test_tip_near_bulk(void **state)
{
    static const double gaps[] = {1.6, 1.9, 2.3};
    for (int g = 0; g < OND_COUNT(gaps); ++g) {
        OndFrame frame;
        frame_open(&frame, 1.0, 3, 4000);
        for (int k = 0; k < 5; ++k)
            add_sheet(&frame, 0.0, -k, 7);
        for (int k = 0; k < 4; ++k) // grows upwards from one particle
            add_sheet(&frame, 0.2, gaps[g] + k, k);
        const OndSurfaceDef def = variational(0.25, OND_PLACE_PARTICLES);
        OndSurface s = surface_of(&frame, &def);
        CHECK_NEAR(pieces(&s.mesh), 2, 0, "tip and bulk");
        assert_int_equal(check_surface(&s, "tip and bulk"), 4);
        CHECK_NEAR(mesh_volume(&s.mesh) / frame.particles.count, 1.0, 0.06, "volume");
        ond_surface_free(&s);
        ond_frame_free(&frame);
    }
}

static void test_odd_particles(void **state)
{
    for (int placement = 0; placement <= 1; ++placement) {
        OndFrame frame;
        frame_open(&frame, 1.0, 3, 200);
        for (int k = 0; k < 40; ++k) // coincident, and next to it
            frame_add(&frame, k % 2 ? 1e-6 * k : 0.0, 0, 0);
        for (int k = 0; k < 20; ++k) // a crowd in half a spacing
            frame_add(&frame, 10 + 0.25 * noise(k, 1), 0.25 * noise(k, 2), 0.25 * noise(k, 3));
        frame_add(&frame, 20, 0, 0); // alone
        frame_add(&frame, 30, 0, 0), frame_add(&frame, 30.9, 0, 0);
        const OndSurfaceDef def = variational(0.2, placement);
        OndSurface s = surface_of(&frame, &def);
        assert_int_equal(pieces(&s.mesh), 4);
        assert_int_equal(check_surface(&s, "odd particles"), 8);
        ond_surface_free(&s);
        ond_frame_free(&frame);
    }
}

// Particles that grow from left to right, the surface at equal distance from all [F4.8].
static void test_sizes(void **state)
{
    OndFrame frame;
    frame_open(&frame, 1.0, 3, 3000);
    ond_fields_add(&frame.particles, "spacing", "m", OND_F32, 1, OND_FIELD_FRAME);
    float *size = ond_fields_find(&frame.particles, "spacing")->data[0];
    double x = -8.0;
    while (x < 8.0) {
        const double s = 1.0 + 0.04 * x;
        for (int j = -8; j <= 8; ++j)
            for (int k = 0; k < 3; ++k) {
                size[frame.particles.count] = (float)s;
                frame_add(&frame, x, j * s, -(k + 0.5) * s);
            }
        x += s;
    }
    const OndSurfaceDef def = variational(0.5, OND_PLACE_PARTICLES);
    OndSurface s = surface_of(&frame, &def);
    assert_int_equal(check_surface(&s, "sizes"), 2);
    const Heights h = heights(&s, 4.0);
    CHECK_NEAR(h.low, 0.0, 0.08, "lowest");
    CHECK_NEAR(h.high, 0.0, 0.08, "highest");
    ond_surface_free(&s);
    ond_frame_free(&frame);
}

static void test_plane_figures(void **state)
{
    for (int placement = 0; placement <= 1; ++placement) {
        OndFrame frame;
        frame_open(&frame, 1.0, 2, 400);
        frame_add(&frame, -20.3, 0.2, 0.0);
        for (int j = 0; j < 8; ++j)
            for (int i = -12; i <= 12; ++i)
                frame_add(&frame, i, -j, 0.0);
        const OndSurfaceDef def = variational(0.25, placement);
        OndSurface s = surface_of(&frame, &def);
        assert_int_equal(pieces(&s.mesh), 2);
        for (int c = 0; c < s.mesh.corner_count; ++c) {
            const float *at = s.mesh.corner + 3 * c;
            if (fabsf(at[0]) < 6.0f && s.normal[3 * c + 1] > 0.9f)
                CHECK_NEAR(at[1], 0.5, 0.02, "level");
        }
        CHECK_NEAR(mesh_volume(&s.mesh), 201.0, 6.0, "area times a spacing");
        ond_surface_free(&s);
        ond_frame_free(&frame);
    }
}

static void test_threads(void **state)
{
    OndFrame frame;
    frame_open(&frame, 1.0, 3, 4000);
    frame_fill(&frame, ball, 8.0, 0.2);
    for (int placement = 0; placement <= 1; ++placement) {
        OndSurface one = {0};
        for (int threads = 1; threads <= 3; ++threads) {
            ond_threads_set(threads);
            const OndSurfaceDef def = variational(0.5, placement);
            OndSurface s = surface_of(&frame, &def);
            if (threads == 1) {
                one = s;
                continue;
            }
            const size_t bytes = 12 * (size_t)one.mesh.corner_count;
            assert_int_equal(s.mesh.corner_count, one.mesh.corner_count);
            assert_memory_equal(s.mesh.corner, one.mesh.corner, bytes);
            assert_memory_equal(s.normal, one.normal, bytes);
            ond_surface_free(&s);
        }
        ond_surface_free(&one);
    }
    ond_threads_set(0);
    ond_frame_free(&frame);
}

static void test_bad_wishes(void **state)
{
    static const struct {
        int placement, exact_limit;
        const char *says;
    } cases[] = {
        {2, 0, "placement of constraints is 2"},
        {-1, 0, "placement of constraints is -1"},
        {0, 1000000, "of 1000000 constraints"},
        {0, -5, "of -5 constraints"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndFrame frame;
        frame_open(&frame, 1.0, 3, 1);
        frame_add(&frame, 0, 0, 0);
        OndSurfaceDef def = variational(0.5, cases[c].placement);
        def.how.exact_limit = cases[c].exact_limit;
        OndSurface s = {0};
        OndError err = {0};
        assert_int_equal(ond_surface_make(&s, &frame, &def, NULL, &err), OND_BAD_VALUE);
        CHECK_SAYS(err.text, cases[c].says, "bad wish");
        ond_frame_free(&frame);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_system),
        cmocka_unit_test(test_plane_is_exact),
        cmocka_unit_test(test_patch_slopes_and_rows),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_parts_are_near_exact),
        cmocka_unit_test(test_lone_particle),
        cmocka_unit_test(test_aligned_particles),
        cmocka_unit_test(test_smoother_than_blobs),
        cmocka_unit_test(test_close_sheets),
        cmocka_unit_test(test_tip_near_bulk),
        cmocka_unit_test(test_odd_particles),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_plane_figures),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_bad_wishes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// ctest: slow
// The fields on particles as simulations leave them: pools at rest, walls, a dam that breaks.
#include "stage.h"
#include "surface/bumps.h"
#include "surfaces.h"

static OndSurface surface_by(const OndFrame *frame, const char *field, double cell)
{
    OndSurfaceDef def = ond_surface_default_def();
    if (field) def.field = field;
    def.cell = cell;
    return surface_of(frame, &def);
}

// ---- pools

static double bumps_of(const OndFrame *frame, const char *field)
{
    OndSurface surface = surface_by(frame, field, 0.5);
    const OndBumps bumps = ond_bumps_measure(&surface, ond_vec(0, 1, 0), 4.0 * surface.spacing);
    ond_surface_free(&surface);
    assert_in_range(bumps.corners, 400, 100000);
    return bumps.mean;
}

// How far a face that lies against the wall x = 0 is from flat, away from its edges: spacings and
// degrees.
static void check_wall(const OndFrame *frame, double top)
{
    OndSurface s = surface_by(frame, NULL, 0.5);
    const double margin = 3.0 * s.spacing;
    double sum = 0, squares = 0, degrees = 0;
    int count = 0;
    for (int c = 0; c < s.mesh.corner_count; ++c) {
        const float *at = s.mesh.corner + 3 * (size_t)c, *n = s.normal + 3 * (size_t)c;
        if (n[0] > -0.5f || at[1] < margin || at[1] > top - margin) continue;
        if (at[2] < margin || at[2] > s.domain.max.z - margin) continue;
        sum += at[0] / s.spacing, squares += at[0] * at[0] / (s.spacing * s.spacing);
        degrees += acos(fmin(-n[0], 1.0)) * 180.0 / 3.14159265358979;
        ++count;
    }
    assert_in_range(count, 50, 100000);
    const double mean = sum / count, deviation = sqrt(fmax(0.0, squares / count - mean * mean));
    CHECK_NEAR(mean, 0.0, 0.05, "where the face at the wall lies");
    CHECK_NEAR(deviation, 0.0, 0.015, "deviation from flat at the wall");
    CHECK_NEAR(degrees / count, 0.0, 2.0, "normals at the wall");
    ond_surface_free(&s);
}

static void test_laid_pool(void **state)
{
    Stage *s = stage_open("{dimension: 3, duration: 9, gravity: [0, -9.81, 0],"
                          " domain: {min: [0, 0, 0], max: [0.5, 0.4, 0.5]},"
                          " fluid: [{name: water, spacing: 0.025,"
                          " shape: {type: box, min: [0, 0, 0], max: [0.5, 0.2, 0.5]}}]}");
    stage_run(s, 0.3);
    const double blobs = bumps_of(&s->frame, "blobs"), ours = bumps_of(&s->frame, NULL);
    CHECK_NEAR(ours, 0.0, blobs / 3.0, "bumps of a pool that was left alone, against blobs");
    check_wall(&s->frame, 0.2);
    stage_close(s);
}

static void test_sloshed_pool(void **state)
{
    Stage *s = stage_open("{dimension: 3, duration: 9, gravity: [0, -9.81, 0],"
                          " domain: {min: [0, 0, 0], max: [0.5, 0.4, 0.5]}, fluid: ["
                          "{name: high, spacing: 0.025, viscosity: 0.05,"
                          " shape: {type: box, min: [0, 0, 0], max: [0.25, 0.225, 0.5]}},"
                          "{name: low, spacing: 0.025, viscosity: 0.05,"
                          " shape: {type: box, min: [0.25, 0, 0], max: [0.5, 0.2, 0.5]}}]}");
    stage_run(s, 2.0);
    const double blobs = bumps_of(&s->frame, "blobs"), ours = bumps_of(&s->frame, NULL);
    CHECK_NEAR(ours, 0.0, blobs / 3.0, "bumps of a pool that has sloshed, against blobs");
    stage_close(s);
}

// ---- a splash

static int root_of(int *parent, int c)
{
    while (parent[c] != c)
        c = parent[c] = parent[parent[c]];
    return c;
}

// Pieces of the surface whose volume is positive but less than `least`.
static int count_specks(const OndMesh *mesh, double least)
{
    int *parent = malloc(sizeof *parent * (size_t)(mesh->corner_count + 1)), specks = 0;
    double *volume = calloc((size_t)mesh->corner_count + 1, sizeof *volume);
    for (int c = 0; c < mesh->corner_count; ++c)
        parent[c] = c;
    for (int t = 0; t < mesh->triangle_count; ++t)
        for (int c = 1; c < 3; ++c)
            parent[root_of(parent, (int)mesh->triangle[3 * t + c])] =
                root_of(parent, (int)mesh->triangle[3 * t]);
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *c = mesh->triangle + 3 * (size_t)t;
        volume[root_of(parent, (int)c[0])] +=
            ond_dot(mesh_corner(mesh, c[0]),
                    ond_cross(mesh_corner(mesh, c[1]), mesh_corner(mesh, c[2]))) /
            6.0;
    }
    for (int c = 0; c < mesh->corner_count; ++c)
        specks += parent[c] == c && volume[c] > 0.0 && volume[c] < least;
    free(parent);
    free(volume);
    return specks;
}

// The volume stays that of the particles from frame to frame, and there is nothing smaller than a
// drop of one particle. The block slides sideways, too: straight ahead, the ten particles of a row
// join or leave the liquid in the same moment, and two such rows are 1.4 % of the volume. Then
// rounding alone decides between 1.2 and 2.1 % from frame to frame; aslant it is 1.10 to 1.15 %.
// Blobs have 1.8 %.
static void test_dam_break(void **state)
{
    Stage *s = stage_open("{dimension: 3, duration: 9, gravity: [0, -9.81, 1],"
                          " domain: {min: [0, 0, 0], max: [1, 0.6, 0.3]},"
                          " fluid: [{name: water, spacing: 0.03,"
                          " shape: {type: box, min: [0, 0, 0], max: [0.3, 0.45, 0.3]}}]}");
    const double each = 0.03 * 0.03 * 0.03;
    double before = 0.0;
    for (int frame = 0; frame <= 24; frame += 2) {
        stage_run(s, frame / 24.0);
        OndSurface surface = surface_by(&s->frame, NULL, 0.35);
        check_surface(&surface, "dam break");
        const double volume = mesh_volume(&surface.mesh) / (each * s->count);
        CHECK_NEAR(volume, 1.0, 0.05, "volume of all particles");
        if (frame) CHECK_NEAR(volume, before, 0.016, "volume from frame to frame");
        assert_int_equal(count_specks(&surface.mesh, 0.4 * each), 0);
        before = volume;
        ond_surface_free(&surface);
    }
    stage_close(s);
}

// ---- normals

// Adds up the normals of the triangles at each corner, weighted by their angles or their areas.
static OndVec *sides_of(const OndMesh *mesh, bool by_angle)
{
    OndVec *side = calloc((size_t)mesh->corner_count + 1, sizeof *side);
    for (int n = 0; n < 3 * mesh->triangle_count; ++n) {
        const uint32_t *t = mesh->triangle + n - n % 3;
        const OndVec a = mesh_corner(mesh, t[n % 3]);
        const OndVec b = ond_unit(ond_sub(mesh_corner(mesh, t[(n + 1) % 3]), a)),
                     c = ond_unit(ond_sub(mesh_corner(mesh, t[(n + 2) % 3]), a));
        const OndVec area = ond_cross(ond_sub(mesh_corner(mesh, t[(n + 1) % 3]), a),
                                      ond_sub(mesh_corner(mesh, t[(n + 2) % 3]), a));
        const double angle = atan2(ond_length(ond_cross(b, c)), ond_dot(b, c));
        const OndVec add = by_angle ? ond_scale(ond_unit(area), angle) : area;
        side[t[n % 3]] = ond_add(side[t[n % 3]], add);
    }
    return side;
}

// Normals that point inwards, by either measure of where that is.
static int count_inward(const OndSurface *s)
{
    OndVec *angle = sides_of(&s->mesh, true), *area = sides_of(&s->mesh, false);
    int inward = 0;
    for (int c = 0; c < s->mesh.corner_count; ++c) {
        const float *n = s->normal + 3 * (size_t)c;
        const OndVec normal = ond_vec(n[0], n[1], n[2]);
        const bool flat = ond_length(angle[c]) < 1e-6; // folded flat: there is no such side
        inward += (ond_dot(normal, angle[c]) < 0.0 && !flat) || ond_dot(normal, area[c]) < 0.0;
    }
    free(angle);
    free(area);
    return inward;
}

// Sheets and drops thinner than a cell, where a field's gradient points anywhere.
static void test_normals_of_splash(void **state)
{
    Stage *s = stage_open("{dimension: 3, duration: 9, gravity: [0, -9.81, 0],"
                          " domain: {min: [0, 0, 0], max: [0.8, 0.8, 0.2]},"
                          " fluid: [{name: water, spacing: 0.025,"
                          " shape: {type: box, min: [0, 0, 0], max: [0.3, 0.5, 0.2]}}]}");
    int count;
    const OndFieldKind *const *kinds = ond_field_kinds(&count);
    for (int frame = 0; frame < 3; ++frame) {
        stage_run(s, 0.5 + 0.15 * frame); // climbs the far wall, falls back, splashes
        for (int k = 0; k < 3 * count; ++k) {
            OndSurfaceDef def = ond_surface_default_def();
            def.field = kinds[k / 3]->name;
            def.polygons = k % 3 == 1 ? OND_MARCHING_TETRAHEDRA : OND_MARCHING_CUBES;
            def.decimate = k % 3 == 2 ? 0.1 : 0.0;
            OndSurface surface = surface_of(&s->frame, &def);
            check_surface(&surface, def.field);
            const int inward = count_inward(&surface);
            if (inward)
                fail_msg("t = %g s, %s, way %d: %d of %d normals point inwards", s->frame.time,
                         def.field, k % 3, inward, surface.mesh.corner_count);
            ond_surface_free(&surface);
        }
    }
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laid_pool),
        cmocka_unit_test(test_sloshed_pool),
        cmocka_unit_test(test_dam_break),
        cmocka_unit_test(test_normals_of_splash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

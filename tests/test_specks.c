// SPDX-License-Identifier: MIT
// Crumbs of a surface that no particle made go; drops stay, however small.
#include "surface/mesh/specks.h"
#include "surfaces.h"

// ---- islands made by hand

typedef struct Islands {
    OndMesh mesh;
    float normal[600];
} Islands;

static void islands_open(Islands *islands)
{
    OndError err = {0};
    *islands = (Islands){0};
    if (ond_mesh_make(&islands->mesh, 200, 200, &err) != OND_OK) fail_msg("%s", err.text);
    islands->mesh.corner_count = islands->mesh.triangle_count = 0;
}

// An octahedron as wide as it is high, its inside out if `hollow`. Normals say which one it is.
static void add_island(Islands *islands, OndVec at, double radius, bool hollow)
{
    OndMesh *mesh = &islands->mesh;
    const int first = mesh->corner_count;
    for (int c = 0; c < 6; ++c) {
        float *corner = mesh->corner + 3 * mesh->corner_count;
        for (int a = 0; a < 3; ++a) {
            corner[a] = (float)(ond_axis(at, a) + (c / 2 == a ? (c % 2 ? radius : -radius) : 0.0));
            islands->normal[3 * mesh->corner_count + a] = (float)first;
        }
        ++mesh->corner_count;
    }
    for (int t = 0; t < 8; ++t) {
        const bool odd = (t & 1) ^ (t >> 1 & 1) ^ (t >> 2 & 1);
        const int corner[3] = {t & 1, 2 + (t >> 1 & 1), 4 + (t >> 2 & 1)};
        uint32_t *to = mesh->triangle + 3 * mesh->triangle_count++;
        for (int k = 0; k < 3; ++k)
            to[odd == hollow ? 2 - k : k] = (uint32_t)(first + corner[k]);
    }
}

typedef struct Case {
    const char *what;
    double radius;   // of the octahedron round (0, 0, 0): its volume is 4/3 of the cube of that
    double particle; // x of the only particle,
    double size;     // and its size; spacing 1
    double cell;     // of the polygons
    double hollow;   // radius of a hollow in it
    bool wall;       // at x = 0.1, beyond which nothing is
    int stays;       // islands
} Case;

static int islands_left(const Case *c)
{
    OndFrame frame;
    OndPoints points = {0};
    OndError err = {0};
    frame_open(&frame, 1.0, 3, 1);
    if (ond_fields_add(&frame.particles, "spacing", "m", OND_F32, 1, 0) < 0) fail();
    frame_add(&frame, c->particle, 0.0, 0.0);
    *(float *)ond_fields_find(&frame.particles, "spacing")->data[0] = (float)c->size;
    frame.domain = (OndBox){{-20, -20, -20}, {c->wall ? 0.1 : 20, 20, 20}};
    const OndWallsDef walls = {.sides = OND_WALLS_ALL, .sight = 2.0, .thinnest = 2.0};
    if (ond_points_take_walled(&points, &frame, 2.0, &walls, &err) != OND_OK)
        fail_msg("%s", err.text);
    Islands islands;
    islands_open(&islands);
    add_island(&islands, ond_vec(0, 0, 0), c->radius, false);
    if (c->hollow > 0.0) add_island(&islands, ond_vec(0, 0, 0), c->hollow, true);
    add_island(&islands, ond_vec(9, 0, 0), 3.0, false);
    if (ond_specks_drop(&islands.mesh, islands.normal, &points, c->cell, &err) != OND_OK)
        fail_msg("%s", err.text);
    check_edges(&islands.mesh, c->what);
    const int left = islands.mesh.corner_count / 6;
    assert_int_equal(islands.mesh.triangle_count, 8 * left);
    // the large one is the last, with its own normals
    const float *last = islands.mesh.corner + 3 * (islands.mesh.corner_count - 1);
    CHECK_NEAR(last[0], 9.0, 0.0, c->what);
    CHECK_NEAR(islands.normal[3 * islands.mesh.corner_count - 1], c->hollow > 0.0 ? 12 : 6, 0.0,
               c->what);
    ond_mesh_free(&islands.mesh);
    ond_points_free(&points);
    ond_frame_free(&frame);
    return left;
}

static void test_rules(void **state)
{
    static const Case cases[] = {
        {"a crumb", 0.3, 0.8, 1.0, 0.35, 0.0, false, 1},
        {"a crumb that is hollow", 0.4, 0.8, 1.0, 0.35, 0.1, false, 1},
        {"a good part of a particle", 0.7, 0.8, 1.0, 0.35, 0.0, false, 2},
        {"the same, hollow", 0.7, 0.8, 1.0, 0.35, 0.2, false, 3},
        {"a small drop", 0.1, 0.05, 1.0, 0.35, 0.0, false, 2},
        {"a crumb in coarse cells", 0.3, 0.8, 1.0, 0.5, 0.0, false, 1},
        {"a drop that cells tore", 0.3, 0.7, 1.0, 1.0, 0.0, false, 2},
        {"as large as a small particle near", 0.3, 0.5, 0.4, 0.1, 0.0, false, 2},
        {"less than a small particle near", 0.2, 0.5, 0.4, 0.1, 0.0, false, 1},
        {"no particle near", 0.3, 8.0, 1.0, 0.35, 0.0, false, 1},
        {"a drop whose particle is behind the wall", 0.1, 0.4, 1.0, 0.35, 0.0, true, 2},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const int left = islands_left(&cases[c]);
        CHECK_NEAR(left, cases[c].stays, 0, cases[c].what);
    }
}

// ---- surfaces

// A lone particle is seen with every field, in 2D and 3D, in fine and coarse cells, large or small.
static void test_lone_particles_stay(void **state)
{
    int count;
    const OndFieldKind *const *kinds = ond_field_kinds(&count);
    static const double cells[] = {0.1, 0.35, 0.5};
    for (int n = 0; n < count * OND_COUNT(cells) * 2; ++n) {
        OndFrame frame;
        OndSurfaceDef def = ond_surface_default_def();
        def.field = kinds[n / 2 / OND_COUNT(cells)]->name;
        def.cell = cells[n / 2 % OND_COUNT(cells)];
        frame_open(&frame, 1.0, 2 + n % 2, 40);
        for (int k = 0; k < 40; ++k)
            frame_add(&frame, 5.13 * k, 3.07 * (k % 5), n % 2 ? 0.11 * k : 0.0);
        OndSurface surface = surface_of(&frame, &def);
        CHECK_NEAR(check_surface(&surface, def.field), 80, 0, def.field);
        ond_surface_free(&surface);
        ond_frame_free(&frame);
    }
}

// Scattered particles: fields of means find liquid between them where none is.
static void test_scattered(void **state)
{
    static const char *const fields[] = {"adams", "zhu-bridson", "anisotropic"};
    enum { COUNT = 600 };
    for (int f = 0; f < OND_COUNT(fields); ++f) {
        OndFrame frame;
        OndSurfaceDef def = ond_surface_default_def();
        def.field = fields[f], def.cell = 0.35;
        frame_open(&frame, 1.0, 3, COUNT);
        for (uint64_t k = 0; k < COUNT; ++k)
            frame_add(&frame, 16.0 * ond_random(k, 1), 16.0 * ond_random(k, 2),
                      6.0 * ond_random(k, 3));
        OndSurface surface = surface_of(&frame, &def);
        check_surface(&surface, fields[f]);
        const int before = surface.mesh.triangle_count;
        OndPoints points = {0};
        OndError err = {0};
        if (ond_points_take(&points, &frame, 2.0, &err) != OND_OK) fail_msg("%s", err.text);
        if (ond_specks_drop(&surface.mesh, surface.normal, &points, def.cell, &err) != OND_OK)
            fail_msg("%s", err.text);
        CHECK_NEAR(surface.mesh.triangle_count, before, 0, fields[f]);
        ond_points_free(&points);
        ond_surface_free(&surface);
        ond_frame_free(&frame);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_lone_particles_stay),
        cmocka_unit_test(test_scattered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

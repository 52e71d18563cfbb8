// SPDX-License-Identifier: MIT
// Volume, centre and inertia against closed forms and against each other.
#include "check.h"
#include "geom/mass.h"

static void check_mass(OndMass got, OndMass want, double within, const char *what)
{
    const double size = pow(want.volume, 1.0 / 3), i = want.inertia.xx + want.inertia.zz;
    CHECK_NEAR(got.volume, want.volume, within * want.volume, what);
    CHECK_NEAR(got.center.x, want.center.x, within * size, what);
    CHECK_NEAR(got.center.y, want.center.y, within * size, what);
    CHECK_NEAR(got.center.z, want.center.z, within * size, what);
    CHECK_NEAR(got.inertia.xx, want.inertia.xx, within * i, what);
    CHECK_NEAR(got.inertia.yy, want.inertia.yy, within * i, what);
    CHECK_NEAR(got.inertia.zz, want.inertia.zz, within * i, what);
    CHECK_NEAR(got.inertia.xy, want.inertia.xy, within * i, what);
    CHECK_NEAR(got.inertia.xz, want.inertia.xz, within * i, what);
    CHECK_NEAR(got.inertia.yz, want.inertia.yz, within * i, what);
}

// A lattice's sum knows nothing of the closed forms.
static void test_primitives(void **state)
{
    OndArena arena = {NULL};
    const OndVec a = {1, 2, 3}, b = {1.5, 2.9, 3.3};
    for (int flat = 0; flat < 2; ++flat) {
        check_mass(ond_mass_shape(ond_shape_box(&arena, a, b), flat), ond_mass_box(a, b, flat),
                   3e-3, "box");
        check_mass(ond_mass_shape(ond_shape_sphere(&arena, a, 0.7), flat),
                   ond_mass_sphere(a, 0.7, flat), 2e-3, "sphere");
    }
    check_mass(ond_mass_shape(ond_shape_cylinder(&arena, a, b, 0.4), false),
               ond_mass_cylinder(a, b, 0.4), 4e-3, "cylinder");
    check_mass(ond_mass_shape(ond_shape_capsule(&arena, a, b, 0.4), false),
               ond_mass_capsule(a, b, 0.4), 3e-3, "capsule");
    const OndMass box = ond_mass_box(ond_vec(0, 0, 0), ond_vec(1, 2, 3), false);
    CHECK_NEAR(box.inertia.xx, 6 * (4 + 9) / 12.0, 1e-12, "box about x");
    CHECK_NEAR(ond_mass_sphere(a, 1, false).inertia.xx, 8.0 / 15 * M_PI, 1e-12, "sphere");
    // a ball that is cut in two and glued together again
    check_mass(ond_mass_capsule(a, a, 0.3), ond_mass_sphere(a, 0.3, false), 1e-12, "short capsule");
    ond_arena_free(&arena);
}

static OndMesh box_mesh(OndVec min, OndVec max, bool inside_out)
{
    OndMesh mesh = {0};
    OndError err = {0};
    if (ond_mesh_make(&mesh, 8, 12, &err) != OND_OK) fail_msg("%s", err.text);
    for (int c = 0; c < 8; ++c) {
        mesh.corner[3 * c] = (float)(c & 1 ? max.x : min.x);
        mesh.corner[3 * c + 1] = (float)(c & 2 ? max.y : min.y);
        mesh.corner[3 * c + 2] = (float)(c & 4 ? max.z : min.z);
    }
    const uint32_t triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int k = 0; k < 36; ++k)
        mesh.triangle[k] = triangle[inside_out && k % 3 ? k + (k % 3 == 1 ? 1 : -1) : k];
    return mesh;
}

static void test_meshes(void **state)
{
    const OndVec a = {-3, 2, 5}, b = {-2.5, 2.25, 6};
    for (int inside_out = 0; inside_out < 2; ++inside_out) {
        OndMesh mesh = box_mesh(a, b, inside_out);
        check_mass(ond_mass_mesh(&mesh), ond_mass_box(a, b, false), 1e-9, "mesh of a box");
        ond_mesh_free(&mesh);
    }
    const OndMesh nothing = {0};
    CHECK_NEAR(ond_mass_mesh(&nothing).volume, 0, 0, "no triangles");
}

static void test_solve(void **state)
{
    const OndMass m = ond_mass_cylinder(ond_vec(0, 0, 0), ond_vec(1, 2, 0.5), 0.3);
    const OndVec v = {0.3, -2, 1},
                 back = ond_inertia_solve(&m.inertia, ond_inertia_times(&m.inertia, v));
    CHECK_NEAR(ond_length(ond_sub(back, v)), 0, 1e-12, "there and back");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_primitives),
                                       cmocka_unit_test(test_meshes), cmocka_unit_test(test_solve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

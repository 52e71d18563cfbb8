// SPDX-License-Identifier: MIT
// Normals that point into a surface, or nowhere, are mended; all others are left alone.
#include "check.h"

#include "base/memory.h"
#include "base/random.h"
#include "surface/mesh/normals.h"

enum { SIDE = 24, CORNERS = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

static OndMesh make_hills(void)
{
    OndMesh mesh = {0};
    assert_int_equal(ond_mesh_make(&mesh, CORNERS, TRIANGLES, NULL), OND_OK);
    for (int c = 0; c < CORNERS; ++c) {
        mesh.corner[3 * c] = (float)(c % SIDE);
        mesh.corner[3 * c + 1] = (float)(c / SIDE);
        mesh.corner[3 * c + 2] = 1.5f * ond_random((uint64_t)c, 0);
    }
    uint32_t *t = mesh.triangle;
    for (uint32_t y = 0; y + 1 < SIDE; ++y)
        for (uint32_t x = 0; x + 1 < SIDE; ++x) {
            const uint32_t a = y * SIDE + x, b = a + 1, c = a + SIDE, d = c + 1;
            *t++ = a, *t++ = b, *t++ = d, *t++ = a, *t++ = d, *t++ = c;
        }
    return mesh;
}

// The sum of the normals of a corner's triangles by their area.
static OndVec side_of(const OndMesh *mesh, uint32_t corner)
{
    OndVec sum = {0, 0, 0};
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *c = mesh->triangle + 3 * t;
        if (c[0] != corner && c[1] != corner && c[2] != corner) continue;
        const OndVec a = ond_mesh_corner(mesh, c[0]);
        sum = ond_add(sum, ond_cross(ond_sub(ond_mesh_corner(mesh, c[1]), a),
                                     ond_sub(ond_mesh_corner(mesh, c[2]), a)));
    }
    return sum;
}

static void test_mended(void **state)
{
    OndMesh mesh = make_hills();
    static float normal[3 * CORNERS], before[3 * CORNERS];
    for (uint32_t c = 0; c < CORNERS; ++c) {
        const OndVec n = ond_unit(side_of(&mesh, c));
        const float flip = c % 5 == 1 ? -1.0f : c % 5 == 2 ? 0.0f : c % 5 == 3 ? NAN : 1.0f;
        normal[3 * c] = flip * (float)n.x, normal[3 * c + 1] = flip * (float)n.y;
        normal[3 * c + 2] = flip * (float)n.z;
    }
    memcpy(before, normal, sizeof before);
    assert_int_equal(ond_normals_mend(&mesh, normal, NULL), OND_OK);
    for (uint32_t c = 0; c < CORNERS; ++c) {
        const OndVec n = ond_vec(normal[3 * c], normal[3 * c + 1], normal[3 * c + 2]);
        CHECK_NEAR(ond_length(n), 1.0, 1e-5, "unit");
        assert_true(ond_dot(n, side_of(&mesh, c)) > 0.0);
        if (c % 5 == 0 || c % 5 == 4) // that of the hills agrees with all means
            assert_memory_equal(normal + 3 * c, before + 3 * c, 3 * sizeof *normal);
    }
    ond_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

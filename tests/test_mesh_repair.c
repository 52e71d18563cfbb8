// SPDX-License-Identifier: MIT
// Meshes as people have them: what is mended, what is told, what is refused.
#include "geom/mesh_repair.h"

#include "solid_meshes.h"

static OndMesh copy_of(const OndMesh *mesh, int more_corners, int more_triangles)
{
    OndMesh copy;
    assert_int_equal(ond_mesh_make(&copy, mesh->corner_count + more_corners,
                                   mesh->triangle_count + more_triangles, NULL),
                     OND_OK);
    memcpy(copy.corner, mesh->corner, sizeof(float) * 3 * (size_t)mesh->corner_count);
    memcpy(copy.triangle, mesh->triangle, sizeof(uint32_t) * 3 * (size_t)mesh->triangle_count);
    return copy;
}

static double volume_of(const OndMesh *mesh)
{
    double volume = 0.0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        OndVec c[3];
        for (int k = 0; k < 3; ++k)
            c[k] = ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)t + k]);
        volume += ond_dot(c[0], ond_cross(c[1], c[2])) / 6.0;
    }
    return volume;
}

static void flip(OndMesh *mesh, int t)
{
    uint32_t *c = mesh->triangle + 3 * (size_t)t;
    const uint32_t swap = c[0];
    c[0] = c[1];
    c[1] = swap;
}

static OndMesh soup_of(const OndMesh *mesh, double noise)
{
    OndMesh soup;
    assert_int_equal(ond_mesh_make(&soup, 3 * mesh->triangle_count, mesh->triangle_count, NULL),
                     OND_OK);
    for (int i = 0; i < 3 * mesh->triangle_count; ++i) {
        const OndVec p = ond_mesh_corner(mesh, mesh->triangle[i]);
        set_corner(&soup, i, ond_add(p, any_vec((uint64_t)i, 5, -noise, noise)));
        soup.triangle[i] = (uint32_t)i;
    }
    return soup;
}

static OndMesh both(const OndMesh *a, const OndMesh *b)
{
    OndMesh all = copy_of(a, b->corner_count, b->triangle_count);
    memcpy(all.corner + 3 * (size_t)a->corner_count, b->corner,
           sizeof(float) * 3 * (size_t)b->corner_count);
    for (int i = 0; i < 3 * b->triangle_count; ++i)
        all.triangle[3 * a->triangle_count + i] = b->triangle[i] + (uint32_t)a->corner_count;
    return all;
}

/// Mends `mesh`, frees it, and checks that the outcome is the closed ball.
static OndMeshRepair mends_to_ball(OndMesh *mesh, bool container, const char *what)
{
    OndMesh out;
    OndMeshRepair report;
    OndError err = {0};
    bool oriented = false;
    if (ond_mesh_repair(mesh, container, &out, &report, &err) != OND_OK)
        fail_msg("%s: %s", what, err.text);
    if (ond_mesh_check_closed(&out, &oriented, &err) != OND_OK) fail_msg("%s: %s", what, err.text);
    assert_true(oriented && report.closed);
    CHECK_NEAR(volume_of(&out), 4.0, 0.2, what);
    ond_mesh_free(&out);
    ond_mesh_free(mesh);
    return report;
}

static void test_mended(void **state)
{
    (void)state;
    OndMesh ball = ball_mesh(ond_vec(0, 0, 0), 1.0, 12);
    OndMesh mesh = copy_of(&ball, 0, 0);
    OndMeshRepair r = mends_to_ball(&mesh, true, "as it is");
    assert_string_equal(r.words, "");

    mesh = soup_of(&ball, 2e-7);
    r = mends_to_ball(&mesh, true, "seams");
    assert_true(r.welded > 100 && r.dropped == 0);
    CHECK_SAYS(r.words, "corners joined", "seams");

    mesh = copy_of(&ball, 0, 0);
    for (int t = 0; t < mesh.triangle_count; t += 5)
        flip(&mesh, t);
    r = mends_to_ball(&mesh, true, "flipped");
    assert_int_equal(r.turned, (ball.triangle_count + 4) / 5);

    mesh = copy_of(&ball, 0, 0);
    for (int t = 0; t < mesh.triangle_count; ++t)
        flip(&mesh, t);
    r = mends_to_ball(&mesh, false, "inside out");
    assert_int_equal(r.turned, ball.triangle_count);

    mesh = copy_of(&ball, 1, 3);
    set_triangle(&mesh, ball.triangle_count, 3, 3, 4); // no area
    set_triangle(&mesh, ball.triangle_count + 2, (int)ball.triangle[1], (int)ball.triangle[0],
                 (int)ball.triangle[2]);
    set_corner(&mesh, ball.corner_count, ond_vec(NAN, 0, 0)); // nobody uses it
    set_triangle(&mesh, ball.triangle_count + 1, 3, 4, 3);
    r = mends_to_ball(&mesh, true, "without area, twice");
    assert_int_equal(r.dropped, 2);
    assert_int_equal(r.repeated, 1);

    mesh = ball_mesh(ond_vec(0, 0, 0), 1.0, 24);
    mesh.triangle_count -= 1;
    r = mends_to_ball(&mesh, true, "a small hole");
    assert_int_equal(r.holes, 1);
    CHECK_SAYS(r.words, "1 small holes closed", "hole");
    ond_mesh_free(&ball);
}

/// A corner in the middle of a neighbour's edge, joined by a needle: it must stay closed.
static void test_needle_stays(void **state)
{
    (void)state;
    OndMesh ball = ball_mesh(ond_vec(0, 0, 0), 1.0, 12);
    OndMesh mesh = copy_of(&ball, 1, 2);
    const uint32_t *t = ball.triangle;
    const int a = (int)t[0], b = (int)t[1], c = (int)t[2], m = ball.corner_count;
    set_corner(&mesh, m,
               ond_scale(ond_add(ond_mesh_corner(&ball, t[0]), ond_mesh_corner(&ball, t[1])), 0.5));
    set_triangle(&mesh, 0, a, m, c);
    set_triangle(&mesh, ball.triangle_count, m, b, c);
    set_triangle(&mesh, ball.triangle_count + 1, a, b, m);
    const OndMeshRepair r = mends_to_ball(&mesh, true, "needle");
    assert_int_equal(r.dropped, 0);
    ond_mesh_free(&ball);
}

static void test_sheets(void **state)
{
    (void)state;
    OndMesh cup = box_mesh(ond_vec(-1, -1, -1), ond_vec(1, 1, 1), 4, false), out;
    flip(&cup, 7);
    OndMeshRepair r;
    OndError err;
    assert_int_equal(ond_mesh_repair(&cup, false, &out, &r, &err), OND_OK);
    assert_true(!r.closed && r.open_edges == 16 && r.turned == 1);
    CHECK_SAYS(r.words, "16 open edges left: it is a sheet", "cup");
    ond_mesh_free(&out);
    assert_int_equal(ond_mesh_repair(&cup, true, &out, &r, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "16 open edges", "cup");
    CHECK_SAYS(err.text, "of triangle", "cup");
    ond_mesh_free(&cup);
}

static void test_refused(void **state)
{
    (void)state;
    OndMesh ball = ball_mesh(ond_vec(0, 0, 0), 1.0, 8), out;
    OndMeshRepair r;
    OndError err;
    OndMesh mesh = copy_of(&ball, 0, 0);
    mesh.corner[3 * mesh.triangle[3 * 17]] = NAN;
    assert_int_equal(ond_mesh_repair(&mesh, false, &out, &r, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "triangle ", "nan");
    ond_mesh_free(&mesh);
    mesh = copy_of(&ball, 0, 0);
    mesh.triangle[40] = 1u << 30;
    assert_int_equal(ond_mesh_repair(&mesh, false, &out, &r, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "triangle 13 ", "index");
    ond_mesh_free(&mesh);
    mesh = copy_of(&ball, 0, 0);
    for (int i = 0; i < 3 * mesh.corner_count; ++i)
        mesh.corner[i] = (float)(i % 3);
    assert_int_equal(ond_mesh_repair(&mesh, false, &out, &r, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "no triangle with an area", "a point");
    ond_mesh_free(&mesh);
    ond_mesh_free(&ball);
}

static void test_crossing(void **state)
{
    (void)state;
    OndMesh a = ball_mesh(ond_vec(0, 0, 0), 1.0, 10),
            b = ball_mesh(ond_vec(1.1, 0.2, 0.1), 1.0, 10), out;
    OndMesh mesh = both(&a, &b);
    OndMeshRepair r;
    OndError err;
    assert_int_equal(ond_mesh_repair(&mesh, true, &out, &r, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "pass through each other", "crossing");
    OndVec at; // on both balls, as far as they are round
    assert_int_equal(sscanf(strstr(err.text, "at ("), "at (%lf, %lf, %lf)", &at.x, &at.y, &at.z),
                     3);
    CHECK_NEAR(ond_length(at), 1.0, 0.06, "distance of the crossing from one middle");
    CHECK_NEAR(ond_length(ond_sub(at, ond_vec(1.1, 0.2, 0.1))), 1.0, 0.06, "from the other");
    assert_true(r.crossing[0] < a.triangle_count && r.crossing[1] >= a.triangle_count);
    assert_int_equal(ond_mesh_repair(&mesh, OND_MESH_BODY, &out, &r, &err), OND_OK);
    CHECK_SAYS(r.words, "volume and mass count twice", "crossing body");
    ond_mesh_free(&out);
    assert_int_equal(ond_mesh_repair(&mesh, false, &out, &r, &err), OND_OK);
    assert_int_equal(r.turned, 0);
    ond_mesh_free(&out);
    ond_mesh_free(&mesh);
    ond_mesh_free(&a);
    ond_mesh_free(&b);
}

/// A box twisted so that its sides cross exactly at their rims; and one that stands on another,
/// with rims in its faces, which is no crossing.
static OndMesh turned_mesh(const OndMesh *mesh, double angle)
{
    OndMesh out = copy_of(mesh, 0, 0);
    const OndPose pose = turned(ond_vec(1, 2, 3), angle, ond_vec(0.1, -0.2, 0.3));
    for (int c = 0; c < out.corner_count; ++c)
        set_corner(&out, c, ond_pose_out(&pose, ond_mesh_corner(mesh, (uint32_t)c)));
    return out;
}

static void test_crossing_at_rims(void **state)
{
    (void)state;
    OndMesh box = box_mesh(ond_vec(0, 0, 0), ond_vec(1, 1, 1), 1, true), out;
    OndMesh twisted = copy_of(&box, 0, 0);
    OndMeshRepair r;
    OndError err;
    for (int c = 0; c < twisted.corner_count; ++c) // the upper face's far corners change places
        if (twisted.corner[3 * c + 1] > 0.5f && twisted.corner[3 * c + 2] > 0.5f)
            twisted.corner[3 * c] = 1.0f - twisted.corner[3 * c];
    assert_int_equal(ond_mesh_repair(&twisted, OND_MESH_CONTAINER, &out, &r, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "pass through each other", "twisted");
    OndMesh upper = box_mesh(ond_vec(0.25, 1, 0.25), ond_vec(0.75, 2, 0.75), 1, true),
            tower = both(&box, &upper);
    for (int turn = 0; turn < 8; ++turn) { // what touches is no crossing, however it is rounded
        OndMesh other = turned_mesh(&tower, 0.3 * turn), knot = turned_mesh(&twisted, 0.3 * turn);
        assert_int_equal(ond_mesh_repair(&other, OND_MESH_CONTAINER, &out, &r, &err), OND_OK);
        ond_mesh_free(&out);
        assert_int_equal(ond_mesh_repair(&knot, OND_MESH_CONTAINER, &out, &r, &err), OND_BAD_VALUE);
        ond_mesh_free(&other);
        ond_mesh_free(&knot);
    }
    ond_mesh_free(&tower);
    ond_mesh_free(&upper);
    ond_mesh_free(&twisted);
    ond_mesh_free(&box);
}

/// A hollow ball stays hollow: its inner surface faces inwards.
static void test_hollow(void **state)
{
    (void)state;
    OndMesh outer = ball_mesh(ond_vec(0, 0, 0), 1.0, 10),
            inner = ball_mesh(ond_vec(0.1, 0, 0), 0.5, 10), out;
    for (int t = 0; t < inner.triangle_count; ++t)
        flip(&inner, t);
    OndMesh mesh = both(&outer, &inner);
    OndMeshRepair r;
    assert_int_equal(ond_mesh_repair(&mesh, true, &out, &r, NULL), OND_OK);
    assert_int_equal(r.turned, 0);
    ond_mesh_free(&out);
    for (int t = 0; t < 3; ++t)
        flip(&mesh, outer.triangle_count + 10 * t);
    assert_int_equal(ond_mesh_repair(&mesh, true, &out, &r, NULL), OND_OK);
    assert_int_equal(r.turned, 3);
    ond_mesh_free(&out);
    ond_mesh_free(&mesh);
    ond_mesh_free(&outer);
    ond_mesh_free(&inner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mended),   cmocka_unit_test(test_needle_stays),
        cmocka_unit_test(test_sheets),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_crossing), cmocka_unit_test(test_crossing_at_rims),
        cmocka_unit_test(test_hollow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Solids as triangles and in pictures: closed, of the right volume, in front of what is behind
// them, clear when they are of glass; and surfaces that end on them.
// ctest: isa
#include "base/hash.h"
#include "base/parallel.h"
#include "frame_solids.h"
#include "render/render.h"
#include "stage.h"
#include "surface/mesh/solid_triangles.h"
#include "surfaces.h"

// ---- triangles

static double volume_of(const OndMesh *m)
{
    double sum = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        const uint32_t *c = m->triangle + 3 * (size_t)t;
        sum += ond_dot(ond_mesh_corner(m, c[0]),
                       ond_cross(ond_mesh_corner(m, c[1]), ond_mesh_corner(m, c[2]))) /
               6.0;
    }
    return sum;
}

static const struct {
    const char *name, *shape;
    double volume, within; // share
} shapes[] = {
    {"box", "{type: box, min: [1, 2, 3], max: [2, 4, 6]}", 6, 1e-6},
    {"sphere", "{type: sphere, center: [1, 2, 3], radius: 1}", 4.18879, 0.01},
    {"cylinder", "{type: cylinder, from: [0, 0, 0], to: [0, 3, 4], radius: 1}", 5 * M_PI, 0.01},
    {"capsule", "{type: capsule, from: [1, 0, 0], to: [3, 0, 0], radius: 1}", 2 * M_PI + 4.18879,
     0.01},
    {"cup",
     "{type: difference, parts: [{type: cylinder, from: [0, 0, 0], to: [0, 2, 0], radius: 1}, "
     "{type: cylinder, from: [0, 0.5, 0], to: [0, 3, 0], radius: 0.8}]}",
     2 * M_PI - 1.5 * 0.64 * M_PI, 0.01},
    {"lens",
     "{type: intersection, parts: [{type: sphere, center: [0, 0, 0], radius: 1}, {type: box, min: "
     "[0, -2, -2], max: [2, 2, 2]}]}",
     4.18879 / 2, 0.01},
    {"two boxes",
     "{type: union, parts: [{type: box, min: [0, 0, 0], max: [1, 1, 1]}, {type: box, min: [2, 0, "
     "0], max: [3, 1, 1]}]}",
     2, 1e-6},
};

// Of the first solid of a scene.
static OndMesh triangles_of(const char *text)
{
    OndSceneDef scene;
    OndError err = {0};
    OndSimSolids solids;
    OndMesh mesh;
    if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(ond_sim_solids_load(&scene, NULL, &solids, &err), OND_OK);
    assert_int_equal(ond_solid_triangles(&solids, 0, 10, &mesh, &err), OND_OK);
    ond_sim_solids_free(&solids);
    ond_scene_free(&scene);
    return mesh;
}

static void check_closed(const OndMesh *mesh, const char *name)
{
    OndError err = {0};
    bool oriented = false;
    if (ond_mesh_check_closed(mesh, &oriented, &err) != OND_OK) fail_msg("%s: %s", name, err.text);
    CHECK_NEAR(oriented, 1, 0, name);
}

static void test_triangles(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(shapes); ++c) {
        char text[512];
        snprintf(text, sizeof text, "%ssolid: [{shape: %s}]\n", WATER, shapes[c].shape);
        OndMesh mesh = triangles_of(text);
        CHECK_NEAR(volume_of(&mesh), shapes[c].volume, shapes[c].within * shapes[c].volume,
                   shapes[c].name);
        check_closed(&mesh, shapes[c].name);
        ond_mesh_free(&mesh);
    }
}

// A plane is what lies behind it in the domain, closed; one that does not cut it, or moves, is a
// square.
static void test_planes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *plane;
        double volume; // 0: a square
    } planes[] = {
        {"level", "{type: plane, point: [9, 0.25, 9]}", 0.5},
        {"beach", "{type: plane, point: [1, 0, 0], normal: [-0.5, 1, 0]}", 0.25},
        {"corner", "{type: plane, point: [0.5, 0, 0], normal: [1, 1, 1]}", 0.125 / 6},
        {"all but a corner", "{type: plane, point: [0.5, 0, 0], normal: [-1, -1, -1]}",
         2 - 0.125 / 6},
        {"the floor", "{type: plane}", 0},
        {"beyond", "{type: plane, point: [0, -3, 0]}", 0},
        {"moving", "{type: plane, point: [0, 0.25, 0]}, move: [0, t, 0]", 0},
    };
    for (int c = 0; c < OND_COUNT(planes); ++c) {
        char text[512];
        snprintf(text, sizeof text,
                 "domain: {min: [0, 0, 0], max: [2, 1, 1]}\n" WATER "solid: [{shape: %s}]\n",
                 planes[c].plane);
        OndMesh mesh = triangles_of(text);
        if (planes[c].volume == 0) {
            CHECK_NEAR(mesh.triangle_count, 2, 0, planes[c].name);
        } else {
            CHECK_NEAR(volume_of(&mesh), planes[c].volume, 1e-5, planes[c].name);
            check_closed(&mesh, planes[c].name);
        }
        ond_mesh_free(&mesh);
    }
}

// ---- pictures

// A box of 0.4, and a renderer that looks at it along -z.
#define BOX(x0, x1, look)                                                                          \
    "{shape: {type: box, min: [" x0 ", 0.3, 0.3], max: [" x1 ", 0.7, 0.7]}, " look "}"
#define FLAT_BOX(x0, x1, look)                                                                     \
    "{shape: {type: box, min: [" x0 ", 0.3], max: [" x1 ", 0.7]}, " look "}"

static OndImage draw(OndDrawn as, const char *solids)
{
    OndError err = {0};
    OndRenderDef def = ond_render_default_def();
    def.as = as;
    def.width = 160, def.height = 90;
    def.box = def.legend = def.time = def.fit = false;
    def.camera_from = ond_vec(1, 0.5, 4);
    def.camera_to = ond_vec(1, 0.5, 0.5);
    def.backdrop = OND_BACKDROP_LIGHT;
    OndFrame frame;
    frame_open(&frame, 0.05, 3, 4000);
    frame.domain = (OndBox){{0, 0, 0}, {2, 1, 1}};
    for (int i = 0; i < 1000; ++i) // a wall of liquid behind
        frame_add(&frame, 0.025 + 0.05 * (i % 40), 0.025 + 0.05 * (i / 40 % 20), 0.05);
    OndRenderer *r = ond_render_create(&def, &err);
    if (!r) fail_msg("%s", err.text);
    OndImage image = {0};
    FrameSolids *const set = solids ? solids_give(&frame, solids) : NULL;
    if (ond_render_frame(r, &frame, &image, &err) != OND_OK) fail_msg("%s", err.text);
    ond_render_destroy(r);
    ond_frame_free(&frame);
    solids_drop(set);
    return image;
}

static const uint8_t *pixel(const OndImage *image, double x)
{
    const int column = (int)(80 + (x - 1) * 90 * 0.5 / (3.3 * 0.2493));
    return image->rgb + 3 * (45 * image->width + column);
}

static void test_pictures(void **state)
{
    (void)state;
    static const OndDrawn ways[] = {OND_AS_PARTICLES, OND_AS_SURFACE};
    static const char three[] = BOX("0.2", "0.6", "look: plain, colour: [0.9, 0.1, 0.1]") "," BOX(
        "0.8", "1.2",
        "look: glass, colour: [1, 1, 1]") "," BOX("1.4", "1.8",
                                                  "look: clay, colour: [0.1, 0.6, 0.1]");
    for (int w = 0; w < 2; ++w) {
        OndImage bare = draw(ways[w], NULL), image = draw(ways[w], three);
        const uint8_t *red = pixel(&image, 0.4), *glass = pixel(&image, 1.0),
                      *green = pixel(&image, 1.6);
        if (!(red[0] > 1.5 * red[1] && red[0] > 1.5 * red[2]))
            fail_msg("red is (%d, %d, %d)", red[0], red[1], red[2]);
        if (!(green[1] > 1.3 * green[0] && green[1] > 1.3 * green[2]))
            fail_msg("green is (%d, %d, %d)", green[0], green[1], green[2]);
        const uint8_t *behind = pixel(&bare, 1.0);
        for (int k = 0; k < 3; ++k) // not much is lost, and it is not the box's own colour
            CHECK_NEAR(glass[k], behind[k], 60, "through glass");
        ond_image_free(&bare);
        ond_image_free(&image);
    }
}

// In 2D a solid is seen before paper, in the colour that it was given; a plain one is grey.
static void test_flat_colours(void **state)
{
    (void)state;
    OndError err = {0};
    OndRenderDef def = ond_render_default_def();
    def.width = 160, def.height = 90;
    def.box = def.legend = def.time = false;
    OndFrame frame;
    frame_open(&frame, 0.05, 2, 4);
    frame.domain = (OndBox){{0, 0, 0}, {2, 1, 0}};
    OndRenderer *r = ond_render_create(&def, &err);
    if (!r) fail_msg("%s", err.text);
    OndImage image = {0};
    FrameSolids *const set =
        solids_give(&frame, FLAT_BOX("0.2", "0.6", "look: plain") "," FLAT_BOX(
                                "1.4", "1.8", "look: plain, colour: [0.8, 0.4, 0.2]"));
    if (ond_render_frame(r, &frame, &image, &err) != OND_OK) fail_msg("%s", err.text);
    const uint8_t *grey = image.rgb + 3 * (45 * 160 + 80 - 38),
                  *red = image.rgb + 3 * (45 * 160 + 80 + 38);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(grey[k], 142, 20, "a plain solid");
    CHECK_NEAR(red[0], 204, 20, "red");
    CHECK_NEAR(red[1], 102, 20, "green");
    CHECK_NEAR(red[2], 51, 20, "blue");
    ond_image_free(&image);
    ond_render_destroy(r);
    ond_frame_free(&frame);
    solids_drop(set);
}

static void test_threads(void **state)
{
    (void)state;
    static const char two[] = BOX("0.4", "0.8", "look: metal, colour: [0.9, 0.8, 0.5]") "," BOX(
        "1.2", "1.6", "look: glass, colour: [0.7, 0.9, 1]");
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        ond_threads_set(k ? 4 : 1);
        OndImage image = draw(OND_AS_SURFACE, two);
        hash[k] = ond_hash_bytes(image.rgb, 3 * 160 * 90);
        ond_image_free(&image);
    }
    ond_threads_set(0);
    CHECK_NEAR(hash[0] == hash[1], 1, 0, "the same bits for any number of threads");
}

// ---- surfaces

// A pool on a plane of its own: the surface's underside lies a little below the plane, all of it,
// and its top stays where it was.
static void test_fit(void **state)
{
    (void)state;
    Stage *s = stage_open("fluid: [{spacing: 0.05, shape: {type: box, min: [0, 0, 0], max: [0.6, "
                          "0.4, 0.6]}}]\nsolid: [{shape: {type: plane}}]\n");
    OndSurfaceDef def = ond_surface_default_def();
    OndSurface surface = {0};
    OndError err = {0};
    OndFrame bare = s->frame;
    bare.solids = (OndFrameSolids){0};
    assert_int_equal(ond_surface_make(&surface, &bare, &def, NULL, &err), OND_OK);
    double top[2] = {0, 0}, rough = 0.0;
    int under = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int c = 0; c < surface.mesh.corner_count; ++c) {
            const float *at = surface.mesh.corner + 3 * c;
            const double y = at[1], aside = fmax(fabs(at[0] - 0.3), fabs(at[2] - 0.3));
            top[pass] = fmax(top[pass], y);
            if (pass == 0 || y > 0.2 || aside > 0.25) continue;
            rough = fmax(rough, fabs(y + 0.12 * 0.05));
            ++under;
        }
        if (pass == 0)
            assert_int_equal(ond_surface_make(&surface, &s->frame, &def, NULL, &err), OND_OK);
    }
    assert_true(under > 100);
    CHECK_NEAR(rough, 0, 1e-6, "underside");
    CHECK_NEAR(top[1], top[0], 0, "top");
    ond_surface_free(&surface);
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles), cmocka_unit_test(test_planes),
        cmocka_unit_test(test_pictures),  cmocka_unit_test(test_flat_colours),
        cmocka_unit_test(test_threads),   cmocka_unit_test(test_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

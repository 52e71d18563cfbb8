// SPDX-License-Identifier: MIT
// A surface that particles carry: as fine as the shape at the start, moved and turned with them, the
// usual one where they have melted or are torn apart; and the same bits when a run goes on.
#include "command.h"
#include "io/mesh_assimp.h"
#include "same_bits.h"
#include "surfaces.h"

#define SPACING 0.05
// A ball and a slanted rod: no lattice fits them.
#define SHAPE                                                                                      \
    "shape: {type: union, parts: [{type: sphere, center: [0.5, 0.5, 0.5], radius: 0.23},\n"        \
    "  {type: capsule, from: [0.5, 0.5, 0.5], to: [0.93, 0.71, 0.6], radius: 0.11}]}"
#define FLUID                                                                                      \
    "gravity: [0, 0, 0]\nframe_rate: 10\nduration: 2\n"                                            \
    "fluid:\n- {name: wax, spacing: 0.05, carry: true, "

static double shape_distance(OndVec at)
{
    const OndVec from = ond_vec(0.5, 0.5, 0.5), way = ond_vec(0.43, 0.21, 0.1);
    const double along = ond_dot(ond_sub(at, from), way) / ond_dot(way, way);
    const OndVec foot = ond_add(from, ond_scale(way, fmin(fmax(along, 0.0), 1.0)));
    return fmin(ond_length(ond_sub(at, from)) - 0.23, ond_length(ond_sub(at, foot)) - 0.11);
}

// Where a place of a body that goes and turns about the middle was.
typedef struct Ride {
    OndVec middle, velocity;
    double angle; // about z
} Ride;

static OndVec before(const Ride *r, OndVec at, double time)
{
    const OndVec d = ond_sub(ond_sub(at, r->middle), ond_scale(r->velocity, time));
    const double c = cos(r->angle), s = sin(r->angle);
    return ond_add(r->middle, ond_vec(c * d.x + s * d.y, -s * d.x + c * d.y, d.z));
}

// The largest and the mean distance of a surface from the shape, in spacings.
static double off_shape(const OndMesh *mesh, const Ride *ride, double time, double *mean)
{
    double most = 0.0, sum = 0.0;
    assert_true(mesh->corner_count > 100);
    for (int c = 0; c < mesh->corner_count; ++c) {
        const double d =
            fabs(shape_distance(before(ride, mesh_corner(mesh, (uint32_t)c), time))) / SPACING;
        most = fmax(most, d);
        sum += d;
    }
    *mean = sum / mesh->corner_count;
    return most;
}

// How far its normals are from the shape's, in the mean: 1 - cosine.
static double normals_off(const OndSurface *surface, const Ride *ride, double time)
{
    double sum = 0.0;
    for (int c = 0; c < surface->mesh.corner_count; ++c) {
        const OndVec at = mesh_corner(&surface->mesh, (uint32_t)c);
        const float *const n = surface->normal + 3 * (size_t)c;
        double slope[3], along = 0.0, size = 0.0;
        for (int a = 0; a < 3; ++a) {
            OndVec low = at, high = at;
            ((double *)&low)[a] -= 1e-5, ((double *)&high)[a] += 1e-5;
            slope[a] =
                shape_distance(before(ride, high, time)) - shape_distance(before(ride, low, time));
            along += slope[a] * n[a];
            size += slope[a] * slope[a];
        }
        sum += 1.0 - along / sqrt(size);
    }
    return sum / surface->mesh.corner_count;
}

static OndSurfaceDef fine(const char *field)
{
    OndSurfaceDef def = ond_surface_default_def();
    def.field = field;
    def.cell = 0.25;
    return def;
}

static void test_start(void **state)
{
    (void)state;
    Stage *s = stage_open(FLUID "rigidity: 1, " SHAPE "}\n");
    const OndSurfaceDef carried = fine("carried"), usual = fine("anisotropic");
    OndSurface a = surface_of(&s->frame, &carried), b = surface_of(&s->frame, &usual);
    const Ride none = {0};
    double mean, rough;
    const double most = off_shape(&a.mesh, &none, 0, &mean),
                 bumps = off_shape(&b.mesh, &none, 0, &rough);
    print_message("off the shape: carried %.4f (at most %.3f), anisotropic %.4f (%.3f) spacings\n",
                  mean, most, rough, bumps);
    assert_true(mean < 0.01 && most < 0.1 && mean < 0.1 * rough);
    CHECK_NEAR(normals_off(&a, &none, 0), 0, 0.005, "normals");
    ond_surface_free(&a);
    ond_surface_free(&b);
    stage_close(s);
}

// What is held goes and turns exactly as it is told, by two thirds of a full turn.
static void test_rides(void **state)
{
    (void)state;
    Stage *s = stage_open(FLUID "rigidity: 1, fixed: true, velocity: [0.2, 0.1, 0], "
                                "spin: [0, 0, 4], " SHAPE "}\n");
    const Ride ride = {ond_vec(0.655, 0.545, 0.5), ond_vec(0.2, 0.1, 0), 4.0};
    const OndSurfaceDef def = fine("carried");
    double mean;
    stage_run(s, 1.0);
    OndSurface surface = surface_of(&s->frame, &def);
    const double most = off_shape(&surface.mesh, &ride, 1.0, &mean);
    print_message("after 4 rad: off the shape by %.4f, at most %.3f spacings\n", mean, most);
    assert_true(mean < 0.01 && most < 0.1);
    CHECK_NEAR(normals_off(&surface, &ride, 1.0), 0, 0.005, "normals that turned");
    ond_surface_free(&surface);
    stage_close(s);
}

static float *values(const Stage *s, const char *name)
{
    return ond_fields_find(&s->frame.particles, name)->data[0];
}

// Where nothing is carried, the surface is the usual one, corner by corner.
static void test_melted(void **state)
{
    (void)state;
    Stage *s = stage_open(FLUID "rigidity: 1, " SHAPE "}\n");
    const OndSurfaceDef carried = fine("carried"), usual = fine("anisotropic");
    memset(values(s, "carried"), 0, (size_t)s->count * sizeof(float));
    OndSurface a = surface_of(&s->frame, &carried), b = surface_of(&s->frame, &usual);
    CHECK_NEAR(a.mesh.corner_count, b.mesh.corner_count, 0, "corners");
    for (int c = 0; c < 3 * a.mesh.corner_count; ++c)
        CHECK_NEAR(a.mesh.corner[c], b.mesh.corner[c], 1e-6, "corner");
    ond_surface_free(&a);
    ond_surface_free(&b);
    stage_close(s);
}

// It is forgotten in the melt, and does not come back when that sets.
static void test_forgets(void **state)
{
    (void)state;
    Stage *s = stage_open(
        FLUID "T_solid: 20, T_liquid: 60, temperature: 10, conductivity: 400, " SHAPE "}\nheat:\n"
              "- {shape: {type: box, min: [0.5, 0, 0], max: [2, 2, 2]}, "
              "temperature: 100, transfer: 1e9, to: 0.1}\n"
              "- {shape: {type: box, min: [0.5, 0, 0], max: [2, 2, 2]}, "
              "temperature: 0, transfer: 1e9, from: 0.15}\n");
    stage_run(s, 0.1);
    double most = 0.0, least = 1.0;
    for (int i = 0; i < s->count; ++i) {
        if (s->x[0][i] > 0.65) most = fmax(most, values(s, "carried")[i]);
        if (s->x[0][i] < 0.35) least = fmin(least, values(s, "carried")[i]);
    }
    print_message("still carried: %g where it melted, %g elsewhere\n", most, least);
    assert_true(most == 0.0 && least == 1.0);
    stage_run(s, 0.5);
    for (int i = 0; i < s->count; ++i)
        if (s->x[0][i] > 0.65) {
            assert_true(values(s, "rigidity")[i] > 0.9f);
            assert_true(values(s, "carried")[i] == 0.0f);
        }
    stage_close(s);
}

// Half of it is gone: the tear is where the particles end, not where the shape did.
static void test_torn(void **state)
{
    (void)state;
    Stage *s = stage_open(FLUID "rigidity: 1, " SHAPE "}\n");
    OndFields *const f = &s->frame.particles;
    double last = 0.0;
    int left = 0;
    for (int i = 0; i < s->count; ++i) {
        if (s->x[0][i] > 0.5) continue;
        last = fmax(last, s->x[0][i]);
        for (int k = 0; k < f->field_count; ++k)
            for (int c = 0; c < f->field[k].components; ++c)
                ((uint32_t *)f->field[k].data[c])[left] = ((uint32_t *)f->field[k].data[c])[i];
        ++left;
    }
    f->count = left;
    const OndSurfaceDef def = fine("carried");
    OndSurface surface = surface_of(&s->frame, &def);
    double most = 0.0;
    for (int c = 0; c < surface.mesh.corner_count; ++c)
        most = fmax(most, surface.mesh.corner[3 * (size_t)c]);
    print_message("the tear is %.3f spacings beyond the last particles\n", (most - last) / SPACING);
    assert_true(most - last < 1.4 * SPACING && most - last > 0.2 * SPACING);
    ond_surface_free(&surface);
    f->count = s->count;
    stage_close(s);
}

static void test_same_bits(void **state)
{
    (void)state;
    const Play play = {"carried", 12,
                       FLUID
                       "T_solid: 20, T_liquid: 60, temperature: 10, conductivity: 4000, " SHAPE
                       "}\nheat: [{shape: {type: box, min: [0.5, 0, 0], max: [2, 2, 2]}, "
                       "temperature: 100, transfer: 1e8}]\n"};
    check_threads(&play);
    check_resume(&play);
}

// From the files of a run, with the shape of its scene; by itself where a fluid carries.
static void test_folder(void **state)
{
    (void)state;
    OndMesh mesh = {0};
    OndError err = {0};
    const Ride none = {0};
    double mean;
    write_text("knob.yaml", FLUID "rigidity: 1, " SHAPE "}\n");
    expect("run knob.yaml -o out --frames 1 --quiet", 0, "");
    expect("mesh out --cell 0.25 --quiet", 0, "");
    if (ond_mesh_load("out/surfaces/surface_0000.ply", &mesh, &err) != OND_OK)
        fail_msg("%s", err.text);
    off_shape(&mesh, &none, 0, &mean);
    ond_mesh_free(&mesh);
    CHECK_NEAR(mean, 0, 0.01, "carried");
    expect("mesh out --cell 0.25 --field anisotropic --quiet", 0, "");
    assert_int_equal(ond_mesh_load("out/surfaces/surface_0000.ply", &mesh, &err), OND_OK);
    off_shape(&mesh, &none, 0, &mean);
    ond_mesh_free(&mesh);
    assert_true(mean > 0.05);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *says;
    } cases[] = {
        {"no shape", "fluid: [{spacing: 0.1, rigidity: 1, carry: true}]\n",
         "no shape whose surface"},
        {"a file",
         "fluid: [{spacing: 0.1, rigidity: 1, carry: true, "
         "shape: {type: particles, file: a.ply}}]\n",
         "no shape whose surface"},
        {"a liquid",
         "fluid: [{spacing: 0.1, carry: true, "
         "shape: {type: sphere, center: [0, 0, 0], radius: 1}}]\n",
         "is never solid"},
        {"grains",
         "method: {type: dem}\nfluid: [{spacing: 0.1, carry: true, "
         "shape: {type: sphere, center: [0, 0, 0], radius: 1}}]\n",
         "'carry' means nothing"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSceneDef scene;
        OndTree tree = {0};
        OndError err = {0};
        OndStatus status =
            ond_yaml_parse("scene.yaml", cases[c].text, strlen(cases[c].text), &tree, &err);
        if (status == OND_OK) status = ond_scene_read(&tree, &scene, &err);
        CHECK_NEAR(status, OND_BAD_VALUE, 0, cases[c].name);
        CHECK_SAYS(err.text, cases[c].says, cases[c].name);
        CHECK_SAYS(err.text, "scene.yaml:", cases[c].name);
        ond_scene_free(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),  cmocka_unit_test(test_rides),
        cmocka_unit_test(test_melted), cmocka_unit_test(test_forgets),
        cmocka_unit_test(test_torn),   cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_folder), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("carried surfaces", tests, enter_folder, leave_folder);
}

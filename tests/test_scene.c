// SPDX-License-Identifier: MIT
// Scenes that are right: the example of the manual, what can be left out, and the start they make.
#include "base/clock.h"
#include "io/scene_sections.h"
#include "particles/sph/sph_def.h"
#include "render/of_scene.h"
#include "scene_text.h"
#include "sim/scene/scene_shape.h"
#include "sim/sim.h"
#include "sim/sim_world.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char dam_break[] = "title: Dam break\n"
                                "dimension: 3\n"
                                "duration: 4.0\n"
                                "gravity: [0, -9.81, 0]\n"
                                "domain: {min: [0, 0, 0], max: [2, 1.2, 0.6], slip: 0.9}\n"
                                "method: {type: sph}\n"
                                "fluid:\n"
                                "  - name: water\n"
                                "    spacing: 0.015\n"
                                "    density: 998.23\n"
                                "    shape: {type: box, min: [0, 0, 0], max: [0.6, 0.9, 0.6]}\n";

static void test_example(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load(dam_break, &scene, &err) != OND_OK) fail_msg("%s", err.text);
    assert_string_equal(scene.title, "Dam break");
    CHECK_NEAR(scene.duration, 4, 0, "duration");
    CHECK_NEAR(scene.frame_rate, 24, 0, "frame_rate");
    CHECK_NEAR(scene.gravity.y, -9.81, 0, "gravity.y");
    CHECK_NEAR(scene.has_domain, 1, 0, "has_domain");
    CHECK_NEAR(scene.domain.max.y, 1.2, 0, "domain.max.y");
    CHECK_NEAR(scene.domain.side[3].slip, 0.9, 1e-7, "slip of a side");
    CHECK_NEAR(scene.spacing, 0.015, 0, "spacing");
    assert_string_equal(ond_scene_method(&scene)->name, "sph");
    CHECK_NEAR((double)ond_scene_forecast_start(&scene, NULL, &err), 96000, 0, "forecast");
    OndStart start;
    if (ond_scene_fill(&scene, NULL, &start, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR(start.count, 40 * 60 * 40, 0, "particles");
    CHECK_NEAR(start.position[0][0], 0.0075, 1e-9, "first particle");
    CHECK_NEAR(start.position[1][start.count - 1], 0.9 - 0.0075, 1e-6, "last particle");
    CHECK_NEAR(start.temperature[7], 20, 0, "temperature");
    ond_start_free(&start);
    ond_scene_free(&scene);
}

static void test_smallest(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load("fluid: [{spacing: 0.1, shape: {type: sphere, center: [0, 0, 0], radius: 1}}]", &scene,
             &err) != OND_OK)
        fail_msg("%s", err.text);
    CHECK_NEAR(scene.has_domain, 0, 0, "no domain");
    CHECK_NEAR(scene.domain.side[0].kind, OND_SIDE_OPEN, 0, "open sides");
    assert_string_equal(ond_scene_method(&scene)->name, "sph");
    CHECK_NEAR(((const OndSphDef *)scene.method.def)->smoothing, 2.13, 0, "method's defaults");
    assert_string_equal(ond_scene_fluid(&scene, 0)->name, "fluid 0");
    assert_null(ond_scene_camera(&scene)->node);
    CHECK_NEAR(ond_scene_picture(&scene)->width, 1280, 0, "render.width");
    ond_scene_free(&scene);
}

// No time that was asked for is missing: the last frame is at the duration or the first after it.
static void test_last_frame(void **state)
{
    (void)state;
    static const struct {
        double duration, rate;
        int frames; // with the one at the start
        double end;
    } cases[] = {
        {4, 24, 97, 4},
        {0.04, 24, 2, 1.0 / 24},
        {0.6, 24, 16, 0.625},
        {2.4, 30, 73, 2.4},
        {0.1, 30, 4, 0.1},
        {1e-12, 24, 2, 1.0 / 24},
        {0.2001, 400, 82, 0.2025},
        {1.0 / 3, 24, 9, 1.0 / 3},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[256];
        OndSceneDef scene;
        OndError err = {0};
        snprintf(text, sizeof text, "duration: %.17g\nframe_rate: %g\n" WATER, cases[c].duration,
                 cases[c].rate);
        if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        CHECK_NEAR(ond_sim_frame_count(&scene), cases[c].frames, 0, text);
        CHECK_NEAR(scene.duration, cases[c].end, 1e-15, text);
        CHECK_NEAR(scene.asked, cases[c].duration, 0, text);
        ond_scene_free(&scene);
    }
}

static void test_json(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load(
            "{\n\t\"title\": \"J\\u00e4\",\n\t\"dimension\": 2,\n\t\"fluid\": [{\"spacing\": 1e-2, "
            "\"shape\": {\"type\": \"box\", \"min\": [0, 0], \"max\": [0.1, 0.2]}}]\n}\n",
            &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    assert_string_equal(scene.title, "J\xC3\xA4");
    CHECK_NEAR((double)ond_scene_forecast_start(&scene, NULL, &err), 200, 0, "particles");
    ond_scene_free(&scene);
}

static void test_override(void **state)
{
    (void)state;
    static const struct {
        const char *set, *says;
        double count;
    } cases[] = {
        {"fluid.0.spacing=0.03", NULL, 12000},
        {"fluid.0.shape.max=[0.3, 0.9, 0.6]", NULL, 48000},
        {"fluid.0.spacing=-1", "--set fluid.0.spacing=-1: error: spacing must be > 0, not -1 m", 0},
        {"fluid.0.spacin=1", "--set fluid.0.spacin=1: error: unknown key 'spacin'; did you mean",
         0},
        {"gravty=[0, 1]",
         "--set gravty=[0, 1]: error: unknown key 'gravty'; did you mean 'gravity'?", 0},
        {"title=", "--set title=: error: title has no value", 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndTree tree;
        OndSceneDef scene = {0};
        OndError err = {0};
        assert_int_equal(ond_yaml_parse("a.yaml", dam_break, strlen(dam_break), &tree, &err),
                         OND_OK);
        assert_int_equal(ond_yaml_assign(&tree, "--set", cases[c].set, &err), OND_OK);
        const OndStatus status = ond_scene_read(&tree, &scene, &err);
        CHECK_NEAR(status == OND_OK, cases[c].says == NULL, 0, cases[c].set);
        if (status == OND_OK)
            CHECK_NEAR((double)ond_scene_forecast_start(&scene, NULL, &err), cases[c].count, 0,
                       cases[c].set);
        else
            CHECK_SAYS(err.text, cases[c].says, cases[c].set);
        ond_scene_free(&scene);
    }
}

// There is one method a scene need not name, in the file and on the command line.
static void test_method_without_type(void **state)
{
    (void)state;
    static const struct {
        const char *method, *set;
    } cases[] = {
        {"method: {smoothing: 2.5, rigidity: {solver: thesis}}\n", "title=a"},
        {"method: {smoothing: 2.5}\n", "method.rigidity.solver=thesis"},
        {"method: {type: sph, smoothing: 2.5}\n", "method.rigidity.solver=thesis"},
        {"", "method={smoothing: 2.5, rigidity: {solver: thesis}}"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[512];
        OndTree tree;
        OndSceneDef scene = {0};
        OndError err = {0};
        snprintf(text, sizeof text, "%s" WATER, cases[c].method);
        assert_int_equal(ond_yaml_parse("a.yaml", text, strlen(text), &tree, &err), OND_OK);
        assert_int_equal(ond_yaml_assign(&tree, "--set", cases[c].set, &err), OND_OK);
        if (ond_scene_read(&tree, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        assert_string_equal(ond_scene_method(&scene)->name, "sph");
        CHECK_NEAR(((const OndSphDef *)scene.method.def)->smoothing, 2.5, 0, "smoothing");
        CHECK_NEAR(((const OndSphDef *)scene.method.def)->rigidity.solver, OND_RIGID_THESIS, 0,
                   "solver");
        CHECK_NEAR(((const OndSphDef *)scene.method.def)->courant, 0.2, 0, "the rest by default");
        ond_scene_free(&scene);
    }
}

// A start velocity may be formulas of the place.
static void test_velocity_by_formulas(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load("fluid: [{spacing: 0.1, velocity: [\"2*x - y*z\", 3, \"sin(pi*x)\"], "
             "spin: [0, 0, 2], shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}}]\n",
             &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    OndStart start;
    if (ond_scene_fill(&scene, NULL, &start, &err) != OND_OK) fail_msg("%s", err.text);
    for (int i = 0; i < start.count; i += 37) {
        const double x = start.position[0][i], y = start.position[1][i], z = start.position[2][i];
        CHECK_NEAR(start.velocity[0][i], 2 * x - y * z - 2 * (y - 0.5), 1e-6, "vx");
        CHECK_NEAR(start.velocity[1][i], 3 + 2 * (x - 0.5), 1e-6, "vy");
        CHECK_NEAR(start.velocity[2][i], sin(M_PI * x), 1e-6, "vz");
    }
    ond_start_free(&start);
    ond_scene_free(&scene);
    assert_int_equal(load("fluid: [{spacing: 0.1, velocity: [\"log(-1-x*x)\", 0, 0], shape: "
                          "{type: box, min: [0, 0, 0], max: [1, 1, 1]}}]\n",
                          &scene, &err),
                     OND_OK);
    assert_int_equal(ond_scene_fill(&scene, NULL, &start, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "of particle 0 of fluid 'fluid 0' is not finite", "no value there");
    ond_scene_free(&scene);
}

// Fluids whose lattices do not fit each other: the later one keeps its distance, and that is told.
static void test_fluids_in_each_other(void **state)
{
    (void)state;
    static const struct {
        const char *name, *second;
        int count, left_out; // of all, and of the second
    } cases[] = {
        {"side by side", "min: [0, 0.3, 0], max: [1, 0.6, 1]", 4800, 0},
        {"side by side, shifted", "min: [0.02, 0.3, 0.02], max: [0.92, 0.6, 0.92]", 4344, 0},
        {"almost apart", "min: [0, 0.28, 0], max: [1, 0.58, 1]", 4400, 400},
        {"in each other", "min: [0.02, 0.02, 0.02], max: [0.92, 0.42, 0.92]", 3048, 1944},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[512];
        OndSceneDef scene;
        OndStart start;
        OndError err = {0};
        snprintf(text, sizeof text,
                 "fluid:\n - {name: a, spacing: 0.05, shape: {type: box, min: [0, 0, 0], max: [1, "
                 "0.3, 1]}}\n - {name: b, spacing: 0.05, shape: {type: box, %s}}\n",
                 cases[c].second);
        if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        if (ond_scene_fill(&scene, NULL, &start, &err) != OND_OK) fail_msg("%s", err.text);
        CHECK_NEAR(start.left_out[1], cases[c].left_out, 0, cases[c].name);
        CHECK_NEAR(start.left_out[0], 0, 0, cases[c].name);
        CHECK_NEAR(start.count, cases[c].count, 0, cases[c].name);
        double near = 1;
        for (int i = 0; i < start.count; ++i)
            for (int j = 0; j < i && start.material[i] == 1; ++j) {
                double d2 = 0;
                for (int a = 0; a < 3; ++a)
                    d2 += pow(start.position[a][i] - start.position[a][j], 2);
                if (start.material[j] == 0) near = fmin(near, sqrt(d2) / 0.05);
            }
        CHECK_NEAR(near >= 0.9, 1, 0, "spacings that are kept");
        ond_start_free(&start);
        ond_scene_free(&scene);
    }
}

static void test_motion(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load("fluid:\n  - {name: a, spacing: 0.1, velocity: [1, 2, 3], stretch: [-10, 10, 0], "
             "spin: [0, 0, 2], "
             "temperature: 50, shape: {type: box, min: [0, 0, 0], max: [1, 1, 0.1]}}\n"
             "  - {name: b, spacing: 0.1, shape: {type: box, min: [1, 0, 0], max: [2, 1, 0.1]}}\n",
             &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    OndStart start;
    if (ond_scene_fill(&scene, NULL, &start, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR(start.count, 200, 0, "two touching fluids do not overlap");
    const double x = start.position[0][0] - 0.5, y = start.position[1][0] - 0.5;
    CHECK_NEAR(start.velocity[0][0], 1 - 10 * x - 2 * y, 1e-5, "vx");
    CHECK_NEAR(start.velocity[1][0], 2 + 10 * y + 2 * x, 1e-5, "vy");
    CHECK_NEAR(start.velocity[2][0], 3, 1e-6, "vz");
    CHECK_NEAR(start.temperature[0] + start.temperature[150], 70, 0, "temperatures");
    CHECK_NEAR(start.material[99] * 10 + start.material[100], 1, 0, "materials");
    CHECK_NEAR(start.velocity[0][150], 0, 0, "the other rests");
    ond_start_free(&start);
    ond_scene_free(&scene);
}

// Temperatures along x, and who is held: later regions count over earlier ones.
static void test_regions(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load("fluid:\n"
             "  - name: bar\n"
             "    spacing: 0.1\n"
             "    temperature: -1\n"
             "    fixed: true\n"
             "    shape: {type: box, min: [0, 0, 0], max: [1, 0.1, 0.1]}\n"
             "    regions:\n"
             "      - {temperature: 0, to_temperature: 10, from: [0.35, 9, 9], to: [0.75, 9, 9],\n"
             "         shape: {type: box, min: [0.2, 0, 0], max: [1, 1, 1]}}\n"
             "      - {fixed: false, shape: {type: box, min: [0.5, 0, 0], max: [1, 1, 1]}}\n"
             "      - {temperature: 50, fixed: true,\n"
             "         shape: {type: box, min: [0.9, 0, 0], max: [1, 1, 1]}}\n",
             &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    static const double temperature[10] = {-1, -1, 0, 0, 2.5, 5, 7.5, 10, 10, 50};
    static const int held[10] = {1, 1, 1, 1, 1, 0, 0, 0, 0, 1};
    OndStart start;
    if (ond_scene_fill(&scene, NULL, &start, &err) != OND_OK) fail_msg("%s", err.text);
    for (int i = 0; i < 10; ++i) {
        CHECK_NEAR(start.temperature[i], temperature[i], 1e-5, "temperature along the bar");
        CHECK_NEAR(start.held[i], held[i], 0, "held along the bar");
    }
    ond_start_free(&start);
    ond_scene_free(&scene);
}

static void test_world(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load("air: {temperature: 30}\n"
             "heat:\n"
             "  - {power: 5, surface: true, from: 1, to: 2,\n"
             "     shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}}\n"
             "  - {transfer: 7, temperature: 90, shape: {type: sphere, center: [0, 0, 0], radius: "
             "2}}\n"
             "fluid:\n"
             "  - {name: a, spacing: 0.1, material: steel, fixed: true, spin: [0, 0, 1],\n"
             "     shape: {type: box, min: [1, 1, 1], max: [2, 3, 4]}}\n",
             &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    OndSimWorld w;
    if (ond_sim_world_make(&scene, NULL, &w, &err) != OND_OK) fail_msg("%s", err.text);
    const OndHeatSource *box = &w.world.heat[0], *ball = &w.world.heat[1];
    CHECK_NEAR(w.world.air_temperature + 1000 * w.world.air_exchange, 10030, 0, "air");
    CHECK_NEAR(w.world.heat_count, 2, 0, "sources");
    CHECK_NEAR(box->power * 100 + box->from * 10 + box->to, 512, 0, "power");
    CHECK_NEAR(box->surface * 10 + ball->surface, 10, 0, "surface");
    CHECK_NEAR(ball->transfer * 1000 + ball->temperature, 7090, 0, "transfer");
    CHECK_NEAR(box->inside(box->shape, ond_vec(0.5, 0.9, 0.5)), 1, 0, "inside the box");
    CHECK_NEAR(box->inside(box->shape, ond_vec(0.5, 1.1, 0.5)), 0, 0, "outside the box");
    CHECK_NEAR(ball->inside(ball->shape, ond_vec(0.5, 1.1, 0.5)), 1, 0, "inside the ball");
    const float *c = w.world.material[0].held_center;
    CHECK_NEAR(c[0] * 100 + c[1] * 10 + c[2], 172.5, 1e-4, "the centre it turns about");
    ond_sim_world_free(&w);
    ond_scene_free(&scene);
}

static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double volume;
    } cases[] = {
        {"{type: sphere, center: [0, 0, 0], radius: 0.5}", 0.5236},
        {"{type: union, parts: [{type: sphere, center: [0, 0, 0], radius: 0.5}, {type: sphere, "
         "center: [900, 900, 900], radius: 0.5}]}",
         1.0472},
        {"{type: cylinder, from: [0, 0, 0], to: [0, 1, 0], radius: 0.5}", 0.7854},
        {"{type: capsule, from: [0, 0, 0], to: [0, 1, 0], radius: 0.5}", 1.309},
        {"{type: union, parts: [{type: box, min: [0, 0, 0], max: [1, 1, 1]}, {type: box, min: "
         "[0.5, 0, 0], max: [2, 1, 1]}]}",
         2},
        {"{type: difference, parts: [{type: box, min: [0, 0, 0], max: [1, 1, 1]}, {type: box, min: "
         "[0.5, 0, 0], max: [2, 1, 1]}]}",
         0.5},
        {"{type: intersection, parts: [{type: box, min: [0, 0, 0], max: [1, 1, 1]}, {type: box, "
         "min: [0.5, 0, 0], max: [2, 1, 1]}, {type: box, min: [0, 0.2, 0], max: [2, 1, 1]}]}",
         0.4},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[400];
        snprintf(text, sizeof text, "fluid:\n  - {spacing: 0.02, shape: %s}\n", cases[c].shape);
        OndSceneDef scene;
        OndError err = {0};
        if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        const double volume = (double)ond_scene_forecast_start(&scene, NULL, &err) * 8e-6;
        CHECK_NEAR(volume, cases[c].volume, 0.01 * cases[c].volume, cases[c].shape);
        ond_scene_free(&scene);
    }
}

static void test_sides(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load("domain: {min: [0, 0, 0], max: [1, 1, 1], slip: 0.5, restitution: 0.25, y: periodic,\n"
             "  sides: [{side: +x, velocity: [0, 1, 0]}, {side: -z, slip: 0}]}\n" WATER,
             &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    const OndSide *side = scene.domain.side;
    CHECK_NEAR(side[1].slip, 0.5, 0, "left out: the domain's");
    CHECK_NEAR(side[1].velocity[1], 1, 0, "velocity");
    CHECK_NEAR(side[0].velocity[1], 0, 0, "the other side rests");
    CHECK_NEAR(side[4].slip, 0, 0, "slip 0 given");
    CHECK_NEAR(side[4].restitution, 0.25, 0, "restitution");
    CHECK_NEAR(side[2].kind * 10 + side[4].kind, OND_SIDE_PERIODIC * 10 + OND_SIDE_WALL, 0,
               "kinds");
    ond_scene_free(&scene);
}

static void test_merge_keys(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load(
            "fluid:\n"
            "  - &base {name: a, spacing: 0.1, density: 800, " BALL "}\n"
            "  - {<<: *base, name: b, shape: {type: sphere, center: [5, 5, 5], radius: 0.3}}\n"
            "emitter: [{center: [0, 0, 0], radius: 1, rate: 2, fluid: b, direction: [0, -3, 4]}]\n",
            &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    CHECK_NEAR(ond_scene_fluid(&scene, 1)->density, 800, 0, "merged");
    assert_string_equal(ond_scene_fluid(&scene, 1)->name, "b");
    CHECK_NEAR(ond_scene_emitter(&scene, 0)->material, 1, 0, "emitter's fluid");
    CHECK_NEAR(ond_scene_emitter(&scene, 0)->direction.z, 0.8, 1e-12, "one long");
    CHECK_NEAR(ond_scene_forecast_poured(&scene), 8000, 1e-6, "poured in 4 s");
    ond_scene_free(&scene);
}

// Each line doubles the one before; unfolded it would be 2^40 values.
static void test_many_laughs(void **state)
{
    (void)state;
    char text[4000] = "a0: &a0 [x, x]\n";
    for (int i = 1; i < 40; ++i) {
        char line[64];
        snprintf(line, sizeof line, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
        strcat(text, line);
    }
    OndSceneDef scene;
    OndError err = {0};
    const double begun = ond_now_ms();
    assert_int_equal(load(text, &scene, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "more than 1000000 values", "bounded");
    CHECK_NEAR(ond_now_ms() - begun, 0, 5000, "in bounded time");
    static char deep[20001];
    memset(deep, '[', 20000);
    assert_int_equal(load(deep, &scene, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "scene.yaml:1:", "depth");
}

// ---- files

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/ondine-scene-XXXXXX", path[128], mesh[128], cloud[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    snprintf(mesh, sizeof mesh, "%s/tetra.obj", folder);
    snprintf(cloud, sizeof cloud, "%s/cloud.ply", folder);
    write_file(mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_file(cloud,
               "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
               "property float z\nproperty float vx\nproperty float temperature\nend_header\n"
               "0 0 0 5 80\n1 0 0 6 90\n");
    write_file(path,
               "fluid:\n"
               "  - {name: a, spacing: 0.05, shape: {type: mesh, file: tetra.obj, scale: 2}}\n"
               "  - {name: b, spacing: 0.05, velocity: [1, 0, 0], "
               "shape: {type: particles, file: cloud.ply, move: [7, 0, 0]}}\n");
    OndTree tree;
    OndSceneDef scene;
    OndStart start;
    OndError err = {0};
    if (ond_yaml_read(path, &tree, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_scene_read(&tree, &scene, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_scene_fill(&scene, &assets, &start, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR((start.count - 2) * 1.25e-4, 8.0 / 6.0, 0.1, "volume of the mesh");
    const int last = start.count - 1;
    CHECK_NEAR(start.position[0][last], 8, 1e-6, "moved");
    CHECK_NEAR(start.velocity[0][last], 7, 1e-6, "the file's velocity and the fluid's");
    CHECK_NEAR(start.temperature[last], 90, 1e-6, "the file's temperature");
    CHECK_NEAR(start.material[last], 1, 0, "material");
    ond_start_free(&start);
    ond_scene_free(&scene);
    unlink(mesh);
    unlink(cloud);
    write_file(path, ":A:f&g?:\n? M:?:[::\t:?:??:\n?:\nD:"); // libfyaml 0.7 crashes on this
    CHECK_NEAR(ond_yaml_read(path, &tree, &err) == OND_OK, 0, 0, "a text that breaks the parser");
    CHECK_SAYS(err.text, path, "a text that breaks the parser");
    unlink(path);
    CHECK_NEAR(ond_yaml_read(path, &tree, &err) == OND_OK, 0, 0, "missing file");
    CHECK_SAYS(err.text, path, "missing file");
    CHECK_NEAR(ond_yaml_read(folder, &tree, &err) == OND_OK, 0, 0, "folder");
    CHECK_SAYS(err.text, folder, "folder");
    rmdir(folder);
}

static OndBox turned(const char *mesh, const char *turn)
{
    OndSceneDef scene;
    OndError err = {0};
    OndArena arena = {NULL};
    OndBox box;
    char text[256];
    snprintf(
        text, sizeof text,
        "fluid: [{spacing: 0.1, shape: {type: mesh, file: %s, turn: %s, scale: 2, move: [0, 0, "
        "1]}}]\n",
        mesh, turn);
    if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_scene_extent(&scene, &ond_scene_fluid(&scene, 0)->shape, &assets, &arena, &box, &err) !=
        OND_OK)
        fail_msg("%s", err.text);
    ond_arena_free(&arena);
    ond_scene_free(&scene);
    return box;
}

static void test_turn(void **state)
{
    (void)state;
    char mesh[] = "/tmp/ondine-turn-XXXXXX.obj";
    const int file = mkstemps(mesh, 4);
    assert_true(file >= 0);
    close(file);
    write_file(mesh, "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    static const struct {
        const char *turn;
        OndVec min, max;
    } cases[] = {
        {"[0, 0, 0]", {0, 0, 1}, {2, 4, 7}},
        {"[0, 0, 90]", {-4, 0, 1}, {0, 2, 7}},
        {"[90, 90, 0]", {0, -6, -1}, {4, 0, 1}}, // about x first
        {"[0, 180, 0]", {-2, 0, -5}, {0, 4, 1}},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const OndBox box = turned(mesh, cases[c].turn);
        CHECK_NEAR(ond_length(ond_sub(box.min, cases[c].min)), 0, 1e-5, cases[c].turn);
        CHECK_NEAR(ond_length(ond_sub(box.max, cases[c].max)), 0, 1e-5, cases[c].turn);
    }
    unlink(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),     cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_last_frame),  cmocka_unit_test(test_json),
        cmocka_unit_test(test_override),    cmocka_unit_test(test_method_without_type),
        cmocka_unit_test(test_motion),      cmocka_unit_test(test_velocity_by_formulas),
        cmocka_unit_test(test_regions),     cmocka_unit_test(test_fluids_in_each_other),
        cmocka_unit_test(test_world),       cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_sides),       cmocka_unit_test(test_merge_keys),
        cmocka_unit_test(test_many_laughs), cmocka_unit_test(test_files),
        cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

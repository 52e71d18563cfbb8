// SPDX-License-Identifier: MIT
// The library as a program around it sees it: only <ondine/ondine.h>.
#include "check.h"

#include <math.h>
#include <ondine/ondine.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static const char pool[] = "title: Pool\n"
                           "dimension: 2\n"
                           "frame_rate: 100\n"
                           "domain: {min: [0, 0], max: [1, 1]}\n"
                           "fluid:\n"
                           "  - name: water\n"
                           "    spacing: 0.04\n"
                           "    viscosity: 0.1\n"
                           "    shape: {type: box, min: [0, 0], max: [0.5, 0.5]}\n";

// A bit of everything that can be changed while it runs.
static const char stage[] =
    "dimension: 2\n"
    "frame_rate: 100\n"
    "domain: {min: [0, 0], max: [2, 2]}\n"
    "air: {temperature: 20, exchange: 50}\n"
    "fluid:\n"
    "  - {name: water, spacing: 0.05, viscosity: 0.1, tension: 0.07, conductivity: 0.6,\n"
    "     shape: {type: box, min: [0, 0], max: [1, 0.6]}}\n"
    "  - {name: wax, material: wax, spacing: 0.05, shape: {type: box, min: [1.3, 0], max: [1.8, "
    "0.5]}}\n"
    "emitter:\n"
    "  - {fluid: water, center: [0.5, 1.5], radius: 0.1, rate: 0.2}\n"
    "heat:\n"
    "  - {power: 1e5, shape: {type: sphere, center: [1.5, 0.4], radius: 0.3}}\n"
    "solid:\n"
    "  - {name: ball, density: 300, shape: {type: sphere, center: [0.5, 0.8], radius: 0.12}}\n"
    "  - {name: paddle, temperature: 10,\n"
    "     shape: {type: box, min: [1.05, 0.1, -1], max: [1.15, 0.7, 1]}}\n";

static const char smoke[] = "dimension: 2\n"
                            "frame_rate: 20\n"
                            "method: {type: smoke, cell: 0.1}\n"
                            "domain: {min: [0, 0], max: [1, 2]}\n"
                            "emitter: [{center: [0.5, 0.1], direction: [0, 1], radius: 0.1, "
                            "rate: 0.1}]\n"
                            "fluid: [{name: smoke, temperature: 80}]\n";

static OndScene *scene_of(const char *text, const char *set)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    OndStatus status = ond_scene_text(scene, text, "test.yaml", &err);
    if (status == OND_OK && set) status = ond_scene_set(scene, set, &err);
    if (status != OND_OK) fail_msg("%s", err.text);
    return scene;
}

static OndSim *make(const char *text, const char *set)
{
    OndError err = {0};
    OndScene *const scene = scene_of(text, set);
    OndSim *const sim = ond_sim_create(scene, NULL, &err);
    if (!sim) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    return sim;
}

static void advance(OndSim *sim, double dt)
{
    OndError err = {0};
    if (ond_sim_advance(sim, dt, NULL, &err) != OND_OK) fail_msg("%s", err.text);
}

#define OK(call)                                                                                   \
    do {                                                                                           \
        OndError why = {0};                                                                        \
        if ((call) != OND_OK) fail_msg("%s: %s", #call, why.text);                                 \
    } while (0)

// ---- comparing

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t k = 0; k < size; ++k)
        hash = (hash ^ ((const unsigned char *)bytes)[k]) * 1099511628211ull;
    return hash;
}

// Of all that can be seen.
static uint64_t hash_of(const OndSim *sim)
{
    uint64_t hash = 14695981039346656037ull;
    const double time = ond_sim_time(sim);
    hash = hash_bytes(hash, &time, sizeof time);
    for (int carrier = OND_PARTICLES; carrier <= OND_CELLS; ++carrier)
        for (int k = 0; k < ond_sim_field_count(sim, (OndCarrier)carrier); ++k) {
            OndFieldView f;
            assert_true(ond_sim_field(sim, (OndCarrier)carrier, k, &f));
            if (strcmp(f.name, "pressure") == 0) continue; // of the last step, not kept
            for (int c = 0; c < f.components; ++c)
                hash = hash_bytes(hash, f.data[c], (size_t)f.count * 4);
        }
    for (int k = 0; k < ond_sim_solid_count(sim); ++k) {
        OndSolidView s;
        assert_true(ond_sim_solid(sim, k, &s));
        hash = hash_bytes(hash, &s.placement, sizeof s.placement);
        hash = hash_bytes(hash, s.velocity, sizeof s.velocity);
    }
    return hash;
}

static OndFieldView field(const OndSim *sim, const char *name)
{
    OndFieldView view;
    if (!ond_sim_find_field(sim, OND_PARTICLES, name, &view)) fail_msg("no field %s", name);
    return view;
}

static double mean(const OndSim *sim, const char *name, int component)
{
    const OndFieldView v = field(sim, name);
    double sum = 0;
    for (int i = 0; i < v.count; ++i)
        sum += ((const float *)v.data[component])[i];
    return sum / v.count;
}

// ---- scenes

static void scene_of_structs_is_that_of_text(void **state)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    OndSceneInfo all = ond_scene_info();
    all.dimension = 2;
    all.frame_rate = 100;
    OndDomainInfo box = ond_domain_info();
    box.max[0] = box.max[1] = 1.0, box.max[2] = 0.0;
    OndFluidInfo water = ond_fluid_info();
    assert_true(water.density == 998.23);
    assert_true(isnan(water.T_solid));
    water.name = "water";
    water.spacing = 0.04;
    water.viscosity = 0.1;
    water.shape = ond_box_shape(0, 0, 0, 0.5, 0.5, 0);
    if (ond_scene_describe(scene, &all, &err) || ond_scene_domain(scene, &box, &err) ||
        ond_scene_add_fluid(scene, &water, &err))
        fail_msg("%s", err.text);
    OndSim *const a = ond_sim_create(scene, NULL, &err), *const b = make(pool, NULL);
    if (!a) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    advance(a, 0.05);
    advance(b, 0.05);
    assert_true(hash_of(a) == hash_of(b));
    ond_sim_destroy(a);
    ond_sim_destroy(b);
}

static void mistakes_name_their_place(void **state)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    assert_int_equal(ond_scene_text(scene, "fluid: [{spacing: ]\n", "broken.yaml", &err),
                     OND_BAD_VALUE);
    CHECK_SAYS(err.text, "broken.yaml:1:", "text that is no YAML");
    OK(ond_scene_text(scene, pool, "pool.yaml", &why));
    OK(ond_scene_set(scene, "fluid.0.spacing=-1", &why));
    OndFluidInfo wrong = ond_fluid_info();
    wrong.spacing = 0.04;
    wrong.density = -3;
    wrong.shape = ond_sphere_shape(0.7, 0.7, 0, -0.1);
    OK(ond_scene_add_fluid(scene, &wrong, &why));
    err = (OndError){0};
    assert_int_equal(ond_scene_validate(scene, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "set fluid.0.spacing=-1: error", "a value that was set");
    CHECK_SAYS(err.text, "fluid.1.density: error", "a value of a struct");
    CHECK_SAYS(err.text, "fluid.1.shape.radius: error", "a value of a shape");
    assert_null(ond_sim_create(scene, NULL, NULL)); // nobody wants to know why
    err = (OndError){0};
    assert_int_equal(ond_scene_set(scene, "fluid.0.spacing", &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "write a path and a value", "a set without a value");
    OK(ond_scene_set(scene, "fluid.0.spacing=0.04", &why)); // the scene is as it was
    ond_scene_destroy(scene);
    ond_scene_destroy(NULL);
}

// ---- time

static void advancing_ends_where_it_should(void **state)
{
    OndSim *const sim = make(pool, NULL);
    const double odd[] = {0.0123, 0.0, 1e-5, 0.00271828, 0.031, 0.01};
    double time = 0;
    int frames = 0;
    for (int k = 0; k < (int)(sizeof odd / sizeof odd[0]); ++k) {
        OndAdvance got;
        OK(ond_sim_advance(sim, odd[k], &got, &why));
        time += odd[k];
        frames += got.frames;
        CHECK_NEAR(ond_sim_time(sim), time, 1e-12, "time");
        CHECK_NEAR(got.time, ond_sim_time(sim), 0, "reported time");
        assert_true(odd[k] == 0.0 ? got.steps == 0 : got.steps > 0);
    }
    assert_int_equal(frames, (int)(time * 100));
    OndAdvance got;
    OK(ond_sim_next_frame(sim, &got, &why));
    CHECK_NEAR(ond_sim_time(sim), 0.06, 0, "the next frame's time");
    assert_true(ond_sim_at_frame(sim));
    for (int k = 0; k < 10;
         ++k) // a tenth of a frame, ten times: the frame is met, and no tiny step
        OK(ond_sim_advance(sim, 0.001, &got, &why));
    assert_true(ond_sim_at_frame(sim));
    assert_int_equal(ond_sim_frame_index(sim), 7);
    OndError err = {0};
    assert_int_equal(ond_sim_advance(sim, -1, NULL, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_advance(sim, NAN, NULL, &err), OND_BAD_VALUE);
    ond_sim_destroy(sim);
}

// Frame by frame it is what `ondine run` does.
static void frames_are_the_same_by_any_way(void **state)
{
    OndSim *const a = make(pool, NULL), *const b = make(pool, NULL);
    OK(ond_sim_next_frame(a, NULL, &why));
    advance(b, 0.01);
    assert_true(hash_of(a) == hash_of(b));
    ond_sim_destroy(a);
    ond_sim_destroy(b);
}

// ---- changes

static double *vec3(double x, double y, double z)
{
    static double v[3];
    v[0] = x, v[1] = y, v[2] = z;
    return v;
}

static void particles_come_and_go(void **state)
{
    OndSim *const sim = make(pool, NULL);
    const int start = ond_sim_particle_count(sim);
    float x[4 * 3];
    for (int i = 0; i < 4; ++i)
        x[3 * i] = 0.7f + 0.04f * (float)i, x[3 * i + 1] = 0.9f, x[3 * i + 2] = 0.0f;
    OndNewParticles more = {.count = 4, .position = x};
    OK(ond_sim_add_particles(sim, &more, &why));
    assert_int_equal(ond_sim_particle_count(sim), start + 4);
    advance(sim, 0.03);
    const OndRegion right = ond_box(0.65, 0, 0, 1, 1, 0);
    int removed = 0;
    OK(ond_sim_remove_region(sim, &right, &removed, &why));
    assert_int_equal(removed, 4);
    const float pressure = ((const float *)field(sim, "pressure").data[0])[6];
    const int some[] = {5, 3, 5, 0};
    OK(ond_sim_remove_particles(sim, some, 4, &why));
    assert_int_equal(ond_sim_particle_count(sim), start - 3);
    assert_true(((const float *)field(sim, "pressure").data[0])[3] == pressure); // it moved up
    advance(sim, 0.02);
    OndError err = {0};
    x[4] = 2.0f;
    assert_int_equal(ond_sim_add_particles(sim, &more, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "new particle 1 at [0.74, 2, 0] is outside of the domain", "outside");
    more.fluid = 3;
    assert_int_equal(ond_sim_add_particles(sim, &more, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "there is no fluid 3", "no fluid");
    assert_int_equal(ond_sim_remove_particles(sim, &start, 1, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_particle_count(sim), start - 3);
    const OndRegion all = ond_everywhere();
    OK(ond_sim_remove_region(sim, &all, NULL, &why));
    advance(sim, 0.02); // nothing falls
    ond_sim_destroy(sim);
}

// A drop in the air falls by g t^2 / 2, up if gravity points there; a push is its speed.
static void gravity_and_pushes_move(void **state)
{
    OndSim *const sim = make(pool, "fluid.0.shape={type: sphere, center: [0.5, 0.5], radius: 0.2}");
    OK(ond_sim_set_gravity(sim, vec3(0, 4, 0), &why));
    advance(sim, 0.1);
    CHECK_NEAR(mean(sim, "velocity", 1), 0.4, 0.002, "speed after 0.1 s");
    OndStepReport last;
    ond_sim_last_step(sim, &last);
    assert_true(last.step > 1 && last.dt > 0 && last.dt <= 0.01);
    CHECK_NEAR(last.max_speed, 0.4, 0.05, "the fastest");
    const OndRegion all = ond_everywhere();
    OK(ond_sim_push_region(sim, &all, vec3(-0.3, -0.4, 0), &why));
    CHECK_NEAR(mean(sim, "velocity", 0), -0.3, 1e-6, "pushed");
    CHECK_NEAR(mean(sim, "velocity", 1), 0.0, 0.002, "pushed back");
    OndError err = {0};
    assert_int_equal(ond_sim_set_gravity(sim, vec3(0, NAN, 0), &err), OND_BAD_VALUE);
    ond_sim_destroy(sim);
}

// Gravity along a periodic channel: after the change it flows as if it had always been so.
static void viscosity_changes_the_flow(void **state)
{
    static const char channel[] = "dimension: 2\nframe_rate: 10\ngravity: [0.1, 0]\n"
                                  "domain: {min: [0, 0], max: [0.4, 0.4], x: periodic, slip: 0}\n"
                                  "fluid: [{spacing: 0.04, viscosity: 40, shape: {type: box, min: "
                                  "[0, 0], max: [0.4, 0.4]}}]\n";
    OndSim *const sim = make(channel, NULL), *const other = make(channel, "fluid.0.viscosity=80");
    advance(sim, 2.0);
    advance(other, 2.0);
    assert_true(mean(sim, "velocity", 0) > 1.5 * mean(other, "velocity", 0));
    OK(ond_sim_set_fluid(sim, 0, "viscosity", 80, &why));
    advance(sim, 2.0);
    CHECK_NEAR(mean(sim, "velocity", 0) / mean(other, "velocity", 0), 1, 0.03, "mean speed");
    ond_sim_destroy(other);
    OndError err = {0};
    assert_int_equal(ond_sim_set_fluid(sim, 0, "tension", 0.07, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "surface tension", "no tension was built in");
    assert_int_equal(ond_sim_set_fluid(sim, 0, "colour", 1, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_set_fluid(sim, 2, "viscosity", 1, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_set_fluid(sim, 0, "viscosity", -1, &err), OND_BAD_VALUE);
    ond_sim_destroy(sim);
}

static void emitters_close_and_open(void **state)
{
    for (int grid = 0; grid < 2; ++grid) {
        OndSim *const sim = make(grid ? smoke : stage, NULL);
        OndEmitterView e;
        advance(sim, 0.1);
        OK(ond_sim_open_emitter(sim, 0, false, &why));
        assert_true(ond_sim_emitter_view(sim, 0, &e) && !e.open);
        OndFieldView f;
        double had[2] = {ond_sim_particle_count(sim), 0};
        for (int k = 0; k < 2; ++k) {
            advance(sim, 0.1);
            if (k == 1) OK(ond_sim_open_emitter(sim, 0, true, &why));
            if (k == 1) advance(sim, 0.05);
            had[1] = ond_sim_particle_count(sim);
            if (grid) {
                assert_true(ond_sim_find_field(sim, OND_CELLS, "density", &f));
                had[1] = 0;
                for (int i = 0; i < f.count; ++i)
                    had[1] += ((const float *)f.data[0])[i];
                if (k == 0) had[0] = had[1];
            }
            if (k == 0) CHECK_NEAR(had[1], had[0], 0, "nothing comes while closed");
        }
        // what was due meanwhile is lost: 0.05 s of 0.2 m^2/s are 4 particles of 0.05^2 m^2
        if (grid)
            assert_true(had[1] > had[0]);
        else
            CHECK_NEAR(had[1] - had[0], 4, 4, "what came after opening");
        assert_true(had[1] > had[0]);
        ond_sim_destroy(sim);
    }
}

static void solids_are_pushed_and_moved(void **state)
{
    OndSim *const sim = make(stage, "gravity=[0,0]");
    const int ball = ond_sim_find_solid(sim, "ball"), paddle = ond_sim_find_solid(sim, "paddle");
    OndSolidView s;
    assert_true(ond_sim_solid(sim, ball, &s) && s.body);
    CHECK_NEAR(s.mass, 300 * M_PI * 0.12 * 0.12, 0.2, "mass of the ball");
    CHECK_NEAR(s.center[1], 0.8, 1e-9, "centre of the ball");
    OK(ond_sim_push_solid(sim, ball, vec3(0, 0.2 * s.mass, 0), NULL, &why));
    assert_true(ond_sim_solid(sim, ball, &s));
    CHECK_NEAR(s.velocity[1], 0.2, 1e-9, "speed of the ball");
    assert_true(ond_sim_solid(sim, paddle, &s) && !s.body);
    CHECK_NEAR(s.placement.turn[0], 1, 1e-12, "not turned");
    CHECK_NEAR(fabs(s.placement.at[0]) + fabs(s.placement.at[1]), 0, 1e-12, "where it was written");
    const OndPlacement to = {{0.02, 0.04, 0}, {1, 0, 0, 0}};
    OK(ond_sim_move_solid(sim, paddle, &to, 0.1, &why));
    advance(sim, 0.05);
    assert_true(ond_sim_solid(sim, paddle, &s));
    CHECK_NEAR(s.placement.at[1], 0.02, 1e-9, "half the way");
    CHECK_NEAR(s.velocity[1], 0.4, 1e-9, "on the way");
    advance(sim, 0.1);
    assert_true(ond_sim_solid(sim, paddle, &s));
    CHECK_NEAR(s.placement.at[0], 0.02, 1e-12, "there");
    CHECK_NEAR(s.velocity[1], 0, 0, "at rest");
    OndError err = {0};
    assert_int_equal(ond_sim_push_solid(sim, paddle, vec3(1, 0, 0), NULL, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "moves as told", "what is no body");
    assert_int_equal(ond_sim_move_solid(sim, ball, &to, 1, &err), OND_BAD_VALUE);
    OndPlacement up = {{0.9, 0.7, 0}, {1, 0, 0, 0}};
    OK(ond_sim_place_body(sim, ball, &up, vec3(0.3, 0, 0), NULL, &why));
    assert_true(ond_sim_solid(sim, ball, &s));
    CHECK_NEAR(s.center[0], 1.4, 1e-9, "placed");
    CHECK_NEAR(s.velocity[0], 0.3, 1e-9, "with its speed");
    up.at[0] = 0, up.at[1] = -0.5;
    assert_int_equal(ond_sim_place_body(sim, ball, &up, NULL, NULL, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "make room", "into the water");
    up.at[1] = 7;
    assert_int_equal(ond_sim_place_body(sim, ball, &up, NULL, NULL, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_place_body(sim, paddle, &up, NULL, NULL, &err), OND_BAD_VALUE);
    assert_true(ond_sim_solid(sim, ball, &s));
    CHECK_NEAR(s.velocity[0], 0.3, 1e-9, "as it was");
    assert_int_equal(ond_sim_move_solid(sim, 7, &to, 1, &err), OND_BAD_VALUE);
    ond_sim_destroy(sim);
}

// The first five seconds of a pool in the air, and the force that its floor plate feels: its weight.
static void solids_feel_the_weight(void **state)
{
    static const char text[] =
        "dimension: 2\nframe_rate: 20\ndomain: {min: [0, 0], max: [0.4, 1]}\n"
        "fluid: [{spacing: 0.04, viscosity: 20, shape: {type: box, min: [0, 0.2], max: [0.4, "
        "0.6]}}]\n"
        "solid: [{name: floor, shape: {type: box, min: [-0.2, 0, -1], max: [0.6, 0.2, 1]}}]\n";
    OndSim *const sim = make(text, NULL);
    OndSolidView s;
    double sum = 0;
    for (int k = 0; k < 20; ++k) {
        advance(sim, 0.02);
        assert_true(ond_sim_solid(sim, 0, &s));
        sum += s.force[1] / 20;
    }
    CHECK_NEAR(sum / (-998.23 * 9.81 * 0.4 * 0.4), 1, 0.1, "force over weight");
    ond_sim_destroy(sim);
}

static void heat_moves_with_its_source(void **state)
{
    OndSim *const sim = make(stage, "gravity=[0,0]");
    OK(ond_sim_move_heat(sim, 0, vec3(-1, -0.2, 0), &why)); // into the water
    OK(ond_sim_set_air(sim, "exchange", 0, &why));
    OK(ond_sim_set_solid_temperature(sim, 1, 20, &why));
    advance(sim, 0.05);
    const OndFieldView x = field(sim, "position"), t = field(sim, "temperature"),
                       m = field(sim, "material");
    double water = 0, wax = -1e9;
    for (int i = 0; i < t.count; ++i) {
        const float at[2] = {((const float *)x.data[0])[i], ((const float *)x.data[1])[i]};
        const float warm = ((const float *)t.data[0])[i];
        if (hypotf(at[0] - 0.5f, at[1] - 0.2f) < 0.25f) water = fmax(water, warm);
        if (((const uint32_t *)m.data[0])[i] == 1) wax = fmax(wax, warm);
    }
    assert_true(water > 20.0 + 1e-4);
    const OndRegion left = ond_ball(1.55, 0.25, 0, 0.1);
    const double before = mean(sim, "temperature", 0);
    OK(ond_sim_heat_region(sim, &left, 30, &why));
    assert_true(mean(sim, "temperature", 0) > before);
    ond_sim_destroy(sim);
}

static void change_everything(OndSim *sim)
{
    const OndPlacement to = {{0.05, 0.1, 0}, {cos(0.1), 0, 0, sin(0.1)}};
    const OndRegion ball = ond_ball(0.4, 0.3, 0, 0.2);
    const float x[6] = {1.7f, 1.5f, 0, 1.75f, 1.5f, 0};
    const OndNewParticles more = {.count = 2, .position = x, .fluid = 1};
    OK(ond_sim_set_gravity(sim, vec3(1, -5, 0), &why));
    OK(ond_sim_set_fluid(sim, 0, "viscosity", 3, &why));
    OK(ond_sim_set_fluid(sim, 1, "T_liquid", 75, &why));
    OK(ond_sim_move_heat(sim, 0, vec3(0.1, 0.1, 0), &why));
    OK(ond_sim_set_heat(sim, 0, "power", 3e5, &why));
    OK(ond_sim_set_air(sim, "temperature", 5, &why));
    OK(ond_sim_open_emitter(sim, 0, false, &why));
    OK(ond_sim_set_solid_temperature(sim, 1, 60, &why));
    OK(ond_sim_move_solid(sim, 1, &to, 0.05, &why));
    const OndPlacement higher = {{0, 0.6, 0}, {cos(0.2), 0, 0, sin(0.2)}};
    OK(ond_sim_place_body(sim, 0, &higher, NULL, vec3(0, 0, 2), &why));
    const double at[3] = {0.5, 1.5, 0};
    OK(ond_sim_push_solid(sim, 0, vec3(1, 0, 0), at, &why));
    OK(ond_sim_push_region(sim, &ball, vec3(0.5, 0.5, 0), &why));
    OK(ond_sim_heat_region(sim, &ball, 10, &why));
    OK(ond_sim_remove_region(sim, &ball, NULL, &why));
    OK(ond_sim_add_particles(sim, &more, &why));
}

// Saved and resumed after all kinds of changes: the same bits as without.
static void changes_outlive_a_checkpoint(void **state)
{
    char path[] = "/tmp/test_library_XXXXXX";
    assert_true(mkdtemp(path) != NULL);
    char file[64];
    snprintf(file, sizeof file, "%s/c.h5", path);
    OndError err = {0};
    OndScene *const scene = scene_of(stage, NULL);
    OndSim *const sim = make(stage, NULL);
    advance(sim, 0.02);
    change_everything(sim);
    OK(ond_sim_save(sim, file, &why));
    OndSim *resumed = ond_sim_resume(scene, file, NULL, &err);
    if (!resumed) fail_msg("%s", err.text);
    assert_true(hash_of(sim) == hash_of(resumed));
    advance(sim, 0.0234);
    advance(resumed, 0.0234);
    if (hash_of(sim) != hash_of(resumed)) fail_msg("other bits after a resume");
    OK(ond_sim_open_emitter(resumed, 0, true, &why)); // what was changed can be changed again
    advance(resumed, 0.02);
    ond_sim_destroy(resumed);
    OK(ond_scene_set(scene, "gravity=[0,-1]", &why));
    assert_null(ond_sim_resume(scene, file, NULL, &err));
    CHECK_SAYS(err.text, "another scene", "another scene");
    ond_sim_destroy(sim);
    ond_scene_destroy(scene);
    remove(file);
    rmdir(path);
}

// ---- several at once

// Through a file and back, as another thread does at the same time.
static OndSim *pass_through_file(OndSim *sim, const char *text)
{
    char path[] = "/tmp/test_library_XXXXXX", before[64];
    OndError err = {0};
    OndScene *const scene = scene_of(text, NULL);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    OK(ond_sim_save(sim, path, &why));
    ond_sim_destroy(sim);
    sim = ond_sim_resume(scene, path, NULL, &err);
    if (!sim) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    snprintf(before, sizeof before, "%s.prev.h5", path);
    remove(path);
    remove(before);
    return sim;
}

static void *run_alone(void *hash)
{
    OndSim *sim = make(stage, NULL);
    advance(sim, 0.02);
    change_everything(sim);
    sim = pass_through_file(sim, stage);
    advance(sim, 0.02);
    *(uint64_t *)hash = hash_of(sim);
    ond_sim_destroy(sim);
    return NULL;
}

static void *run_smoke(void *hash)
{
    OndSim *const sim = make(smoke, NULL);
    const OndRegion ball = ond_ball(0.5, 0.5, 0, 0.3);
    advance(sim, 0.1);
    OK(ond_sim_push_region(sim, &ball, vec3(0.5, 0, 0), &why));
    OK(ond_sim_heat_region(sim, &ball, 20, &why));
    OK(ond_sim_set_gravity(sim, vec3(1, -9, 0), &why));
    advance(sim, 0.1);
    *(uint64_t *)hash = hash_of(sim);
    ond_sim_destroy(sim);
    return NULL;
}

static void two_threads_give_the_same_bits(void **state)
{
    uint64_t alone[2], both[4];
    pthread_t thread[4];
    run_alone(&alone[0]);
    run_smoke(&alone[1]);
    for (int k = 0; k < 4; ++k)
        assert_int_equal(pthread_create(&thread[k], NULL, k % 2 ? run_smoke : run_alone, &both[k]),
                         0);
    for (int k = 0; k < 4; ++k)
        pthread_join(thread[k], NULL);
    for (int k = 0; k < 4; ++k)
        if (both[k] != alone[k % 2]) fail_msg("simulation %d has other bits than alone", k);
}

// ---- the host's own

typedef struct Lot {
    OndTask *task;
    void *data;
    int index;
} Lot;

static void *run_lot(void *lot)
{
    const Lot *const l = lot;
    l->task(l->index, l->data);
    return NULL;
}

static atomic_int lots;

// A thread for every task, last task first: the crudest that keeps the contract.
static void run_tasks(void *user, int count, OndTask *task, void *data)
{
    pthread_t thread[8];
    Lot lot[8];
    assert_true(user == &lots && count <= 3);
    for (int k = count - 1; k >= 0; --k) {
        lot[k] = (Lot){task, data, k};
        assert_int_equal(pthread_create(&thread[k], NULL, run_lot, &lot[k]), 0);
    }
    for (int k = 0; k < count; ++k)
        pthread_join(thread[k], NULL);
    atomic_fetch_add(&lots, count);
}

static void own_tasks_give_the_same_bits(void **state)
{
    OndTaskSystem tasks = {.workers = 3, .run = run_tasks, .user = &lots};
    uint64_t ours[2], theirs[2];
    run_alone(&ours[0]);
    run_smoke(&ours[1]);
    OK(ond_host_tasks(&tasks, &why));
    assert_int_equal(ond_threads(), 3);
    run_alone(&theirs[0]);
    run_smoke(&theirs[1]);
    OK(ond_host_tasks(NULL, &why));
    assert_true(atomic_load(&lots) > 0);
    assert_true(ours[0] == theirs[0] && ours[1] == theirs[1]);
    tasks.workers = 0;
    assert_int_equal(ond_host_tasks(&tasks, NULL), OND_BAD_VALUE);
}

static atomic_llong taken, given;

static void *count_alloc(void *user, size_t bytes)
{
    (void)user;
    char *const block = malloc(bytes + 16);
    if (block) atomic_fetch_add(&taken, 1);
    return block ? block + 16 : NULL; // not at all on a cache line
}

static void count_release(void *user, void *block)
{
    (void)user;
    atomic_fetch_add(&given, 1);
    free((char *)block - 16);
}

static void own_memory_is_given_back(void **state)
{
    const OndAllocator own = {count_alloc, count_release, NULL};
    uint64_t ours, theirs;
    run_alone(&ours);
    OK(ond_host_memory(&own, &why));
    run_alone(&theirs);
    OndSim *const sim = make(pool, NULL);
    OndSurfaceMesh *const mesh = ond_sim_surface(sim, NULL);
    assert_non_null(mesh);
    ond_surface_mesh_destroy(mesh);
    ond_sim_destroy(sim);
    OK(ond_host_memory(NULL, &why));
    assert_true(ours == theirs);
    assert_true(atomic_load(&taken) > 100);
    assert_int_equal(atomic_load(&taken), atomic_load(&given));
}

// ---- what is seen

static void grids_are_seen_without_copying(void **state)
{
    OndSim *const sim = make(smoke, NULL);
    OndGridView g;
    OndFieldView d;
    advance(sim, 0.3);
    assert_true(ond_sim_grid(sim, &g));
    assert_int_equal(g.cells[0], 10);
    assert_int_equal(g.cells[1], 20);
    assert_true(ond_sim_find_field(sim, OND_CELLS, "density", &d));
    double sum = 0;
    for (int j = 0; j < g.cells[1]; ++j)
        for (int i = 0; i < g.cells[0]; ++i)
            sum += ((const float *)d.data[0])[g.first + (size_t)(i * g.step[0] + j * g.step[1])];
    CHECK_NEAR(sum * g.cell * g.cell, 0.1 * 0.3, 0.002, "smoke that came in");
    assert_true(ond_sim_find_field(sim, OND_CELLS, "velocity", &d) && d.faces && d.components == 3);
    assert_false(ond_sim_find_field(sim, OND_CELLS, "nothing", &d));
    assert_false(ond_sim_field(sim, OND_PARTICLES, 99, &d));
    OndError err = {0};
    const OndNewParticles none = {0};
    assert_int_equal(ond_sim_add_particles(sim, &none, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "computes on a grid", "particles in a grid");
    ond_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scene_of_structs_is_that_of_text),
        cmocka_unit_test(mistakes_name_their_place),
        cmocka_unit_test(advancing_ends_where_it_should),
        cmocka_unit_test(frames_are_the_same_by_any_way),
        cmocka_unit_test(particles_come_and_go),
        cmocka_unit_test(gravity_and_pushes_move),
        cmocka_unit_test(viscosity_changes_the_flow),
        cmocka_unit_test(emitters_close_and_open),
        cmocka_unit_test(solids_are_pushed_and_moved),
        cmocka_unit_test(solids_feel_the_weight),
        cmocka_unit_test(heat_moves_with_its_source),
        cmocka_unit_test(changes_outlive_a_checkpoint),
        cmocka_unit_test(two_threads_give_the_same_bits),
        cmocka_unit_test(own_tasks_give_the_same_bits),
        cmocka_unit_test(own_memory_is_given_back),
        cmocka_unit_test(grids_are_seen_without_copying),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

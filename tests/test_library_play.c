// SPDX-License-Identifier: MIT
// What a program needs that lets people play: scenes that are copied, turned and shown, pushes and heat by
// place, and what is in the way of a ray.
#include "library.h"

static double value_of(const OndSim *sim, const char *name, int component, int i)
{
    return ((const float *)field(sim, name).data[component])[i];
}

// ---- scenes

static void scenes_are_copied_and_set(void **state)
{
    (void)state;
    OndError err = {0};
    const double g[2] = {0.5, -2.25}, spacing = 0.1;
    OndScene *const scene = scene_of(pool, NULL);
    OndScene *const copy = ond_scene_copy(scene, &err);
    OK(ond_scene_set_numbers(copy, "gravity", g, 2, &why));
    OK(ond_scene_set_numbers(copy, "fluid.0.spacing", &spacing, 1, &why));
    assert_string_equal(ond_scene_get(copy, "fluid.0.spacing"), "0.1");
    assert_string_equal(ond_scene_get(scene, "fluid.0.spacing"), "0.04");
    assert_string_equal(ond_scene_get(copy, "fluid.0.shape.type"), "box");
    static const char *const none[] = {"fluid", "fluid.1.spacing", "fluid.x", "fluid.-1", "", "."};
    for (int k = 0; k < 6; ++k)
        assert_null(ond_scene_get(copy, none[k]));
    assert_true(ond_scene_set_numbers(copy, "fluid.7.spacing", g, 1, &err) == OND_BAD_VALUE);
    assert_true(ond_scene_set_numbers(copy, "gravity", g, 0, &err) == OND_BAD_VALUE);
    OndSim *const sim = ond_sim_create(copy, NULL, &err);
    double now[3], least[3], most[3], value = 0;
    ond_sim_gravity(sim, now);
    assert_true(now[0] == 0.5 && now[1] == -2.25 && now[2] == 0.0);
    assert_true(ond_sim_domain(sim, least, most) && least[0] == 0.0 && most[1] == 1.0);
    assert_true(ond_sim_fluid_value(sim, 0, "spacing", &value) && value == 0.1);
    OK(ond_sim_set_fluid(sim, 0, "viscosity", 3, &why));
    assert_true(ond_sim_fluid_value(sim, 0, "viscosity", &value) && value == 3.0);
    assert_true(ond_sim_fluid_value(sim, 0, "density", &value) && value > 990.0);
    assert_false(ond_sim_fluid_value(sim, 0, "colour", &value));
    assert_false(ond_sim_fluid_value(sim, 1, "density", &value));
    ond_sim_destroy(sim);
    ond_scene_destroy(copy);
    ond_scene_destroy(scene);
}

static void scenes_become_text(void **state)
{
    (void)state;
    char few[8], *text;
    OndScene *const scene = scene_of(stage, NULL);
    const size_t length = ond_scene_yaml(scene, NULL, 0, NULL);
    assert_int_equal(ond_scene_yaml(scene, few, sizeof few, NULL), length);
    assert_int_equal(strlen(few), sizeof few - 1);
    text = malloc(length + 1);
    assert_int_equal(ond_scene_yaml(scene, text, length + 1, NULL), length);
    assert_int_equal(strlen(text), length);
    OndSim *const one = make(stage, NULL), *const other = make(text, NULL);
    advance(one, 0.05), advance(other, 0.05);
    assert_true(hash_of(one) == hash_of(other));
    ond_sim_destroy(one);
    ond_sim_destroy(other);
    free(text);
    ond_scene_destroy(scene);
}

// ---- pushes and heat

static void pushes_go_outwards(void **state)
{
    (void)state;
    const double middle[3] = {0.25, 0.25, 0};
    const OndRegion ball = ond_ball(0.25, 0.25, 0, 0.2);
    OndSim *const sim = make(pool, NULL);
    OK(ond_sim_push_from(sim, &ball, middle, 5.0, &why));
    const int count = ond_sim_particle_count(sim);
    for (int i = 0; i < count; ++i) {
        const double x = value_of(sim, "position", 0, i) - 0.25;
        const double y = value_of(sim, "position", 1, i) - 0.25;
        const double in = hypot(x, y) < 0.2 ? 5.0 : 0.0;
        CHECK_NEAR(value_of(sim, "velocity", 0, i), in * x, 1e-5, "x");
        CHECK_NEAR(value_of(sim, "velocity", 1, i), in * y, 1e-5, "y");
    }
    const int index[2] = {3, 7};
    const float by[6] = {1, 2, 9, -1, 0, 0};
    const double before = value_of(sim, "velocity", 1, 3);
    OK(ond_sim_push_particles(sim, index, by, 2, &why));
    CHECK_NEAR(value_of(sim, "velocity", 1, 3), before + 2, 1e-6, "one");
    assert_true(value_of(sim, "velocity", 2, 3) == 0.0); // it stays in the plane
    const uint64_t then = hash_of(sim);
    const int wrong[2] = {0, count};
    assert_true(ond_sim_push_particles(sim, wrong, by, 2, NULL) == OND_BAD_VALUE);
    assert_true(ond_sim_push_particles(sim, NULL, by, 2, NULL) == OND_BAD_VALUE);
    const float wild[6] = {0, 0, 0, NAN, 0, 0};
    assert_true(ond_sim_push_particles(sim, index, wild, 2, NULL) == OND_BAD_VALUE);
    assert_true(ond_sim_push_from(sim, &ball, middle, NAN, NULL) == OND_BAD_VALUE);
    assert_true(hash_of(sim) == then);
    ond_sim_destroy(sim);
}

static void heat_goes_towards_a_temperature(void **state)
{
    (void)state;
    const OndRegion all = ond_everywhere(), none = ond_ball(0, 0, 0, 1e-9);
    OndSim *const sim = make(stage, NULL), *const sand = make(grains, NULL);
    const double cold = value_of(sim, "temperature", 0, 0);
    OK(ond_sim_warm_region(sim, &all, 100, 0.25, &why));
    CHECK_NEAR(value_of(sim, "temperature", 0, 0), cold + 0.25 * (100 - cold), 1e-4, "a quarter");
    OK(ond_sim_warm_region(sim, &none, 1000, 1, &why));
    OK(ond_sim_warm_region(sim, &all, 50, 1, &why));
    CHECK_NEAR(value_of(sim, "temperature", 0, 0), 50, 1e-4, "all the way");
    assert_true(ond_sim_warm_region(sim, &all, -300, 1, NULL) == OND_BAD_VALUE);
    assert_true(ond_sim_warm_region(sim, &all, 50, 1.5, NULL) == OND_BAD_VALUE);
    assert_true(ond_sim_warm_region(sand, &all, 50, 1, NULL) == OND_BAD_VALUE);
    assert_true(ond_sim_fill_region(sim, &all, 1, 1, NULL) == OND_BAD_VALUE);
    ond_sim_destroy(sand);
    ond_sim_destroy(sim);
}

// What is cut off the grid's cells is what the whole loop would have found.
static void cells_are_filled_and_pushed(void **state)
{
    (void)state;
    const double middle[3] = {0.5, 0.8, 0};
    const OndRegion box = ond_box(0.3, 0.6, -1, 0.75, 1.05, 1);
    OndFieldView density, v;
    OndGridView grid;
    static const char bare[] = "dimension: 2\n"
                               "method: {type: smoke, cell: 0.1}\n"
                               "domain: {min: [0, 0], max: [1, 2]}\n"
                               "fluid: [{name: smoke, temperature: 80}]\n";
    OndSim *const sim = make(bare, NULL);
    OK(ond_sim_fill_region(sim, &box, 2, 0.5, &why));
    OK(ond_sim_push_from(sim, &box, middle, 3, &why));
    assert_true(ond_sim_grid(sim, &grid));
    assert_true(ond_sim_find_field(sim, OND_CELLS, "density", &density));
    assert_true(ond_sim_find_field(sim, OND_CELLS, "velocity", &v));
    int filled = 0;
    for (int j = 0; j < grid.cells[1]; ++j)
        for (int i = 0; i < grid.cells[0]; ++i) {
            const size_t at = grid.first + (size_t)(i * grid.step[0] + j * grid.step[1]);
            const double x = (i + 0.5) * grid.cell, y = (j + 0.5) * grid.cell;
            const bool in = x >= 0.3 && x <= 0.75 && y >= 0.6 && y <= 1.05;
            const bool face =
                i * grid.cell >= 0.3 && i * grid.cell <= 0.75 && y >= 0.6 && y <= 1.05;
            CHECK_NEAR(((const float *)density.data[0])[at], in ? 1.0 : 0.0, 1e-6, "density");
            CHECK_NEAR(((const float *)v.data[0])[at], face ? 3 * (i * grid.cell - 0.5) : 0, 1e-5,
                       "wind");
            filled += in;
        }
    assert_true(filled == 20 || filled == 25 || filled == 16);
    ond_sim_destroy(sim);
}

// ---- rays

static void rays_meet_solids(void **state)
{
    (void)state;
    static const char ball[] =
        "domain: {min: [0, 0, 0], max: [2, 2, 2]}\n"
        "solid: [{name: a, shape: {type: sphere, center: [1, 1, 1], radius: 0.3}},\n"
        "        {name: b, shape: {type: box, min: [1.5, 0, 0], max: [1.6, 2, 2]}}]\n"
        "fluid: [{spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [0.3, 0.3, 2]}}]\n";
    OndSim *const sim = make(ball, NULL), *const flat = make(stage, NULL);
    int solid = 7;
    const double from[3] = {-1, 1, 1}, to[3] = {3, 1, 1}, over[3] = {3, 3, 1},
                 beside[3] = {-1, 5, 1};
    CHECK_NEAR(ond_sim_sight(sim, from, to, &solid), 1.7 / 4, 1e-3, "the ball");
    assert_int_equal(solid, 0);
    const double high[3] = {-1, 1.5, 1}, through[3] = {3, 1.5, 1};
    CHECK_NEAR(ond_sim_sight(sim, high, through, &solid), 2.5 / 4, 1e-3, "the wall behind");
    assert_int_equal(solid, 1);
    assert_true(ond_sim_sight(sim, from, beside, &solid) == 1.0 && solid == -1);
    assert_true(ond_sim_sight(sim, over, beside, NULL) == 1.0);
    const double in[3] = {1, 1, 1.2}, near[3] = {1, 1, 1.35}, clear[3] = {0.5, 1, 1},
                 out[3] = {1, 3, 1};
    assert_true(ond_sim_blocked(sim, in, 0, &solid) && solid == 0);
    assert_false(ond_sim_blocked(sim, near, 0, &solid));
    assert_true(ond_sim_blocked(sim, near, 0.1, &solid) && solid == 0);
    assert_false(ond_sim_blocked(sim, clear, 0.1, &solid));
    assert_true(ond_sim_blocked(sim, out, 0, &solid) && solid == -1);
    const double paddle[3] = {1.1, 0.4, 0};
    assert_true(ond_sim_blocked(flat, paddle, 0, &solid) && solid == 1);
    ond_sim_destroy(flat);
    ond_sim_destroy(sim);
}

// A solid block that is cut in two falls apart, at once and after resuming.
static void a_piece_is_cut(void **state)
{
    (void)state;
    static const char wax[] = "gravity: [0, 0, 0]\n"
                              "dimension: 2\n"
                              "domain: {min: [0, 0], max: [1, 1]}\n"
                              "fluid: [{material: wax, spacing: 0.03,\n"
                              "         shape: {type: box, min: [0.2, 0.4], max: [0.8, 0.6]}}]\n";
    const OndRegion slice = ond_box(0.46, 0, 0, 0.54, 1, 0);
    const OndRegion left = ond_box(0, 0, 0, 0.5, 1, 0);
    OndSim *const sim = make(wax, NULL);
    advance(sim, 0.01);
    OK(ond_sim_remove_region(sim, &slice, NULL, &why));
    OndSim *const copy = resume_copy(sim, wax, NULL);
    OK(ond_sim_push_region(sim, &left, vec3(-1, 0, 0), &why));
    OK(ond_sim_push_region(copy, &left, vec3(-1, 0, 0), &why));
    advance(sim, 0.02), advance(copy, 0.02);
    assert_true(hash_of(sim) == hash_of(copy));
    double fastest = -1, slowest = 1;
    for (int i = 0; i < ond_sim_particle_count(sim); ++i) {
        fastest = fmax(fastest, value_of(sim, "velocity", 0, i));
        slowest = fmin(slowest, value_of(sim, "velocity", 0, i));
    }
    print_message("one half goes at %g m/s, the other at %g\n", slowest, fastest);
    assert_true(fastest > -0.05 && slowest < -0.9);
    ond_sim_destroy(copy);
    ond_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_copied_and_set),
        cmocka_unit_test(scenes_become_text),
        cmocka_unit_test(pushes_go_outwards),
        cmocka_unit_test(heat_goes_towards_a_temperature),
        cmocka_unit_test(cells_are_filled_and_pushed),
        cmocka_unit_test(rays_meet_solids),
        cmocka_unit_test(a_piece_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

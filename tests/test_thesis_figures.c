// SPDX-License-Identifier: MIT
// ctest: slow
// What figures 2.4, 3.1, 3.2 and 5.5 of the thesis show, in the scenes that stand for them.
#include "io/formats/formats.h"
#include "io/mesh_assimp.h"
#include "io/text_freetype.h"
#include "stage.h"

static const OndAssets readers = {
    .mesh = ond_mesh_load, .particles = ond_frame_read, .text = ond_text_outline};

// A scene of scenes/thesis/ with other values, as --set has them.
static Stage *open_figure(const char *name, const char *const *set)
{
    char path[512];
    Stage *const s = calloc(1, sizeof *s);
    OndTree tree = {0};
    OndError err = {0};
    snprintf(path, sizeof path, OND_SOURCE_DIR "/scenes/thesis/%s.yaml", name);
    OndStatus status = ond_yaml_read(path, &tree, &err);
    for (int k = 0; set && set[k] && status == OND_OK; ++k)
        status = ond_yaml_assign(&tree, "set", set[k], &err);
    if (status == OND_OK) status = ond_scene_read(&tree, &s->scene, &err);
    if (status == OND_OK) s->sim = ond_sim_make(&s->scene, &readers, &err);
    if (!s->sim) fail_msg("%s: %s", name, err.text);
    stage_look(s);
    return s;
}

// How far the top of the right leg has come down, m.
static double sunk(const char *const *set)
{
    Stage *const s = open_figure("h-conditions", set);
    double before = 0, after = 0;
    int count = 0;
    uint32_t *const seen = calloc((size_t)s->count, sizeof *seen);
    const uint32_t *id = ond_fields_find(&s->frame.particles, "id")->data[0];
    for (int i = 0; i < s->count; ++i)
        if (s->x[0][i] > 1.32 && s->x[1][i] > 0.8) seen[id[i]] = 1, before += s->x[1][i], ++count;
    stage_run(s, 0.5);
    id = ond_fields_find(&s->frame.particles, "id")->data[0];
    for (int i = 0; i < s->count; ++i)
        if (seen[id[i]]) after += s->x[1][i];
    free(seen);
    stage_close(s);
    assert_true(count > 100);
    return (before - after) / count;
}

static void test_second_condition(void **state)
{
    (void)state;
    static const char *const without[] = {"method.rigidity.second_condition=false", NULL};
    const double kept = sunk(NULL), followed = sunk(without);
    print_message("2.4: the leg's top sinks by %.5f m, %.4f m without the second condition\n", kept,
                  followed);
    assert_true(fabs(kept) < 0.0005 && followed > 0.005); // 0.010 to 0.031 with other roundings
}

static double speed_of_fastest(const Stage *s)
{
    double most = 0;
    for (int i = 0; i < s->count; ++i)
        most = fmax(most, sqrt(s->v[0][i] * s->v[0][i] + s->v[1][i] * s->v[1][i] +
                               s->v[2][i] * s->v[2][i]));
    return most;
}

// The fastest particle up to a time, m/s; infinite when the liquid bursts before.
static double fastest(const char *const *set)
{
    Stage *const s = open_figure("step", set);
    OndError err = {0};
    double most = 0;
    while (most < INFINITY && ond_sim_time(s->sim) < 0.29) {
        const OndStatus status = ond_sim_step(s->sim, &err);
        if (status != OND_OK && !strstr(err.text, "has burst")) fail_msg("%s", err.text);
        stage_look(s);
        most = status == OND_OK ? fmax(most, speed_of_fastest(s)) : INFINITY;
    }
    stage_close(s);
    return most;
}

static void test_step(void **state)
{
    (void)state;
    static const char *const fixed[] = {"method.step_rule=fixed", "method.time_step=0.0015", NULL};
    const double adaptive = fastest(NULL), wild = fastest(fixed);
    print_message("3.1: at most %.1f m/s with adaptive steps, %.1f m/s with fixed ones\n", adaptive,
                  wild);
    assert_true(adaptive < 8.0 && wild > 2.0 * adaptive);
}

static void extremes(const char *const *set, double out[2])
{
    Stage *const s = open_figure("heat-step", set);
    stage_run(s, 0.04);
    const float *const t = ond_fields_find(&s->frame.particles, "temperature")->data[0];
    out[0] = out[1] = t[0];
    for (int i = 0; i < s->count; ++i)
        out[0] = fmin(out[0], t[i]), out[1] = fmax(out[1], t[i]);
    stage_close(s);
}

static void test_heat(void **state)
{
    (void)state;
    static const char *const explicit_form[] = {"method.heat.solver=solenthaler", NULL};
    double implicit[2], burst[2];
    extremes(NULL, implicit);
    extremes(explicit_form, burst);
    print_message("3.2: from %.3f to %.3f C, explicitly from %.1f to %.1f C\n", implicit[0],
                  implicit[1], burst[0], burst[1]);
    assert_true(implicit[0] > -1e-3 && implicit[1] < 20.001);
    assert_true(burst[0] < -10.0 && burst[1] > 30.0);
}

// How high letters stand in the mean after a while, m.
static double stand(const char *name, const char *const *set)
{
    Stage *const s = open_figure(name, set);
    double sum = 0;
    stage_run(s, 0.3);
    for (int i = 0; i < s->count; ++i)
        sum += s->x[1][i];
    const double mean = sum / s->count;
    stage_close(s);
    return mean;
}

// Letters of 10 000 Pa s and s = 0.92: alike when corrections start from no wall and end early.
static void test_alike(void **state)
{
    (void)state;
    static const char *const written[] = {"method.rigidity.propagation=true",
                                          "method.rigidity.iterations=2000", NULL};
    const double viscous = stand("letters-alike-mu10000", NULL),
                 early = stand("letters-alike-s0.92", NULL),
                 rigid = stand("letters-alike-s0.92", written);
    print_message(
        "5.5: %.3f m of viscosity, %.3f m of rigidity that ends early, %.3f m as written\n",
        viscous, early, rigid);
    CHECK_NEAR(early, viscous, 0.05 * viscous, "alike"); // 2.5 % apart
    assert_true(rigid > 1.25 * viscous);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second_condition),
        cmocka_unit_test(test_step),
        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_alike),
    };
    return cmocka_run_group_tests_name("figures of the thesis", tests, NULL, NULL);
}

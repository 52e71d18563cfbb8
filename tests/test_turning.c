// SPDX-License-Identifier: MIT
// ctest: slow
// Turning kept alive: vortices live longer, what is at rest stays so, and momentum is kept.
#include "stage.h"
#include "wet.h"

#define OPEN(...)                                                                                  \
    ({                                                                                             \
        char yaml_text[2048];                                                                      \
        snprintf(yaml_text, sizeof yaml_text, __VA_ARGS__);                                        \
        stage_open(yaml_text);                                                                     \
    })

static double kinetic(const Stage *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; ++i)
        sum += s->v[0][i] * s->v[0][i] + s->v[1][i] * s->v[1][i];
    return 0.5 * sum / s->count;
}

// A tank of 1 m that turns with 0.5 m/s round its middle; J/kg that are left after some seconds.
static double left(const char *method, double turning, double speed, double seconds)
{
    Stage *s = OPEN("dimension: 2\nduration: 5\nframe_rate: 20\nmethod: {%s, turning: %g}\n"
                    "domain: {min: [0, 0], max: [1, 1.3]}\n"
                    "fluid: [{spacing: 0.025, density: 1000, velocity: ['%g*sin(pi*x)*cos(pi*y)', "
                    "'-%g*cos(pi*x)*sin(pi*y)'], shape: {type: box, min: [0, 0], max: [1, 1]}}]\n",
                    method, turning, speed, speed);
    const double whole = speed > 0 ? kinetic(s) : 1;
    stage_run(s, seconds);
    const double rest = kinetic(s);
    stage_close(s);
    return rest / whole;
}

static void test_vortex(void **state)
{
    (void)state;
    const char *const methods[] = {"type: sph", "pressure: cg"};
    for (int m = 0; m < 2; ++m) {
        const double plain = left(methods[m], 0, 0.5, 1.5), kept = left(methods[m], 1, 0.5, 1.5);
        print_message("%s: after 1.5 s %.3f of the energy is left, %.3f with `turning: 1`\n",
                      methods[m], plain, kept);
        assert_true(kept > 1.4 * plain && kept < 1);
    }
}

static void test_still_pool(void **state)
{
    (void)state;
    const double plain = left("type: sph", 0, 0, 3), spared = left("type: sph", 1, 0, 3);
    print_message("still pool after 3 s: %.1e J/kg, %.1e with `turning: 1`\n", plain, spared);
    assert_true(spared < 2e-5); // 6 mm/s; rho g H is a million times as much
}

// Pairs push along the line between them, and both alike.
static void test_momentum(void **state)
{
    (void)state;
    Wet w = wet_make(3, 0.05);
    memset(w.world.gravity, 0, sizeof w.world.gravity);
    w.def.turning = 0.8, w.def.integrator = OND_EULER, w.def.artificial = 2;
    wet_fill(&w, (OndBox){{0, 0, 0}, {0.5, 0.5, 0.5}}, NULL);
    for (int i = 0; i < w.s->fields.count; ++i) {
        const float y = w.s->x[1][i] - 0.3f, z = w.s->x[2][i] - 0.2f;
        w.s->v[0][i] = 3.0f * y, w.s->v[1][i] = 2.0f * z * y, w.s->v[2][i] = -1.0f * y;
    }
    OndVec line[2] = {{0}}, turn[2] = {{0}};
    double size = 0, spin = 0;
    for (int t = 0; t < 2; ++t) {
        for (int i = 0; i < w.s->fields.count; ++i) {
            const OndVec x = ond_vec(w.s->x[0][i], w.s->x[1][i], w.s->x[2][i]);
            const OndVec v = ond_vec(w.s->v[0][i], w.s->v[1][i], w.s->v[2][i]);
            line[t] = ond_add(line[t], v), turn[t] = ond_add(turn[t], ond_cross(x, v));
            if (t == 0) size += ond_length(v), spin += ond_length(ond_cross(x, v));
        }
        for (int k = 0; t == 0 && k < 20; ++k)
            wet_step(&w);
    }
    CHECK_NEAR(ond_length(ond_sub(line[1], line[0])) / size, 0, 2e-6, "momentum");
    CHECK_NEAR(ond_length(ond_sub(turn[1], turn[0])) / spin, 0, 2e-6, "angular momentum");
    wet_close(&w);
}

// The share of a flow that turns, and of one that closes in.
static void test_share(void **state)
{
    (void)state;
    for (int closes = 0; closes < 2; ++closes) {
        Wet w = wet_make(2, 0.05);
        memset(w.world.gravity, 0, sizeof w.world.gravity);
        w.def.turning = 1, w.def.sound_speed = 20;
        wet_fill(&w, (OndBox){{0, 0, 0}, {1, 1, 0}}, NULL);
        for (int i = 0; i < w.s->fields.count; ++i) {
            const float x = w.s->x[0][i] - 0.5f, y = w.s->x[1][i] - 0.5f;
            w.s->v[0][i] = closes ? -x : -y, w.s->v[1][i] = closes ? -y : x;
        }
        OndError err = {0};
        assert_int_equal(ond_sph_method.prepare(w.s, &err), OND_OK);
        w.s->def.density = OND_DENSITY_SUMMATION;
        ond_sph_spare_turning(w.s);
        int inner = 0;
        for (int i = 0; i < w.s->fields.count; ++i) {
            const float x = w.s->x[0][i] - 0.5f, y = w.s->x[1][i] - 0.5f;
            if (fabsf(x) > 0.3f || fabsf(y) > 0.3f) continue;
            CHECK_NEAR(w.s->close[i], closes ? 2 : 0, 1e-3, "divergence");
            CHECK_NEAR(w.s->turn[i], closes ? 1 : 0.1, 0.01 + 0.1 * !closes, "share that is felt");
            ++inner;
        }
        assert_true(inner > 50);
        wet_close(&w);
    }
}

static void test_refused(void **state)
{
    (void)state;
    OndTree tree = {0};
    OndError err = {0};
    OndSceneDef scene;
    const char *const yaml = "method: {artificial: 0, turning: 1}\nfluid: [{spacing: 0.1, shape: "
                             "{type: box, min: [0, 0, 0], max: [1, 1, 1]}}]\n";
    assert_int_equal(ond_yaml_parse("test.yaml", yaml, strlen(yaml), &tree, &err), OND_OK);
    assert_int_not_equal(ond_scene_read(&tree, &scene, &err), OND_OK);
    CHECK_SAYS(err.text, "turning", yaml);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vortex),   cmocka_unit_test(test_still_pool),
        cmocka_unit_test(test_momentum), cmocka_unit_test(test_share),
        cmocka_unit_test(test_refused),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("turning", tests, NULL, NULL);
}

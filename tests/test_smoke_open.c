// SPDX-License-Identifier: MIT
// ctest: slow
// Flows through open sides: they keep to what drives them, however long they last.
#include "tank.h"

// The fastest so far, and the energy at the end over that at the start.
static double run_to(Tank *t, double time, double *growth)
{
    OndStepRecord record;
    double fastest = 0.0;
    ond_sim_record(t->sim, &record);
    const double before = record.kinetic;
    while (ond_sim_time(t->sim) < time - 1e-9) {
        tank_step(t);
        ond_sim_record(t->sim, &record);
        fastest = fmax(fastest, record.max_speed);
    }
    *growth = record.kinetic / before;
    return fastest;
}

// A stream round two rocks, in short steps: whirls form, go on, and leave by the open side. Without
// hyperviscosity and with a wall's ghosts in the correction it reached 3.5 m/s and 3 times its
// energy.
static void test_stream(void **state)
{
    (void)state;
    static const char *const schemes[] = {"maccormack", "cubic"};
    for (int k = 0; k < 2; ++k) {
        char yaml[1024];
        double growth;
        Tank t;
        snprintf(yaml, sizeof yaml,
                 "duration: 20\nframe_rate: 48\n"
                 "domain: {min: [0, 0, 0], max: [3.2, 1.2, 1.2], sides: [{side: -x, velocity: "
                 "[0.4, 0, 0]}, {side: +x, kind: open}, {side: -y, slip: 0}]}\n"
                 "method: {type: current, cell: 0.1, advection: %s}\n"
                 "solid: [{shape: {type: sphere, center: [0.8, 0.15, 0.5], radius: 0.38}}, {shape: "
                 "{type: capsule, from: [2.1, -0.3, 0.8], to: [2.2, 1, 0.9], radius: 0.2}}]\n",
                 schemes[k]);
        tank_open(&t, yaml);
        const double fastest = run_to(&t, k == 0 ? 20.0 : 8.0, &growth);
        CHECK_NEAR(fastest, 0.8, 0.4, schemes[k]); // at most 3 times the inflow
        CHECK_NEAR(growth, 1.0, 0.25, "its energy");
        tank_close(&t);
    }
}

// What comes in aslant goes on aslant, whatever the slip of the side it comes through.
static void test_aslant(void **state)
{
    (void)state;
    for (int slip = 0; slip < 2; ++slip) {
        char yaml[512];
        Tank t;
        snprintf(yaml, sizeof yaml,
                 "dimension: 2\nduration: 9\nframe_rate: 20\ngravity: [0, 0]\n"
                 "domain: {min: [0, 0], max: [1, 0.5], y: periodic, sides: [{side: -x, slip: %d, "
                 "velocity: [1, 0.5]}, {side: +x, kind: open}]}\n"
                 "method: {type: smoke, cell: 0.0625}\n",
                 slip);
        tank_open(&t, yaml);
        tank_run(&t, 3);
        for (int i = 0; i < 16; ++i) {
            CHECK_NEAR(t.v[0][tank_at(&t, i, 4, 0)], 1, 1e-3, "into the domain");
            CHECK_NEAR(t.v[1][tank_at(&t, i, 4, 0)], 0.5, 5e-3, "and along the side");
        }
        tank_close(&t);
    }
}

// A duct between two rooms of still air: what comes in is drawn in by u^2 / 2, so that the flow
// slows by du/dt = -u^2 / 2L and is u / (1 + u t / 2L).
static void test_duct(void **state)
{
    (void)state;
    static const char *const schemes[] = {"linear", "maccormack", "cubic"};
    for (int k = 0; k < 3; ++k) {
        char yaml[512];
        Tank t;
        snprintf(yaml, sizeof yaml,
                 "dimension: 2\nduration: 9\nframe_rate: 20\ngravity: [0, 0]\n"
                 "domain: {min: [0, 0], max: [2, 1], x: open}\n"
                 "method: {type: smoke, cell: 0.0625, advection: %s}\n"
                 "fluid: [{name: air, velocity: [1, 0, 0], shape: {type: box, min: [-1, -1, -1], "
                 "max: [3, 2, 1]}}]\n",
                 schemes[k]);
        tank_open(&t, yaml);
        CHECK_NEAR(t.v[0][tank_at(&t, 16, 8, 0)], 1.0, 1e-3, "at the start");
        tank_run(&t, 4.0);
        CHECK_NEAR(t.v[0][tank_at(&t, 16, 8, 0)], 0.5, 0.01, schemes[k]);
        tank_close(&t);
    }
}

// Steps once more after the flow was made as fast as this in one cell.
static OndStatus burst(const char *more, float speed, OndError *err)
{
    char yaml[768];
    Tank t;
    snprintf(yaml, sizeof yaml,
             "duration: 9\nframe_rate: 10\ngravity: [0, 0, 0]\n"
             "domain: {min: [0, 0, 0], max: [2, 1, 1], sides: [{side: -x, velocity: [0.4, 0, 0]}, "
             "{side: +x, kind: open}]}\n"
             "method: {type: smoke, cell: 0.125%s}\n",
             more);
    tank_open(&t, yaml);
    tank_run(&t, 0.5);
    t.v[1][tank_at(&t, 8, 4, 4)] = speed;
    const OndStatus status = ond_sim_step(t.sim, err);
    tank_close(&t);
    return status;
}

// Ten times what drives the flow is told, with advice for this scene; what a whirl may have is not.
static void test_burst(void **state)
{
    (void)state;
    OndError err = {0};
    assert_int_equal(burst("", 2.0f, &err), OND_OK);
    assert_int_equal(burst(", confinement: 0.5", 200.0f, &err), OND_UNSTABLE);
    CHECK_SAYS(err.text, "nothing in the scene can drive it beyond 4 m/s", "how fast it may be");
    CHECK_SAYS(err.text, "less `confinement` (now 0.5)", "what may help");
    CHECK_SAYS(err.text, "a smaller `courant` (now 2), `advection: linear`", "what may help");
    assert_int_equal(burst(", advection: linear", 200.0f, &err), OND_UNSTABLE);
    assert_null(strstr(err.text, "confinement"));
    assert_null(strstr(err.text, "advection"));
}

// A gate is lowered into the stream to a twentieth of the height: what comes in passes below it 20
// times as fast as it came, which is no burst. A jet that nothing drives still is.
static void test_gate(void **state)
{
    (void)state;
    OndError err = {0};
    OndStepRecord record;
    Tank t;
    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 20\ngravity: [0, 0]\n"
                  "domain: {min: [0, 0], max: [2, 1], sides: [{side: -x, velocity: [0.4, 0]}, "
                  "{side: +x, kind: open}]}\n"
                  "method: {type: smoke, cell: 0.05}\n"
                  "solid: [{name: gate, shape: {type: box, min: [0.9, 1, -1], max: [1.1, 2.02, "
                  "1]}, move: [0, '-min(0.35 * t, 0.95)', 0]}]\n");
    tank_run(&t, 4.0); // fails where a step does
    ond_sim_record(t.sim, &record);
    print_message("below the gate: %.3g m/s\n", record.max_speed);
    CHECK_NEAR(record.max_speed, 8.0, 2.0, "20 times the inflow");
    for (int j = 5; j < 15; ++j)
        t.v[1][tank_at(&t, 8, j, 0)] = 2000.0f;
    assert_int_equal(ond_sim_step(t.sim, &err), OND_UNSTABLE);
    tank_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream), cmocka_unit_test(test_aslant), cmocka_unit_test(test_duct),
        cmocka_unit_test(test_burst),  cmocka_unit_test(test_gate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

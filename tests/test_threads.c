// SPDX-License-Identifier: MIT
// ctest: slow
// The same bits for any number of threads, and after stopping and going on.
#include "same_bits.h"

static const Play plays[] = {
    {"dam break with walls", 100,
     "dimension: 3\ndomain: {min: [0, 0, 0], max: [1.2, 0.8, 0.4], slip: 0.5, restitution: 0.2}\n"
     "fluid: [{spacing: 0.03, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.6, 0.4]}}]\n"},
    {"large dam break", 15, // enough particles to sort in parallel
     "dimension: 3\nmethod: {pressure: wcsph, settle: false}\n"
     "domain: {min: [0, 0, 0], max: [1.2, 0.8, 0.4]}\n"
     "fluid: [{spacing: 0.018, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.6, 0.4]}}]\n"},
    {"periodic channel", 100,
     "dimension: 2\ngravity: [0.8, 0]\nmethod: {type: sph, sound_speed: 15, density: continuity}\n"
     "domain: {min: [0, 0], max: [1, 1], slip: 0, x: periodic,\n"
     "  sides: [{side: +y, velocity: [1, 0]}]}\n"
     "fluid: [{spacing: 0.02, density: 1, viscosity: 0.1,\n"
     "  shape: {type: box, min: [0, 0], max: [1, 1]}}]\n"},
    {"drop with tension", 100,
     "dimension: 3\ngravity: [0, 0, 0]\n"
     "fluid: [{spacing: 0.00012, density: 1000, tension: 0.0728, stretch: [-30, 60, -30],\n"
     "  shape: {type: sphere, center: [0, 0, 0], radius: 0.001}}]\n"},
    {"emitters", 100,
     "dimension: 3\ndomain: {min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5], walls: project}\n"
     "method: {type: sph, xsph: 0.1, integrator: euler, sound_speed: 20}\n"
     "fluid:\n  - {name: pool, spacing: 0.04, viscosity: 0.5,\n"
     "     shape: {type: box, min: [-0.5, 0, -0.5], max: [0.5, 0.2, 0.5]}}\n"
     "  - {name: jet, spacing: 0.04, temperature: 80}\n"
     "emitter:\n  - {fluid: jet, center: [0, 0.8, 0], radius: 0.1, rate: 0.1}\n"
     "  - {fluid: pool, shape: rectangle, center: [-0.3, 0.5, 0], direction: [1, 0.3, 0],\n"
     "     width: 0.2, height: 0.2, rate: 0.1, from: 0.02, to: 0.08}\n"},
    {"tension as in mueller, tait", 60,
     "dimension: 2\nmethod: {type: sph, tension: mueller, state: tait, quadratic: 1}\n"
     "domain: {min: [-0.02, -0.01], max: [0.02, 0.02]}\n"
     "fluid: [{spacing: 0.0003, density: 1000, tension: 0.0728, viscosity: 0.001,\n"
     "  shape: {type: sphere, center: [0, 0], radius: 0.008}}]\n"},
};

static void test_any_number_of_threads(void **state)
{
    for (int p = 0; p < OND_COUNT(plays); ++p)
        check_threads(&plays[p]);
    ond_threads_set(0);
}

static void test_resumed(void **state)
{
    for (int p = 0; p < OND_COUNT(plays); ++p)
        check_resume(&plays[p]);
}

// Only a checkpoint of the same scene may go on.
static void test_resume_refuses_another_scene(void **state)
{
    Stage *a = stage_open(plays[0].yaml), *b = stage_open(plays[3].yaml);
    OndError err = {0};
    OndCheckpoint c = keep(a->sim);
    assert_null(ond_sim_remake(&b->scene, NULL, &c, &err));
    CHECK_SAYS(err.text, "another scene", "resume");
    ond_checkpoint_free(&c);
    stage_close(a);
    stage_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_resume_refuses_another_scene),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// What a scene would take, as a host of the library asks for it.
#include "library.h"

typedef struct Notes {
    int count;
    char text[4][256];
} Notes;

static void keep(const char *note, void *user)
{
    Notes *const notes = user;
    if (notes->count < 4) snprintf(notes->text[notes->count++], 256, "%s", note);
}

static void particles_are_forecast(void **state)
{
    OndForecast f;
    OndSceneInfo info;
    OndScene *const scene = scene_of(pool, "duration=0.2");
    OK(ond_scene_described(scene, &info, &why));
    assert_string_equal(info.title, "Pool");
    assert_string_equal(info.method, "sph");
    assert_true(info.dimension == 2 && info.frame_rate == 100 && info.gravity[1] == -9.81);
    CHECK_NEAR(info.duration, 0.2, 1e-12, "duration");
    OK(ond_scene_forecast(scene, NULL, NULL, &f, &why));
    assert_true(f.tried && f.has.frames == 21 && f.has.cells == 0 && f.has.poured == 0);
    CHECK_NEAR(f.has.spacing, 0.04, 1e-12, "spacing");
    OndSim *const sim = ond_sim_create(scene, NULL, NULL);
    assert_non_null(sim);
    CHECK_NEAR(f.has.particles, ond_sim_particle_count(sim), 0, "particles");
    CHECK_NEAR(f.has.mean, f.has.particles, 0, "as many as at the start");
    OndAdvance done = {0};
    OK(ond_sim_advance(sim, 0.2, &done, &why));
    CHECK_NEAR(f.steps / done.steps, 1, 0.25, "steps"); // one a frame is cut
    CHECK_NEAR(f.bytes_now / (double)ond_sim_bytes(sim), 1, 0.5, "memory");
    // every frame has at least a place and a velocity of two or three floats
    assert_true(f.disk > 21 * 24 * f.has.particles && f.disk < 21 * 200 * f.has.particles);
    assert_true(f.sound_speed > 10 && f.dt > 0 && f.seconds > 0 && f.seconds < 3600);
    ond_sim_destroy(sim);
    ond_scene_destroy(scene);
}

static void grids_are_forecast(void **state)
{
    OndForecast f;
    OndScene *const scene = scene_of(smoke, NULL);
    OK(ond_scene_forecast(scene, NULL, NULL, &f, &why));
    assert_true(f.tried && f.has.size[0] == 10 && f.has.size[1] == 20 && f.has.size[2] == 1);
    CHECK_NEAR(f.has.cells, 200, 0, "cells");
    OK(ond_scene_set(scene, "method.cell=0.0005", &why)); // 8 million
    OK(ond_scene_forecast(scene, NULL, NULL, &f, &why));
    assert_true(!f.tried && f.has.size[1] == 4000 && f.bytes_now == 0);
    CHECK_NEAR(f.steps, f.has.frames, 0, "a step a frame at least");
    ond_scene_destroy(scene);
}

// Far more than may fit: nothing is made.
static void large_grids_are_counted(void **state)
{
    OndEstimate e;
    OndScene *const scene = scene_of("method: {type: smoke, cell: 0.001}\n"
                                     "domain: {min: [0, 0, 0], max: [1, 0.5, 2]}\n"
                                     "fluid: [{name: smoke}]\n",
                                     NULL);
    OK(ond_scene_estimate(scene, &e, &why));
    CHECK_NEAR(e.cells, 1e9, 0, "cells");
    assert_true(e.size[0] == 1000 && e.size[1] == 500 && e.size[2] == 2000);
    assert_true(e.bytes > 20 * e.cells && e.frames == 97);
    ond_scene_destroy(scene);
}

static void scenes_have_notes(void **state)
{
    static const char falls[] =
        "duration: 0.11\n"
        "fluid:\n"
        "  - spacing: 0.1\n"
        "    shape: {type: mesh, file: none.obj, stand_in: {type: box, min: "
        "[0, 0, 0], max: [0.5, 0.5, 0.5]}}\n";
    static const char *const says[] = {"everything falls for ever",
                                       "the run goes on to 0.125 s, frame 3",
                                       "none.obj is not there"};
    Notes two = {0}, one = {0};
    OndForecast f;
    OndSceneInfo info;
    OndScene *const scene = scene_of(falls, NULL);
    OK(ond_scene_notes(scene, keep, &one, &why));
    OK(ond_scene_forecast(scene, keep, &two, &f, &why));
    for (int k = 0; k < 3; ++k) {
        CHECK_SAYS(one.text[k], says[k], "note");
        assert_string_equal(one.text[k], two.text[k]);
    }
    assert_int_equal(one.count, 3);
    OK(ond_scene_described(scene, &info, &why));
    assert_string_equal(info.title, "Untitled");
    CHECK_NEAR(info.duration, 0.125, 1e-12, "ends at a frame");
    OK(ond_scene_set(scene, "fluid.0.spacing=-1", &why));
    OndError err = {0};
    assert_int_equal(ond_scene_described(scene, &info, &err), OND_BAD_VALUE);
    assert_int_equal(ond_scene_notes(scene, keep, &one, NULL), OND_BAD_VALUE);
    assert_int_equal(ond_scene_forecast(scene, NULL, NULL, &f, NULL), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "spacing", "told with its key");
    ond_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_are_forecast),
        cmocka_unit_test(grids_are_forecast),
        cmocka_unit_test(large_grids_are_counted),
        cmocka_unit_test(scenes_have_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

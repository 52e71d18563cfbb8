// SPDX-License-Identifier: MIT
// The library as a program around it sees it: only <ondine/ondine.h>.
#include "check.h"

#include <math.h>
#include <ondine/ondine.h>
#include <stdlib.h>
#include <string.h>

static const char pool[] = "title: Pool\n"
                           "dimension: 2\n"
                           "frame_rate: 100\n"
                           "domain: {min: [0, 0], max: [1, 1]}\n"
                           "fluid:\n"
                           "  - name: water\n"
                           "    spacing: 0.04\n"
                           "    shape: {type: box, min: [0, 0], max: [0.5, 0.5]}\n";

static OndSim *make(const char *text, const char *set)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    OndStatus status = ond_scene_text(scene, text, "test.yaml", &err);
    if (status == OND_OK && set) status = ond_scene_set(scene, set, &err);
    OndSim *const sim = status == OND_OK ? ond_sim_create(scene, NULL, &err) : NULL;
    if (!sim) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    return sim;
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
    assert_float_equal(water.density, 998.23, 0);
    assert_true(isnan(water.T_solid));
    water.name = "water";
    water.spacing = 0.04;
    water.shape = ond_box_shape(0, 0, 0, 0.5, 0.5, 0);
    if (ond_scene_describe(scene, &all, &err) || ond_scene_domain(scene, &box, &err) ||
        ond_scene_add_fluid(scene, &water, &err))
        fail_msg("%s", err.text);
    OndSim *const a = ond_sim_create(scene, NULL, &err), *const b = make(pool, NULL);
    if (!a) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    assert_int_equal(ond_sim_advance(a, 0.05, NULL, &err), OND_OK);
    assert_int_equal(ond_sim_advance(b, 0.05, NULL, &err), OND_OK);
    OndFieldView x, y;
    assert_true(ond_sim_find_field(a, OND_PARTICLES, "position", &x));
    assert_true(ond_sim_find_field(b, OND_PARTICLES, "position", &y));
    assert_int_equal(x.count, y.count);
    for (int c = 0; c < 3; ++c)
        assert_memory_equal(x.data[c], y.data[c], (size_t)x.count * sizeof(float));
    ond_sim_destroy(a);
    ond_sim_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scene_of_structs_is_that_of_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// What a method may leave out, and what its particles must have (method/method.h). Methods that are
// there lose their entries one by one; tests/one_file/bare.c is one that never had them.
#include "base/memory.h"
#include "check.h"
#include "sim/scene/scene_check.h"
#include "sim/sim_state.h"

#include <ondine/ondine.h>

static const char grains[] =
    "{dimension: 2, duration: 1, frame_rate: 20, domain: {min: [0, 0], max: [1, 1]}, "
    "method: {type: dem}, "
    "fluid: [{spacing: 0.05, shape: {type: box, min: [0.2, 0.2], max: [0.5, 0.5]}}], "
    "emitter: [{center: [0.5, 0.9], direction: [0, -1], radius: 0.1, rate: 0.1}]}";
static const char flow[] = "{dimension: 2, duration: 1, frame_rate: 20, "
                           "domain: {min: [0, 0], max: [1, 1]}, method: {type: stam, cell: 0.05}}";

static OndSim *make(const char *text)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    const OndStatus status = ond_scene_text(scene, text, "test", &err);
    OndSim *const sim = status == OND_OK ? ond_sim_create(scene, NULL, &err) : NULL;
    if (!sim) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    return sim;
}

// Everything that asks a method for something it may not have.
static void use(OndSim *sim, const char *what)
{
    static const float at[] = {0.8f, 0.8f, 0.0f}, fast[] = {0.0f, -30.0f, 0.0f};
    const OndNewParticles grain = {1, at, fast, NULL, 0};
    OndError err = {0};
    OndCheckpoint kept;
    OndStepRecord record;
    OndStepReport last;
    OndStatus status = ond_sim_step(sim, &err);
    if (status == OND_OK && sim->method->particles)
        status = ond_sim_add_particles(sim, &grain, &err); // faster than all: a change of the world
    if (status == OND_OK) status = ond_sim_step(sim, &err);
    if (status != OND_OK) fail_msg("%s: %s", what, err.text);
    ond_sim_checkpoint(sim, &kept);
    ond_sim_record(sim, &record);
    ond_sim_last_step(sim, &last);
    CHECK_NEAR(record.step, 2, 0, what);
    CHECK_NEAR((double)last.step, 2, 0, what);
    assert_true(ond_sim_bytes(sim) > 1000);
}

static void test_left_out(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        OndSim *const sim = make(k == 0 ? grains : flow);
        OndMethod less = *sim->method;
        less.prepare = k == 0 ? less.prepare : NULL;
        less.told = NULL, less.changed = NULL, less.report = NULL, less.number = NULL;
        less.bytes = NULL, less.neighbours = NULL, less.remedy = NULL;
        if (k == 1) less.added = NULL;
        sim->method = &less;
        use(sim, less.name);
        CHECK_NEAR(ond_sim_neighbours(sim), 0, 0, "nobody counts them");
        ond_sim_destroy(sim);
    }
}

static double no_step(const void *self)
{
    (void)self;
    return 0.0;
}

static void test_no_remedy(void **state)
{
    (void)state;
    OndError err = {0};
    OndSim *const sim = make(grains);
    OndMethod stuck = *sim->method;
    stuck.largest_step = no_step;
    sim->method = &stuck;
    assert_int_equal(ond_sim_step(sim, &err), OND_UNSTABLE);
    CHECK_SAYS(err.text, "without bounds. Try a smaller `stiffness`", "with a remedy");
    stuck.remedy = NULL;
    assert_int_equal(ond_sim_step(sim, &err), OND_UNSTABLE);
    CHECK_SAYS(err.text, "without bounds", "without");
    assert_null(strstr(err.text, "Try"));
    ond_sim_destroy(sim);
}

static void test_fields(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        OndFieldType type;
        int components;
        const char *missing; // after this one is there
    } steps[] = {{"velocity", OND_F32, 3, "'position' of its particles (OND_F32, 3"},
                 {"position", OND_F32, 1, "'position' of its particles (OND_F32, 3"},
                 {"position", OND_F32, 3, "'temperature' of its particles (OND_F32, 1"},
                 {"temperature", OND_F32, 1, "'material' of its particles (OND_U32, 1"},
                 {"material", OND_F32, 1, "'material' of its particles (OND_U32, 1"},
                 {"material", OND_U32, 1, NULL}};
    const OndMethod method = {.name = "toy"};
    OndFields fields = {0};
    for (int k = 0; k < OND_COUNT(steps); ++k) {
        OndError err = {0};
        ond_fields_remove(&fields, steps[k].name);
        ond_fields_add(&fields, steps[k].name, "", steps[k].type, steps[k].components, 0);
        const OndStatus status = ond_sim_check_fields(&method, &fields, &err);
        assert_int_equal(status, steps[k].missing ? OND_BAD_VALUE : OND_OK);
        if (steps[k].missing) CHECK_SAYS(err.text, steps[k].missing, steps[k].name);
        if (steps[k].missing) CHECK_SAYS(err.text, "the method 'toy'", steps[k].name);
    }
    ond_fields_free(&fields);
}

static void check_uses(const OndSchema *schema, OndSection section, int least)
{
    assert_true(schema && schema->count >= least);
    for (int k = 0; k < schema->count; ++k)
        if (!ond_scene_knows_use(section, schema->keys[k].name))
            fail_msg("nobody knows which methods use '%s' of '%s': add it to the rows of "
                     "sim/scene/scene_check_refused.c",
                     schema->keys[k].name, schema->name);
}

static const OndSchema *part(const OndSchema *schema, const char *name)
{
    for (int k = 0; k < schema->count; ++k)
        if (strcmp(schema->keys[k].name, name) == 0) return schema->keys[k].sub;
    return NULL;
}

// A new key of a scene is no key that some methods silently leave alone.
static void test_every_key_has_a_use(void **state)
{
    (void)state;
    const OndSchema *const all = &ond_scene_schema;
    check_uses(all, OND_IN_SCENE, 15);
    check_uses(part(all, "domain"), OND_IN_DOMAIN, 10);
    check_uses(part(part(all, "domain"), "sides"), OND_IN_SIDE, 7);
    check_uses(part(all, "fluid"), OND_IN_FLUID, 20);
    check_uses(part(all, "solid"), OND_IN_SOLID, 20);
    check_uses(part(all, "air"), OND_IN_AIR, 2);
    check_uses(part(all, "heat"), OND_IN_HEAT, 7);
    assert_false(ond_scene_knows_use(OND_IN_FLUID, "flavour"));
    assert_false(ond_scene_knows_use(OND_IN_AIR, "viscosity"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_no_remedy),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_every_key_has_a_use),
    };
    return cmocka_run_group_tests_name("method", tests, NULL, NULL);
}

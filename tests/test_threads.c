// SPDX-License-Identifier: MIT
// The same bits for any number of threads, and after stopping and going on.
#include "base/hash.h"
#include "base/parallel.h"
#include "stage.h"

static const struct Play {
    const char *name;
    int steps;
    const char *yaml;
} plays[] = {
    {"dam break with walls", 100,
     "dimension: 3\ndomain: {min: [0, 0, 0], max: [1.2, 0.8, 0.4], slip: 0.5, restitution: 0.2}\n"
     "fluid: [{spacing: 0.03, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.6, 0.4]}}]\n"},
    {"large dam break", 15, // enough particles to sort in parallel
     "dimension: 3\nmethod: {type: sph, settle: false}\n"
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

// Of all that a checkpoint keeps, and the time.
static uint64_t hash_of(const Stage *s)
{
    OndHash hash;
    ond_hash_begin(&hash);
    const double time = ond_sim_time(s->sim);
    ond_hash_add(&hash, &time, sizeof time);
    const OndFields *f = &s->frame.particles;
    for (int k = 0; k < f->field_count; ++k)
        for (int c = 0; c < f->field[k].components && f->field[k].flags & OND_FIELD_STATE; ++c)
            ond_hash_add(&hash, f->field[k].data[c], (size_t)f->count * 4);
    return ond_hash_end(&hash);
}

static void steps(Stage *s, int count)
{
    for (int k = 0; k < count; ++k)
        stage_step(s);
}

static void test_any_number_of_threads(void **state)
{
    static const int threads[] = {1, 2, 4};
    for (int p = 0; p < OND_COUNT(plays); ++p) {
        uint64_t first = 0, start = 0;
        for (int t = 0; t < 3; ++t) {
            ond_threads_set(threads[t]);
            Stage *s = stage_open(plays[p].yaml);
            const uint64_t opened = hash_of(s);
            steps(s, plays[p].steps);
            const uint64_t got = hash_of(s);
            if (t == 0) {
                first = got, start = opened;
                print_message("%s: %d particles, %d steps to %.4f s: %016llx\n", plays[p].name,
                              s->count, plays[p].steps, ond_sim_time(s->sim),
                              (unsigned long long)got);
            }
            if (opened != start)
                fail_msg("%s: %d threads start with other bits", plays[p].name, threads[t]);
            if (got != first)
                fail_msg("%s: %d threads give %016llx, one %016llx", plays[p].name, threads[t],
                         (unsigned long long)got, (unsigned long long)first);
            stage_close(s);
        }
    }
    ond_threads_set(0);
}

// A checkpoint that owns its arrays, as one read from a file does.
static OndCheckpoint keep(OndSim *sim)
{
    OndCheckpoint c;
    OndError err = {0};
    ond_sim_checkpoint(sim, &c);
    const OndFields from = c.fields;
    memset(&c.fields, 0, sizeof c.fields);
    if (ond_fields_reserve(&c.fields, from.count, &err) != OND_OK) fail_msg("%s", err.text);
    for (int k = 0; k < from.field_count; ++k) {
        const OndField *f = &from.field[k];
        if (!(f->flags & OND_FIELD_STATE)) continue;
        const int at =
            ond_fields_add(&c.fields, f->name, f->unit, f->type, f->components, f->flags);
        assert_true(at >= 0);
        for (int a = 0; a < f->components; ++a)
            memcpy(c.fields.field[at].data[a], f->data[a], (size_t)from.count * 4);
    }
    c.fields.count = from.count;
    return c;
}

// Lets the simulation die and goes on from its checkpoint. The numbers' names are the old one's.
static void stop_and_resume(Stage *s)
{
    static char names[OND_CHECKPOINT_NUMBERS][32];
    OndError err = {0};
    OndCheckpoint c = keep(s->sim);
    for (int k = 0; k < c.number_count; ++k) {
        snprintf(names[k], sizeof names[k], "%s", c.number[k].name);
        c.number[k].name = names[k];
    }
    ond_sim_destroy(s->sim);
    s->sim = ond_sim_resume(&s->scene, NULL, &c, &err);
    ond_checkpoint_free(&c);
    if (!s->sim) fail_msg("%s", err.text);
    stage_look(s);
}

static void test_resumed(void **state)
{
    for (int p = 0; p < OND_COUNT(plays); ++p) {
        Stage *whole = stage_open(plays[p].yaml), *parts = stage_open(plays[p].yaml);
        const int half = plays[p].steps / 2;
        steps(whole, plays[p].steps);
        stop_and_resume(parts); // before the first step
        steps(parts, half);
        ond_threads_set(3);
        stop_and_resume(parts);
        if (ond_sim_time(parts->sim) >= ond_sim_time(whole->sim)) fail_msg("resumed in the future");
        steps(parts, plays[p].steps - half);
        ond_threads_set(0);
        stop_and_resume(parts);
        CHECK_NEAR(parts->count, whole->count, 0, plays[p].name);
        CHECK_NEAR(ond_sim_time(parts->sim), ond_sim_time(whole->sim), 0, plays[p].name);
        if (hash_of(parts) != hash_of(whole))
            fail_msg("%s: other bits when resumed", plays[p].name);
        stage_close(parts);
        stage_close(whole);
    }
}

// Only a checkpoint of the same scene may go on.
static void test_resume_refuses_another_scene(void **state)
{
    Stage *a = stage_open(plays[0].yaml), *b = stage_open(plays[3].yaml);
    OndError err = {0};
    OndCheckpoint c = keep(a->sim);
    assert_null(ond_sim_resume(&b->scene, NULL, &c, &err));
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

// SPDX-License-Identifier: MIT
// The same bits for any number of threads, and after stopping and going on: what tests compare.
#ifndef OND_TESTS_SAME_BITS_H
#define OND_TESTS_SAME_BITS_H

#include "base/hash.h"
#include "base/parallel.h"
#include "stage.h"

typedef struct Play {
    const char *name;
    int steps;
    const char *yaml;
} Play;

// Of all that a checkpoint keeps of the particles.
static inline uint64_t hash_fields(const OndFields *f)
{
    OndHash hash;
    ond_hash_begin(&hash);
    for (int k = 0; k < f->field_count; ++k)
        for (int c = 0; c < f->field[k].components && f->field[k].flags & OND_FIELD_STATE; ++c)
            ond_hash_add(&hash, f->field[k].data[c], (size_t)f->count * 4);
    return ond_hash_end(&hash);
}

// Of them, of foam, of bodies, and the time.
static inline uint64_t hash_of(const Stage *s)
{
    OndCheckpoint c;
    ond_sim_checkpoint(s->sim, &c);
    const double time = ond_sim_time(s->sim);
    const uint64_t fields = hash_fields(&s->frame.particles);
    OndHash hash;
    ond_hash_begin(&hash);
    ond_hash_add(&hash, &time, sizeof time);
    ond_hash_add(&hash, &fields, sizeof fields);
    if (c.body_values) ond_hash_add(&hash, c.body, (size_t)c.body_values * sizeof *c.body);
    const uint64_t foam = hash_fields(&c.foam);
    if (c.foam.field_count) ond_hash_add(&hash, &foam, sizeof foam);
    return ond_hash_end(&hash);
}

static inline void steps(Stage *s, int count)
{
    for (int k = 0; k < count; ++k)
        stage_step(s);
}

// One thread or several, from the first moment to the last. Leaves the number of threads changed.
static inline void check_threads(const Play *play)
{
    uint64_t first = 0, start = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        ond_threads_set(threads);
        Stage *s = stage_open(play->yaml);
        const uint64_t opened = hash_of(s);
        steps(s, play->steps);
        const uint64_t got = hash_of(s);
        if (threads == 1) {
            first = got, start = opened;
            print_message("%s: %d particles, %d steps to %.4f s: %016llx\n", play->name, s->count,
                          play->steps, ond_sim_time(s->sim), (unsigned long long)got);
        }
        if (opened != start) fail_msg("%s: %d threads start with other bits", play->name, threads);
        if (got != first)
            fail_msg("%s: %d threads give %016llx, one %016llx", play->name, threads,
                     (unsigned long long)got, (unsigned long long)first);
        stage_close(s);
    }
}

// Puts a copy of what a checkpoint keeps of a set in its place.
static inline void keep_fields(OndFields *set)
{
    OndError err = {0};
    const OndFields from = *set;
    memset(set, 0, sizeof *set);
    if (ond_fields_reserve(set, from.count, &err) != OND_OK) fail_msg("%s", err.text);
    for (int k = 0; k < from.field_count; ++k) {
        const OndField *f = &from.field[k];
        if (!(f->flags & OND_FIELD_STATE)) continue;
        const int at = ond_fields_add(set, f->name, f->unit, f->type, f->components, f->flags);
        assert_true(at >= 0);
        for (int a = 0; a < f->components && from.count; ++a)
            memcpy(set->field[at].data[a], f->data[a], (size_t)from.count * 4);
    }
    set->count = from.count;
}

// A checkpoint that owns its arrays, as one read from a file does.
static inline OndCheckpoint keep(OndSim *sim)
{
    OndCheckpoint c;
    ond_sim_checkpoint(sim, &c);
    keep_fields(&c.fields);
    if (c.foam.field_count) keep_fields(&c.foam);
    const double *const body = c.body; // the simulation's own
    c.body = OND_NEW_ARRAY(double, c.body_values + 1);
    if (c.body_values) memcpy(c.body, body, (size_t)c.body_values * sizeof *body);
    const OndCheckpointNumber *const number = c.number;
    c.number = OND_NEW_ARRAY(OndCheckpointNumber, c.number_count + 1);
    if (c.number_count) memcpy(c.number, number, (size_t)c.number_count * sizeof *number);
    c.number_room = c.number_count;
    return c;
}

// Lets the simulation die and goes on from its checkpoint. The numbers' names are the old one's.
static inline void stop_and_resume(Stage *s)
{
    static char names[1024][32];
    OndError err = {0};
    OndCheckpoint c = keep(s->sim);
    assert_true(c.number_count <= 1024);
    for (int k = 0; k < c.number_count; ++k) {
        snprintf(names[k], sizeof names[k], "%s", c.number[k].name);
        c.number[k].name = names[k];
    }
    ond_sim_destroy(s->sim);
    s->sim = ond_sim_remake(&s->scene, NULL, &c, &err);
    ond_checkpoint_free(&c);
    if (!s->sim) fail_msg("%s", err.text);
    stage_look(s);
}

// Stopped before the first step, half way with another number of threads, and at the end.
static inline void check_resume(const Play *play)
{
    Stage *whole = stage_open(play->yaml), *parts = stage_open(play->yaml);
    const int half = play->steps / 2;
    steps(whole, play->steps);
    stop_and_resume(parts);
    steps(parts, half);
    ond_threads_set(3);
    stop_and_resume(parts);
    if (ond_sim_time(parts->sim) >= ond_sim_time(whole->sim)) fail_msg("resumed in the future");
    steps(parts, play->steps - half);
    ond_threads_set(0);
    stop_and_resume(parts);
    CHECK_NEAR(parts->count, whole->count, 0, play->name);
    CHECK_NEAR(ond_sim_time(parts->sim), ond_sim_time(whole->sim), 0, play->name);
    if (hash_of(parts) != hash_of(whole)) fail_msg("%s: other bits when resumed", play->name);
    stage_close(parts);
    stage_close(whole);
}

#endif

// SPDX-License-Identifier: MIT
// ctest: slow
// Foam of whole scenes: all its kinds, where they can be, and that the liquid does not notice.
#include "foam_scenes.h"

typedef struct Tally {
    int kind[3];
    double made;
} Tally;

static Tally tally(Stage *s)
{
    Tally t = {0};
    const OndFields *const f = foam_of(s);
    const uint32_t *const kind = column(f, "kind", 0), *const id = column(f, "id", 0);
    OndCheckpoint c;
    for (int i = 0; i < f->count; ++i) {
        assert_true(kind[i] <= OND_BUBBLE);
        ++t.kind[kind[i]];
        if (i > 0 && id[i] <= id[i - 1]) fail_msg("ids do not rise at row %d", i);
    }
    ond_sim_checkpoint(s->sim, &c);
    t.made = ond_checkpoint_number(&c, "foam_next", NAN);
    return t;
}

static void check_places(const Stage *s)
{
    const OndFields *const f = foam_of(s);
    const float *const x = column(f, "position", 0), *const y = column(f, "position", 1),
                       *const z = column(f, "position", 2);
    for (int i = 0; i < f->count; ++i) {
        if (!(x[i] > 0 && x[i] < 1 && y[i] > 0 && y[i] < 1 && z[i] == 0.0f))
            fail_msg("foam at (%g, %g, %g), outside", x[i], y[i], z[i]);
        if (hypot(x[i] - 0.62, y[i] - 0.34) < 0.08)
            fail_msg("foam at (%g, %g), in the rod", x[i], y[i]);
    }
}

// A jet makes all three kinds, none of them where nothing can be; twice the amount is twice as many.
static void test_jet(void **state)
{
    (void)state;
    static const char *const yaml[] = {JET("cg", "foam: {amount: 4}\n"),
                                       JET("cg", "foam: {amount: 8}\n"),
                                       JET("wcsph", "foam: {amount: 4}\n")};
    double made[3];
    for (int k = 0; k < 3; ++k) {
        Stage *s = stage_open(yaml[k]);
        int most[3] = {0};
        while (ond_sim_time(s->sim) < 0.6) {
            stage_step(s);
            check_places(s);
            const Tally t = tally(s);
            for (int n = 0; n < 3; ++n)
                most[n] = t.kind[n] > most[n] ? t.kind[n] : most[n];
        }
        made[k] = tally(s).made;
        print_message("%.0f made; most at once: %d spray, %d foam, %d bubbles\n", made[k], most[0],
                      most[1], most[2]);
        CHECK_NEAR(most[0] >= 5 && most[1] > 100 && most[2] > 100, 1, 0, "all kinds");
        stage_close(s);
    }
    CHECK_NEAR(made[1] / made[0], 2, 0.1, "twice the amount");
}

// The liquid goes the same way, to the last bit, whether it foams or not.
static void test_untouched(void **state)
{
    (void)state;
    static const char *const with[] = {JET("cg", "foam: {amount: 4}\n"), JET("wcsph", "foam: {}\n"),
                                       DAM "foam: {}\n"};
    static const char *const without[] = {JET("cg", ""), JET("wcsph", ""), DAM};
    for (int k = 0; k < 3; ++k) {
        Stage *a = stage_open(with[k]), *b = stage_open(without[k]);
        steps(a, 120), steps(b, 120);
        CHECK_NEAR(ond_sim_time(a->sim), ond_sim_time(b->sim), 0, "time");
        if (hash_fields(&a->frame.particles) != hash_fields(&b->frame.particles))
            fail_msg("the liquid of scene %d feels its foam", k);
        CHECK_NEAR(b->frame.foam.field_count, 0, 0, "no foam");
        stage_close(a), stage_close(b);
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    static const Play plays[] = {{"jet", 160, JET("cg", "foam: {amount: 4}\n")},
                                 {"dam", 120, DAM "foam: {amount: 3, speed: 0.5}\n"}};
    for (int k = 0; k < OND_COUNT(plays); ++k) {
        check_threads(&plays[k]);
        ond_threads_set(2);
        check_resume(&plays[k]);
    }
    ond_threads_set(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jet),
        cmocka_unit_test(test_untouched),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Formulas of time: their values, their exact rates, and what is said of wrong ones.
#include "base/expression.h"
#include "check.h"

#include <stdbool.h>
#include <stdlib.h>

static const struct {
    const char *text;
    double t, value, rate;
} good[] = {
    {"1", 0, 1, 0},
    {"t", 3, 3, 1},
    {"-2^2", 0, -4, 0},
    {"2^3^2", 0, 512, 0},
    {"2^-1", 0, 0.5, 0},
    {"1 - 2 - 3", 0, -4, 0},
    {"8/4/2", 0, 1, 0},
    {"2 + 3*t", 2, 8, 3},
    {"(2 + 3)*t", 2, 10, 5},
    {"--t", 2, 2, 1},
    {"+t", 2, 2, 1},
    {".5e1*t", 2, 10, 5},
    {"t^3", 2, 8, 12},
    {"2^t", 3, 8, 8 * 0.693147180559945309},
    {"t^t", 2, 4, 4 * (0.693147180559945309 + 1)},
    {"1/t", 2, 0.5, -0.25},
    {"sin(2*pi*t)", 0, 0, 6.283185307179586},
    {"cos(t)", 0, 1, 0},
    {"tan(t)", 0, 0, 1},
    {"asin(t)", 0, 0, 1},
    {"acos(t)", 0, 1.5707963267948966, -1},
    {"atan(t)", 1, 0.7853981633974483, 0.5},
    {"atan2(t, 1)", 1, 0.7853981633974483, 0.5},
    {"atan2(1, t)", 1, 0.7853981633974483, -0.5},
    {"sinh(2*t)", 0, 0, 2},
    {"cosh(t)", 1, 1.5430806348152437, 1.1752011936438014},
    {"tanh(3*t)", 0, 0, 3},
    {"sqrt(t)", 4, 2, 0.25},
    {"sqrt(0)*t", 4, 0, 0},
    {"abs(t - 3)", 1, 2, -1},
    {"exp(2*t)", 0, 1, 2},
    {"log(t)", 2, 0.693147180559945309, 0.5},
    {"min(t, 2)", 1, 1, 1},
    {"min(t, 2)", 3, 2, 0},
    {"max(t, 2)", 3, 3, 1},
    {"floor(t)", 2.5, 2, 0},
    {"mod(t, 2)", 5, 1, 1},
    {"mod(-t, 2)", 0.5, 1.5, -1},
    {"step(1, t)", 0.5, 0, 0},
    {"step(1, t)", 1.5, 1, 0},
    {"smoothstep(0, 2, t)", 1, 0.5, 0.75},
    {"smoothstep(0, 2, t)", -1, 0, 0},
    {"smoothstep(0, 2, t)", 3, 1, 0},
    {"clamp(t, 0, 2)", 1, 1, 1},
    {"clamp(t, 0, 2)", 5, 2, 0},
    {"0.1*sin(2*pi*t) + 0.5*smoothstep(0,1,t)*exp(-t)", 1, 0.5 * 0.36787944117144233,
     0.1 * 6.283185307179586 - 0.5 * 0.36787944117144233},
};

static void test_values(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(good); ++c) {
        OndArena arena = {NULL};
        OndError err = {0};
        const OndExpression *e =
            ond_expression_parse(&arena, good[c].text, OND_OF_TIME, NULL, &err);
        if (!e) fail_msg("%s", err.text);
        const OndDual d = ond_expression_at(e, good[c].t);
        CHECK_NEAR(d.value, good[c].value, 1e-14 * (1 + fabs(good[c].value)), good[c].text);
        CHECK_NEAR(d.rate, good[c].rate, 1e-13 * (1 + fabs(good[c].rate)), good[c].text);
        ond_arena_free(&arena);
    }
}

// Rates against differences, at times where nothing jumps.
static void test_rates(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(good); ++c) {
        OndArena arena = {NULL};
        const OndExpression *e =
            ond_expression_parse(&arena, good[c].text, OND_OF_TIME, NULL, NULL);
        for (double t = 0.0137; t < 1.0; t += 0.0931) {
            const double h = 1e-6;
            const OndDual d = ond_expression_at(e, t);
            const double difference =
                (ond_expression_at(e, t + h).value - ond_expression_at(e, t - h).value) / (2 * h);
            if (!isfinite(d.value)) continue;
            CHECK_NEAR(d.rate, difference, 1e-6 * (1 + fabs(d.rate)) * (1 + fabs(d.value)),
                       good[c].text);
        }
        ond_arena_free(&arena);
    }
}

static const struct {
    const char *text;
    int place;
    const char *says;
} wrong[] = {
    {"", 0, "it ends where"},
    {"1 +", 3, "it ends where"},
    {"2 * * 3", 4, "'*' cannot stand here"},
    {"sni(t)", 0, "'sni' is not known; did you mean 'sin'?"},
    {"x", 0, "'x' is not known"},
    {"0.1*sin 3", 8, "sin needs its argument in parentheses"},
    {"sin(t", 5, "a ')' is missing"},
    {"(1 + t", 6, "a ')' is missing"},
    {"min(t)", 0, "min takes 2 arguments, not 1"},
    {"1 + sin(t, 2)", 4, "sin takes 1 argument, not 2"},
    {"2 t", 2, "something follows that does not belong to it: 't'"},
    {"2e", 1, "something follows that does not belong to it: 'e'"},
    {"1)", 1, "something follows"},
    {"1..2", 0, "'1..2' is no number"},
    {"1e999", 0, "is no number"},
    {"3\xc2\xb7t", 1, "something follows"},
    {"\xc2\xb7t", 0, "this character is not used"},
};

static void test_faults(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(wrong); ++c) {
        OndArena arena = {NULL};
        OndError err = {0};
        int place = -1;
        assert_null(ond_expression_parse(&arena, wrong[c].text, OND_OF_TIME, &place, &err));
        CHECK_SAYS(err.text, wrong[c].says, wrong[c].text);
        CHECK_NEAR(place, wrong[c].place, 0, wrong[c].text);
        ond_arena_free(&arena);
    }
}

static void test_of_a_place(void **state)
{
    (void)state;
    OndArena arena = {NULL};
    OndError err = {0};
    const OndVec at = {0.5, -2, 3};
    const OndExpression *e =
        ond_expression_parse(&arena, "sin(pi*x)*y^2 - z/x", OND_OF_PLACE, NULL, &err);
    if (!e) fail_msg("%s", err.text);
    CHECK_NEAR(ond_expression_there(e, at), 4 - 6, 1e-14, "sin(pi/2) 4 - 3 / 0.5");
    assert_true(ond_expression_varies(e));
    assert_null(ond_expression_parse(&arena, "2*t", OND_OF_PLACE, NULL, &err));
    CHECK_SAYS(err.text, "'t' is not known; it may be x, y, z, pi, or a function", "of time");
    ond_arena_free(&arena);
}

// Nested or long beyond reason: refused, not a crash; as deep as is taken: right.
static void test_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *open, *inside, *close;
        int times;
        bool taken;
    } cases[] = {
        {"(", "t", ")", 40, true},
        {"(", "t", ")", 100000, false},
        {"-", "t", "", 40, true},
        {"-", "t", "", 100000, false},
        {"clamp(1+2*t^", "t", ",t,t)", 20, true},
        {"clamp(t,t,1+2*", "t", ")", 40, true},
        {"1+t*2^", "1", "", 40, true},
        {"t+", "t", "", 200, true},
        {"t+", "t", "", 100000, false},
        {"sin(", "t", ")", 40, true},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const size_t room =
            (strlen(cases[c].open) + strlen(cases[c].close)) * (size_t)cases[c].times + 16;
        char *text = calloc(1, room), *at = text;
        for (int k = 0; k < cases[c].times; ++k)
            at += sprintf(at, "%s", cases[c].open);
        at += sprintf(at, "%s", cases[c].inside);
        for (int k = 0; k < cases[c].times; ++k)
            at += sprintf(at, "%s", cases[c].close);
        OndArena arena = {NULL};
        OndError err = {0};
        const OndExpression *e = ond_expression_parse(&arena, text, OND_OF_TIME, NULL, &err);
        CHECK_NEAR(e != NULL, cases[c].taken, 0, cases[c].open);
        if (e) ond_expression_at(e, 0.7);
        ond_arena_free(&arena);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_rates),
        cmocka_unit_test(test_faults), cmocka_unit_test(test_of_a_place),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

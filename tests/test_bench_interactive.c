// SPDX-License-Identifier: MIT
// ondine bench interactive: rows for water, wax and smoke, in both forms, with a budget that leaves little of them.
#include "base/memory.h"
#include "command.h"

// The number after a key, from a place on.
static double number(const char *from, const char *key)
{
    const char *const at = from ? strstr(from, key) : NULL;
    if (!at) fail_msg("there is no %s", key);
    return at ? atof(at + strlen(key)) : 0.0;
}

static void test_markdown(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    if (ondine("bench interactive --budget 0.1 --scene 2d-10k --scene smoke-64", text) != 0)
        fail_msg("%s", text);
    CHECK_SAYS(text, "\n| 2d-10k | 9831 | 14.7 | ", "water");
    CHECK_SAYS(text, "\n| smoke-64 | 262144 | 3.2 | ", "cells");
    CHECK_SAYS(text, " * | ", "the budget was told");
    assert_null(strstr(text, "3d-10k"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

static void test_json(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    if (ondine("bench interactive --json --budget 0.1 --scene melt-3k --scene 3d-10k", text) != 0)
        fail_msg("%s", text);
    const char *const melt = strstr(text, "{\"row\":\"melt-3k\",");
    const char *const water = strstr(text, "{\"row\":\"3d-10k\",");
    assert_true(water && melt && water < melt);
    CHECK_NEAR(number(water, "\"particles\":"), 10000, 1000, "particles");
    CHECK_NEAR(number(melt, "\"particles\":"), 3000, 500, "particles");
    assert_true(number(melt, "\"steps\":") > 0 && number(melt, "\"pictures\":") > 0);
    assert_true(number(melt, "\"real_time\":") > 0);
    CHECK_NEAR(number(melt, "\"simulated_s\":"), number(melt, "\"pictures\":") / 60, 0.05,
               "pictures are sixtieths");
}

static void test_wrong(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    assert_int_equal(ondine("bench interactive --scene 4d-10k", text), 2);
    CHECK_SAYS(text, "4d-10k", "no such row");
    assert_int_equal(ondine("bench interactive --solver global", text), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

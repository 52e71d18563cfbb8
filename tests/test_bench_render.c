// SPDX-License-Identifier: MIT
// ctest: slow
// ondine bench render: a film's picture is told phase by phase, and the phases are all of it.
#include "command.h"

static double number(const char *from, const char *key)
{
    const char *const at = from ? strstr(from, key) : NULL;
    if (!at) fail_msg("there is no %s", key);
    return at ? atof(at + strlen(key)) : 0.0;
}

static void test_films(void **state)
{
    static const char *const phases[] = {"\"surface_ms\":", "\"tree_ms\":",   "\"ground_ms\":",
                                         "\"paths_ms\":",   "\"filter_ms\":", "\"develop_ms\":"};
    static char text[TEXT_ROOM];
    if (ondine("bench render --quick --json --scenes " OND_SOURCE_DIR "/scenes", text) != 0)
        fail_msg("%s", text);
    const char *const row = strstr(text, "\"films\":[{\"scene\":\"melting-letters\"");
    const double wall = number(row, "\"wall_ms\":");
    const char *const encode = strstr(row, "\"encode_ms\":");
    double sum = encode ? number(row, "\"encode_ms\":") : 0.0;
    for (int k = 0; k < 6; ++k) {
        assert_true(number(row, phases[k]) > 0.0);
        sum += number(row, phases[k]);
    }
    assert_true(number(row, "\"particles\":") > 100.0);
    assert_true(sum > 0.7 * wall && sum <= 1.01 * wall);
    assert_true(number(row, "\"cpu_ms\":") > 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_films)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

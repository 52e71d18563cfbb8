// SPDX-License-Identifier: MIT
// ctest: slow
// ondine bench smoke: a row for the plume and one for each way of carrying, in both forms; and the
// promises that do not hang on the machine.
#include "base/memory.h"
#include "command.h"

static const char *const ways[][2] = {{"linear", "taylor"},
                                      {"maccormack", "taylor"},
                                      {"cubic", "taylor"},
                                      {"cubic", "rk2"},
                                      {"cubic", "rk3"}};

static void test_markdown(void **state)
{
    static char text[TEXT_ROOM];
    if (ondine("bench smoke --quick", text) != 0) fail_msg("%s", text);
    CHECK_SAYS(text, "\n| 64^3 | ", "plume");
    CHECK_SAYS(text, " advect ms |", "phases");
    for (int k = 0; k < OND_COUNT(ways); ++k) {
        char row[64];
        snprintf(row, sizeof row, "\n| %s | %s | ", ways[k][0], ways[k][1]);
        CHECK_SAYS(text, row, ways[k][0]);
    }
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

// The number after a key, from a place on.
static double number(const char *from, const char *key)
{
    const char *const at = from ? strstr(from, key) : NULL;
    if (!at) fail_msg("there is no %s", key);
    return at ? atof(at + strlen(key)) : 0.0;
}

static void test_json(void **state)
{
    static char text[TEXT_ROOM];
    double disc[OND_COUNT(ways)];
    if (ondine("bench smoke --quick --json", text) != 0) fail_msg("%s", text);
    const char *const plume = strstr(text, "{\"case\":\"64^3\",\"ms\":");
    CHECK_NEAR(number(plume, "\"bytes_per_cell\":") <= 60.0, 1, 0, "at most 60 bytes a cell");
    CHECK_NEAR(number(plume, "\"advect_ms\":") > 0.0, 1, 0, "phases");
    for (int k = 0; k < OND_COUNT(ways); ++k) {
        char key[128];
        snprintf(key, sizeof key, "{\"case\":\"scheme\",\"advection\":\"%s\",\"trace\":\"%s\",",
                 ways[k][0], ways[k][1]);
        const char *const row = strstr(text, key);
        disc[k] = number(row, "\"disc_error\":");
        CHECK_NEAR(number(row, "\"disc_area\":"), 582.207, 12, "area");
        CHECK_NEAR(number(row, "\"cavity_100_error\":"), 0, 0.1, "cavity");
        assert_true(number(row, "\"core_ns_per_cell\":") > 0.0);
    }
    CHECK_NEAR(disc[1] < 0.8 * disc[0], 1, 0, "maccormack is better than linear");
    CHECK_NEAR(disc[2] < 0.6 * disc[1], 1, 0, "cubic is better still");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_markdown),
                                       cmocka_unit_test(test_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

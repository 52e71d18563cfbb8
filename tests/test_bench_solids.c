// SPDX-License-Identifier: MIT
// ctest: slow
// ondine bench solids: a row for each solid, in both forms.
#include "base/memory.h"
#include "command.h"

static const char *const solids[] = {"nothing", "ball", "lump of 100k triangles"};

static void test_markdown(void **state)
{
    static char text[TEXT_ROOM];
    if (ondine("bench solids --quick", text) != 0) fail_msg("%s", text);
    for (int k = 0; k < OND_COUNT(solids); ++k) {
        char row[64];
        snprintf(row, sizeof row, "\n| %s | ", solids[k]);
        CHECK_SAYS(text, row, solids[k]);
    }
    CHECK_SAYS(text, " 99224 | ", "triangles");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

static void test_json(void **state)
{
    static char text[TEXT_ROOM];
    if (ondine("bench solids --quick --json", text) != 0) fail_msg("%s", text);
    CHECK_SAYS(text, "{\"solid\":\"nothing\",\"triangles\":0,\"particles\":4096,", "without");
    CHECK_SAYS(text, "\"more_percent\":0.00}", "against itself");
    CHECK_SAYS(text, "{\"solid\":\"lump of 100k triangles\",\"triangles\":99224,", "with");
    assert_null(strstr(text, "nan"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_markdown),
                                       cmocka_unit_test(test_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

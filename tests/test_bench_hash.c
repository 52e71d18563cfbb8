// SPDX-License-Identifier: MIT
// ctest: slow
// ondine bench hash: a row for every structure and figure, in both forms; and its picture.
#include "base/memory.h"
#include "command.h"
#include "space/space.h"

static void test_rows(void **state)
{
    static const struct {
        const char *args, *row;
    } cases[] = {
        {"bench hash --quick", "| %2$s |"},
        {"bench hash --quick --json", "{\"figure\":\"%1$s\",\"structure\":\"%2$s\",\"objects\":"},
    };
    static const char *const figures[] = {"2.4", "2.6", "2.9"};
    static char text[TEXT_ROOM];
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        // it fails when two structures answer differently
        if (ondine(cases[c].args, text) != 0) fail_msg("%s", text);
        for (int f = 0; f < OND_COUNT(figures); ++f)
            for (int k = 0; k < OND_SPACE_KINDS; ++k) {
                char row[128];
                snprintf(row, sizeof row, cases[c].row, figures[f],
                         ond_space_name((OndSpaceKind)k));
                CHECK_SAYS(text, row, figures[f]);
            }
        CHECK_SAYS(text, "lists, sorted", cases[c].args);
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
    }
}

static void test_picture(void **state)
{
    static char text[TEXT_ROOM];
    if (ondine("bench hash --picture cells.png", text) != 0) fail_msg("%s", text);
    assert_true(exists("cells.png"));
    assert_int_equal(ondine("bench hash --picture no/such/folder/cells.png", text), 1);
    assert_int_equal(ondine("bench sph --picture cells.png", text), 2);
    CHECK_SAYS(text, "--picture is an option of `bench hash`", "another bench");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test_setup_teardown(test_picture, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// ctest: slow
// ondine bench surface: a row for every field, in both forms.
#include "base/memory.h"
#include "command.h"
#include "surface/fields/field.h"

static void test_rows(void **state)
{
    static const struct {
        const char *args, *row;
    } cases[] = {
        {"bench surface --quick --threads 1", "\n| %s | 9"},
        {"bench surface --quick --threads 1 --json", "{\"field\":\"%s\",\"particles\":9"},
    };
    static char text[TEXT_ROOM];
    int count;
    const OndFieldKind *const *kind = ond_field_kinds(&count);
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        if (ondine(cases[c].args, text) != 0) fail_msg("%s", text);
        for (int k = 0; k < count; ++k) {
            char row[128];
            snprintf(row, sizeof row, cases[c].row, kind[k]->name);
            CHECK_SAYS(text, row, kind[k]->name);
        }
        assert_null(strstr(text, "error"));
        assert_null(strstr(text, "nan"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// ctest: slow
// ondine bench poisson: two rows for every solver and case, in both forms.
#include "base/memory.h"
#include "command.h"
#include "grid/solvers/solver.h"

static void test_rows(void **state)
{
    static const char *const args[] = {"bench poisson --quick", "bench poisson --quick --json"};
    static const char *const names[] = {"256^2-empty", "256^2-sphere", "64^3-empty", "64^3-sphere"};
    static char text[TEXT_ROOM];
    for (int c = 0; c < OND_COUNT(args); ++c) {
        if (ondine(args[c], text) != 0) fail_msg("%s", text);
        for (int k = 0; k < OND_COUNT(names); ++k)
            for (const char *const *solver = ond_solver_names(); *solver; ++solver)
                for (int t = 0; t < 2; ++t) {
                    char row[128];
                    if (c == 0)
                        snprintf(row, sizeof row, "\n| %s | %s | 1e-0%d | ", names[k], *solver,
                                 t ? 6 : 3);
                    else
                        snprintf(row, sizeof row,
                                 "{\"case\":\"%s\",\"solver\":\"%s\",\"tolerance\":%s,", names[k],
                                 *solver, t ? "1e-06" : "0.001");
                    CHECK_SAYS(text, row, *solver);
                }
        assert_null(strstr(text, "nan"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

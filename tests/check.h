// SPDX-License-Identifier: MIT
// cmocka, plus checks that print the values when they fail.
#ifndef OND_TESTS_CHECK_H
#define OND_TESTS_CHECK_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// |got - want| <= within, or a failure that shows all three.
#define CHECK_NEAR(got, want, within, what)                                                        \
    do {                                                                                           \
        const double check_got = (got), check_want = (want), check_within = (within);              \
        if (!(fabs(check_got - check_want) <= check_within))                                       \
            fail_msg("%s: got %.9g, want %.9g within %.3g (off by %.3g)", (what), check_got,       \
                     check_want, check_within, fabs(check_got - check_want));                      \
    } while (0)

/// `text` contains `part`.
#define CHECK_SAYS(text, part, what)                                                               \
    do {                                                                                           \
        if (!strstr((text), (part)))                                                               \
            fail_msg("%s: expected \"%s\" in:\n%s", (what), (part), (text));                       \
    } while (0)

/// Runs all of `tests` or, with arguments K and N, the Kth of N alone, counted from 1: how ctest runs
/// the cases of a long test at once. N is what the line "// ctest cases:" at the top of the file says.
static inline int run_cases(const char *name, const struct CMUnitTest *tests, int count, int argc,
                            char **argv)
{
    int failed = 0;
    const int only = argc > 1 ? atoi(argv[1]) : 0, said = argc > 2 ? atoi(argv[2]) : count;
    if (only < 0 || only > count || said != count) {
        fprintf(stderr, "%s has %d cases, not %d; there is no case %d\n", name, count, said, only);
        return 2;
    }
    for (int k = 0; k < count; ++k) {
        const struct CMUnitTest one[] = {tests[k]};
        if (only == 0 || k == only - 1)
            failed += cmocka_run_group_tests_name(name, one, NULL, NULL);
    }
    return failed;
}

#endif

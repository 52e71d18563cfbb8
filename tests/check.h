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

#endif

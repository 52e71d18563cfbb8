// SPDX-License-Identifier: MIT
// Formulas of time that people write in scenes: "0.1*sin(2*pi*t)".
//
// Numbers, t, pi, + - * / ^ (from the right), minus, parentheses, and the functions sin cos tan
// asin acos atan atan2(y, x) sqrt abs exp log min max floor mod(x, m) step(edge, x)
// smoothstep(from, to, x) clamp(x, low, high). Angles are in radians.
//
// A formula is asked for its value and its rate of change at once: every operation carries both
// (dual numbers), so a velocity is as exact as the place.
#ifndef OND_BASE_EXPRESSION_H
#define OND_BASE_EXPRESSION_H

#include "base/memory.h"

#include <ondine/error.h>
#include <stdbool.h>

typedef struct OndExpression OndExpression;

typedef struct OndDual {
    double value;
    double rate; ///< d value / dt
} OndDual;

/// Lives in `arena`. NULL when the text is no formula: `err` says what is wrong and where, and
/// `place` (may be NULL) gets the character it is at, from 0.
const OndExpression *ond_expression_parse(OndArena *arena, const char *text, int *place,
                                          OndError *err);

/// Never fails: what has no value (log(-1), 1/0) is not finite.
OndDual ond_expression_at(const OndExpression *expression, double t);

/// Whether t stands in it.
bool ond_expression_varies(const OndExpression *expression);

#endif

// SPDX-License-Identifier: MIT
// Formulas that people write in scenes: of time, "0.1*sin(2*pi*t)", or of a place, "sin(pi*x)*y".
//
// Numbers, the variables, pi, + - * / ^ (from the right), minus, parentheses, and the functions sin
// cos tan asin acos atan atan2(y, x) sinh cosh tanh sqrt abs exp log min max floor mod(x, m)
// step(edge, x) smoothstep(from, to, x) clamp(x, low, high). Angles are in radians.
//
// A formula of time is asked for its value and its rate of change at once: every operation carries
// both (dual numbers), so a velocity is as exact as the place.
#ifndef OND_BASE_EXPRESSION_H
#define OND_BASE_EXPRESSION_H

#include "base/dual.h"
#include "base/memory.h"
#include "base/vec.h"

#include <ondine/error.h>
#include <stdbool.h>

typedef struct OndExpression OndExpression;

/// What a formula may speak of: the letters are the names of its variables.
#define OND_OF_TIME  "t"
#define OND_OF_PLACE "xyz"

/// Lives in `arena`. NULL when the text is no formula of `variables` (OND_OF_TIME or OND_OF_PLACE):
/// `err` says what is wrong and where, and `place` (may be NULL) gets the character it is at, from
/// 0.
const OndExpression *ond_expression_parse(OndArena *arena, const char *text, const char *variables,
                                          int *place, OndError *err);

/// A formula of time. Never fails: what has no value (log(-1), 1/0) is not finite.
OndDual ond_expression_at(const OndExpression *expression, double t);
/// A formula of place, likewise.
double ond_expression_there(const OndExpression *expression, OndVec place);

/// Whether a variable stands in it.
bool ond_expression_varies(const OndExpression *expression);

#endif

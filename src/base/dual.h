// SPDX-License-Identifier: MIT
// Dual numbers: a value and its rate of change, which every operation carries along (automatic
// differentiation, forward).
#ifndef OND_BASE_DUAL_H
#define OND_BASE_DUAL_H

#include <math.h>

typedef struct OndDual {
    double value;
    double rate; ///< d value / dt
} OndDual;

/// A function that formulas know by name.
typedef struct OndDualFunction {
    const char *name;
    int arguments;
    OndDual (*at)(const OndDual *x);
} OndDualFunction;

#define OND_DUAL_FUNCTIONS 21
extern const OndDualFunction ond_dual_functions[OND_DUAL_FUNCTIONS];

static inline OndDual ond_dual_make(double value, double rate)
{
    const OndDual d = {value, rate};
    return d;
}

// f(a) whose slope is `slope`; what stands still has no rate, however steep the function.
static inline OndDual ond_dual_chain(double value, double slope, OndDual a)
{
    return ond_dual_make(value, a.rate == 0.0 ? 0.0 : slope * a.rate);
}

static inline OndDual ond_dual_multiply(OndDual a, OndDual b)
{
    return ond_dual_make(a.value * b.value, a.rate * b.value + a.value * b.rate);
}

static inline OndDual ond_dual_divide(OndDual a, OndDual b)
{
    return ond_dual_make(a.value / b.value,
                         (a.rate * b.value - a.value * b.rate) / (b.value * b.value));
}

static inline OndDual ond_dual_power(OndDual a, OndDual b)
{
    const double value = pow(a.value, b.value);
    const double base = a.rate == 0.0 ? 0.0 : b.value * pow(a.value, b.value - 1.0) * a.rate;
    return ond_dual_make(value, b.rate == 0.0 ? base : base + value * log(a.value) * b.rate);
}

#endif

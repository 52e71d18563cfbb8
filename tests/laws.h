// SPDX-License-Identifier: MIT
// Laws against the obvious formula in double, over random arguments.
//
// A list of laws has one line each:
//
//     X(name, the law's call, the formula, what its error is measured by, ranges of a, b, ...)
//
// Arguments are a to h, floats for the law and the same numbers as doubles for the formula. Errors
// are measured by `want`, the formula's own value, unless terms may cancel. Every number of a call
// is rounded to 6e-8; LAW_ROUNDING allows for a dozen of them. tests/cuda_laws.cu expands the same
// lists, and compares a GPU's results with a processor's.
#ifndef OND_TESTS_LAWS_H
#define OND_TESTS_LAWS_H

#include "base/random.h"
#include "check.h"

#include <stdbool.h>

#define LAW_ROUNDS   2000
#define LAW_ROUNDING 1e-6

typedef struct Law {
    const char *name;
    double (*law)(float, float, float, float, float, float, float, float);
    double (*formula)(double, double, double, double, double, double, double, double);
    double (*size)(double, double, double, double, double, double, double, double, double);
    float range[16]; // low and high of each argument
} Law;

#define LAW_FLOATS  float a, float b, float c, float d, float e, float f, float g, float h
#define LAW_DOUBLES double a, double b, double c, double d, double e, double f, double g, double h

#define LAW_FUNCTIONS(name, call, formula, size, ...)                                              \
    static double law_##name(LAW_FLOATS)                                                           \
    {                                                                                              \
        return (double)(call);                                                                     \
    }                                                                                              \
    static double formula_##name(LAW_DOUBLES)                                                      \
    {                                                                                              \
        return formula;                                                                            \
    }                                                                                              \
    static double size_##name(double want, LAW_DOUBLES)                                            \
    {                                                                                              \
        return size;                                                                               \
    }
#define LAW_ENTRY(name, call, formula, size, ...)                                                  \
    {#name, law_##name, formula_##name, size_##name, {__VA_ARGS__}},

static inline void check_law(const Law *law, int round)
{
    float x[8];
    double y[8];
    char text[400];
    for (int k = 0; k < 8; ++k) {
        const float low = law->range[2 * k], high = law->range[2 * k + 1];
        x[k] = low + (high - low) * ond_random((uint64_t)round, (uint64_t)k);
        y[k] = (double)x[k];
    }
    const double got = law->law(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
    const double want = law->formula(y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7]);
    const double size = law->size(want, y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7]);
    snprintf(text, sizeof text, "%s(%.9g, %.9g, %.9g, %.9g, %.9g, %.9g, %.9g, %.9g)", law->name,
             y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7]);
    CHECK_NEAR(got, want, LAW_ROUNDING * fabs(size) + 1e-37, text);
}

static inline void check_laws(const Law *law, int count)
{
    for (int k = 0; k < count; ++k)
        for (int round = 0; round < LAW_ROUNDS; ++round)
            check_law(&law[k], round);
}

#endif

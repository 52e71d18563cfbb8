// SPDX-License-Identifier: MIT
#include "base/dual.h"

static OndDual f_sin(const OndDual *x)
{
    return ond_dual_chain(sin(x->value), cos(x->value), *x);
}
static OndDual f_cos(const OndDual *x)
{
    return ond_dual_chain(cos(x->value), -sin(x->value), *x);
}
static OndDual f_tan(const OndDual *x)
{
    const double v = tan(x->value);
    return ond_dual_chain(v, 1.0 + v * v, *x);
}
static OndDual f_asin(const OndDual *x)
{
    return ond_dual_chain(asin(x->value), 1.0 / sqrt(1.0 - x->value * x->value), *x);
}
static OndDual f_acos(const OndDual *x)
{
    return ond_dual_chain(acos(x->value), -1.0 / sqrt(1.0 - x->value * x->value), *x);
}
static OndDual f_atan(const OndDual *x)
{
    return ond_dual_chain(atan(x->value), 1.0 / (1.0 + x->value * x->value), *x);
}
static OndDual f_atan2(const OndDual *x)
{
    const double y = x[0].value, c = x[1].value, square = y * y + c * c;
    return ond_dual_make(atan2(y, c), (x[0].rate * c - y * x[1].rate) / square);
}
static OndDual f_sinh(const OndDual *x)
{
    return ond_dual_chain(sinh(x->value), cosh(x->value), *x);
}
static OndDual f_cosh(const OndDual *x)
{
    return ond_dual_chain(cosh(x->value), sinh(x->value), *x);
}
static OndDual f_tanh(const OndDual *x)
{
    const double v = tanh(x->value);
    return ond_dual_chain(v, 1.0 - v * v, *x);
}
static OndDual f_sqrt(const OndDual *x)
{
    const double v = sqrt(x->value);
    return ond_dual_chain(v, 0.5 / v, *x);
}
static OndDual f_abs(const OndDual *x)
{
    return ond_dual_chain(fabs(x->value), x->value < 0.0 ? -1.0 : 1.0, *x);
}
static OndDual f_exp(const OndDual *x)
{
    return ond_dual_chain(exp(x->value), exp(x->value), *x);
}
static OndDual f_log(const OndDual *x)
{
    return ond_dual_chain(log(x->value), 1.0 / x->value, *x);
}
static OndDual f_min(const OndDual *x)
{
    return x[1].value < x[0].value ? x[1] : x[0];
}
static OndDual f_max(const OndDual *x)
{
    return x[1].value > x[0].value ? x[1] : x[0];
}
static OndDual f_floor(const OndDual *x)
{
    return ond_dual_make(floor(x->value), 0.0);
}
static OndDual f_mod(const OndDual *x)
{
    const double whole = floor(x[0].value / x[1].value);
    return ond_dual_make(x[0].value - whole * x[1].value, x[0].rate - whole * x[1].rate);
}
static OndDual f_step(const OndDual *x)
{
    return ond_dual_make(x[1].value >= x[0].value ? 1.0 : 0.0, 0.0);
}
static OndDual f_clamp(const OndDual *x)
{
    return x[0].value < x[1].value ? x[1] : x[0].value > x[2].value ? x[2] : x[0];
}
static OndDual f_smoothstep(const OndDual *x)
{
    const OndDual way = ond_dual_make(x[2].value - x[0].value, x[2].rate - x[0].rate);
    const OndDual all = ond_dual_make(x[1].value - x[0].value, x[1].rate - x[0].rate);
    const OndDual s = ond_dual_divide(way, all);
    if (s.value <= 0.0) return ond_dual_make(0.0, 0.0);
    if (s.value >= 1.0) return ond_dual_make(1.0, 0.0);
    return ond_dual_chain(s.value * s.value * (3.0 - 2.0 * s.value),
                          6.0 * s.value * (1.0 - s.value), s);
}

const OndDualFunction ond_dual_functions[OND_DUAL_FUNCTIONS] = {
    {"sin", 1, f_sin},     {"cos", 1, f_cos},     {"tan", 1, f_tan},
    {"asin", 1, f_asin},   {"acos", 1, f_acos},   {"atan", 1, f_atan},
    {"sinh", 1, f_sinh},   {"cosh", 1, f_cosh},   {"tanh", 1, f_tanh},
    {"atan2", 2, f_atan2}, {"sqrt", 1, f_sqrt},   {"abs", 1, f_abs},
    {"exp", 1, f_exp},     {"log", 1, f_log},     {"min", 2, f_min},
    {"max", 2, f_max},     {"floor", 1, f_floor}, {"mod", 2, f_mod},
    {"step", 2, f_step},   {"clamp", 3, f_clamp}, {"smoothstep", 3, f_smoothstep},
};

// SPDX-License-Identifier: MIT
// Read by recursive descent into a short program for a stack of dual numbers.
#include "base/expression.h"

#include "base/number.h"
#include "base/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PROGRAM_MAX 512                 // operations
#define DEPTH_MAX   48                  // parentheses, calls and signs inside each other
#define STACK_MAX   (5 * DEPTH_MAX + 8) // a level keeps a sum, a product and two arguments waiting
#define PI          3.14159265358979323846

typedef enum Op { NUMBER, VARIABLE, ADD, SUB, MUL, DIV, POW, NEG, CALL } Op;

typedef struct Code {
    Op op;
    int which; // function or variable
    double number;
} Code;

struct OndExpression {
    int count;
    bool varies;
    Code code[];
};

// ---- arithmetic on duals

static OndDual dual(double value, double rate)
{
    const OndDual d = {value, rate};
    return d;
}

// f(a) whose slope is `slope`; what stands still has no rate, however steep the function.
static OndDual chain(double value, double slope, OndDual a)
{
    return dual(value, a.rate == 0.0 ? 0.0 : slope * a.rate);
}

static OndDual multiply(OndDual a, OndDual b)
{
    return dual(a.value * b.value, a.rate * b.value + a.value * b.rate);
}

static OndDual divide(OndDual a, OndDual b)
{
    return dual(a.value / b.value, (a.rate * b.value - a.value * b.rate) / (b.value * b.value));
}

static OndDual power(OndDual a, OndDual b)
{
    const double value = pow(a.value, b.value);
    const double base = a.rate == 0.0 ? 0.0 : b.value * pow(a.value, b.value - 1.0) * a.rate;
    return dual(value, b.rate == 0.0 ? base : base + value * log(a.value) * b.rate);
}

static OndDual f_sin(const OndDual *x)
{
    return chain(sin(x->value), cos(x->value), *x);
}
static OndDual f_cos(const OndDual *x)
{
    return chain(cos(x->value), -sin(x->value), *x);
}
static OndDual f_tan(const OndDual *x)
{
    const double v = tan(x->value);
    return chain(v, 1.0 + v * v, *x);
}
static OndDual f_asin(const OndDual *x)
{
    return chain(asin(x->value), 1.0 / sqrt(1.0 - x->value * x->value), *x);
}
static OndDual f_acos(const OndDual *x)
{
    return chain(acos(x->value), -1.0 / sqrt(1.0 - x->value * x->value), *x);
}
static OndDual f_atan(const OndDual *x)
{
    return chain(atan(x->value), 1.0 / (1.0 + x->value * x->value), *x);
}
static OndDual f_atan2(const OndDual *x)
{
    const double y = x[0].value, c = x[1].value, square = y * y + c * c;
    return dual(atan2(y, c), (x[0].rate * c - y * x[1].rate) / square);
}
static OndDual f_sinh(const OndDual *x)
{
    return chain(sinh(x->value), cosh(x->value), *x);
}
static OndDual f_cosh(const OndDual *x)
{
    return chain(cosh(x->value), sinh(x->value), *x);
}
static OndDual f_tanh(const OndDual *x)
{
    const double v = tanh(x->value);
    return chain(v, 1.0 - v * v, *x);
}
static OndDual f_sqrt(const OndDual *x)
{
    const double v = sqrt(x->value);
    return chain(v, 0.5 / v, *x);
}
static OndDual f_abs(const OndDual *x)
{
    return chain(fabs(x->value), x->value < 0.0 ? -1.0 : 1.0, *x);
}
static OndDual f_exp(const OndDual *x)
{
    return chain(exp(x->value), exp(x->value), *x);
}
static OndDual f_log(const OndDual *x)
{
    return chain(log(x->value), 1.0 / x->value, *x);
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
    return dual(floor(x->value), 0.0);
}
static OndDual f_mod(const OndDual *x)
{
    const double whole = floor(x[0].value / x[1].value);
    return dual(x[0].value - whole * x[1].value, x[0].rate - whole * x[1].rate);
}
static OndDual f_step(const OndDual *x)
{
    return dual(x[1].value >= x[0].value ? 1.0 : 0.0, 0.0);
}
static OndDual f_clamp(const OndDual *x)
{
    return x[0].value < x[1].value ? x[1] : x[0].value > x[2].value ? x[2] : x[0];
}
static OndDual f_smoothstep(const OndDual *x)
{
    const OndDual way = dual(x[2].value - x[0].value, x[2].rate - x[0].rate);
    const OndDual all = dual(x[1].value - x[0].value, x[1].rate - x[0].rate);
    const OndDual s = divide(way, all);
    if (s.value <= 0.0) return dual(0.0, 0.0);
    if (s.value >= 1.0) return dual(1.0, 0.0);
    return chain(s.value * s.value * (3.0 - 2.0 * s.value), 6.0 * s.value * (1.0 - s.value), s);
}

static const struct {
    const char *name;
    int arguments;
    OndDual (*at)(const OndDual *x);
} functions[] = {
    {"sin", 1, f_sin},     {"cos", 1, f_cos},     {"tan", 1, f_tan},
    {"asin", 1, f_asin},   {"acos", 1, f_acos},   {"atan", 1, f_atan},
    {"sinh", 1, f_sinh},   {"cosh", 1, f_cosh},   {"tanh", 1, f_tanh},
    {"atan2", 2, f_atan2}, {"sqrt", 1, f_sqrt},   {"abs", 1, f_abs},
    {"exp", 1, f_exp},     {"log", 1, f_log},     {"min", 2, f_min},
    {"max", 2, f_max},     {"floor", 1, f_floor}, {"mod", 2, f_mod},
    {"step", 2, f_step},   {"clamp", 3, f_clamp}, {"smoothstep", 3, f_smoothstep},
};

// ---- reading

typedef struct FormulaReader {
    const char *text;
    const char *variables; // a letter each
    int at;                // character
    int depth;             // of nesting
    int count;             // operations so far
    bool varies, failed;
    int place; // of the first fault
    OndError *err;
    Code code[PROGRAM_MAX];
} FormulaReader;

#define WRONG(r, where, ...)                                                                       \
    do {                                                                                           \
        if (!(r)->failed) {                                                                        \
            char sentence[256];                                                                    \
            snprintf(sentence, sizeof sentence, __VA_ARGS__);                                      \
            fail_at(r, where, sentence);                                                           \
        }                                                                                          \
    } while (0)

static void fail_at(FormulaReader *r, int where, const char *sentence)
{
    r->failed = true;
    r->place = where;
    ond_fail(r->err, OND_BAD_VALUE, "in the formula \"%.80s\", at character %d: %s", r->text,
             where + 1, sentence);
}

// "t", or "x, y, z".
static const char *variables_of(const FormulaReader *r)
{
    return r->variables[1] ? "x, y, z" : "t";
}

static void emit(FormulaReader *r, Op op, int which, double number)
{
    if (r->count == PROGRAM_MAX) {
        WRONG(r, r->at, "it is too long: at most %d operations are taken", PROGRAM_MAX);
        return;
    }
    const Code code = {op, which, number};
    r->code[r->count++] = code;
}

static char next(FormulaReader *r)
{
    while (r->text[r->at] == ' ' || r->text[r->at] == '\t' || r->text[r->at] == '\n')
        ++r->at;
    return r->text[r->at];
}

static bool take(FormulaReader *r, char c)
{
    if (next(r) != c) return false;
    ++r->at;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void read_sum(FormulaReader *r);

static void read_number(FormulaReader *r)
{
    const int from = r->at;
    const char *const c = r->text;
    while (is_digit(c[r->at]) || c[r->at] == '.')
        ++r->at;
    if (c[r->at] == 'e' || c[r->at] == 'E') {
        const int sign = c[r->at + 1] == '+' || c[r->at + 1] == '-';
        if (is_digit(c[r->at + 1 + sign]))
            for (r->at += 1 + sign; is_digit(c[r->at]);)
                ++r->at;
    }
    char digits[64];
    double value = 0.0;
    const int length = r->at - from;
    if (length < (int)sizeof digits) {
        memcpy(digits, c + from, (size_t)length);
        digits[length] = '\0';
    }
    if (length >= (int)sizeof digits || ond_number_parse(digits, &value) != OND_NUMBER_OK)
        WRONG(r, from, "'%.*s' is no number", length < 60 ? length : 60, c + from);
    emit(r, NUMBER, 0, value);
}

static void read_arguments(FormulaReader *r, int function, int from)
{
    const int wanted = functions[function].arguments;
    if (!take(r, '(')) {
        WRONG(r, r->at, "%s needs its argument in parentheses, as in %s(%c)",
              functions[function].name, functions[function].name, r->variables[0]);
        return;
    }
    int given = 0;
    do {
        read_sum(r);
        ++given;
    } while (!r->failed && take(r, ','));
    if (!r->failed && !take(r, ')')) WRONG(r, r->at, "a ')' is missing here");
    if (given != wanted)
        WRONG(r, from, "%s takes %d argument%s, not %d", functions[function].name, wanted,
              wanted == 1 ? "" : "s", given);
    emit(r, CALL, function, 0.0);
}

static void unknown_word(FormulaReader *r, int from, const char *word)
{
    const char *names[OND_COUNT(functions) + 1];
    for (int f = 0; f < OND_COUNT(functions); ++f)
        names[f] = functions[f].name;
    names[OND_COUNT(functions)] = "pi";
    const char *const nearest = ond_word_nearest(word, names, OND_COUNT(names));
    if (nearest)
        WRONG(r, from, "'%.40s' is not known; did you mean '%s'?", word, nearest);
    else
        WRONG(r, from, "'%.40s' is not known; it may be %s, pi, or a function such as sin", word,
              variables_of(r));
}

static void read_word(FormulaReader *r)
{
    const int from = r->at;
    while (is_letter(r->text[r->at]) || is_digit(r->text[r->at]))
        ++r->at;
    char word[48];
    snprintf(word, sizeof word, "%.*s", r->at - from, r->text + from);
    const char *const variable = word[1] ? NULL : strchr(r->variables, word[0]);
    if (variable) {
        r->varies = true;
        emit(r, VARIABLE, (int)(variable - r->variables), 0.0);
        return;
    }
    if (strcmp(word, "pi") == 0) {
        emit(r, NUMBER, 0, PI);
        return;
    }
    for (int f = 0; f < OND_COUNT(functions); ++f)
        if (strcmp(word, functions[f].name) == 0) {
            read_arguments(r, f, from);
            return;
        }
    unknown_word(r, from, word);
}

static void read_atom(FormulaReader *r)
{
    const char c = next(r);
    if (is_digit(c) || c == '.') {
        read_number(r);
    } else if (is_letter(c)) {
        read_word(r);
    } else if (take(r, '(')) {
        read_sum(r);
        if (!r->failed && !take(r, ')')) WRONG(r, r->at, "a ')' is missing here");
    } else if (c == '\0') {
        WRONG(r, r->at, "it ends where a number, %s or a function should follow", variables_of(r));
    } else if (c > ' ' && c < 127) {
        WRONG(r, r->at, "'%c' cannot stand here: a number, %s or a function should", c,
              variables_of(r));
    } else {
        WRONG(r, r->at, "this character is not used in formulas");
    }
}

static void read_signed(FormulaReader *r);

static void read_power(FormulaReader *r)
{
    read_atom(r);
    if (r->failed || !take(r, '^')) return;
    read_signed(r); // from the right: 2^3^2 is 2^9
    emit(r, POW, 0, 0.0);
}

// -2^2 is -4.
static void read_signed(FormulaReader *r)
{
    if (++r->depth > DEPTH_MAX)
        WRONG(r, r->at, "it is nested more than %d deep", DEPTH_MAX);
    else if (take(r, '-')) {
        read_signed(r);
        emit(r, NEG, 0, 0.0);
    } else if (take(r, '+'))
        read_signed(r);
    else
        read_power(r);
    --r->depth;
}

static void read_product(FormulaReader *r)
{
    read_signed(r);
    while (!r->failed) {
        const char c = next(r);
        if (c != '*' && c != '/') return;
        ++r->at;
        read_signed(r);
        emit(r, c == '*' ? MUL : DIV, 0, 0.0);
    }
}

static void read_sum(FormulaReader *r)
{
    read_product(r);
    while (!r->failed) {
        const char c = next(r);
        if (c != '+' && c != '-') return;
        ++r->at;
        read_product(r);
        emit(r, c == '+' ? ADD : SUB, 0, 0.0);
    }
}

const OndExpression *ond_expression_parse(OndArena *arena, const char *text, const char *variables,
                                          int *place, OndError *err)
{
    FormulaReader r = {.text = text, .variables = variables, .err = err};
    read_sum(&r);
    if (!r.failed && next(&r) != '\0')
        WRONG(&r, r.at, "something follows that does not belong to it: '%.20s'", text + r.at);
    if (place) *place = r.place;
    if (r.failed) return NULL;
    OndExpression *const e = ond_arena_take(arena, sizeof *e + (size_t)r.count * sizeof e->code[0]);
    if (!e) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a formula");
        return NULL;
    }
    e->count = r.count;
    e->varies = r.varies;
    memcpy(e->code, r.code, (size_t)r.count * sizeof e->code[0]);
    return e;
}

// ---- asking

static void run_code(const Code *c, const OndDual *variable, OndDual *stack, int *top)
{
    OndDual *const x = stack + *top; // behind the last value
    switch (c->op) {
    case NUMBER:
    case VARIABLE:
        x[0] = c->op == VARIABLE ? variable[c->which] : dual(c->number, 0.0);
        ++*top;
        return;
    case NEG:
        x[-1] = dual(-x[-1].value, -x[-1].rate);
        return;
    case CALL:
        *top -= functions[c->which].arguments - 1;
        stack[*top - 1] = functions[c->which].at(stack + *top - 1);
        return;
    case ADD:
        x[-2] = dual(x[-2].value + x[-1].value, x[-2].rate + x[-1].rate);
        break;
    case SUB:
        x[-2] = dual(x[-2].value - x[-1].value, x[-2].rate - x[-1].rate);
        break;
    case MUL:
        x[-2] = multiply(x[-2], x[-1]);
        break;
    case DIV:
        x[-2] = divide(x[-2], x[-1]);
        break;
    case POW:
        x[-2] = power(x[-2], x[-1]);
        break;
    }
    --*top;
}

static OndDual run(const OndExpression *e, const OndDual *variable)
{
    OndDual stack[STACK_MAX];
    int top = 0;
    for (int k = 0; k < e->count; ++k)
        run_code(&e->code[k], variable, stack, &top);
    return stack[0];
}

OndDual ond_expression_at(const OndExpression *e, double t)
{
    const OndDual time = {t, 1.0};
    return run(e, &time);
}

double ond_expression_there(const OndExpression *e, OndVec place)
{
    const OndDual at[3] = {{place.x, 0.0}, {place.y, 0.0}, {place.z, 0.0}};
    return run(e, at).value;
}

bool ond_expression_varies(const OndExpression *e)
{
    return e->varies;
}

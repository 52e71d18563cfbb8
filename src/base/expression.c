// SPDX-License-Identifier: MIT
// Read by recursive descent into a short program for a stack of dual numbers.
#include "base/expression.h"

#include "base/number.h"
#include "base/words.h"

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
    const int wanted = ond_dual_functions[function].arguments;
    if (!take(r, '(')) {
        WRONG(r, r->at, "%s needs its argument in parentheses, as in %s(%c)",
              ond_dual_functions[function].name, ond_dual_functions[function].name,
              r->variables[0]);
        return;
    }
    int given = 0;
    do {
        read_sum(r);
        ++given;
    } while (!r->failed && take(r, ','));
    if (!r->failed && !take(r, ')')) WRONG(r, r->at, "a ')' is missing here");
    if (given != wanted)
        WRONG(r, from, "%s takes %d argument%s, not %d", ond_dual_functions[function].name, wanted,
              wanted == 1 ? "" : "s", given);
    emit(r, CALL, function, 0.0);
}

static void unknown_word(FormulaReader *r, int from, const char *word)
{
    const char *names[OND_DUAL_FUNCTIONS + 1];
    for (int f = 0; f < OND_DUAL_FUNCTIONS; ++f)
        names[f] = ond_dual_functions[f].name;
    names[OND_DUAL_FUNCTIONS] = "pi";
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
    for (int f = 0; f < OND_DUAL_FUNCTIONS; ++f)
        if (strcmp(word, ond_dual_functions[f].name) == 0) {
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
        x[0] = c->op == VARIABLE ? variable[c->which] : ond_dual_make(c->number, 0.0);
        ++*top;
        return;
    case NEG:
        x[-1] = ond_dual_make(-x[-1].value, -x[-1].rate);
        return;
    case CALL:
        *top -= ond_dual_functions[c->which].arguments - 1;
        stack[*top - 1] = ond_dual_functions[c->which].at(stack + *top - 1);
        return;
    case ADD:
        x[-2] = ond_dual_make(x[-2].value + x[-1].value, x[-2].rate + x[-1].rate);
        break;
    case SUB:
        x[-2] = ond_dual_make(x[-2].value - x[-1].value, x[-2].rate - x[-1].rate);
        break;
    case MUL:
        x[-2] = ond_dual_multiply(x[-2], x[-1]);
        break;
    case DIV:
        x[-2] = ond_dual_divide(x[-2], x[-1]);
        break;
    case POW:
        x[-2] = ond_dual_power(x[-2], x[-1]);
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

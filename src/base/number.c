// SPDX-License-Identifier: MIT
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 120 // characters; more digits than any double needs

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int digits(const char *text)
{
    int n = 0;
    while (is_digit(text[n]))
        ++n;
    return n;
}

// Length of the longest number at the start of `text`; 0 when there is none. `point` gets the index
// of the decimal point, or -1.
static int number_length(const char *text, int *point)
{
    int at = *text == '-' || *text == '+';
    int count = digits(text + at);
    at += count;
    *point = -1;
    if (text[at] == '.') {
        const int after = digits(text + at + 1);
        if (count + after == 0) return 0;
        *point = at;
        at += 1 + after;
        count += after;
    }
    if (count == 0) return 0;
    if (text[at] == 'e' || text[at] == 'E') {
        const int sign = text[at + 1] == '-' || text[at + 1] == '+';
        const int power = digits(text + at + 1 + sign);
        if (power) at += 1 + sign + power;
    }
    return at;
}

static bool names_no_number(const char *text)
{
    static const char *const names[] = {"nan", "inf", "infinity"};
    if (*text == '-' || *text == '+') ++text;
    if (*text == '.') ++text;
    for (int n = 0; n < 3; ++n) {
        size_t i = 0;
        while (names[n][i] && (text[i] | 0x20) == names[n][i])
            ++i;
        if (names[n][i] == '\0' && text[i] == '\0') return true;
    }
    return false;
}

// strtod wants the decimal point of the locale, which a host program may have changed.
static double convert(const char *text, int length, int point)
{
    const struct lconv *const here = localeconv();
    const char *const mark = here && here->decimal_point ? here->decimal_point : ".";
    const size_t mark_length = strlen(mark);
    char copy[LONGEST + 16];
    if (point < 0 || mark_length > 15) {
        memcpy(copy, text, (size_t)length);
        copy[length] = '\0';
    } else {
        memcpy(copy, text, (size_t)point);
        memcpy(copy + point, mark, mark_length);
        memcpy(copy + point + mark_length, text + point + 1, (size_t)(length - point - 1));
        copy[(size_t)length - 1 + mark_length] = '\0';
    }
    return strtod(copy, NULL);
}

OndNumberFault ond_number_parse(const char *text, double *out)
{
    int point = -1;
    const int length = number_length(text, &point);
    if (length == 0) return names_no_number(text) ? OND_NUMBER_NOT_FINITE : OND_NUMBER_NOT;
    if (text[length] != '\0') return OND_NUMBER_TAIL;
    if (length > LONGEST) return OND_NUMBER_NOT;
    *out = convert(text, length, point);
    return isfinite(*out) ? OND_NUMBER_OK : OND_NUMBER_NOT_FINITE;
}

void ond_bytes_text(double bytes, char out[OND_BYTES_TEXT])
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    int k = 0;
    for (; k < 6 && bytes >= 999.5; ++k) // 999.6 would be written as 1e+03
        bytes *= 1e-3;
    snprintf(out, OND_BYTES_TEXT, "%.3g %s", bytes, unit[k]);
}

// SPDX-License-Identifier: MIT
#include <ondine/error.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

OndStatus ond_fail(OndError *err, OndStatus status, const char *format, ...)
{
    if (!err) return status;
    err->status = status;
    err->told = 1;
    err->untold = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return status;
}

// The length of the first failures of a text. Each begins a line; lines of the scene that it shows
// are indented.
static size_t length_of(const char *text, int failures)
{
    const char *end = text;
    for (int k = 0; k < failures && *end; ++k)
        do
            end += 1 + strcspn(end + 1, "\n");
        while (end[0] && end[1] == ' ');
    return (size_t)(end - text);
}

static void append(OndError *all, const OndError *one)
{
    const int room = OND_ERRORS_MAX - all->told, taken = one->told < room ? one->told : room;
    const size_t used = strlen(all->text), length = length_of(one->text, taken);
    const bool fits = taken > 0 && used + length + 2 <= sizeof all->text;
    all->untold += one->told + one->untold - (fits ? taken : 0);
    if (!fits) return;
    all->text[used] = '\n';
    memcpy(all->text + used + 1, one->text, length);
    all->text[used + 1 + length] = '\0';
    all->told += taken;
}

void ond_error_add(OndError *all, OndError *one)
{
    if (one->status == OND_OK) return;
    if (all && all->status == OND_OK)
        *all = *one;
    else if (all && !strstr(all->text, one->text)) // an alias repeats the mistakes of its anchor
        append(all, one);
    one->status = OND_OK;
}

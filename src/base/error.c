// SPDX-License-Identifier: MIT
#include <ondine/error.h>

#include <stdarg.h>
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

static void append(OndError *all, const OndError *one)
{
    const size_t used = strlen(all->text), length = strlen(one->text);
    if (all->told >= OND_ERRORS_MAX || used + length + 2 > sizeof all->text) {
        all->untold += one->told;
        return;
    }
    all->text[used] = '\n';
    memcpy(all->text + used + 1, one->text, length + 1);
    all->told += one->told;
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

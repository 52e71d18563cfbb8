// SPDX-License-Identifier: MIT
#include <ondine/error.h>

#include <stdarg.h>
#include <stdio.h>

OndStatus ond_fail(OndError *err, OndStatus status, const char *format, ...)
{
    if (!err) return status;
    err->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return status;
}

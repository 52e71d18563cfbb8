// SPDX-License-Identifier: MIT
#include "app/cli_values.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

bool ond_cli_numbers(const char *text, const char *marks, double *out, int count)
{
    char part[64];
    for (int k = 0; k < count; ++k) {
        const size_t length = strcspn(text, marks);
        if (length == 0 || length >= sizeof part) return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (ond_number_parse(part, &out[k]) != OND_NUMBER_OK) return false;
        text += length;
        if ((*text == '\0') != (k == count - 1)) return false;
        if (*text) ++text;
    }
    return true;
}

OndStatus ond_parse_frames(const OndOpt *opt, const char *text, OndError *err)
{
    int *frames = opt->target;
    double at[2];
    const bool one = ond_cli_numbers(text, "-", at, 1);
    if (one) at[1] = at[0];
    if ((!one && !ond_cli_numbers(text, "-", at, 2)) ||
        !(at[0] >= 0 && at[1] >= at[0] && at[1] <= 1e9) || at[0] != floor(at[0]) ||
        at[1] != floor(at[1]))
        return ond_fail(err, OND_BAD_VALUE, "%s takes a frame or two as in 10-20, not '%s'",
                        opt->name, text);
    frames[0] = (int)at[0];
    frames[1] = (int)at[1];
    return OND_OK;
}

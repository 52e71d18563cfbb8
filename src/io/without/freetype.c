// SPDX-License-Identifier: MIT
#include "io/text_freetype.h"

OndStatus ond_text_outline(const char *text, const char *font, OndOutline *out, OndError *err)
{
    (void)font;
    *out = (OndOutline){0};
    return ond_fail(err, OND_MISSING,
                    "'%.60s': this build has no letters; install libfreetype-dev and build again",
                    text);
}

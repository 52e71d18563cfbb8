// SPDX-License-Identifier: MIT
#include "geom/outline.h"

#include "base/memory.h"

void ond_outline_free(OndOutline *outline)
{
    const OndOutline empty = {0};
    ond_free(outline->point);
    ond_free(outline->loop_end);
    *outline = empty;
}

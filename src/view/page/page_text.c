// SPDX-License-Identifier: MIT
// Letters as outlines of the browser's own fonts, traced by the page's JavaScript (web/src/letters.js).
//
// They come as one block: the number of loops, how many points each has, then x and y of all.
#include "base/memory.h"
#include "io/text_freetype.h"

#include <emscripten.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A block from malloc; 0 where there is no ink.
EM_JS(void *, page_letters, (const char *text, const char *font),
      { return Module.ondine.letters(UTF8ToString(text), UTF8ToString(font)); });

static OndStatus copy(const char *block, OndOutline *out)
{
    int32_t loops, points = 0;
    memcpy(&loops, block, sizeof loops);
    const int32_t *const count = (const int32_t *)(const void *)(block + sizeof loops);
    out->loop_end = OND_NEW_ARRAY(int, loops);
    if (!out->loop_end) return OND_NO_MEMORY;
    for (int k = 0; k < loops; ++k)
        out->loop_end[k] = points += count[k];
    out->point = OND_NEW_ARRAY(float, 2 * (size_t)points);
    if (!out->point) return OND_NO_MEMORY;
    memcpy(out->point, count + loops, 2 * sizeof(float) * (size_t)points);
    out->loop_count = loops;
    out->point_count = points;
    return OND_OK;
}

OndStatus ond_text_outline(const char *text, const char *font, OndOutline *out, OndError *err)
{
    *out = (OndOutline){0};
    char *const block = page_letters(text, font ? font : "");
    if (!block)
        return ond_fail(err, OND_BAD_VALUE, "'%.60s' has no letters that can be seen", text);
    const OndStatus status = copy(block, out);
    free(block);
    if (status == OND_OK) return OND_OK;
    ond_outline_free(out);
    return ond_fail(err, status, "no memory for the letters of '%.60s'", text);
}

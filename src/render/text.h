// SPDX-License-Identifier: MIT
// Small clean text in pictures, by FreeType. Without a font there is no text and no failure: a
// picture without words is better than none.
#ifndef OND_RENDER_TEXT_H
#define OND_RENDER_TEXT_H

#include "render/image.h"

typedef struct OndText OndText;

/// Opens a font: the file `path`, or DejaVu Sans where systems keep it when `path` is NULL. NULL
/// when none opens.
OndText *ond_text_open(const char *path);
void ond_text_close(OndText *text);

/// How wide `words` (UTF-8) is at a size in pixels. 0 without a font.
float ond_text_width(OndText *text, float size, const char *words);

/// Writes so that the first letter begins at x and stands on the line y. `rgb` is sRGB; `alpha` in
/// [0, 1].
void ond_text_draw(OndText *text, OndImage *image, float x, float y, float size, const char *words,
                   const uint8_t rgb[3], float alpha);

#endif

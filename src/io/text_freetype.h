// SPDX-License-Identifier: MIT
// Letters as outlines, read from fonts with FreeType.
#ifndef OND_IO_TEXT_FREETYPE_H
#define OND_IO_TEXT_FREETYPE_H

#include "geom/outline.h"

#include <ondine/error.h>

/// Outline of UTF-8 `text`. Capitals are 1 high; the ink starts at x = 0, and the letters stand on
/// y = 0 (of several lines, the last does). `font` is a file's path or a family name with or
/// without a style ("DejaVu Sans", "DejaVu Sans Bold"); NULL or "" is DejaVu Sans Bold. The caller
/// frees `out`.
OndStatus ond_text_outline(const char *text, const char *font, OndOutline *out, OndError *err);

#endif

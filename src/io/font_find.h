// SPDX-License-Identifier: MIT
// From a font's name to its file.
#ifndef OND_IO_FONT_FIND_H
#define OND_IO_FONT_FIND_H

#include <ft2build.h>
#include FT_FREETYPE_H
#include <ondine/error.h>

/// Opens the font that `name` means: a file's path, or a family name, alone or followed by a style
/// ("DejaVu Sans Bold"; letter case does not matter), looked for in the usual folders. Alone it
/// means the family's plain style. The caller closes `face` with FT_Done_Face.
OndStatus ond_font_open(FT_Library library, const char *name, FT_Face *face, OndError *err);

/// The whole file of the font of that family ("DejaVu Sans Book"), for who reads fonts by himself. Free
/// with ond_free.
OndStatus ond_font_read(const char *family, char **bytes, size_t *size, OndError *err);

#endif

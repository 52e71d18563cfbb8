// SPDX-License-Identifier: MIT
// Pictures as PNG files.
#ifndef OND_IO_PNG_H
#define OND_IO_PNG_H

#include "render/image.h"

/// Writes the picture; the file is whole or absent.
OndStatus ond_png_write(const char *path, const OndImage *image, OndError *err);

/// Reads any PNG as 8-bit RGB (transparency is dropped); `out` is resized. On failure it is left as
/// it was.
OndStatus ond_png_read(const char *path, OndImage *out, OndError *err);

#endif

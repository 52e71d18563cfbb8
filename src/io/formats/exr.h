// SPDX-License-Identifier: MIT
// Pictures in linear light as OpenEXR files: what a compositing program wants.
//
// R, G and B as half floats, Z (distance along the view in metres, infinite where nothing is) as
// floats; scan lines, sixteen at a time, compressed with zlib.
#ifndef OND_IO_EXR_H
#define OND_IO_EXR_H

#include "render/image.h"

/// Writes the picture; the file is whole or absent.
OndStatus ond_exr_write(const char *path, const OndLinear *picture, OndError *err);

/// The nearest half float; beyond its range the largest, and 0 for what is not a number.
uint16_t ond_half(float value);

#endif

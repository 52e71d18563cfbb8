// SPDX-License-Identifier: MIT
// The text at the top of a PLY file: which elements follow, and what a row of each is made of.
#ifndef OND_IO_PLY_HEADER_H
#define OND_IO_PLY_HEADER_H

#include "io/formats/columns.h"
#include "sim/frame.h"

#include <stddef.h>

typedef enum OndPlyType {
    OND_PLY_I8,
    OND_PLY_U8,
    OND_PLY_I16,
    OND_PLY_U16,
    OND_PLY_I32,
    OND_PLY_U32,
    OND_PLY_F32,
    OND_PLY_F64,
    OND_PLY_TYPES
} OndPlyType;

typedef enum OndPlyFormat { OND_PLY_ASCII, OND_PLY_LITTLE, OND_PLY_BIG } OndPlyFormat;

typedef struct OndPlyProperty {
    char name[OND_COLUMN_NAME_MAX];
    OndPlyType type;
    bool list;
    OndPlyType count_type; ///< of a list's length
} OndPlyProperty;

typedef struct OndPlyElement {
    char name[OND_COLUMN_NAME_MAX];
    unsigned long long count;
    int first, property_count; ///< its part of the header's properties
} OndPlyElement;

#define OND_PLY_ELEMENTS   16
#define OND_PLY_PROPERTIES 256

typedef struct OndPlyUnit {
    char field[OND_COLUMN_NAME_MAX], unit[32];
} OndPlyUnit;

typedef struct OndPlyHeader {
    OndPlyFormat format;
    OndPlyElement element[OND_PLY_ELEMENTS];
    OndPlyProperty property[OND_PLY_PROPERTIES];
    int element_count, property_count;
    OndPlyUnit unit[OND_FIELDS_MAX];
    int unit_count;
    OndFrame meta;     ///< what the comments say; no particles
    size_t body_start; ///< bytes from the beginning of the file
} OndPlyHeader;

/// Bytes of one number.
int ond_ply_size(OndPlyType type);

OndStatus ond_ply_header_read(const char *name, const char *bytes, size_t size, OndPlyHeader *out,
                              OndError *err);

#endif

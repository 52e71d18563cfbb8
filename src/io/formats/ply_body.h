// SPDX-License-Identifier: MIT
// The numbers after a PLY header, element by element in the order of the file: what readers of
// particles and of surfaces share.
#ifndef OND_IO_PLY_BODY_H
#define OND_IO_PLY_BODY_H

#include "io/formats/ply_header.h"

/// Bytes; a guard against nonsense, not a design limit.
#define OND_PLY_FILE_LIMIT ((uint64_t)64 << 30)

/// Where the reading stands.
typedef struct OndPlyBody {
    const char *name; ///< what messages call the file
    const unsigned char *at, *end;
    OndPlyHeader *header;
    OndError *err;
} OndPlyBody;

/// Reads the header, and stands at the first row behind it. Close it where that was well.
OndStatus ond_ply_body_open(OndPlyBody *b, const char *name, const void *bytes, size_t size,
                            OndError *err);
void ond_ply_body_close(OndPlyBody *b);

/// Reads the rows of `e` into an empty set: a field for what every column is called.
OndStatus ond_ply_body_vertices(OndPlyBody *b, const OndPlyElement *e, OndFields *set);

/// Passes over all rows of `e`.
OndStatus ond_ply_body_pass(OndPlyBody *b, const OndPlyElement *e);

/// The next number, in text or binary. False at the end, or when a word is no number.
bool ond_ply_body_take(OndPlyBody *b, OndPlyType type, double *out);
bool ond_ply_body_pass_list(OndPlyBody *b, const OndPlyProperty *p);

/// Whether what is left can hold the rows that the header promises: asked before memory is taken.
bool ond_ply_body_fits(const OndPlyBody *b, const OndPlyElement *e);
/// The complaint when it cannot.
OndStatus ond_ply_body_short(const OndPlyBody *b, const OndPlyElement *e);

#endif

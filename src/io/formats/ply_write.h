// SPDX-License-Identifier: MIT
// The pieces of a PLY file as it is written: what particles and surfaces have in common.
#ifndef OND_IO_PLY_WRITE_H
#define OND_IO_PLY_WRITE_H

#include "io/file.h"
#include "io/formats/columns.h"
#include "sim/frame.h"

/// The first lines of the header: the format, and what `meta` says of time, index, dimension,
/// spacing and domain, as comments.
void ond_ply_print_start(OndFile *file, const OndFrame *meta);

/// The element `vertex` of the header, the units of its columns as comments before it.
void ond_ply_print_vertices(OndFile *file, const OndColumn *column, int columns, int count);

/// Its rows, after the header.
OndStatus ond_ply_write_rows(OndFile *file, const OndColumn *column, int columns, int count,
                             OndError *err);

#endif

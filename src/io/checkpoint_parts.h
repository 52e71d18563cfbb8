// SPDX-License-Identifier: MIT
// What the files of the checkpoint share. Not for others; see checkpoint_hdf5.h.
#ifndef OND_IO_CHECKPOINT_PARTS_H
#define OND_IO_CHECKPOINT_PARTS_H

#include "base/hash.h"
#include "io/file.h"
#include "sim/checkpoint.h"

#define OND_SEAL_BYTES 24

void ond_checkpoint_seal(uint64_t length, uint64_t hash, unsigned char out[OND_SEAL_BYTES]);

/// Makes the HDF5 part in memory and writes it with its seal into `file`.
OndStatus ond_checkpoint_write_image(const char *path, const OndCheckpoint *c, OndFile *file,
                                     OndError *err);

/// Reads a file whose seal is right into `out` (empty). On failure what was filled in so far is
/// left to the caller to free.
OndStatus ond_checkpoint_read_image(const char *path, OndCheckpoint *out, OndError *err);

#endif

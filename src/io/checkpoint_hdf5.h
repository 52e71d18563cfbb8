// SPDX-License-Identifier: MIT
// Checkpoints (sim/checkpoint.h) as HDF5 files.
//
//     /                    attributes: format_version, time, step, frame, dt_previous, scene_hash,
//     count /numbers             one attribute for each further number /particles/velocity  a
//     dataset for each field, components x count, with attributes unit and flags
//
// After the last byte of HDF5 stands a seal of 24 bytes: "ONDSEAL1", the length of what precedes it
// and a checksum of it (base/hash.h). h5dump and h5py do not mind. A file is opened with HDF5 only
// when its seal is right, so that damage of any kind is met with a sentence here and not inside the
// library.
//
// The file is put together in memory and written with io/file.h, so that a full disk is noticed and
// nothing half-written gets the name. The good checkpoint that was there stays as NAME.prev.h5.
#ifndef OND_IO_CHECKPOINT_HDF5_H
#define OND_IO_CHECKPOINT_HDF5_H

#include "sim/checkpoint.h"

#include <stddef.h>

#define OND_CHECKPOINT_VERSION 2 // 1: without what emitters poured into a grid

OndStatus ond_checkpoint_write(const char *path, const OndCheckpoint *c, OndError *err);

/// Reads `path`; when it is damaged or absent, the one before it, and says so in `note` (empty
/// otherwise; may be NULL). `out` owns what it holds: ond_checkpoint_free. On failure it is empty.
OndStatus ond_checkpoint_read(const char *path, OndCheckpoint *out, char *note, size_t note_size,
                              OndError *err);

#endif

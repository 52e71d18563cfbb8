// SPDX-License-Identifier: MIT
// A frame's grid as OpenVDB (.vdb), which Blender and Houdini read.
//
// Each field becomes a grid of its name ("density", "temperature", "velocity"); what stands on
// faces is brought to the middles of cells. OpenVDB keeps only what differs from the background, 0
// or the coldest temperature: by more than a hundred thousandth, temperatures by a hundredth of a
// degree.
//
// Made by a library that is optional (libopenvdb-dev, CMake's ONDINE_OPENVDB); without it both
// functions say so.
#ifndef OND_IO_VDB_H
#define OND_IO_VDB_H

#include "sim/frame.h"

/// Whether this build has OpenVDB.
bool ond_vdb_here(void);

OndStatus ond_vdb_write(const char *path, const OndFrame *frame, OndError *err);
/// The same back, or another's file whose voxels are cubes. OpenVDB takes what a file says for
/// true: this is for files that can be trusted, as the tests' own, and no format that the command
/// reads.
OndStatus ond_vdb_read(const char *path, OndFrame *out, OndError *err);

#endif

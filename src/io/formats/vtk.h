// SPDX-License-Identifier: MIT
// Frames for ParaView: VTK XML PolyData (.vtp) and the collection (.pvd) that gives them their
// times.
//
// The arrays stand as raw bytes after the XML ("appended"), each behind its length in 64 bits; the
// XML tells where. Every particle is also a vertex cell, so that ParaView shows the points at once
// and its filters that work on cells can pick single particles. Written, not read.
//
// A grid is image data (.vti), which is read back, too: it is how frames with a grid are kept.
#ifndef OND_IO_VTK_H
#define OND_IO_VTK_H

#include "sim/frame.h"

OndStatus ond_vtp_write(const char *path, const OndFrame *frame, OndError *err);

/// The grid of a frame as VTK image data (.vti): values of its cells; what stands on faces is
/// brought to the middles. Reading takes files that were written here.
OndStatus ond_vti_write(const char *path, const OndFrame *frame, OndError *err);
OndStatus ond_vti_read(const char *path, OndFrame *out, OndError *err);
/// The same of a file in memory.
OndStatus ond_vti_parse(const char *name, const char *bytes, size_t size, OndFrame *out,
                        OndError *err);

/// The collection at `path`, in memory: what a run writes with every frame and never reads back.
/// `keep` takes over the entries of a file that is there; without, it is replaced. NULL and a
/// sentence on failure.
typedef struct OndPvd OndPvd;
OndPvd *ond_pvd_open(const char *path, bool keep, OndError *err);
void ond_pvd_close(OndPvd *collection); ///< NULL is allowed

/// Puts `file` (a path as seen from the collection's folder) with its time into the collection and
/// writes it. The entry of the same file is replaced, the others stay; entries are in the order of
/// their times.
OndStatus ond_pvd_put(OndPvd *collection, const char *file, double time, OndError *err);

/// The same for one that is not kept open: read, put, written. It is made when absent.
OndStatus ond_pvd_add(const char *path, const char *file, double time, OndError *err);

#endif

// SPDX-License-Identifier: MIT
// Particle files by their extension. A new format is a file of its own and one line in format_list.h.
#ifndef OND_IO_FORMATS_H
#define OND_IO_FORMATS_H

#include "io/formats/format_list.h"
#include "sim/frame.h"

typedef struct OndFormat {
    const char *extension;                                             ///< without the dot
    const char *what;                                                  ///< for people
    OndStatus (*read)(const char *path, OndFrame *out, OndError *err); ///< NULL: cannot be read
    OndStatus (*write)(const char *path, const OndFrame *frame, OndError *err);
    bool grid;   ///< holds cells; else particles
    bool listed; ///< in the collection of a run, for ParaView (vtk.h)
} OndFormat;

#define OND_FORMAT_DECLARE(name, NAME) extern const OndFormat ond_format_##name;
OND_FORMATS(OND_FORMAT_DECLARE)

/// All of them; `count` is set.
const OndFormat *const *ond_formats(int *count);

/// The format that a path's extension stands for (case does not matter), or NULL.
const OndFormat *ond_format_of(const char *path);

/// `out` owns its arrays: ond_frame_free. On failure it is empty.
OndStatus ond_frame_read(const char *path, OndFrame *out, OndError *err);
OndStatus ond_frame_write(const char *path, const OndFrame *frame, OndError *err);

#endif

// SPDX-License-Identifier: MIT
#include "io/checkpoint_hdf5.h"

static OndStatus missing(const char *path, OndError *err)
{
    return ond_fail(err, OND_MISSING,
                    "%.200s: this build has no checkpoints; install libhdf5-dev and build again",
                    path);
}

OndStatus ond_checkpoint_write(const char *path, const OndCheckpoint *c, OndError *err)
{
    (void)c;
    return missing(path, err);
}

OndStatus ond_checkpoint_read(const char *path, OndCheckpoint *out, char *note, size_t note_size,
                              OndError *err)
{
    *out = (OndCheckpoint){0};
    if (note && note_size > 0) note[0] = '\0';
    return missing(path, err);
}

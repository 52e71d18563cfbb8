// SPDX-License-Identifier: MIT
// The libraries this build stands on, for `ondine info` and for reports of faults.
#ifndef OND_IO_LIBRARIES_H
#define OND_IO_LIBRARIES_H

typedef struct OndLibrary {
    const char *name;
    char version[32]; ///< of the one loaded now, which may be newer than the one built with
} OndLibrary;

/// Fills up to `room` entries and returns how many there are.
int ond_libraries(OndLibrary *out, int room);

#endif

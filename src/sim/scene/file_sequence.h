// SPDX-License-Identifier: MIT
// Numbered files, `wave_%04d.obj`: meshes of solids and places of particles that are animated elsewhere.
#ifndef OND_SIM_FILE_SEQUENCE_H
#define OND_SIM_FILE_SEQUENCE_H

#include "sim/scene/scene.h"

#define OND_FILE_NAME_LENGTH 1024

/// A pattern of names, and the key of the scene that it stands at, for complaints.
typedef struct OndFilePattern {
    const char *files;
    const OndNode *node; ///< the map that has the key
    const char *key;
} OndFilePattern;

/// Whether `files` has exactly one place for a number (%d, %4d, %04d) and no other per cent sign.
bool ond_files_pattern(const char *files);
/// The name with that number, cut off at `room`.
void ond_files_name(const char *files, int number, char *out, size_t room);

/// The number of the first file, 0 or 1, and how many follow each other. None at all, or a gap, is
/// an error at the key that names the missing file.
OndStatus ond_files_range(const OndSceneDef *scene, const OndFilePattern *pattern, int *first,
                          int *count, OndError *err);

#endif

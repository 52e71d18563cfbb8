// SPDX-License-Identifier: MIT
// A mesh that changes its shape: one file after the other, and corners that move evenly in between.
#ifndef OND_SOLIDS_SOLID_SEQUENCE_H
#define OND_SOLIDS_SOLID_SEQUENCE_H

#include "sim/assets.h"
#include "sim/scene/scene.h"

typedef struct OndSequence {
    OndMesh mesh;   ///< triangles of all, corners of the first
    float **corner; ///< of each mesh, x y z
    int count;      ///< 0: no sequence
    int first;      ///< number of the first file
    double rate;
    bool loop;
} OndSequence;

/// Reads all meshes. A missing one, or one with other corners or triangles, is an error at the key
/// `files` that names it. Free with ond_sequence_free, in every case.
OndStatus ond_sequence_read(const OndSceneDef *scene, const OndSequenceDef *def,
                            const OndAssets *assets, OndSequence *out, OndError *err);
void ond_sequence_free(OndSequence *sequence);

/// The name of the k-th file, cut off at `room`.
void ond_sequence_name(const OndSequence *sequence, const OndSequenceDef *def, int k, char *out,
                       size_t room);

/// The corners at a time; `out` has room for those of the mesh.
void ond_sequence_at(const OndSequence *sequence, double time, float *out);

#endif

// SPDX-License-Identifier: MIT
// Everything a run needs to go on as if it had never stopped.
//
// The simulation fills one with borrowed arrays, io/checkpoint_hdf5.c brings it to a file and back,
// and the simulation takes the values over. Values travel bit for bit.
#ifndef OND_SIM_CHECKPOINT_H
#define OND_SIM_CHECKPOINT_H

#include "base/fields.h"

#include <stdbool.h>
#include <stdint.h>

/// A number of its own name that a resumed run needs.
typedef struct OndCheckpointNumber {
    const char *name;
    double value;
} OndCheckpointNumber;

typedef struct OndCheckpoint {
    double time;         ///< s
    long long step;      ///< steps done
    int frame;           ///< frames written
    double dt_previous;  ///< s
    uint64_t scene_hash; ///< of the scene the run came from: another scene must not go on from it
    OndCheckpointNumber *number; ///< what else is needed: emitter layers, removed counts...;
                                 ///< borrowed for writing, owned after reading
    int number_count, number_room;
    bool lost;    ///< there was no memory for one of them: nobody can go on from here
    double *body; ///< states of bodies; borrowed for writing, owned after reading
    int body_values;
    OndFields fields; ///< of particles; borrowed for writing, where only OND_FIELD_STATE fields
                      ///< count; owned after reading
    OndFields cells;  ///< of a grid, ghosts included; in the same way
    OndFields foam;   ///< of a liquid; in the same way
} OndCheckpoint;

/// Adds a number; `name` must outlive the checkpoint. Without memory it is `lost`.
void ond_checkpoint_add(OndCheckpoint *c, const char *name, double value);

/// The number of that name, or `fallback`.
double ond_checkpoint_number(const OndCheckpoint *c, const char *name, double fallback);

/// Copies the elements of every OND_FIELD_STATE field of `into` from the checkpoint's particles and
/// sets its count, making room first. A field that the checkpoint lacks or has with another type is
/// an error, and `into` is as it was.
OndStatus ond_checkpoint_restore(const OndCheckpoint *c, OndFields *into, OndError *err);
/// The same for a grid, which must have the size it had.
OndStatus ond_checkpoint_restore_cells(const OndCheckpoint *c, OndFields *into, OndError *err);

/// The same as for particles, of foam.
OndStatus ond_checkpoint_restore_foam(const OndCheckpoint *c, OndFields *into, OndError *err);

/// OND_NO_MEMORY when a number was lost.
OndStatus ond_checkpoint_check(const OndCheckpoint *c, OndError *err);

/// Frees a checkpoint that was read. One filled for writing owns nothing: leave it.
void ond_checkpoint_free(OndCheckpoint *c);

#endif

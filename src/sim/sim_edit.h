// SPDX-License-Identifier: MIT
// What was changed while a simulation ran (<ondine/edit.h>): single values, kept by name.
//
// Particles, cells and bodies are changed in place, and checkpoints keep them anyway. All else -
// gravity, materials, heat, air, emitters, solids that are led - comes from the scene; a value that
// is another now is listed here, goes into checkpoints as a number of its name, and is put back when
// a run is resumed.
//
//     gravity.1  fluid.0.viscosity  heat.2.power  heat.2.moved.0  air.temperature
//     emitter.0.closed  solid.3.temperature  solid.3.lead.15  energy
#ifndef OND_SIM_SIM_EDIT_H
#define OND_SIM_SIM_EDIT_H

#include "base/vec.h"
#include "sim/checkpoint.h"

#include <ondine/sim.h>

typedef struct OndSimEdit {
    char name[40]; ///< as in checkpoints: "edit " and the value's
    double value;
} OndSimEdit;

typedef struct OndSimEdits {
    OndSimEdit *list; ///< NULL: nothing was changed
    int count, room;
    int *slot; ///< a hash table of names: place in the list and 1; 0: empty
    int slots; ///< a power of two
} OndSimEdits;

void ond_sim_edits_free(OndSimEdits *edits);

void ond_sim_edits_save(const OndSimEdits *edits, OndCheckpoint *to);
/// What concerns solids, before they are placed.
OndStatus ond_sim_edits_restore_solids(OndSim *sim, const OndCheckpoint *from, OndError *err);
/// All else, once the method is there.
OndStatus ond_sim_edits_restore(OndSim *sim, const OndCheckpoint *from, OndError *err);

// ---- for sim/sim_edit*.c

/// Values by name, all or none: told to the method, put where they belong, and listed.
typedef struct OndSimValue {
    char name[32];
    double value;
} OndSimValue;
OndStatus ond_sim_edit(OndSim *sim, const OndSimValue *value, int count, OndError *err);

/// What ond_sim_set_fluid changes, as it is now, by its key; false: no such value.
bool ond_sim_material_value(const OndSim *sim, int fluid, const char *key, double *out);

/// Something will move at that speed: the method is told of its energy. Comes before the change
/// itself, which must not fail afterwards.
OndStatus ond_sim_edit_speed(OndSim *sim, double speed, OndError *err);
/// The value that tells it, to be changed together with others: how many, 0 where nothing was slower.
int ond_sim_speed_value(const OndSim *sim, double speed, OndSimValue *out);

/// Beyond the domain or at its very edge, or no finite number.
bool ond_sim_is_outside(const OndSim *sim, OndVec at);

/// Particles or cells were changed.
OndStatus ond_sim_edit_done(OndSim *sim, OndError *err);

#endif

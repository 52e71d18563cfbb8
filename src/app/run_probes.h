// SPDX-License-Identifier: MIT
// The tables of a run's read-outs, probes/NAME.csv.
#ifndef OND_APP_RUN_PROBES_H
#define OND_APP_RUN_PROBES_H

#include "io/run_folder.h"
#include "sim/sim.h"

typedef struct OndProbeTables OndProbeTables;

/// `resume`: goes on after the present time. Otherwise all tables of an earlier run are removed.
/// NULL without an error when the scene has no probes.
OndStatus ond_probe_tables_open(const OndRunFolder *folder, const OndSim *sim, bool resume,
                                OndProbeTables **out, OndError *err);
/// Writes the rows that the last step made. NULL is allowed here and below.
OndStatus ond_probe_tables_add(OndProbeTables *tables, const OndSim *sim, OndError *err);
OndStatus ond_probe_tables_flush(OndProbeTables *tables, OndError *err);
/// After a resume: which tables lack rows from before. "": none.
const char *ond_probe_tables_note(const OndProbeTables *tables);
OndStatus ond_probe_tables_close(OndProbeTables *tables, OndError *err);

#endif

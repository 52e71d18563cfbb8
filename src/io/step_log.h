// SPDX-License-Identifier: MIT
// The log of a run: a CSV file with one line for each step.
//
//     step,time_s,dt_s,particles,max_speed,density_error,kinetic_J,potential_J,iterations,
//     unconverged,unsettled,solves,iterations_rigidity,asleep,ms_sort,...
//
// `unconverged` is 1 for a step whose solver stopped at its cap, `unsettled` for one that ended
// while contacts between solids were still changing; `solves` is how often rigidity's system was
// solved, once for each round of contacts; of `iterations`, `iterations_rigidity` were rigidity's;
// `asleep` are particles that rest.
//
// The log grows in place (it cannot be written beside and renamed), so a killed run may leave half
// a line at its end; that line goes when the run is resumed, and so do the lines of steps that will
// be done again. A resumed log equals that of a run that never stopped, but for the milliseconds.
// Flush before each checkpoint: then no line before it can be missing.
#ifndef OND_IO_STEP_LOG_H
#define OND_IO_STEP_LOG_H

#include "sim/step_record.h"

#include <ondine/error.h>

typedef struct OndStepLog OndStepLog;

/// `resume_step` below 0: a new log (what was there is replaced). Otherwise goes on after that
/// step; when there is no log yet it begins one. The names of the phases become columns.
OndStepLog *ond_step_log_open(const char *path, const char *const *phase_names, int phase_count,
                              long long resume_step, OndError *err);

/// Buffered: a failure may show only at the next flush. Phases that the record lacks are 0.
OndStatus ond_step_log_add(OndStepLog *log, const OndStepRecord *record, OndError *err);

/// Steps that did not go as asked.
typedef struct OndStepFaults {
    long long unconverged; ///< the solver stopped at its cap
    long long unsettled;   ///< contacts between solids were still changing
} OndStepFaults;

/// Those before a resume included. NULL is allowed: none.
OndStepFaults ond_step_log_faults(const OndStepLog *log);

OndStatus ond_step_log_flush(OndStepLog *log, OndError *err);

/// Flushes and frees. NULL is allowed.
OndStatus ond_step_log_close(OndStepLog *log, OndError *err);

#endif

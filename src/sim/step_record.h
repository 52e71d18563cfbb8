// SPDX-License-Identifier: MIT
// What a simulation says about each step: one line of the log, one update of a progress bar.
#ifndef OND_SIM_STEP_RECORD_H
#define OND_SIM_STEP_RECORD_H

#include "method/method.h" // OND_PHASES_MAX

typedef struct OndStepRecord {
    int step;             ///< 1 is the first
    double time;          ///< at the end of the step, s
    double dt;            ///< s
    int particles;        ///< in the simulation at the end of the step
    long long cells;      ///< of a grid; 0: none
    int foam;             ///< particles of spray, foam and bubbles
    double foam_refused;  ///< that found no room so far
    double max_speed;     ///< m/s
    double density_error; ///< mean relative compression, pure number
    double kinetic;       ///< J
    double potential;     ///< J
    int iterations;       ///< of an implicit solver; 0 when there is none
    int rigid_iterations; ///< those of them that rigidity took
    int asleep;           ///< particles that rest
    int solves;           ///< sets of contacts tried while its system was solved; 0: not counted
    bool unconverged;     ///< the solver stopped at its cap
    bool unsettled;       ///< which contacts hold was still changing when it stopped
    int phase_count;
    const char *const *phase_names; ///< "sort", "density"...; outlive the simulation
    double phase_ms[OND_PHASES_MAX];
} OndStepRecord;

#endif

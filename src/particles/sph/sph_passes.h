// SPDX-License-Identifier: MIT
// An SPH step as a table of passes, and the values of a particle that they read and write.
//
// Whatever does not depend on the step's length is a pass of `prepare`, the rest one of `advance`;
// options choose passes. From the table follow the timing by phase, a check of the order (nobody
// reads what nobody has written yet), and the scratch memory: a value that is made anew in each
// step lives from the first pass that writes it to the last that reads it, and values that do not
// live at the same time share arrays.
#ifndef OND_PARTICLES_SPH_PASSES_H
#define OND_PARTICLES_SPH_PASSES_H

#include "method/method.h"
#include "particles/sph/sph_values.h"

#include <stdbool.h>
#include <stdint.h>

// clang-format off
typedef enum OndSphValue { // OND_VALUE_POSITION and so on (sph_values.h)
#define NUMBER(NAME, ...) OND_VALUE_##NAME,
    OND_SPH_VALUES(NUMBER, NUMBER)
    OND_VALUE_SCRATCH, // the first of them
    OND_VALUE_BEFORE_SCRATCH = OND_VALUE_SCRATCH - 1,
    OND_SPH_SCRATCH(NUMBER)
#undef NUMBER
    OND_VALUE_COUNT,
    OND_VALUE_PAIRS = OND_VALUE_COUNT, // neighbour lists, images and rows of solids
    OND_VALUE_LOADS,                   // of solids
} OndSphValue;
// clang-format on
_Static_assert(OND_VALUE_LOADS < 64, "a bit for each");

typedef enum OndSphStage { OND_STAGE_START, OND_STAGE_PREPARE, OND_STAGE_ADVANCE } OndSphStage;

typedef enum OndSphPhase {
    OND_PHASE_SORT,
    OND_PHASE_NEIGHBOURS,
    OND_PHASE_DENSITY,
    OND_PHASE_PRESSURE,
    OND_PHASE_VISCOSITY,
    OND_PHASE_TENSION,
    OND_PHASE_HEAT,
    OND_PHASE_RIGIDITY,
    OND_PHASE_SOLIDS,
    OND_PHASE_INTEGRATE,
    OND_PHASE_FOAM,
    OND_PHASE_COUNT
} OndSphPhase;

struct OndSph;

// The step under way.
typedef struct OndSphStep {
    double dt;                 // s; 0 in `prepare`
    const OndExchange *solids; // may be NULL
} OndSphStep;

typedef struct OndSphPass {
    const char *name;
    OndSphStage stage;
    OndSphPhase phase;                      // that its time counts to
    bool (*wanted)(const struct OndSph *s); // NULL: always
    OndStatus (*run)(struct OndSph *s, const OndSphStep *step, OndError *err);
    uint64_t reads, writes; // bits of OndSphValue
} OndSphPass;

extern const OndSphPass ond_sph_passes[];
extern const int ond_sph_pass_count;
extern const char *const ond_sph_phase_names[OND_PHASE_COUNT];

/// Runs the passes of a stage in their order, and times them.
OndStatus ond_sph_run(struct OndSph *s, OndSphStage stage, const OndSphStep *step, OndError *err);

/// The name of the first pass that reads a scratch value which no pass before it has written, in
/// the same stage or an earlier one of the step; NULL: the order is right.
const char *ond_sph_misordered(const OndSphPass *passes, int count);

// Where a scratch value lives: an array for each of its components.
typedef struct OndSphPlan {
    int slot[OND_VALUE_COUNT][3];
    int slots; // arrays in all
} OndSphPlan;

/// Arrays for the scratch of those passes and values that the options ask for; values share one
/// where their lives in a step do not meet. At most 64 passes.
OndSphPlan ond_sph_plan(const struct OndSph *s, const OndSphPass *passes, int count);

#endif

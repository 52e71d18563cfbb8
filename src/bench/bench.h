// SPDX-License-Identifier: MIT
// What the benches share: their options, and a scene run against the clock.
//
// A bench measures and prints one table: Markdown with the machine and the date, ready for
// docs/benchmarks.md, or one JSON object.
#ifndef OND_APP_BENCH_H
#define OND_APP_BENCH_H

#include "app/cli.h"
#include "io/file.h"
#include "sim/scene/scene.h"
#include "sim/step_record.h"

#include <ondine/sim.h>

typedef struct OndBenchSettings {
    bool json;
    bool quick;          ///< a rough look
    bool full;           ///< no budget of time: every frame is measured
    double budget_s;     ///< wall clock of a row; 0: as the bench does
    bool stand_ins;      ///< melt: measure what stands in for meshes that are not there
    const char *folder;  ///< of the bench's scenes
    OndTexts scenes;     ///< names of rows; none: all
    int solver;          ///< index into ond_bench_solvers; -1: each
    int frames;          ///< to measure; 0: as the bench does
    double seconds;      ///< simulated, to measure; 0: as the bench does
    const char *picture; ///< hash: file to draw instead of measuring; NULL: none
} OndBenchSettings;

/// Solvers of rigidity that are compared; NULL ends the list.
extern const char *const ond_bench_solvers[];

OndStatus ond_bench_sph_table(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_dam(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_melt(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_letters(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_surface_table(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_render(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_bumps(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_smoke(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_poisson_table(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_hash_table(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_solids(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_interactive(const OndBenchSettings *settings, OndError *err);
OndStatus ond_bench_physics(const OndBenchSettings *settings, OndError *err);

// ---- a scene against the clock

/// How much of a scene is run. Both parts end with their frames or with their budget of wall-clock
/// time, whichever comes first, but not before a step is done.
typedef struct OndBenchPlan {
    int warm_up, frames;
    double warm_up_s, budget_s;
    void (*watch)(void *context, const OndStepRecord *record); ///< each measured step; may be NULL
    void (*look)(void *context, OndSim *sim);                  ///< each measured frame; may be NULL
    void *context;
} OndBenchPlan;

typedef struct OndSceneTimes {
    int particles;
    int moving;       ///< of these, at the start: not held
    double frames;    ///< measured; less than a whole one where the budget ended within a frame
    double start;     ///< of what was measured, in the scene's time, s
    double simulated; ///< s
    double seconds;   ///< wall clock, of steps alone
    double rigid_s;   ///< of which in rigidity
    long long steps, iterations, rigid_iterations;
    long long unconverged; ///< steps whose solver stopped at its cap
    long long unsettled;   ///< steps that ended while contacts were still changing
    bool cut;              ///< the budget came first
    char error[256];       ///< why the scene failed on the way; "": it did not
} OndSceneTimes;

/// A scene that goes wrong while it runs is a result (`error`), not a failure.
OndStatus ond_bench_scene(const OndSceneDef *scene, const OndBenchPlan *plan, OndSceneTimes *out,
                          OndError *err);

/// FOLDER/NAME.yaml with `sets` of "key=value" (NULL: none) and the solver that is named (NULL: the
/// scene's own). Free with ond_scene_free.
OndStatus ond_bench_load(const char *folder, const char *name, const OndTexts *sets,
                         const char *solver, OndSceneDef *out, OndError *err);

/// Loads such a scene and measures it.
OndStatus ond_bench_scene_file(const char *folder, const char *name, const char *solver,
                               const OndBenchPlan *plan, OndSceneTimes *out, OndError *err);

/// FOLDER/NAME.yaml.
OndStatus ond_bench_path(const char *folder, const char *name, char out[OND_PATH_MAX],
                         OndError *err);

// ---- choosing rows

typedef const char *OndBenchName(int row); ///< NULL ends the list

/// Every name of `settings->scenes` must be a row.
OndStatus ond_bench_check_names(const OndBenchSettings *settings, OndBenchName *name,
                                OndError *err);
/// True when the row is wanted.
bool ond_bench_wants(const OndBenchSettings *settings, const char *name);
/// Before anything is measured: the scene files of all rows that are wanted are there. `file` says
/// which scene a row is of.
OndStatus ond_bench_check_files(const OndBenchSettings *settings, OndBenchName *name,
                                OndBenchName *file, OndError *err);

/// How a bench ends after its table: a failure when scenes of it went wrong on the way.
OndStatus ond_bench_wrong_rows(int count, OndError *err);

/// One line on a terminal about what is being measured; NULL clears it.
void ond_bench_show(const char *scene, const char *solver);

#endif

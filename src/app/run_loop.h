// SPDX-License-Identifier: MIT
// A run: from a scene to a folder of frames.
//
//     OndRunner run = {.options = ...};
//     OndStatus status = ond_runner_start(&run, &err); // nothing is written when the scene is bad
//     if (status == OND_OK) status = ond_runner_go(&run, &err);
//     status = ond_runner_finish(&run, status, &err); // log, film
//     ond_runner_free(&run);
//
// A frame is written before the checkpoint that follows it, and the log is flushed before both: so
// whatever a checkpoint says was done is there.
#ifndef OND_APP_RUN_LOOP_H
#define OND_APP_RUN_LOOP_H

#include "app/cli.h"
#include "app/progress.h"
#include "app/render_pictures.h"
#include "app/run_probes.h"
#include "io/formats/vtk.h"
#include "io/step_log.h"
#include "sim/sim.h"

typedef struct OndRunOptions {
    const char *scene;  ///< a scene file, or a run's folder
    const char *folder; ///< NULL: out/NAME, or the run's folder
    int frames;         ///< last frame; 0: as long as the scene lasts
    int threads;        ///< 0: one per core
    bool resume, force, film, pictures, json, quiet;
    OndTexts sets;
} OndRunOptions;

typedef struct OndRunner {
    OndRunOptions options;
    OndScene *given;   ///< what was asked for
    OndSceneDef scene; ///< the same, read and checked
    OndSim *sim;
    OndRunFolder folder;
    OndStepLog *log;
    OndPvd *collection;     ///< of frames for ParaView; NULL: none yet
    OndProbeTables *probes; ///< NULL: none
    OndPictures *pictures;  ///< NULL: none are made
    OndProgress progress;
    int last_frame;   ///< where to stop
    bool remake_film; ///< resumed: the film is made from all frames at the end
    bool film_made;
    OndError no_pictures; ///< why pictures ended before the run did; status OND_OK: they did not
    int pictures_end;     ///< the frame that could not be drawn
    bool incomplete;      ///< the run failed in its pictures only
    char note[1536];      ///< about what a resume found; "": nothing to say
    int signal;           ///< that stopped it; 0: none
    long long first_step; ///< steps done by earlier runs
    long long kept_step;  ///< step and frame of the last checkpoint; -1: none yet
    int kept_frame;
    double kept_ms;        ///< when it was written
    double start_ms;       ///< when the run began
    double step_ms;        ///< spent in steps
    double particle_steps; ///< particles and cells times steps, of this run
    OndStepFaults faults;  ///< steps that did not go as asked, earlier runs' included
} OndRunner;

/// Whether it fits into memory was asked when the scene was read.
static const OndSimOptions ond_run_unasked = {.memory = -1.0};

OndStatus ond_runner_start(OndRunner *run, OndError *err);

/// The folder to write into; where it cannot be, the message also names the options that help.
OndStatus ond_runner_open_folder(OndRunner *run, const char *folder, OndRunMode mode,
                                 OndError *err);

/// Steps until the last frame, a signal or a failure.
OndStatus ond_runner_go(OndRunner *run, OndError *err);

/// Ends log and film. `status` is how it went so far; returns it, or a first failure of its own.
OndStatus ond_runner_finish(OndRunner *run, OndStatus status, OndError *err);
void ond_runner_free(OndRunner *run);

// run_write.c
/// The present as frame files and a picture.
OndStatus ond_runner_put_frame(OndRunner *run, OndError *err);
OndStatus ond_runner_put_checkpoint(OndRunner *run, OndError *err);
/// True when the scene wants a checkpoint now.
bool ond_runner_checkpoint_due(const OndRunner *run);
OndStatus ond_runner_open_log(OndRunner *run, long long resume_step, OndError *err);
OndStatus ond_runner_open_pictures(OndRunner *run, OndError *err);

// run_resume.c
/// Takes up the last good checkpoint and removes what will be made again.
OndStatus ond_runner_resume(OndRunner *run, const char *folder, OndError *err);

#endif

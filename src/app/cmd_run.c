// SPDX-License-Identifier: MIT
// ondine run: from a scene to a folder of frames.
//
//   ondine run scenes/dam-break.yaml --film
//   ondine run scenes/dam-break.yaml --set fluid.0.spacing=0.02 -o out/coarse
//   ondine run out/dam-break --resume
//
// This file only reads the options; the work is in run_loop.c.
#include "app/cli.h"
#include "app/run_loop.h"
#include "app/run_report.h"
#include "app/run_stop.h"

static const char about[] =
    "Simulates a scene and writes frames, a log of every step and checkpoints into a folder.\n"
    "SCENE is a scene file, or the folder of an earlier run, whose scene is then used.\n"
    "Ctrl-C finishes the step, writes a checkpoint and says how to go on (exit code 130; 143 "
    "after\n"
    "a SIGTERM); a second Ctrl-C ends at once.\n\n"
    "  ondine run scenes/dam-break.yaml --film\n"
    "  ondine run scenes/dam-break.yaml --set fluid.0.spacing=0.02 -o out/coarse\n"
    "  ondine run out/dam-break --resume";

static int run(int argc, char **argv)
{
    OndRunner runner = {0};
    OndRunOptions *o = &runner.options;
    const OndOpt opts[] = {
        OND_OPT_TEXT("-o, --output", "DIR", "folder to write (default: out/ and the scene's name)",
                     &o->folder),
        OND_OPT_INT("--frames", "N", "stop after frame N, counted from the scene's start",
                    &o->frames, 1, 1e6),
        OND_OPT_FLAG("--resume", "go on from the last good checkpoint", &o->resume),
        OND_OPT_FLAG("--force", "replace the run that the folder holds", &o->force),
        OND_OPT_INT("--threads", "N", "threads (default: one per core)", &o->threads, 1, 1024),
        OND_OPT_TEXTS("--set", "KEY=VALUE", "override a key, as in fluid.0.spacing=0.01", &o->sets),
        OND_OPT_FLAG("--film", "make film.mp4 on the way", &o->film),
        OND_OPT_FLAG("--pictures", "keep a PNG of every frame", &o->pictures),
        OND_OPT_FLAG("--json", "print one JSON object at the end, and no progress", &o->json),
        OND_OPT_FLAG("-q, --quiet", "print nothing but errors", &o->quiet),
    };
    const OndUsage usage = {"ondine run SCENE [options]", about, 1, 1};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);
    o->scene = argv[rest];
    if (o->resume && o->force) {
        fputs("ondine run: --resume goes on with a run and --force replaces it; give one of them\n",
              stderr);
        return OND_EXIT_USAGE;
    }

    OndError err = {0};
    ond_stop_watch();
    OndStatus status = ond_runner_start(&runner, &err);
    if (status == OND_OK) status = ond_runner_go(&runner, &err);
    status = ond_runner_finish(&runner, status, &err);
    const int code = ond_runner_report(&runner, status, &err);
    ond_runner_free(&runner);
    return code;
}

const OndCommand ond_cmd_run = {"run", "simulate a scene: frames, log, checkpoints, film", run};

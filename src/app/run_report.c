// SPDX-License-Identifier: MIT
#include "app/run_report.h"

#include "base/clock.h"
#include "sim/emitter.h"

#include <string.h>

#define FEW_UNSETTLED 0.01 // of all steps

static double seconds(const OndRunner *run)
{
    return (ond_now_ms() - run->start_ms) * 1e-3;
}

static double cost_ns(const OndRunner *run)
{
    return run->particle_steps > 0.0 ? run->step_ms * 1e6 / run->particle_steps : 0.0;
}

static void sum_up(const OndRunner *run)
{
    char clock[32], film[OND_PATH_MAX];
    OndStepRecord record;
    ond_sim_record(run->sim, &record);
    ond_progress_clock(clock, sizeof clock, seconds(run));
    const int frames = ond_sim_frame_index(run->sim) + 1;
    const bool grid = record.cells > 0;
    printf("%d frame%s, %lld steps, %lld %s, %.4g s simulated in %s (%.0f ns per %s and step)\n",
           frames, frames == 1 ? "" : "s", (long long)record.step,
           grid ? record.cells : record.particles, grid ? "cells" : "particles", record.time, clock,
           cost_ns(run), grid ? "cell" : "particle");
    if (run->scene.foam.node) printf("foam    %d particles at the end\n", record.foam);
    printf("folder  %s\n", run->folder.path);
    if (run->film_made) printf("film    %s\n", ond_run_path(&run->folder, OND_RUN_FILM, 0, film));
}

// A resume that found nothing left to do.
static bool was_complete(const OndRunner *run)
{
    OndStepRecord record;
    ond_sim_record(run->sim, &record);
    return run->options.resume && record.step == run->first_step;
}

static void say_complete(const OndRunner *run)
{
    char film[OND_PATH_MAX];
    const bool whole = run->last_frame == ond_sim_frame_count(&run->scene) - 1;
    printf("the run is complete: it had reached frame %d, t = %.4g s; to go on, %s\n",
           ond_sim_frame_index(run->sim), ond_sim_time(run->sim),
           whole ? "give a longer duration" : "give more --frames, or leave them out");
    printf("folder  %s\n", run->folder.path);
    if (run->film_made) printf("film    %s\n", ond_run_path(&run->folder, OND_RUN_FILM, 0, film));
}

// As a shell takes it: plain words as they are, others in quotes.
static void print_word(const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,:+-";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        fprintf(stderr, " %s", word);
        return;
    }
    fputs(" '", stderr);
    for (; *word; ++word)
        if (*word == '\'')
            fputs("'\\''", stderr);
        else
            fputc(*word, stderr);
    fputc('\'', stderr);
}

static void say_stopped(const OndRunner *run)
{
    fprintf(stderr, "stopped at frame %d, t = %.4g s; go on with: ondine run",
            ond_sim_frame_index(run->sim), ond_sim_time(run->sim));
    print_word(run->options.scene);
    fputs(" -o", stderr);
    print_word(run->folder.path);
    fputs(" --resume", stderr);
    if (run->options.frames > 0) fprintf(stderr, " --frames %d", run->options.frames);
    fprintf(stderr, "%s%s", run->options.film ? " --film" : "",
            run->options.pictures ? " --pictures" : "");
    for (int k = 0; k < run->options.sets.count; ++k) {
        fputs(" --set", stderr);
        print_word(run->options.sets.item[k]);
    }
    fputc('\n', stderr);
}

static void say_unconverged(const OndRunner *run, const OndStepRecord *record)
{
    const OndMethod *const method = ond_scene_method(&run->scene);
    char what[400] = "a solver did not converge";
    fprintf(stderr, "note: in %lld of %d steps %s (column unconverged of log.csv tells which)\n",
            run->faults.unconverged, record->step,
            method->unconverged ? method->unconverged(run->scene.method.def, what, sizeof what)
                                : what);
}

// Contacts that come and go are taken up again in the next step. Shorter steps do not make this
// rarer (measured on heaps and on wax that melts), but what is left open then lasts less long.
static void say_unsettled(const OndRunner *run, const OndStepRecord *record)
{
    const OndMethod *const method = ond_scene_method(&run->scene);
    const long long count = run->faults.unsettled;
    fprintf(stderr, "note: contacts of solids did not settle in %lld of %d steps: ", count,
            record->step);
    if ((double)count <= FEW_UNSETTLED * record->step)
        fputs("so few are nothing to worry about", stderr);
    else
        fprintf(stderr,
                "what one step leaves open the next takes up; if pieces overlap or tremble to the "
                "eye, shorter steps do not make it rarer but give it less time: lower method.%s",
                method->step_key ? method->step_key(run->scene.method.def) : "largest_step");
    fputs(" (column unsettled of log.csv tells which steps)\n", stderr);
}

static void say_shut(const OndRunner *run)
{
    for (int k = 0; k < run->scene.emitters.count; ++k) {
        const OndEmitter *const e = ond_sim_emitter(run->sim, k);
        const OndVec at = e->def->center;
        if (e->shut_first < 0.0) continue;
        fprintf(stderr,
                "note: the emitter of fluid '%.60s' at (%.4g, %.4g, %.4g) closed at t = %.4g s, "
                "where the space before it was full, and "
                "was closed for %.4g s in all%s; what was due then did not come\n",
                ond_scene_fluid(&run->scene, e->def->material)->name, at.x, at.y, at.z,
                e->shut_first, e->shut_s, e->shut ? " (it still is)" : "");
    }
}

static void say_refused(const OndRunner *run, const OndStepRecord *record)
{
    fprintf(stderr,
            "note: %.0f particles of spray, foam and bubbles found no room beside %d others: raise "
            "foam.most, or lower foam.amount or foam.lifetime\n",
            record->foam_refused, run->scene.foam.most);
}

// Motion that is not what the scene asked for must not pass in silence.
static void say_faults(const OndRunner *run)
{
    OndStepRecord record;
    if (!run->sim) return;
    ond_sim_record(run->sim, &record);
    if (run->faults.unconverged) say_unconverged(run, &record);
    if (run->faults.unsettled) say_unsettled(run, &record);
    if (record.foam_refused > 0.0) say_refused(run, &record);
    say_shut(run);
}

// A run that was stopped or failed by itself, after its pictures had.
static void say_no_pictures(const OndRunner *run)
{
    fprintf(stderr, "note: %s from frame %d on: %.500s\n",
            run->options.film ? "the film is incomplete, nothing was drawn"
                              : "no pictures were drawn",
            run->pictures_end, run->no_pictures.text);
}

// A failure on the way: where it was, and what is left.
static void explain(const OndRunner *run, const OndError *err, OndError *out)
{
    *out = *err;
    if (err->status == OND_BAD_VALUE || !run->sim || run->kept_step < 0) return;
    if (run->incomplete) return; // it says itself what is left
    OndStepRecord record;
    ond_sim_record(run->sim, &record);
    if (err->status == OND_UNSTABLE)
        ond_fail(out, err->status,
                 "the run went wrong at step %d, t = %.6g s: %.700s. The frames and the checkpoint "
                 "of frame "
                 "%d in "
                 "%.120s are kept",
                 record.step, record.time, err->text, run->kept_frame, run->folder.path);
    else
        ond_fail(
            out, err->status,
            "%.700s. Everything up to frame %d is kept; go on with --resume when that is mended",
            err->text, run->kept_frame);
}

static void json_text(const char *name, const char *text)
{
    printf(",\"%s\":", name);
    if (text)
        ond_cli_json_text(stdout, text);
    else
        fputs("null", stdout);
}

static void print_json(const OndRunner *run, OndStatus status, const OndError *err)
{
    char film[OND_PATH_MAX];
    printf("{\"status\":\"%s\"", status != OND_OK ? "failed" : run->signal ? "stopped" : "done");
    json_text("error", status != OND_OK                    ? err->text
                       : run->no_pictures.status != OND_OK ? run->no_pictures.text
                                                           : NULL);
    json_text("scene", run->options.scene);
    json_text("folder", run->folder.path[0] ? run->folder.path : NULL);
    json_text("film", run->film_made ? ond_run_path(&run->folder, OND_RUN_FILM, 0, film) : NULL);
    if (run->sim) {
        OndStepRecord record;
        ond_sim_record(run->sim, &record);
        printf(",\"frame\":%d,\"last_frame\":%d,\"time_s\":%.9g,\"steps\":%d,\"particles\":%d,"
               "\"cells\":%lld,"
               "\"unconverged_steps\":%lld,\"unsettled_steps\":%lld,\"seconds\":%.3f,\"ns_per_"
               "particle_step\":%.1f",
               ond_sim_frame_index(run->sim), run->last_frame, record.time, record.step,
               record.particles, record.cells, run->faults.unconverged, run->faults.unsettled,
               seconds(run), cost_ns(run));
        if (run->scene.foam.node)
            printf(",\"foam\":%d,\"foam_refused\":%.0f", record.foam, record.foam_refused);
    }
    puts("}");
}

int ond_runner_report(const OndRunner *run, OndStatus status, const OndError *err)
{
    OndError told = {0};
    const bool notes = !run->options.json && !run->options.quiet;
    const bool no_pictures = run->no_pictures.status != OND_OK && !run->incomplete;
    if (run->note[0] && notes) fprintf(stderr, "note: %s\n", run->note);
    if (notes) say_faults(run);
    if (no_pictures && !run->options.json) say_no_pictures(run);
    if (status != OND_OK) explain(run, err, &told);
    if (run->options.json) print_json(run, status, &told);
    if (status != OND_OK) return ond_cli_fail("run", &told);
    if (run->signal && !run->options.json) say_stopped(run);
    if (run->signal) return 128 + run->signal;
    if (notes && was_complete(run)) say_complete(run);
    if (notes && !was_complete(run)) sum_up(run);
    return OND_EXIT_DONE;
}

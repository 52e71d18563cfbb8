// SPDX-License-Identifier: MIT
// ondine check: what a scene would simulate, and what it would cost, before anything is written.
//
//   ondine check scenes/dam-break.yaml
//   ondine check scenes/dam-break.yaml --set fluid.0.spacing=0.01 --json
#include "app/cli.h"
#include "app/progress.h"
#include "app/run_scene.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "io/scene_sections.h"
#include "sim/scene/scene_grid.h"
#include "sim/sim.h"

#include <math.h>

#define TRIAL_STEPS   8
#define TRIAL_MS      2000.0 // no longer than this
#define CROWDED       3.5 // what a particle costs in a pool or a heap; in a jet it is 1: measured
#define FILE_OVERHEAD 1024.0 // bytes of headers in a file

// Grids with more cells are not tried: a step alone would take longer than a person waits.
#define TRIAL_CELLS 4e6
#define CELL_NS     400.0 // for a step of a cell, on two cores: measured
#define CELL_FRAME  20.0  // bytes of a cell in a frame's file: velocity, density, temperature
#define CELL_STATE  28.0  // and in a checkpoint: pressure and warmth, too
#define TRACER      36.0  // bytes of a tracer in either

typedef struct Forecast {
    double start, poured;      // particles
    double mean;               // of them, over the time of the scene
    double cells;              // of a grid
    int size[3];               // of it
    double memory, memory_now; // bytes: expected at the end, taken now
    int frames;
    double disk; // bytes of all frames and two checkpoints
    double dt, steps, seconds;
    bool untried;
    double sound; // m/s; 0: the method has none
    double neighbours;
} Forecast;

// Bytes that a frame's or a checkpoint's file takes for one particle.
static double bytes_each(const OndFields *fields, unsigned flag)
{
    double bytes = 0.0;
    for (int f = 0; f < fields->field_count; ++f)
        if (fields->field[f].flags & flag) bytes += 4.0 * fields->field[f].components;
    return bytes;
}

// The share of what emitters pour that is there on the mean: half of it if they pour all the time,
// more if they stop early. Tracers count as half, near enough.
static double share_there(const OndSceneDef *scene)
{
    double all = 0.0, there = 0.0;
    for (int e = 0; e < scene->emitters.count && !scene->has_grid; ++e) {
        const OndEmitterDef *const d = ond_scene_emitter(scene, e);
        const double end = fmin(d->to, scene->duration);
        const double volume = d->rate * fmax(end - d->from, 0.0);
        all += volume;
        there += volume * (1.0 - 0.5 * (d->from + end) / scene->duration);
    }
    return all > 0.0 ? there / all : 0.5;
}

static double disk_bytes(const OndSceneDef *scene, const OndFields *fields, const Forecast *f)
{
    const double mean = f->mean, all = f->start + f->poured;
    const double ply = mean * bytes_each(fields, OND_FIELD_FRAME) + FILE_OVERHEAD;
    const double vtp = ply + 16.0 * mean; // each particle is a vertex cell, too
    const double each = ond_scene_output(scene)->format == OND_OUTPUT_VTK    ? vtp
                        : ond_scene_output(scene)->format == OND_OUTPUT_BOTH ? ply + vtp
                                                                             : ply;
    return f->frames * each + 2.0 * all * bytes_each(fields, OND_FIELD_STATE);
}

// A frame of a grid: image data, and as much again at most in .vdb.
static double grid_frame(const OndSceneDef *scene, double cells, double each)
{
    const double files = ond_scene_output(scene)->format == OND_OUTPUT_VDB ? 2.0 : 1.0;
    return files * (cells * each + FILE_OVERHEAD);
}

static double grid_disk_bytes(const OndSceneDef *scene, const OndFields *cells, const Forecast *f)
{
    const double each = grid_frame(scene, f->cells, bytes_each(cells, OND_FIELD_FRAME));
    return f->frames * each + 2.0 * cells->count * bytes_each(cells, OND_FIELD_STATE);
}

static double sound_speed(OndSim *sim)
{
    OndCheckpoint c;
    ond_sim_checkpoint(sim, &c);
    return ond_checkpoint_number(&c, "sound_speed", 0.0);
}

// How much more a step takes on the mean than with the `now` particles that were tried. Those that
// come out of an emitter are almost alone, and cheap; those that lie in a heap are not.
static double growth(const Forecast *f, double now)
{
    if (f->cells > 0.0) return 1.0; // tracers cost little
    const double jet = fmax(0.0, 1.0 - f->start / now);
    return fmax(1.0, f->mean / now) * (1.0 + (CROWDED - 1.0) * jet);
}

// A few steps with particles, to see what one costs. The first is left out: it touches all memory
// anew. Where an emitter begins from nothing, the first step says little about those to come.
static OndStatus try_steps(OndSim *sim, const OndSceneDef *scene, Forecast *f, OndError *err)
{
    double best = HUGE_VAL, dt = f->dt;
    const double begin = ond_now_ms();
    for (int tried = 0; tried < TRIAL_STEPS && !ond_sim_done(sim);) {
        const double before = ond_now_ms();
        const OndStatus status = ond_sim_step(sim, err);
        if (status != OND_OK) return status;
        if (tried > 0) best = fmin(best, ond_now_ms() - before);
        if (ond_sim_particle_count(sim) > 0 || f->cells > 0.0) ++tried;
        if (tried > 1 && ond_now_ms() - begin > TRIAL_MS) break;
    }
    if (f->start == 0.0 && !ond_sim_done(sim)) {
        const OndStatus status = ond_sim_first_step(sim, &dt, err);
        if (status != OND_OK) return status;
        f->dt = dt = fmin(dt, 1.0 / scene->frame_rate);
    }
    if (!isfinite(best)) best = 0.0;
    f->steps = ceil(scene->duration / dt);
    f->seconds = f->steps * best * 1e-3 * growth(f, fmax(1.0, ond_sim_particle_count(sim)));
    return OND_OK;
}

// From what was measured elsewhere, a step a frame at least.
static OndStatus guess(const OndSceneDef *scene, Forecast *f)
{
    f->untried = true;
    for (int a = 0; a < scene->dimension; ++a)
        f->size[a] = (int)lround((ond_axis(scene->domain.max, a) - ond_axis(scene->domain.min, a)) /
                                 scene->spacing);
    if (scene->dimension == 2) f->size[2] = 1;
    const double all = f->start + f->poured;
    f->disk = f->frames * (grid_frame(scene, f->cells, CELL_FRAME) + TRACER * f->mean) +
              2.0 * (CELL_STATE * f->cells + TRACER * all);
    f->dt = 1.0 / scene->frame_rate;
    f->steps = f->frames;
    f->seconds = f->steps * f->cells * CELL_NS * 1e-9;
    return OND_OK;
}

static OndStatus look_at(const OndSceneDef *scene, Forecast *f, OndError *err)
{
    OndStatus status = ond_scene_count(scene, 0, &f->start, &f->poured, err);
    if (status != OND_OK) return status;
    f->frames = ond_sim_frame_count(scene);
    f->cells = ond_scene_cells(scene, &f->memory);
    f->memory += (f->start + f->poured) * OND_BYTES_EACH;
    f->mean = f->start + share_there(scene) * f->poured;
    if (f->cells > TRIAL_CELLS) return guess(scene, f);
    OndSim *sim = ond_sim_make(scene, &ond_scene_assets, err);
    if (!sim) return err->status;
    ond_sim_notes(sim, stderr);
    f->start = ond_sim_particle_count(sim);
    f->mean = f->start + share_there(scene) * f->poured;
    OndFrame frame;
    ond_sim_frame(sim, &frame);
    f->disk = frame.particles.field_count > 0 ? disk_bytes(scene, &frame.particles, f) : 0.0;
    if (scene->has_grid) f->disk += grid_disk_bytes(scene, &frame.cells, f);
    for (int a = 0; a < 3; ++a)
        f->size[a] = frame.grid.n[a];
    f->sound = sound_speed(sim);
    status = ond_sim_first_step(sim, &f->dt, err);
    if (status == OND_OK && f->dt * scene->frame_rate > 1.0) f->dt = 1.0 / scene->frame_rate;
    if (status == OND_OK) status = try_steps(sim, scene, f, err);
    f->memory_now = (double)ond_sim_bytes(sim);
    f->neighbours = ond_sim_neighbours(sim);
    ond_sim_destroy(sim);
    return status;
}

static const char *size_text(double bytes, char *out, size_t room)
{
    if (bytes >= 1073741824.0)
        snprintf(out, room, "%.1f GiB", bytes / 1073741824.0);
    else
        snprintf(out, room, "%.1f MiB", bytes / 1048576.0);
    return out;
}

static void print_text(const OndSceneDef *scene, const Forecast *f)
{
    char a[32], b[32];
    printf("%s: %dD, %g s in %d frames\n", scene->title, scene->dimension, scene->duration,
           f->frames);
    if (f->cells > 0.0)
        printf("cells       %d x %d x %d, %.4g million of %g m\n", f->size[0], f->size[1],
               f->size[2], f->cells * 1e-6, scene->spacing);
    if (f->cells <= 0.0 || f->start + f->poured > 0.0)
        printf("%s   %.0f", f->cells > 0.0 ? "tracers  " : "particles", f->start);
    if (f->poured > 0.0) printf(", and about %.0f poured", f->poured);
    if (f->cells <= 0.0 || f->start + f->poured > 0.0) putchar('\n');
    printf("memory      about %s; %s now\n", size_text(f->memory, a, sizeof a),
           size_text(f->memory_now, b, sizeof b));
    printf("disk        %s\n", size_text(f->disk, a, sizeof a));
    if (f->sound > 0.0) printf("sound       %.3g m/s\n", f->sound);
    if (!f->untried) printf("first step  %.3g s\n", f->dt);
    ond_progress_clock(a, sizeof a, f->seconds);
    if (f->untried) {
        printf("run         at least %.0f steps, %s or more: so large a grid was not tried\n",
               f->steps, a);
        return;
    }
    printf("run         some %.0f steps, roughly %s with %d thread%s: a guess from the first few\n",
           f->steps, a, ond_threads(), ond_threads() == 1 ? "" : "s");
}

static void print_json(const char *path, const OndSceneDef *scene, const Forecast *f)
{
    fputs("{\"scene\":", stdout);
    ond_cli_json_text(stdout, path);
    fputs(",\"title\":", stdout);
    ond_cli_json_text(stdout, scene->title);
    printf(",\"dimension\":%d,\"duration_s\":%.9g,\"frames\":%d,\"cells\":%.0f,\"particles\":%.0f,"
           "\"poured\":%.0f,"
           "\"memory_bytes\":%.0f,\"memory_now_bytes\":%.0f,\"disk_bytes\":%.0f,"
           "\"sound_speed\":%.9g,\"first_step_s\":%.9g,\"steps\":%.0f,\"run_s\":%.3g,"
           "\"tried\":%s,\"threads\":%d}\n",
           scene->dimension, scene->duration, f->frames, f->cells, f->start, f->poured, f->memory,
           f->memory_now, f->disk, f->sound, f->dt, f->steps, f->seconds,
           f->untried ? "false" : "true", ond_threads());
}

static int run(int argc, char **argv)
{
    OndTexts sets = {0};
    int threads = 0;
    bool json = false;
    const OndOpt opts[] = {
        OND_OPT_TEXTS("--set", "KEY=VALUE", "override a key, as in fluid.0.spacing=0.01", &sets),
        OND_OPT_INT("--threads", "N", "threads (default: one per core)", &threads, 1, 1024),
        OND_OPT_FLAG("--json", "print one JSON object", &json),
    };
    const OndUsage usage = {
        "ondine check SCENE [options]",
        "Checks a scene and says what running it would take: particles, memory, disk, "
        "step size, time.",
        1, 1};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);

    OndError err = {0};
    OndSceneDef scene;
    Forecast forecast = {0};
    ond_threads_set(threads);
    OndStatus status = ond_scene_load(argv[rest], &sets, &scene, &err);
    if (status != OND_OK) return ond_cli_fail("check", &err);
    ond_scene_notes(&scene, stderr);
    status = look_at(&scene, &forecast, &err);
    if (status == OND_OK && json) print_json(argv[rest], &scene, &forecast);
    if (status == OND_OK && !json) print_text(&scene, &forecast);
    ond_scene_free(&scene);
    return status == OND_OK ? OND_EXIT_DONE : ond_cli_fail("check", &err);
}

const OndCommand ond_cmd_check = {"check", "what a scene would simulate, and what it would take",
                                  run};

// SPDX-License-Identifier: MIT
// What a run of a scene would take: counted, and measured by a few steps.
#include "base/clock.h"
#include "io/scene_sections.h"
#include "lib/scene.h"
#include "lib/scene_load.h"
#include "lib/scene_notes.h"
#include "sim/scene/scene_grid.h"
#include "sim/sim.h"

#include <math.h>
#include <ondine/forecast.h>

#define TRIAL_STEPS   8
#define TRIAL_MS      2000.0 // no longer than this
#define CROWDED       3.5 // what a particle costs in a pool or a heap; in a jet it is 1: measured
#define FILE_OVERHEAD 1024.0 // bytes of headers in a file
#define OTHER_FORMAT  2.2    // times .ply: text, as .csv of water in 3D takes; measured

// Grids with more cells are not tried: a step alone would take longer than a person waits.
#define TRIAL_CELLS 4e6
#define CELL_NS     400.0 // for a step of a cell, on two cores: measured
#define CELL_FRAME  20.0  // bytes of a cell in a frame's file: velocity, density, temperature
#define CELL_STATE  28.0  // and in a checkpoint: pressure and warmth, too
#define TRACER      36.0  // bytes of a tracer in either

// ---- what there is

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

static void grid_size(const OndSceneDef *scene, int size[3])
{
    for (int a = 0; a < scene->dimension; ++a)
        size[a] = (int)lround((ond_axis(scene->domain.max, a) - ond_axis(scene->domain.min, a)) /
                              scene->spacing);
    if (scene->dimension == 2) size[2] = 1;
}

// Refuses what does not fit into `memory` bytes; 0: into the machine's.
static OndStatus estimate(const OndSceneDef *scene, double memory, OndEstimate *out, OndError *err)
{
    const OndStatus status = ond_scene_count(scene, memory, &out->particles, &out->poured, err);
    if (status != OND_OK) return status;
    out->frames = ond_sim_frame_count(scene);
    out->spacing = scene->spacing;
    out->cells = ond_scene_cells(scene, &out->bytes);
    if (scene->has_grid) grid_size(scene, out->size);
    out->bytes += (out->particles + out->poured) * OND_BYTES_EACH;
    out->mean = out->particles + share_there(scene) * out->poured;
    return OND_OK;
}

OndStatus ond_scene_estimate(const OndScene *scene, OndEstimate *out, OndError *err)
{
    OndError spare = {0};
    OndSceneDef def;
    *out = (OndEstimate){0};
    if (!err) err = &spare;
    OndStatus status = ond_scene_definitions(scene, &def, err);
    if (status == OND_OK) status = estimate(&def, INFINITY, out, err);
    ond_scene_free(&def);
    return status;
}

// ---- files

// Bytes that a frame's or a checkpoint's file takes for one particle or cell.
static double bytes_each(const OndFields *fields, unsigned flag)
{
    double bytes = 0.0;
    for (int f = 0; f < fields->field_count; ++f)
        if (fields->field[f].flags & flag) bytes += 4.0 * fields->field[f].components;
    return bytes;
}

static double disk_bytes(const OndSceneDef *scene, const OndFields *fields, const OndEstimate *has)
{
    const double all = has->particles + has->poured;
    const double ply = has->mean * bytes_each(fields, OND_FIELD_FRAME) + FILE_OVERHEAD;
    const double vtp = ply + 16.0 * has->mean; // each particle is a vertex cell, too
    const OndOutputDef *const output = ond_scene_output(scene);
    double each = ond_output_writes(output, &ond_format_ply) ? ply : 0.0;
    if (ond_output_writes(output, &ond_format_vtp)) each += vtp;
    if (each <= 0.0) each = OTHER_FORMAT * ply;
    return has->frames * each + 2.0 * all * bytes_each(fields, OND_FIELD_STATE);
}

// A frame of a grid: image data, and as much again at most in .vdb.
static double grid_frame(const OndSceneDef *scene, double cells, double each)
{
    const bool vdb = ond_output_writes(ond_scene_output(scene), &ond_format_vdb);
    const double files = vdb ? 2.0 : 1.0;
    return files * (cells * each + FILE_OVERHEAD);
}

static double grid_disk_bytes(const OndSceneDef *scene, const OndFields *cells,
                              const OndEstimate *has)
{
    const double each = grid_frame(scene, has->cells, bytes_each(cells, OND_FIELD_FRAME));
    return has->frames * each + 2.0 * cells->count * bytes_each(cells, OND_FIELD_STATE);
}

// ---- steps

static double sound_speed(OndSim *sim)
{
    OndCheckpoint c;
    ond_sim_checkpoint(sim, &c);
    return ond_checkpoint_number(&c, "sound_speed", 0.0);
}

// How much more a step takes on the mean than with the `now` particles that were tried. Those that
// come out of an emitter are almost alone, and cheap; those that lie in a heap are not.
static double growth(const OndEstimate *has, double now)
{
    if (has->cells > 0.0) return 1.0; // tracers cost little
    const double jet = fmax(0.0, 1.0 - has->particles / now);
    return fmax(1.0, has->mean / now) * (1.0 + (CROWDED - 1.0) * jet);
}

static OndStatus next_step(OndSim *sim, double frame_rate, double *dt, OndError *err)
{
    const OndStatus status = ond_sim_first_step(sim, dt, err);
    if (status == OND_OK && *dt * frame_rate > 1.0) *dt = 1.0 / frame_rate;
    return status;
}

// A few steps with particles, to see what one costs. The first is left out: it touches all memory
// anew. Where an emitter begins from nothing, the first step says little about those to come.
static OndStatus try_steps(OndSim *sim, const OndSceneDef *scene, OndForecast *f, OndError *err)
{
    double best = HUGE_VAL;
    const double begin = ond_now_ms();
    for (int tried = 0; tried < TRIAL_STEPS && !ond_sim_done(sim);) {
        const double before = ond_now_ms();
        const OndStatus status = ond_sim_step(sim, err);
        if (status != OND_OK) return status;
        if (tried > 0) best = fmin(best, ond_now_ms() - before);
        if (ond_sim_particle_count(sim) > 0 || f->has.cells > 0.0) ++tried;
        if (tried > 1 && ond_now_ms() - begin > TRIAL_MS) break;
    }
    if (f->has.particles == 0.0 && !ond_sim_done(sim)) {
        const OndStatus status = next_step(sim, scene->frame_rate, &f->dt, err);
        if (status != OND_OK) return status;
    }
    if (!isfinite(best)) best = 0.0;
    const double now = fmax(1.0, ond_sim_particle_count(sim));
    // frames are cut into steps of one length
    f->steps = (f->has.frames - 1) * fmax(1.0, ceil(1.0 / (scene->frame_rate * f->dt) - 1e-6));
    f->seconds = f->steps * best * 1e-3 * growth(&f->has, now);
    return OND_OK;
}

static OndStatus try_scene(const OndSceneDef *scene, OndNoteFn *say, void *user, OndForecast *f,
                           OndError *err)
{
    OndFrame frame;
    OndSim *const sim = ond_sim_make(scene, &ond_scene_assets, err);
    if (!sim) return err->status;
    ond_notes_of_sim(sim, say, user);
    f->tried = true;
    f->has.particles = ond_sim_particle_count(sim);
    f->has.mean = f->has.particles + share_there(scene) * f->has.poured;
    ond_sim_frame(sim, &frame);
    if (frame.particles.field_count > 0) f->disk = disk_bytes(scene, &frame.particles, &f->has);
    if (scene->has_grid) f->disk += grid_disk_bytes(scene, &frame.cells, &f->has);
    f->sound_speed = sound_speed(sim);
    OndStatus status = next_step(sim, scene->frame_rate, &f->dt, err);
    if (status == OND_OK) status = try_steps(sim, scene, f, err);
    f->bytes_now = (double)ond_sim_bytes(sim);
    ond_sim_destroy(sim);
    return status;
}

// From what was measured elsewhere, a step a frame at least.
static OndStatus guess(const OndSceneDef *scene, OndForecast *f)
{
    const double all = f->has.particles + f->has.poured, cells = f->has.cells;
    f->disk = f->has.frames * (grid_frame(scene, cells, CELL_FRAME) + TRACER * f->has.mean) +
              2.0 * (CELL_STATE * cells + TRACER * all);
    f->dt = 1.0 / scene->frame_rate;
    f->steps = f->has.frames;
    f->seconds = f->steps * cells * CELL_NS * 1e-9;
    return OND_OK;
}

OndStatus ond_scene_forecast(const OndScene *scene, OndNoteFn *say, void *user, OndForecast *out,
                             OndError *err)
{
    OndError spare = {0};
    OndSceneDef def;
    *out = (OndForecast){0};
    if (!err) err = &spare;
    OndStatus status = ond_scene_definitions(scene, &def, err);
    if (status == OND_OK) {
        const OndMethod *const method = ond_scene_method(&def);
        if (method->chosen) method->chosen(def.method.def, out->chosen, sizeof out->chosen);
        ond_notes_of_scene(&def, say, user);
        status = estimate(&def, 0.0, &out->has, err);
    }
    if (status == OND_OK)
        status =
            out->has.cells > TRIAL_CELLS ? guess(&def, out) : try_scene(&def, say, user, out, err);
    ond_scene_free(&def);
    return status;
}

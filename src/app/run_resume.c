// SPDX-License-Identifier: MIT
#include "app/run_loop.h"
#include "app/run_scene.h"
#include "io/checkpoint_hdf5.h"
#include "io/formats/vtk.h"
#include "io/scene_sections.h"
#include "io/yaml.h"
#include "lib/sim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static OndStatus check_film(const OndRunner *run, OndError *err)
{
    const OndOutputDef *const output = ond_scene_output(&run->scene);
    if (!run->options.film || ond_output_read_back(output) >= 0 || run->scene.has_grid)
        return OND_OK;
    return ond_fail(
        err, OND_BAD_VALUE,
        "a resumed run films all its frames at the end, and frames in %s alone cannot be "
        "read back; resume without --film",
        ond_output_writes(output, &ond_format_vtp) ? ".vtp" : "that `output.format`");
}

// The collection lists only frames that stay.
static OndStatus list_frames(OndRunner *run, OndRunItem item, const char *path, OndError *err)
{
    char name[64];
    OndRunFrames frames;
    OndStatus status = ond_run_frames(&run->folder, item, &frames, err);
    for (int k = 0; k < frames.count && status == OND_OK; ++k)
        status = ond_pvd_add(path, ond_run_name(item, frames.index[k], name),
                             frames.index[k] / run->scene.frame_rate, err);
    ond_run_frames_free(&frames);
    return status;
}

static OndStatus shorten_collection(OndRunner *run, OndError *err)
{
    char path[OND_PATH_MAX];
    ond_run_path(&run->folder, OND_RUN_COLLECTION, 0, path);
    if (unlink(path) != 0 && errno != ENOENT) return ond_file_fail(err, "remove", path, errno);
    int count = 0;
    const OndFormat *const *const formats = ond_formats(&count);
    OndStatus status = OND_OK;
    for (int k = 0; k < count && status == OND_OK; ++k)
        if (formats[k]->listed) status = list_frames(run, ond_run_frame_item(k), path, err);
    for (int k = 0; k < count && status == OND_OK; ++k)
        if (formats[k]->listed) status = list_frames(run, ond_run_foam_item(k), path, err);
    return status;
}

static OndStatus remove_later(OndRunner *run, OndError *err)
{
    const int first = ond_sim_frame_index(run->sim) + 1;
    OndStatus status = OND_OK;
    for (int item = OND_RUN_NUMBERED; item < OND_RUN_ITEMS && status == OND_OK; ++item)
        status = ond_run_remove_from(&run->folder, item, first, err);
    return status == OND_OK ? shorten_collection(run, err) : status;
}

// Names the key in which the scene differs from the one that is kept beside the frames.
static OndStatus check_scene(OndRunner *run, const OndCheckpoint *c, OndError *err)
{
    char path[OND_PATH_MAX], key[320];
    OndTree kept = {0};
    if (c->scene_hash == ond_sim_scene_hash(&run->scene)) return OND_OK;
    const bool known =
        ond_yaml_read(ond_run_path(&run->folder, OND_RUN_SCENE, 0, path), &kept, NULL) == OND_OK &&
        ond_scene_difference(kept.root, &run->scene, key, sizeof key);
    ond_tree_free(&kept);
    if (!known) return OND_OK; // the simulation refuses it, in general words
    return ond_fail(err, OND_BAD_VALUE,
                    "the checkpoint was made by another scene: %s. Only title, duration, output, "
                    "camera, render and the looks of solids may change before a resume; --force "
                    "begins anew",
                    key);
}

static OndStatus take_up(OndRunner *run, OndError *err)
{
    char path[OND_PATH_MAX];
    OndCheckpoint c;
    OndStatus status = ond_checkpoint_read(ond_run_path(&run->folder, OND_RUN_CHECKPOINT, 0, path),
                                           &c, run->note, sizeof run->note, err);
    if (status != OND_OK) {
        const OndError why = *err;
        return ond_fail(err, status,
                        "%.1500s; there is nothing to go on from: --force instead of --resume "
                        "begins the run anew",
                        why.text);
    }
    status = check_scene(run, &c, err);
    if (status != OND_OK) {
        ond_checkpoint_free(&c);
        return status;
    }
    run->sim = ond_sim_resume_from(run->given, &c, &ond_run_unasked, err);
    run->first_step = c.step;
    run->kept_frame = c.frame;
    ond_checkpoint_free(&c);
    return run->sim ? OND_OK : err->status;
}

static void add_note(OndRunner *run, const char *note)
{
    const size_t used = strlen(run->note);
    if (note[0])
        snprintf(run->note + used, sizeof run->note - used, "%s%s", used > 0 ? "; " : "", note);
}

OndStatus ond_runner_resume(OndRunner *run, const char *folder, OndError *err)
{
    char path[OND_PATH_MAX];
    const OndRunOptions *o = &run->options;
    run->remake_film = o->film;
    OndStatus status = check_film(run, err);
    if (status == OND_OK) status = ond_runner_open_folder(run, folder, OND_RUN_RESUME, err);
    if (status == OND_OK) status = take_up(run, err);
    if (status == OND_OK) status = remove_later(run, err);
    // from the folder's own scene: it is there
    if (status == OND_OK && (!ond_scene_is_folder(o->scene) || o->sets.count > 0))
        status = ond_scene_save(ond_run_path(&run->folder, OND_RUN_SCENE, 0, path), &run->scene,
                                &o->sets, err);
    if (status == OND_OK) status = ond_runner_open_log(run, run->first_step, err);
    if (status == OND_OK)
        status = ond_probe_tables_open(&run->folder, run->sim, true, &run->probes, err);
    if (status == OND_OK) add_note(run, ond_probe_tables_note(run->probes));
    return status == OND_OK ? ond_runner_open_pictures(run, err) : status;
}

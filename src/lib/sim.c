// SPDX-License-Identifier: MIT
// Simulations of public scenes, and their files.
#include "lib/sim.h"

#include "io/checkpoint_hdf5.h"
#include "io/formats/formats.h"
#include "lib/scene.h"
#include "lib/scene_load.h"

#include <ondine/ondine.h>
#include <pthread.h>

#define TEXT_OF(number) TEXT(number)
#define TEXT(number)    #number

const char *ond_version(void)
{
    return TEXT_OF(OND_VERSION_MAJOR) "." TEXT_OF(OND_VERSION_MINOR) "." TEXT_OF(OND_VERSION_PATCH);
}

// HDF5 bears one caller at a time, unless it was built otherwise.
static pthread_mutex_t hdf5 = PTHREAD_MUTEX_INITIALIZER;

static OndStatus read_checkpoint(const char *path, OndCheckpoint *out, char *note, size_t size,
                                 OndError *err)
{
    pthread_mutex_lock(&hdf5);
    const OndStatus status = ond_checkpoint_read(path, out, note, size, err);
    pthread_mutex_unlock(&hdf5);
    return status;
}

// Checked definitions that outlive the call, small enough for the memory that there is.
static OndSceneDef *keep_scene(const OndScene *scene, const OndSimOptions *options, OndError *err)
{
    double start = 0.0, poured = 0.0;
    const double memory = options ? options->memory : 0.0;
    OndSceneDef *const def = OND_NEW(OndSceneDef);
    if (!def) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
        return NULL;
    }
    OndStatus status = ond_scene_definitions(scene, def, err);
    if (status == OND_OK && memory >= 0.0)
        status = ond_scene_count(def, memory, &start, &poured, err);
    if (status == OND_OK) return def;
    ond_scene_free(def);
    ond_free(def);
    return NULL;
}

static OndSim *own_scene(OndSim *sim, OndSceneDef *def)
{
    if (sim) {
        ond_sim_take_scene(sim, def);
        return sim;
    }
    ond_scene_free(def);
    ond_free(def);
    return NULL;
}

OndSim *ond_sim_create(const OndScene *scene, const OndSimOptions *options, OndError *err)
{
    OndError spare = {0};
    if (!err) err = &spare;
    OndSceneDef *const def = keep_scene(scene, options, err);
    return def ? own_scene(ond_sim_make(def, &ond_scene_assets, err), def) : NULL;
}

OndSim *ond_sim_resume_from(const OndScene *scene, const OndCheckpoint *from,
                            const OndSimOptions *options, OndError *err)
{
    OndSceneDef *const def = keep_scene(scene, options, err);
    return def ? own_scene(ond_sim_remake(def, &ond_scene_assets, from, err), def) : NULL;
}

OndSim *ond_sim_resume(const OndScene *scene, const char *path, const OndSimOptions *options,
                       OndError *err)
{
    OndError spare = {0};
    OndCheckpoint from;
    char note[512] = "";
    if (!err) err = &spare;
    if (read_checkpoint(path, &from, note, sizeof note, err) != OND_OK) return NULL;
    OndSim *const sim = ond_sim_resume_from(scene, &from, options, err);
    ond_checkpoint_free(&from);
    if (sim && note[0]) ond_sim_add_note(sim, note);
    return sim;
}

OndStatus ond_sim_write(const OndSim *sim, const char *path, OndError *err)
{
    OndFrame frame;
    OndStatus status = ond_sim_look(sim, &frame, err);
    if (status != OND_OK) return status;
    status = ond_frame_write(path, &frame, err);
    ond_sim_look_free(&frame);
    return status;
}

OndStatus ond_sim_save(OndSim *sim, const char *path, OndError *err)
{
    OndError spare = {0};
    OndCheckpoint all;
    ond_sim_checkpoint(sim, &all);
    pthread_mutex_lock(&hdf5);
    const OndStatus status = ond_checkpoint_write(path, &all, err ? err : &spare);
    pthread_mutex_unlock(&hdf5);
    return status;
}

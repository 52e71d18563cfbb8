// SPDX-License-Identifier: MIT
#include "app/run_scene.h"

#include "io/run_folder.h"
#include "sim/scene/scene_missing.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool ond_scene_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// ---- reading

static OndStatus scene_file(const char *path, char out[OND_PATH_MAX], OndError *err)
{
    OndRunFolder folder;
    if (!ond_scene_is_folder(path)) {
        if (snprintf(out, OND_PATH_MAX, "%s", path) < OND_PATH_MAX) return OND_OK;
        return ond_fail(err, OND_BAD_VALUE, "the scene's path is longer than %d characters",
                        OND_PATH_MAX - 1);
    }
    const OndStatus status = ond_run_open(path, OND_RUN_READ, &folder, err);
    if (status != OND_OK) return status;
    ond_run_path(&folder, OND_RUN_SCENE, 0, out);
    if (access(out, F_OK) == 0) return OND_OK;
    return ond_fail(
        err, OND_BAD_VALUE,
        "%s is a folder without a scene.yaml; give a scene file, or the folder of a run", path);
}

// A scene that is not there is a bad scene.
static OndStatus missing(const char *path, OndError *err)
{
    return ond_fail(err, OND_BAD_VALUE, "%s:1:1: error: there is no such scene file", path);
}

OndStatus ond_scene_open(const char *path, const OndTexts *sets, OndScene **out, OndError *err)
{
    char file[OND_PATH_MAX];
    *out = NULL;
    OndStatus status = scene_file(path, file, err);
    if (status == OND_OK && access(file, F_OK) != 0) return missing(file, err);
    if (status != OND_OK) return status;
    OndScene *const scene = ond_scene_create();
    if (!scene) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
    status = ond_scene_file(scene, file, err);
    for (int k = 0; sets && k < sets->count && status == OND_OK; ++k)
        status = ond_scene_assign(scene, "--set", sets->item[k], err);
    if (status == OND_OK)
        *out = scene;
    else
        ond_scene_destroy(scene);
    return status;
}

OndStatus ond_scene_load(const char *path, const OndTexts *sets, OndSceneDef *out, OndError *err)
{
    OndScene *scene = NULL;
    memset(out, 0, sizeof *out);
    OndStatus status = ond_scene_open(path, sets, &scene, err);
    if (status == OND_OK) status = ond_scene_definitions(scene, out, err);
    ond_scene_destroy(scene);
    return status;
}

OndStatus ond_scene_save(const char *path, const OndSceneDef *scene, const OndTexts *sets,
                         OndError *err)
{
    return ond_tree_save(path, &scene->tree, sets ? sets->item : NULL, sets ? sets->count : 0, err);
}

// ---- notes

// Paths were made whole on reading: what follows the last step up is how a person knows the file.
static void say_missing(const char *path, void *context)
{
    static const char fetched[] = "models/";
    for (const char *up = strstr(path, "/../"); up; up = strstr(up + 3, "/../"))
        path = up + 4;
    const bool ours = strncmp(path, fetched, sizeof fetched - 1) == 0;
    fprintf(context, "note: %s is not there; its stand-in is used.%s\n", path,
            ours ? " `make models` fetches it." : "");
}

// Whether anything may catch or brake what falls. Walls beside the fall that let everything slide
// are as good as none.
static bool is_held_back(const OndSceneDef *scene)
{
    bool held = scene->solids.count > 0;
    for (int side = 0; scene->has_domain && side < 2 * scene->dimension; ++side)
        held |=
            scene->domain.side[side].kind == OND_SIDE_WALL && scene->domain.side[side].slip < 1.0f;
    for (int f = 0; f < scene->fluids.count; ++f)
        held |= ond_scene_fluid(scene, f)->fixed || ond_scene_fluid(scene, f)->regions.count > 0;
    return held;
}

static void say_free_fall(const OndSceneDef *scene, FILE *out)
{
    if (scene->has_grid || is_held_back(scene)) return;
    if (!scene->has_domain && ond_length(scene->gravity) > 0.0)
        fputs("note: there is no domain and no solid, so everything falls for ever; give a domain: "
              "{min: [x, y, z], max: [x, y, z]}, or gravity: [0, 0, 0]\n",
              out);
    for (int a = 0; scene->has_domain && a < scene->dimension; ++a) {
        const double g = fabs(ond_axis(scene->gravity, a));
        if (scene->domain.axis[a] == OND_SIDE_PERIODIC && g > 0.0)
            fprintf(out,
                    "note: gravity points along %c, which is periodic: nothing stops the fall, and "
                    "speeds grow by %g m/s in a second\n",
                    "xyz"[a], g);
    }
}

void ond_scene_notes(const OndSceneDef *scene, FILE *out)
{
    say_free_fall(scene, out);
    if (scene->duration > scene->asked)
        fprintf(out,
                "note: the duration of %g s ends between two frames (%g a second); the run goes on "
                "to %g s, frame %d\n",
                scene->asked, scene->frame_rate, scene->duration, ond_sim_frame_count(scene) - 1);
    ond_scene_missing(scene, say_missing, out);
}

void ond_sim_notes(const OndSim *sim, FILE *out)
{
    const char *note;
    for (int k = 0; (note = ond_sim_note(sim, k)); ++k)
        fprintf(out, "note: %s\n", note);
}

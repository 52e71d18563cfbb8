// SPDX-License-Identifier: MIT
#include "app/run_scene.h"

#include "io/run_folder.h"

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
    OndComment comment[1 + OND_TEXTS_MAX] = {{"The scene as run. From: ", scene->tree.name}};
    const int count = sets ? sets->count : 0;
    for (int k = 0; k < count; ++k)
        comment[1 + k] = (OndComment){"--set ", sets->item[k]};
    return ond_tree_save(path, &scene->tree, comment, 1 + count, err);
}

// ---- notes

// Models of the shipped scenes are not part of the repository.
static bool is_model(const char *note)
{
    static const char fetched[] = "models/";
    return strncmp(note, fetched, sizeof fetched - 1) == 0;
}

void ond_print_note(const char *note, void *stream)
{
    fprintf(stream, "note: %s%s\n", note, is_model(note) ? " `make models` fetches it." : "");
}

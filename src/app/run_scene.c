// SPDX-License-Identifier: MIT
#include "app/run_scene.h"

#include "io/formats.h"
#include "io/mesh_assimp.h"
#include "io/run_folder.h"
#include "io/text_freetype.h"
#include "io/vdb.h"
#include "io/yaml.h"
#include "sim/scene_fill.h"
#include "sim/scene_grid.h"
#include "sim/scene_missing.h"
#include "sim/tracers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const OndAssets ond_scene_assets = {ond_mesh_load, ond_text_outline, ond_frame_read};

bool ond_scene_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// ---- paths

static bool names_file(const OndNode *map, const OndNode *value)
{
    const OndNode *type = ond_node_get(map, "type");
    if (value->key && value->text && strcmp(value->key, "files") == 0) return value->text[0];
    if (!type || !type->text || !value->key || !value->text || value->text[0] == '\0') return false;
    const bool file = strcmp(type->text, "mesh") == 0 || strcmp(type->text, "particles") == 0;
    if (file) return strcmp(value->key, "file") == 0;
    if (strcmp(type->text, "text") != 0 || strcmp(value->key, "font") != 0) return false;
    const char *dot = strrchr(value->text, '.');
    return strchr(value->text, '/') ||
           (dot && (strcmp(dot, ".ttf") == 0 || strcmp(dot, ".otf") == 0));
}

static void make_whole(OndTree *tree, OndNode *value, const char *folder)
{
    char path[PATH_MAX + 1];
    if (value->text[0] == '/') return;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, value->text);
    if (length < 0 || length >= (int)sizeof path) return; // whoever opens it will complain
    const char *text = ond_arena_text(&tree->arena, path, (size_t)length);
    if (text) value->text = text;
}

static void make_paths_whole(OndTree *tree, OndNode *node, const char *folder)
{
    for (OndNode *child = node->child; child; child = child->next) {
        if (node->kind == OND_NODE_MAP && names_file(node, child)) make_whole(tree, child, folder);
        make_paths_whole(tree, child, folder);
    }
}

static void find_files(OndTree *tree)
{
    char folder[PATH_MAX + 1];
    const char *slash = strrchr(tree->name, '/');
    const int length = slash ? (int)(slash - tree->name) + 1 : 0;
    if (length >= (int)sizeof folder) return;
    snprintf(folder, sizeof folder, "%.*s", length, tree->name);
    char *real = realpath(length ? folder : ".", NULL);
    if (real && tree->root) make_paths_whole(tree, tree->root, strcmp(real, "/") ? real : "");
    free(real);
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

OndStatus ond_scene_load(const char *path, const OndTexts *sets, OndSceneDef *out, OndError *err)
{
    char file[OND_PATH_MAX];
    OndTree tree = {0};
    memset(out, 0, sizeof *out);
    OndStatus status = scene_file(path, file, err);
    if (status == OND_OK && access(file, F_OK) != 0) return missing(file, err);
    if (status == OND_OK) status = ond_yaml_read(file, &tree, err);
    for (int k = 0; sets && k < sets->count && status == OND_OK; ++k)
        status = ond_yaml_override(&tree, sets->item[k], err);
    if (status != OND_OK) {
        ond_tree_free(&tree);
        return status;
    }
    find_files(&tree);
    return ond_scene_read(&tree, out, err);
}

static double machine_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (double)pages * (double)page : 0.0;
}

static OndStatus check_grid_memory(const OndSceneDef *scene, OndError *err)
{
    double bytes = 0.0;
    const double cells = ond_scene_cells(scene, &bytes), memory = machine_memory();
    if (memory <= 0.0 || bytes <= memory) return OND_OK;
    return ond_tree_fail(
        &scene->tree, ond_scene_at(scene->method.node, "cell"), err,
        "a grid of %.3g million cells needs about %.1f GiB of memory, and this machine has %.1f "
        "GiB; larger cells make fewer",
        cells * 1e-6, bytes / 1073741824.0, memory / 1073741824.0);
}

static OndStatus check_vdb(const OndSceneDef *scene, OndError *err)
{
    if (scene->output.format != OND_OUTPUT_VDB || ond_vdb_here()) return OND_OK;
    const OndNode *const output = ond_node_get(scene->tree.root, "output");
    return ond_tree_fail(&scene->tree, ond_scene_at(output, "format"), err,
                         "this build has no OpenVDB; install libopenvdb-dev and build again, or "
                         "leave the format out: .vti files are always written");
}

OndStatus ond_scene_count(const OndSceneDef *scene, double *start, double *poured, OndError *err)
{
    if (scene->has_grid) {
        OndStatus status = check_grid_memory(scene, err);
        if (status == OND_OK) status = check_vdb(scene, err);
        if (status != OND_OK) return status;
        return ond_tracers_forecast(scene, &ond_scene_assets, start, poured, err);
    }
    const long long count = ond_scene_forecast(scene, &ond_scene_assets, err);
    if (count < 0) return err->status;
    *start = (double)count;
    *poured = ond_scene_forecast_poured(scene);
    const double memory = machine_memory();
    const double needs = (*start + *poured) * OND_BYTES_EACH;
    if (memory <= 0.0 || needs <= memory) return OND_OK;
    const OndNode *fluid = scene->fluids.count ? ond_scene_fluid(scene, 0)->node : NULL;
    return ond_tree_fail(
        &scene->tree, fluid ? ond_scene_at(fluid, "spacing") : NULL, err,
        "%.3g million particles need about %.1f GiB of memory, and this machine has %.1f GiB; a "
        "larger spacing makes fewer",
        (*start + *poured) * 1e-6, needs / 1073741824.0, memory / 1073741824.0);
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

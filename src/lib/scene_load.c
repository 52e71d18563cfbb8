// SPDX-License-Identifier: MIT
#include "lib/scene_load.h"

#include "io/formats/formats.h"
#include "io/formats/vdb.h"
#include "io/mesh_assimp.h"
#include "io/scene_sections.h"
#include "io/text_freetype.h"
#include "sim/scene/scene_fill.h"
#include "sim/scene/scene_grid.h"
#include "sim/tracers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const OndAssets ond_scene_assets = {ond_mesh_load, ond_text_outline, ond_frame_read};

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

void ond_scene_find_files(OndTree *tree)
{
    char folder[PATH_MAX + 1];
    const char *const name = tree->name ? tree->name : "";
    const char *const slash = strrchr(name, '/');
    const int length = slash ? (int)(slash - name) + 1 : 0;
    if (length >= (int)sizeof folder) return;
    snprintf(folder, sizeof folder, "%.*s", length, name);
    char real[PATH_MAX];
    if (realpath(length ? folder : ".", real) && tree->root)
        make_paths_whole(tree, tree->root, strcmp(real, "/") ? real : "");
}

// ---- memory

static double machine_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (double)pages * (double)page : 0.0;
}

static OndStatus check_grid_memory(const OndSceneDef *scene, double memory, const char *whose,
                                   OndError *err)
{
    double bytes = 0.0;
    const double cells = ond_scene_cells(scene, &bytes);
    if (memory <= 0.0 || bytes <= memory) return OND_OK;
    return ond_tree_fail(&scene->tree, ond_scene_at(scene->method.node, "cell"), err,
                         "a grid of %.3g million cells needs about %.1f GiB of memory, and %s %.1f "
                         "GiB; larger cells make fewer",
                         cells * 1e-6, bytes / 1073741824.0, whose, memory / 1073741824.0);
}

static OndStatus check_vdb(const OndSceneDef *scene, OndError *err)
{
    if (!ond_output_writes(ond_scene_output(scene), &ond_format_vdb) || ond_vdb_here())
        return OND_OK;
    const OndNode *const output = ond_node_get(scene->tree.root, "output");
    return ond_tree_fail(&scene->tree, ond_scene_at(output, "format"), err,
                         "this build has no OpenVDB; install libopenvdb-dev and build again, or "
                         "leave the format out: .vti files are always written");
}

OndStatus ond_scene_count(const OndSceneDef *scene, double memory, double *start, double *poured,
                          OndError *err)
{
    const char *const whose = memory > 0.0 ? "it may take" : "this machine has";
    if (memory <= 0.0) memory = machine_memory();
    if (scene->has_grid) {
        OndStatus status = check_grid_memory(scene, memory, whose, err);
        if (status == OND_OK) status = check_vdb(scene, err);
        if (status != OND_OK) return status;
        return ond_tracers_forecast(scene, &ond_scene_assets, start, poured, err);
    }
    const long long count = ond_scene_forecast_start(scene, &ond_scene_assets, err);
    if (count < 0) return err->status;
    *start = (double)count;
    *poured = ond_scene_forecast_poured(scene);
    const double needs = (*start + *poured) * OND_BYTES_EACH;
    if (memory <= 0.0 || needs <= memory) return OND_OK;
    const OndNode *fluid = scene->fluids.count ? ond_scene_fluid(scene, 0)->node : NULL;
    return ond_tree_fail(&scene->tree, fluid ? ond_scene_at(fluid, "spacing") : NULL, err,
                         "%.3g million particles need about %.1f GiB of memory, and %s %.1f GiB; a "
                         "larger spacing makes fewer",
                         (*start + *poured) * 1e-6, needs / 1073741824.0, whose,
                         memory / 1073741824.0);
}

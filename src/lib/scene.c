// SPDX-License-Identifier: MIT
#include "lib/scene.h"

#include "io/scene_sections.h"
#include "io/yaml.h"
#include "lib/scene_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

OndScene *ond_scene_create(void)
{
    OndScene *const scene = OND_NEW(OndScene);
    if (!scene) return NULL;
    scene->tree.name = "scene";
    scene->tree.root = ond_tree_new(&scene->tree, OND_NODE_MAP);
    if (scene->tree.root) return scene;
    ond_free(scene);
    return NULL;
}

void ond_scene_destroy(OndScene *scene)
{
    if (!scene) return;
    ond_tree_free(&scene->tree);
    ond_free(scene);
}

OndScene *ond_scene_copy(const OndScene *scene, OndError *err)
{
    OndScene *const copy = OND_NEW(OndScene);
    if (!copy) ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
    if (copy && ond_tree_copy(&scene->tree, &copy->tree, err) == OND_OK) return copy;
    ond_free(copy);
    return NULL;
}

static void take(OndScene *scene, OndTree *tree)
{
    ond_tree_free(&scene->tree);
    scene->tree = *tree;
}

// A scene is a map, or the checks could not say where keys belong.
static OndStatus take_read(OndScene *scene, OndTree *tree, OndStatus status, OndError *err)
{
    if (status == OND_OK && tree->root->kind != OND_NODE_MAP)
        status = ond_tree_fail(tree, tree->root, err, "a scene is a map of keys and values");
    if (status == OND_OK)
        take(scene, tree);
    else
        ond_tree_free(tree);
    return status;
}

OndStatus ond_scene_text(OndScene *scene, const char *text, const char *name, OndError *err)
{
    OndTree tree;
    const OndStatus status = ond_yaml_text(name ? name : "scene", text, strlen(text), &tree, err);
    return take_read(scene, &tree, status, err);
}

OndStatus ond_scene_file(OndScene *scene, const char *path, OndError *err)
{
    OndTree tree;
    const OndStatus status = ond_yaml_read(path, &tree, err);
    return take_read(scene, &tree, status, err);
}

OndStatus ond_scene_assign(OndScene *scene, const char *by, const char *assignment, OndError *err)
{
    OndTree tree;
    OndStatus status = ond_tree_copy(&scene->tree, &tree, err);
    if (status != OND_OK) return status;
    status = ond_yaml_assign(&tree, by, assignment, err);
    if (status == OND_OK)
        take(scene, &tree);
    else
        ond_tree_free(&tree);
    return status;
}

OndStatus ond_scene_set(OndScene *scene, const char *assignment, OndError *err)
{
    return ond_scene_assign(scene, "set", assignment, err);
}

OndNode *ond_number_node(OndTree *tree, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%.17g", value);
    for (char *c = text; *c; ++c) // whatever the host's locale has for a point
        if (!strchr("+-0123456789einfa", *c)) *c = '.';
    return ond_tree_scalar(tree, text, false);
}

static OndStatus set_numbers(OndTree *tree, const char *path, const double *value, int count,
                             OndError *err)
{
    const char *const origin = ond_arena_text(&tree->arena, path, strlen(path));
    OndNode *node = count > 1 ? ond_tree_new(tree, OND_NODE_LIST) : ond_number_node(tree, *value);
    for (int k = 0; k < count && count > 1 && node; ++k) {
        OndNode *const one = ond_number_node(tree, value[k]);
        if (one) {
            one->origin = origin;
            ond_tree_put(tree, node, NULL, one);
        } else {
            node = NULL;
        }
    }
    if (!node || !origin) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
    node->origin = origin;
    return ond_tree_set(tree, path, node, err);
}

OndStatus ond_scene_set_numbers(OndScene *scene, const char *path, const double *value, int count,
                                OndError *err)
{
    OndTree tree;
    if (count < 1 || !path[0])
        return ond_fail(err, OND_BAD_VALUE, "'%.200s' gets %d numbers; give a path and some", path,
                        count);
    OndStatus status = ond_tree_copy(&scene->tree, &tree, err);
    if (status == OND_OK) status = set_numbers(&tree, path, value, count, err);
    if (status == OND_OK)
        take(scene, &tree);
    else
        ond_tree_free(&tree);
    return status;
}

const char *ond_scene_get(const OndScene *scene, const char *path)
{
    const OndNode *const node = ond_tree_get(&scene->tree, path);
    return node && node->kind == OND_NODE_SCALAR ? node->text : NULL;
}

OndStatus ond_scene_definitions(const OndScene *scene, OndSceneDef *out, OndError *err)
{
    OndTree tree;
    memset(out, 0, sizeof *out);
    if (err) *err = (OndError){0}; // mistakes add up here, those of an earlier call do not
    const OndStatus status = ond_tree_copy(&scene->tree, &tree, err);
    if (status != OND_OK) return status;
    ond_scene_find_files(&tree);
    return ond_scene_read(&tree, out, err);
}

OndStatus ond_scene_validate(const OndScene *scene, OndError *err)
{
    OndSceneDef def;
    const OndStatus status = ond_scene_definitions(scene, &def, err);
    ond_scene_free(&def);
    return status;
}

OndStatus ond_scene_described(const OndScene *scene, OndSceneInfo *out, OndError *err)
{
    OndSceneDef def;
    *out = ond_scene_info();
    const OndStatus status = ond_scene_definitions(scene, &def, err);
    if (status == OND_OK) {
        // the definitions' own title goes with them, unless it is the default
        const OndNode *const title = ond_node_get(scene->tree.root, "title");
        const bool given = title && title->kind == OND_NODE_SCALAR;
        const OndVec g = def.gravity;
        *out = (OndSceneInfo){.title = given ? title->text : def.title,
                              .method = ond_scene_method(&def)->name,
                              .dimension = def.dimension,
                              .duration = def.duration,
                              .frame_rate = def.frame_rate,
                              .gravity = {g.x, g.y, g.z}};
    }
    ond_scene_free(&def);
    return status;
}

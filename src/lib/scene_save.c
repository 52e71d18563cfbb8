// SPDX-License-Identifier: MIT
// Scenes as files and texts.
#include "lib/scene.h"

#include "io/file.h"
#include "lib/scene_load.h"

static void write_comment(OndFile *file, const OndComment *comment)
{
    ond_file_print(file, "# %s", comment->head);
    for (const char *text = comment->text; *text; ++text) {
        const bool control = (unsigned char)*text < 0x20 || *text == 0x7f;
        ond_file_write(file, control ? " " : text, 1);
    }
    ond_file_print(file, "\n");
}

OndStatus ond_tree_save(const char *path, const OndTree *tree, const OndComment *comment,
                        int comments, OndError *err)
{
    const size_t size = ond_tree_yaml(tree, NULL, 0) + 1;
    char *const text = OND_NEW_ARRAY(char, size);
    if (!text) return ond_fail(err, OND_NO_MEMORY, "not enough memory to write the scene");
    OndFile *const file = ond_file_create(path, err);
    for (int k = 0; k < comments && file; ++k)
        write_comment(file, &comment[k]);
    if (file) ond_file_write(file, text, ond_tree_yaml(tree, text, size));
    ond_free(text);
    return file ? ond_file_commit(file, err) : OND_IO;
}

OndStatus ond_scene_write(const OndScene *scene, const char *path, OndError *err)
{
    OndTree tree;
    OndStatus status = ond_tree_copy(&scene->tree, &tree, err);
    if (status != OND_OK) return status;
    ond_scene_find_files(&tree);
    const OndComment from = {"From: ", tree.name};
    status = ond_tree_save(path, &tree, &from, 1, err);
    ond_tree_free(&tree);
    return status;
}

size_t ond_scene_yaml(const OndScene *scene, char *text, size_t size, OndError *err)
{
    OndTree tree;
    if (ond_tree_copy(&scene->tree, &tree, err) != OND_OK) return 0;
    ond_scene_find_files(&tree);
    const size_t length = ond_tree_yaml(&tree, text, size);
    ond_tree_free(&tree);
    return length;
}

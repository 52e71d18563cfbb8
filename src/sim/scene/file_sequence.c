// SPDX-License-Identifier: MIT
#include "sim/scene/file_sequence.h"

#include "sim/scene/scene_missing.h"

#include <stdio.h>
#include <string.h>

#define FRAMES_MAX  100000
#define GAP         16 // numbers that may be missing before a sequence has ended
#define NAME_LENGTH OND_FILE_NAME_LENGTH

// Where the number stands and how wide it is; false when the text has none or more than one.
static bool find_number(const char *files, size_t *from, size_t *to, int *width, bool *zeros)
{
    const char *const percent = strchr(files, '%');
    if (!percent) return false;
    const char *c = percent + 1;
    *zeros = *c == '0';
    for (*width = 0; *c >= '0' && *c <= '9' && *width < 100; ++c)
        *width = 10 * *width + (*c - '0');
    *from = (size_t)(percent - files);
    *to = (size_t)(c - files) + 1;
    return *c == 'd' && *width <= 9 && !strchr(c, '%');
}

bool ond_files_pattern(const char *files)
{
    size_t from, to;
    int width;
    bool zeros;
    return find_number(files, &from, &to, &width, &zeros);
}

// Written out by hand: the text comes from a user and is no format.
static bool name_of(const char *files, int number, char out[NAME_LENGTH])
{
    size_t from, to;
    int width;
    bool zeros;
    char digits[32];
    if (!find_number(files, &from, &to, &width, &zeros)) return false;
    snprintf(digits, sizeof digits, zeros ? "%0*d" : "%*d", width, number);
    const int length = snprintf(out, NAME_LENGTH, "%.*s%s%s", (int)from, files, digits, files + to);
    return length >= 0 && length < NAME_LENGTH;
}

static bool is_there(const OndSceneDef *scene, const char *files, int number)
{
    char name[NAME_LENGTH];
    return name_of(files, number, name) && ond_scene_has_file(scene, name);
}

void ond_files_name(const char *files, int number, char *out, size_t room)
{
    char name[NAME_LENGTH] = "";
    name_of(files, number, name);
    snprintf(out, room, "%.*s", (int)room - 1, name);
}

OndStatus ond_files_range(const OndSceneDef *scene, const OndFilePattern *pattern, int *first,
                          int *count, OndError *err)
{
    const char *const files = pattern->files;
    const OndNode *const at = ond_scene_at(pattern->node, pattern->key);
    char name[NAME_LENGTH], later[NAME_LENGTH];
    *first = is_there(scene, files, 0) ? 0 : 1;
    for (*count = 0; *count < FRAMES_MAX && is_there(scene, files, *first + *count);)
        ++*count;
    if (*count == 0) {
        ond_files_name(files, 0, name, sizeof name);
        ond_files_name(files, 1, later, sizeof later);
        return ond_tree_fail(&scene->tree, at, err,
                             "there is neither %.200s nor %.200s beside the scene", name, later);
    }
    const int end = *first + *count;
    for (int k = end + 1; k < end + GAP; ++k) {
        if (!is_there(scene, files, k)) continue;
        ond_files_name(files, end, name, sizeof name);
        ond_files_name(files, k, later, sizeof later);
        return ond_tree_fail(&scene->tree, at, err, "%.200s is missing, but %.200s is there", name,
                             later);
    }
    return OND_OK;
}

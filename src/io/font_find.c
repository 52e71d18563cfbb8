// SPDX-License-Identifier: MIT
// Fonts are found by opening each one and asking for its name: no index to keep, nothing to
// configure, and a few hundred fonts take a fraction of a second.
#include "io/font_find.h"

#include "base/memory.h"
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define PATH_SIZE      4096
#define NAME_SIZE      128
#define DEPTH_MAX      8 // of folders in folders: a link may lead back up
#define NAMES_SHOWN    6
#define FONT_BYTES_MAX (64u * 1024 * 1024)

typedef struct FontSearch {
    FT_Library library;
    const char *wanted;
    int best; ///< score of what was found; 0: nothing yet
    char path[PATH_SIZE];
    FT_Long index;                       ///< of the face in its file
    char family[NAMES_SHOWN][NAME_SIZE]; ///< some that are there, for the message
    int family_count;
    bool no_memory; ///< so that something may have been missed
} FontSearch;

enum { SCORE_NONE, SCORE_FAMILY, SCORE_UPRIGHT, SCORE_PLAIN, SCORE_FULL };

static bool is_plain_style(const char *style)
{
    static const char *const plain[] = {"Regular", "Book", "Roman", "Normal", "Medium"};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; ++i)
        if (strcasecmp(style, plain[i]) == 0) return true;
    return false;
}

static int score(FT_Face face, const char *wanted)
{
    const char *family = face->family_name, *style = face->style_name ? face->style_name : "";
    const size_t length = strlen(family);
    if (strncasecmp(wanted, family, length) != 0) return SCORE_NONE;
    if (wanted[length] == ' ')
        return strcasecmp(wanted + length + 1, style) == 0 ? SCORE_FULL : SCORE_NONE;
    if (wanted[length] != '\0') return SCORE_NONE;
    if (is_plain_style(style)) return SCORE_PLAIN;
    return face->style_flags == 0 ? SCORE_UPRIGHT : SCORE_FAMILY;
}

static void remember_family(FontSearch *search, const char *family)
{
    for (int i = 0; i < search->family_count; ++i)
        if (strncmp(search->family[i], family, NAME_SIZE - 1) == 0) return;
    if (search->family_count == NAMES_SHOWN) return;
    snprintf(search->family[search->family_count++], NAME_SIZE, "%s", family);
}

static void look_at_face(FontSearch *search, const char *path, FT_Face face, FT_Long index)
{
    if (!face->family_name || !FT_IS_SCALABLE(face)) return;
    remember_family(search, face->family_name);
    const int points = score(face, search->wanted);
    if (points <= search->best) return;
    search->best = points;
    search->index = index;
    snprintf(search->path, sizeof search->path, "%s", path);
}

static void look_at_file(FontSearch *search, const char *path)
{
    FT_Long faces = 1;
    for (FT_Long i = 0; i < faces && i < 64; ++i) {
        FT_Face face;
        if (FT_New_Face(search->library, path, i, &face) != 0) return;
        faces = face->num_faces;
        look_at_face(search, path, face, i);
        FT_Done_Face(face);
    }
}

static bool is_font_name(const char *name)
{
    static const char *const ends[] = {".ttf", ".otf", ".ttc", ".otc", ".pfb"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof ends[0]; ++i)
        if (strcasecmp(dot, ends[i]) == 0) return true;
    return false;
}

// ---- folders

typedef struct NameList {
    OndArena arena; // holds the names
    const char **name;
    int count, room;
} NameList;

static bool add_name(NameList *list, const char *name)
{
    if (list->count == list->room) {
        const int room = list->room > 0 ? 2 * list->room : 64;
        const char **const more = OND_NEW_ARRAY(const char *, room);
        if (!more) return false;
        if (list->count > 0) memcpy(more, list->name, (size_t)list->count * sizeof *more);
        ond_free(list->name);
        list->name = more;
        list->room = room;
    }
    const char *const copy = ond_arena_text(&list->arena, name, strlen(name));
    if (copy) list->name[list->count++] = copy;
    return copy;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// In the order of their bytes, so that the same machine always picks the same file. Not scandir,
// whose memory would not be the host's.
static bool list_folder(const char *folder, NameList *out)
{
    bool whole = true;
    DIR *const dir = opendir(folder);
    if (!dir) return true; // most of the folders are not there
    for (const struct dirent *e; whole && (e = readdir(dir));)
        if (e->d_name[0] != '.') whole = add_name(out, e->d_name);
    closedir(dir);
    if (out->count > 1) qsort(out->name, (size_t)out->count, sizeof *out->name, by_name);
    return whole;
}

static void look_in_folder(FontSearch *search, const char *folder, int depth)
{
    NameList list = {0};
    if (depth < DEPTH_MAX && !list_folder(folder, &list)) search->no_memory = true;
    for (int i = 0; i < list.count && search->best < SCORE_FULL; ++i) {
        char path[PATH_SIZE];
        struct stat info;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, list.name[i]);
        if (length >= PATH_SIZE || stat(path, &info) != 0) continue;
        if (S_ISDIR(info.st_mode))
            look_in_folder(search, path, depth + 1);
        else if (S_ISREG(info.st_mode) && is_font_name(path))
            look_at_file(search, path);
    }
    ond_free(list.name);
    ond_arena_free(&list.arena);
}

static void look_everywhere(FontSearch *search)
{
    const char *home = getenv("HOME");
    static const char *const own[] = {".fonts", ".local/share/fonts"};
    for (int i = 0; home && i < 2; ++i) {
        char folder[PATH_SIZE];
        if (snprintf(folder, sizeof folder, "%s/%s", home, own[i]) < PATH_SIZE)
            look_in_folder(search, folder, 0);
    }
    look_in_folder(search, "/usr/local/share/fonts", 0);
    look_in_folder(search, "/usr/share/fonts", 0);
}

static OndStatus fail_unknown(const FontSearch *search, OndError *err)
{
    if (search->family_count == 0)
        return ond_fail(err, OND_MISSING,
                        "no font '%s': there are no fonts at all in /usr/share/fonts or ~/.fonts; "
                        "install some (package fonts-dejavu-core) or give a font file's path",
                        search->wanted);
    char found[NAMES_SHOWN * (NAME_SIZE + 2)] = "";
    for (int i = 0; i < search->family_count; ++i) {
        const size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%s", i ? ", " : "", search->family[i]);
    }
    return ond_fail(err, OND_BAD_VALUE,
                    "no font '%.100s' in /usr/share/fonts or ~/.fonts; there are, for example: "
                    "%.700s (or give a font file's path)",
                    search->wanted, found);
}

static OndStatus open_file(FT_Library library, const char *path, FT_Long index, FT_Face *face,
                           OndError *err)
{
    FILE *file = fopen(path, "rb");
    if (!file) return ond_fail(err, OND_IO, "%s: cannot read the font: %s", path, strerror(errno));
    fclose(file);
    if (FT_New_Face(library, path, index, face) != 0)
        return ond_fail(err, OND_BAD_VALUE, "%s: is not a font that can be read", path);
    if (FT_IS_SCALABLE(*face)) return OND_OK;
    FT_Done_Face(*face);
    return ond_fail(err, OND_BAD_VALUE, "%s: is a bitmap font; a font with outlines is needed",
                    path);
}

// Fills in where the best one is.
static OndStatus look_for(FontSearch *search, FT_Library library, const char *name, OndError *err)
{
    search->library = library;
    search->wanted = name;
    look_everywhere(search);
    if (search->no_memory) return ond_fail(err, OND_NO_MEMORY, "no memory to look for a font");
    return search->best > SCORE_NONE ? OND_OK : fail_unknown(search, err);
}

OndStatus ond_font_open(FT_Library library, const char *name, FT_Face *face, OndError *err)
{
    if (strchr(name, '/') || is_font_name(name)) return open_file(library, name, 0, face, err);
    FontSearch *search = OND_NEW(FontSearch);
    if (!search) return ond_fail(err, OND_NO_MEMORY, "no memory to look for a font");
    OndStatus status = look_for(search, library, name, err);
    if (status == OND_OK) status = open_file(library, search->path, search->index, face, err);
    ond_free(search);
    return status;
}

OndStatus ond_font_read(const char *family, char **bytes, size_t *size, OndError *err)
{
    FT_Library library;
    FontSearch *search = OND_NEW(FontSearch);
    if (!search || FT_Init_FreeType(&library) != 0) {
        ond_free(search);
        return ond_fail(err, OND_NO_MEMORY, "no memory to look for a font");
    }
    OndStatus status = look_for(search, library, family, err);
    FT_Done_FreeType(library);
    if (status == OND_OK)
        status = ond_file_read_all(search->path, FONT_BYTES_MAX, bytes, size, err);
    ond_free(search);
    return status;
}

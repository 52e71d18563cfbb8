// SPDX-License-Identifier: MIT
#include "io/libraries.h"

#include "base/memory.h"

#include <assimp/version.h>
#include <embree3/rtcore.h>
#include <ft2build.h>
#include <hdf5.h>
#include <libfyaml.h>
#include <png.h>
#include <stdio.h>
#include FT_FREETYPE_H

static void fyaml_version(char *text, size_t room)
{
    snprintf(text, room, "%s", fy_library_version());
}

static void hdf5_version(char *text, size_t room)
{
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    snprintf(text, room, "%u.%u.%u", major, minor, release);
}

// Asking the library itself would start its threads.
static void embree_version(char *text, size_t room)
{
    snprintf(text, room, "%s", RTC_VERSION_STRING);
}

static void png_version(char *text, size_t room)
{
    snprintf(text, room, "%s", png_get_libpng_ver(NULL));
}

static void freetype_version(char *text, size_t room)
{
    FT_Library library;
    if (FT_Init_FreeType(&library) != 0) {
        snprintf(text, room, "unusable");
        return;
    }
    int major = 0, minor = 0, patch = 0;
    FT_Library_Version(library, &major, &minor, &patch);
    FT_Done_FreeType(library);
    snprintf(text, room, "%d.%d.%d", major, minor, patch);
}

static void assimp_version(char *text, size_t room)
{
    snprintf(text, room, "%u.%u.%u", aiGetVersionMajor(), aiGetVersionMinor(), aiGetVersionPatch());
}

int ond_libraries(OndLibrary *out, int room)
{
    static const struct {
        const char *name;
        void (*version)(char *text, size_t room);
    } all[] = {
        {"libfyaml", fyaml_version}, {"HDF5", hdf5_version},         {"Embree", embree_version},
        {"libpng", png_version},     {"FreeType", freetype_version}, {"assimp", assimp_version},
    };
    for (int k = 0; k < OND_COUNT(all) && k < room; ++k) {
        out[k].name = all[k].name;
        all[k].version(out[k].version, sizeof out[k].version);
    }
    return OND_COUNT(all);
}

// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "io/file.h"
#include "io/formats/surface_files.h"
#include "io/formats/surface_parts.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define RECIPE_WITHIN 4096 // bytes from the start in which every format has its recipe

#define ENTRY(name, NAME) &ond_surface_format_##name,
static const OndSurfaceFormat *const formats[] = {OND_SURFACE_FORMATS(ENTRY)};

const OndSurfaceFormat *const *ond_surface_formats(int *count)
{
    *count = OND_COUNT(formats);
    return formats;
}

const OndSurfaceFormat *ond_surface_format_of(const char *path)
{
    for (int k = 0; k < OND_COUNT(formats); ++k)
        if (strcasecmp(ond_path_extension(path), formats[k]->extension) == 0) return formats[k];
    return NULL;
}

static OndStatus complain(const char *path, bool reading, OndError *err)
{
    char list[128] = "";
    size_t used = 0;
    for (int k = 0; k < OND_COUNT(formats); ++k)
        if (!reading || formats[k]->read)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s.%s", used ? ", " : "",
                                     formats[k]->extension);
    return ond_fail(err, OND_BAD_VALUE,
                    "cannot %s %s: '%s' is no known surface format for that; known: %s",
                    reading ? "read" : "write", path, ond_path_extension(path), list);
}

OndStatus ond_surface_read(const char *path, OndSurface *out, OndError *err)
{
    const OndSurfaceFormat *format = ond_surface_format_of(path);
    memset(out, 0, sizeof *out);
    if (!format || !format->read) return complain(path, true, err);
    return format->read(path, out, err);
}

OndStatus ond_surface_write(const char *path, const OndSurface *surface,
                            const OndSurfaceAbout *about, OndError *err)
{
    const OndSurfaceAbout nothing = {0};
    const OndSurfaceFormat *format = ond_surface_format_of(path);
    if (!format) return complain(path, false, err);
    const OndStatus status = ond_surface_check(path, surface, err);
    if (status != OND_OK) return status;
    return format->write(path, surface, about ? about : &nothing, err);
}

// The words stand among others, which may hold zeros.
static bool holds(const char *bytes, size_t size, const char *words)
{
    const size_t length = strlen(words);
    for (size_t k = 0; k + length <= size; ++k)
        if (memcmp(bytes + k, words, length) == 0) return true;
    return false;
}

bool ond_surface_made_by(const char *path, uint64_t recipe)
{
    char start[RECIPE_WITHIN], words[64];
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    const size_t size = fread(start, 1, sizeof start, file);
    fclose(file);
    snprintf(words, sizeof words, OND_RECIPE_FORMAT, (unsigned long long)recipe);
    return holds(start, size, words);
}

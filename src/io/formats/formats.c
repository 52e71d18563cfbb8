// SPDX-License-Identifier: MIT
#include "io/formats/formats.h"

#include "base/memory.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define ENTRY(name, NAME) &ond_format_##name,
static const OndFormat *const formats[] = {OND_FORMATS(ENTRY)};

const OndFormat *const *ond_formats(int *count)
{
    *count = OND_COUNT(formats);
    return formats;
}

const OndFormat *ond_format_of(const char *path)
{
    const char *extension = ond_path_extension(path);
    for (int k = 0; k < OND_COUNT(formats); ++k)
        if (strcasecmp(extension, formats[k]->extension) == 0) return formats[k];
    return NULL;
}

static OndStatus complain(const char *path, const char *verb, bool reading, OndError *err)
{
    char list[256] = "";
    size_t used = 0;
    struct stat info;
    static const char *const done[] = {"written", "read"};
    const bool there = stat(path, &info) == 0;
    if (reading && !there && !ond_path_extension(path)[0])
        return ond_fail(err, OND_BAD_VALUE, "there is no file %s", path);
    if (there && S_ISDIR(info.st_mode))
        return ond_fail(err, OND_BAD_VALUE,
                        "cannot %s %s: it is a folder; give a file, or many as in "
                        "frames/frame_%%04d.ply",
                        verb, path);
    for (int k = 0; k < OND_COUNT(formats); ++k)
        if (reading ? formats[k]->read != NULL : formats[k]->write != NULL)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s.%s", used ? ", " : "",
                                     formats[k]->extension);
    if (ond_format_of(path))
        return ond_fail(err, OND_BAD_VALUE, "cannot %s %s: .%s can be %s, not %s; can be %s: %s",
                        verb, path, ond_path_extension(path), done[!reading], done[reading],
                        done[reading], list);
    return ond_fail(err, OND_BAD_VALUE,
                    "cannot %s %s: '%s' is no known frame format for that; known: %s", verb, path,
                    ond_path_extension(path), list);
}

OndStatus ond_frame_read(const char *path, OndFrame *out, OndError *err)
{
    const OndFormat *format = ond_format_of(path);
    memset(out, 0, sizeof *out);
    if (!format || !format->read) return complain(path, "read", true, err);
    return format->read(path, out, err);
}

OndStatus ond_frame_write(const char *path, const OndFrame *frame, OndError *err)
{
    const OndFormat *format = ond_format_of(path);
    if (!format || !format->write) return complain(path, "write", false, err);
    return format->write(path, frame, err);
}

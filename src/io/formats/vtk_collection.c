// SPDX-License-Identifier: MIT
// The .pvd file: one line for each frame, written whole with every entry. Lines of an old file that
// are not of the form written here are dropped.
#include "base/memory.h"
#include "io/file.h"
#include "io/formats/vtk.h"

#include <stdio.h>
#include <string.h>

#define LIMIT ((size_t)64 << 20) // bytes: half a million frames

typedef struct Entry {
    double time;
    const char *file; // XML escapes left as they are
} Entry;

struct OndPvd {
    char path[OND_PATH_MAX];
    Entry *entry; // in the order of their times
    int count, room;
    OndArena arena; // owns their names
};

static const char head[] = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                           "byte_order=\"LittleEndian\">\n<Collection>\n";
static const char tail[] = "</Collection>\n</VTKFile>\n";

static char *quoted_after(char *line, const char *key, char **end)
{
    char *at = strstr(line, key);
    if (!at) return NULL;
    at += strlen(key);
    *end = strchr(at, '"');
    return *end ? at : NULL;
}

// Takes a line apart in place.
static bool read_entry(char *line, Entry *out)
{
    char *time_end, *file_end;
    char *time = quoted_after(line, "<DataSet timestep=\"", &time_end);
    char *file = quoted_after(line, " file=\"", &file_end);
    if (!time || !file || !ond_text_number(time, (size_t)(time_end - time), &out->time))
        return false;
    *file_end = 0;
    out->file = file;
    return true;
}

static OndStatus no_memory(const OndPvd *p, OndError *err)
{
    return ond_fail(err, OND_NO_MEMORY, "not enough memory to write %s", p->path);
}

static OndStatus make_room(OndPvd *p, OndError *err)
{
    if (p->count < p->room) return OND_OK;
    const int room = 2 * p->room + 64;
    Entry *const more = OND_NEW_ARRAY(Entry, room);
    if (!more) return no_memory(p, err);
    if (p->count > 0) memcpy(more, p->entry, (size_t)p->count * sizeof *more);
    ond_free(p->entry);
    p->entry = more;
    p->room = room;
    return OND_OK;
}

static void remove_file(OndPvd *p, const char *file)
{
    int kept = 0;
    for (int k = 0; k < p->count; ++k)
        if (strcmp(p->entry[k].file, file) != 0) p->entry[kept++] = p->entry[k];
    p->count = kept;
}

static OndStatus insert(OndPvd *p, const char *file, double time, OndError *err)
{
    const char *const name = ond_arena_text(&p->arena, file, strlen(file));
    if (!name) return no_memory(p, err);
    const OndStatus status = make_room(p, err);
    if (status != OND_OK) return status;
    int at = p->count++;
    for (; at > 0 && p->entry[at - 1].time > time; --at)
        p->entry[at] = p->entry[at - 1];
    p->entry[at] = (Entry){time, name};
    return OND_OK;
}

static OndStatus read_entries(OndPvd *p, char *text, OndError *err)
{
    OndStatus status = OND_OK;
    for (char *line = text; line && *line && status == OND_OK;) {
        char *next = strchr(line, '\n');
        if (next) *next++ = 0;
        Entry e;
        if (read_entry(line, &e)) status = insert(p, e.file, e.time, err);
        line = next;
    }
    return status;
}

static OndStatus read_old(OndPvd *p, OndError *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *there = fopen(p->path, "rb");
    if (!there) return OND_OK;
    fclose(there);
    OndStatus status = ond_file_read_all(p->path, LIMIT, &text, &size, err);
    if (status == OND_OK) status = read_entries(p, text, err);
    ond_free(text);
    return status;
}

OndPvd *ond_pvd_open(const char *path, bool keep, OndError *err)
{
    OndPvd *const p = OND_NEW(OndPvd);
    if (!p) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory to write %s", path);
        return NULL;
    }
    snprintf(p->path, sizeof p->path, "%s", path);
    if (!keep || read_old(p, err) == OND_OK) return p;
    ond_pvd_close(p);
    return NULL;
}

void ond_pvd_close(OndPvd *p)
{
    if (!p) return;
    ond_free(p->entry);
    ond_arena_free(&p->arena);
    ond_free(p);
}

OndStatus ond_pvd_put(OndPvd *p, const char *name, double time, OndError *err)
{
    if (strpbrk(name, "<>&\"\n"))
        return ond_fail(err, OND_BAD_VALUE, "cannot list '%s' in %s: its name has one of < > & \"",
                        name, p->path);
    remove_file(p, name);
    const OndStatus status = insert(p, name, time, err);
    if (status != OND_OK) return status;
    OndFile *file = ond_file_create(p->path, err);
    if (!file) return OND_IO;
    ond_file_print(file, "%s", head);
    for (int k = 0; k < p->count; ++k)
        ond_file_print(file, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n",
                       p->entry[k].time, p->entry[k].file);
    ond_file_print(file, "%s", tail);
    return ond_file_commit(file, err);
}

OndStatus ond_pvd_add(const char *path, const char *file, double time, OndError *err)
{
    OndPvd *const p = ond_pvd_open(path, true, err);
    if (!p) return err ? err->status : OND_IO;
    const OndStatus status = ond_pvd_put(p, file, time, err);
    ond_pvd_close(p);
    return status;
}

// SPDX-License-Identifier: MIT
// The .pvd file: one line for each frame. It is read back before an entry is added, so that a
// resumed run goes on with it; lines that are not of the form written here are dropped.
#include "base/memory.h"
#include "io/file.h"
#include "io/vtk.h"

#include <stdio.h>
#include <string.h>

#define LIMIT ((size_t)64 << 20) // bytes: half a million frames

typedef struct Entry {
    double time;
    char *file; // in the text that was read; XML escapes left as they are
} Entry;

typedef struct Collection {
    Entry *entry;
    int count;
} Collection;

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

static void read_entries(char *text, const char *without, Collection *c)
{
    for (char *line = text; line && *line;) {
        char *next = strchr(line, '\n');
        if (next) *next++ = 0;
        Entry e;
        if (read_entry(line, &e) && strcmp(e.file, without) != 0) c->entry[c->count++] = e;
        line = next;
    }
}

static int count_lines(const char *text)
{
    int lines = 1;
    for (; *text; ++text)
        lines += *text == '\n';
    return lines;
}

// The entries are in order already, but for the new one.
static void insert(Collection *c, Entry e)
{
    int at = c->count++;
    for (; at > 0 && c->entry[at - 1].time > e.time; --at)
        c->entry[at] = c->entry[at - 1];
    c->entry[at] = e;
}

static OndStatus write_all(const char *path, const Collection *c, OndError *err)
{
    OndFile *file = ond_file_create(path, err);
    if (!file) return OND_IO;
    ond_file_print(file, "%s", head);
    for (int k = 0; k < c->count; ++k)
        ond_file_print(file, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n",
                       c->entry[k].time, c->entry[k].file);
    ond_file_print(file, "%s", tail);
    return ond_file_commit(file, err);
}

OndStatus ond_pvd_add(const char *path, const char *file, double time, OndError *err)
{
    char *text = NULL;
    size_t size = 0;
    if (strpbrk(file, "<>&\"\n"))
        return ond_fail(err, OND_BAD_VALUE, "cannot list '%s' in %s: its name has one of < > & \"",
                        file, path);
    FILE *there = fopen(path, "rb");
    if (there) fclose(there);
    OndStatus status = there ? ond_file_read_all(path, LIMIT, &text, &size, err) : OND_OK;
    if (status != OND_OK) return status;
    Collection c = {ond_alloc(((size_t)(text ? count_lines(text) : 0) + 1) * sizeof(Entry)), 0};
    char name[OND_PATH_MAX];
    snprintf(name, sizeof name, "%s", file);
    if (c.entry) {
        if (text) read_entries(text, name, &c);
        insert(&c, (Entry){time, name});
        status = write_all(path, &c, err);
    } else {
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory to write %s", path);
    }
    ond_free(c.entry);
    ond_free(text);
    return status;
}

// SPDX-License-Identifier: MIT
#include "io/formats/csv.h"

#include "base/memory.h"
#include "io/file.h"
#include "io/formats/columns.h"
#include "io/formats/formats.h"

#include <limits.h>
#include <string.h>

#define FILE_LIMIT  ((uint64_t)16 << 30) // bytes
#define COLUMNS_MAX 256

static void write_row(OndFile *file, const OndColumn *column, int columns, int row)
{
    for (int c = 0; c < columns; ++c) {
        const char *before = c ? "," : "";
        if (column[c].type == OND_U32)
            ond_file_print(file, "%s%u", before, (unsigned)((const uint32_t *)column[c].data)[row]);
        else
            ond_file_print(file, "%s%.9g", before, ((const float *)column[c].data)[row]);
    }
    ond_file_write(file, "\n", 1);
}

static OndStatus write_csv(const char *path, const OndFrame *frame, OndError *err)
{
    OndColumn column[OND_COLUMNS_MAX];
    const int columns = ond_columns_of(&frame->particles, column);
    OndFile *file = ond_file_create(path, err);
    if (!file) return OND_IO;
    for (int c = 0; c < columns; ++c)
        ond_file_print(file, "%s%s", c ? "," : "", column[c].name);
    ond_file_write(file, "\n", 1);
    for (int row = 0; row < frame->particles.count && ond_file_good(file); ++row)
        write_row(file, column, columns, row);
    return ond_file_commit(file, err);
}

// One cell: from `*at` to the next separator or the end of the line. False when the line has no
// more.
static bool next_cell(const char **at, const char **from, size_t *length)
{
    const char *c = *at;
    if (!c) return false;
    const size_t all = strcspn(c, ",;\t\r\n");
    *from = c;
    *length = all;
    while (*length && (**from == ' ' || **from == '"'))
        ++*from, --*length;
    while (*length && ((*from)[*length - 1] == ' ' || (*from)[*length - 1] == '"'))
        --*length;
    c += all;
    *at = *c == ',' || *c == ';' || *c == '\t' ? c + 1 : NULL;
    return true;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

static bool is_blank(const char *line)
{
    const size_t blanks = strspn(line, " \t\r");
    return line[blanks] == '\n' || line[blanks] == 0;
}

static OndStatus read_names(const char *name, const char *line, OndColumnIn *column, int *count,
                            OndError *err)
{
    const char *from;
    size_t length;
    for (*count = 0; next_cell(&line, &from, &length); ++*count) {
        if (*count == COLUMNS_MAX || length >= OND_COLUMN_NAME_MAX)
            return ond_fail(
                err, OND_BAD_VALUE,
                "%s: the first line has more than %d columns or a name over %d characters", name,
                COLUMNS_MAX, OND_COLUMN_NAME_MAX - 1);
        memcpy(column[*count].name, from, length);
        column[*count].name[length] = 0;
        column[*count].unsigned_int = strcmp(column[*count].name, "material") == 0;
    }
    return OND_OK;
}

static OndStatus read_row(const char *name, const char *line, int row, const OndColumnIn *column,
                          int columns, OndError *err)
{
    const char *from;
    size_t length;
    for (int c = 0; c < columns; ++c) {
        double value;
        if (!next_cell(&line, &from, &length) || !ond_text_number(from, length, &value))
            return ond_fail(err, OND_BAD_VALUE,
                            "%s: row %d after the names has no number in column '%s'", name,
                            row + 1, column[c].name);
        if (!column[c].data) continue;
        if (column[c].type == OND_U32)
            ((uint32_t *)column[c].data)[row] = ond_column_to_u32(value);
        else
            ((float *)column[c].data)[row] = (float)value;
    }
    return OND_OK;
}

static OndStatus read_table(const char *name, const char *text, OndColumnIn *column, OndFrame *out,
                            OndError *err)
{
    int columns, rows = 0;
    OndStatus status = read_names(name, text, column, &columns, err);
    if (status != OND_OK) return status;
    const char *first = next_line(text);
    for (const char *line = first; *line; line = next_line(line)) {
        if (rows == INT_MAX - 1024)
            return ond_fail(err, OND_BAD_VALUE, "%s has too many rows", name);
        rows += !is_blank(line);
    }
    if ((size_t)rows > (strlen(first) + 1) / 2 / (size_t)columns) // a cell is a digit and a comma
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: its rows have fewer cells than the %d columns named", name, columns);
    status = ond_columns_make(name, column, columns, rows, &out->particles, err);
    int row = 0;
    for (const char *line = first; *line && status == OND_OK; line = next_line(line))
        if (!is_blank(line)) status = read_row(name, line, row++, column, columns, err);
    return status;
}

OndStatus ond_csv_parse(const char *name, const char *text, OndFrame *out, OndError *err)
{
    memset(out, 0, sizeof *out);
    out->dimension = 3;
    out->owned = true;
    OndColumnIn *column = OND_NEW_ARRAY(OndColumnIn, COLUMNS_MAX);
    if (!column) return ond_fail(err, OND_NO_MEMORY, "not enough memory to read %s", name);
    const OndStatus status = read_table(name, text, column, out, err);
    if (status != OND_OK) ond_frame_free(out);
    ond_free(column);
    return status;
}

static OndStatus read_csv(const char *path, OndFrame *out, OndError *err)
{
    char *text;
    size_t size;
    memset(out, 0, sizeof *out);
    OndStatus status = ond_file_read_all(path, FILE_LIMIT, &text, &size, err);
    if (status == OND_OK) status = ond_csv_parse(path, text, out, err);
    ond_free(text);
    return status;
}

const OndFormat ond_format_csv = {
    .extension = "csv",
    .what = "a table of text",
    .read = read_csv,
    .write = write_csv,
};

// SPDX-License-Identifier: MIT
// Rows are put together in blocks that fit the cache, column by column, and go out in large writes.
#include "base/memory.h"
#include "io/columns.h"
#include "io/file.h"
#include "io/ply.h"

#include <string.h>

#define BLOCK_ROWS 4096 // 160 kB at ten columns: stays in the second-level cache

static void write_header(OndFile *file, const OndFrame *frame, const OndColumn *column, int columns)
{
    const OndVec a = frame->domain.min, b = frame->domain.max;
    ond_file_print(file, "ply\nformat binary_little_endian 1.0\n");
    ond_file_print(file, "comment ondine index %d\n", frame->index);
    ond_file_print(file, "comment ondine time %.17g\n", frame->time);
    ond_file_print(file, "comment ondine dimension %d\n", frame->dimension);
    ond_file_print(file, "comment ondine spacing %.17g\n", frame->spacing);
    ond_file_print(file, "comment ondine domain_min %.17g %.17g %.17g\n", a.x, a.y, a.z);
    ond_file_print(file, "comment ondine domain_max %.17g %.17g %.17g\n", b.x, b.y, b.z);
    for (int c = 0; c < columns; ++c)
        if (column[c].data == column[c].field->data[0] && column[c].field->unit[0])
            ond_file_print(file, "comment ondine unit %s %s\n", column[c].field->name,
                           column[c].field->unit);
    ond_file_print(file, "element vertex %d\n", frame->particles.count);
    for (int c = 0; c < columns; ++c)
        ond_file_print(file, "property %s %s\n", column[c].type == OND_U32 ? "uint" : "float",
                       column[c].name);
    ond_file_print(file, "end_header\n");
}

// Bytes one by one say little-endian on any machine; compilers make one store of them.
static inline void store32(unsigned char *to, uint32_t v)
{
    to[0] = (unsigned char)v;
    to[1] = (unsigned char)(v >> 8);
    to[2] = (unsigned char)(v >> 16);
    to[3] = (unsigned char)(v >> 24);
}

static void fill_column(unsigned char *to, size_t stride, const void *data, int first, int rows)
{
    const char *from = (const char *)data + (size_t)first * 4;
    for (int k = 0; k < rows; ++k) {
        uint32_t v;
        memcpy(&v, from + (size_t)k * 4, 4);
        store32(to + (size_t)k * stride, v);
    }
}

static void write_rows(OndFile *file, unsigned char *block, const OndColumn *column, int columns,
                       int count)
{
    const size_t stride = (size_t)columns * 4;
    for (int first = 0; first < count && ond_file_good(file); first += BLOCK_ROWS) {
        const int rows = count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
        for (int c = 0; c < columns; ++c)
            fill_column(block + (size_t)c * 4, stride, column[c].data, first, rows);
        ond_file_write(file, block, stride * (size_t)rows);
    }
}

OndStatus ond_ply_write(const char *path, const OndFrame *frame, OndError *err)
{
    OndColumn column[OND_COLUMNS_MAX];
    const int columns = ond_columns_of(&frame->particles, column);
    unsigned char *block = ond_alloc((size_t)BLOCK_ROWS * (size_t)columns * 4);
    if (!block) return ond_fail(err, OND_NO_MEMORY, "not enough memory to write %s", path);
    OndFile *file = ond_file_create(path, err);
    OndStatus status = OND_IO;
    if (file) {
        write_header(file, frame, column, columns);
        write_rows(file, block, column, columns, frame->particles.count);
        status = ond_file_commit(file, err);
    }
    ond_free(block);
    return status;
}

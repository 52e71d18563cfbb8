// SPDX-License-Identifier: MIT
// Rows are put together in blocks that fit the cache, column by column, and go out in large writes.
#include "io/formats/ply_write.h"

#include "base/memory.h"
#include "io/formats/ply.h"

#include <string.h>

#define BLOCK_ROWS 4096 // 160 kB at ten columns: stays in the second-level cache

void ond_ply_print_start(OndFile *file, const OndFrame *frame)
{
    const OndVec a = frame->domain.min, b = frame->domain.max;
    ond_file_print(file, "ply\nformat binary_little_endian 1.0\n");
    ond_file_print(file, "comment ondine index %d\n", frame->index);
    ond_file_print(file, "comment ondine time %.17g\n", frame->time);
    ond_file_print(file, "comment ondine dimension %d\n", frame->dimension);
    ond_file_print(file, "comment ondine spacing %.17g\n", frame->spacing);
    ond_file_print(file, "comment ondine domain_min %.17g %.17g %.17g\n", a.x, a.y, a.z);
    ond_file_print(file, "comment ondine domain_max %.17g %.17g %.17g\n", b.x, b.y, b.z);
}

void ond_ply_print_vertices(OndFile *file, const OndColumn *column, int columns, int count)
{
    for (int c = 0; c < columns; ++c)
        if (column[c].field && column[c].data == column[c].field->data[0] &&
            column[c].field->unit[0])
            ond_file_print(file, "comment ondine unit %s %s\n", column[c].field->name,
                           column[c].field->unit);
    ond_file_print(file, "element vertex %d\n", count);
    for (int c = 0; c < columns; ++c)
        ond_file_print(file, "property %s %s\n", column[c].type == OND_U32 ? "uint" : "float",
                       column[c].name);
}

// Bytes one by one say little-endian on any machine; compilers make one store of them.
static inline void store32(unsigned char *to, uint32_t v)
{
    to[0] = (unsigned char)v;
    to[1] = (unsigned char)(v >> 8);
    to[2] = (unsigned char)(v >> 16);
    to[3] = (unsigned char)(v >> 24);
}

static void fill_column(unsigned char *to, size_t stride, const OndColumn *column, int first,
                        int rows)
{
    const size_t step = (size_t)column->step * 4;
    const char *from = (const char *)column->data + (size_t)first * step;
    for (int k = 0; k < rows; ++k) {
        uint32_t v;
        memcpy(&v, from + (size_t)k * step, 4);
        store32(to + (size_t)k * stride, v);
    }
}

OndStatus ond_ply_write_rows(OndFile *file, const OndColumn *column, int columns, int count,
                             OndError *err)
{
    const size_t stride = (size_t)columns * 4;
    unsigned char *block = ond_alloc((size_t)BLOCK_ROWS * stride);
    if (!block) return ond_fail(err, OND_NO_MEMORY, "not enough memory to write a PLY file");
    for (int first = 0; first < count && ond_file_good(file); first += BLOCK_ROWS) {
        const int rows = count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
        for (int c = 0; c < columns; ++c)
            fill_column(block + (size_t)c * 4, stride, &column[c], first, rows);
        ond_file_write(file, block, stride * (size_t)rows);
    }
    ond_free(block);
    return OND_OK;
}

OndStatus ond_ply_write(const char *path, const OndFrame *frame, OndError *err)
{
    OndColumn column[OND_COLUMNS_MAX];
    const int columns = ond_columns_of(&frame->particles, column), count = frame->particles.count;
    OndFile *file = ond_file_create(path, err);
    if (!file) return OND_IO;
    ond_ply_print_start(file, frame);
    ond_ply_print_vertices(file, column, columns, count);
    ond_file_print(file, "end_header\n");
    const OndStatus status = ond_ply_write_rows(file, column, columns, count, err);
    if (status == OND_OK) return ond_file_commit(file, err);
    ond_file_abandon(file);
    return status;
}

// SPDX-License-Identifier: MIT
// Binary rows of one size, the usual case, are taken column by column in blocks; text and rows with
// lists go number by number.
#include "io/formats/ply_body.h"

#include "base/memory.h"
#include "io/file.h"

#include <limits.h>
#include <string.h>

#define BLOCK_ROWS 4096

OndStatus ond_ply_body_short(const OndPlyBody *b, const OndPlyElement *e)
{
    return ond_fail(
        b->err, OND_BAD_VALUE,
        "%s: the file is cut short: its header promises %llu of '%s', more than its bytes "
        "hold",
        b->name, e->count, e->name);
}

static inline uint64_t load(const unsigned char *at, int size, bool big)
{
    uint64_t v = 0;
    for (int k = 0; k < size; ++k)
        v = v << 8 | at[big ? k : size - 1 - k];
    return v;
}

// The same for the usual case, in a form that compilers turn into one load.
static inline uint32_t load32(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline double decode(const unsigned char *at, OndPlyType type, bool big)
{
    float f;
    double d;
    uint32_t bits;
    uint64_t bits64;
    switch (type) {
    case OND_PLY_I8:
        return (int8_t)at[0];
    case OND_PLY_U8:
        return at[0];
    case OND_PLY_I16:
        return (int16_t)load(at, 2, big);
    case OND_PLY_U16:
        return (double)load(at, 2, big);
    case OND_PLY_I32:
        return (int32_t)load(at, 4, big);
    case OND_PLY_U32:
        return (double)load(at, 4, big);
    case OND_PLY_F32:
        bits = (uint32_t)load(at, 4, big);
        memcpy(&f, &bits, 4);
        return f;
    default:
        bits64 = load(at, 8, big);
        memcpy(&d, &bits64, 8);
        return d;
    }
}

static void store(const OndColumnIn *column, int row, double value)
{
    if (!column || !column->data) return;
    if (column->type == OND_U32)
        ((uint32_t *)column->data)[row] = ond_column_to_u32(value);
    else
        ((float *)column->data)[row] = (float)value;
}

bool ond_ply_body_take(OndPlyBody *b, OndPlyType type, double *out)
{
    if (b->header->format != OND_PLY_ASCII) {
        const int size = ond_ply_size(type);
        if (b->end - b->at < size) return false;
        *out = decode(b->at, type, b->header->format == OND_PLY_BIG);
        b->at += size;
        return true;
    }
    while (b->at < b->end && *b->at <= ' ')
        b->at++;
    const unsigned char *from = b->at;
    while (b->at<b->end && * b->at> ' ')
        b->at++;
    return ond_text_number((const char *)from, (size_t)(b->at - from), out);
}

bool ond_ply_body_pass_list(OndPlyBody *b, const OndPlyProperty *p)
{
    double length, ignored;
    if (!ond_ply_body_take(b, p->count_type, &length) || !(length >= 0)) return false;
    if (b->header->format != OND_PLY_ASCII) {
        const double bytes = length * ond_ply_size(p->type);
        if (bytes > (double)(b->end - b->at)) return false;
        b->at += (size_t)bytes;
        return true;
    }
    for (double k = 0; k < length; ++k)
        if (!ond_ply_body_take(b, p->type, &ignored)) return false;
    return true;
}

// Bytes of a row; 0 when rows differ in size.
static size_t row_bytes(const OndPlyHeader *h, const OndPlyElement *e)
{
    size_t bytes = 0;
    if (h->format == OND_PLY_ASCII) return 0;
    for (int k = 0; k < e->property_count; ++k) {
        const OndPlyProperty *p = &h->property[e->first + k];
        if (p->list) return 0;
        bytes += (size_t)ond_ply_size(p->type);
    }
    return bytes;
}

// The fewest bytes a row can have: what a header promises is checked before memory is taken for it.
static size_t least_bytes(const OndPlyHeader *h, const OndPlyElement *e)
{
    size_t bytes = 0;
    for (int k = 0; k < e->property_count; ++k) {
        const OndPlyProperty *p = &h->property[e->first + k];
        if (h->format == OND_PLY_ASCII)
            bytes += 2; // a digit and a blank
        else
            bytes += (size_t)ond_ply_size(p->list ? p->count_type : p->type);
    }
    return bytes;
}

bool ond_ply_body_fits(const OndPlyBody *b, const OndPlyElement *e)
{
    const size_t least = least_bytes(b->header, e);
    const size_t have = (size_t)(b->end - b->at) + 1; // the last number of a text needs no blank
    return least == 0 || e->count <= have / least;
}

static bool take_row(OndPlyBody *b, const OndPlyElement *e, OndColumnIn *column, int row)
{
    for (int k = 0; k < e->property_count; ++k) {
        const OndPlyProperty *p = &b->header->property[e->first + k];
        double value;
        if (p->list) {
            if (!ond_ply_body_pass_list(b, p)) return false;
            continue;
        }
        if (!ond_ply_body_take(b, p->type, &value)) return false;
        if (column) store(&column[k], row, value);
    }
    return true;
}

OndStatus ond_ply_body_pass(OndPlyBody *b, const OndPlyElement *e)
{
    const size_t bytes = row_bytes(b->header, e);
    if (e->property_count == 0) return OND_OK;
    if (!ond_ply_body_fits(b, e)) return ond_ply_body_short(b, e);
    if (bytes) {
        if (e->count > (size_t)(b->end - b->at) / bytes) return ond_ply_body_short(b, e);
        b->at += (size_t)e->count * bytes;
        return OND_OK;
    }
    for (unsigned long long k = 0; k < e->count; ++k)
        if (!take_row(b, e, NULL, 0)) return ond_ply_body_short(b, e);
    return OND_OK;
}

static void read_column(const OndPlyBody *b, size_t offset, size_t stride, OndPlyType type,
                        const OndColumnIn *column, int first, int rows)
{
    const unsigned char *from = b->at + (size_t)first * stride + offset;
    const bool big = b->header->format == OND_PLY_BIG;
    if ((type == OND_PLY_F32 && column->type == OND_F32) ||
        (type == OND_PLY_U32 &&
         column->type == OND_U32)) { // the same four bytes: NaNs keep theirs too
        uint32_t *to = (uint32_t *)column->data + first;
        for (int k = 0; k < rows && !big; ++k)
            to[k] = load32(from + (size_t)k * stride);
        for (int k = 0; k < rows && big; ++k)
            to[k] = (uint32_t)load(from + (size_t)k * stride, 4, true);
        return;
    }
    for (int k = 0; k < rows; ++k)
        store(column, first + k, decode(from + (size_t)k * stride, type, big));
}

static void read_blocks(const OndPlyBody *b, const OndPlyElement *e, const OndColumnIn *column,
                        size_t stride)
{
    const int count = (int)e->count;
    for (int first = 0; first < count; first += BLOCK_ROWS) {
        const int rows = count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
        size_t offset = 0;
        for (int k = 0; k < e->property_count; ++k) {
            const OndPlyType type = b->header->property[e->first + k].type;
            if (column[k].data) read_column(b, offset, stride, type, &column[k], first, rows);
            offset += (size_t)ond_ply_size(type);
        }
    }
}

static OndStatus read_rows(OndPlyBody *b, const OndPlyElement *e, OndColumnIn *column)
{
    const size_t stride = row_bytes(b->header, e);
    if (stride) {
        if (e->count > (size_t)(b->end - b->at) / stride) return ond_ply_body_short(b, e);
        read_blocks(b, e, column, stride);
        b->at += (size_t)e->count * stride;
        return OND_OK;
    }
    for (int row = 0; row < (int)e->count; ++row)
        if (!take_row(b, e, column, row))
            return ond_fail(
                b->err, OND_BAD_VALUE,
                "%s: particle %d of %llu is cut short or has something that is no number", b->name,
                row, e->count);
    return OND_OK;
}

// Lists get no place: nothing that a particle carries is one.
static OndStatus make_columns(const OndPlyBody *b, const OndPlyElement *e, OndColumnIn *column,
                              OndFields *set)
{
    OndColumnIn plain[OND_PLY_PROPERTIES];
    int from[OND_PLY_PROPERTIES], count = 0;
    for (int k = 0; k < e->property_count; ++k) {
        const OndPlyProperty *p = &b->header->property[e->first + k];
        if (p->list) continue;
        memset(&plain[count], 0, sizeof plain[count]);
        strcpy(plain[count].name, p->name);
        plain[count].unsigned_int = p->type == OND_PLY_U32;
        from[count++] = k;
    }
    const OndStatus status = ond_columns_make(b->name, plain, count, (int)e->count, set, b->err);
    for (int k = 0; k < count && status == OND_OK; ++k)
        column[from[k]] = plain[k];
    return status;
}

static void set_units(const OndPlyHeader *h, OndFields *set)
{
    for (int k = 0; k < h->unit_count; ++k) {
        OndField *field = ond_fields_find(set, h->unit[k].field);
        if (field) field->unit = ond_fields_keep_text(set, h->unit[k].unit);
    }
}

OndStatus ond_ply_body_vertices(OndPlyBody *b, const OndPlyElement *e, OndFields *set)
{
    if (!ond_ply_body_fits(b, e)) return ond_ply_body_short(b, e);
    if (e->count > INT_MAX - 1024)
        return ond_fail(b->err, OND_BAD_VALUE, "%s has %llu particles; at most %d are accepted",
                        b->name, e->count, INT_MAX - 1024);
    OndColumnIn *column = OND_NEW_ARRAY(OndColumnIn, OND_PLY_PROPERTIES);
    if (!column) return ond_fail(b->err, OND_NO_MEMORY, "not enough memory to read %s", b->name);
    OndStatus status = make_columns(b, e, column, set);
    if (status == OND_OK) status = read_rows(b, e, column);
    if (status == OND_OK) set_units(b->header, set);
    ond_free(column);
    return status;
}

OndStatus ond_ply_body_open(OndPlyBody *b, const char *name, const void *bytes, size_t size,
                            OndError *err)
{
    OndPlyHeader *const header = OND_NEW(OndPlyHeader);
    if (!header) return ond_fail(err, OND_NO_MEMORY, "not enough memory to read %s", name);
    const OndStatus status = ond_ply_header_read(name, bytes, size, header, err);
    const unsigned char *const start = bytes;
    if (status == OND_OK)
        *b = (OndPlyBody){name, start + header->body_start, start + size, header, err};
    else
        ond_free(header);
    return status;
}

void ond_ply_body_close(OndPlyBody *b)
{
    ond_free(b->header);
}

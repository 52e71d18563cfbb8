// SPDX-License-Identifier: MIT
// After "The OpenEXR file layout" (openexr.com): a header of attributes, a table of where the
// blocks are, the blocks. Numbers are little-endian.
#include "io/formats/exr.h"

#include "base/memory.h"
#include "io/file.h"

#include <string.h>
#include <zlib.h>

#define BLOCK_ROWS  16 // of the ZIP compression
#define PIXEL_BYTES 10 // B, G, R: 2 each; Z: 4

uint16_t ond_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
    const uint32_t size = bits & 0x7FFFFFFFu;
    if (size > 0x7F800000u) return 0;                           // not a number
    if (size >= 0x477FF000u) return (uint16_t)(sign | 0x7BFFu); // the largest
    if (size < 0x33000000u) return sign;                        // rounds to 0
    const int exponent = (int)(size >> 23) - 127;
    const uint32_t mantissa = (size & 0x7FFFFFu) | 0x800000u;
    const int shift = exponent < -14 ? -1 - exponent : 13;
    const uint32_t base = exponent < -14 ? 0 : (uint32_t)(exponent + 14) << 10;
    const uint32_t kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1u),
                   half = 1u << (shift - 1);
    const uint32_t up = rest > half || (rest == half && (kept & 1)); // ties to even
    return (uint16_t)(sign | (base + kept + up));
}

// ---- the header

typedef struct Bytes {
    unsigned char data[1024];
    size_t count;
} Bytes;

static void put(Bytes *b, const void *bytes, size_t size)
{
    memcpy(b->data + b->count, bytes, size); // all that is put is known to fit
    b->count += size;
}

static void put_number(Bytes *b, uint64_t value, int size)
{
    for (int k = 0; k < size; ++k)
        b->data[b->count++] = (unsigned char)(value >> (8 * k));
}

static void put_float(Bytes *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put_number(b, bits, 4);
}

static void put_attribute(Bytes *b, const char *name, const char *type, int size)
{
    put(b, name, strlen(name) + 1);
    put(b, type, strlen(type) + 1);
    put_number(b, (uint64_t)size, 4);
}

static void put_channels(Bytes *b)
{
    static const char *const names[] = {"B", "G", "R", "Z"}; // must be in this order
    put_attribute(b, "channels", "chlist", 4 * 18 + 1);
    for (int k = 0; k < 4; ++k) {
        put(b, names[k], 2);
        put_number(b, k < 3 ? 1 : 2, 4); // half, float
        put_number(b, 0, 4);             // linear
        put_number(b, 1, 4);             // every pixel across
        put_number(b, 1, 4);             // and down
    }
    put_number(b, 0, 1);
}

static void put_window(Bytes *b, const char *name, const OndLinear *p)
{
    put_attribute(b, name, "box2i", 16);
    put_number(b, 0, 8);
    put_number(b, (uint64_t)(p->width - 1), 4);
    put_number(b, (uint64_t)(p->height - 1), 4);
}

static void put_header(Bytes *b, const OndLinear *p)
{
    put_number(b, 20000630, 4);
    put_number(b, 2, 4);
    put_channels(b);
    put_attribute(b, "compression", "compression", 1);
    put_number(b, 3, 1); // ZIP, 16 lines
    put_window(b, "dataWindow", p);
    put_window(b, "displayWindow", p);
    put_attribute(b, "lineOrder", "lineOrder", 1);
    put_number(b, 0, 1);
    put_attribute(b, "pixelAspectRatio", "float", 4);
    put_float(b, 1.0f);
    put_attribute(b, "screenWindowCenter", "v2f", 8);
    put_number(b, 0, 8);
    put_attribute(b, "screenWindowWidth", "float", 4);
    put_float(b, 1.0f);
    put_number(b, 0, 1);
}

// ---- blocks

static unsigned char *put_row(unsigned char *to, const OndLinear *p, int y)
{
    for (int channel = 2; channel >= 0; --channel)
        for (int x = 0; x < p->width; ++x) {
            const size_t at = (size_t)y * (size_t)p->width + (size_t)x;
            const uint16_t h = ond_half(p->rgb[3 * at + (size_t)channel]);
            *to++ = (unsigned char)h;
            *to++ = (unsigned char)(h >> 8);
        }
    for (int x = 0; x < p->width; ++x) {
        uint32_t bits;
        memcpy(&bits, &p->depth[(size_t)y * (size_t)p->width + (size_t)x], 4);
        for (int k = 0; k < 4; ++k)
            *to++ = (unsigned char)(bits >> (8 * k));
    }
    return to;
}

// First all even bytes, then all odd ones, then differences: what zlib makes small.
static void rearrange(const unsigned char *from, unsigned char *to, size_t size)
{
    unsigned char *first = to, *second = to + (size + 1) / 2;
    for (size_t i = 0; i < size; ++i)
        *(i & 1 ? second++ : first++) = from[i];
    unsigned char last = to[0];
    for (size_t i = 1; i < size; ++i) {
        const unsigned char now = to[i];
        to[i] = (unsigned char)(now - last + 128);
        last = now;
    }
}

typedef struct ExrBlocks {
    unsigned char *raw, *mixed, *packed;
    size_t room, packed_room;
} ExrBlocks;

static bool make_room(ExrBlocks *b, const OndLinear *p)
{
    b->room = (size_t)p->width * BLOCK_ROWS * PIXEL_BYTES;
    b->packed_room = compressBound(b->room);
    b->raw = ond_alloc(b->room);
    b->mixed = ond_alloc(b->room);
    b->packed = ond_alloc(b->packed_room);
    return b->raw && b->mixed && b->packed;
}

static void free_room(ExrBlocks *b)
{
    ond_free(b->raw);
    ond_free(b->mixed);
    ond_free(b->packed);
}

// One block; returns how many bytes of it are written, and where they are.
static size_t pack(ExrBlocks *b, const OndLinear *p, int top, const unsigned char **bytes)
{
    unsigned char *end = b->raw;
    for (int y = top; y < top + BLOCK_ROWS && y < p->height; ++y)
        end = put_row(end, p, y);
    const size_t size = (size_t)(end - b->raw);
    uLongf packed = b->packed_room;
    rearrange(b->raw, b->mixed, size);
    *bytes = b->packed;
    if (compress2(b->packed, &packed, b->mixed, size, 4) == Z_OK && packed < size) return packed;
    *bytes = b->raw; // what does not shrink stands as it is
    return size;
}

// The table of places comes before the blocks, so their sizes must be known: they are packed twice,
// which costs time where keeping them would cost the memory of the whole picture.
static void write_table(OndFile *file, ExrBlocks *b, const OndLinear *p, uint64_t at)
{
    for (int y = 0; y < p->height && ond_file_good(file); y += BLOCK_ROWS) {
        const unsigned char *bytes;
        Bytes place = {.count = 0};
        put_number(&place, at, 8);
        ond_file_write(file, place.data, place.count);
        at += 8 + pack(b, p, y, &bytes);
    }
}

static void write_blocks(OndFile *file, ExrBlocks *b, const OndLinear *p)
{
    for (int y = 0; y < p->height && ond_file_good(file); y += BLOCK_ROWS) {
        const unsigned char *bytes;
        const size_t size = pack(b, p, y, &bytes);
        Bytes head = {.count = 0};
        put_number(&head, (uint64_t)y, 4);
        put_number(&head, size, 4);
        ond_file_write(file, head.data, head.count);
        ond_file_write(file, bytes, size);
    }
}

OndStatus ond_exr_write(const char *path, const OndLinear *picture, OndError *err)
{
    if (!picture || !picture->rgb || picture->width < 1 || picture->height < 1)
        return ond_fail(err, OND_BAD_VALUE, "%s: there is no picture in linear light to write",
                        path);
    ExrBlocks blocks = {0};
    Bytes header = {.count = 0};
    OndFile *file = NULL;
    OndStatus status = OND_OK;
    if (!make_room(&blocks, picture))
        status = ond_fail(err, OND_NO_MEMORY, "%s: no memory to compress the picture", path);
    if (status == OND_OK && !(file = ond_file_create(path, err))) status = ond_file_status(err);
    if (status == OND_OK) {
        const size_t count = ((size_t)picture->height + BLOCK_ROWS - 1) / BLOCK_ROWS;
        put_header(&header, picture);
        ond_file_write(file, header.data, header.count);
        write_table(file, &blocks, picture, header.count + 8 * count);
        write_blocks(file, &blocks, picture);
        status = ond_file_commit(file, err);
    }
    free_room(&blocks);
    return status;
}

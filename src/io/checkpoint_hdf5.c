// SPDX-License-Identifier: MIT
// Names, the seal, and the choice between the last checkpoint and the one before. What is inside
// the HDF5 part: checkpoint_write.c and checkpoint_read.c.
#include "io/checkpoint_hdf5.h"

#include "io/checkpoint_parts.h"
#include "io/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES 65536

static const char mark[8] = {'O', 'N', 'D', 'S', 'E', 'A', 'L', '1'};

static void put64(unsigned char *to, uint64_t v)
{
    for (int k = 0; k < 8; ++k)
        to[k] = (unsigned char)(v >> 8 * k);
}

static uint64_t get64(const unsigned char *from)
{
    uint64_t v = 0;
    for (int k = 7; k >= 0; --k)
        v = v << 8 | from[k];
    return v;
}

void ond_checkpoint_seal(uint64_t length, uint64_t hash, unsigned char out[OND_SEAL_BYTES])
{
    memcpy(out, mark, sizeof mark);
    put64(out + 8, length);
    put64(out + 16, hash);
}

static OndStatus damaged(const char *path, const char *why, OndError *err)
{
    return ond_fail(err, OND_BAD_VALUE, "the checkpoint %s is damaged: %s", path, why);
}

// Reads through the file once. The last 24 bytes are the seal, so hashing stops before them.
static OndStatus check_stream(FILE *stream, const char *path, OndError *err)
{
    unsigned char block[BLOCK_BYTES], seal[OND_SEAL_BYTES];
    if (fseeko(stream, 0, SEEK_END) != 0) return ond_file_fail(err, "read", path, errno);
    const off_t size = ftello(stream);
    if (size < OND_SEAL_BYTES)
        return damaged(path, size == 0 ? "it is empty" : "it is far too short", err);
    uint64_t left = (uint64_t)size - OND_SEAL_BYTES, length = left;
    rewind(stream);
    OndHash hash;
    ond_hash_begin(&hash);
    while (left) {
        const size_t take = left < sizeof block ? (size_t)left : sizeof block;
        if (fread(block, 1, take, stream) != take) return ond_file_fail(err, "read", path, EIO);
        ond_hash_add(&hash, block, take);
        left -= take;
    }
    if (fread(seal, 1, sizeof seal, stream) != sizeof seal)
        return ond_file_fail(err, "read", path, EIO);
    if (memcmp(seal, mark, sizeof mark) != 0)
        return damaged(path, "its end is missing, or it never was a checkpoint", err);
    if (get64(seal + 8) != length) return damaged(path, "its length is not what was written", err);
    if (get64(seal + 16) != ond_hash_end(&hash))
        return damaged(path, "its checksum is not that of what was written", err);
    return OND_OK;
}

static OndStatus check_file(const char *path, OndError *err)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) return ond_file_fail(err, "read", path, errno);
    const OndStatus status = check_stream(stream, path, err);
    fclose(stream);
    return status;
}

// checkpoint.h5 -> checkpoint.prev.h5
static OndStatus previous_name(const char *path, char out[OND_PATH_MAX], OndError *err)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    const size_t stem = dot && dot != path ? (size_t)(dot - path) : strlen(path);
    if (strlen(path) + 8 >= OND_PATH_MAX)
        return ond_fail(err, OND_IO, "the checkpoint's path is too long: %s", path);
    snprintf(out, OND_PATH_MAX, "%.*s.prev%s", (int)stem, path, path + stem);
    return OND_OK;
}

OndStatus ond_checkpoint_write(const char *path, const OndCheckpoint *c, OndError *err)
{
    char previous[OND_PATH_MAX];
    OndStatus status = ond_checkpoint_check(c, err);
    if (status == OND_OK) status = previous_name(path, previous, err);
    if (status != OND_OK) return status;
    OndFile *file = ond_file_create(path, err);
    if (!file) return OND_IO;
    status = ond_checkpoint_write_image(path, c, file, err);
    if (status != OND_OK) {
        ond_file_abandon(file);
        return status;
    }
    // A damaged file must not push out the good one before it.
    const bool keep = check_file(path, NULL) == OND_OK;
    return ond_file_commit_keeping(file, keep ? previous : NULL, err);
}

static OndStatus read_one(const char *path, OndCheckpoint *out, OndError *err)
{
    memset(out, 0, sizeof *out);
    OndStatus status = check_file(path, err);
    if (status == OND_OK) status = ond_checkpoint_read_image(path, out, err);
    if (status != OND_OK) ond_checkpoint_free(out);
    return status;
}

OndStatus ond_checkpoint_read(const char *path, OndCheckpoint *out, char *note, size_t note_size,
                              OndError *err)
{
    char previous[OND_PATH_MAX];
    OndError first = {0}, second = {0};
    if (note && note_size) note[0] = 0;
    memset(out, 0, sizeof *out);
    OndStatus status = previous_name(path, previous, err);
    if (status != OND_OK) return status;
    status = read_one(path, out, &first);
    if (status == OND_OK) return status;
    if (read_one(previous, out, &second) == OND_OK) {
        if (note && note_size)
            snprintf(note, note_size, "%s; going on from the one before, %s", first.text, previous);
        return OND_OK;
    }
    if (access(previous, F_OK) != 0) return ond_fail(err, status, "%s", first.text);
    return ond_fail(err, status, "%.480s; the one before cannot be used either: %.480s", first.text,
                    second.text);
}

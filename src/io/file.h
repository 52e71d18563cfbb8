// SPDX-License-Identifier: MIT
// Files that are whole or absent.
//
// A file is written under another name in the same folder ("frame_0012.ply.part") and renamed when
// every byte is on the disk, so a killed process or a full disk never leaves half a file under its
// real name. What is not a regular file (a pipe, /dev/stdout) is written directly: it cannot be
// renamed.
//
// Writes remember the first failure and do nothing after it, so a writer may write all it has and
// look once, at ond_file_commit.
#ifndef OND_IO_FILE_H
#define OND_IO_FILE_H

#include <ondine/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OND_PATH_MAX 1024 // longest path this library builds, with its final zero

typedef struct OndFile OndFile;

/// What follows the last point of a path's name; "" where there is none. Points into `path`.
const char *ond_path_extension(const char *path);

/// Opens the file beside `path`. NULL and a sentence when that fails.
OndFile *ond_file_create(const char *path, OndError *err);
/// What to return when that gave NULL: what `err` says, without one OND_IO.
OndStatus ond_file_status(const OndError *err);

void ond_file_write(OndFile *file, const void *bytes, size_t size);
/// Numbers come out with a decimal point whatever the locale.
void ond_file_print(OndFile *file, const char *format, ...) OND_PRINTF(2, 3);

/// False once a write has failed: a long writer may stop early.
bool ond_file_good(const OndFile *file);

/// Brings everything to the disk and gives the file its name; on failure nothing is left behind.
/// Frees `file` either way.
OndStatus ond_file_commit(OndFile *file, OndError *err);
/// The same; what had the name before is kept as `previous`.
OndStatus ond_file_commit_keeping(OndFile *file, const char *previous, OndError *err);
/// Throws the file away. NULL is allowed.
void ond_file_abandon(OndFile *file);

/// OND_IO with the reason of the C library's errno: "no space left on the device: PATH; ...".
OndStatus ond_file_fail(OndError *err, const char *doing, const char *path, int reason);

/// The whole file, at most `limit` bytes; a zero follows the last one. Free with ond_free.
OndStatus ond_file_read_all(const char *path, uint64_t limit, char **bytes, size_t *size,
                            OndError *err);

/// Whether both files are there and the first was written no earlier than the other.
bool ond_file_is_newer(const char *path, const char *than);

/// The number that `text` is, from its first to its last character, with a decimal point whatever
/// the locale. False when it is none.
bool ond_text_number(const char *text, size_t length, double *out);

#endif

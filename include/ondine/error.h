// SPDX-License-Identifier: MIT
// Failures are values. A function that can fail takes an OndError (may be NULL), returns a status
// or NULL, and leaves one sentence that says what is wrong, what was given and what to do.
#ifndef ONDINE_ERROR_H
#define ONDINE_ERROR_H

#ifdef __GNUC__
#define OND_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define OND_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum OndStatus {
    OND_OK,
    OND_BAD_VALUE, ///< the caller or a file gave something that cannot be used (exit code 2)
    OND_NO_MEMORY,
    OND_IO,       ///< a file or folder could not be read or written
    OND_UNSTABLE, ///< a simulation left the range of sane numbers
    OND_MISSING,  ///< this build lacks the part that was asked for
} OndStatus;

typedef struct OndError {
    OndStatus status;
    char text[1024]; ///< no newline at the end; scene errors begin with file:line:column
} OndError;

/// Fills `err` (may be NULL) and returns `status`, so that a caller can return the call itself.
OndStatus ond_fail(OndError *err, OndStatus status, const char *format, ...) OND_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif

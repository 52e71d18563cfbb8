// SPDX-License-Identifier: MIT
// Failures are values. A function that can fail takes an OndError (may be NULL), returns a status
// or NULL, and leaves one sentence that says what is wrong, what was given and what to do. Whoever
// reads a whole scene goes on after a mistake and adds what else it finds.
//
// A call that fails writes its OndError anew, whatever it held; one that succeeds may leave it as it
// was, so ask the call, not the struct. Texts are UTF-8. An OndError belongs to one thread at a time.
#ifndef ONDINE_ERROR_H
#define ONDINE_ERROR_H

#include <ondine/api.h>

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

#define OND_ERRORS_MAX 20 ///< mistakes that are told together; more are counted

typedef struct OndError {
    OndStatus status; ///< of the first
    int told, untold; ///< failures in `text`, and further ones that are not
    char text[8192];  ///< no newline at the end; scene errors begin with file:line:column
} OndError;

/// Fills `err` (may be NULL) and returns `status`, so that a caller can return the call itself.
OND_API OndStatus ond_fail(OndError *err, OndStatus status, const char *format, ...)
    OND_PRINTF(3, 4);

/// Adds `one` below what `all` (may be NULL; begins as {0}) holds, unless it says the same already, and
/// clears it. Where `one` holds no failure, nothing happens.
OND_API void ond_error_add(OndError *all, OndError *one);

#ifdef __cplusplus
}
#endif
#endif

// SPDX-License-Identifier: MIT
// Work in a process of its own, for libraries that abort or never return on damaged files.
//
// The child runs a function that writes its answer into a pipe and then ends; if it dies instead,
// the parent reads a short answer and learns how it died. Nothing the child does reaches the
// parent's memory.
#ifndef OND_IO_CHILD_H
#define OND_IO_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct OndChild {
    pid_t process;
    int pipe; ///< the reading end
} OndChild;

typedef enum OndChildEnd {
    OND_CHILD_DONE,
    OND_CHILD_CRASHED,  ///< a signal ended it, or it ended itself before its work was done
    OND_CHILD_TOO_LONG, ///< it used more processor time than allowed
} OndChildEnd;

/// Runs work(pipe, context) in a child that may use `seconds` of processor time and whose standard
/// output and error go nowhere. False when there is no process or pipe to be had (errno says why).
bool ond_child_start(OndChild *child, void (*work)(int pipe, void *context), void *context,
                     int seconds);

/// Whole transfers, whatever signals come in between; false at the end of the pipe or on failure.
bool ond_child_write(int pipe, const void *bytes, size_t size);
bool ond_child_read(const OndChild *child, void *bytes, size_t size);

/// Closes the pipe, which ends a child that is still writing, and waits for it.
OndChildEnd ond_child_finish(OndChild *child);

#endif

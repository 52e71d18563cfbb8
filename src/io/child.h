// SPDX-License-Identifier: MIT
// Work in a process of its own, for libraries that abort or never return on damaged files.
//
// The child runs a function that writes its answer into a pipe and then ends; if it dies instead,
// the parent reads a short answer and learns how it died. Nothing the child does reaches the
// parent's memory.
//
// A child has one thread and a copy of every lock, those too that other threads held at that moment
// and that nobody will open here. The C library takes care of its own, not every allocator does
// (that of the address sanitizer does not). A child that waits for such a lock is noticed, ended and
// reported as stalled; it is worth another try.
#ifndef OND_IO_CHILD_H
#define OND_IO_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct OndChild {
    pid_t process;
    int pipe;     ///< the reading end
    bool stalled; ///< given up by ond_child_read
} OndChild;

typedef enum OndChildEnd {
    OND_CHILD_DONE,
    OND_CHILD_CRASHED,  ///< a signal ended it, or it ended itself before its work was done
    OND_CHILD_TOO_LONG, ///< it used more processor time than allowed
    OND_CHILD_STALLED,  ///< it waited for something that never came: try again
} OndChildEnd;

/// How often to try: the lock of a busy allocator is held for a thousandth of the time.
#define OND_CHILD_TRIES 4

/// Runs work(pipe, context) in a child that may use `seconds` of processor time and whose standard
/// output and error go nowhere. False when there is no process or pipe to be had (errno says why).
bool ond_child_start(OndChild *child, void (*work)(int pipe, void *context), void *context,
                     int seconds);

/// Whole transfers, whatever signals come in between; false at the end of the pipe or on failure.
bool ond_child_write(int pipe, const void *bytes, size_t size);
/// Ends a child that has slept for a second without an answer, and returns false.
bool ond_child_read(OndChild *child, void *bytes, size_t size);

/// Closes the pipe, which ends a child that is still writing, and waits for it.
OndChildEnd ond_child_finish(OndChild *child);

#endif

// SPDX-License-Identifier: MIT
// A CSV file that grows with a run: one line after the other, the first column ascending.
//
// It grows in place (it cannot be written beside and renamed), so a killed run may leave half a
// line at its end; that line goes when the run is resumed, and so do the lines that will be made
// again. Flush before each checkpoint: then no line before it can be missing.
#ifndef OND_IO_TABLE_LOG_H
#define OND_IO_TABLE_LOG_H

#include <ondine/error.h>
#include <stddef.h>

#define OND_TABLE_LINE 2048 // characters of the longest line, with its end

typedef struct OndTableLog OndTableLog;

/// Told of every line that is kept, without its end.
typedef void OndTableKeptFn(void *context, const char *line, const char *end);

/// How to go on with a table.
typedef struct OndTableResume {
    double last;          ///< keep lines whose first column is at most this
    OndTableKeptFn *kept; ///< may be NULL
    void *context;
} OndTableResume;

/// `header` is the first line without its end. `resume` NULL: a new table (what was there is
/// replaced); otherwise goes on with what is there, and when there is nothing yet begins one.
OndTableLog *ond_table_log_open(const char *path, const char *header, const OndTableResume *resume,
                                OndError *err);

/// A line without its end. Numbers come out with a decimal point whatever the locale. Buffered: a
/// failure may show only at the next flush.
OndStatus ond_table_log_add(OndTableLog *log, OndError *err, const char *format, ...)
    OND_PRINTF(3, 4);
/// Appends to the line that the next ond_table_log_add ends.
void ond_table_log_begin(OndTableLog *log, const char *format, ...) OND_PRINTF(2, 3);

OndStatus ond_table_log_flush(OndTableLog *log, OndError *err);
/// Flushes and frees. NULL is allowed.
OndStatus ond_table_log_close(OndTableLog *log, OndError *err);

#endif

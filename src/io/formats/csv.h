// SPDX-License-Identifier: MIT
// Particles as a table of text: one line each, the names of the columns first. For spreadsheets and
// short scripts. Numbers have nine digits, so that floats come back as they were; time, domain and
// units are not kept.
#ifndef OND_IO_CSV_H
#define OND_IO_CSV_H

#include "sim/frame.h"

#include <stddef.h>

/// From text that a zero ends, with commas, semicolons or tabs between columns; the text is not
/// changed. `out` owns its arrays: ond_frame_free; on failure it is empty.
OndStatus ond_csv_parse(const char *name, const char *text, OndFrame *out, OndError *err);

#endif

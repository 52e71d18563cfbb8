// SPDX-License-Identifier: MIT
// A file format in one file, for tests/check_one_file.sh: a line for each particle.
#include "io/formats/formats.h"

#include <stdio.h>

static OndStatus write_lines(const char *path, const OndFrame *frame, OndError *err)
{
    const OndField *const x = ond_fields_find(&frame->particles, "position");
    FILE *const file = fopen(path, "w");
    if (!file || !x) return ond_fail(err, OND_IO, "cannot write %s", path);
    for (int i = 0; i < frame->particles.count; ++i)
        fprintf(file, "%g %g %g\n", ((const float *)x->data[0])[i], ((const float *)x->data[1])[i],
                ((const float *)x->data[2])[i]);
    return fclose(file) == 0 ? OND_OK : ond_fail(err, OND_IO, "cannot write %s", path);
}

const OndFormat ond_format_xyz = {
    .extension = "xyz",
    .what = "a line for each particle",
    .write = write_lines,
};

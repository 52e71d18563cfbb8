// SPDX-License-Identifier: MIT
// Any bytes as a PLY file and as a table: an answer, never a crash, and a good frame is one whose
// every number can be read.
#include "io/formats/csv.h"
#include "io/formats/ply.h"

#include <stdlib.h>
#include <string.h>

static volatile float sink;

static void use(const OndFrame *f)
{
    const OndFields *set = &f->particles;
    const OndField *position = ond_fields_find(set, "position");
    if (!position || position->components != 3 || position->type != OND_F32) abort();
    for (int n = 0; n < set->field_count; ++n)
        for (int c = 0; c < set->field[n].components; ++c)
            for (int k = 0; k < set->count; ++k) {
                float v;
                memcpy(&v, (const char *)set->field[n].data[c] + (size_t)k * 4, 4);
                sink = v;
            }
}

static void check(OndStatus status, OndFrame *f, const OndError *err)
{
    if (status == OND_OK)
        use(f);
    else if (err->text[0] == 0 || f->particles.field_count != 0)
        abort();
    ond_frame_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OndFrame f;
    OndError err = {0};
    check(ond_ply_parse("fuzz.ply", data, size, &f, &err), &f, &err);
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    err.text[0] = 0;
    check(ond_csv_parse("fuzz.csv", text, &f, &err), &f, &err);
    free(text);
    return 0;
}

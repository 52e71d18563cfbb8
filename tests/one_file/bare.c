// SPDX-License-Identifier: MIT
// The least that a method has, for tests/check_one_file.sh: particles that fly as they started. All
// that method/method.h lets a method leave out is left out.
#include "method/method.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

typedef struct BareDef {
    const char *without; // a field; the test asks what is said then
} BareDef;

static const OndKey keys[] = {
    {"without", OND_KEY_TEXT, offsetof(BareDef, without), .text = "none", .help = "A field."},
};
const OndSchema ond_bare_schema = {
    .name = "bare",
    .help = "Particles that fly.",
    .size = sizeof(BareDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = -1,
};

static void *create(const OndSetup *setup, OndError *err)
{
    static const struct {
        const char *name;
        OndFieldType type;
        int components;
    } list[] = {{"position", OND_F32, 3},
                {"velocity", OND_F32, 3},
                {"temperature", OND_F32, 1},
                {"material", OND_U32, 1}};
    const char *const without = ((const BareDef *)setup->def)->without;
    OndFields *const f = OND_NEW(OndFields);
    for (int k = 0; f && k < OND_COUNT(list); ++k)
        if (!without || strcmp(without, list[k].name) != 0)
            ond_fields_add(f, list[k].name, "", list[k].type, list[k].components,
                           OND_FIELD_FRAME | OND_FIELD_STATE);
    if (!f) ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
    return f;
}

static double largest_step(const void *self)
{
    return 0.01;
}

static OndStatus advance(void *self, double dt, const OndExchange *solids, OndError *err)
{
    const OndFields *const f = self;
    const OndStatus status = ond_exchange_move(solids, dt, err);
    for (int a = 0; a < 3 && status == OND_OK; ++a) {
        float *const x = ond_fields_find(f, "position")->data[a];
        const float *const v = ond_fields_find(f, "velocity")->data[a];
        for (int i = 0; i < f->count; ++i)
            x[i] += (float)dt * v[i];
    }
    if (status == OND_OK) ond_exchange_finish(solids, dt);
    return status;
}

static OndFields *particles(void *self)
{
    return self;
}

static void destroy(void *self)
{
    ond_fields_free(self);
    ond_free(self);
}

const OndMethod ond_bare_method = {
    .name = "bare",
    .schema = &ond_bare_schema,
    .create = create,
    .largest_step = largest_step,
    .advance = advance,
    .particles = particles,
    .destroy = destroy,
};

// SPDX-License-Identifier: MIT
// A method in one file, for tests/check_one_file.sh: particles that fly as they started, slower
// and slower.
#include "method/method.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>

typedef struct ToyDef {
    double drag;
    const OndNode *node;
} ToyDef;

static const OndKey keys[] = {
    {"drag", OND_KEY_NUMBER, offsetof(ToyDef, drag), .unit = "1/s", .max = 10, .fallback = 1,
     .help = "Share of its speed that a particle loses in a second."},
};
const OndSchema ond_toy_schema = {
    .name = "toy",
    .help = "Particles that fly apart.",
    .size = sizeof(ToyDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = offsetof(ToyDef, node),
};

typedef struct Toy {
    ToyDef def;
    OndWorld world;
    OndFields fields;
    OndReport report;
} Toy;

static OndStatus check(const void *def, const OndMethodScene *scene, OndError *err)
{
    if (scene->has_domain) return OND_OK;
    return ond_tree_fail(scene->tree, scene->node, err, "a toy needs a 'domain'");
}

static const OndRefusedKey refused[] = {
    {OND_IN_FLUID, "viscosity", .why = "toys do not rub; use `drag` of the method"},
    {.key = NULL},
};

static void *create(const OndSetup *setup, OndError *err)
{
    Toy *const t = OND_NEW(Toy);
    const unsigned shown = OND_FIELD_FRAME | OND_FIELD_STATE;
    if (!t) return NULL;
    t->def = *(const ToyDef *)setup->def;
    t->world = *setup->world;
    ond_fields_add(&t->fields, "position", "m", OND_F32, 3, shown);
    ond_fields_add(&t->fields, "velocity", "m/s", OND_F32, 3, shown);
    ond_fields_add(&t->fields, "temperature", "C", OND_F32, 1, shown);
    ond_fields_add(&t->fields, "material", "", OND_U32, 1, shown);
    return t;
}

static double largest_step(const void *self)
{
    return 0.01;
}

static void weigh(Toy *t)
{
    const OndField *const v = ond_fields_find(&t->fields, "velocity");
    const uint32_t *const material = ond_fields_find(&t->fields, "material")->data[0];
    t->report.kinetic = 0.0;
    for (int i = 0; i < t->fields.count; ++i)
        for (int a = 0; a < 3; ++a)
            t->report.kinetic += 0.5 * ond_world_mass(&t->world, (int)material[i]) *
                                 pow(((const float *)v->data[a])[i], 2.0);
}

static OndStatus advance(void *self, double dt, const OndExchange *solids, OndError *err)
{
    Toy *const t = self;
    const OndStatus status = ond_exchange_move(solids, dt, err);
    if (status != OND_OK) return status;
    const OndField *const x = ond_fields_find(&t->fields, "position");
    const OndField *const v = ond_fields_find(&t->fields, "velocity");
    for (int a = 0; a < 3; ++a)
        for (int i = 0; i < t->fields.count; ++i) {
            ((float *)v->data[a])[i] *= (float)exp(-t->def.drag * dt);
            ((float *)x->data[a])[i] += (float)dt * ((float *)v->data[a])[i];
        }
    ond_exchange_finish(solids, dt);
    weigh(t);
    return OND_OK;
}

static OndFields *particles(void *self)
{
    return &((Toy *)self)->fields;
}

static void report(const void *self, OndReport *out)
{
    *out = ((const Toy *)self)->report;
}

static size_t bytes(const void *self)
{
    const Toy *const t = self;
    return (size_t)t->fields.capacity * (size_t)ond_fields_bytes_each(&t->fields);
}

static void destroy(void *self)
{
    ond_fields_free(&((Toy *)self)->fields);
    ond_free(self);
}

const OndMethod ond_toy_method = {
    .name = "toy",
    .schema = &ond_toy_schema,
    .remedy = "nothing",
    .check = check,
    .uses = OND_USES_SOLIDS | OND_USES_DENSITY,
    .refused = refused,
    .create = create,
    .largest_step = largest_step,
    .advance = advance,
    .particles = particles,
    .report = report,
    .bytes = bytes,
    .destroy = destroy,
};

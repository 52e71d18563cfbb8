// SPDX-License-Identifier: MIT
// Variational surfaces as a kind of field (variational.h tells what they are).
#include "base/memory.h"
#include "surface/variational.h"
#include "surface/variational_guard.h"

#define EXACT_MOST 6000 // constraints in one dense solve: 0.6 GB and half a minute

typedef struct Variational {
    OndConstraints constraints;
    OndParts *parts; // NULL when there are no constraints
    OndGuard guard;
} Variational;

static void release(OndField3 *field)
{
    Variational *own = field->own;
    if (!own) return;
    ond_parts_free(own->parts);
    ond_constraints_free(&own->constraints);
    ond_guard_free(&own->guard);
    ond_free(own);
    field->own = NULL;
}

static OndStatus make(OndField3 *field, OndError *err)
{
    const OndFieldDef *def = &field->def;
    const OndPoints *points = field->points;
    if (def->placement != OND_PLACE_PARTICLES && def->placement != OND_PLACE_CELLS)
        return ond_fail(err, OND_BAD_VALUE,
                        "placement of constraints is %d; accepted: 0 (surface particles) and 1 "
                        "(cells)",
                        def->placement);
    if (def->exact_limit < 0 || def->exact_limit > EXACT_MOST)
        return ond_fail(err, OND_BAD_VALUE,
                        "an exact variational surface of %d constraints; accepted: up to %d",
                        def->exact_limit, EXACT_MOST);
    Variational *own = field->own = OND_NEW(Variational);
    if (!own) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a variational surface");
    field->reach = OND_GUARD_FAR * points->largest;
    OndStatus status = ond_guard_make(&own->guard, points, err);
    if (status == OND_OK)
        status = ond_constraints_place(&own->constraints, points, def->placement, def->smoothing,
                                       0.0, err);
    if (status == OND_OK && own->constraints.count > 0)
        status = ond_parts_make(&own->parts, &own->constraints, points->dimension, def->exact_limit,
                                err);
    return status;
}

static void sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    const Variational *own = field->own;
    const int count = lattice->n[0] * lattice->n[1] * lattice->n[2];
    for (int k = 0; k < count && !own->parts; ++k)
        value[k] = NAN;
    if (own->parts) ond_parts_sample(own->parts, lattice, 0.0, value);
    ond_guard_lattice(&own->guard, lattice, value);
}

static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const Variational *own = field->own;
    out[0] = out[1] = out[2] = 0.0;
    const double value = own->parts ? ond_parts_gradient(own->parts, at, 0.0, out) : NAN;
    return ond_guard_place(&own->guard, at, value, out);
}

const OndFieldKind ond_field_variational = {
    .name = "variational",
    .what = "the smoothest function through what is inside and outside [Pouchol 2010]; slow",
    .defaults = {.radius = 2.1, .smoothing = 0.9, .exact_limit = 400},
    .make = make,
    .free = release,
    .sample = sample,
    .gradient = gradient,
};

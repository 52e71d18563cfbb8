// SPDX-License-Identifier: MIT
// Variational surfaces as a kind of field (variational.h tells what they are).
#include "base/memory.h"
#include "base/parallel.h"
#include "surface/fields/variational.h"
#include "surface/fields/variational_guard.h"

#define ROUNDS      2    // of adding particles that came out as outside
#define LEAST_DEPTH 0.1  // half spacings
#define STIFF       1e-6 // slack against rounding
#define GRAIN       1024
#define EXACT_MOST  6000 // constraints in one dense solve: 0.6 GB and half a minute

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

static OndStatus check_def(const OndFieldDef *def, OndError *err)
{
    if (def->placement != OND_PLACE_PARTICLES && def->placement != OND_PLACE_CELLS)
        return ond_fail(err, OND_BAD_VALUE,
                        "placement of constraints is %d; accepted: 0 (surface particles) and 1 "
                        "(cells)",
                        def->placement);
    if (def->exact_limit < 0 || def->exact_limit > EXACT_MOST)
        return ond_fail(err, OND_BAD_VALUE,
                        "an exact variational surface of %d constraints; accepted: up to %d",
                        def->exact_limit, EXACT_MOST);
    return OND_OK;
}

// ---- particles that came out as outside

typedef struct Lost {
    const OndField3 *field;
    unsigned char *flag; // of each point
} Lost;

static void find_lost(int first, int last, int worker, void *context)
{
    const Lost *lost = context;
    const OndPoints *p = lost->field->points;
    const Variational *own = lost->field->own;
    for (int i = first; i < last; ++i) {
        const double at[3] = {p->x[i], p->y[i], p->z[i]};
        double slope[3];
        if (own->guard.deep[i]) continue;
        lost->flag[i] = ond_parts_gradient(own->parts, at, 0.0, slope) < LEAST_DEPTH;
    }
}

static OndStatus add_lost(OndField3 *field, const unsigned char *flag, int *added, OndError *err)
{
    const OndPoints *p = field->points;
    Variational *own = field->own;
    OndStatus status = OND_OK;
    for (int i = 0; i < p->count && status == OND_OK; ++i) {
        if (!flag[i]) continue;
        const double depth = p->size[i] / p->spacing;
        const OndConstraint one = {{p->x[i], p->y[i], p->z[i], 0.0}, depth, STIFF, p->size[i]};
        status = ond_constraints_add(&own->constraints, &one, err);
        ++*added;
    }
    return status == OND_OK ? ond_constraints_merge(&own->constraints, err) : status;
}

// Where the function swings between its constraints, particles without one may lie outside: they
// become constraints, and all is fitted again.
static OndStatus fit(OndField3 *field, OndError *err)
{
    const OndFieldDef *def = &field->def;
    const OndPoints *p = field->points;
    Variational *own = field->own;
    OndStatus status = OND_OK;
    unsigned char *flag = OND_NEW_ARRAY(unsigned char, p->count);
    if (!flag) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", p->count);
    for (int round = 0, added = 1; round <= ROUNDS && added && status == OND_OK; ++round) {
        ond_parts_free(own->parts);
        own->parts = NULL;
        added = 0;
        status =
            ond_parts_make(&own->parts, &own->constraints, p->dimension, def->exact_limit, err);
        if (status != OND_OK || round == ROUNDS) break;
        ond_parallel_for(p->count, GRAIN, find_lost, &(Lost){field, flag});
        status = add_lost(field, flag, &added, err);
    }
    ond_free(flag);
    return status;
}

static OndStatus make(OndField3 *field, OndError *err)
{
    OndStatus status = check_def(&field->def, err);
    if (status != OND_OK) return status;
    const OndPoints *points = field->points;
    Variational *own = field->own = OND_NEW(Variational);
    if (!own) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a variational surface");
    field->reach = OND_GUARD_FAR;
    status = ond_guard_make(&own->guard, points, err);
    if (status == OND_OK)
        status = ond_constraints_place(&own->constraints, points, &field->def, NULL, err);
    if (status == OND_OK && own->constraints.count > 0) status = fit(field, err);
    return status;
}

// ---- asking

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
    .sight = 3.0,
    .defaults = {.radius = 2.1, .smoothing = 0.9, .exact_limit = 400},
    .make = make,
    .free = release,
    .sample = sample,
    .gradient = gradient,
};

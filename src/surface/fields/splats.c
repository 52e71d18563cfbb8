// SPDX-License-Identifier: MIT
#include "surface/fields/splats.h"

#include "base/memory.h"

OndSplatField *ond_splats_make(OndField3 *field, int power, OndError *err)
{
    const OndPoints *p = field->points;
    const size_t room = (size_t)p->count + OND_SURFACE_PAD;
    OndSplatField *own = field->own = OND_NEW(OndSplatField);
    if (own) own->inv_h2 = OND_NEW_ARRAY(float, room);
    if (own) own->weight = OND_NEW_ARRAY(float, room);
    if (!own || !own->inv_h2 || !own->weight) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a field of %d particles", p->count);
        return NULL;
    }
    own->loops = ond_surface_loops();
    own->splats = (OndSplats){p->x, p->y, p->z, own->inv_h2, own->weight, power, 0.0f};
    own->threshold = (float)field->def.threshold;
    return own;
}

void ond_splats_free(OndField3 *field)
{
    OndSplatField *own = field->own;
    if (!own) return;
    ond_free(own->inv_h2);
    ond_free(own->weight);
    ond_free(own);
}

void ond_splats_sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    const OndPoints *p = field->points;
    const OndSplatField *own = field->own;
    float sum[OND_BLOCK * OND_BLOCK * OND_BLOCK] = {0};
    double start[3], end[3];
    for (int a = 0; a < 3; ++a) {
        start[a] = ond_lattice_at(lattice, a, 0);
        end[a] = start[a] + (lattice->n[a] - 1) * lattice->cell;
    }
    OndBinWalk near = ond_near_sizes(&p->bins, start, end, field->reach);
    for (OndRun run; ond_near_next(&near, &run);)
        own->loops->splat(&own->splats, run, start, lattice->cell, lattice->n, sum);
    for (int k = 0; k < lattice->n[2]; ++k)
        for (int j = 0; j < lattice->n[1]; ++j)
            for (int i = 0; i < lattice->n[0]; ++i)
                *value++ = sum[(k * OND_BLOCK + j) * OND_BLOCK + i] - own->threshold;
}

OndSplatSums ond_splats_gather(const OndField3 *field, const double at[3], int power)
{
    const OndSplatField *own = field->own;
    OndSplats splats = own->splats;
    splats.power = power;
    const float place[3] = {(float)at[0], (float)at[1], (float)at[2]};
    OndSplatSums sums = {0};
    OndRun run[OND_RUNS_MAX];
    OndBinWalk near = ond_near_sizes(&field->points->bins, at, at, field->reach);
    for (int runs; (runs = ond_near_runs(&near, run, OND_RUNS_MAX)) > 0;)
        own->loops->gather(&splats, run, runs, place, &sums);
    return sums;
}

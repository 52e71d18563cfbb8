// SPDX-License-Identifier: MIT
// Move the grains: leapfrog (physics/motion.h), then the guards, which matter only
// where contacts are softer than what presses them.
#include "base/parallel.h"
#include "particles/dem/dem_state.h"
#include "physics/motion.h"
#include "solids/solids.h"

typedef struct GrainMotion {
    OndDem *d;
    float dt;
    bool solids;
} GrainMotion;

static void kick_range(const GrainMotion *m, int first, int last)
{
    const OndDem *d = m->d;
    const float back = 0.5f * (float)d->last_dt, on = 0.5f * ((float)d->last_dt + m->dt);
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict v = d->v[axis];
        const float *restrict old = d->last[axis], *restrict a = d->a[axis];
        for (int i = first; i < last; ++i)
            v[i] = ond_motion_kick(v[i], a[i], old[i], on, back);
    }
}

// A grain's centre stays inside the walls, however soft their springs are.
static void keep_inside(const GrainMotion *m, int first, int last)
{
    OndDem *d = m->d;
    for (int axis = 0; axis < d->world.dimension; ++axis) {
        const float low = d->wall_at[2 * axis], high = d->wall_at[2 * axis + 1];
        float *x = d->x[axis], *v = d->v[axis];
        for (int i = first; i < last; ++i) {
            if ((x[i] >= low && x[i] <= high) || d->held[i]) continue;
            const bool under = x[i] < low;
            x[i] = under ? low : high;
            v[i] = under ? fmaxf(v[i], 0.0f) : fminf(v[i], 0.0f);
            d->a[axis][i] = 0.0f;
        }
    }
}

static void wrap_range(const OndDem *d, int axis, int first, int last)
{
    const float low = (float)ond_axis(d->world.box.min, axis),
                high = (float)ond_axis(d->world.box.max, axis);
    float *x = d->x[axis];
    for (int i = first; i < last; ++i) {
        if (x[i] >= low && x[i] < high) continue;
        x[i] = ond_motion_wrap(x[i], low, high);
    }
}

static void drift(const GrainMotion *m, int first, int last)
{
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict x = m->d->x[axis];
        const float *restrict v = m->d->v[axis];
        for (int i = first; i < last; ++i)
            x[i] += m->dt * v[i];
    }
    keep_inside(m, first, last);
}

// A few at a time, so that where they came from is still at hand.
static void drift_past_solids(const GrainMotion *m, int first, int last, OndDemBlock *block)
{
    OndDem *d = m->d;
    float from[OND_DEM_GROUP][3];
    for (int g = first; g < last; g += OND_DEM_GROUP) {
        const int end = g + OND_DEM_GROUP < last ? g + OND_DEM_GROUP : last;
        const bool near = d->near[g / OND_DEM_GROUP];
        for (int i = g; i < end; ++i)
            for (int a = 0; a < 3; ++a)
                from[i - g][a] = d->x[a][i];
        drift(m, g, end);
        for (int i = g; near && i < end; ++i)
            if (!d->held[i]) ond_dem_stop(d, i, from[i - g], m->dt, block);
    }
}

static void look_ahead(const GrainMotion *m, int first, int last)
{
    const OndDem *d = m->d;
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict v = d->v[axis], *restrict kept = d->last[axis];
        const float *restrict a = d->a[axis];
        for (int i = first; i < last; ++i) {
            v[i] += 0.5f * m->dt * a[i];
            kept[i] = a[i];
        }
    }
}

static void move_blocks(int first, int last, int worker, void *context)
{
    const GrainMotion *m = context;
    OndDem *d = m->d;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK, next = begin + OND_SUM_BLOCK;
        const int end = next < d->fields.count ? next : d->fields.count;
        kick_range(m, begin, end);
        if (m->solids)
            drift_past_solids(m, begin, end, &d->block[b]);
        else
            drift(m, begin, end);
        for (int axis = 0; axis < d->world.dimension; ++axis)
            if (d->world.side[2 * axis].kind == OND_SIDE_PERIODIC) wrap_range(d, axis, begin, end);
        look_ahead(m, begin, end);
    }
}

OndStatus ond_dem_integrate(OndDem *d, double dt, OndError *err)
{
    GrainMotion m = {d, (float)dt, ond_solids_count(d->world.solids) > 0};
    const double push = (d->last_dt + dt) * d->acceleration; // at most, in speed
    if (m.solids) {                                          // which know where they will be
        const double travel = ond_solids_travel(d->world.solids, ond_cells_box(&d->cells));
        const double solid = fmax(ond_dem_solid_speed(d) * dt, travel);
        ond_dem_watch_solids(d, 2.0 * ((d->speed + push) * dt + solid));
    }
    ond_parallel_for(ond_sum_block_count(d->fields.count), 1, move_blocks, &m);
    const OndStatus status = m.solids ? ond_dem_check_blocks(d, err) : OND_OK;
    if (status != OND_OK) return status;
    ond_dem_load(d);
    const OndHeldView held = ond_dem_held(d);
    ond_held_carry(&held, dt);
    return OND_OK;
}

typedef struct GrainMeasure {
    const OndDem *d;
    double *kinetic, *potential;
} GrainMeasure;

static void measure_blocks(int first, int last, int worker, void *context)
{
    const GrainMeasure *m = context;
    const OndDem *d = m->d;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK, next = begin + OND_SUM_BLOCK;
        const int end = next < d->fields.count ? next : d->fields.count;
        double kinetic = 0, potential = 0;
        for (int i = begin; i < end; ++i) {
            const double mass = d->mass_of[d->material[i]];
            for (int a = 0; a < 3; ++a) {
                kinetic += 0.5 * mass * d->v[a][i] * d->v[a][i];
                potential -= mass * d->world.gravity[a] * d->x[a][i];
            }
        }
        m->kinetic[b] = kinetic, m->potential[b] = potential;
    }
}

OndStatus ond_dem_measure(OndDem *d, OndError *err)
{
    const int blocks = ond_sum_block_count(d->fields.count);
    double *sums = ond_dem_sums(d, 2 * blocks + 1);
    if (!sums)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for sums over %d grains",
                        d->fields.count);
    GrainMeasure m = {d, sums, sums + blocks};
    ond_parallel_for(blocks, 1, measure_blocks, &m);
    d->kinetic = d->potential = 0;
    for (int b = 0; b < blocks; ++b) {
        d->kinetic += m.kinetic[b];
        d->potential += m.potential[b];
    }
    return OND_OK;
}

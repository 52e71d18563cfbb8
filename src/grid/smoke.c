// SPDX-License-Identifier: MIT
// The order of a step, and the life of the method.
#include "grid/smoke.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "grid/of_world.h"
#include "grid/smoke_state.h"

#include <string.h>

#define BYTES_EACH 55.0 // a cell, without ghosts and padding: measured

static const char *const phase_names[OND_SMOKE_PHASES] = {"solids",    "forces",  "advect",
                                                          "viscosity", "project", "carry"};

static void lap(OndSmoke *s, OndSmokePhase phase, double *since)
{
    const double now = ond_now_ms();
    s->phase_ms[phase] += now - *since;
    *since = now;
}

static OndFlow flow(const OndSmoke *s, double dt)
{
    return (OndFlow){&s->grid, {s->v[0], s->v[1], s->v[2]}, dt, s->def.advection, 2 + s->def.trace};
}

static void set_flow_edges(OndSmoke *s)
{
    for (int a = 0; a < ond_grid_axes(&s->grid); ++a)
        ond_smoke_edges(s, a, s->v[a]);
}

// ---- the flow

static void take_faces(OndSmoke *s, int axis, const float *from)
{
    const OndSpan span = ond_span(&s->grid, axis);
    const uint8_t *const open = ond_pressure_open(s->pressure, axis);
    for (int row = 0; row < span.rows; ++row) {
        const size_t at = ond_span_row(&s->grid, &span, row);
        for (size_t i = at; i < at + (size_t)span.wide; ++i)
            if (open[i]) s->v[axis][i] = from[i];
    }
}

// What is carried along is the velocity after half of the step's forces, those where it comes from;
// the other half follows where it arrives. Both at the end would be wrong by as much as they change
// on the way, also in a flow that no longer changes.
static void start_off(OndSmoke *s, int a, double dt, float *carried)
{
    const double share = s->last_dt > 0.0 ? dt / s->last_dt : 0.0;
    float *u[3] = {carried, carried, carried};
    memcpy(carried, s->v[a], s->grid.length * sizeof *carried);
    ond_smoke_spread(s, a, carried, 0.5 * dt * s->def.viscosity);
    ond_smoke_rise(s, a, carried, 0.5 * dt);
    ond_pressure_push(s->pressure, a, u, share);
    ond_smoke_edges(s, a, carried);
}

static void advect_flow(OndSmoke *s, double dt)
{
    const int axes = ond_grid_axes(&s->grid);
    const OndFlow f = flow(s, dt);
    float *const carried = ond_pressure_lend(s->pressure);
    set_flow_edges(s);
    for (int a = 0; a < axes; ++a) {
        start_off(s, a, dt, carried);
        ond_advect(&f, a, carried, s->work[a], s->work[3], false);
    }
    for (int a = 0; a < axes; ++a)
        take_faces(s, a, s->work[a]);
}

// Viscosity acts on a flow that the pressure of the last step has kept from the walls already: else
// fluid would slip along them by as much as the projection after it changes.
static void slow_down(OndSmoke *s, double dt)
{
    const double share = s->last_dt > 0.0 ? dt / s->last_dt : 0.0;
    const double left = ond_smoke_spreads(s, dt) ? 0.5 : 1.0; // half was done where it comes from
    ond_pressure_push(s->pressure, -1, s->v, share);
    set_flow_edges(s);
    for (int a = 0; a < ond_grid_axes(&s->grid); ++a)
        ond_smoke_diffuse(s, a, s->v[a], s->work[0], left * s->def.viscosity, dt);
    ond_pressure_push(s->pressure, -1, s->v, -share);
}

static OndStatus project(OndSmoke *s, OndError *err)
{
    set_flow_edges(s);
    for (int a = 0; a < 4; ++a)
        ond_grid_clear_ghosts(&s->grid, s->work[a]);
    const OndStatus status =
        ond_pressure_project(s->pressure, s->v, ond_smoke_held(s), s->def.tolerance,
                             s->def.iterations, &s->projected, err);
    if (status == OND_OK) set_flow_edges(s);
    return status;
}

// ---- what is carried

static void sum_block(const void *context, int block, int first, int last)
{
    const OndSmoke *const s = context;
    const OndGrid *const g = &s->grid;
    double sum = 0.0;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(g, row);
        for (size_t i = at; i < at + (size_t)g->n[0]; ++i)
            sum += s->density[i];
    }
    s->sum[2 * block] = sum;
}

static void sum_blocks(int first, int last, int worker, void *context)
{
    const OndGrid *const g = &((const OndSmoke *)context)->grid;
    (void)worker;
    for (int b = first; b < last; ++b)
        sum_block(context, b, b * g->block,
                  b * g->block + g->block < g->rows ? b * g->block + g->block : g->rows);
}

static double mass(OndSmoke *s)
{
    double sum = 0.0;
    ond_parallel_for(ond_grid_blocks(&s->grid), 1, sum_blocks, s);
    for (int b = 0; b < ond_grid_blocks(&s->grid); ++b)
        sum += s->sum[2 * b];
    return sum;
}

static void scale(OndSmoke *s, float *x, float middle, double factor)
{
    const float f = (float)factor;
    for (int row = 0; row < s->grid.rows && factor != 1.0; ++row) {
        float *const at = x + ond_grid_row(&s->grid, row);
        for (int i = 0; i < s->grid.n[0]; ++i)
            at[i] = middle + f * (at[i] - middle);
    }
}

// What was carried, from work[0]; nothing is below `least`.
static void take_cells(OndSmoke *s, float *x, float least)
{
    for (int row = 0; row < s->grid.rows; ++row) {
        const size_t at = ond_grid_row(&s->grid, row);
        for (size_t i = at; i < at + (size_t)s->grid.n[0]; ++i)
            x[i] = fmaxf(s->work[0][i], least);
    }
}

static void carry_one(OndSmoke *s, int what, float *x, double rate, double dt)
{
    const OndFlow f = flow(s, dt);
    ond_smoke_edges(s, what, x);
    ond_advect(&f, -1, x, s->work[0], s->work[1], true);
    take_cells(s, x, what == OND_SMOKE_DENSITY ? 0.0f : -INFINITY);
    ond_smoke_edges(s, what, x);
    ond_smoke_diffuse(s, what, x, s->work[0], rate, dt);
}

static void carry(OndSmoke *s, double dt)
{
    const bool keeps = s->def.keep_mass && s->sealed;
    const double before = keeps ? mass(s) : 0.0;
    if (!keeps || before != 0.0) carry_one(s, OND_SMOKE_DENSITY, s->density, s->def.diffusion, dt);
    const double after = keeps ? mass(s) : 0.0;
    if (keeps && after > 0.0 && before > 0.0) scale(s, s->density, 0.0f, before / after);
    carry_one(s, OND_SMOKE_TEMPERATURE, s->temperature, s->def.heat, dt);
    scale(s, s->density, 0.0f, exp(-s->def.fading * dt));
    scale(s, s->temperature, s->air, exp(-s->def.cooling * dt));
}

// ---- the step

static void measure(OndSmoke *s);

static OndStatus step(void *self, double dt, OndError *err)
{
    OndSmoke *const s = self;
    double clock = ond_now_ms();
    memset(s->phase_ms, 0, sizeof s->phase_ms);
    OndStatus status = ond_smoke_solids(s, err);
    lap(s, OND_SMOKE_SOLIDS, &clock);
    if (status != OND_OK) return status;
    advect_flow(s, dt);
    lap(s, OND_SMOKE_ADVECT, &clock);
    ond_smoke_forces(s, dt);
    lap(s, OND_SMOKE_FORCES, &clock);
    if (s->def.viscosity > 0.0) slow_down(s, dt);
    lap(s, OND_SMOKE_VISCOSITY, &clock);
    status = project(s, err);
    lap(s, OND_SMOKE_PROJECT, &clock);
    if (status != OND_OK) return status;
    s->last_dt = dt;
    carry(s, dt);
    measure(s);
    lap(s, OND_SMOKE_CARRY, &clock);
    if (isfinite(s->kinetic)) return OND_OK;
    return ond_fail(err, OND_UNSTABLE, "a velocity has become infinite");
}

static OndStatus largest_step(void *self, double *dt, OndError *err)
{
    OndSmoke *const s = self;
    const double way = s->def.courant * s->grid.h, push = ond_smoke_push(s);
    (void)err;
    measure(s); // something may have been poured
    *dt = s->def.largest_step;
    if (s->speed > 0.0) *dt = fmin(*dt, way / s->speed);
    if (push > 0.0) *dt = fmin(*dt, sqrt(2.0 * way / push));
    return OND_OK;
}

// ---- what it says of itself

static void measure_block(const void *context, int block, int first, int last)
{
    const OndSmoke *const s = context;
    const OndGrid *const g = &s->grid;
    double fastest = 0.0, energy = 0.0;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(g, row);
        for (size_t i = at; i < at + (size_t)g->n[0]; ++i) {
            double square = 0.0;
            for (int a = 0; a < ond_grid_axes(g); ++a) {
                const float low = s->v[a][i], high = s->v[a][i + (size_t)ond_grid_stride(g, a)];
                const double most = fmax(fabsf(low), fabsf(high));
                fastest = most > fastest || most != most ? most : fastest;
                square += 0.5 * ((double)low * low + (double)high * high);
            }
            energy += square;
        }
    }
    s->sum[2 * block] = fastest;
    s->sum[2 * block + 1] = energy;
}

static void measure_blocks(int first, int last, int worker, void *context)
{
    const OndGrid *const g = &((const OndSmoke *)context)->grid;
    (void)worker;
    for (int b = first; b < last; ++b)
        measure_block(context, b, b * g->block,
                      b * g->block + g->block < g->rows ? b * g->block + g->block : g->rows);
}

static void measure(OndSmoke *s)
{
    const OndGrid *const g = &s->grid;
    double fastest = 0.0, energy = 0.0;
    ond_parallel_for(ond_grid_blocks(&s->grid), 1, measure_blocks, s);
    for (int b = 0; b < ond_grid_blocks(g); ++b) {
        fastest = fmax(fastest, s->sum[2 * b]);
        energy += s->sum[2 * b + 1];
    }
    s->speed = fastest;
    s->kinetic = 0.5 * energy * pow(g->h, ond_grid_axes(g)); // of a density of 1 kg/m^3
}

static void report(const void *self, OndReport *out)
{
    const OndSmoke *const s = self;
    *out = (OndReport){.max_speed = s->speed,
                       .kinetic = s->kinetic,
                       .density_error = s->projected.residual,
                       .iterations = s->projected.iterations,
                       .unconverged = !s->projected.converged,
                       .phase_count = OND_SMOKE_PHASES,
                       .phase_names = phase_names};
    memcpy(out->phase_ms, s->phase_ms, sizeof s->phase_ms);
}

// ---- life

static void destroy(void *self)
{
    OndSmoke *const s = self;
    if (!s) return;
    ond_pressure_destroy(s->pressure);
    ond_fields_free(&s->cells);
    for (int a = 0; a < 4; ++a)
        ond_free(s->work[a]);
    ond_free(s->sum);
    ond_free(s);
}

static bool make_arrays(OndSmoke *s)
{
    const unsigned kept = OND_FIELD_STATE | OND_FIELD_FRAME;
    s->cells.capacity = s->cells.count = (int)s->grid.length;
    if (ond_fields_add(&s->cells, "velocity", "m/s", OND_F32, 3, kept | OND_FIELD_FACES) < 0 ||
        ond_fields_add(&s->cells, "density", "", OND_F32, 1, kept) < 0 ||
        ond_fields_add(&s->cells, "temperature", "C", OND_F32, 1, kept) < 0 ||
        ond_fields_add(&s->cells, "potential", "m^2/s", OND_F32, 1, OND_FIELD_STATE) < 0)
        return false;
    memcpy(s->v, s->cells.field[0].data, sizeof s->v);
    s->density = s->cells.field[1].data[0];
    s->temperature = s->cells.field[2].data[0];
    bool whole = (s->sum = OND_NEW_ARRAY(double, 2 * ond_grid_blocks(&s->grid)));
    for (int a = 0; a < 4; ++a)
        whole = whole && (s->work[a] = ond_grid_floats(&s->grid));
    return whole;
}

static OndStatus make(OndSmoke *s, const OndSetup *setup, OndError *err)
{
    s->def = *(const OndSmokeDef *)setup->def;
    s->world = *setup->world;
    s->air = s->world.has_air ? s->world.air_temperature : 20.0f;
    s->sealed = true;
    for (int side = 0; side < 2 * s->world.dimension; ++side) {
        s->open[side] = s->world.side[side].kind == OND_SIDE_OPEN;
        s->sealed = s->sealed && !s->open[side];
    }
    OndStatus status = ond_grid_of_world(&s->world, s->def.cell, &s->grid, err);
    if (status != OND_OK) return status;
    if (!make_arrays(s))
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %.3g million cells (%.1f GB)",
                        (double)ond_grid_cells(&s->grid) * 1e-6,
                        (double)s->grid.length * BYTES_EACH * 1e-9);
    s->pressure = ond_pressure_create(&s->grid, s->def.solver, s->open, s->cells.field[3].data[0],
                                      s->work, err);
    return s->pressure ? OND_OK : OND_BAD_VALUE;
}

static void *create(const OndSetup *setup, OndError *err)
{
    OndSmoke *const s = OND_NEW(OndSmoke);
    if (!s) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
        return NULL;
    }
    if (make(s, setup, err) == OND_OK) return s;
    destroy(s);
    return NULL;
}

// What was poured or drawn may diverge: the first frame shows a flow that does not.
static OndStatus start(void *self, OndError *err)
{
    OndSmoke *const s = self;
    OndStatus status = ond_smoke_solids(s, err);
    if (status == OND_OK) status = project(s, err);
    measure(s);
    return status;
}

static double cell_size(const void *def)
{
    return ((const OndSmokeDef *)def)->cell;
}

static double cell_bytes(const void *def, int dimension, double cells)
{
    (void)def;
    return ond_grid_forecast(dimension, cells, BYTES_EACH);
}

static const OndGrid *grid(void *self)
{
    return &((OndSmoke *)self)->grid;
}

static OndFields *cells(void *self)
{
    return &((OndSmoke *)self)->cells;
}

static void changed(void *self)
{
    (void)self; // ghosts are set where they are needed
}

static const char *number(void *self, int slot, double **value)
{
    *value = &((OndSmoke *)self)->last_dt;
    return slot == 0 ? "last_dt" : NULL;
}

static size_t bytes(const void *self)
{
    const OndSmoke *const s = self;
    return s->grid.length * 4 * (6 + 4) + ond_pressure_bytes(s->pressure);
}

// One method; the two names differ in the defaults of their keys.
#define METHOD(called, table)                                                                      \
    {                                                                                              \
        .name = called, .schema = &table, .remedy = "a larger `cell`, or slower emitters",         \
        .cell_size = cell_size, .cell_bytes = cell_bytes, .create = create, .start = start,        \
        .largest_step = largest_step, .step = step, .grid = grid, .cells = cells,                  \
        .changed = changed, .report = report, .number = number, .bytes = bytes, .destroy = destroy \
    }
const OndMethod ond_smoke_method = METHOD("smoke", ond_smoke_schema);
const OndMethod ond_current_method = METHOD("current", ond_current_schema);

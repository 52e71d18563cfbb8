// SPDX-License-Identifier: MIT
// The order of a step, and the life of the method.
#include "grid/smoke/smoke.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "grid/of_world.h"
#include "grid/smoke/smoke_state.h"
#include "solids/solids.h"

#include <stdio.h>
#include <string.h>

#define BYTES_EACH 51.0 // a cell, without ghosts and padding: measured

static const char *const phase_names[OND_SMOKE_PHASES] = {"solids",    "forces",  "advect",
                                                          "viscosity", "project", "carry"};

// ---- the step

static void measure(OndSmoke *s);

static OndStatus flow(OndSmoke *s, double dt, OndError *err)
{
    double clock = ond_now_ms();
    memset(s->phase_ms, 0, sizeof s->phase_ms);
    OndStatus status = ond_smoke_solids(s, err);
    s->phase_ms[OND_SMOKE_SOLIDS] += ond_lap_ms(&clock);
    if (status != OND_OK) return status;
    ond_solid_ghosts_slide(s);
    ond_smoke_leave(s, dt);
    s->phase_ms[OND_SMOKE_FORCES] += ond_lap_ms(&clock);
    ond_smoke_sources_feed(s, 0.5 * dt);
    ond_smoke_carry(s, dt);
    ond_smoke_sources_feed(s, 0.5 * dt);
    s->phase_ms[OND_SMOKE_CARRY] += ond_lap_ms(&clock);
    ond_smoke_advect(s, dt);
    s->phase_ms[OND_SMOKE_ADVECT] += ond_lap_ms(&clock);
    ond_smoke_forces(s, dt);
    s->phase_ms[OND_SMOKE_FORCES] += ond_lap_ms(&clock);
    ond_smoke_slow(s, dt);
    s->phase_ms[OND_SMOKE_VISCOSITY] += ond_lap_ms(&clock);
    s->time += dt;
    status = ond_smoke_project(s, err);
    s->phase_ms[OND_SMOKE_PROJECT] += ond_lap_ms(&clock);
    if (status != OND_OK) return status;
    s->last_dt = dt;
    ond_smoke_warmth_show(s);
    measure(s);
    return ond_smoke_limits(s, dt, err);
}

static OndStatus advance(void *self, double dt, const OndExchange *solids, OndError *err)
{
    OndStatus status = ond_exchange_move(solids, dt, err);
    if (status == OND_OK) status = flow(self, dt, err);
    if (status == OND_OK) ond_exchange_finish(solids, dt);
    return status;
}

static OndStatus prepare(void *self, OndError *err)
{
    OndSmoke *const s = self;
    (void)err;
    measure(s); // something may have been changed
    ond_smoke_warmth_take(s);
    s->push = ond_smoke_push(s);
    ond_smoke_driven(s, s->push);
    return OND_OK;
}

static double largest_step(const void *self)
{
    const OndSmoke *const s = self;
    const double way = s->def.courant * s->grid.h;
    const double speed = fmax(s->speed, ond_smoke_sources_speed(s));
    double dt = s->def.largest_step;
    if (speed > 0.0) dt = fmin(dt, way / speed);
    return s->push > 0.0 ? fmin(dt, sqrt(2.0 * way / s->push)) : dt;
}

// ---- what it says of itself

// What solids nearly shut; 0 is shut, and has the solid's own velocity.
static inline bool is_sliver(uint8_t open)
{
    return open > 0 && open <= OND_SMOKE_SLIVER;
}

// The fastest, and the energy of what flows along an axis. What the projection leaves on slivers is
// carried nowhere (solid_ghosts.h), and is not a speed of the flow.
static void measure_row(const OndSmoke *s, int axis, size_t at, float *fastest, double *energy)
{
    const float *const v = s->v[axis] + at, *const next = v + ond_grid_stride(&s->grid, axis);
    const uint8_t *const open = ond_pressure_open(s->pressure, axis) + at, *const open_next =
                                                                               open +
                                                                               ond_grid_stride(
                                                                                   &s->grid, axis);
    float most = *fastest;
    double sum = 0.0;
    for (int i = 0; i < s->grid.n[0]; ++i) {
        const float low = fabsf(v[i]), high = fabsf(next[i]);
        most = low > most && !is_sliver(open[i]) ? low : most;
        most = high > most && !is_sliver(open_next[i]) ? high : most;
        sum += 0.5 * ((double)low * low + (double)high * high);
    }
    *fastest = most;
    *energy += sum;
}

static void measure_block(const OndSmoke *s, int block, int first, int last)
{
    float fastest = 0.0f;
    double energy = 0.0;
    for (int row = first; row < last; ++row)
        for (int a = 0; a < ond_grid_axes(&s->grid); ++a)
            measure_row(s, a, ond_grid_row(&s->grid, row), &fastest, &energy);
    s->sum[2 * block] = fastest;
    s->sum[2 * block + 1] = energy;
}

static void measure_blocks(int first, int last, int worker, void *context)
{
    const OndGrid *const g = &((const OndSmoke *)context)->grid;
    (void)worker;
    for (int b = first; b < last; ++b)
        measure_block(context, b, b * g->block, ond_grid_block_end(g, b));
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
    ond_smoke_sources_free(s->sources);
    ond_solid_ghosts_free(s->ghosts);
    ond_fields_free(&s->cells);
    for (int a = 0; a < 3; ++a)
        ond_free(s->work[a]);
    ond_free(s->spare);
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
        ond_fields_add(&s->cells, "potential", "m^2/s", OND_F32, 1, OND_FIELD_STATE) < 0 ||
        ond_fields_add(&s->cells, "warmth", "K", OND_F32, 1, OND_FIELD_STATE) < 0)
        return false;
    memcpy(s->v, s->cells.field[0].data, sizeof s->v);
    s->density = s->cells.field[1].data[0];
    s->temperature = s->cells.field[2].data[0];
    s->warmth = s->cells.field[4].data[0];
    bool whole = (s->sum = OND_NEW_ARRAY(double, 2 * ond_grid_blocks(&s->grid)));
    for (int a = 0; a < 3; ++a)
        whole = whole && (s->work[a] = ond_grid_floats(&s->grid));
    s->work[3] = s->temperature;
    if (s->def.trace != OND_TRACE_TAYLOR) s->spare = ond_grid_floats(&s->grid);
    return whole && (s->spare || s->def.trace == OND_TRACE_TAYLOR);
}

static OndStatus make(OndSmoke *s, const OndSetup *setup, OndError *err)
{
    s->def = *(const OndSmokeDef *)setup->def;
    s->world = *setup->world;
    s->air = s->world.has_air ? s->world.air_temperature : 20.0f;
    s->keeps = s->def.keep_mass;
    for (int k = 0; k < ond_solids_count(s->world.solids); ++k)
        s->warms = s->warms || ond_solids_def(s->world.solids, k)->heats;
    for (int side = 0; side < 2 * s->world.dimension; ++side) {
        s->warms = s->warms || s->world.side[side].heats;
        s->open[side] = s->world.side[side].kind == OND_SIDE_OPEN;
    }
    OndStatus status = ond_grid_of_world(&s->world, s->def.cell, &s->grid, err);
    if (status != OND_OK) return status;
    if (!make_arrays(s)) return ond_grid_no_memory(&s->grid, BYTES_EACH, err);
    s->pressure = ond_pressure_create(&s->grid, s->def.solver, s->open, s->cells.field[3].data[0],
                                      s->work, err);
    if (!s->pressure) return OND_BAD_VALUE; // `err` knows better
    for (int k = 0; k < s->world.source_count; ++k)
        s->keeps = s->keeps && s->world.source[k].flow == 0.0;
    return ond_smoke_sources_make(s, &s->sources, err);
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
    s->moving = ond_smoke_moves(s) ? 1.0 : 0.0;
    ond_smoke_warmth_take(s);
    OndStatus status = ond_smoke_look(s, err);
    if (status == OND_OK) ond_solid_ghosts_clear(s);
    if (status == OND_OK) status = ond_smoke_project(s, err);
    ond_smoke_warmth_show(s);
    measure(s);
    s->given = ond_smoke_given(s);
    return status;
}

static double cell_size(const void *def)
{
    return ((const OndSmokeDef *)def)->cell;
}

static double cell_bytes(const void *def, int dimension, double cells)
{
    const bool spare = ((const OndSmokeDef *)def)->trace != OND_TRACE_TAYLOR;
    return ond_grid_forecast(dimension, cells, BYTES_EACH + (spare ? sizeof(float) : 0.0));
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
    OndSmoke *const s = self; // ghosts are set where they are needed
    if (s->looked) return;
    ond_smoke_warmth_take(s);
    ond_smoke_look(s, NULL); // solids stand where they stood; a step tells of faults
    ond_smoke_warmth_show(s);
}

static OndStatus told(void *self, const OndWorld *world, OndError *err)
{
    OndSmoke *const s = self;
    const OndStatus status = ond_smoke_sources_move(s, err);
    if (status != OND_OK) return status;
    memcpy(s->world.gravity, world->gravity, sizeof s->world.gravity);
    s->looked = false; // solids may move otherwise than they did
    changed(s);
    return OND_OK;
}

static const char *number(void *self, int slot, double **value)
{
    OndSmoke *const s = self;
    static const char *const names[] = {"last_dt", "time", "moving", "given", "pushed", NULL};
    double *const values[] = {&s->last_dt, &s->time, &s->moving, &s->given, &s->pushed, NULL};
    *value = values[slot];
    return names[slot];
}

static size_t bytes(const void *self)
{
    const OndSmoke *const s = self;
    return s->grid.length * 4 * (7 + 3 + (s->spare != NULL)) + ond_pressure_bytes(s->pressure) +
           ond_solid_ghosts_bytes(s->ghosts);
}

static const char *unconverged(const void *def, char *out, size_t size)
{
    snprintf(out, size,
             "the pressure did not converge: the flow diverges more than asked there; raise "
             "`iterations`, loosen `tolerance` or choose another `solver`");
    return out;
}

#define USES OND_USES_GRAVITY | OND_USES_HEAT | OND_USES_WALLS | OND_USES_SOLIDS

// One method; the two names differ in the defaults of their keys, and a current shows by tracers.
#define METHOD(called, table, ...)                                                                 \
    {                                                                                              \
        .name = called, .schema = &table, .remedy = "a larger `cell`, or slower emitters",         \
        .check = ond_smoke_check_scene, .uses = USES, .refused = ond_smoke_refused,                \
        .flow = ond_smoke_flow_traits, .unconverged = unconverged, .cell_size = cell_size,         \
        .cell_bytes = cell_bytes, .create = create, .start = start, .prepare = prepare,            \
        .largest_step = largest_step, .advance = advance, .grid = grid, .cells = cells,            \
        .changed = changed, .hears = OND_HEARS_GRAVITY, .told = told, .report = report,            \
        .number = number, .bytes = bytes, .destroy = destroy, __VA_ARGS__                          \
    }
const OndMethod ond_smoke_method = METHOD("smoke", ond_smoke_schema, .unseen = false);
const OndMethod ond_current_method = METHOD("current", ond_current_schema, .unseen = true);

// SPDX-License-Identifier: MIT
// The order of the step, and the life of the method. stam_passes.c has what the step is made of,
// stam_edges.c walls and solids.
#include "grid/stam/stam.h"

#include "base/clock.h"
#include "base/memory.h"
#include "grid/of_world.h"
#include "grid/stam/stam_state.h"

#include <string.h>

#define BYTES_EACH 38.0 // a cell: nine arrays of floats, one of bytes, and some to spare

static const char *const phase_names[OND_STAM_PHASES] = {"diffuse", "project", "advect"};

// ---- the step

static void measure(OndStam *s);

static OndStatus flow(OndStam *s, double dt, OndError *err)
{
    const int axes = ond_grid_axes(&s->grid);
    double clock = ond_now_ms();
    memset(s->phase_ms, 0, sizeof s->phase_ms);
    ond_stam_look(s);

    for (int a = 0; a < axes; ++a) {
        ond_stam_edges(s, a, s->v[a]);
        ond_stam_diffuse(s, a, s->v[a], s->before[0], s->def.viscosity, dt);
    }
    s->phase_ms[OND_STAM_DIFFUSE] += ond_lap_ms(&clock);
    ond_stam_project(s);
    s->phase_ms[OND_STAM_PROJECT] += ond_lap_ms(&clock);

    for (int a = 0; a < axes; ++a)
        memcpy(s->before[a], s->v[a], s->grid.length * sizeof(float));
    for (int a = 0; a < axes; ++a)
        ond_stam_advect(s, a, s->v[a], s->before[a], s->before, dt);
    s->phase_ms[OND_STAM_ADVECT] += ond_lap_ms(&clock);
    ond_stam_project(s);
    s->phase_ms[OND_STAM_PROJECT] += ond_lap_ms(&clock);

    ond_stam_edges(s, OND_STAM_SCALAR, s->density);
    ond_stam_diffuse(s, OND_STAM_SCALAR, s->density, s->before[0], s->def.diffusion, dt);
    s->phase_ms[OND_STAM_DIFFUSE] += ond_lap_ms(&clock);
    memcpy(s->before[0], s->density, s->grid.length * sizeof(float));
    ond_stam_advect(s, OND_STAM_SCALAR, s->density, s->before[0], s->v, dt);
    s->phase_ms[OND_STAM_ADVECT] += ond_lap_ms(&clock);

    measure(s);
    if (isfinite(s->kinetic)) return OND_OK;
    return ond_fail(err, OND_UNSTABLE, "a velocity has become infinite; start with slower ones");
}

static OndStatus advance(void *self, double dt, const OndExchange *solids, OndError *err)
{
    OndStatus status = ond_exchange_move(solids, dt, err);
    if (status == OND_OK) status = flow(self, dt, err);
    if (status == OND_OK) ond_exchange_finish(solids, dt);
    return status;
}

static double largest_step(const void *self)
{
    const OndStam *const s = self;
    return s->def.time_step > 0.0 ? s->def.time_step : 1e3;
}

// ---- what it says of itself

typedef struct StamSums {
    double speed2, energy, divergence;
} StamSums;

static StamSums measure_row(const OndStam *s, int row)
{
    const OndGrid *const g = &s->grid;
    StamSums sums = {0, 0, 0};
    const size_t at = ond_grid_row(g, row);
    for (size_t i = at; i < at + (size_t)g->n[0]; ++i) {
        double speed2 = 0.0, divergence = 0.0;
        for (int a = 0; a < ond_grid_axes(g); ++a) {
            const size_t step = (size_t)ond_grid_stride(g, a);
            speed2 += (double)s->v[a][i] * s->v[a][i];
            divergence += s->v[a][i + step] - s->v[a][i - step];
        }
        sums.speed2 = fmax(sums.speed2, speed2);
        sums.energy += speed2;
        sums.divergence += fabs(divergence);
    }
    return sums;
}

static void measure(OndStam *s)
{
    const OndGrid *const g = &s->grid;
    StamSums sums = {0, 0, 0};
    for (int row = 0; row < g->rows; ++row) {
        const StamSums one = measure_row(s, row);
        sums.speed2 = fmax(sums.speed2, one.speed2);
        sums.energy += one.energy;
        sums.divergence += one.divergence;
    }
    const double volume = pow(g->h, ond_grid_axes(g)), cells = (double)ond_grid_cells(g);
    s->speed = sqrt(sums.speed2);
    s->kinetic = 0.5 * sums.energy * volume; // of a density of 1 kg/m^3
    s->divergence = sums.divergence / (2.0 * g->h * cells);
}

static void report(const void *self, OndReport *out)
{
    const OndStam *const s = self;
    *out = (OndReport){.max_speed = s->speed,
                       .kinetic = s->kinetic,
                       .density_error = s->divergence,
                       .iterations = s->def.iterations,
                       .phase_count = OND_STAM_PHASES,
                       .phase_names = phase_names};
    memcpy(out->phase_ms, s->phase_ms, sizeof s->phase_ms);
}

// ---- life

static void destroy(void *self)
{
    OndStam *const s = self;
    if (!s) return;
    ond_fields_free(&s->cells);
    for (int a = 0; a < 3; ++a)
        ond_free(s->before[a]);
    ond_free(s->spare);
    ond_free(s->solid);
    ond_free(s);
}

static bool make_arrays(OndStam *s)
{
    const unsigned kept = OND_FIELD_STATE | OND_FIELD_FRAME;
    s->cells.capacity = s->cells.count = (int)s->grid.length;
    if (ond_fields_add(&s->cells, "velocity", "m/s", OND_F32, 3, kept) < 0 ||
        ond_fields_add(&s->cells, "density", "", OND_F32, 1, kept) < 0)
        return false;
    memcpy(s->v, s->cells.field[0].data, sizeof s->v);
    s->density = s->cells.field[1].data[0];
    bool whole = true;
    for (int a = 0; a < 3; ++a)
        whole = whole && (s->before[a] = ond_grid_floats(&s->grid));
    if (s->def.solver == OND_STAM_JACOBI) whole = whole && (s->spare = ond_grid_floats(&s->grid));
    return whole && (s->solid = ond_grid_bytes(&s->grid));
}

static void *create(const OndSetup *setup, OndError *err)
{
    OndStam *const s = OND_NEW(OndStam);
    if (!s) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
        return NULL;
    }
    s->def = *(const OndStamDef *)setup->def;
    s->world = *setup->world;
    OndStatus status = ond_grid_of_world(&s->world, s->def.cell, &s->grid, err);
    if (status == OND_OK && !make_arrays(s)) status = ond_grid_no_memory(&s->grid, BYTES_EACH, err);
    if (status == OND_OK) return s;
    destroy(s);
    return NULL;
}

static OndStatus start(void *self, OndError *err)
{
    OndStam *const s = self;
    (void)err;
    ond_stam_look(s);
    for (int a = 0; a < ond_grid_axes(&s->grid); ++a)
        ond_stam_edges(s, a, s->v[a]);
    measure(s);
    return OND_OK;
}

static double cell_size(const void *def)
{
    return ((const OndStamDef *)def)->cell;
}

static double cell_bytes(const void *def, int dimension, double cells)
{
    (void)def;
    return ond_grid_forecast(dimension, cells, BYTES_EACH);
}

static const OndGrid *grid(void *self)
{
    return &((OndStam *)self)->grid;
}

static OndFields *cells(void *self)
{
    return &((OndStam *)self)->cells;
}

static size_t bytes(const void *self)
{
    const OndStam *const s = self;
    return s->grid.length * (size_t)(4 * (4 + 3 + (s->spare != NULL)) + 1);
}

const OndMethod ond_stam_method = {
    .name = "stam",
    .schema = &ond_stam_schema,
    .remedy = "slower velocities",
    .uses = OND_USES_WALLS | OND_USES_SOLIDS,
    .refused = ond_stam_refused,
    .cell_size = cell_size,
    .cell_bytes = cell_bytes,
    .create = create,
    .start = start,
    .largest_step = largest_step,
    .advance = advance,
    .grid = grid,
    .cells = cells, // no `changed`: ghosts are set at the start of each step
    .report = report,
    .bytes = bytes,
    .destroy = destroy,
};

// SPDX-License-Identifier: MIT
// The order of the step, its three verbs, and the life of the method. stam_edges.c has walls and
// solids.
#include "grid/stam/stam.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "grid/of_world.h"
#include "grid/stam/stam_state.h"
#include "physics/interpolation.h"
#include "physics/stencil.h"

#include <string.h>

#define BYTES_EACH 38.0 // a cell: nine arrays of floats, one of bytes, and some to spare

static const char *const phase_names[OND_STAM_PHASES] = {"diffuse", "project", "advect"};

static void lap(OndStam *s, OndStamPhase phase, double *since)
{
    const double now = ond_now_ms();
    s->phase_ms[phase] += now - *since;
    *since = now;
}

// ---- the solver

static float neighbours(const OndGrid *g, const float *x, size_t at)
{
    const float flat =
        ond_stencil_sum(x[at - 1], x[at + 1], x[at - (size_t)g->row], x[at + (size_t)g->row]);
    return g->deep ? flat + x[at - (size_t)g->plane] + x[at + (size_t)g->plane] : flat;
}

typedef struct JacobiRound {
    const OndGrid *grid;
    const float *x, *b;
    float *to;
    float a, c;
} JacobiRound;

static void relax_rows(int first, int last, int worker, void *context)
{
    const JacobiRound *const r = context;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(r->grid, row);
        for (size_t i = at; i < at + (size_t)r->grid->n[0]; ++i)
            r->to[i] = ond_diffusion_relax(r->b[i], r->a, neighbours(r->grid, r->x, i), r->c);
    }
}

void ond_stam_relax(OndStam *s, int what, float *x, const float *b, float a, float c)
{
    const OndGrid *const g = &s->grid;
    const bool jacobi = s->def.solver == OND_STAM_JACOBI;
    JacobiRound round = {g, x, b, jacobi ? s->spare : x, a, c};
    ond_stam_edges(s, what, x);
    for (int k = 0; k < s->def.iterations; ++k) {
        if (jacobi) {
            ond_parallel_for(g->rows, g->block, relax_rows, &round);
            memcpy(x, s->spare, g->length * sizeof *x);
        } else {
            relax_rows(0, g->rows, 0, &round); // in place: what is new is used at once
        }
        ond_stam_edges(s, what, x);
    }
}

// ---- diffuse

static void diffuse(OndStam *s, int what, float *x, float *before, double rate, double dt)
{
    const double a = rate * dt / (s->grid.h * s->grid.h);
    if (rate == 0.0) return;
    memcpy(before, x, s->grid.length * sizeof *x);
    ond_stam_relax(s, what, x, before, (float)a, (float)(1.0 + 2.0 * ond_grid_axes(&s->grid) * a));
}

// ---- project

typedef struct Projection {
    const OndStam *s;
    float *p, *b;
    int axis;
} Projection;

// b = -h^2 div
static void divergence_rows(int first, int last, int worker, void *context)
{
    const Projection *const q = context;
    const OndGrid *const g = &q->s->grid;
    const float half = 0.5f * (float)g->h;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(g, row);
        for (size_t i = at; i < at + (size_t)g->n[0]; ++i) {
            float sum = 0.0f;
            for (int a = 0; a < ond_grid_axes(g); ++a) {
                const size_t step = (size_t)ond_grid_stride(g, a);
                sum += q->s->v[a][i + step] - q->s->v[a][i - step];
            }
            q->b[i] = -half * sum;
            q->p[i] = 0.0f;
        }
    }
}

static void subtract_rows(int first, int last, int worker, void *context)
{
    const Projection *const q = context;
    const OndGrid *const g = &q->s->grid;
    const float factor = (float)(0.5 / g->h);
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(g, row);
        for (int a = 0; a < ond_grid_axes(g); ++a) {
            const size_t step = (size_t)ond_grid_stride(g, a);
            for (size_t i = at; i < at + (size_t)g->n[0]; ++i)
                q->s->v[a][i] =
                    ond_gradient_off(q->s->v[a][i], factor, q->p[i - step], q->p[i + step]);
        }
    }
}

static void project(OndStam *s)
{
    const OndGrid *const g = &s->grid;
    Projection q = {s, s->before[0], s->before[1], 0};
    ond_parallel_for(g->rows, g->block, divergence_rows, &q);
    ond_stam_relax(s, OND_STAM_PRESSURE, q.p, q.b, 1.0f, 2.0f * (float)ond_grid_axes(g));
    ond_parallel_for(g->rows, g->block, subtract_rows, &q);
    for (int a = 0; a < ond_grid_axes(g); ++a)
        ond_stam_edges(s, a, s->v[a]);
}

// ---- advect

typedef struct StamCarry {
    const OndGrid *grid;
    const float *from;
    float *to;
    float *const *v;
    float cells; // a velocity of 1 goes so many cells in a step
} StamCarry;

// Where it comes from along an axis, in cells; kept half a cell round the outermost middles.
static int split(const OndGrid *g, int axis, float at, float *share)
{
    const float n = (float)g->n[axis];
    if (g->periodic[axis]) at -= n * floorf((at + 0.5f) / n);
    if (!(at >= -0.5f)) at = -0.5f;
    if (at > n - 0.5f) at = n - 0.5f;
    const float low = floorf(at);
    *share = at - low;
    return (int)low;
}

static void advect_rows(int first, int last, int worker, void *context)
{
    const StamCarry *const c = context;
    const OndGrid *const g = c->grid;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const int j = row % g->n[1], k = row / g->n[1];
        const size_t at = ond_grid_row(g, row);
        for (int i = 0; i < g->n[0]; ++i) {
            float sx, sy, sz = 0.0f;
            const size_t me = at + (size_t)i;
            const int x = split(g, 0, (float)i - c->cells * c->v[0][me], &sx);
            const int y = split(g, 1, (float)j - c->cells * c->v[1][me], &sy);
            const int z = g->deep ? split(g, 2, (float)k - c->cells * c->v[2][me], &sz) : 0;
            const float *const corner = c->from + ond_grid_at(g, x, y, z);
            const float low = ond_interpolate4(corner, 0, (int)g->row, sx, sy);
            c->to[me] = low;
            if (!g->deep) continue;
            const float high = ond_interpolate4(corner + g->plane, 0, (int)g->row, sx, sy);
            c->to[me] = ond_interpolate(low, high, sz);
        }
    }
}

void ond_stam_advect(const OndStam *s, int what, float *to, const float *from, float *const v[3],
                     double dt)
{
    StamCarry c = {&s->grid, from, to, v, (float)(dt / s->grid.h)};
    ond_parallel_for(s->grid.rows, s->grid.block, advect_rows, &c);
    ond_stam_edges(s, what, to);
}

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
        diffuse(s, a, s->v[a], s->before[0], s->def.viscosity, dt);
    }
    lap(s, OND_STAM_DIFFUSE, &clock);
    project(s);
    lap(s, OND_STAM_PROJECT, &clock);

    for (int a = 0; a < axes; ++a)
        memcpy(s->before[a], s->v[a], s->grid.length * sizeof(float));
    for (int a = 0; a < axes; ++a)
        ond_stam_advect(s, a, s->v[a], s->before[a], s->before, dt);
    lap(s, OND_STAM_ADVECT, &clock);
    project(s);
    lap(s, OND_STAM_PROJECT, &clock);

    ond_stam_edges(s, OND_STAM_SCALAR, s->density);
    diffuse(s, OND_STAM_SCALAR, s->density, s->before[0], s->def.diffusion, dt);
    lap(s, OND_STAM_DIFFUSE, &clock);
    memcpy(s->before[0], s->density, s->grid.length * sizeof(float));
    ond_stam_advect(s, OND_STAM_SCALAR, s->density, s->before[0], s->v, dt);
    lap(s, OND_STAM_ADVECT, &clock);

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

static OndStatus prepare(void *self, OndError *err)
{
    (void)self, (void)err;
    return OND_OK;
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
    if (s) {
        s->def = *(const OndStamDef *)setup->def;
        s->world = *setup->world;
        if (ond_grid_of_world(&s->world, s->def.cell, &s->grid, err) != OND_OK) {
            destroy(s);
            return NULL;
        }
        if (make_arrays(s)) return s;
        ond_fail(err, OND_NO_MEMORY, "not enough memory for %.3g million cells (%.1f GB)",
                 (double)ond_grid_cells(&s->grid) * 1e-6,
                 (double)s->grid.length * BYTES_EACH * 1e-9);
    } else {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
    }
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

static void changed(void *self)
{
    (void)self; // ghosts are set at the start of each step
}

static const char *number(void *self, int slot, double **value)
{
    (void)self, (void)slot, (void)value;
    return NULL;
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
    .unheard = ond_stam_unheard,
    .cell_size = cell_size,
    .cell_bytes = cell_bytes,
    .create = create,
    .start = start,
    .prepare = prepare,
    .largest_step = largest_step,
    .advance = advance,
    .grid = grid,
    .cells = cells,
    .changed = changed,
    .report = report,
    .number = number,
    .bytes = bytes,
    .destroy = destroy,
};

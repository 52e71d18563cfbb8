// SPDX-License-Identifier: MIT
// How well the ways of carrying do, on four flows whose answer is known:
//
//     disc      Zalesak's slotted disc, turned round once by a flow that is given
//     drift     Taylor-Green vortices that decay while the grid moves under them
//     cavity    the steady flow in a square under a lid that moves [Ghia 1982; converged values]
//     plume     what a step costs
#include "base/memory.h"
#include "bench/bench_cavity.h"
#include "bench/bench_smoke.h"
#include "grid/advect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int find(const char *name, const char *const *list)
{
    int at = 0;
    while (list[at + 1] && strcmp(list[at], name) != 0)
        ++at;
    return at;
}

// ---- the disc

#define DISC_CELLS 100
#define DISC_AREA  582.207
#define DISC_STEPS 200 // in a turn

// The share of a cell that is disc.
static float disc_share(int i, int j)
{
    int inside = 0;
    for (int s = 0; s < 256; ++s) {
        const double x = i + (s % 16 + 0.5) / 16 - 50, y = j + (s / 16 + 0.5) / 16;
        inside += hypot(x, y - 75) < 15 && !(fabs(x) < 2.5 && y < 85);
    }
    return (float)inside / 256;
}

// A turn a second; w of advect.h leans to the middle by as much as the flow turns in half a step.
static void set_turn(const OndGrid *g, bool leans, float *const v[3])
{
    const double w = 2.0 * M_PI, lean = leans ? 0.5 * w * w / DISC_STEPS : 0.0;
    for (int j = -1; j <= DISC_CELLS; ++j)
        for (int i = -1; i <= DISC_CELLS; ++i) {
            const double x = i - 50, y = j - 50;
            v[0][ond_grid_at(g, i, j, 0)] = (float)(-w * (y + 0.5) - lean * x);
            v[1][ond_grid_at(g, i, j, 0)] = (float)(w * (x + 0.5) - lean * y);
        }
}

typedef struct Disc {
    OndGrid grid;
    float *v[3], *start, *now, *next, *scratch;
} Disc;

static void compare(const Disc *d, OndSchemeRow *row)
{
    double off = 0.0, area = 0.0;
    for (int r = 0; r < d->grid.rows; ++r)
        for (int i = 0; i < DISC_CELLS; ++i) {
            const size_t at = ond_grid_row(&d->grid, r) + (size_t)i;
            off += fabs((double)d->now[at] - (double)d->start[at]);
            area += (double)d->now[at];
        }
    row->disc_error = off / DISC_AREA;
    row->disc_area = area;
}

static void turn_disc(Disc *d, OndSchemeRow *row)
{
    const int trace = find(row->trace, ond_trace_names);
    const OndFlow flow = {.grid = &d->grid,
                          .v = {d->v[0], d->v[1]},
                          .dt = 1.0 / DISC_STEPS,
                          .scheme = find(row->advection, ond_advection_names),
                          .trace = trace};
    set_turn(&d->grid, trace == OND_TRACE_TAYLOR, d->v);
    for (int r = 0; r < d->grid.rows; ++r)
        for (int i = 0; i < DISC_CELLS; ++i)
            d->now[ond_grid_row(&d->grid, r) + (size_t)i] = disc_share(i, r);
    memcpy(d->start, d->now, d->grid.length * sizeof *d->now);
    for (int k = 0; k < DISC_STEPS; ++k) {
        const OndCarried field = {d->now, d->next, d->scratch};
        ond_advect(&flow, -1, &field, 1, true);
        memcpy(d->now, d->next, d->grid.length * sizeof *d->now);
    }
    compare(d, row);
}

static OndStatus measure_disc(OndSchemeRow *row, OndError *err)
{
    Disc d = {.now = NULL};
    const int n[3] = {DISC_CELLS, DISC_CELLS, 1};
    OndStatus status = ond_grid_set(&d.grid, n, 1.0, ond_vec(0, 0, 0), NULL, err);
    float **const arrays[] = {&d.v[0], &d.v[1], &d.start, &d.now, &d.next, &d.scratch};
    for (int k = 0; k < OND_COUNT(arrays) && status == OND_OK; ++k)
        if (!(*arrays[k] = ond_grid_floats(&d.grid)))
            status = ond_fail(err, OND_NO_MEMORY, "not enough memory for a bench");
    if (status == OND_OK) turn_disc(&d, row);
    for (int k = 0; k < OND_COUNT(arrays); ++k)
        ond_free(*arrays[k]);
    return status;
}

// ---- scenes

typedef struct BenchStage {
    OndSceneDef scene;
    OndSim *sim;
    OndFrame frame;
    float *v[2];
    int n;
} BenchStage;

static OndStatus stage_open(BenchStage *s, const char *text, OndError *err)
{
    s->sim = ond_bench_smoke_open(text, &s->scene, err);
    if (!s->sim) return err->status;
    ond_sim_frame(s->sim, &s->frame);
    const OndField *const velocity = ond_fields_find(&s->frame.cells, "velocity");
    s->v[0] = velocity->data[0], s->v[1] = velocity->data[1];
    s->n = s->frame.grid.n[0];
    return OND_OK;
}

static void stage_close(BenchStage *s)
{
    ond_sim_destroy(s->sim);
    ond_scene_free(&s->scene);
}

static OndStatus stage_run(BenchStage *s, double time, OndError *err)
{
    OndStatus status = OND_OK;
    while (status == OND_OK && ond_sim_time(s->sim) < time - 1e-9)
        status = ond_sim_step(s->sim, err);
    return status;
}

static size_t stage_at(const BenchStage *s, int i, int j)
{
    return ond_grid_at(&s->frame.grid, i, j, 0);
}

// ---- drifting vortices

#define DRIFT_VISCOSITY 0.01

// On the lower faces of cell (i, j).
static void drift_at(int n, int i, int j, double time, double out[2])
{
    const double left = exp(-8.0 * M_PI * M_PI * DRIFT_VISCOSITY * time), turn = 2.0 * M_PI / n;
    const double x = i - time * n, y = j - 0.5 * time * n;
    out[0] = 1.0 + left * sin(turn * x) * cos(turn * (y + 0.5));
    out[1] = 0.5 - left * cos(turn * (x + 0.5)) * sin(turn * y);
}

// Puts the flow in, or returns the sum of the squares that it is off by.
static double drift_over(const BenchStage *s, double time, bool put)
{
    double sum = 0.0;
    for (int j = 0; j < s->n; ++j)
        for (int i = 0; i < s->n; ++i) {
            double flow[2];
            drift_at(s->n, i, j, time, flow);
            for (int a = 0; a < 2; ++a) {
                float *const v = &s->v[a][stage_at(s, i, j)];
                if (put) *v = (float)flow[a];
                sum += (*v - flow[a]) * (*v - flow[a]);
            }
        }
    return sum;
}

static OndStatus measure_drift(OndSchemeRow *row, int n, OndError *err)
{
    char text[512];
    BenchStage s = {.sim = NULL};
    snprintf(text, sizeof text,
             "dimension: 2\nduration: 9\nframe_rate: %d\ngravity: [0, 0]\n"
             "domain: {min: [0, 0], max: [1, 1], x: periodic, y: periodic}\n"
             "method: {type: smoke, cell: %.17g, viscosity: %g, advection: %s, trace: %s, "
             "courant: 100, tolerance: 1e-6}\n",
             n, 1.0 / n, DRIFT_VISCOSITY, row->advection, row->trace);
    OndStatus status = stage_open(&s, text, err);
    if (status == OND_OK) drift_over(&s, 0.0, true);
    if (status == OND_OK) status = stage_run(&s, 1.0, err);
    if (status == OND_OK) row->drift_error = sqrt(drift_over(&s, 1.0, false)) / n;
    stage_close(&s);
    return status;
}

// ---- the cavity

static OndStatus measure_cavity(OndSchemeRow *row, int lid, int n, OndError *err)
{
    char text[512];
    BenchStage s = {.sim = NULL};
    snprintf(text, sizeof text,
             "dimension: 2\nduration: 100\nframe_rate: 0.5\ngravity: [0, 0]\n"
             "domain: {min: [0, 0], max: [1, 1], slip: 0, sides: [{side: +y, velocity: [1, 0]}]}\n"
             "method: {type: smoke, cell: %.17g, viscosity: %g, advection: %s, trace: %s, "
             "courant: 4, tolerance: 1e-3}\n",
             1.0 / n, 1.0 / ond_cavity_lids[lid].re, row->advection, row->trace);
    OndStatus status = stage_open(&s, text, err);
    if (status == OND_OK) status = stage_run(&s, ond_cavity_lids[lid].time, err);
    if (status == OND_OK) row->cavity_error[lid] = ond_cavity_off(s.sim, lid);
    stage_close(&s);
    return status;
}

// ---- all of a row

OndStatus ond_bench_scheme(OndSchemeRow *row, bool quick, OndError *err)
{
    char keys[64];
    OndPlumeRow plume = {.side = quick ? 32 : 64};
    snprintf(keys, sizeof keys, ", advection: %s, trace: %s", row->advection, row->trace);
    OndStatus status = measure_disc(row, err);
    if (status == OND_OK) status = measure_drift(row, quick ? 16 : 64, err);
    for (int lid = 0; lid < 2 && status == OND_OK; ++lid)
        status = measure_cavity(row, lid, quick ? 16 : 128, err);
    if (status == OND_OK) status = ond_bench_plume(&plume, keys, quick ? 1 : 3, err);
    row->core_ns = plume.core_ms * 1e6 / ((double)plume.side * plume.side * plume.side);
    return status;
}

// SPDX-License-Identifier: MIT
// How the flow gets from one step to the next, by the trapezoidal rule along the way of the fluid:
//
//     v' at the end = (v + dt/2 a) where it comes from + dt/2 a' where it arrives,
//     a = - grad p + viscosity lap v + buoyancy
//
// of second order in dt. What is known of a' is added on arrival; viscosity is implicit there, and
// the pressure is what the projection finds. The pressure on departure is the mean one of the step
// before: near enough, for what it is wrong by, the projection adds where the fluid arrives. (Were
// it what the last projection found, its error would come back in each step with the other sign.)
//
// w = v + dt/2 a also is the way of the fluid in this step, over dt (advect.h), so nothing else has
// to be kept: it takes the place of v.
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"

#include <string.h>

OndFlow ond_smoke_way(const OndSmoke *s, double dt)
{
    OndFlow way = {.grid = &s->grid,
                   .v = {s->v[0], s->v[1], s->v[2]},
                   .dt = dt,
                   .scheme = s->def.advection,
                   .trace = s->def.trace};
    for (int a = 0; a < ond_grid_axes(&s->grid) && s->ghosts; ++a)
        way.open[a] = ond_pressure_open(s->pressure, a);
    return way;
}

static void set_edges(OndSmoke *s)
{
    for (int a = 0; a < ond_grid_axes(&s->grid); ++a)
        ond_smoke_edges(s, a, s->v[a]);
}

// Of the last step's potential, dt times the pressure: what half of this step would have. After a
// very short step that is mostly what the solver left over, and better forgotten.
static double half_share(const OndSmoke *s, double dt)
{
    return 20.0 * s->last_dt > dt ? 0.5 * dt / s->last_dt : 0.0;
}

// ---- departure

// Half of the step's forces, on u, which holds the component a of the velocity.
static void push_off(OndSmoke *s, int a, double dt, float *u, float *scratch)
{
    const double early = ond_smoke_early(s, a, s->def.viscosity, dt);
    float *all[3] = {u, u, u};
    ond_smoke_spread(s, a, u, scratch, early * dt * s->def.viscosity);
    ond_smoke_rise(s, a, u, 0.5 * dt);
    ond_smoke_draw_in(s, a, u, 0.5 * dt);
    ond_pressure_push(s->pressure, a, all, half_share(s, dt));
    ond_smoke_edges(s, a, u);
}

void ond_smoke_leave(OndSmoke *s, double dt)
{
    set_edges(s);
    if (s->def.trace != OND_TRACE_TAYLOR) return; // the flow as it stands shows the way
    for (int a = 0; a < ond_grid_axes(&s->grid); ++a)
        push_off(s, a, dt, s->v[a], s->work[0]);
    set_edges(s);
}

// ---- on the way

typedef struct Arrival {
    OndSmoke *s;
    OndSpan span;
    int axis;
} Arrival;

static void take_rows(int first, int last, int worker, void *context)
{
    const Arrival *const c = context;
    const OndSmoke *const s = c->s;
    const uint8_t *const open = ond_pressure_open(s->pressure, c->axis);
    const float *const from = s->work[c->axis];
    float *const to = s->v[c->axis];
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_span_row(&s->grid, &c->span, row);
        for (size_t i = at; i < at + (size_t)c->span.wide; ++i)
            to[i] = open[i] ? from[i] : to[i];
    }
}

static void advect_one(OndSmoke *s, int a, double dt)
{
    const OndFlow way = ond_smoke_way(s, dt);
    const OndCarried field = {s->v[a], s->work[a], s->work[3]};
    OndCarried pushed = field;
    if (s->def.trace != OND_TRACE_TAYLOR) {
        pushed.from = s->spare;
        memcpy(s->spare, s->v[a], s->grid.length * sizeof *s->spare);
        push_off(s, a, dt, s->spare, s->work[3]);
    }
    ond_advect(&way, a, &pushed, 1, false);
}

void ond_smoke_advect(OndSmoke *s, double dt)
{
    const int axes = ond_grid_axes(&s->grid);
    for (int a = 0; a < axes; ++a)
        advect_one(s, a, dt);
    for (int a = 0; a < axes; ++a) {
        Arrival arrival = {s, ond_span(&s->grid, a), a};
        ond_parallel_for(arrival.span.rows, s->grid.block, take_rows, &arrival);
    }
    ond_smoke_damp(s, dt);
}

// ---- arrival

// Viscosity acts on a flow that the pressure has kept from the walls already: else fluid would slip
// along them by as much as the projection after it changes. Then the projection is to find all of
// the step's pressure, so what was taken off on departure comes back.
void ond_smoke_slow(OndSmoke *s, double dt)
{
    const double viscosity = s->def.viscosity, half = half_share(s, dt);
    if (viscosity > 0.0) {
        ond_pressure_push(s->pressure, -1, s->v, half);
        set_edges(s);
        for (int a = 0; a < ond_grid_axes(&s->grid); ++a)
            ond_smoke_diffuse(s, a, s->v[a], s->work[0],
                              (1.0 - ond_smoke_early(s, a, viscosity, dt)) * viscosity, dt);
    }
    ond_pressure_push(s->pressure, -1, s->v, viscosity > 0.0 ? -2.0 * half : -half);
}

OndStatus ond_smoke_project(OndSmoke *s, OndError *err)
{
    ond_solid_ghosts_stick(s);
    ond_smoke_sources_drive(s);
    set_edges(s);
    for (int a = 0; a < 4; ++a)
        ond_grid_clear_ghosts(&s->grid, s->work[a]);
    const OndStatus status =
        ond_pressure_project(s->pressure, s->v, ond_smoke_held(s), s->def.tolerance,
                             s->def.iterations, &s->projected, err);
    if (status != OND_OK) return status;
    set_edges(s);
    return OND_OK;
}

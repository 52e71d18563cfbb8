// SPDX-License-Identifier: MIT
// Boundary conditions: values beyond the sides, in ghost cells (physics/boundary.h). A velocity
// across a side stands on it.
//
// Beyond an open side the fluid is at rest, at pressure 0. Were what comes in from there to keep the
// speed with which it comes, a whirl that leaves would feed on itself.
#include "grid/smoke/smoke_state.h"
#include "physics/boundary.h"

// What comes in through a side has all of the side's velocity; along other sides it slides or not.
static float side_slip(const OndSide *w, int side)
{
    const float across = w->velocity[side / 2];
    return (side % 2 ? across < 0.0f : across > 0.0f) ? 0.0f : w->slip;
}

// A ghost of something in the middle of cells, or of a velocity along the side.
static float beyond(const OndSmoke *s, int what, int side, float value, float flows_out)
{
    const OndSide *const w = &s->world.side[side];
    const bool open = w->kind == OND_SIDE_OPEN;
    if (what == OND_SMOKE_DENSITY) return ond_ghost_open(value, flows_out);
    if (what == OND_SMOKE_WARMTH) {
        if (!open && w->heats) return ond_ghost_given(value, ond_smoke_warm(s, w->temperature));
        return ond_ghost_open(value, flows_out);
    }
    if (open) return ond_ghost_open(value, flows_out);
    return ond_ghost_along(value, w->velocity[what], side_slip(w, side));
}

static void set_periodic(const OndGrid *g, int axis, float *first)
{
    const ptrdiff_t step = ond_grid_stride(g, axis), n = g->n[axis];
    first[-step] = first[step * (n - 1)];
    first[step * n] = first[0];
}

// The velocity across the sides, on the first and the last face of a line.
static void set_across(const OndSmoke *s, int axis, float *first)
{
    const OndGrid *const g = &s->grid;
    const ptrdiff_t step = ond_grid_stride(g, axis);
    float *const last = first + step * g->n[axis];
    if (!s->open[2 * axis]) *first = s->world.side[2 * axis].velocity[axis];
    if (!s->open[2 * axis + 1]) *last = s->world.side[2 * axis + 1].velocity[axis];
    first[-step] = s->open[2 * axis] ? *first : 2.0f * *first - first[step];
}

static void set_line(const OndSmoke *s, int what, int axis, float *array, size_t at)
{
    const OndGrid *const g = &s->grid;
    const ptrdiff_t step = ond_grid_stride(g, axis);
    float *const first = array + at, *const last = first + step * (g->n[axis] - 1);
    if (g->periodic[axis]) {
        set_periodic(g, axis, first);
    } else if (what == axis) {
        set_across(s, axis, first);
    } else {
        const float *const u = s->v[axis] + at;
        first[-step] = beyond(s, what, 2 * axis, *first, -u[0]);
        last[step] = beyond(s, what, 2 * axis + 1, *last, u[step * g->n[axis]]);
    }
}

void ond_smoke_edges(const OndSmoke *s, int what, float *array)
{
    const OndGrid *const g = &s->grid;
    for (int axis = 0; axis < ond_grid_axes(g); ++axis) {
        int low[3], high[3];
        for (int a = 0; a < 3; ++a) { // axes before this one with their ghosts: corners, too
            low[a] = a < axis ? -1 : 0;
            high[a] = g->n[a] + (a < axis || (a == what && (a < 2 || g->deep)));
        }
        low[axis] = 0, high[axis] = 1;
        for (int k = low[2]; k < high[2]; ++k)
            for (int j = low[1]; j < high[1]; ++j)
                for (int i = low[0]; i < high[0]; ++i)
                    set_line(s, what, axis, array, ond_grid_at(g, i, j, k));
    }
}

// ---- what comes back in through open sides

typedef struct Inlet {
    const OndGrid *grid;
    float *u;
    int axis;
    bool upper;
    float share; // dt / 2h
} Inlet;

static void draw_face(const Inlet *in, int j, int k)
{
    int at[3];
    at[in->axis] = in->upper ? in->grid->n[in->axis] : 0;
    at[(in->axis + 1) % 3] = j, at[(in->axis + 2) % 3] = k;
    float *const u = in->u + ond_grid_at(in->grid, at[0], at[1], at[2]);
    const float inwards = in->upper ? -*u : *u;
    *u = ond_drawn_in(*u, inwards, in->share);
}

void ond_smoke_draw_in(const OndSmoke *s, int axis, float *u, double dt)
{
    const OndGrid *const g = &s->grid;
    for (int upper = 0; upper < 2; ++upper) {
        if (!s->open[2 * axis + upper]) continue;
        const Inlet in = {g, u, axis, upper, (float)(0.5 * dt / g->h)};
        for (int k = 0; k < g->n[(axis + 2) % 3]; ++k)
            for (int j = 0; j < g->n[(axis + 1) % 3]; ++j)
                draw_face(&in, j, k);
    }
}

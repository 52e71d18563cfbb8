// SPDX-License-Identifier: MIT
// Values beyond the sides, in ghosts. What stands on a side is the mean of the ghost and the value
// before it; a velocity across a side stands on it.
#include "grid/smoke_state.h"

// A ghost of something in the middle of cells, or of a velocity along the side.
static float beyond(const OndSmoke *s, int what, int side, float value, float flows_out)
{
    const OndSide *const w = &s->world.side[side];
    const bool open = w->kind == OND_SIDE_OPEN, inflow = flows_out < 0.0f;
    if (what == OND_SMOKE_DENSITY) return inflow ? -value : value; // what comes in is clear
    if (what == OND_SMOKE_TEMPERATURE) {
        if (!open && w->heats) return 2.0f * w->temperature - value;
        return inflow ? 2.0f * s->air - value : value;
    }
    if (open) return value;
    const float slides = w->slip * value + (1.0f - w->slip) * w->velocity[what];
    return 2.0f * slides - value;
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

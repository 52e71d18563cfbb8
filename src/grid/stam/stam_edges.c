// SPDX-License-Identifier: MIT
// Boundary conditions: values beyond the sides, in ghost cells, and in cells that lie in solids.
//
// What stands on a side is the mean of the ghost and the cell before it. So a wall that nothing
// passes has a ghost of the opposite sign, one along which fluid slides a copy, an open side whose
// pressure is 0 the opposite pressure. Sides are done one axis after the other, each with the
// ghosts of those before, so that corners get values, too.
#include "base/parallel.h"
#include "grid/stam/stam_state.h"
#include "physics/boundary.h"

// A ghost beyond `side` for the value before it.
static float beyond(const OndStam *s, int what, int side, float value)
{
    const OndSide *const w = &s->world.side[side];
    const bool open = w->kind == OND_SIDE_OPEN;
    if (what == OND_STAM_PRESSURE) return open ? -value : value;
    if (what == OND_STAM_SCALAR || open) return value;
    if (what == side / 2) return ond_ghost_given(value, w->velocity[what]);
    return ond_ghost_along(value, w->velocity[what], w->slip);
}

static void set_pair(const OndStam *s, int what, int axis, float *low, float *high)
{
    const OndGrid *const g = &s->grid;
    const size_t step = (size_t)ond_grid_stride(g, axis);
    if (g->periodic[axis]) {
        *low = *(high - step);
        *high = *(low + step);
        return;
    }
    *low = beyond(s, what, 2 * axis, *(low + step));
    *high = beyond(s, what, 2 * axis + 1, *(high - step));
}

static void set_axis(const OndStam *s, int what, int axis, float *array)
{
    const OndGrid *const g = &s->grid;
    int low[3], high[3];
    for (int a = 0; a < 3; ++a) { // axes before this one with their ghosts
        low[a] = a < axis ? -1 : 0;
        high[a] = a < axis ? g->n[a] + 1 : g->n[a];
    }
    low[axis] = 0, high[axis] = 1;
    for (int k = low[2]; k < high[2]; ++k)
        for (int j = low[1]; j < high[1]; ++j)
            for (int i = low[0]; i < high[0]; ++i) {
                float *const first = array + ond_grid_at(g, i, j, k);
                const ptrdiff_t step = ond_grid_stride(g, axis);
                set_pair(s, what, axis, first - step, first + step * g->n[axis]);
            }
}

// Pressure and density of a cell in a solid are those of the fluid beside it.
static float beside(const OndStam *s, const float *array, size_t at)
{
    const OndGrid *const g = &s->grid;
    float sum = 0.0f;
    int count = 0;
    for (int a = 0; a < ond_grid_axes(g); ++a)
        for (int way = -1; way <= 1; way += 2) {
            const size_t there = at + (size_t)(way * ond_grid_stride(g, a));
            if (s->solid[there]) continue;
            sum += array[there];
            ++count;
        }
    return count ? sum / (float)count : 0.0f;
}

static void set_solids(const OndStam *s, int what, float *array)
{
    const OndGrid *const g = &s->grid;
    for (int row = 0; row < g->rows; ++row) {
        const size_t at = ond_grid_row(g, row);
        for (int i = 0; i < g->n[0]; ++i) {
            const size_t me = at + (size_t)i;
            if (!s->solid[me]) continue;
            if (what >= OND_STAM_SCALAR) {
                array[me] = beside(s, array, me);
                continue;
            }
            OndVec v = {0, 0, 0};
            s->world.clearance(s->world.clearance_own,
                               ond_grid_middle(g, i, row % g->n[1], row / g->n[1]), &v, NULL);
            array[me] = (float)ond_axis(v, what);
        }
    }
}

void ond_stam_edges(const OndStam *s, int what, float *array)
{
    if (s->world.clearance) set_solids(s, what, array);
    for (int a = 0; a < ond_grid_axes(&s->grid); ++a)
        set_axis(s, what, a, array);
}

static void look_rows(int first, int last, int worker, void *context)
{
    const OndStam *const s = context;
    const OndGrid *const g = &s->grid;
    (void)worker;
    for (int row = first; row < last; ++row)
        for (int i = 0; i < g->n[0]; ++i) {
            const OndVec at = ond_grid_middle(g, i, row % g->n[1], row / g->n[1]);
            s->solid[ond_grid_row(g, row) + (size_t)i] =
                s->world.clearance(s->world.clearance_own, at, NULL, NULL) < 0.0;
        }
}

void ond_stam_look(OndStam *s)
{
    if (s->world.clearance) ond_parallel_for(s->grid.rows, 4, look_rows, s);
}

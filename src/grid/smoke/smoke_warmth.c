// SPDX-License-Identifier: MIT
// Temperatures inside the solver are differences from the air's: of 200.001 C a float keeps a
// hundredth of what it keeps of 0.001 K, and heat flows by differences. Whoever looks at the cells
// from outside sees degrees Celsius, and may write them.
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"

static inline float celsius(const OndSmoke *s, float warmth)
{
    return s->air + warmth;
}

// What has not been written since it was shown keeps all of its digits.
static void take_rows(int first, int last, int worker, void *context)
{
    const OndSmoke *const s = context;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(&s->grid, row);
        for (size_t i = at; i < at + (size_t)s->grid.n[0]; ++i) {
            const float seen = s->temperature[i];
            s->warmth[i] = seen != celsius(s, s->warmth[i]) ? seen - s->air : s->warmth[i];
        }
    }
}

static void show_rows(int first, int last, int worker, void *context)
{
    const OndSmoke *const s = context;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(&s->grid, row);
        for (size_t i = at; i < at + (size_t)s->grid.n[0]; ++i)
            s->temperature[i] = celsius(s, s->warmth[i]);
    }
}

void ond_smoke_warmth_take(OndSmoke *s)
{
    ond_parallel_for(s->grid.rows, s->grid.block, take_rows, s);
}

void ond_smoke_warmth_show(OndSmoke *s)
{
    ond_parallel_for(s->grid.rows, s->grid.block, show_rows, s);
}

// SPDX-License-Identifier: MIT
// Gravity as a small program has it: a force density of m g / rho instead of rho g, so that an acceleration of
//
//     a = m g / rho^2                                       [Cardonna 2022, ComputeForces]
//
// is what falls. With its pixels a lone particle has rho = m W(0) = 0.0226 and falls with 7 800 g; where two or
// three are near, with half of that. What is dense floats on what is thin then, and weighs less than it does.
#include "base/parallel.h"
#include "particles/sph/sph_state.h"

static void overweigh_range(int first, int last, int worker, void *context)
{
    const OndSph *const s = context;
    (void)worker;
    for (int i = first; i < last; ++i) {
        const float more = s->mass[s->material[i]] / (s->density[i] * s->density[i]);
        for (int a = 0; a < 3; ++a)
            s->a[a][i] *= more;
    }
}

void ond_sph_overweigh(OndSph *s)
{
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, overweigh_range, s);
}

double ond_sph_heaviest(const OndSph *s)
{
    const double alone = ond_kernel_value(s->kernel, 0.0f);
    return s->def.overweight ? 1.0 / (s->mass[0] * alone * alone) : 1.0;
}

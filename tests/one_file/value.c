// SPDX-License-Identifier: MIT
// A value of a particle in one file, for tests/check_one_file.sh: how fast it is.
#include "particles/sph/sph_state.h"

#include <math.h>

void ond_sph_make_pace(OndSph *s, double dt);
void ond_sph_make_pace(OndSph *s, double dt)
{
    for (int i = 0; i < s->fields.count; ++i)
        s->pace[i] =
            sqrtf(s->v[0][i] * s->v[0][i] + s->v[1][i] * s->v[1][i] + s->v[2][i] * s->v[2][i]);
}

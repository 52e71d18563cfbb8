// SPDX-License-Identifier: MIT
// `pressure: dfsph`, divergence-free [Bender and Koschier 2015]: before forces act, velocities are
// corrected so that nothing closes in; with them, so that the density is kept. Both by relaxation,
// the second from half of the last step's pressure: since that is too little, what is left is the same
// in each step, and pools stay calm (iisph.c).
#include "particles/incompressible/incompressible.h"

#define WEIGHT 0.5f // of each particle's own factor, as published

static OndStatus begin(OndSph *s, float dt, OndProjectionEnd *end, OndError *err)
{
    const OndProjectionAim aim = {.tolerance = s->def.divergence_error, .most = s->def.iterations};
    OndStatus status = ond_projection_begin(s, &aim, dt, err);
    if (status == OND_OK) status = ond_projection_relax(s, &aim, WEIGHT, false, end, err);
    return status;
}

static OndStatus correct(OndSph *s, float dt, OndProjectionEnd *end, OndError *err)
{
    const OndProjectionAim aim = ond_projection_published(s, dt);
    OndStatus status = ond_projection_begin(s, &aim, dt, err);
    if (status == OND_OK) status = ond_projection_relax(s, &aim, WEIGHT, false, end, err);
    return status;
}

const OndPressureSolver ond_pressure_dfsph = {"dfsph", 0.5f, false, begin, correct};

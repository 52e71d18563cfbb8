// SPDX-License-Identifier: MIT
// `pressure: iisph`, implicit incompressible [Ihmsen et al. 2014]: relaxed Jacobi iteration with each
// particle's own diagonal, from half of the last step's pressure: since that is too little, what is
// left is the same in each step, and pools stay calm at the error that the scene allows.
#include "particles/incompressible/incompressible.h"

#define WEIGHT 0.5f // as published

static OndStatus correct(OndSph *s, float dt, OndProjectionEnd *end, OndError *err)
{
    const OndProjectionAim aim = ond_projection_published(s, dt);
    OndStatus status = ond_projection_begin(s, &aim, dt, err);
    if (status == OND_OK) status = ond_projection_relax(s, &aim, WEIGHT, false, end, err);
    return status;
}

const OndPressureSolver ond_pressure_iisph = {"iisph", 0.5f, false, NULL, correct};

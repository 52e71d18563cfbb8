// SPDX-License-Identifier: MIT
// `pressure: pcisph`, predictive-corrective [Solenthaler and Pajarola 2009]: where particles would go
// is predicted, and pressures rise by one stiffness for all, that of a full neighbourhood, until
// nobody is crowded there. It begins without pressure in each step.
#include "particles/incompressible/incompressible.h"

#define WEIGHT 0.5f // of what would thin out a particle if its neighbours did nothing

static OndStatus correct(OndSph *s, float dt, OndProjectionEnd *end, OndError *err)
{
    const OndProjectionAim aim = ond_projection_published(s, dt);
    OndStatus status = ond_projection_begin(s, &aim, dt, err);
    if (status == OND_OK) status = ond_projection_relax(s, &aim, WEIGHT, true, end, err);
    return status;
}

const OndPressureSolver ond_pressure_pcisph = {"pcisph", 0.0f, false, NULL, correct};

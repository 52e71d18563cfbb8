// SPDX-License-Identifier: MIT
// The world has changed while a simulation runs: gravity, materials, air.
//
// Which passes run, and which values a particle carries, was settled when the method was made. What
// needs a pass that is not there is refused.
#include "particles/heat/heat.h"
#include "particles/rigid/rigid.h"
#include "particles/sph/sph_state.h"

#include <string.h>

static OndStatus refuse(const OndMaterial *m, const char *what, OndError *err)
{
    return ond_fail(
        err, OND_BAD_VALUE,
        "fluid '%.60s' cannot get %s now: no fluid of the scene had any at the start, so "
        "it is not computed. Give one of them a little of it in the scene",
        m->name, what);
}

static OndStatus check(const OndSph *s, const OndMaterial *m, OndError *err)
{
    if (m->viscosity > 0.0f && !s->has_viscosity) return refuse(m, "viscosity", err);
    if (m->viscosity_solid > 0.0f && !(m->viscosity > 0.0f))
        return ond_fail(err, OND_BAD_VALUE,
                        "fluid '%.60s' melts by its viscosity, which must be above 0; take a small "
                        "one, such as 0.001 Pa s",
                        m->name);
    if (m->tension > 0.0f && !s->has_tension) return refuse(m, "surface tension", err);
    if (m->conductivity > 0.0f && !s->has_heat) return refuse(m, "conductivity", err);
    const bool held = s->def.rigidity.solver != OND_RIGID_NONE;
    if (ond_material_can_set(m) && held && !s->has_rigidity) return refuse(m, "rigidity", err);
    return OND_OK;
}

// Values that every particle carries of its material.
static void refresh(OndSph *s)
{
    for (int i = 0; i < s->fields.count; ++i) {
        const OndMaterial *const m = &s->world.material[s->material[i]];
        if (s->has_viscosity) s->viscosity[i] = m->viscosity;
        if (s->has_tension) s->tension[i] = m->tension;
    }
}

OndStatus ond_sph_told(void *self, const OndWorld *world, OndError *err)
{
    OndSph *const s = self;
    OndStatus status = OND_OK;
    for (int m = 0; m < world->material_count && status == OND_OK; ++m)
        status = check(s, &world->material[m], err);
    if (status != OND_OK) return status;
    const bool falls = memcmp(s->world.gravity, world->gravity, sizeof world->gravity) != 0;
    s->world = *world;
    ond_heat_free(s->heat); // made anew by what needs it
    s->heat = NULL;
    refresh(s);
    ond_rigid_wake(s);
    const double fall = falls && s->fields.count > 0 ? ond_sph_fall_height(s) : 0.0;
    ond_sph_set_sound(s, fmax(fall, s->world.inflow_energy), 0.0);
    if (fall > 0.0) ond_sph_foam_start(s, fmax(fall, s->world.inflow_energy), 0.0);
    s->ready = false;
    return OND_OK;
}

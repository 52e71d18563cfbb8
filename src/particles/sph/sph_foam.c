// SPDX-License-Identifier: MIT
// Foam looks at the liquid (particles/foam/foam.h), which it never touches.
#include "particles/foam/foam.h"
#include "particles/sph/sph_state.h"

#include <math.h>

static OndFoamLiquid liquid_of(const OndSph *s)
{
    return (OndFoamLiquid){.pairs = ond_sph_pairs(s),
                           .cells = &s->cells,
                           .images = s->images.count > 0 ? &s->images.cells : NULL,
                           .loops = s->loops,
                           .id = s->id,
                           .held = s->held,
                           .rigidity = s->rigidity,
                           .count = s->fields.count,
                           .reach = s->reach,
                           .fastest = (float)s->speed};
}

OndStatus ond_sph_foam_create(OndSph *s, OndError *err)
{
    if (!s->world.foam.wanted) return OND_OK;
    s->foam = ond_foam_create(&s->world, s->wall_at, err);
    return s->foam ? OND_OK : OND_NO_MEMORY;
}

// What falls from the height of the liquid, or comes in faster, foams most; where neither is, what
// solids stir.
void ond_sph_foam_start(OndSph *s, double drop, double fastest)
{
    const double speed = sqrt(2.0 * drop + fastest * fastest);
    if (s->foam) ond_foam_set_speed(s->foam, speed > 0.0 ? speed : s->world.solid_speed);
}

OndStatus ond_sph_foam_breathe(OndSph *s, double dt, OndError *err)
{
    const OndFoamLiquid liquid = liquid_of(s);
    return ond_foam_breathe(s->foam, &liquid, dt, err);
}

OndFields *ond_sph_foam(void *self)
{
    OndSph *const s = self;
    return s->foam ? ond_foam_particles(s->foam) : NULL;
}

// SPDX-License-Identifier: MIT
#include "particles/heat.h"

OndStatus ond_heat_spread(OndSph *s, double dt, OndError *err)
{
    return OND_OK;
}

void ond_heat_free(OndHeat *heat)
{
}

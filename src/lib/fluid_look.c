// SPDX-License-Identifier: MIT
#include "lib/fluid_look.h"

#include "base/memory.h"
#include "render/trace/trace_look.h"
#include "sim/scene/materials.h"

#include <string.h>

int ond_fluid_look(const OndFluidDef *fluid, bool grains)
{
    int look = ond_look_find(ond_material_names[fluid->material]);
    if (look == OND_LOOK_NONE) look = ond_look_find(fluid->name);
    if (look != OND_LOOK_NONE) return look;
    if (grains) return ond_look_find("sand");
    if (!ond_fluid_can_set(fluid)) return ond_look_find("water");
    return ond_look_find(fluid->rigidity < 0.0 ? "wax" : "clay");
}

OndSmokeKind ond_smoke_named(const char *name)
{
    static const struct {
        const char *name;
        OndSmokeKind kind;
    } known[] = {{"ink", OND_SMOKE_INK},     {"dye", OND_SMOKE_INK},   {"steam", OND_SMOKE_STEAM},
                 {"cloud", OND_SMOKE_STEAM}, {"fog", OND_SMOKE_STEAM}, {"mist", OND_SMOKE_STEAM},
                 {"fire", OND_SMOKE_FIRE},   {"flame", OND_SMOKE_FIRE}};
    for (int k = 0; k < OND_COUNT(known); ++k)
        if (strcmp(name, known[k].name) == 0) return known[k].kind;
    return OND_SMOKE_GREY;
}

// SPDX-License-Identifier: MIT
// `pressure: auto`: which solver keeps a scene's volume, where the scene does not say.
//
// `cg`, which was the best in all tables (docs/water.md), wherever it can do what the scene asks for;
// else the equation of state, with the reason that `ondine check` tells.
#include "method/world.h"
#include "particles/sph/sph_def.h"
#include "physics/kernels.h"

// Keys of an equation of state: who gives one wants that.
static const char *const of_state[][2] = {
    {"sound_speed", "`sound_speed` is a key of it"},
    {"suction", "`suction` is a key of it"},
    {"state", "`state` is a key of it"},
    {"exponent", "`exponent` is a key of it"},
    {"sound_damping", "`sound_damping` is a key of it"},
    {"acoustic", "`acoustic` is a key of it"},
    {"pressure_form", "`pressure_form` is a key of it"},
};

static const char *given_key(const OndSphDef *def)
{
    for (int k = 0; def->node && k < OND_COUNT(of_state); ++k)
        if (ond_node_get(def->node, of_state[k][0])) return of_state[k][1];
    return NULL;
}

// What only an equation of state has, or was measured with; NULL: nothing.
static const char *wants_state(const OndSphDef *def, const OndSphScene *scene)
{
    if (def->preset != OND_PRESET_NONE) return "the preset's publication has it";
    if (scene->tension) return "surface tension wants a pressure that may pull";
    if (scene->sets) return "beside what sets or melts it leaves less squeezed";
    if (def->density == OND_DENSITY_CONTINUITY) return "`density: continuity` needs it";
    if (def->rigidity.solver == OND_RIGID_THESIS) return "the thesis solves rigidity with it";
    if (scene->walls != OND_WALL_MIRROR) return "`walls: project` lets particles crowd there";
    if (def->kernel != OND_KERNEL_WENDLAND) return "`cg` was measured with the kernel `wendland`";
    if (def->step_rule != OND_STEP_ADAPTIVE) return "`step_rule` is not that of long steps";
    if (def->node && ond_node_get(def->node, "integrator") && def->integrator == OND_LEAPFROG)
        return "`integrator: leapfrog` goes with it";
    return given_key(def);
}

void ond_sph_choose_pressure(OndSphDef *def, const OndSphScene *scene)
{
    const char *const state = wants_state(def, scene);
    def->pressure = state ? OND_PRESSURE_WCSPH : OND_PRESSURE_CG;
    def->chosen_for = state ? state : "it keeps the volume in long steps";
}

// SPDX-License-Identifier: MIT
// What a scene says to SPH: that its keys fit each other and the scene, and which of them the
// chosen solvers, step rule or equation of state do not read.
#include "particles/sph/sph_scene.h"

#include "physics/kernels.h"

#include <stdio.h>

#define HEAVY 2.0 // times what stands in the room of a particle: it would burst at once

// ---- keys that a variant does not read

#define OF_GLOBAL                                                                                  \
    "it is a key of `solver: global`, and this scene solves rigidity as the thesis does"
#define OF_THESIS "it is a key of `solver: thesis`, and this scene solves rigidity globally"
#define OF_PAIRS                                                                                   \
    "it is a key of `solver: implicit`; solvers that go from pair to pair do not iterate"
#define FOLLOWED(instead) "it is a key of `density: summation`; with `continuity` " instead
#define UNSOLVED          "with `solver: none` everything flows"
#define LIQUID_FRICTION                                                                            \
    "only bodies and what has set rub, and this scene has neither; use `slip` for liquids"
#define BARE_FRICTION                                                                              \
    "with `solver: thesis` what is solid does not rub against walls, and this scene has no "       \
    "bodies; use `slip` for liquids, or `solver: global`"

#define OF_IMPLICIT "it is a key of implicit viscosity, and this scene's is explicit"
#define OF_STATE                                                                                   \
    "it is a key of `pressure: wcsph`; this scene finds the pressure that keeps the volume"
#define OF_KEPT                                                                                    \
    "it is a key of pressure solvers that keep the volume; with `pressure: wcsph` use "            \
    "`sound_speed`, or choose `pressure: cg`"

static bool damps_nothing(const void *def, const OndMethodScene *scene)
{
    const OndSphDef *const sph = def;
    return sph->artificial <= 0.0 && sph->quadratic <= 0.0;
}

static bool is_explicit(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->viscosity.solver == OND_VISCOUS_EXPLICIT;
}

static bool keeps_volume(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->pressure != OND_PRESSURE_WCSPH;
}

static bool is_squeezed(const void *def, const OndMethodScene *scene)
{
    return !keeps_volume(def, scene);
}

static bool is_not_dfsph(const void *def, const OndMethodScene *scene)
{
    return keeps_volume(def, scene) && ((const OndSphDef *)def)->pressure != OND_PRESSURE_DFSPH;
}

static bool is_summed(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->density != OND_DENSITY_CONTINUITY;
}

static bool is_followed(const void *def, const OndMethodScene *scene)
{
    return !is_summed(def, scene);
}

// `thesis` takes its first step as `adaptive` does, unless nothing is settled.
static bool hears_no_sound(const void *def, const OndMethodScene *scene)
{
    const OndSphDef *const sph = def;
    return sph->step_rule != OND_STEP_ADAPTIVE &&
           !(sph->step_rule == OND_STEP_THESIS && sph->settle);
}

static bool has_own_numbers(const void *def, const OndMethodScene *scene)
{
    const int rule = ((const OndSphDef *)def)->step_rule;
    return rule == OND_STEP_FIXED || rule == OND_STEP_MONAGHAN || rule == OND_STEP_PAIVA;
}

static bool is_linear(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->state == OND_STATE_LINEAR;
}

static bool by_curvature(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->tension == OND_TENSION_CURVATURE;
}

static bool finds_steps(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->step_rule != OND_STEP_FIXED;
}

static bool is_thesis(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->rigidity.solver == OND_RIGID_THESIS;
}

static bool is_global(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->rigidity.solver == OND_RIGID_GLOBAL;
}

static bool heats_pairs(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->heat.solver != OND_HEAT_IMPLICIT;
}

static bool is_unsolved(const void *def, const OndMethodScene *scene)
{
    return ((const OndSphDef *)def)->rigidity.solver == OND_RIGID_NONE;
}

// Something is, or can become, more than a liquid, and is held together then.
static bool sets(const void *def, const OndMethodScene *scene)
{
    const OndWorld *const w = scene->world;
    bool can = false;
    for (int f = 0; f < w->material_count; ++f)
        can = can || ond_material_can_set(&w->material[f]);
    return can && !is_unsolved(def, scene);
}

static bool only_flows(const void *def, const OndMethodScene *scene)
{
    return scene->whole && !scene->has_bodies && !sets(def, scene);
}

static bool nothing_rubs(const void *def, const OndMethodScene *scene)
{
    return scene->whole && !scene->has_bodies && sets(def, scene) && is_thesis(def, scene);
}

const OndRefusedKey ond_sph_refused[] = {
    {OND_IN_METHOD, "diffusion",
     .why = "it is a key of `density: continuity`, and this density is summed anew each step",
     .when = is_summed},
    {OND_IN_METHOD, "exponent",
     .why = "it is Tait's, and this equation of state is linear; give `state: tait`",
     .when = is_linear},
    {OND_IN_METHOD, "tension_threshold", .why = "it is a key of `tension: mueller`",
     .when = by_curvature},
    {OND_IN_METHOD, "time_step",
     .why =
         "steps are as long as `step_rule` finds them; give `step_rule: fixed`, or `largest_step`",
     .when = finds_steps},
    {OND_IN_METHOD, "acoustic",
     .why = "it is a key of `step_rule: adaptive`, and this scene has another rule",
     .when = hears_no_sound},
    {OND_IN_METHOD, "courant",
     .why =
         "it is a key of the rules `adaptive`, `thesis`, `advective` and `cfl`; this one has its "
         "own numbers",
     .when = has_own_numbers},
    {OND_IN_METHOD, "sound_damping", .why = FOLLOWED("use `diffusion`"), .when = is_followed},
    {OND_IN_METHOD, "start_correction", .why = FOLLOWED("every particle starts at rest density"),
     .when = is_followed},
    {OND_IN_METHOD, "rigidity.exponent", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.time", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.stiffness", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.floor", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.softens", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.sleep", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.tolerance", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.stop", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.window", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.propagation", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.second_condition", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.alike", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.stabilised", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.release", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.iterations", .why = UNSOLVED, .when = is_unsolved},
    {OND_IN_METHOD, "rigidity.stiffness", .why = OF_GLOBAL, .when = is_thesis},
    {OND_IN_METHOD, "rigidity.floor", .why = OF_GLOBAL, .when = is_thesis},
    {OND_IN_METHOD, "rigidity.softens", .why = OF_GLOBAL, .when = is_thesis},
    {OND_IN_METHOD, "rigidity.sleep", .why = OF_GLOBAL, .when = is_thesis},
    {OND_IN_METHOD, "rigidity.tolerance", .why = OF_GLOBAL "; use `stop`", .when = is_thesis},
    {OND_IN_METHOD, "rigidity.stop", .why = OF_THESIS "; use `tolerance`", .when = is_global},
    {OND_IN_METHOD, "rigidity.window", .why = OF_THESIS, .when = is_global},
    {OND_IN_METHOD, "rigidity.propagation", .why = OF_THESIS, .when = is_global},
    {OND_IN_METHOD, "rigidity.second_condition", .why = OF_THESIS, .when = is_global},
    {OND_IN_METHOD, "rigidity.alike", .why = OF_THESIS, .when = is_global},
    {OND_IN_METHOD, "rigidity.stabilised", .why = OF_THESIS, .when = is_global},
    {OND_IN_METHOD, "rigidity.release", .why = OF_THESIS, .when = is_global},
    {OND_IN_METHOD, "state", .why = OF_STATE, .when = keeps_volume},
    {OND_IN_METHOD, "exponent", .why = OF_STATE, .when = keeps_volume},
    {OND_IN_METHOD, "suction", .why = OF_STATE, .when = keeps_volume},
    {OND_IN_METHOD, "sound_damping", .why = OF_STATE, .when = keeps_volume},
    {OND_IN_METHOD, "acoustic", .why = OF_STATE, .when = keeps_volume},
    {OND_IN_METHOD, "pressure_form", .why = OF_STATE, .when = keeps_volume},
    {OND_IN_METHOD, "density_error", .why = OF_KEPT, .when = is_squeezed},
    {OND_IN_METHOD, "iterations", .why = OF_KEPT, .when = is_squeezed},
    {OND_IN_METHOD, "divergence_error", .why = OF_KEPT, .when = is_squeezed},
    {OND_IN_METHOD, "divergence_error", .why = "it is a key of `pressure: dfsph`",
     .when = is_not_dfsph},
    {OND_IN_METHOD, "turning",
     .why = "it spares artificial viscosity, and this scene has none (`artificial`, `quadratic`)",
     .when = damps_nothing},
    {OND_IN_METHOD, "viscosity.tolerance", .why = OF_IMPLICIT, .when = is_explicit},
    {OND_IN_METHOD, "viscosity.iterations", .why = OF_IMPLICIT, .when = is_explicit},
    {OND_IN_METHOD, "heat.tolerance", .why = OF_PAIRS, .when = heats_pairs},
    {OND_IN_METHOD, "heat.iterations", .why = OF_PAIRS, .when = heats_pairs},
    {OND_IN_DOMAIN, "friction", .why = BARE_FRICTION, .when = nothing_rubs},
    {OND_IN_SIDE, "friction", .why = BARE_FRICTION, .when = nothing_rubs},
    {OND_IN_SOLID, "friction", .why = BARE_FRICTION, .when = nothing_rubs},
    {OND_IN_DOMAIN, "friction", .why = LIQUID_FRICTION, .when = only_flows},
    {OND_IN_SIDE, "friction", .why = LIQUID_FRICTION, .when = only_flows},
    {OND_IN_SOLID, "friction", .why = LIQUID_FRICTION, .when = only_flows},
    {.key = NULL},
};

// ---- checks

// Complains at `key` of the method's map, or at the map where the key was left out.
#define FAIL(key, ...)                                                                             \
    ond_tree_fail(scene->tree,                                                                     \
                  ond_node_get(scene->node, key) ? ond_node_get(scene->node, key) : scene->node,   \
                  err, __VA_ARGS__)

// A mass that does not come from density and spacing may be far too much for them.
static OndStatus check_mass(const OndSphDef *sph, const OndMethodScene *scene, OndError *err)
{
    const OndWorld *const w = scene->world;
    if (!(sph->mass > 0.0) || sph->start_correction) return OND_OK;
    for (int f = 0; f < w->material_count; ++f) {
        const double holds = ond_world_mass(w, f);
        if (sph->mass <= HEAVY * holds) continue;
        return FAIL(ond_node_get(sph->node, "mass") ? "mass" : "preset",
                    "a particle of %g kg is too heavy for fluid '%.60s', where %g kg stand in the "
                    "room of one, by its density and spacing: leave out the mass, or make them "
                    "fit%s",
                    sph->mass, w->material[f].name, holds,
                    sph->preset == OND_PRESET_MULLER2D
                        ? "; muller2d counts in pixels, with a spacing of about 14"
                        : "");
    }
    return OND_OK;
}

// Bare walls let particles pile up where they are put back; a density that follows the flow loses
// count there.
OndStatus ond_sph_check_scene(const void *def, const OndMethodScene *scene, OndError *err)
{
    const OndSphDef *const sph = def;
    const int only = ond_kernel_dimension(sph->kernel);
    if (only != 0 && scene->world->dimension != only)
        return FAIL(ond_node_get(sph->node, "kernel") ? "kernel" : "preset",
                    "%s has the constants of a %s program; give dimension: %d, or choose another",
                    ond_kernel_name(sph->kernel), only == 2 ? "flat" : "3D", only);
    const bool bare = scene->has_domain && scene->world->wall_model == OND_WALL_PROJECT;
    if (bare && sph->density == OND_DENSITY_CONTINUITY)
        return FAIL("density", "density: continuity needs walls that count; use walls: mirror, or "
                               "density: summation");
    const bool keeps = sph->pressure != OND_PRESSURE_WCSPH;
    if (keeps && sph->density == OND_DENSITY_CONTINUITY)
        return FAIL("density",
                    "density: continuity is for `pressure: wcsph`; solvers that keep the "
                    "volume sum the density");
    if (keeps && sph->preset != OND_PRESET_NONE)
        return FAIL("pressure", "the presets are of publications with an equation of state: leave "
                                "out `preset`, or use `pressure: wcsph`");
    if (keeps && sph->integrator == OND_LEAPFROG && ond_node_get(sph->node, "integrator"))
        return FAIL("integrator", "solvers that keep the volume correct velocities once a step: "
                                  "leave out `integrator`, or write `euler`");
    return check_mass(sph, scene, err);
}

void ond_sph_settle_scene(void *def, const OndMethodScene *scene)
{
    const OndWorld *const w = scene->world;
    bool tension = false, viscous = false;
    for (int f = 0; f < w->material_count; ++f) {
        tension = tension || w->material[f].tension > 0.0f;
        viscous = viscous || w->material[f].viscosity > 0.0f;
    }
    ond_sph_apply_preset(def, (OndSphScene){.dimension = w->dimension,
                                            .walls = w->wall_model,
                                            .solids = scene->has_solids,
                                            .tension = tension,
                                            .viscous = viscous,
                                            .sets = sets(def, scene)});
}

// ---- what it is like

double ond_sph_support(const void *def)
{
    return ((const OndSphDef *)def)->smoothing;
}

double ond_sph_sound(const void *def)
{
    return ((const OndSphDef *)def)->sound_speed;
}

bool ond_sph_keeps_shape(const void *def)
{
    return ((const OndSphDef *)def)->rigidity.solver != OND_RIGID_NONE;
}

bool ond_sph_packs(const void *def)
{
    OndSphDef own = *(const OndSphDef *)def;
    ond_sph_apply_preset(&own, (OndSphScene){.dimension = 3}); // none of it changes this
    return own.settle;
}

const char *ond_sph_chosen(const void *def, char *out, size_t size)
{
    const OndSphDef *const sph = def;
    if (!sph->chosen_for) return NULL;
    snprintf(out, size, "pressure: %s, as %s", sph->pressure == OND_PRESSURE_WCSPH ? "wcsph" : "cg",
             sph->chosen_for);
    return out;
}

const char *ond_sph_unconverged(const void *def, char *out, size_t size)
{
    const OndSphDef *const sph = def;
    const bool keeps = sph->pressure != OND_PRESSURE_WCSPH;
    const bool rubs = sph->viscosity.solver != OND_VISCOUS_EXPLICIT;
    char cap[16] = "", own_cap[16] = "";
    if (keeps) snprintf(cap, sizeof cap, "%d, ", sph->iterations);
    if (rubs) snprintf(own_cap, sizeof own_cap, "%d, ", sph->viscosity.iterations);
    snprintf(
        out, size,
        "%s%srigidity or heat did not converge (caps: %s%s%d and %d iterations): %s%swhat is solid "
        "or soft there holds less than asked, or heat has spread less evenly; raise `iterations` "
        "or loosen `%s` of method.rigidity, or `iterations` and `tolerance` of method.heat%s",
        keeps ? "pressure, " : "", rubs ? "viscosity, " : "", cap, own_cap,
        sph->rigidity.iterations, sph->heat.iterations,
        keeps ? "the liquid is squeezed there (raise `iterations` or `density_error` of "
                "method, or take a smaller `courant`), "
              : "",
        rubs ? "friction is wrong by more than asked, " : "",
        sph->rigidity.solver == OND_RIGID_THESIS ? "stop" : "tolerance",
        rubs ? " or method.viscosity" : "");
    return out;
}

const char *ond_sph_step_key(const void *def)
{
    return ((const OndSphDef *)def)->step_rule == OND_STEP_FIXED ? "time_step" : "largest_step";
}

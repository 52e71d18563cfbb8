// SPDX-License-Identifier: MIT
// Keys that mean something to other methods and nothing on a grid, or to grains, or to the variant
// of SPH that the scene chose: each is refused by name, with what to write instead, so that nobody
// waits for what never comes.
#include "sim/scene_check.h"

#include "base/memory.h"

#include <string.h>

#define CONTACTS "only bodies bounce and rub, and this scene has none"

typedef struct Deaf {
    const char *key, *why;
} Deaf;

static const Deaf of_domain[] = {
    {"walls", "walls of a grid are exact"},
    {"margin", "there are no particles to keep from the walls"},
};
static const Deaf of_contacts[] = {{"restitution", CONTACTS}, {"friction", CONTACTS}};
static const Deaf of_open_side[] = {
    {"slip", "this side is open"},
    {"velocity", "this side is open; leave out `kind` where fluid comes in at a given speed"},
    {"temperature", "this side is open; what comes in is as warm as the `air`"},
};
static const Deaf of_fluid[] = {
    {"spacing", "the method's `cell` takes its place"},
    {"material", "what fills a grid is described by its method; give a `temperature`"},
    {"density", "what is carried has a density of 1; its `weight` and the fluid's `density` are "
                "keys of the method"},
    {"viscosity", "it is a key of the method"},
    {"tension", "there is no free surface"},
    {"rigidity", "nothing melts or sets"},
    {"T_solid", "nothing melts or sets"},
    {"T_liquid", "nothing melts or sets"},
    {"conductivity", "use `heat_diffusion` of the method"},
    {"specific_heat", "it is a key of the method"},
    {"latent_heat", "nothing melts or sets"},
    {"fixed_until", "nothing is held"},
};
static const Deaf of_solid[] = {
    {"sequence", "only solids that keep their shape can stand in a grid"},
};
static const Deaf of_body[] = {
    {"slip", "what drifts goes with the flow, which does not see it"},
    {"temperature", "what drifts neither heats nor cools the flow, which does not see it"},
};
static const Deaf of_air[] = {
    {"exchange", "there is no free surface; use `cooling` of the method"},
};
static const Deaf of_heat[] = {
    {"surface", "there is no free surface; give the source a thin shape"},
};
static const Deaf of_scene[] = {
    {"surface", "there is no free surface; smoke is drawn as it is"},
};

// Stam's scheme knows neither warmth nor weight.
static const Deaf stam_scene[] = {
    {"air", "stam carries no temperature; use type: smoke"},
    {"heat", "stam carries no temperature; use type: smoke"},
    {"source", "stam has no sources; use an emitter, or type: smoke"},
};
static const Deaf stam_warmth[] = {
    {"temperature", "stam carries no temperature; use type: smoke"},
};
static const Deaf stam_solid[] = {
    {"temperature", "stam carries no temperature; use type: smoke"},
    {"slip", "with stam fluid sticks to solids; use type: smoke"},
    {"density", "stam carries no bodies; use type: current"},
    {"mass", "stam carries no bodies; use type: current"},
};

// Grains know neither flow nor warmth.
#define FLOWING "grains do not flow; how they move against each other is told by the method"
#define MELTING "grains neither melt nor set"
#define WARMTH  "grains keep the temperature they start with"

static const Deaf grain_fluid[] = {
    {"viscosity", FLOWING},   {"tension", FLOWING},      {"rigidity", MELTING},
    {"T_solid", MELTING},     {"T_liquid", MELTING},     {"latent_heat", MELTING},
    {"conductivity", WARMTH}, {"specific_heat", WARMTH},
};
static const Deaf grain_domain[] = {
    {"walls", "walls push grains as other grains do"},
    {"temperature", WARMTH},
};
static const Deaf grain_warmth[] = {{"temperature", WARMTH}};
static const Deaf grain_scene[] = {{"air", WARMTH}, {"heat", WARMTH}};

// What one variant of SPH reads and another does not.
#define OF_GLOBAL                                                                                  \
    "it is a key of `solver: global`, and this scene solves rigidity as the thesis does"
#define OF_THESIS "it is a key of `solver: thesis`, and this scene solves rigidity globally"
#define OF_PAIRS                                                                                   \
    "it is a key of `solver: implicit`; solvers that go from pair to pair do not iterate"

static const Deaf rigid_thesis[] = {
    {"stiffness", OF_GLOBAL},
    {"floor", OF_GLOBAL},
    {"softens", OF_GLOBAL},
    {"tolerance", OF_GLOBAL "; use `stop`"},
};
static const Deaf rigid_global[] = {
    {"stop", OF_THESIS "; use `tolerance`"},
    {"window", OF_THESIS},
    {"propagation", OF_THESIS},
    {"second_condition", OF_THESIS},
    {"alike", OF_THESIS},
    {"stabilised", OF_THESIS},
    {"release", OF_THESIS},
};
static const Deaf heat_pairs[] = {{"tolerance", OF_PAIRS}, {"iterations", OF_PAIRS}};
static const Deaf thesis_walls[] = {
    {"friction",
     "with `solver: thesis` what is solid does not rub against walls, and this scene has "
     "no bodies; use `slip` for liquids, or `solver: global`"},
};
static const Deaf liquid_walls[] = {
    {"friction", "only bodies and what has set rub, and this scene has neither; use `slip` for "
                 "liquids"},
};
static const Deaf steps_found[] = {
    {"time_step", "steps are as long as `step_rule` finds them; give `step_rule: fixed`, or "
                  "`largest_step`"},
};
static const Deaf steps_silent[] = {
    {"acoustic", "it is a key of `step_rule: adaptive`, and this scene has another rule"},
};
static const Deaf steps_set[] = {
    {"courant",
     "it is a key of the rules `adaptive`, `thesis`, `advective` and `cfl`; this one has "
     "its own numbers"},
};
static const Deaf state_linear[] = {
    {"exponent", "it is Tait's, and this equation of state is linear; give `state: tait`"},
};
static const Deaf tension_curvature[] = {
    {"tension_threshold", "it is a key of `tension: mueller`"},
};
static const Deaf density_summed[] = {
    {"diffusion",
     "it is a key of `density: continuity`, and this density is summed anew each step"},
};

static const Deaf density_followed[] = {
    {"sound_damping", "it is a key of `density: summation`; with `continuity` use `diffusion`"},
    {"start_correction", "it is a key of `density: summation`; with `continuity` every particle "
                         "starts at rest density"},
};

static void refuse(const OndSceneDef *scene, const OndNode *node, const Deaf *deaf, int count,
                   OndFindings *f)
{
    OndError *const err = &f->one;
    const char *const where = scene->has_grid        ? "on this grid"
                              : ond_scene_sph(scene) ? "here"
                                                     : "to grains";
    for (int k = 0; node && k < count; ++k)
        if (ond_node_get(node, deaf[k].key))
            ond_findings_add(f, FAIL(scene, node, deaf[k].key, "'%s' means nothing %s: %s",
                                     deaf[k].key, where, deaf[k].why));
}
#define REFUSE(node, table) refuse(scene, node, table, OND_COUNT(table), f)

static bool has_bodies(const OndSceneDef *scene)
{
    for (int k = 0; k < scene->solids.count; ++k)
        if (ond_solid_is_body(ond_scene_solid(scene, k))) return true;
    return false;
}

static bool is_stam(const OndSceneDef *scene)
{
    return scene->method.which == OND_METHOD_STAM;
}

// A wall moves along itself as a belt does; fluid that slides does not notice.
static OndStatus check_belt(const OndSceneDef *scene, const OndSideDef *side, OndError *err)
{
    const OndSide *const wall = &scene->domain.side[side->side];
    bool along = false;
    for (int a = 0; a < scene->dimension; ++a)
        along = along || (a != side->side / 2 && wall->velocity[a] != 0.0f);
    const bool flows = wall->velocity[side->side / 2] != 0.0f; // what comes in does
    if (!along || flows || wall->slip < 1.0f) return OND_OK;
    return FAIL(
        scene, side->node, "velocity",
        "this side moves along itself, but with `slip: 1` the fluid slides on it and is not "
        "dragged along; give it `slip: 0`");
}

static void check_domain(const OndSceneDef *scene, bool contacts, OndFindings *f)
{
    const OndDomainDef *const d = &scene->domain;
    REFUSE(d->node, of_domain);
    if (!contacts) REFUSE(d->node, of_contacts);
    if (is_stam(scene)) REFUSE(d->node, stam_warmth);
    for (int k = 0; k < d->sides.count; ++k) {
        const OndSideDef *const side = (const OndSideDef *)d->sides.items + k;
        if (!contacts) REFUSE(side->node, of_contacts);
        if (d->side[side->side].kind == OND_SIDE_OPEN) REFUSE(side->node, of_open_side);
        ond_findings_add(f, check_belt(scene, side, &f->one));
        if (is_stam(scene)) REFUSE(side->node, stam_warmth);
    }
}

static void check_things(const OndSceneDef *scene, bool contacts, OndFindings *f)
{
    for (int k = 0; k < scene->fluids.count; ++k) {
        REFUSE(ond_scene_fluid(scene, k)->node, of_fluid);
        if (is_stam(scene)) REFUSE(ond_scene_fluid(scene, k)->node, stam_warmth);
    }
    for (int k = 0; k < scene->solids.count; ++k) {
        const OndNode *const node = ond_scene_solid(scene, k)->node;
        REFUSE(node, of_solid);
        if (ond_solid_is_body(ond_scene_solid(scene, k))) REFUSE(node, of_body);
        if (!contacts) REFUSE(node, of_contacts);
        if (is_stam(scene)) REFUSE(node, stam_solid);
    }
    for (int k = 0; k < scene->heaters.count; ++k)
        REFUSE(ond_scene_heater(scene, k)->node, of_heat);
}

// What comes in through a side brings its warmth along.
static bool flows_in(const OndSceneDef *scene, const OndSideDef *side)
{
    const float across = scene->domain.side[side->side].velocity[side->side / 2];
    return side->side % 2 ? across < 0.0f : across > 0.0f;
}

// Warm walls and solids warm the fluid by its own diffusion.
static OndStatus check_warmth(const OndSceneDef *scene, OndError *err)
{
    static const char cold[] = "nothing would get warm by it: `heat_diffusion` of the method is 0 "
                               "(air 2.1e-5, water 1.4e-7; on coarse cells more)";
    const OndSmokeDef *const def = ond_scene_flow(scene);
    if (!def || def->heat > 0.0 || !ond_scene_whole(scene, "method")) return OND_OK;
    if (ond_node_get(scene->domain.node, "temperature"))
        return FAIL(scene, scene->domain.node, "temperature", "%s", cold);
    for (int k = 0; k < scene->domain.sides.count; ++k) {
        const OndSideDef *const side = (const OndSideDef *)scene->domain.sides.items + k;
        if (ond_node_get(side->node, "temperature") && !flows_in(scene, side))
            return FAIL(scene, side->node, "temperature", "%s", cold);
    }
    for (int k = 0; k < scene->solids.count; ++k)
        if (ond_node_get(ond_scene_solid(scene, k)->node, "temperature"))
            return FAIL(scene, ond_scene_solid(scene, k)->node, "temperature", "%s", cold);
    return OND_OK;
}

static OndStatus check_weight(const OndSceneDef *scene, OndError *err)
{
    if (!is_stam(scene) || !(ond_length(scene->gravity) > 0.0)) return OND_OK;
    if (!ond_node_get(scene->tree.root, "gravity")) return OND_OK;
    return FAIL(scene, scene->tree.root, "gravity",
                "'gravity' means nothing on this grid: with stam nothing is heavier than the rest; "
                "use type: smoke");
}

OndStatus ond_scene_check_deaf(const OndSceneDef *scene, OndError *err)
{
    OndFindings found = {.err = err}, *const f = &found;
    const bool contacts = has_bodies(scene) || !ond_scene_whole(scene, "solid");
    REFUSE(scene->tree.root, of_scene);
    if (is_stam(scene)) REFUSE(scene->tree.root, stam_scene);
    ond_findings_add(f, check_weight(scene, &f->one));
    check_domain(scene, contacts, f);
    check_things(scene, contacts, f);
    REFUSE(scene->air.node, of_air);
    ond_findings_add(f, check_warmth(scene, &f->one));
    return found.status;
}

OndStatus ond_scene_check_grains(const OndSceneDef *scene, OndError *err)
{
    OndFindings found = {.err = err}, *const f = &found;
    REFUSE(scene->tree.root, grain_scene);
    REFUSE(scene->domain.node, grain_domain);
    for (int k = 0; k < scene->domain.sides.count; ++k)
        REFUSE(((const OndSideDef *)scene->domain.sides.items + k)->node, grain_warmth);
    for (int k = 0; k < scene->fluids.count; ++k)
        REFUSE(ond_scene_fluid(scene, k)->node, grain_fluid);
    for (int k = 0; k < scene->solids.count; ++k)
        REFUSE(ond_scene_solid(scene, k)->node, grain_warmth);
    return found.status;
}

static bool can_set(const OndSceneDef *scene)
{
    for (int k = 0; k < scene->fluids.count; ++k)
        if (ond_fluid_can_set(ond_scene_fluid(scene, k))) return true;
    return false;
}

static void check_friction(const OndSceneDef *scene, const OndSphDef *sph, OndFindings *f)
{
    const bool sets = can_set(scene) && sph->rigidity.solver != OND_RIGID_NONE;
    const bool thesis = sets && sph->rigidity.solver == OND_RIGID_THESIS;
    const Deaf *const deaf = thesis ? thesis_walls : liquid_walls;
    if (has_bodies(scene) || (sets && !thesis) || !ond_scene_whole(scene, "solid fluid")) return;
    refuse(scene, scene->domain.node, deaf, 1, f);
    for (int k = 0; k < scene->domain.sides.count; ++k)
        refuse(scene, ((const OndSideDef *)scene->domain.sides.items + k)->node, deaf, 1, f);
    for (int k = 0; k < scene->solids.count; ++k)
        refuse(scene, ond_scene_solid(scene, k)->node, deaf, 1, f);
}

// Without a solver all its keys are idle.
static void check_unsolved(const OndSceneDef *scene, const OndRigidDef *rigidity, OndFindings *f)
{
    if (rigidity->solver != OND_RIGID_NONE || !rigidity->node) return;
    for (const OndNode *n = rigidity->node->child; n; n = n->next) {
        const Deaf deaf = {n->key, "with `solver: none` everything flows"};
        if (strcmp(n->key, "solver") != 0) refuse(scene, rigidity->node, &deaf, 1, f);
    }
}

// `thesis` takes its first step as `adaptive` does, unless nothing is settled.
static void check_steps(const OndSceneDef *scene, const OndSphDef *sph, OndFindings *f)
{
    const int rule = sph->step_rule;
    const bool sound = rule == OND_STEP_ADAPTIVE || (rule == OND_STEP_THESIS && sph->settle);
    const bool set = rule == OND_STEP_FIXED || rule == OND_STEP_MONAGHAN || rule == OND_STEP_PAIVA;
    if (!sound) REFUSE(sph->node, steps_silent);
    if (set) REFUSE(sph->node, steps_set);
    if (rule != OND_STEP_FIXED) REFUSE(sph->node, steps_found);
}

OndStatus ond_scene_check_variant(const OndSceneDef *scene, const OndSphDef *sph, OndError *err)
{
    OndFindings found = {.err = err}, *const f = &found;
    if (sph->density == OND_DENSITY_CONTINUITY)
        REFUSE(sph->node, density_followed);
    else
        REFUSE(sph->node, density_summed);
    if (sph->state == OND_STATE_LINEAR) REFUSE(sph->node, state_linear);
    if (sph->tension == OND_TENSION_CURVATURE) REFUSE(sph->node, tension_curvature);
    check_steps(scene, sph, f);
    if (sph->rigidity.solver == OND_RIGID_THESIS) REFUSE(sph->rigidity.node, rigid_thesis);
    if (sph->rigidity.solver == OND_RIGID_GLOBAL) REFUSE(sph->rigidity.node, rigid_global);
    if (sph->heat.solver != OND_HEAT_IMPLICIT) REFUSE(sph->heat.node, heat_pairs);
    check_unsolved(scene, &sph->rigidity, f);
    check_friction(scene, sph, f);
    return found.status;
}

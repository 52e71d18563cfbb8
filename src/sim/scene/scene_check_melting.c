// SPDX-License-Identifier: MIT
// What concerns melting and heat: temperatures in the wrong order, regions and sources that cannot
// work.
#include "sim/scene/file_sequence.h"
#include "sim/scene/scene_check.h"

static bool given(const OndNode *node, const char *key)
{
    return ond_node_get(node, key) != NULL;
}

// ---- regions

static OndStatus check_blend(const OndSceneDef *scene, const OndRegionDef *region, OndError *err)
{
    static const char *const needed[] = {"temperature", "from", "to"};
    if (!given(region->node, "to_temperature")) {
        if (given(region->node, "from") || given(region->node, "to"))
            return FAIL(scene, region->node, given(region->node, "to") ? "to" : "from",
                        "from and to need to_temperature: the temperature that is reached at `to`");
        return OND_OK;
    }
    for (int k = 0; k < OND_COUNT(needed); ++k)
        if (!given(region->node, needed[k]))
            return FAIL(scene, region->node, "to_temperature",
                        "to_temperature needs temperature, from and to; %s is missing", needed[k]);
    OndVec way = ond_sub(region->to, region->from);
    if (scene->dimension == 2) way.z = 0.0;
    if (ond_length(way) > 0.0) return OND_OK;
    return FAIL(scene, region->node, "to", "from and to are the same point");
}

static OndStatus check_region(const OndSceneDef *scene, const OndRegionDef *region, OndError *err)
{
    const OndStatus status = ond_scene_check_shape(scene, &region->shape, true, err);
    if (status != OND_OK) return status;
    if (!given(region->node, "temperature") && !given(region->node, "fixed") &&
        !given(region->node, "to_temperature"))
        return FAIL(scene, region->node, NULL,
                    "this region changes nothing: give it a temperature, or fixed");
    return check_blend(scene, region, err);
}

static OndStatus check_regions(const OndSceneDef *scene, const OndFluidDef *fluid, OndError *err)
{
    if (fluid->regions.count > 0 && fluid->shape.which < 0)
        return FAIL(scene, fluid->node, "regions",
                    "a fluid without a shape has no particles at the start, so no regions");
    OndFindings f = {.err = err};
    for (int r = 0; r < fluid->regions.count; ++r)
        ond_findings_add(&f, check_region(scene, ond_fluid_region(fluid, r), &f.one));
    return f.status;
}

// ---- melting

static OndStatus check_range(const OndSceneDef *scene, const OndFluidDef *fluid, OndError *err)
{
    const bool solid = given(fluid->node, "T_solid"), liquid = given(fluid->node, "T_liquid");
    if (fluid->material == 0 && solid != liquid)
        return FAIL(scene, fluid->node, solid ? "T_solid" : "T_liquid",
                    "T_solid and T_liquid belong together: %s is missing",
                    solid ? "T_liquid" : "T_solid");
    if ((!solid && !liquid) || (float)fluid->liquid > (float)fluid->solid) return OND_OK;
    return FAIL(scene, fluid->node, liquid ? "T_liquid" : "T_solid",
                "T_liquid must be above T_solid (%g C, %g C)", fluid->liquid, fluid->solid);
}

static bool solves_rigidity(const OndSceneDef *scene)
{
    const OndMethod *const method = ond_scene_method(scene);
    return method->keeps_shape && ond_scene_whole(scene, "method") &&
           method->keeps_shape(scene->method.def);
}

// Melting by viscosity.
static OndStatus check_thickness(const OndSceneDef *scene, const OndFluidDef *fluid, OndError *err)
{
    if (!(fluid->viscosity_solid > 0.0)) return OND_OK;
    if (!(fluid->liquid > fluid->solid) || !(fluid->viscosity > 0.0))
        return FAIL(scene, fluid->node, "viscosity_solid",
                    "fluid '%.60s' has nothing to melt to: give it a viscosity, and T_solid and "
                    "T_liquid or a material that melts",
                    fluid->name);
    if (!ond_fluid_can_set(fluid) || !solves_rigidity(scene)) return OND_OK;
    return FAIL(
        scene, fluid->node, "viscosity_solid",
        "fluid '%.60s' is rigid where it is solid, so it cannot be thick there as well: give "
        "it rigidity: 0",
        fluid->name);
}

static OndStatus check_periodic(const OndSceneDef *scene, const OndFluidDef *fluid, OndError *err)
{
    const OndDomainDef *const d = &scene->domain;
    for (int a = 0; scene->has_domain && a < scene->dimension; ++a) {
        if (d->axis[a] != OND_SIDE_PERIODIC || !ond_fluid_can_set(fluid)) continue;
        if (!solves_rigidity(scene)) continue;
        const char key[2] = {"xyz"[a], '\0'};
        return FAIL(scene, d->node, key,
                    "what can be solid cannot live in a periodic domain in this version; fluid "
                    "'%.60s' can: give it rigidity: 0, or make %s a wall or open",
                    fluid->name, key);
    }
    return OND_OK;
}

// What is held moves as one piece.
static OndStatus check_held_motion(const OndSceneDef *scene, const OndFluidDef *fluid,
                                   OndError *err)
{
    bool held = fluid->fixed, varies = false;
    for (int r = 0; r < fluid->regions.count; ++r)
        held = held || ond_fluid_region(fluid, r)->fixed;
    for (int a = 0; a < 3; ++a)
        varies =
            varies || (fluid->velocity.part[a] && ond_expression_varies(fluid->velocity.part[a]));
    if (!held || !varies) return OND_OK;
    return FAIL(scene, fluid->node, "velocity",
                "fluid '%.60s' is held, whole or in part, and what is held moves as one: its "
                "velocity must be numbers, or `spin` turn it",
                fluid->name);
}

// The end of what never begins.
static OndStatus check_release(const OndSceneDef *scene, const OndFluidDef *fluid, OndError *err)
{
    bool held = fluid->fixed || fluid->animated.node;
    for (int r = 0; r < fluid->regions.count; ++r)
        held = held || ond_fluid_region(fluid, r)->fixed;
    if (held || !given(fluid->node, "fixed_until")) return OND_OK;
    return FAIL(scene, fluid->node, "fixed_until",
                "'fixed_until' means nothing here: fluid '%.60s' is not held; give it, or one of "
                "its regions, `fixed: true`",
                fluid->name);
}

// Particles that are animated elsewhere.
static OndStatus check_animated(const OndSceneDef *scene, const OndFluidDef *fluid, OndError *err)
{
    const OndAnimatedDef *const def = &fluid->animated;
    if (!def->node || !def->files) return OND_OK; // left out, or not as it should be: told already
    if (!ond_files_pattern(def->files))
        return FAIL(scene, def->node, "sequence",
                    "sequence needs one place for the number, %%d or %%04d, as in walk_%%04d.ply");
    for (int a = 0; a < scene->dimension; ++a)
        if (scene->domain.axis[a] == OND_SIDE_PERIODIC && scene->has_domain)
            return FAIL(scene, def->node, "sequence",
                        "what is animated elsewhere does not go round a periodic domain in this "
                        "version: make %c a wall or open",
                        "xyz"[a]);
    return ond_scene_check_flat(scene, def->node, "move", def->move, err);
}

// A surface that solid particles carry along.
static OndStatus check_carry(const OndSceneDef *scene, const OndFluidDef *fluid, OndError *err)
{
    if (!fluid->carry || scene->has_grid) return OND_OK;
    if (fluid->shape.which < 0 || fluid->shape.which == OND_SHAPE_PARTICLES)
        return FAIL(scene, fluid->node, "carry",
                    "fluid '%.60s' has no shape whose surface its particles could carry: particles "
                    "of a file or an emitter have none",
                    fluid->name);
    if (ond_fluid_can_set(fluid)) return OND_OK;
    return FAIL(scene, fluid->node, "carry",
                "fluid '%.60s' is never solid, and what is liquid carries no surface: give it "
                "rigidity, or T_solid and T_liquid, or a material that melts",
                fluid->name);
}

static OndStatus check_fixed(const OndSceneDef *scene, const OndFluidDef *fluid, int index,
                             OndError *err)
{
    for (int e = 0; fluid->fixed && e < scene->emitters.count; ++e)
        if (ond_scene_emitter(scene, e)->material == index)
            return FAIL(scene, ond_scene_emitter(scene, e)->node, "fluid",
                        "fluid '%.60s' is fixed, so it cannot be poured; pour another one",
                        fluid->name);
    return OND_OK;
}

// ---- heat

OndStatus ond_scene_check_heater(const OndSceneDef *scene, const OndHeaterDef *h, OndError *err)
{
    const bool power = given(h->node, "power"), transfer = given(h->node, "transfer");
    if (power && transfer)
        return FAIL(scene, h->node, "transfer",
                    "give power or transfer, not both: a source either gives so many watts or "
                    "drives things to a temperature");
    if (!power && !transfer)
        return FAIL(scene, h->node, NULL,
                    "this source gives no heat: give it power, or transfer and temperature");
    if (transfer != given(h->node, "temperature"))
        return FAIL(scene, h->node, transfer ? "transfer" : "temperature",
                    transfer ? "transfer needs a temperature to drive things to"
                             : "a source with power has no temperature; use transfer instead");
    if (!(h->to > h->from))
        return FAIL(scene, h->node, "to", "to must be later than from (%g s, %g s)", h->to,
                    h->from);
    return ond_scene_check_shape(scene, &h->shape, true, err);
}

// The key that brings heat into the scene, or takes it out, and the map it stands in; false: none.
static bool find_source(const OndSceneDef *scene, const OndNode **node, const char **key)
{
    *node = scene->tree.root;
    *key = scene->heaters.count > 0 ? "heat" : "air";
    if (scene->heaters.count > 0 || scene->air.node) return true;
    *key = "temperature";
    *node = scene->domain.node;
    if (given(*node, *key)) return true;
    for (int s = 0; s < scene->domain.sides.count; ++s) {
        *node = ((const OndSideDef *)scene->domain.sides.items + s)->node;
        if (given(*node, *key)) return true;
    }
    for (int k = 0; k < scene->solids.count; ++k) {
        *node = ond_scene_solid(scene, k)->node;
        if (given(*node, *key)) return true;
    }
    return false;
}

static OndStatus check_conduction(const OndSceneDef *scene, OndError *err)
{
    const OndNode *node = NULL;
    const char *key = NULL;
    if (!ond_scene_method(scene)->conducts || !ond_scene_whole(scene, "fluid")) return OND_OK;
    for (int f = 0; f < scene->fluids.count; ++f)
        if (ond_scene_fluid(scene, f)->conductivity > 0.0) return OND_OK;
    if (!find_source(scene, &node, &key)) return OND_OK;
    return FAIL(
        scene, node, key,
        "heat cannot get in: every fluid's conductivity is 0; give one a conductivity, or a "
        "material");
}

OndStatus ond_scene_check_melting(const OndSceneDef *scene, OndError *err)
{
    OndFindings f = {.err = err};
    if (scene->heaters.count > OND_HEAT_SOURCES_MAX)
        return FAIL(scene, scene->tree.root, "heat", "at most %d sources of heat, not %d",
                    OND_HEAT_SOURCES_MAX, scene->heaters.count);
    for (int k = 0; k < scene->fluids.count; ++k) {
        const OndFluidDef *const fluid = ond_scene_fluid(scene, k);
        ond_findings_add(&f, check_range(scene, fluid, &f.one));
        ond_findings_add(&f, check_thickness(scene, fluid, &f.one));
        ond_findings_add(&f, check_regions(scene, fluid, &f.one));
        ond_findings_add(&f, check_periodic(scene, fluid, &f.one));
        ond_findings_add(&f, check_held_motion(scene, fluid, &f.one));
        ond_findings_add(&f, check_fixed(scene, fluid, k, &f.one));
        ond_findings_add(&f, check_release(scene, fluid, &f.one));
        ond_findings_add(&f, check_animated(scene, fluid, &f.one));
        ond_findings_add(&f, check_carry(scene, fluid, &f.one));
    }
    for (int h = 0; h < scene->heaters.count; ++h)
        ond_findings_add(&f, ond_scene_check_heater(scene, ond_scene_heater(scene, h), &f.one));
    ond_findings_add(&f, check_conduction(scene, &f.one));
    return f.status;
}

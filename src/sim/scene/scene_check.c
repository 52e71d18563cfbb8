// SPDX-License-Identifier: MIT
// What no single key can know: that values fit each other. Each complaint points at the value that
// is easiest to change. All are told that can be told, but none that another may have caused.
#include "sim/scene/scene_check.h"

#include "sim/methods.h"
#include "sim/scene/scene_limits.h"
#include "sim/sim_world.h"

#include <string.h>

static const char axis_name[] = "xyz";

// ---- what was read

static uint64_t bit_of(const char *name, size_t length)
{
    for (int k = 0; k < ond_scene_schema.count; ++k) {
        const char *const key = ond_scene_schema.keys[k].name;
        if (strlen(key) == length && strncmp(key, name, length) == 0) return UINT64_C(1) << k;
    }
    return 0;
}

static bool is_whole(const OndSceneDef *scene, const char *name, size_t length)
{
    if (strncmp(name, "type", length) == 0) return !(scene->wrong & OND_WRONG_METHOD_TYPE);
    if (strncmp(name, "absent", length) == 0) return !(scene->wrong & OND_SCHEMA_STRANGE);
    if (strncmp(name, "spacing", length) == 0)
        return ond_scene_whole(scene, scene->has_grid ? "type method" : "type fluid");
    return !(scene->wrong & bit_of(name, length));
}

bool ond_scene_whole(const OndSceneDef *scene, const char *keys)
{
    while (scene->wrong && *keys) {
        const size_t length = strcspn(keys, " ");
        if (!is_whole(scene, keys, length)) return false;
        keys += length + strspn(keys + length, " ");
    }
    return true;
}

void ond_scene_drop_solids(OndSceneDef *scene)
{
    scene->solids.count = 0;
    scene->wrong |= bit_of("solid", strlen("solid"));
}

// ---- 2D: nothing may point out of the plane

OndStatus ond_scene_check_flat(const OndSceneDef *scene, const OndNode *node, const char *key,
                               OndVec v, OndError *err)
{
    if (scene->dimension == 3 || v.z == 0.0) return OND_OK;
    return FAIL(scene, node, key, "%s has a z part (%g), but dimension is 2", key, v.z);
}

static OndStatus check_flat_fluid(const OndSceneDef *scene, const OndFluidDef *fluid, OndError *err)
{
    const OndExpression *const out = fluid->velocity.part[2];
    if (scene->dimension == 2 && out && ond_expression_varies(out))
        return FAIL(scene, fluid->node, "velocity", "velocity has a z part, but dimension is 2");
    const double z = out ? ond_expression_there(out, ond_vec(0, 0, 0)) : 0.0;
    OndStatus status = ond_scene_check_flat(scene, fluid->node, "velocity", ond_vec(0, 0, z), err);
    if (status == OND_OK)
        status = ond_scene_check_flat(scene, fluid->node, "stretch", fluid->stretch, err);
    if (status == OND_OK)
        status = ond_scene_check_flat(scene, fluid->node, "jitter", fluid->jitter, err);
    if (status != OND_OK || scene->dimension == 3) return status;
    if (fluid->spin.x != 0.0 || fluid->spin.y != 0.0)
        return FAIL(scene, fluid->node, "spin",
                    "in 2D a fluid turns about z only: spin is [0, 0, rate]");
    return OND_OK;
}

// ---- sections

static OndStatus check_time(const OndSceneDef *scene, OndError *err)
{
    const double frames = scene->duration * scene->frame_rate;
    if (frames <= OND_FRAMES_MAX || !ond_scene_whole(scene, "duration frame_rate")) return OND_OK;
    return FAIL(scene, scene->tree.root,
                ond_node_get(scene->tree.root, "duration") ? "duration" : "frame_rate",
                "duration times frame_rate is %.3g frames; at most %d are made", frames,
                OND_FRAMES_MAX);
}

static OndStatus check_side(const OndSceneDef *scene, const OndSideDef *side, unsigned seen,
                            OndError *err)
{
    const int axis = side->side / 2, kind = scene->domain.axis[axis];
    if (seen & 1u << side->side)
        return FAIL(scene, side->node, "side", "this side is described twice");
    if (side->kind == OND_SIDE_OPEN && !scene->has_grid)
        return FAIL(scene, side->node, "kind",
                    "only a method on a grid can open a single side; open all of %c instead",
                    axis_name[axis]);
    if (kind != OND_SIDE_WALL)
        return FAIL(scene, side->node, "side", "the domain has no wall here: %c is %s",
                    axis_name[axis], kind == OND_SIDE_OPEN ? "open" : "periodic");
    if (ond_axis(side->velocity, axis) != 0.0 && !scene->has_grid)
        return FAIL(scene, side->node, "velocity",
                    "a wall moves along itself only: its velocity in %c must be 0",
                    axis_name[axis]);
    return OND_OK;
}

static OndStatus check_periodic(const OndSceneDef *scene, int axis, double width, OndError *err)
{
    const OndMethod *const method = ond_scene_method(scene);
    if (scene->domain.axis[axis] != OND_SIDE_PERIODIC) return OND_OK;
    const double support =
        (method->support ? method->support(scene->method.def) : 1.0) * scene->spacing;
    if (width >= 2.0 * support) return OND_OK;
    const char key[2] = {axis_name[axis], '\0'};
    return FAIL(scene, scene->domain.node, key,
                "a periodic domain must be at least 2 support radii wide (%g m); in %s it is %g m",
                2.0 * support, key, width);
}

static OndStatus check_axis(const OndSceneDef *scene, int axis, OndError *err)
{
    const OndDomainDef *const d = &scene->domain;
    const double low = ond_axis(d->min, axis), high = ond_axis(d->max, axis);
    if (!(high > low))
        return FAIL(scene, d->node, "max", "the domain's max must be above its min in %c (%g, %g)",
                    axis_name[axis], high, low);
    if (!(high - low > 2.0 * d->margin))
        return FAIL(scene, d->node, "margin",
                    "a margin of %g m leaves no room in %c, where the domain is %g m wide",
                    d->margin, axis_name[axis], high - low);
    if (!ond_scene_whole(scene, "method spacing")) return OND_OK;
    return check_periodic(scene, axis, high - low, err);
}

static OndStatus check_domain(const OndSceneDef *scene, OndError *err)
{
    const OndDomainDef *const d = &scene->domain;
    OndFindings f = {.err = err};
    unsigned seen = 0;
    if (!scene->has_domain) return OND_OK;
    for (int a = 0; a < scene->dimension; ++a)
        ond_findings_add(&f, check_axis(scene, a, &f.one));
    if (scene->dimension == 2 && d->axis[2] != OND_SIDE_WALL)
        ond_findings_add(&f, ond_tree_fail(&scene->tree, ond_scene_at(d->node, "z"), &f.one,
                                           "there are no sides across z: dimension is 2"));
    for (int i = 0; i < d->sides.count; ++i) {
        const OndSideDef *const side = (const OndSideDef *)d->sides.items + i;
        ond_findings_add(&f, check_side(scene, side, seen, &f.one));
        seen |= 1u << side->side;
    }
    return f.status;
}

// ---- fluids

static OndStatus check_name(const OndSceneDef *scene, int index, OndError *err)
{
    const OndFluidDef *const fluid = ond_scene_fluid(scene, index);
    if (fluid->name[0] == '\0') return FAIL(scene, fluid->node, "name", "a name must not be empty");
    for (int f = 0; f < index; ++f)
        if (strcmp(ond_scene_fluid(scene, f)->name, fluid->name) == 0)
            return FAIL(scene, fluid->node, "name", "two fluids are called '%.60s'", fluid->name);
    return OND_OK;
}

static OndStatus check_fluid(const OndSceneDef *scene, int index, OndError *err)
{
    const OndFluidDef *const fluid = ond_scene_fluid(scene, index);
    OndStatus status = check_name(scene, index, err);
    if (status != OND_OK) return status;
    if (!scene->has_grid && !ond_node_get(fluid->node, "spacing"))
        return FAIL(scene, fluid->node, NULL,
                    "fluid needs the key 'spacing': Rest distance between particles, the same for "
                    "all fluids");
    if (fluid->spacing < OND_NEAR)
        return FAIL(scene, fluid->node, "spacing", "spacing must be at least %g m, not %g",
                    OND_NEAR, fluid->spacing);
    if (fluid->spacing != scene->spacing)
        return FAIL(scene, fluid->node, "spacing",
                    "all fluids must have the same spacing in this version; '%.60s' has %g m",
                    ond_scene_fluid(scene, 0)->name, scene->spacing);
    status = check_flat_fluid(scene, fluid, err);
    if (status == OND_OK && fluid->shape.which >= 0)
        status = ond_scene_check_shape(scene, &fluid->shape, false, err);
    return status;
}

static OndStatus check_something(const OndSceneDef *scene, OndError *err)
{
    bool something = scene->emitters.count > 0;
    for (int f = 0; f < scene->fluids.count; ++f)
        something = something || ond_scene_fluid(scene, f)->shape.which >= 0 ||
                    ond_scene_fluid(scene, f)->animated.node;
    bool bodies = false;
    for (int k = 0; k < scene->solids.count; ++k)
        bodies = bodies || ond_solid_is_body(ond_scene_solid(scene, k));
    if (something || scene->has_grid || (bodies && scene->fluids.count > 0)) return OND_OK;
    return FAIL(scene, scene->tree.root, "fluid",
                "nothing to simulate: give a fluid a shape, or add an emitter%s",
                bodies
                    ? "; for bodies alone a fluid with a spacing is enough, which says how finely "
                      "they are touched"
                    : "");
}

// Its own checks, and the keys that it refuses.
static void check_method(const OndSceneDef *scene, OndFindings *f)
{
    const OndMethod *const method = ond_scene_method(scene);
    OndWorld world;
    ond_sim_world_plain(scene, &world);
    const OndMethodScene about = ond_scene_for_method(scene, &world);
    if (method->check && ond_scene_whole(scene, "method"))
        ond_findings_add(f, method->check(scene->method.def, &about, &f->one));
    ond_findings_add(f, ond_scene_check_refused(scene, &world, &f->one));
}

static OndStatus check_numbers(const OndSceneDef *scene, OndError *err)
{
    if (scene->fluids.count > OND_FLUIDS_MAX)
        return FAIL(scene, scene->tree.root, "fluid", "at most %d fluids, not %d", OND_FLUIDS_MAX,
                    scene->fluids.count);
    if (scene->emitters.count > OND_EMITTERS_MAX)
        return FAIL(scene, scene->tree.root, "emitter", "at most %d emitters, not %d",
                    OND_EMITTERS_MAX, scene->emitters.count);
    return OND_OK;
}

// What depends on how many axes there are and which method it is.
static void check_sections(const OndSceneDef *scene, OndFindings *f)
{
    const bool spaced = !scene->has_grid || ond_scene_whole(scene, "method");
    for (int k = 0; k < scene->fluids.count && spaced; ++k)
        ond_findings_add(f, check_fluid(scene, k, &f->one));
    const OndStatus domain = check_domain(scene, &f->one);
    ond_findings_add(f, domain);
    check_method(scene, f);
    ond_findings_add(
        f, ond_scene_check_flat(scene, scene->tree.root, "gravity", scene->gravity, &f->one));
    if (ond_scene_whole(scene, "absent fluid emitter solid"))
        ond_findings_add(f, check_something(scene, &f->one));
    const bool sound = domain == OND_OK && ond_scene_whole(scene, "domain spacing") &&
                       (scene->fluids.count == 0 || scene->spacing >= OND_NEAR);
    ond_findings_add(f, ond_scene_check_emitters(scene, sound, &f->one));
    ond_findings_add(f, scene->has_grid ? ond_scene_check_grid(scene, sound, &f->one)
                                        : ond_scene_check_melting(scene, &f->one));
    ond_findings_add(f, ond_scene_check_flow(scene, sound, &f->one));
    ond_findings_add(f, ond_scene_check_solids(scene, &f->one));
}

OndStatus ond_scene_check(const OndSceneDef *scene, OndError *err)
{
    OndFindings f = {.err = err};
    if (check_numbers(scene, err) != OND_OK) return OND_BAD_VALUE;
    ond_findings_add(&f, check_time(scene, &f.one));
    if (ond_scene_whole(scene, "dimension type")) check_sections(scene, &f);
    for (int k = 0; scene->sections && scene->sections[k]; ++k)
        if (scene->sections[k]->check)
            ond_findings_add(&f, scene->sections[k]->check(scene, scene->section[k], &f.one));
    return f.status;
}

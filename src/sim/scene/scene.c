// SPDX-License-Identifier: MIT
#include "sim/scene/scene.h"

#include "sim/methods.h"
#include "sim/scene/materials.h"
#include "sim/scene/scene_check.h"
#include "sim/sim_world.h"
#include "solids/scene/solid_scatter.h"

#include <stdio.h>
#include <string.h>

// velocity + stretch (x - c) + spin x (x - c), with c the centre of the shape.
OndVec ond_fluid_velocity(const OndFluidDef *fluid, OndVec at, OndVec center)
{
    const OndVec d = ond_sub(at, center), turn = ond_cross(fluid->spin, d);
    double v[3];
    for (int a = 0; a < 3; ++a) {
        const OndExpression *const e = fluid->velocity.part[a];
        v[a] = e ? ond_expression_there(e, at) : 0.0;
        v[a] += ond_axis(fluid->stretch, a) * ond_axis(d, a) + ond_axis(turn, a);
    }
    return ond_vec(v[0], v[1], v[2]);
}

const OndMethod *ond_scene_method(const OndSceneDef *scene)
{
    return ond_methods[scene->method.which];
}

static bool has_bodies(const OndSceneDef *scene)
{
    for (int k = 0; k < scene->solids.count; ++k)
        if (ond_solid_is_body(ond_scene_solid(scene, k))) return true;
    return false;
}

OndMethodScene ond_scene_for_method(const OndSceneDef *scene, const OndWorld *world)
{
    return (OndMethodScene){.tree = &scene->tree,
                            .node = scene->method.node,
                            .world = world,
                            .has_domain = scene->has_domain,
                            .has_solids = scene->solids.count > 0,
                            .has_bodies = has_bodies(scene),
                            .whole = ond_scene_whole(scene, "solid fluid")};
}

const OndNode *ond_scene_at(const OndNode *node, const char *key)
{
    const OndNode *const member = key ? ond_node_get(node, key) : NULL;
    return member ? member : node;
}

bool ond_scene_path(const OndSceneDef *scene, const char *file, char *out, size_t size)
{
    const char *const name = scene->tree.name ? scene->tree.name : "";
    const char *const slash = strrchr(name, '/');
    const bool absolute = file[0] == '/' || !slash;
    const int folder = absolute ? 0 : (int)(slash - name) + 1;
    const int length = snprintf(out, size, "%.*s%s", folder, name, file);
    return length >= 0 && (size_t)length < size;
}

// ---- what follows from what was written

// Frames stand at fixed times; the last is the first that is not before the end.
static void settle_time(OndSceneDef *scene)
{
    const double frames = scene->duration * scene->frame_rate;
    const double whole = fmax(ceil(frames * (1 - 1e-12) - 1e-9), 1);
    scene->asked = scene->duration;
    if (whole > frames * (1 + 1e-12) + 1e-9) scene->duration = whole / scene->frame_rate;
}

static void settle_sides(OndDomainDef *domain, int dimension)
{
    for (int s = 0; s < 6; ++s) {
        const int kind = domain->node ? domain->axis[s / 2] : OND_SIDE_OPEN;
        domain->side[s] = (OndSide){.kind = kind,
                                    .slip = (float)domain->slip,
                                    .restitution = (float)domain->restitution,
                                    .friction = (float)domain->friction,
                                    .heats = ond_node_get(domain->node, "temperature"),
                                    .temperature = (float)domain->temperature};
    }
    for (int i = 0; i < domain->sides.count; ++i) {
        OndSideDef *const def = (OndSideDef *)domain->sides.items + i;
        if (!ond_node_get(def->node, "slip")) def->slip = domain->slip;
        if (!ond_node_get(def->node, "restitution")) def->restitution = domain->restitution;
        OndSide *const side = &domain->side[def->side];
        side->slip = (float)def->slip;
        side->restitution = (float)def->restitution;
        if (ond_node_get(def->node, "kind")) side->kind = def->kind;
        if (ond_node_get(def->node, "friction")) side->friction = (float)def->friction;
        if (ond_node_get(def->node, "temperature")) {
            side->heats = true;
            side->temperature = (float)def->temperature;
        }
        for (int a = 0; a < dimension; ++a)
            side->velocity[a] = (float)ond_axis(def->velocity, a);
    }
}

// On a grid the cells are what the spacing is to particles.
static void settle_spacing(OndSceneDef *scene)
{
    const OndMethod *const method = ond_scene_method(scene);
    scene->has_grid = method->cell_size != NULL;
    if (scene->has_grid) {
        scene->spacing = method->cell_size(scene->method.def);
        for (int f = 0; f < scene->fluids.count; ++f)
            ((OndFluidDef *)scene->fluids.items + f)->spacing = scene->spacing;
    } else if (scene->fluids.count > 0) {
        scene->spacing = ond_scene_fluid(scene, 0)->spacing;
    }
}

static OndStatus settle_method(OndSceneDef *scene, OndError *err)
{
    if (scene->method.which < 0) {
        scene->method.which = 0;
        const OndSchema *const schema = ond_scene_method(scene)->schema;
        scene->method.def = ond_arena_take(&scene->arena, schema->size);
        if (!scene->method.def)
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
        ond_schema_defaults(schema, scene->method.def);
    }
    OndWorld world;
    ond_sim_world_plain(scene, &world);
    const OndMethodScene about = ond_scene_for_method(scene, &world);
    const OndMethod *const method = ond_scene_method(scene);
    if (method->settle) method->settle(scene->method.def, &about);
    return OND_OK;
}

// Of a method whose particles meet walls and solids as they meet each other, where the scene does
// not say how those are.
static void settle_contacts(OndSceneDef *scene)
{
    OndDomainDef *const domain = &scene->domain;
    double restitution, friction;
    if (!ond_scene_method(scene)->contact) return;
    ond_scene_method(scene)->contact(scene->method.def, &restitution, &friction);
    bool given[2][6];
    for (int s = 0; s < 6; ++s) {
        given[0][s] = ond_node_get(domain->node, "restitution");
        given[1][s] = ond_node_get(domain->node, "friction");
    }
    for (int i = 0; i < domain->sides.count; ++i) {
        const OndSideDef *const def = (const OndSideDef *)domain->sides.items + i;
        given[0][def->side] |= ond_node_get(def->node, "restitution") != NULL;
        given[1][def->side] |= ond_node_get(def->node, "friction") != NULL;
    }
    for (int s = 0; s < 6; ++s) {
        if (!given[0][s]) domain->side[s].restitution = (float)restitution;
        if (!given[1][s]) domain->side[s].friction = (float)friction;
    }
    for (int k = 0; k < scene->solids.count; ++k) {
        OndSceneSolid *const solid = (OndSceneSolid *)scene->solids.items + k;
        if (!ond_node_get(solid->node, "restitution")) solid->restitution = restitution;
        if (!ond_node_get(solid->node, "friction")) solid->friction = friction;
    }
}

static OndStatus settle_names(OndSceneDef *scene, OndError *err)
{
    for (int f = 0; f < scene->fluids.count; ++f) {
        OndFluidDef *const fluid = (OndFluidDef *)scene->fluids.items + f;
        char name[32];
        snprintf(name, sizeof name, "fluid %d", f);
        if (!fluid->name) fluid->name = ond_arena_text(&scene->arena, name, strlen(name));
        if (!fluid->name) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
    }
    return OND_OK;
}

static int find_fluid(const OndSceneDef *scene, const char *name)
{
    for (int f = 0; f < scene->fluids.count; ++f)
        if (strcmp(ond_scene_fluid(scene, f)->name, name) == 0) return f;
    return -1;
}

// A name that no fluid has stays -1; the checks complain.
static void settle_emitters(OndSceneDef *scene)
{
    for (int e = 0; e < scene->emitters.count; ++e) {
        OndEmitterDef *const emitter = (OndEmitterDef *)scene->emitters.items + e;
        emitter->direction = ond_unit(emitter->direction);
        emitter->material = emitter->fluid            ? find_fluid(scene, emitter->fluid)
                            : scene->fluids.count > 0 ? 0
                                                      : -1;
    }
}

static const char *number_name(OndSceneDef *scene, const char *word, int number)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", word, number);
    return ond_arena_text(&scene->arena, name, strlen(name));
}

static OndStatus settle_solids(OndSceneDef *scene, OndError *err)
{
    for (int k = 0; k < scene->solids.count; ++k) {
        OndSceneSolid *const s = (OndSceneSolid *)scene->solids.items + k;
        if (!s->name) s->name = number_name(scene, "solid ", k);
        if (!s->name) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
        for (int i = 0; i < s->keys.count; ++i) {
            OndPoseKey *const key = (OndPoseKey *)s->keys.items + i;
            if (!ond_node_get(key->node, "turn")) key->turn = s->turn;
        }
    }
    return OND_OK;
}

static int find_solid(const OndSceneDef *scene, const char *name)
{
    for (int k = 0; k < scene->solids.count; ++k)
        if (strcmp(ond_scene_solid(scene, k)->name, name) == 0) return k;
    return -1;
}

static OndStatus settle_probes(OndSceneDef *scene, OndError *err)
{
    for (int k = 0; k < scene->probes.count; ++k) {
        const OndVariant *const p = ond_scene_probe(scene, k);
        OndProbeDef *const probe = p->def;
        if (!probe->name) probe->name = number_name(scene, "probe_", k);
        if (!probe->name) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
        if (!ond_node_get(probe->node, "rate")) probe->rate = scene->frame_rate;
        OndForceProbe *const force = p->which == OND_PROBE_FORCE ? p->def : NULL;
        OndFlowProbe *const flow = p->which == OND_PROBE_FLOW ? p->def : NULL;
        if (force) force->which = find_solid(scene, force->solid);
        if (flow) flow->normal = ond_unit(flow->normal);
    }
    return OND_OK;
}

static OndStatus settle(OndSceneDef *scene, OndError *err)
{
    scene->has_domain = scene->domain.node != NULL;
    settle_time(scene);
    settle_sides(&scene->domain, scene->dimension);
    for (int f = 0; f < scene->fluids.count; ++f)
        ond_material_fill((OndFluidDef *)scene->fluids.items + f);
    OndStatus status = settle_names(scene, err);
    if (status == OND_OK) status = settle_method(scene, err);
    if (status == OND_OK) settle_spacing(scene);
    if (status == OND_OK) settle_emitters(scene);
    if (status == OND_OK) status = settle_solids(scene, err);
    if (status == OND_OK) settle_contacts(scene);
    return status == OND_OK ? settle_probes(scene, err) : status;
}

static double period_along(const OndSceneDef *scene, int axis)
{
    const OndDomainDef *const d = &scene->domain;
    const bool round =
        scene->has_domain && axis < scene->dimension && d->axis[axis] == OND_SIDE_PERIODIC;
    return round ? ond_axis(d->max, axis) - ond_axis(d->min, axis) : 0.0;
}

OndVec ond_scene_period(const OndSceneDef *scene)
{
    return ond_vec(period_along(scene, 0), period_along(scene, 1), period_along(scene, 2));
}

// What could be read is settled and checked even where the rest is wrong, so that one look at the
// messages is enough.
static void settle_and_check(OndSceneDef *scene, OndFindings *f)
{
    if (scene->method.which < 0 && !ond_scene_whole(scene, "method"))
        scene->wrong |= OND_WRONG_METHOD_TYPE;
    const OndStatus scattered = ond_scene_scatter(scene, &f->one);
    if (scattered != OND_OK) ond_scene_drop_solids(scene);
    ond_findings_add(f, scattered);
    const OndStatus settled = settle(scene, &f->one);
    ond_findings_add(f, settled);
    if (settled == OND_OK) ond_findings_add(f, ond_scene_check(scene, &f->one));
}

const void *ond_scene_section(const OndSceneDef *scene, const OndSceneSection *section)
{
    for (int k = 0; scene->sections && scene->sections[k] && k < OND_SECTIONS_MAX; ++k)
        if (scene->sections[k] == section) return scene->section[k];
    return NULL;
}

OndStatus ond_scene_read_with(OndTree *tree, const OndSceneSection *const *sections,
                              OndSceneDef *out, OndError *err)
{
    OndKey keys[OND_SCENE_KEYS_MAX];
    const OndSchema schema = ond_scene_schema_with(sections, keys);
    OndArena arena = {NULL};
    OndFindings f = {.err = err};
    uint64_t wrong = 0;
    f.status = ond_schema_read(&schema, tree, tree->root, out, &arena, &wrong, err);
    const bool is_map = tree->root && tree->root->kind == OND_NODE_MAP;
    out->sections = sections;
    out->tree = *tree;
    out->arena = arena;
    out->wrong = wrong;
    memset(tree, 0, sizeof *tree);
    if (is_map && f.status != OND_NO_MEMORY) settle_and_check(out, &f);
    if (f.status != OND_OK) ond_scene_free(out);
    return f.status;
}

void ond_scene_free(OndSceneDef *scene)
{
    ond_arena_free(&scene->arena);
    ond_tree_free(&scene->tree);
    memset(scene, 0, sizeof *scene);
}

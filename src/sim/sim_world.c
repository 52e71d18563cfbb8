// SPDX-License-Identifier: MIT
#include "sim/sim_world.h"

#include "sim/emitter_grid.h"
#include "sim/scene/particle_sequence.h"
#include "sim/scene/scene_shape.h"

#include <stdio.h>
#include <string.h>

// A shape and how it is asked.
typedef struct ShapePlace {
    const OndShape *shape;
    bool flat;
    OndVec moved; // from where the scene has it
} ShapePlace;

static bool inside(const void *context, OndVec at)
{
    const ShapePlace *const place = context;
    return ond_shape_distance(place->shape, ond_sub(at, place->moved), place->flat) < 0.0;
}

static OndMaterial make_material(const OndFluidDef *f)
{
    OndMaterial m = {.name = f->name,
                     .density = (float)f->density,
                     .viscosity = (float)f->viscosity,
                     .viscosity_solid = (float)f->viscosity_solid,
                     .tension = (float)f->tension,
                     .rigidity = (float)f->rigidity,
                     .solid = (float)f->solid,
                     .liquid = (float)f->liquid,
                     .conductivity = (float)f->conductivity,
                     .specific_heat = (float)f->specific_heat,
                     .latent_heat = (float)f->latent_heat,
                     .held_until = f->fixed_until,
                     .carries = f->carry};
    const OndVec none = {0, 0, 0}, velocity = ond_fluid_velocity(f, none, none);
    for (int a = 0; a < 3; ++a) {
        m.held_velocity[a] = (float)ond_axis(velocity, a); // numbers where anything is held
        m.held_spin[a] = (float)ond_axis(f->spin, a);
    }
    return m;
}

// ---- the point that held particles turn about

static bool turns(const OndFluidDef *f)
{
    bool held = f->fixed;
    for (int r = 0; r < f->regions.count; ++r)
        held = held || ond_fluid_region(f, r)->fixed;
    return held && f->shape.which >= 0 && ond_length(f->spin) > 0.0;
}

static OndStatus find_center(const OndSceneDef *scene, const OndFluidDef *f,
                             const OndAssets *assets, OndVec *out, OndError *err)
{
    OndArena arena = {NULL};
    OndBox box = {{0, 0, 0}, {0, 0, 0}};
    OndStatus status = ond_scene_extent(scene, &f->shape, assets, &arena, &box, err);
    ond_arena_free(&arena);
    *out = ond_scale(ond_add(box.min, box.max), 0.5);
    if (scene->dimension == 2) out->z = 0.0;
    return status;
}

static OndStatus put_center(const OndSceneDef *scene, int index, const OndAssets *assets,
                            OndWorld *w, OndError *err)
{
    const OndFluidDef *const f = ond_scene_fluid(scene, index);
    OndVec center = {0, 0, 0};
    if (!turns(f)) return OND_OK;
    const OndStatus status = find_center(scene, f, assets, &center, err);
    for (int a = 0; a < 3; ++a)
        w->material[index].held_center[a] = (float)ond_axis(center, a);
    return status;
}

// ---- particles that are animated elsewhere

static OndStatus make_path(const OndSceneDef *scene, int index, const OndAssets *assets,
                           OndSimWorld *w, OndError *err)
{
    const OndAnimatedDef *const def = &ond_scene_fluid(scene, index)->animated;
    if (!def->node) return OND_OK;
    OndHeldPath *const path = ond_arena_take(&w->arena, sizeof *path);
    if (!path) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a path");
    w->world.material[index].held_path = path;
    return ond_particle_sequence_read(scene, def, assets, &w->arena, path, err);
}

static void name_path(int fluid, char out[40])
{
    snprintf(out, 40, "particles of fluid %d", fluid);
}

void ond_sim_world_save_paths(OndSimWorld *w, OndCheckpoint *to)
{
    for (int f = 0; f < w->world.material_count; ++f) {
        char name[40];
        if (!w->world.material[f].held_path) continue;
        if (!w->path_name[f]) { // names must outlive the checkpoint
            name_path(f, name);
            w->path_name[f] = ond_arena_text(&w->arena, name, strlen(name));
            w->path_mark[f] = ond_particle_sequence_mark(w->world.material[f].held_path);
        }
        ond_checkpoint_add(to, w->path_name[f], w->path_mark[f]);
    }
}

OndStatus ond_sim_world_check_paths(const OndSceneDef *scene, const OndSimWorld *w,
                                    const OndCheckpoint *from, OndError *err)
{
    for (int f = 0; f < w->world.material_count; ++f) {
        char name[40];
        const OndHeldPath *const path = w->world.material[f].held_path;
        const OndAnimatedDef *const def = &ond_scene_fluid(scene, f)->animated;
        name_path(f, name);
        if (!path || ond_checkpoint_number(from, name, NAN) == ond_particle_sequence_mark(path))
            continue;
        return ond_tree_fail(&scene->tree, ond_scene_at(def->node, "sequence"), err,
                             "%.200s are not the particles that this run began with; put those "
                             "files back, or begin anew",
                             def->files);
    }
    return OND_OK;
}

// ---- heat, and sources of fluid

static OndStatus make_place(const OndSceneDef *scene, const OndVariant *def,
                            const OndAssets *assets, OndSimWorld *w, const ShapePlace **out,
                            OndError *err)
{
    OndShape *shape = NULL;
    const OndStatus status = ond_scene_shape(scene, def, assets, &w->arena, &shape, err);
    if (status != OND_OK) return status;
    ShapePlace *const place = ond_arena_take(&w->arena, sizeof *place);
    if (!place) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a source");
    *place = (ShapePlace){shape, scene->dimension == 2, {0, 0, 0}};
    *out = place;
    return OND_OK;
}

static OndStatus make_source(const OndSceneDef *scene, const OndHeaterDef *h,
                             const OndAssets *assets, OndSimWorld *w, OndHeatSource *out,
                             OndError *err)
{
    const ShapePlace *place = NULL;
    const OndStatus status = make_place(scene, &h->shape, assets, w, &place, err);
    if (status != OND_OK) return status;
    *out = (OndHeatSource){.shape = place,
                           .inside = inside,
                           .box = ond_shape_bounds(place->shape),
                           .surface = h->surface,
                           .power = (float)h->power,
                           .transfer = (float)h->transfer,
                           .temperature = (float)h->temperature,
                           .from = h->from,
                           .to = h->to};
    return OND_OK;
}

static OndStatus make_heat(const OndSceneDef *scene, const OndAssets *assets, OndSimWorld *w,
                           OndError *err)
{
    if (scene->air.node) {
        w->world.has_air = true;
        w->world.air_temperature = (float)scene->air.temperature;
        w->world.air_exchange = (float)scene->air.exchange;
    }
    const int count = scene->heaters.count;
    OndHeatSource *const heat = ond_arena_take(&w->arena, (size_t)(count + 1) * sizeof *heat);
    if (!heat) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the sources of heat");
    OndStatus status = OND_OK;
    for (int h = 0; h < count && status == OND_OK; ++h)
        status = make_source(scene, ond_scene_heater(scene, h), assets, w, &heat[h], err);
    w->heat = heat;
    w->world.heat = heat;
    w->world.heat_count = count;
    return status;
}

static OndStatus make_flow(const OndSceneDef *scene, const OndSourceDef *d, const OndAssets *assets,
                           OndSimWorld *w, OndFlowSource *out, OndError *err)
{
    const ShapePlace *place = NULL;
    const OndStatus status = make_place(scene, &d->shape, assets, w, &place, err);
    if (status != OND_OK) return status;
    *out = (OndFlowSource){.shape = place,
                           .inside = inside,
                           .box = ond_shape_bounds(place->shape),
                           .flow = d->flow,
                           .density = (float)d->density,
                           .temperature = (float)d->temperature,
                           .warms = ond_node_get(d->node, "temperature"),
                           .rate = (float)d->rate,
                           .drives = ond_node_get(d->node, "velocity"),
                           .from = d->from,
                           .to = d->to};
    for (int a = 0; a < 3; ++a)
        out->velocity[a] = (float)ond_axis(d->velocity, a);
    return OND_OK;
}

static OndStatus make_flows(const OndSceneDef *scene, const OndAssets *assets, OndSimWorld *w,
                            OndError *err)
{
    const int count = scene->sources.count;
    const size_t room = (size_t)(count + scene->emitters.count + 1);
    OndFlowSource *const source = ond_arena_take(&w->arena, room * sizeof *source);
    if (!source) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the sources");
    OndStatus status = OND_OK;
    for (int k = 0; k < count && status == OND_OK; ++k)
        status = make_flow(scene, ond_scene_source(scene, k), assets, w, &source[k], err);
    w->source = source;
    w->world.source = source;
    w->world.source_count = count;
    return status;
}

void ond_sim_world_fans(const OndSceneDef *scene, OndEmitter *emitter, OndSimWorld *w)
{
    if (!ond_scene_method(scene)->flow) return;
    for (int e = 0; e < scene->emitters.count; ++e)
        w->source[w->world.source_count++] = ond_emitter_grid_fan(&emitter[e], scene);
}

static OndFoamDef make_foam(const OndFoamKeys *k)
{
    return (OndFoamDef){.wanted = k->node,
                        .amount = (float)k->amount,
                        .speed = (float)k->speed,
                        .lifetime = (float)k->lifetime,
                        .air_drag = (float)k->air_drag,
                        .rise = (float)k->rise,
                        .most = k->most};
}

void ond_sim_world_plain(const OndSceneDef *scene, OndWorld *w)
{
    const int fluids = scene->fluids.count;
    *w = (OndWorld){.dimension = scene->dimension,
                    .box = {scene->domain.min, scene->domain.max},
                    .wall_model = scene->domain.walls,
                    .margin = (float)scene->domain.margin,
                    .spacing = scene->spacing,
                    .foam = make_foam(&scene->foam),
                    .material_count = fluids < OND_MATERIALS_MAX ? fluids : OND_MATERIALS_MAX};
    for (int a = 0; a < 3; ++a)
        w->gravity[a] = (float)ond_axis(scene->gravity, a);
    memcpy(w->side, scene->domain.side, sizeof w->side);
    for (int f = 0; f < w->material_count; ++f)
        w->material[f] = make_material(ond_scene_fluid(scene, f));
}

OndStatus ond_sim_world_make(const OndSceneDef *scene, const OndAssets *assets, OndSimWorld *out,
                             OndError *err)
{
    memset(out, 0, sizeof *out);
    OndStatus status = OND_OK;
    ond_sim_world_plain(scene, &out->world);
    for (int f = 0; f < scene->fluids.count && status == OND_OK; ++f)
        status = put_center(scene, f, assets, &out->world, err);
    for (int f = 0; f < scene->fluids.count && status == OND_OK; ++f)
        status = make_path(scene, f, assets, out, err);
    if (status == OND_OK)
        status = ond_scene_carried(scene, assets, &out->arena, &out->carried, err);
    if (status == OND_OK) status = make_heat(scene, assets, out, err);
    return status == OND_OK ? make_flows(scene, assets, out, err) : status;
}

void ond_sim_world_move_heat(OndSimWorld *w, int heat, int axis, double by)
{
    OndHeatSource *const h = &w->heat[heat];
    ShapePlace *const place = (ShapePlace *)h->shape; // made here, in the arena
    ((double *)&place->moved)[axis] = by;
    h->box = ond_shape_bounds(place->shape);
    h->box.min = ond_add(h->box.min, place->moved);
    h->box.max = ond_add(h->box.max, place->moved);
}

double ond_sim_world_heat_moved(const OndSimWorld *w, int heat, int axis)
{
    return ond_axis(((const ShapePlace *)w->heat[heat].shape)->moved, axis);
}

void ond_sim_world_free(OndSimWorld *w)
{
    ond_arena_free(&w->arena);
}

// SPDX-License-Identifier: MIT
// A frame of a run's folder as it is shown.
#include "base/memory.h"
#include "geom/mesh_normals.h"
#include "io/formats/surface_files.h"
#include "lib/fluid_look.h"
#include "lib/render_look.h"
#include "render/of_scene.h"
#include "render/quantity.h"
#include "render/setup.h"
#include "render/stage/drawn_solids.h"
#include "render/trace/trace_look.h"
#include "view/window/replay_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- colours

static OndColour colour_of(const char *name)
{
    for (int k = 0; name && ond_colour_names[k]; ++k)
        if (strcmp(ond_colour_names[k], name) == 0) return (OndColour)k;
    return OND_COLOUR_SPEED;
}

static const OndField *field_of(const OndFrame *frame, OndColour colour)
{
    const OndQuantity *const quantity = ond_quantity(colour);
    if (!quantity->field || quantity->turning) return NULL;
    return frame->particles.count > 0 ? ond_fields_find(&frame->particles, quantity->field) : NULL;
}

static const OndField *cell_field_of(const OndFrame *frame, OndColour colour)
{
    const OndQuantity *const quantity = ond_quantity(colour);
    if (!quantity->field || quantity->turning || !ond_frame_has_grid(frame)) return NULL;
    return ond_fields_find(&frame->cells, quantity->field);
}

static unsigned colours_of(const OndFrame *frame)
{
    unsigned all = 1u << OND_COLOUR_PLAIN;
    for (int k = 0; ond_colour_names[k]; ++k)
        if (field_of(frame, (OndColour)k) || cell_field_of(frame, (OndColour)k)) all |= 1u << k;
    return all;
}

// The range is that of the run's pictures: what the scene says, else what is forecast from its start, else what
// the first, the middle and the last frame hold. It is found once, so that colours stand still.
void ond_replay_range(OndReplay *r, const char *name)
{
    const OndColour colour = colour_of(name);
    const OndKept *const first =
        r->low[colour] < r->high[colour] ? NULL : ond_replay_keep(r, 0, NULL);
    OndRenderDef look = ond_render_default_def();
    if (!first) return;
    if (r->shots.has_scene) look = ond_look_of_scene(&r->shots.scene);
    if (look.colour != colour) look.range_min = look.range_max = 0.0;
    look.colour = colour;
    if (r->shots.has_scene && !ond_frame_has_grid(&first->frame))
        ond_look_forecast(&r->shots.scene, &first->frame, &look);
    r->low[colour] = look.range_max > look.range_min ? look.range_min : INFINITY;
    r->high[colour] = look.range_max > look.range_min ? look.range_max : -INFINITY;
    for (int k = 0; k < 3 && !(look.range_max > look.range_min); ++k) {
        const OndKept *const kept = ond_replay_keep(r, k * (r->count - 1) / 2, NULL);
        if (kept) ond_render_range(&kept->frame, colour, &r->low[colour], &r->high[colour]);
    }
    if (!(r->low[colour] <= r->high[colour])) r->low[colour] = 0.0, r->high[colour] = 1.0;
    if (r->low[colour] == r->high[colour]) r->high[colour] += 1.0; // the same everywhere
}

static void show_range(const OndReplay *r, OndColour colour, OndShown *shown)
{
    const bool some = r->low[colour] < r->high[colour];
    shown->low = some ? (float)r->low[colour] : 0.0f;
    shown->high = some ? (float)r->high[colour] : 1.0f;
}

// ---- particles and what rides on them

static bool positions_of(const OndFields *set, const float *x[3])
{
    const OndField *const field = ond_fields_find(set, "position");
    if (!field || field->components != 3 || field->type != OND_F32) return false;
    for (int a = 0; a < 3; ++a)
        x[a] = field->data[a];
    return true;
}

// What has no such value: `otherwise`.
static void put_points(const OndFields *set, const OndField *value, float otherwise, float *out)
{
    const float *x[3];
    if (!positions_of(set, x)) return;
    for (int k = 0; k < set->count; ++k, out += 4) {
        for (int a = 0; a < 3; ++a)
            out[a] = x[a][k];
        out[3] = value ? ond_quantity_value(value, k) : otherwise;
    }
}

static OndStatus show_particles(const OndFrame *frame, OndColour colour, OndShown *shown,
                                OndError *err)
{
    const float *x[3];
    const OndField *const value = field_of(frame, colour);
    const bool some = positions_of(&frame->particles, x), foam = positions_of(&frame->foam, x);
    const int count = some ? frame->particles.count : 0, riders = foam ? frame->foam.count : 0;
    shown->particles = shown->riders = 0;
    const OndStatus status = ond_shown_room(shown, count, riders, 0, false, err);
    if (status != OND_OK) return status;
    const float middle = 0.5f * (shown->low + shown->high);
    if (count > 0) put_points(&frame->particles, value, middle, shown->particle);
    if (riders > 0)
        put_points(&frame->foam, ond_fields_find(&frame->foam, "kind"), 0.5f, shown->rider);
    shown->particles = count;
    shown->riders = riders;
    return OND_OK;
}

// ---- cells

#define TRACER 0.2f // radius of what drifts in a grid, cells, as in a scene that runs

static void put_cells(const OndGrid *grid, const OndField *field, float *out)
{
    for (int k = 0; k < grid->n[2]; ++k)
        for (int j = 0; j < grid->n[1]; ++j)
            for (int i = 0; i < grid->n[0]; ++i)
                *out++ = ond_quantity_value(field, (int)ond_grid_at(grid, i, j, k));
}

// What has no value of that kind is coloured by its warmth.
static OndStatus show_cells(const OndReplay *r, const OndFrame *frame, OndColour colour,
                            OndShown *shown, OndError *err)
{
    const OndGrid *const grid = &frame->grid;
    if (!cell_field_of(frame, colour)) colour = OND_COLOUR_TEMPERATURE;
    const OndField *const density = ond_fields_find(&frame->cells, "density"), *const warmth =
                                                                                   cell_field_of(
                                                                                       frame,
                                                                                       colour);
    shown->cells[0] = shown->cells[1] = shown->cells[2] = 0;
    if (!ond_frame_has_grid(frame) || !density) return OND_OK;
    const OndStatus status =
        ond_shown_room(shown, 0, 0, (size_t)ond_grid_cells(grid), warmth != NULL, err);
    if (status != OND_OK) return status;
    put_cells(grid, density, shown->density);
    if (warmth) put_cells(grid, warmth, shown->warmth);
    if (!warmth) {
        free(shown->warmth);
        shown->warmth = NULL;
        shown->warmth_room = 0;
    }
    shown->warm_low = (float)r->low[colour];
    shown->warm_high = (float)r->high[colour];
    shown->cell = (float)grid->h;
    shown->radius = TRACER * shown->cell;
    for (int a = 0; a < 3; ++a) {
        shown->cells[a] = grid->n[a];
        shown->origin[a] = (float)ond_axis(grid->origin, a);
    }
    return OND_OK;
}

// ---- solids

static void paint(const OndDrawnSolid *solid, OndShownMesh *out)
{
    static const float own[][3] = {[OND_SOLID_LOOK_PLAIN] = {0.55f, 0.54f, 0.52f},
                                   [OND_SOLID_LOOK_GLASS] = {1, 1, 1},
                                   [OND_SOLID_LOOK_METAL] = {0.56f, 0.57f, 0.58f},
                                   [OND_SOLID_LOOK_CLAY] = {0.52f, 0.51f, 0.48f}};
    const bool glass = solid->look == OND_SOLID_LOOK_GLASS;
    const double said[3] = {solid->colour.x, solid->colour.y, solid->colour.z};
    for (int a = 0; a < 3; ++a)
        out->colour[a] =
            solid->has_colour ? (float)pow(fmax(said[a], 0.0), 2.2) : own[solid->look][a];
    out->colour[3] = glass ? (solid->closed ? 0.3f : 0.12f) : 1.0f;
    out->metal = solid->look == OND_SOLID_LOOK_METAL;
    out->endless = solid->endless;
}

static OndStatus put_mesh(const OndDrawnSolid *solid, const float *corner, OndShownMesh *out,
                          OndError *err)
{
    const OndMesh *const mesh = solid->mesh;
    const size_t uses = 3 * (size_t)mesh->triangle_count;
    OndVec *const normal = OND_NEW_ARRAY(OndVec, uses + 1);
    out->position = malloc((3 * uses + 1) * sizeof(float));
    out->normal = malloc((3 * uses + 1) * sizeof(float));
    out->index = malloc((uses + 1) * sizeof(uint32_t));
    OndStatus status = OND_OK;
    if (!normal || !out->position || !out->normal || !out->index)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for a solid of %d triangles",
                          mesh->triangle_count);
    if (status == OND_OK) status = ond_mesh_normals(mesh, corner, normal, err);
    for (size_t i = 0; i < uses && status == OND_OK; ++i) {
        memcpy(out->position + 3 * i, corner + 3 * (size_t)mesh->triangle[i], 3 * sizeof(float));
        for (int a = 0; a < 3; ++a)
            out->normal[3 * i + (size_t)a] = (float)ond_axis(normal[i], a);
        out->index[i] = (uint32_t)i;
    }
    ond_free(normal);
    if (status != OND_OK) return status;
    out->corners = (int)uses;
    out->triangles = mesh->triangle_count;
    paint(solid, out);
    return OND_OK;
}

static void forget_meshes(OndShown *shown)
{
    OndShown old = {.meshes = shown->meshes, .mesh = shown->mesh, .pose = shown->pose};
    ond_shown_clear(&old);
    shown->meshes = 0;
    shown->mesh = NULL;
    shown->pose = NULL;
}

// Its triangles as they are bent in the frame, where it bends.
static OndStatus show_solid(OndReplay *r, const OndKept *kept, int which, const float **bent,
                            OndShownMesh *out, OndError *err)
{
    const OndSimSolids *const made = ond_run_solids_made(r->shots.solids);
    OndMesh room = {0};
    OndDrawnSolid drawn = {0};
    const float *const now = made->solid[which].sequence.count > 0 ? *bent : NULL;
    if (now) *bent += 3 * (size_t)made->solid[which].mesh.corner_count;
    if (!made->solid[which].def->shown) return OND_OK;
    OndStatus status = ond_drawn_solid_make(made, which, &room, &drawn, err);
    if (status == OND_OK) status = put_mesh(&drawn, now ? now : drawn.mesh->corner, out, err);
    ond_mesh_free(&room);
    return status;
}

static OndStatus make_meshes(OndReplay *r, const OndKept *kept, OndShown *shown, OndError *err)
{
    const float *bent = kept->bent;
    forget_meshes(shown);
    shown->mesh = calloc((size_t)kept->poses + 1, sizeof *shown->mesh);
    shown->pose = calloc((size_t)kept->poses + 1, sizeof *shown->pose);
    if (!shown->mesh || !shown->pose)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d solids", kept->poses);
    shown->meshes = kept->poses;
    OndStatus status = OND_OK;
    for (int k = 0; k < kept->poses && status == OND_OK; ++k)
        status = show_solid(r, kept, k, &bent, &shown->mesh[k], err);
    return status;
}

static OndStatus show_solids(OndReplay *r, const OndKept *kept, OndShown *shown, OndError *err)
{
    const int version = (r->anew % 1024 << 20) + (kept->bent ? 2 + kept->frame.index : 1);
    OndStatus status = OND_OK;
    if (shown->meshes != kept->poses || shown->mesh_version != version)
        status = make_meshes(r, kept, shown, err);
    shown->mesh_version = status == OND_OK ? version : 0;
    if (status == OND_OK && kept->poses > 0)
        memcpy(shown->pose, kept->pose, (size_t)kept->poses * sizeof *shown->pose);
    return status;
}

// ---- surfaces

static void forget_surface(OndShown *shown)
{
    OndShown old = {.surface = shown->surface};
    ond_shown_clear(&old);
    memset(&shown->surface, 0, sizeof shown->surface);
}

static OndStatus put_surface(const OndSurface *from, OndShownMesh *out, OndError *err)
{
    const size_t corners = (size_t)from->mesh.corner_count,
                 uses = 3 * (size_t)from->mesh.triangle_count;
    out->position = malloc((3 * corners + 1) * sizeof(float));
    out->normal = malloc((3 * corners + 1) * sizeof(float));
    out->index = malloc((uses + 1) * sizeof(uint32_t));
    if (!out->position || !out->normal || !out->index)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a surface");
    memcpy(out->position, from->mesh.corner, 3 * corners * sizeof(float));
    memcpy(out->normal, from->normal, 3 * corners * sizeof(float));
    memcpy(out->index, from->mesh.triangle, uses * sizeof(uint32_t));
    out->corners = (int)corners;
    out->triangles = from->mesh.triangle_count;
    return OND_OK;
}

// A surface of `ondine mesh`, in place of the particles.
static OndStatus show_surface(OndReplay *r, const OndWish *wish, int number, OndReplayView *out,
                              OndError *err)
{
    static const float water[4] = {0.12f, 0.36f, 0.55f, 1.0f};
    char path[OND_PATH_MAX];
    OndSurface surface = {0};
    forget_surface(&out->shown);
    ond_run_path(&r->shots.folder, OND_RUN_SURFACE_PLY, number, path);
    out->has_meshes = access(path, R_OK) == 0;
    out->meshes = false;
    if (!wish->meshes || !out->has_meshes) return OND_OK;
    OndStatus status = ond_surface_read(path, &surface, err);
    if (status == OND_OK) status = put_surface(&surface, &out->shown.surface, err);
    memcpy(out->shown.surface.colour, water, sizeof water);
    ond_surface_free(&surface);
    out->meshes = status == OND_OK;
    if (out->meshes) out->shown.particles = 0;
    return status;
}

// ---- all

static void show_box(const OndFrame *frame, OndShown *shown)
{
    bool has_domain;
    const OndBox box = ond_setup_box(frame, &has_domain);
    for (int a = 0; a < 3; ++a) {
        shown->min[a] = (float)ond_axis(box.min, a);
        shown->max[a] = (float)ond_axis(box.max, a);
    }
}

static const char *look_of(const OndReplay *r)
{
    const OndSceneDef *const scene = &r->shots.scene;
    if (!r->shots.has_scene || scene->fluids.count == 0) return NULL;
    const OndFluidDef *const fluid = ond_scene_fluid(scene, 0);
    if (scene->has_grid) return ond_smoke_names[ond_look_of_scene(scene).smoke.kind];
    return ond_look(ond_fluid_look(fluid, ond_scene_method(scene)->grains))->name;
}

static void put_vec(double out[3], OndVec v)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static void show_scene(const OndReplay *r, OndShown *shown)
{
    shown->look = look_of(r);
    if (!r->shots.has_scene) return;
    const OndCameraDef *const camera = ond_scene_camera(&r->shots.scene);
    const OndPictureDef *const picture = ond_scene_picture(&r->shots.scene);
    shown->has_camera = camera && camera->node;
    if (shown->has_camera) {
        put_vec(shown->camera_from, camera->from);
        put_vec(shown->camera_to, camera->to);
        shown->camera_angle = camera->fov;
    }
    if (picture)
        shown->backdrop = picture->backdrop == OND_BACKDROP_LIGHT  ? 1
                          : picture->backdrop == OND_BACKDROP_DARK ? 2
                                                                   : 0;
}

OndStatus ond_replay_show(OndReplay *r, const OndWish *wish, const OndKept *kept,
                          OndReplayView *out, OndError *err)
{
    const OndFrame *const frame = &kept->frame;
    OndShown *const shown = &out->shown;
    OndColour colour = colour_of(wish->colour);
    out->colours = colours_of(frame);
    if (!(out->colours >> colour & 1u)) colour = OND_COLOUR_PLAIN;
    const bool known = field_of(frame, colour) || cell_field_of(frame, colour);
    shown->time = frame->time;
    shown->dimension = frame->dimension;
    shown->radius = (float)(0.5 * frame->spacing);
    shown->value = out->colour = ond_colour_names[colour];
    shown->unit = ond_quantity(colour)->unit;
    if (known && colour == OND_COLOUR_TEMPERATURE) shown->unit = "\xc2\xb0\x43";
    show_box(frame, shown);
    show_scene(r, shown);
    show_range(r, colour, shown);
    OndStatus status = show_particles(frame, colour, shown, err);
    if (status == OND_OK) status = show_cells(r, frame, colour, shown, err);
    if (status == OND_OK) status = show_solids(r, kept, shown, err);
    if (status == OND_OK) status = show_surface(r, wish, r->number[kept - r->kept], out, err);
    return status;
}

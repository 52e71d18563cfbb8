// SPDX-License-Identifier: MIT
#include "sim/scene/scene_shape.h"

#include "base/memory.h"
#include "geom/mesh_repair.h"
#include "sim/scene/scene_missing.h"

#include <string.h>

#define PATH_MAX_LENGTH 1024
#define FLAT            1e-9 // share of its cube: what rounding leaves of a sheet's volume

static OndStatus make(const OndShapeMaker *m, const OndVariant *def, OndShape **out);

// A reader's complaint, at the place that named the file.
static OndStatus fail_asset(const OndShapeMaker *m, const OndVariant *def, const char *key,
                            const OndError *why)
{
    if (why->status == OND_NO_MEMORY) return ond_fail(m->err, OND_NO_MEMORY, "%s", why->text);
    return ond_tree_fail(&m->scene->tree, ond_scene_at(def->node, key), m->err, "%.500s",
                         why->text);
}

static OndStatus fail_missing(const OndShapeMaker *m, const OndVariant *def, const char *what)
{
    ond_tree_fail(&m->scene->tree, ond_scene_at(def->node, "type"), m->err,
                  "this build cannot read %s", what);
    return OND_MISSING;
}

static OndStatus find_file(const OndShapeMaker *m, const OndVariant *def, const char *key,
                           const char *file, char path[PATH_MAX_LENGTH])
{
    if (ond_scene_path(m->scene, file, path, PATH_MAX_LENGTH)) return OND_OK;
    return ond_tree_fail(&m->scene->tree, ond_scene_at(def->node, key), m->err,
                         "the path is longer than %d characters", PATH_MAX_LENGTH);
}

OndStatus ond_shape_made(const OndShapeMaker *m, OndShape *shape, OndShape **out)
{
    *out = shape;
    return shape ? OND_OK : ond_fail(m->err, OND_NO_MEMORY, "not enough memory for the shapes");
}

typedef OndShape *Combine(OndArena *arena, OndShape *const *part, int count);

static OndStatus make_parts(const OndShapeMaker *m, const OndVariant *def, Combine *combine,
                            OndShape **out)
{
    const OndList *const parts = &((const OndPartsDef *)def->def)->parts;
    OndShape **const shape = ond_arena_take(m->arena, (size_t)parts->count * sizeof(OndShape *));
    if (!shape) return ond_shape_made(m, NULL, out);
    for (int p = 0; p < parts->count; ++p) {
        const OndStatus status = make(m, (const OndVariant *)parts->items + p, &shape[p]);
        if (status != OND_OK) return status;
    }
    return ond_shape_made(m, combine(m->arena, shape, parts->count), out);
}

// A font with a slash or an ending is a file beside the scene; anything else is a family name.
static bool is_font_file(const char *font)
{
    const char *const dot = strrchr(font, '.');
    return strchr(font, '/') || (dot && (strcmp(dot, ".ttf") == 0 || strcmp(dot, ".otf") == 0));
}

static OndStatus make_text(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    const OndTextDef *const t = def->def;
    if (!m->assets || !m->assets->text) return fail_missing(m, def, "fonts");
    char path[PATH_MAX_LENGTH];
    const char *font = t->font;
    if (is_font_file(font)) {
        const OndStatus status = find_file(m, def, "font", font, path);
        if (status != OND_OK) return status;
        font = path;
    }
    OndOutline outline = {0};
    OndError why = {0};
    if (m->assets->text(t->text, font, &outline, &why) != OND_OK)
        return fail_asset(m, def, ond_node_get(def->node, "font") ? "font" : "text", &why);
    OndShape *const shape = ond_shape_text(m->arena, &outline, t->at, t->height, t->depth);
    ond_outline_free(&outline);
    return ond_shape_made(m, shape, out);
}

// Degrees about x, then y, then z.
static void turn_mesh(OndMesh *mesh, OndVec turn)
{
    for (int axis = 0; axis < 3; ++axis) {
        const double angle = ond_axis(turn, axis) * (M_PI / 180.0), c = cos(angle), s = sin(angle);
        const int b = (axis + 1) % 3, d = (axis + 2) % 3;
        for (int i = 0; angle != 0.0 && i < mesh->corner_count; ++i) {
            float *const x = mesh->corner + 3 * (size_t)i;
            const double u = x[b], v = x[d];
            x[b] = (float)(c * u - s * v);
            x[d] = (float)(s * u + c * v);
        }
    }
}

// As the file has it, but for `turn`.
static OndStatus read_mesh(const OndShapeMaker *m, const OndVariant *def, const char *key,
                           const char *file, OndVec turn, OndMesh *out)
{
    char path[PATH_MAX_LENGTH];
    const OndStatus status = find_file(m, def, key, file, path);
    if (status != OND_OK) return status;
    if (!m->assets || !m->assets->mesh) return fail_missing(m, def, "meshes");
    OndError why = {0};
    if (m->assets->mesh(path, out, &why) != OND_OK) return fail_asset(m, def, key, &why);
    turn_mesh(out, turn);
    return OND_OK;
}

// Six times the volume inside, as a share of the cube round it; 0 of sheets, one- or two-sided.
static double filled_share(const OndMesh *mesh)
{
    double volume = 0.0;
    OndBox box = ond_box_empty();
    const OndVec base = ond_mesh_corner(mesh, mesh->triangle[0]);
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *const c = mesh->triangle + 3 * (size_t)t;
        const OndVec p = ond_mesh_corner(mesh, c[0]), q = ond_mesh_corner(mesh, c[1]),
                     r = ond_mesh_corner(mesh, c[2]);
        volume += ond_dot(ond_sub(p, base), ond_cross(ond_sub(q, base), ond_sub(r, base)));
        box = ond_box_add(ond_box_add(ond_box_add(box, p), q), r);
    }
    const double size = ond_length(ond_sub(box.max, box.min));
    return size > 0.0 ? fabs(volume) / (size * size * size) : 0.0;
}

// What is filled with particles is taken and refused as bodies are: as it is when it is closed,
// else with corners joined and small holes closed.
static OndShape *fill_mesh(const OndShapeMaker *m, const OndFileDef *file, const OndMesh *mesh,
                           OndError *why)
{
    OndShape *shape = ond_shape_mesh(m->arena, mesh, file->scale, file->move, why);
    if (shape && filled_share(mesh) > FLAT) return shape;
    OndMesh mended = {0};
    OndMeshRepair *const report = OND_NEW(OndMeshRepair);
    if (!report) {
        ond_fail(why, OND_NO_MEMORY, "no memory to mend a mesh");
        return NULL;
    }
    const OndStatus status = ond_mesh_repair(mesh, OND_MESH_FILLED, &mended, report, why);
    if (status != OND_OK)
        shape = NULL;
    else if (!shape)
        shape = ond_shape_mesh(m->arena, &mended, file->scale, file->move, why);
    if (status == OND_OK) ond_mesh_free(&mended);
    ond_free(report);
    return shape;
}

static OndStatus make_mesh(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    const OndMeshDef *const f = def->def;
    if (ond_scene_stands_in(m->scene, def)) return make(m, &f->stand_in, out);
    OndMesh mesh = {0};
    OndError why = {0};
    const OndStatus status = read_mesh(m, def, "file", f->file.file, f->turn, &mesh);
    if (status != OND_OK) return status;
    *out = fill_mesh(m, &f->file, &mesh, &why);
    ond_mesh_free(&mesh);
    if (*out || why.status == OND_NO_MEMORY)
        return *out ? OND_OK : fail_asset(m, def, "file", &why);
    return ond_tree_fail(&m->scene->tree, ond_scene_at(def->node, "file"), m->err, "%.200s: %.500s",
                         f->file.file, why.text);
}

static OndStatus make_box(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    const OndBoxDef *const box = def->def;
    return ond_shape_made(m, ond_shape_box(m->arena, box->min, box->max), out);
}

static OndStatus make_sphere(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    const OndSphereDef *const ball = def->def;
    return ond_shape_made(m, ond_shape_sphere(m->arena, ball->center, ball->radius), out);
}

static OndStatus make_cylinder(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    const OndRodDef *const rod = def->def;
    return ond_shape_made(m, ond_shape_cylinder(m->arena, rod->from, rod->to, rod->radius), out);
}

static OndStatus make_capsule(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    const OndRodDef *const rod = def->def;
    return ond_shape_made(m, ond_shape_capsule(m->arena, rod->from, rod->to, rod->radius), out);
}

static OndStatus make_union(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    return make_parts(m, def, ond_shape_union, out);
}

static OndStatus make_difference(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    return make_parts(m, def, ond_shape_difference, out);
}

static OndStatus make_intersection(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    return make_parts(m, def, ond_shape_intersection, out);
}

const OndSceneShape ond_shape_kind_box = {ond_shape_check_box, make_box};
const OndSceneShape ond_shape_kind_sphere = {NULL, make_sphere};
const OndSceneShape ond_shape_kind_cylinder = {ond_shape_check_rod, make_cylinder};
const OndSceneShape ond_shape_kind_capsule = {ond_shape_check_rod, make_capsule};
const OndSceneShape ond_shape_kind_union = {ond_shape_check_parts, make_union};
const OndSceneShape ond_shape_kind_difference = {ond_shape_check_parts, make_difference};
const OndSceneShape ond_shape_kind_intersection = {ond_shape_check_parts, make_intersection};
const OndSceneShape ond_shape_kind_text = {ond_shape_check_text, make_text};
const OndSceneShape ond_shape_kind_mesh = {ond_shape_check_mesh, make_mesh};
const OndSceneShape ond_shape_kind_particles = {ond_shape_check_file, NULL};
const OndSceneShape ond_shape_kind_plane = {NULL, NULL}; // solids alone have it, and check it

static OndStatus make(const OndShapeMaker *m, const OndVariant *def, OndShape **out)
{
    const OndSceneShape *const kind = def->which >= 0 ? ond_shape_kinds[def->which] : NULL;
    if (kind && kind->make) return kind->make(m, def, out);
    return ond_tree_fail(&m->scene->tree, def->node, m->err, "this shape has no inside");
}

OndStatus ond_scene_shape(const OndSceneDef *scene, const OndVariant *def, const OndAssets *assets,
                          OndArena *arena, OndShape **out, OndError *err)
{
    const OndShapeMaker m = {scene, assets, arena, err};
    return make(&m, def, out);
}

// ---- meshes as they are

bool ond_scene_stands_in(const OndSceneDef *scene, const OndVariant *def)
{
    const OndMeshDef *const f = def->def;
    return f->stand_in.which >= 0 && !ond_scene_has_file(scene, f->file.file);
}

OndStatus ond_scene_mesh(const OndSceneDef *scene, const OndMeshPlace *place,
                         const OndAssets *assets, OndMesh *out, OndError *err)
{
    const OndShapeMaker m = {scene, assets, NULL, err};
    const OndVariant at = {.node = place->node};
    const OndStatus status = read_mesh(&m, &at, place->key, place->file, place->turn, out);
    for (size_t i = 0; status == OND_OK && i < 3 * (size_t)out->corner_count; ++i)
        out->corner[i] =
            (float)(out->corner[i] * place->scale + ond_axis(place->move, (int)(i % 3)));
    return status;
}

// ---- particle files

static OndStatus place_particles(const OndShapeMaker *m, const OndParticlesPlace *at,
                                 OndFrame *frame)
{
    const OndNode *const node = ond_scene_at(at->node, at->key);
    const OndField *const position = ond_fields_find(&frame->particles, "position");
    if (!position || position->components != 3 || position->type != OND_F32)
        return ond_tree_fail(&m->scene->tree, node, m->err, "%.200s has no positions (x, y, z)",
                             at->file.file);
    for (int c = 0; c < 3; ++c) {
        float *const x = position->data[c];
        const double move = ond_axis(at->file.move, c);
        for (int i = 0; i < frame->particles.count; ++i) {
            x[i] = (float)(x[i] * at->file.scale + move);
            if (!isfinite(x[i]))
                return ond_tree_fail(&m->scene->tree, node, m->err,
                                     "%.200s: the position of particle %d (from 0) is not finite",
                                     at->file.file, i);
        }
    }
    return OND_OK;
}

OndStatus ond_scene_particles_at(const OndSceneDef *scene, const OndParticlesPlace *at,
                                 const OndAssets *assets, OndFrame *out, OndError *err)
{
    const OndShapeMaker m = {scene, assets, NULL, err};
    const OndVariant def = {.node = at->node};
    if (!assets || !assets->particles) return fail_missing(&m, &def, "particle files");
    char path[PATH_MAX_LENGTH];
    OndStatus status = find_file(&m, &def, at->key, at->file.file, path);
    if (status != OND_OK) return status;
    OndError why = {0};
    if (assets->particles(path, out, &why) != OND_OK) return fail_asset(&m, &def, at->key, &why);
    status = place_particles(&m, at, out);
    if (status != OND_OK) ond_frame_free(out);
    return status;
}

OndStatus ond_scene_particles(const OndSceneDef *scene, const OndVariant *def,
                              const OndAssets *assets, OndFrame *out, OndError *err)
{
    const OndParticlesPlace at = {*(const OndFileDef *)def->def, def->node, "file"};
    return ond_scene_particles_at(scene, &at, assets, out, err);
}

// ---- both

static OndBox particles_box(const OndFrame *frame)
{
    const OndField *const position = ond_fields_find(&frame->particles, "position");
    double low[3] = {0}, high[3] = {0};
    for (int c = 0; c < 3; ++c) {
        const float *const x = position->data[c];
        for (int i = 0; i < frame->particles.count; ++i) {
            low[c] = i > 0 ? fmin(low[c], x[i]) : x[i];
            high[c] = i > 0 ? fmax(high[c], x[i]) : x[i];
        }
    }
    const OndBox box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return box;
}

OndStatus ond_scene_extent(const OndSceneDef *scene, const OndVariant *def, const OndAssets *assets,
                           OndArena *arena, OndBox *out, OndError *err)
{
    if (def->which == OND_SHAPE_PARTICLES) {
        OndFrame frame = {0};
        const OndStatus status = ond_scene_particles(scene, def, assets, &frame, err);
        if (status == OND_OK) *out = particles_box(&frame);
        ond_frame_free(&frame);
        return status;
    }
    OndShape *shape = NULL;
    const OndStatus status = ond_scene_shape(scene, def, assets, arena, &shape, err);
    if (status == OND_OK) *out = ond_shape_bounds(shape);
    return status;
}

// ---- shapes whose surfaces particles carry

bool ond_scene_carries(const OndSceneDef *scene)
{
    for (int f = 0; f < scene->fluids.count; ++f)
        if (ond_scene_fluid(scene, f)->carry) return true;
    return false;
}

OndStatus ond_scene_carried(const OndSceneDef *scene, const OndAssets *assets, OndArena *arena,
                            OndCarriedShapes *out, OndError *err)
{
    *out = (OndCarriedShapes){0};
    if (!ond_scene_carries(scene)) return OND_OK;
    const int fluids = scene->fluids.count;
    OndShape **const shape = ond_arena_take(arena, (size_t)fluids * sizeof *shape);
    if (!shape) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d shapes", fluids);
    OndStatus status = OND_OK;
    for (int f = 0; f < fluids && status == OND_OK; ++f) {
        const OndFluidDef *const fluid = ond_scene_fluid(scene, f);
        if (fluid->carry)
            status = ond_scene_shape(scene, &fluid->shape, assets, arena, &shape[f], err);
    }
    if (status == OND_OK) *out = (OndCarriedShapes){fluids, (const OndShape *const *)shape};
    return status;
}

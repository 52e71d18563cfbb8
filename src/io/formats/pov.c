// SPDX-License-Identifier: MIT
// Scenes for POV-Ray: `povray frame_0040.pov` makes a picture, as it is.
//
// Particles become one `blob`, with the spheres and the threshold of the field "blobs". A surface
// becomes a `mesh2` with its normals. Camera, light, floor and texture stand in the file as
// declarations that a person can change, in metres, y up. Written, not read.
#include "io/formats/formats.h"
#include "io/formats/surface_files.h"
#include "io/formats/surface_parts.h"
#include "surface/fields/splats.h"

#include <string.h>

#define FOV       35.0
#define FIT       0.80 // share of the view that a fitted scene fills
#define MATERIALS 8    // that have a colour of their own

// ---- the stage

typedef struct PovStage {
    OndVec eye, target;
    double fov;   // vertical, degrees
    double floor; // height
    double size;  // half the diagonal of what is seen
    OndVec light;
} PovStage;

static bool is_box(OndBox b)
{
    const OndVec s = ond_sub(b.max, b.min);
    return isfinite(ond_length(s)) && s.x > 0.0 && s.y > 0.0 && s.z >= 0.0;
}

// Stands where a person would: a little to the right and above, in 2D straight before it.
static PovStage make_stage(OndBox box, int dimension, const OndCameraDef *camera)
{
    const OndVec diagonal = ond_sub(box.max, box.min);
    PovStage s = {.target = ond_scale(ond_add(box.min, box.max), 0.5),
                  .fov = FOV,
                  .floor = box.min.y,
                  .size = fmax(0.5 * ond_length(diagonal), 1e-6)};
    const OndVec towards = dimension == 2 ? ond_vec(0, 0, 1) : ond_unit(ond_vec(0.38, 0.34, 1));
    const double away = FIT * s.size / sin(FOV * (0.5 * 0.017453292519943295));
    s.eye = ond_add(s.target, ond_scale(towards, away));
    if (camera && camera->node) {
        s.eye = camera->from;
        s.target = camera->to;
        s.fov = camera->fov;
    }
    s.light = ond_add(s.target, ond_scale(ond_vec(-1.6, 3.2, 1.4), s.size));
    return s;
}

static void print_vec(OndFile *file, const char *name, OndVec v)
{
    ond_file_print(file, "#declare %s = <%.9g, %.9g, %.9g>;\n", name, v.x, v.y, v.z);
}

static void print_numbers(OndFile *file, const PovStage *s)
{
    print_vec(file, "Eye", s->eye);
    print_vec(file, "Target", s->target);
    print_vec(file, "Light", s->light);
    ond_file_print(file, "#declare Fov = %.9g;   // degrees from top to bottom\n", s->fov);
    ond_file_print(file, "#declare Floor = %.9g; // its height\n", s->floor - 1e-3 * s->size);
    ond_file_print(file, "#declare Size = %.9g;  // half the diagonal of the scene\n\n", s->size);
}

static void print_stage(OndFile *file, const PovStage *s)
{
    ond_file_print(file, "#version 3.7;\n");
    print_numbers(file, s);
    // a negative `right` makes the axes right-handed, as everywhere else
    ond_file_print(
        file, "%s",
        "global_settings { assumed_gamma 1.0 max_trace_level 12 }\n"
        "camera {\n"
        "  location Eye\n"
        "  right -x * image_width / image_height\n"
        "  angle degrees(2 * atan2(tan(radians(Fov) / 2) * image_width / image_height, 1))\n"
        "  look_at Target\n"
        "}\n"
        "light_source {\n"
        "  Light color rgb 0.9\n"
        "  area_light x * Size * 0.6, z * Size * 0.6, 5, 5 adaptive 1 circular orient\n"
        "}\n"
        "light_source { Eye color rgb 0.25 shadowless } // fills the shadows\n"
        "sky_sphere {\n"
        "  pigment {\n"
        "    gradient y\n"
        "    color_map { [0 color rgb <0.80, 0.84, 0.88>] [1 color rgb <0.35, 0.52, 0.75>] }\n"
        "  }\n"
        "}\n"
        "plane {\n"
        "  y, Floor\n"
        "  pigment { checker color rgb 0.62, color rgb 0.50 scale Size * 0.25 }\n"
        "  finish { ambient 0.1 diffuse 0.8 }\n"
        "}\n"
        "fog { distance Size * 25 color rgb <0.80, 0.84, 0.88> }\n\n");
}

static void print_water(OndFile *file)
{
    ond_file_print(
        file, "%s",
        "#declare Look = material {\n"
        "  texture {\n"
        "    pigment { color rgbf <0.86, 0.95, 1.0, 0.9> }\n"
        "    finish {\n"
        "      ambient 0.05 diffuse 0.25 specular 0.5 roughness 0.003\n"
        "      reflection { 0.02, 0.9 fresnel on } conserve_energy\n"
        "    }\n"
        "  }\n"
        "  interior { ior 1.333 fade_distance Size fade_power 2 fade_color <0.35, 0.70, 0.85> }\n"
        "}\n\n");
}

static OndFile *open_scene(const char *path, OndError *err)
{
    OndFile *file = ond_file_create(path, err);
    const char *slash = strrchr(path, '/');
    if (file) ond_file_print(file, "// A scene for POV-Ray: povray %s\n", slash ? slash + 1 : path);
    return file;
}

// ---- particles

// The spheres of the field "blobs", so that POV-Ray sees the surface that ondine mesh makes of it.
static void print_blob(OndFile *file, const OndField3 *field)
{
    const OndPoints *p = field->points;
    const OndSplatField *own = field->own;
    ond_file_print(file, "blob {\n  threshold %.6g\n", field->def.threshold);
    for (int k = 0; k < p->count && ond_file_good(file); ++k)
        ond_file_print(file, "  sphere { <%.9g, %.9g, %.9g>, %.6g, %.6g }\n", (double)p->x[k],
                       (double)p->y[k], (double)p->z[k], 1.0 / sqrt((double)own->inv_h2[k]),
                       (double)own->weight[k]);
    ond_file_print(file, "  material { Look }\n}\n");
}

static OndStatus write_blob(const char *path, const OndFrame *frame, const OndField3 *field,
                            OndError *err)
{
    const double r = field->reach * field->points->largest;
    OndBox box = frame->domain;
    if (!is_box(box)) box = ond_box_widen(field->points->box, r);
    const PovStage stage = make_stage(box, frame->dimension, NULL);
    OndFile *file = open_scene(path, err);
    if (!file) return ond_file_status(err);
    print_stage(file, &stage);
    print_water(file);
    print_blob(file, field);
    return ond_file_commit(file, err);
}

// Particles whose position is not finite are left out; none left is an error.
static OndStatus write_particles(const char *path, const OndFrame *frame, OndError *err)
{
    OndError why = {0};
    OndPoints points = {0};
    OndField3 field = {0};
    const OndFieldDef own = {0};
    const OndFieldKind *kind = ond_field_kind("blobs");
    const double reach = fmax(kind->defaults.radius, OND_POINTS_KERNEL);
    OndStatus status = ond_points_take(&points, frame, reach, &why);
    if (status == OND_OK) status = ond_field_make(&field, kind, &own, &points, &why);
    if (status == OND_OK)
        status = write_blob(path, frame, &field, err);
    else
        ond_fail(err, status, "cannot write %s: %s", path, why.text);
    ond_field_free(&field);
    ond_points_free(&points);
    return status;
}

// ---- surfaces

static void print_triples(OndFile *file, const char *what, const float *data, int count)
{
    ond_file_print(file, "  %s {\n    %d", what, count);
    for (int k = 0; k < count && ond_file_good(file); ++k) {
        const float *v = data + 3 * (size_t)k;
        ond_file_print(file, ",\n    <%.9g, %.9g, %.9g>", (double)v[0], (double)v[1], (double)v[2]);
    }
    ond_file_print(file, "\n  }\n");
}

static const uint32_t *materials_of(const OndSurface *s)
{
    const OndField *field = ond_fields_find(&s->attributes, "material");
    if (!field || field->type != OND_U32 || field->components != 1) return NULL;
    const uint32_t *material = field->data[0];
    for (int k = 1; k < s->mesh.corner_count; ++k)
        if (material[k] != material[0]) return material;
    return NULL; // one alone needs no list
}

static void print_faces(OndFile *file, const OndMesh *mesh, const uint32_t *material)
{
    ond_file_print(file, "  face_indices {\n    %d", mesh->triangle_count);
    for (int k = 0; k < mesh->triangle_count && ond_file_good(file); ++k) {
        const uint32_t *t = mesh->triangle + 3 * (size_t)k;
        ond_file_print(file, ",\n    <%u, %u, %u>", t[0], t[1], t[2]);
        for (int c = 0; material && c < 3; ++c)
            ond_file_print(file, ", %u", material[t[c]] % MATERIALS);
    }
    ond_file_print(file, "\n  }\n");
}

static void print_paints(OndFile *file)
{
    static const char *const rgb[MATERIALS] = {
        "<0.16, 0.42, 0.75>", "<0.85, 0.45, 0.12>", "<0.20, 0.60, 0.30>", "<0.75, 0.20, 0.22>",
        "<0.90, 0.80, 0.35>", "<0.48, 0.30, 0.62>", "<0.35, 0.22, 0.15>", "<0.80, 0.82, 0.85>"};
    ond_file_print(file, "  texture_list {\n    %d", MATERIALS);
    for (int k = 0; k < MATERIALS; ++k)
        ond_file_print(
            file,
            ",\n    texture { pigment { color rgb %s } finish { ambient 0.1 diffuse 0.75 "
            "specular 0.3 roughness 0.02 } }",
            rgb[k]);
    ond_file_print(file, "\n  }\n");
}

static void print_mesh(OndFile *file, const OndSurface *s)
{
    const uint32_t *material = materials_of(s);
    ond_file_print(file, "mesh2 {\n");
    print_triples(file, "vertex_vectors", s->mesh.corner, s->mesh.corner_count);
    if (s->normal) print_triples(file, "normal_vectors", s->normal, s->mesh.corner_count);
    if (material) print_paints(file);
    print_faces(file, &s->mesh, material);
    ond_file_print(file, "%s}\n", material ? "" : "  material { Look }\n");
}

// A surface of several materials is painted, one colour each; of one it is clear as water.
static OndStatus write_surface(const char *path, const OndSurface *surface,
                               const OndSurfaceAbout *about, OndError *err)
{
    const OndMesh *mesh = &surface->mesh;
    OndBox box = ond_box_empty();
    for (int k = 0; k < mesh->corner_count; ++k)
        box = ond_box_add(
            box, ond_vec(mesh->corner[3 * k], mesh->corner[3 * k + 1], mesh->corner[3 * k + 2]));
    if (is_box(surface->domain)) box = surface->domain;
    if (!is_box(box)) box = (OndBox){ond_vec(-1, -1, -1), ond_vec(1, 1, 1)};
    const PovStage stage = make_stage(box, surface->dimension, about->camera);
    OndFile *file = open_scene(path, err);
    if (!file) return ond_file_status(err);
    ond_file_print(file, "// " OND_RECIPE_FORMAT "\n", (unsigned long long)about->recipe);
    print_stage(file, &stage);
    print_water(file);
    if (mesh->triangle_count) print_mesh(file, surface); // POV-Ray reads no empty mesh
    return ond_file_commit(file, err);
}

const OndFormat ond_format_pov = {
    .extension = "pov",
    .what = "a POV-Ray scene, the particles as a blob",
    .write = write_particles,
};
const OndSurfaceFormat ond_surface_format_pov = {"pov", "a POV-Ray scene", NULL, write_surface};

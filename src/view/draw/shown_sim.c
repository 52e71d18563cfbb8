// SPDX-License-Identifier: MIT
// What is shown of a simulation, taken from it through the public library.
//
// Colours that nobody scaled are scaled so that they stand still while a scene runs: speeds by what
// each particle could reach by falling to the ground (v^2 + 2 g h hardly grows), other values by what
// there is, both rounded outwards to a number that a legend can show.
#include "view/draw/shown.h"

#include <math.h>
#include <ondine/drawing.h>
#include <stdlib.h>
#include <string.h>

// ---- which value

typedef struct ShownValue {
    const char *name, *field, *unit;
} ShownValue;

static const ShownValue values[] = {{"speed", "velocity", "m/s"},
                                    {"temperature", "temperature",
                                     "\xc2\xb0"
                                     "C"},
                                    {"rigidity", "rigidity", ""},
                                    {"density", "density", "kg/m\xc2\xb3"},
                                    {"pressure", "pressure", "Pa"},
                                    {"plain", NULL, ""}};
enum { SPEED = 0, RIGIDITY = 2, PLAIN = 5, VALUES = 6 };

static const ShownValue *value_of(const char *name)
{
    for (int k = 0; name && k < VALUES; ++k)
        if (strcmp(name, values[k].name) == 0) return &values[k];
    return &values[SPEED];
}

static float value_at(const OndFieldView *field, int i)
{
    if (field->type == OND_U32) return (float)((const uint32_t *)field->data[0])[i];
    const float x = ((const float *)field->data[0])[i];
    if (field->components != 3) return x;
    const float y = ((const float *)field->data[1])[i], z = ((const float *)field->data[2])[i];
    return sqrtf(x * x + y * y + z * z);
}

// ---- range of the colours

// The next of 1, 1.5, 2, 3, 4, 5, 6, 8, 10... at or above.
static double round_up(double x)
{
    static const double nice[] = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};
    if (!(x > 1e-30 && x < 1e30)) return 1.0;
    const double ten = pow(10.0, floor(log10(x)));
    for (size_t k = 0; k < sizeof nice / sizeof nice[0]; ++k)
        if (x <= nice[k] * ten * (1.0 + 1e-9)) return nice[k] * ten;
    return 10.0 * ten;
}

static void round_out(double low, double high, float *out_low, float *out_high)
{
    if (!(low <= high)) low = 0.0, high = 1.0;
    const double wide = fmax(high - low, 1e-3 * fmax(fabs(high), fabs(low)));
    const double step = round_up(fmax(wide, 1e-9)) / 5.0;
    *out_low = (float)(step * floor(low / step + 1e-6));
    *out_high = (float)(step * ceil(high / step - 1e-6));
    if (!(*out_high > *out_low)) *out_high = *out_low + (float)step;
}

// How fast it would be on the ground, squared: the mean of all and two deviations, so that single drops
// do not count.
static double reachable(const OndShown *shown, const OndDrawing *scene, const OndFieldView *v)
{
    const double *const g = scene->gravity;
    double floor_at = INFINITY;
    for (int i = 0; i < shown->particles; ++i) {
        const float *const p = shown->particle + 4 * (size_t)i;
        const double height = -(g[0] * p[0] + g[1] * p[1] + g[2] * p[2]);
        if (height < floor_at) floor_at = height;
    }
    for (int c = 0; scene->bounded && c < 8; ++c) {
        double height = 0.0;
        for (int a = 0; a < 3; ++a)
            height -= g[a] * (c >> a & 1 ? scene->max[a] : scene->min[a]);
        if (height < floor_at) floor_at = height;
    }
    double mean = 0.0, square = 0.0, count = 0.0;
    for (int i = 0; i < shown->particles; ++i) {
        const float *const p = shown->particle + 4 * (size_t)i;
        const double speed = v ? value_at(v, i) : 0.0;
        const double height = -(g[0] * p[0] + g[1] * p[1] + g[2] * p[2]) - floor_at;
        const double sum = speed * speed + 2.0 * height;
        if (isfinite(sum)) mean += sum, square += sum * sum, count += 1.0;
    }
    if (count == 0.0) return 0.0;
    mean /= count;
    return mean + 2.0 * sqrt(fmax(square / count - mean * mean, 0.0));
}

static void scale_particles(OndShown *shown, const OndDrawing *scene, const ShownValue *value,
                            const OndFieldView *field)
{
    double low = INFINITY, high = -INFINITY;
    if (value == &values[RIGIDITY] || value == &values[PLAIN]) {
        shown->low = 0.0f, shown->high = 1.0f;
        return;
    }
    if (value == &values[SPEED]) {
        shown->low = 0.0f;
        shown->high = (float)round_up(sqrt(reachable(shown, scene, field)));
        return;
    }
    for (int i = 0; i < shown->particles; ++i) {
        const double x = shown->particle[4 * (size_t)i + 3];
        if (!isfinite(x)) continue;
        low = fmin(low, x), high = fmax(high, x);
    }
    round_out(low, high, &shown->low, &shown->high);
}

// ---- particles and what rides on them

static bool positions(const OndSim *sim, OndCarrier carrier, OndFieldView *x)
{
    return ond_sim_find_field(sim, carrier, "position", x) && x->components == 3 &&
           x->type == OND_F32;
}

static void put_positions(const OndFieldView *x, float *out)
{
    const float *const px = x->data[0], *const py = x->data[1], *const pz = x->data[2];
    for (int i = 0; i < x->count; ++i, out += 4)
        out[0] = px[i], out[1] = py[i], out[2] = pz[i];
}

static void put_values(const OndFieldView *field, int count, float *out)
{
    for (int i = 0; i < count; ++i)
        out[4 * (size_t)i + 3] = field ? value_at(field, i) : 0.5f;
}

// What is plain may still differ from grain to grain: by the number that each keeps.
static void put_shades(const OndSim *sim, int count, float *out)
{
    OndFieldView id;
    const bool known = ond_sim_find_field(sim, OND_PARTICLES, "id", &id) && id.type == OND_U32;
    for (int i = 0; i < count; ++i) {
        const uint32_t number = known ? ((const uint32_t *)id.data[0])[i] : (uint32_t)i;
        out[4 * (size_t)i + 3] = (float)(number * 2654435769u >> 8) / 16777216.0f; // golden ratio
    }
}

static OndStatus show_particles(OndShown *shown, const OndSim *sim, const ShownValue *value,
                                const OndDrawing *scene, bool scaled, OndError *err)
{
    OndFieldView x, field;
    const bool there = positions(sim, OND_PARTICLES, &x) && x.count > 0;
    bool found = value->field && ond_sim_find_field(sim, OND_PARTICLES, value->field, &field);
    if (there && !found && value->field) {
        value = &values[SPEED];
        found = ond_sim_find_field(sim, OND_PARTICLES, value->field, &field);
    }
    shown->value = value->name;
    shown->unit = value->unit;
    shown->particles = 0;
    if (!there) return OND_OK;
    const OndStatus status = ond_shown_room(shown, x.count, 0, 0, false, err);
    if (status != OND_OK) return status;
    shown->particles = x.count;
    put_positions(&x, shown->particle);
    if (value->field)
        put_values(found ? &field : NULL, x.count, shown->particle);
    else
        put_shades(sim, x.count, shown->particle);
    if (!scaled) scale_particles(shown, scene, value, found ? &field : NULL);
    return OND_OK;
}

static OndStatus show_riders(OndShown *shown, const OndSim *sim, OndError *err)
{
    OndFieldView x, kind;
    shown->riders = 0;
    if (!positions(sim, OND_RIDERS, &x) || x.count == 0) return OND_OK;
    const OndStatus status = ond_shown_room(shown, 0, x.count, 0, false, err);
    if (status != OND_OK) return status;
    const bool kinds = ond_sim_find_field(sim, OND_RIDERS, "kind", &kind);
    shown->riders = x.count;
    put_positions(&x, shown->rider);
    put_values(kinds ? &kind : NULL, x.count, shown->rider);
    return OND_OK;
}

// ---- cells

#define TRACER 0.2f // radius of what drifts in a grid, cells: small enough to be seen through

static void copy_cells(const OndGridView *grid, const float *from, float *out)
{
    const int *const n = grid->cells;
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j) {
            const float *const row =
                from + grid->first + (ptrdiff_t)j * grid->step[1] + (ptrdiff_t)k * grid->step[2];
            for (int i = 0; i < n[0]; ++i)
                *out++ = row[(ptrdiff_t)i * grid->step[0]];
        }
}

static void scale_cells(OndShown *shown, size_t cells)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < cells; ++i) {
        if (!isfinite(shown->warmth[i])) continue;
        low = fmin(low, shown->warmth[i]), high = fmax(high, shown->warmth[i]);
    }
    round_out(low, high, &shown->warm_low, &shown->warm_high);
}

static OndStatus show_cells(OndShown *shown, const OndSim *sim, bool scaled, OndError *err)
{
    OndGridView grid;
    OndFieldView density, warmth;
    shown->cells[0] = shown->cells[1] = shown->cells[2] = 0;
    if (!ond_sim_grid(sim, &grid) || !ond_sim_find_field(sim, OND_CELLS, "density", &density))
        return OND_OK;
    const size_t cells = (size_t)grid.cells[0] * (size_t)grid.cells[1] * (size_t)grid.cells[2];
    const bool warm = ond_sim_find_field(sim, OND_CELLS, "temperature", &warmth);
    const OndStatus status = ond_shown_room(shown, 0, 0, cells, warm, err);
    if (status != OND_OK) return status;
    copy_cells(&grid, density.data[0], shown->density);
    if (warm) copy_cells(&grid, warmth.data[0], shown->warmth);
    if (!warm) free(shown->warmth), shown->warmth = NULL, shown->warmth_room = 0;
    shown->cell = (float)grid.cell;
    for (int a = 0; a < 3; ++a) {
        shown->cells[a] = grid.cells[a];
        shown->origin[a] = (float)grid.origin[a];
    }
    shown->radius = TRACER * shown->cell;
    if (!warm) return OND_OK;
    const bool by_tracers = shown->particles > 0; // the legend is theirs
    if (scaled && !by_tracers)
        shown->warm_low = shown->low, shown->warm_high = shown->high;
    else
        scale_cells(shown, cells);
    if (by_tracers) return OND_OK;
    shown->value = "temperature", shown->unit = values[1].unit;
    shown->low = shown->warm_low, shown->high = shown->warm_high;
    return OND_OK;
}

// ---- solids

static float linear_of(float screen)
{
    return screen <= 0.04045f ? screen / 12.92f : powf((screen + 0.055f) / 1.055f, 2.4f);
}

static OndStatus copy_mesh(const OndSolidTriangles *from, OndShownMesh *out, OndError *err)
{
    const size_t corners = 3 * (size_t)from->triangles;
    const bool glass = strcmp(from->look, "glass") == 0;
    out->position = malloc((3 * corners + 1) * sizeof(float));
    out->normal = malloc((3 * corners + 1) * sizeof(float));
    out->index = malloc((corners + 1) * sizeof(uint32_t));
    if (!out->position || !out->normal || !out->index)
        return ond_fail(err, OND_NO_MEMORY, "no memory to show a solid of %d triangles",
                        from->triangles);
    if (corners) { // of what is not shown there are none
        memcpy(out->position, from->position, 3 * corners * sizeof(float));
        memcpy(out->normal, from->normal, 3 * corners * sizeof(float));
    }
    for (size_t i = 0; i < corners; ++i)
        out->index[i] = (uint32_t)i;
    out->corners = 3 * from->triangles;
    out->triangles = from->triangles;
    for (int a = 0; a < 3; ++a)
        out->colour[a] = linear_of(from->colour[a]);
    out->colour[3] = glass ? (from->closed ? 0.3f : 0.12f) : 1.0f;
    out->metal = strcmp(from->look, "metal") == 0;
    out->endless = from->endless;
    return OND_OK;
}

// Meshes are told apart by what they hold, so that a new simulation with the same solids uploads none.
static int hash_of(const OndShown *shown)
{
    uint32_t hash = 2166136261u;
    for (int k = 0; k < shown->meshes; ++k) {
        const unsigned char *const byte = (const unsigned char *)shown->mesh[k].position;
        const size_t bytes = 9 * (size_t)shown->mesh[k].triangles * sizeof(float);
        for (size_t i = 0; i < bytes; ++i)
            hash = (hash ^ byte[i]) * 16777619u;
        hash = (hash ^ (uint32_t)k) * 16777619u;
    }
    return (int)(hash & 0x7fffffffu);
}

static void forget_meshes(OndShown *shown)
{
    OndShown old = {.meshes = shown->meshes, .mesh = shown->mesh, .pose = shown->pose};
    ond_shown_clear(&old);
    shown->meshes = 0, shown->mesh = NULL, shown->pose = NULL;
}

static OndStatus make_meshes(OndShown *shown, const OndSim *sim, OndError *err)
{
    const int count = ond_sim_solid_count(sim);
    OndStatus status = OND_OK;
    forget_meshes(shown);
    shown->meshes_of = NULL;
    shown->mesh = calloc((size_t)count + 1, sizeof *shown->mesh);
    shown->pose = calloc((size_t)count + 1, sizeof *shown->pose);
    if (!shown->mesh || !shown->pose)
        return ond_fail(err, OND_NO_MEMORY, "no memory to show %d solids", count);
    shown->meshes = count;
    shown->meshes_bend = false;
    for (int k = 0; k < count && status == OND_OK; ++k) {
        OndSolidTriangles triangles;
        status = ond_sim_solid_triangles(sim, k, &triangles, err);
        if (status == OND_OK) status = copy_mesh(&triangles, &shown->mesh[k], err);
        shown->meshes_bend = shown->meshes_bend || triangles.bends;
        ond_solid_triangles_free(&triangles);
    }
    if (status != OND_OK) return status;
    shown->mesh_version = hash_of(shown);
    shown->meshes_of = sim;
    return OND_OK;
}

static void put_pose(const OndPlacement *from, float row[12])
{
    const double w = from->turn[0], x = from->turn[1], y = from->turn[2], z = from->turn[3];
    const double m[12] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),     from->at[0],
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),     from->at[1],
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y), from->at[2]};
    for (int k = 0; k < 12; ++k)
        row[k] = (float)m[k];
}

// Another simulation may lie where an old one was: it begins at an earlier time, or with other solids.
static OndStatus show_solids(OndShown *shown, const OndSim *sim, double before, OndError *err)
{
    const bool same = shown->meshes_of == sim && shown->meshes == ond_sim_solid_count(sim) &&
                      !shown->meshes_bend && shown->time >= before && shown->time > 0.0;
    const OndStatus status = same ? OND_OK : make_meshes(shown, sim, err);
    for (int k = 0; k < shown->meshes && status == OND_OK; ++k) {
        OndSolidView solid;
        if (ond_sim_solid(sim, k, &solid)) put_pose(&solid.placement, shown->pose[k]);
    }
    return status;
}

// ---- all

static void grow(OndShown *shown, const float p[3])
{
    if (!isfinite(p[0] + p[1] + p[2])) return;
    for (int a = 0; a < 3; ++a) {
        shown->min[a] = fminf(shown->min[a], p[a]);
        shown->max[a] = fmaxf(shown->max[a], p[a]);
    }
}

// Where there are no walls, what holds everything.
static void find_bounds(OndShown *shown, const OndDrawing *scene)
{
    for (int a = 0; a < 3; ++a) {
        shown->min[a] = scene->bounded ? (float)scene->min[a] : INFINITY;
        shown->max[a] = scene->bounded ? (float)scene->max[a] : -INFINITY;
    }
    for (int i = 0; i < shown->particles && !scene->bounded; ++i)
        grow(shown, shown->particle + 4 * (size_t)i);
    if (!(shown->min[0] <= shown->max[0]))
        for (int a = 0; a < 3; ++a)
            shown->min[a] = 0.0f, shown->max[a] = 1.0f;
    if (shown->dimension == 2) shown->min[2] = shown->max[2] = 0.0f;
}

static void describe(OndShown *shown, const OndSim *sim, const OndDrawing *scene)
{
    shown->time = ond_sim_time(sim);
    shown->dimension = scene->dimension;
    shown->radius = (float)(0.5 * scene->spacing);
    shown->look = ond_sim_fluid_look(sim, 0);
    shown->backdrop = scene->backdrop;
    shown->has_camera = scene->has_camera;
    shown->camera_angle = scene->camera_angle;
    memcpy(shown->camera_from, scene->camera_from, sizeof shown->camera_from);
    memcpy(shown->camera_to, scene->camera_to, sizeof shown->camera_to);
}

OndStatus ond_shown_sim(OndShown *shown, const OndSim *sim, const char *colour, float low,
                        float high, OndError *err)
{
    OndDrawing scene;
    const double before = shown->time;
    ond_sim_drawing(sim, &scene);
    describe(shown, sim, &scene);
    const ShownValue *const value = value_of(colour ? colour : scene.colour);
    const bool by_scene = strcmp(value->name, scene.colour) == 0 && scene.high > scene.low;
    const bool scaled = low != high || by_scene;
    if (scaled) {
        shown->low = low != high ? low : (float)scene.low;
        shown->high = low != high ? high : (float)scene.high;
    }
    OndStatus status = show_particles(shown, sim, value, &scene, scaled, err);
    if (status == OND_OK) status = show_riders(shown, sim, err);
    if (status == OND_OK) status = show_cells(shown, sim, scaled, err);
    if (status == OND_OK) status = show_solids(shown, sim, before, err);
    if (status == OND_OK) find_bounds(shown, &scene);
    return status;
}

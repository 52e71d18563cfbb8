// SPDX-License-Identifier: MIT
#include "sim/scene/scene_grid.h"

#include "base/parallel.h"
#include "sim/scene/scene_limits.h"
#include "sim/scene/scene_shape.h"

double ond_scene_cells(const OndSceneDef *scene, double *bytes)
{
    *bytes = 0.0;
    if (!scene->has_grid) return 0.0;
    double cells = 1.0;
    for (int a = 0; a < scene->dimension; ++a)
        cells *= round((ond_axis(scene->domain.max, a) - ond_axis(scene->domain.min, a)) /
                       scene->spacing);
    const OndMethod *const method = ond_scene_method(scene);
    *bytes = method->cell_bytes(scene->method.def, scene->dimension, cells);
    return cells;
}

static double sooner(double best, double after, double from, double to)
{
    if (from > after) best = fmin(best, from);
    return to > after ? fmin(best, to) : best;
}

double ond_scene_next_turn(const OndSceneDef *scene, double time)
{
    double next = INFINITY;
    for (int k = 0; k < scene->emitters.count; ++k)
        next =
            sooner(next, time, ond_scene_emitter(scene, k)->from, ond_scene_emitter(scene, k)->to);
    for (int k = 0; k < scene->sources.count; ++k)
        next = sooner(next, time, ond_scene_source(scene, k)->from, ond_scene_source(scene, k)->to);
    for (int k = 0; k < scene->heaters.count; ++k)
        next = sooner(next, time, ond_scene_heater(scene, k)->from, ond_scene_heater(scene, k)->to);
    return next;
}

// ---- values at places

// Where component `axis` of a field stands in cell (i, j, k); axis -1: in the middle.
static OndVec place(const OndGrid *g, int axis, int i, int j, int k)
{
    const double half[3] = {axis == 0 ? 0.0 : 0.5, axis == 1 ? 0.0 : 0.5, axis == 2 ? 0.0 : 0.5};
    OndVec at = ond_vec(g->origin.x + g->h * (i + half[0]), g->origin.y + g->h * (j + half[1]),
                        g->origin.z + g->h * (k + half[2]));
    if (!g->deep) at.z = 0.0;
    return at;
}

// What a part of the space is given, and how it is asked.
typedef struct Filling {
    const OndGrid *grid;
    const OndField *field;
    int component;
    double (*share)(const void *own, OndVec at);           // 0 outside to 1 inside
    double (*value)(const void *own, int axis, OndVec at); // axis -1: of one number
    const void *own;
    int low[3], high[3]; // cells, or faces, from `low` to before `high`
} Filling;

static void fill_rows(int first, int last, int worker, void *context)
{
    const Filling *const f = context;
    const OndGrid *const g = f->grid;
    const int vector = f->field->components == 3 ? f->component : -1;
    const int axis = f->field->flags & OND_FIELD_FACES ? f->component : -1;
    const int deep = f->high[1] - f->low[1];
    float *const data = f->field->data[f->component];
    (void)worker;
    for (int r = first; r < last; ++r) {
        const int j = f->low[1] + r % deep, k = f->low[2] + r / deep;
        for (int i = f->low[0]; i < f->high[0]; ++i) {
            const OndVec at = place(g, axis, i, j, k);
            const double share = f->share(f->own, at);
            float *const to = &data[ond_grid_at(g, i, j, k)];
            if (share > 0.0) *to = (float)(*to + share * (f->value(f->own, vector, at) - *to));
        }
    }
}

// The cells, or faces, that a box reaches.
static bool choose_range(Filling *f, OndBox box)
{
    const OndGrid *const g = f->grid;
    const bool faces = f->field->flags & OND_FIELD_FACES;
    for (int a = 0; a < 3; ++a) {
        const double from = ond_axis(g->origin, a);
        const int most = g->n[a] + (faces && a == f->component && (a < 2 || g->deep));
        const double low = floor((ond_axis(box.min, a) - from) / g->h) - 1.0,
                     high = ceil((ond_axis(box.max, a) - from) / g->h) + 2.0;
        f->low[a] = (int)fmin(fmax(low, 0.0), most);
        f->high[a] = (int)fmin(fmax(high, 0.0), most);
        if (a == 2 && !g->deep) f->low[a] = 0, f->high[a] = 1;
        if (f->high[a] <= f->low[a]) return false;
    }
    return true;
}

static void fill(Filling *f, const char *name, const OndFields *cells, OndBox box)
{
    f->field = ond_fields_find(cells, name);
    if (!f->field) return;
    const int most = f->field->components == 3 ? (f->grid->deep ? 3 : 2) : 1;
    for (f->component = 0; f->component < most; ++f->component)
        if (choose_range(f, box))
            ond_parallel_for((f->high[1] - f->low[1]) * (f->high[2] - f->low[2]), 8, fill_rows, f);
}

// ---- the start

typedef struct Fluid {
    const OndFluidDef *def;
    const OndShape *shape;
    OndVec center;
    const OndGrid *grid;
} Fluid;

// What reaches a side of the domain goes on behind it, so that a face on that side is as full as
// the cell it belongs to.
static OndVec off_the_sides(const OndGrid *g, OndVec at)
{
    const double half = 0.5 * g->h;
    double p[3] = {at.x, at.y, at.z};
    for (int a = 0; a < (g->deep ? 3 : 2); ++a) {
        const double low = ond_axis(g->origin, a), high = low + g->n[a] * g->h;
        p[a] = fmin(fmax(p[a], low + half), high - half);
    }
    return ond_vec(p[0], p[1], p[2]);
}

static double fluid_share(const void *own, OndVec at)
{
    const Fluid *const f = own;
    const OndVec inside = off_the_sides(f->grid, at);
    const double distance = ond_shape_distance(f->shape, inside, !f->grid->deep);
    return fmin(fmax(0.5 - distance / f->grid->h, 0.0), 1.0);
}

static double one(const void *own, int axis, OndVec at)
{
    (void)own, (void)axis, (void)at;
    return 1.0;
}

static double fluid_temperature(const void *own, int axis, OndVec at)
{
    (void)axis, (void)at;
    return ((const Fluid *)own)->def->temperature;
}

static double fluid_velocity(const void *own, int axis, OndVec at)
{
    const Fluid *const f = own;
    return ond_axis(ond_fluid_velocity(f->def, at, f->center), axis);
}

static OndStatus fill_fluid(const OndSceneDef *scene, const OndFluidDef *def,
                            const OndAssets *assets, const OndGrid *grid, OndFields *cells,
                            OndError *err)
{
    OndArena arena = {NULL};
    OndShape *shape = NULL;
    const OndStatus status = ond_scene_shape(scene, &def->shape, assets, &arena, &shape, err);
    if (status == OND_OK) {
        OndBox box = ond_shape_bounds(shape);
        if (!grid->deep) box.min.z = -grid->h, box.max.z = grid->h;
        const Fluid fluid = {def, shape, ond_scale(ond_add(box.min, box.max), 0.5), grid};
        Filling f = {.grid = grid, .share = fluid_share, .own = &fluid};
        f.value = one, fill(&f, "density", cells, box);
        f.value = fluid_temperature, fill(&f, "temperature", cells, box);
        f.value = fluid_velocity, fill(&f, "velocity", cells, box);
    }
    ond_arena_free(&arena);
    return status;
}

static void fill_air(const OndSceneDef *scene, const OndField *field, int count)
{
    const float temperature = scene->air.node ? (float)scene->air.temperature : 20.0f;
    for (int i = 0; field && i < count; ++i)
        ((float *)field->data[0])[i] = temperature;
}

// A formula may have no value somewhere.
static OndStatus check_finite(const OndSceneDef *scene, const OndFields *cells, OndError *err)
{
    const OndField *const v = ond_fields_find(cells, "velocity");
    for (int a = 0; v && a < v->components; ++a)
        for (int i = 0; i < cells->count; ++i)
            if (!(fabsf(((const float *)v->data[a])[i]) <= OND_FAST))
                return ond_tree_fail(&scene->tree, ond_scene_at(scene->tree.root, "fluid"), err,
                                     "the velocity at the start is not finite, or beyond %g m/s, "
                                     "somewhere in the grid; see the formulas of `velocity`",
                                     OND_FAST);
    return OND_OK;
}

OndStatus ond_scene_fill_grid(const OndSceneDef *scene, const OndAssets *assets,
                              const OndGrid *grid, OndFields *cells, OndError *err)
{
    OndStatus status = OND_OK;
    fill_air(scene, ond_fields_find(cells, "temperature"), cells->count);
    for (int k = 0; k < scene->fluids.count && status == OND_OK; ++k)
        if (ond_scene_fluid(scene, k)->shape.which >= 0)
            status = fill_fluid(scene, ond_scene_fluid(scene, k), assets, grid, cells, err);
    return status == OND_OK ? check_finite(scene, cells, err) : status;
}

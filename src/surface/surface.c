// SPDX-License-Identifier: MIT
#include "surface/surface.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/words.h"
#include "surface/attributes.h"
#include "surface/blocks.h"
#include "surface/blocks_plan.h"
#include "surface/mesh/normals.h"
#include "surface/mesh/polygons.h"
#include "surface/mesh/smooth.h"
#include "surface/mesh/solid_fit.h"
#include "surface/mesh/specks.h"

#include <string.h>

#define COOKIE      0x53555246u
#define CELL_LEAST  0.02 // spacings
#define CELL_MOST   4.0
#define KINDS_MAX   16
#define WALLS_APART 2.0  // spacings
#define ON_WALL     0.06 // cells: faces on two walls meet in a slope that is narrower

#define NAME(number, name) name,
const char *const ond_polygons_names[] = {OND_POLYGONS(NAME) NULL};

OndSurfaceDef ond_surface_default_def(void)
{
    return (OndSurfaceDef){
        .field = ond_field_names[0],
        .cell = 0.5,
        .walls = OND_WALLS_ALL,
        .cookie = COOKIE,
    };
}

// ---- checks

static OndStatus unknown_field(const char *name, OndError *err)
{
    char list[256];
    const char *names[KINDS_MAX];
    int count;
    const OndFieldKind *const *kinds = ond_field_kinds(&count);
    count = count < KINDS_MAX ? count : KINDS_MAX;
    for (int k = 0; k < count; ++k)
        names[k] = kinds[k]->name;
    ond_words_list(names, count, list, sizeof list);
    const char *near = name ? ond_word_nearest(name, names, count) : NULL;
    return ond_fail(err, OND_BAD_VALUE, "no field is called '%s'%s%s%s; there is %s",
                    name ? name : "", near ? " (did you mean '" : "", near ? near : "",
                    near ? "'?)" : "", list);
}

static OndStatus check_def(const OndSurfaceDef *def, OndError *err)
{
    if (def->cookie != COOKIE)
        return ond_fail(err, OND_BAD_VALUE,
                        "OndSurfaceDef was not made by ond_surface_default_def()");
    if (!ond_field_kind(def->field)) return unknown_field(def->field, err);
    if (!(def->cell >= CELL_LEAST && def->cell <= CELL_MOST))
        return ond_fail(err, OND_BAD_VALUE,
                        "a surface's cell is %g spacings; accepted: %g to %g (0.5 is usual)",
                        def->cell, CELL_LEAST, CELL_MOST);
    if (def->smooth < 0 || def->smooth > 1000)
        return ond_fail(err, OND_BAD_VALUE, "%d rounds of smoothing; accepted: 0 to 1000",
                        def->smooth);
    if (!(def->decimate >= 0.0 && def->decimate <= 10.0))
        return ond_fail(err, OND_BAD_VALUE, "decimation by %g cells; accepted: 0 to 10",
                        def->decimate);
    if (!(def->memory >= 0.0))
        return ond_fail(err, OND_BAD_VALUE, "%g bytes of memory; it must be 0 (no limit) or more",
                        def->memory);
    return OND_OK;
}

// ---- plans

OndWallsDef ond_surface_walls(const OndSurfaceDef *def, double sight)
{
    return (OndWallsDef){
        .sides = def->how.surface_only ? 0 : def->walls, // that is hollow at walls
        .sight = sight,
        .thinnest = fmax(WALLS_APART, 4.0 * def->cell),
    };
}

OndStatus ond_surface_plan(const OndSurfaceDef *def, const OndPoints *points, OndError *err)
{
    double beside =
        def->polygons == OND_MARCHING_TETRAHEDRA ? OND_BESIDE_TETRAHEDRA : OND_BESIDE_CUBES;
    if (def->decimate > 0.0) beside += OND_BESIDE_THINNING;
    return ond_blocks_plan(points, def->cell * points->spacing, beside, def->memory, err);
}

// ---- making

typedef struct SurfaceMaking {
    const OndSurfaceDef *def;
    const OndFrame *frame;
    OndSurface *surface;
    OndSurfaceTimes times;
    OndPoints points;
    OndField3 field;
    OndBlocks blocks;
    double clock;
} SurfaceMaking;

// Time since the last call, ms.
static double lap(SurfaceMaking *m)
{
    const double now = ond_now_ms(), since = now - m->clock;
    m->clock = now;
    return since;
}

static OndStatus make_field(SurfaceMaking *m, OndError *err)
{
    const OndFieldKind *kind = ond_field_kind(m->def->field);
    const double radius = m->def->how.radius > 0.0 ? m->def->how.radius : kind->defaults.radius;
    const double reach = fmin(fmax(radius, OND_POINTS_KERNEL), 16.0);
    const OndWallsDef walls = ond_surface_walls(m->def, fmax(reach, kind->sight));
    OndStatus status = ond_points_take_walled(&m->points, m->frame, reach, &walls, err);
    m->times.points = lap(m);
    if (status == OND_OK) status = ond_surface_plan(m->def, &m->points, err);
    OndFieldDef how = m->def->how;
    how.cell = m->def->cell;
    if (status == OND_OK) status = ond_field_make(&m->field, kind, &how, &m->points, err);
    if (status == OND_OK)
        status = ond_blocks_sample(&m->blocks, &m->field, m->def->cell * m->points.spacing,
                                   m->def->memory, err);
    m->times.field = lap(m);
    return status;
}

static OndStatus make_polygons(SurfaceMaking *m, OndError *err)
{
    OndCellTable *table = OND_NEW(OndCellTable);
    if (!table) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a table of cells");
    if (m->def->polygons == OND_MARCHING_TETRAHEDRA)
        ond_tetrahedra_table(table);
    else
        ond_cubes_table(table);
    const OndStatus status =
        ond_polygons_make(&m->blocks, table, &m->surface->mesh, &m->surface->normal, err);
    ond_free(table);
    m->times.bytes = (double)(ond_points_bytes(&m->points) + ond_blocks_bytes(&m->blocks)) +
                     24.0 * m->surface->mesh.corner_count + 12.0 * m->surface->mesh.triangle_count;
    m->times.polygons = lap(m);
    return status;
}

// Ripples that are smoothed away would still be seen in the field's normals; corners on walls stay
// there, and keep theirs.
static OndStatus smooth(SurfaceMaking *m, OndError *err)
{
    OndSurface *s = m->surface;
    const size_t numbers = 3 * (size_t)s->mesh.corner_count;
    const double margin = ON_WALL * m->def->cell * m->points.spacing;
    if (m->def->smooth == 0 || numbers == 0) return OND_OK;
    float *before = OND_NEW_ARRAY(float, numbers);
    if (!before)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory to smooth %d corners",
                        s->mesh.corner_count);
    memcpy(before, s->mesh.corner, numbers * sizeof *before);
    const OndStatus status = ond_mesh_smooth(&s->mesh, m->def->smooth, err);
    for (size_t k = 0; k < numbers && status == OND_OK; k += 3)
        if (!ond_walls_hold(&m->points.walls, margin, before + k, s->mesh.corner + k))
            memset(s->normal + k, 0, 3 * sizeof *s->normal);
    ond_free(before);
    return status;
}

static OndStatus decimate(SurfaceMaking *m, OndError *err)
{
    OndSurface *s = m->surface;
    uint32_t *kept = NULL;
    const double distance = m->def->decimate * m->def->cell * m->points.spacing;
    if (!(distance > 0.0)) return OND_OK;
    const OndStatus status = ond_mesh_decimate(&s->mesh, distance, &kept, err);
    for (int c = 0; status == OND_OK && c < s->mesh.corner_count; ++c) // kept[c] >= c
        memmove(s->normal + 3 * (size_t)c, s->normal + 3 * (size_t)kept[c], 3 * sizeof *s->normal);
    ond_free(kept);
    if (status != OND_OK) return status;
    return ond_normals_mend(&s->mesh, s->normal, err); // folds were flattened
}

static OndStatus finish(SurfaceMaking *m, OndError *err)
{
    OndSurface *s = m->surface;
    s->frame = m->frame->index;
    s->time = m->frame->time;
    s->dimension = m->points.dimension;
    s->spacing = m->points.spacing;
    s->domain = m->frame->domain;
    OndStatus status =
        ond_specks_drop(&s->mesh, s->normal, &m->points, m->def->cell * m->points.spacing, err);
    if (status == OND_OK) status = smooth(m, err);
    if (status == OND_OK) status = ond_normals_mend(&s->mesh, s->normal, err);
    if (status == OND_OK) status = decimate(m, err);
    if (status == OND_OK)
        status = ond_attributes_carry(&s->attributes, &s->mesh, &m->points, m->frame, err);
    if (status == OND_OK) ond_surface_fit(s, m->frame->solids.placed);
    m->times.finish = lap(m);
    return status;
}

OndStatus ond_surface_make(OndSurface *surface, const OndFrame *frame, const OndSurfaceDef *def,
                           OndSurfaceTimes *times, OndError *err)
{
    ond_surface_free(surface);
    OndStatus status = check_def(def, err);
    if (status != OND_OK) return status;
    SurfaceMaking m = {.def = def, .frame = frame, .surface = surface, .clock = ond_now_ms()};
    status = make_field(&m, err);
    if (status == OND_OK) status = make_polygons(&m, err);
    if (status == OND_OK) status = finish(&m, err);
    ond_blocks_free(&m.blocks);
    ond_field_free(&m.field);
    ond_points_free(&m.points);
    if (status != OND_OK) ond_surface_free(surface);
    if (times) *times = m.times;
    return status;
}

void ond_surface_free(OndSurface *surface)
{
    ond_mesh_free(&surface->mesh);
    ond_free(surface->normal);
    ond_fields_free(&surface->attributes);
    memset(surface, 0, sizeof *surface);
}

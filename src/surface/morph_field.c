// SPDX-License-Identifier: MIT
// The morph of surfaces in space and time [Pouchol 4.2.3].
//
// Constraints of both frames stand in four dimensions, those of the second a little along the
// fourth, and one function goes through all of them; cut at a time between, it is a surface between
// the two. A place that is inside in one frame and far from all liquid in the other is outside
// there, which must be said too: each patch knows only what is near. With guides the particles at
// times in between say all that.
#include "surface/morph.h"

#include "base/memory.h"
#include "surface/attributes.h"
#include "surface/fields/variational.h"
#include "surface/fields/variational_guard.h"
#include "surface/mesh/normals.h"
#include "surface/mesh/polygons.h"

#include <string.h>

#define TIME_SPACINGS 2.0 // how long the time between two frames is, in spacings,
#define GUIDE_APART   0.4 // or so long for each guide: closer ones would be one constraint
#define REACH         2.1 // spacings, of the bins
#define ABSENT        1.5 // sizes from all particles of a frame: it says outside

enum { FIRST, SECOND, BOTH, SETS }; // of points

typedef struct Morphing {
    const OndFrame *frame[2];
    OndFrame joined; // the particles of both; with guides, those at time t
    bool guided;
    OndPoints points[SETS];
    OndGuard guard[2];
    OndConstraints constraints;
    OndParts *parts;
    OndWallsDef walls;
    double t, length; // m along the fourth axis
} Morphing;

// ---- the field

static void sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    const Morphing *m = field->own;
    const int count = lattice->n[0] * lattice->n[1] * lattice->n[2];
    float side[2][OND_BLOCK * OND_BLOCK * OND_BLOCK];
    for (int f = 0; f < 2; ++f) {
        for (int k = 0; k < count; ++k)
            side[f][k] = NAN;
        ond_guard_lattice(&m->guard[f], lattice, side[f]);
    }
    ond_parts_sample(m->parts, lattice, m->t * m->length, value);
    for (int k = 0; k < count; ++k) {
        const float mixed = (float)((1.0 - m->t) * side[0][k] + m->t * side[1][k]);
        const float most = side[0][k] > side[1][k] ? side[0][k] : side[1][k];
        if (isnan(value[k])) value[k] = mixed;
        if (most < 0.0f && value[k] > most) value[k] = most;
    }
}

static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const Morphing *m = field->own;
    const double value = ond_parts_gradient(m->parts, at, m->t * m->length, out);
    return isnan(value) ? -1.0f : (float)value;
}

static const OndFieldKind kind = {
    .name = "morph", .what = "between two frames", .sample = sample, .gradient = gradient};

// ---- constraints

static bool near_particle(const OndPoints *p, const double at[3])
{
    OndBinWalk near = ond_near_sizes(&p->bins, at, at, ABSENT);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t j = run.first; j < run.last; ++j) {
            const double x = p->x[j] - at[0], y = p->y[j] - at[1], z = p->z[j] - at[2];
            const double least = ABSENT * p->size[j];
            if (x * x + y * y + z * z < least * least) return true;
        }
    return false;
}

// What is inside in one frame and nowhere in the other is outside there.
static OndStatus place_absences(Morphing *m, int first, int last, int other, OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = first; k < last && status == OND_OK; ++k) {
        OndConstraint c = m->constraints.list[k];
        if (c.value < 0.0 || near_particle(&m->points[other], c.at)) continue;
        c.at[3] = other * m->length;
        c.value = -c.value;
        status = ond_constraints_add(&m->constraints, &c, err);
    }
    return status;
}

static OndStatus place_guide(Morphing *m, double t, const OndFieldDef *how, OndError *err)
{
    OndFrame frame = {0};
    OndPoints points = {0};
    const double when = t * m->length;
    OndStatus status = ond_morph_between(m->frame[0], m->frame[1], t, &frame, err);
    if (status == OND_OK) status = ond_points_take_walled(&points, &frame, REACH, &m->walls, err);
    if (status == OND_OK) status = ond_constraints_place(&m->constraints, &points, how, &when, err);
    ond_points_free(&points);
    ond_frame_free(&frame);
    return status;
}

static OndStatus place_all(Morphing *m, int guides, const OndFieldDef *how, OndError *err)
{
    int end[3] = {0};
    OndStatus status = OND_OK;
    for (int f = 0; f < 2 && status == OND_OK; ++f) {
        const double when = f * m->length;
        status = ond_constraints_place(&m->constraints, &m->points[f], how, &when, err);
        end[f + 1] = m->constraints.count;
    }
    for (int f = 0; f < 2 && status == OND_OK && !m->guided; ++f)
        status = place_absences(m, end[f], end[f + 1], 1 - f, err);
    for (int g = 1; g <= guides && status == OND_OK; ++g)
        status = place_guide(m, (double)g / (guides + 1), how, err);
    return status;
}

// ---- the frame of both

static OndStatus join(Morphing *m, OndError *err)
{
    const OndFrame *a = m->frame[0], *b = m->frame[1];
    const int first = a->particles.count, all = first + b->particles.count;
    OndFields *set = &m->joined.particles;
    m->joined = *a;
    memset(set, 0, sizeof *set);
    m->joined.owned = true;
    m->joined.time = (1.0 - m->t) * a->time + m->t * b->time;
    OndStatus status = ond_fields_reserve(set, all + 1, err);
    for (int f = 0; f < a->particles.field_count && status == OND_OK; ++f) {
        const OndField *x = &a->particles.field[f];
        const OndField *y = ond_fields_find(&b->particles, x->name);
        if (!y || y->type != x->type || y->components != x->components) continue;
        const int to = ond_fields_add(set, x->name, x->unit, x->type, x->components, x->flags);
        if (to < 0) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", all);
        for (int c = 0; c < x->components; ++c) {
            char *data = set->field[to].data[c];
            if (first) memcpy(data, x->data[c], (size_t)first * 4);
            if (all > first)
                memcpy(data + (size_t)first * 4, y->data[c], (size_t)(all - first) * 4);
        }
    }
    set->count = all;
    return status;
}

static OndStatus take_points(Morphing *m, OndError *err)
{
    const OndFrame *const frame[SETS] = {m->frame[0], m->frame[1], &m->joined};
    OndStatus status = m->guided
                           ? ond_morph_between(m->frame[0], m->frame[1], m->t, &m->joined, err)
                           : join(m, err);
    for (int k = 0; k < SETS && status == OND_OK; ++k)
        status = ond_points_take_walled(&m->points[k], frame[k], REACH, &m->walls, err);
    for (int f = 0; f < 2 && status == OND_OK; ++f)
        status = ond_guard_make(&m->guard[f], &m->points[m->guided ? BOTH : f], err);
    return status;
}

// ---- the surface

static OndStatus make_mesh(const Morphing *m, const OndSurfaceDef *def, OndSurface *s,
                           OndError *err)
{
    OndBlocks blocks = {0};
    const OndPoints *points = &m->points[BOTH];
    OndField3 field = {.kind = &kind, .points = points, .own = (void *)m};
    field.reach = OND_GUARD_FAR;
    OndCellTable *table = OND_NEW(OndCellTable);
    if (!table) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a table of cells");
    if (def->polygons == OND_MARCHING_TETRAHEDRA)
        ond_tetrahedra_table(table);
    else
        ond_cubes_table(table);
    OndStatus status = ond_surface_plan(def, points, err);
    if (status == OND_OK)
        status = ond_blocks_sample(&blocks, &field, def->cell * points->spacing, def->memory, err);
    if (status == OND_OK) status = ond_polygons_make(&blocks, table, &s->mesh, &s->normal, err);
    if (status == OND_OK) status = ond_normals_mend(&s->mesh, s->normal, err);
    if (status == OND_OK)
        status = ond_attributes_carry(&s->attributes, &s->mesh, points, &m->joined, err);
    ond_blocks_free(&blocks);
    ond_free(table);
    s->frame = m->joined.index, s->time = m->joined.time, s->dimension = points->dimension;
    s->spacing = points->spacing, s->domain = m->joined.domain;
    return status;
}

static void release(Morphing *m)
{
    ond_parts_free(m->parts);
    ond_constraints_free(&m->constraints);
    for (int f = 0; f < 2; ++f)
        ond_guard_free(&m->guard[f]);
    for (int k = 0; k < SETS; ++k)
        ond_points_free(&m->points[k]);
    ond_frame_free(&m->joined);
}

static OndStatus check(const OndFrame *a, const OndFrame *b, double t, int guides,
                       const OndSurfaceDef *def, OndError *err)
{
    if (!(t >= 0.0 && t <= 1.0))
        return ond_fail(err, OND_BAD_VALUE, "an in-between surface at %g; accepted: 0 to 1", t);
    if (guides < 0 || guides > 64)
        return ond_fail(err, OND_BAD_VALUE, "%d moments guide a morph; accepted: 0 to 64", guides);
    if (!(def->cell >= 0.02 && def->cell <= 4.0))
        return ond_fail(err, OND_BAD_VALUE, "a surface's cell is %g spacings; accepted: 0.02 to 4",
                        def->cell);
    if (a->dimension != b->dimension)
        return ond_fail(err, OND_BAD_VALUE,
                        "frames %d and %d can not be joined: one is %dD, one %dD", a->index,
                        b->index, a->dimension, b->dimension);
    return OND_OK;
}

OndStatus ond_morph_surface(OndSurface *surface, const OndFrame *a, const OndFrame *b, double t,
                            int guides, const OndSurfaceDef *def, OndError *err)
{
    ond_surface_free(surface);
    OndStatus status = check(a, b, t, guides, def, err);
    if (status != OND_OK) return status;
    const OndFieldDef *usual = &ond_field_kind("variational")->defaults;
    OndFieldDef how = def->how;
    if (how.smoothing == 0.0) how.smoothing = usual->smoothing;
    how.cell = def->cell;
    if (how.exact_limit == 0) how.exact_limit = usual->exact_limit;
    Morphing m = {.frame = {a, b}, .t = t, .guided = guides > 0};
    m.walls = ond_surface_walls(def, ond_field_kind("variational")->sight);
    status = take_points(&m, err);
    m.length = fmax(TIME_SPACINGS, GUIDE_APART * (guides + 1)) * m.points[FIRST].spacing;
    if (status == OND_OK) status = place_all(&m, guides, &how, err);
    if (status == OND_OK)
        status = ond_parts_make(&m.parts, &m.constraints, 4, how.exact_limit, err);
    if (status == OND_OK) status = make_mesh(&m, def, surface, err);
    release(&m);
    if (status != OND_OK) ond_surface_free(surface);
    return status;
}

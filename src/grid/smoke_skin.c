// SPDX-License-Identifier: MIT
#include "grid/smoke_skin.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "grid/smoke_state.h"
#include "grid/stream.h"
#include "space/solids.h"

#include <string.h>

#define DEEPEST 2.0 // cells: faces that no stencil reaches need nothing
#define OFF     1.0 // cells off the surface where the flow is looked at
#define GRAIN   512

#define MOSTLY_OPEN 160 // of 255: the middle of such a face is hardly in the solid

// A covered face near the surface, or one that is nearly so.
typedef struct Face {
    size_t at;
    int axis;
    bool closed;
    float slip;
    float held[3];   // the solid's velocity there
    float normal[3]; // of the surface, one long
    float look[3];   // where the flow is looked at, m
    float value;
} Face;

// A covered cell beside fluid.
typedef struct Cell {
    size_t at;
    bool heats;
    float temperature; // of the surface
    float depth;       // of the cell's middle below it, in OFF cells
    float look[3];     // OFF cells off the surface, m
} Cell;

struct OndSmokeSkin {
    Face *face;
    Cell *cell;
    int faces, cells;
    int *row; // of either, while they are found
};

// ---- faces

static OndVec slope(const OndSmoke *s, OndVec at)
{
    const double e = 0.25 * s->grid.h;
    const OndVec x = ond_vec(e, 0, 0), y = ond_vec(0, e, 0), z = ond_vec(0, 0, e);
    return ond_unit(ond_vec(
        ond_smoke_distance(s, ond_add(at, x)) - ond_smoke_distance(s, ond_sub(at, x)),
        ond_smoke_distance(s, ond_add(at, y)) - ond_smoke_distance(s, ond_sub(at, y)),
        s->grid.deep ? ond_smoke_distance(s, ond_add(at, z)) - ond_smoke_distance(s, ond_sub(at, z))
                     : 0.0));
}

static bool on_side(const OndGrid *g, int axis, const int at[3])
{
    return !g->periodic[axis] && (at[axis] == 0 || at[axis] == g->n[axis]);
}

// False where a closed face sticks anyway, and where the middle of an open one is in the fluid.
static bool make_face(const OndSmoke *s, int axis, const int at[3], bool closed, Face *out)
{
    OndVec v;
    int which = -1;
    const OndVec place = ond_smoke_face(&s->grid, axis, at[0], at[1], at[2]);
    const double near = s->world.clearance(s->world.clearance_own, place, &v, &which);
    const float slip = which >= 0 ? ond_solids_def(s->world.solids, which)->slip : 0.0f;
    if (near < -DEEPEST * s->grid.h || (closed ? !(slip > 0.0f) : near >= 0.0)) return false;
    if (!out) return true;
    const OndVec n = slope(s, place);
    const OndVec look = ond_add(place, ond_scale(n, OFF * s->grid.h - near));
    *out = (Face){.at = ond_grid_at(&s->grid, at[0], at[1], at[2]),
                  .axis = axis,
                  .closed = closed,
                  .slip = slip};
    for (int a = 0; a < 3; ++a) {
        out->held[a] = (float)ond_axis(v, a);
        out->normal[a] = (float)ond_axis(n, a);
        out->look[a] = (float)ond_axis(look, a);
    }
    return true;
}

static int face_row(const OndSmoke *s, int axis, int row, Face *out)
{
    const OndSpan span = ond_span(&s->grid, axis);
    const uint8_t *const open = ond_pressure_open(s->pressure, axis);
    const size_t begin = ond_span_row(&s->grid, &span, row);
    int count = 0;
    for (int i = 0; i < span.wide; ++i) {
        const int at[3] = {i, row % span.high, row / span.high};
        const int share = open[begin + (size_t)i];
        if (share > MOSTLY_OPEN || on_side(&s->grid, axis, at)) continue;
        count += make_face(s, axis, at, share == 0, out ? out + count : NULL);
    }
    return count;
}

// ---- cells

static bool beside_fluid(const OndGrid *g, const float *fluid, size_t at)
{
    const int deep = g->deep;
    for (int k = -deep; k <= deep; ++k)
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i)
                if (fluid[at + (size_t)(i + j * g->row + k * g->plane)] > 0.0f) return true;
    return false;
}

static Cell make_cell(const OndSmoke *s, size_t at, int i, int j, int k)
{
    const OndGrid *const g = &s->grid;
    const OndVec place = ond_vec(g->origin.x + g->h * (i + 0.5), g->origin.y + g->h * (j + 0.5),
                                 g->deep ? g->origin.z + g->h * (k + 0.5) : 0.0);
    int which = -1;
    const double near = s->world.clearance(s->world.clearance_own, place, NULL, &which);
    const OndSolidDef *const solid = which >= 0 ? ond_solids_def(s->world.solids, which) : NULL;
    Cell cell = {.at = at, .heats = solid && solid->heats};
    if (!cell.heats) return cell;
    const OndVec look = ond_add(place, ond_scale(slope(s, place), OFF * g->h - near));
    cell.temperature = solid->temperature;
    cell.depth = (float)fmin(fmax(-near / (OFF * g->h), 0.0), 1.0);
    for (int a = 0; a < 3; ++a)
        cell.look[a] = (float)ond_axis(look, a);
    return cell;
}

static int cell_row(const OndSmoke *s, int row, Cell *out)
{
    const OndGrid *const g = &s->grid;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    const size_t begin = ond_grid_row(g, row);
    int count = 0;
    for (int i = 0; i < g->n[0]; ++i) {
        const size_t at = begin + (size_t)i;
        if (fluid[at] > 0.0f || !beside_fluid(g, fluid, at)) continue;
        if (out) out[count] = make_cell(s, at, i, row % g->n[1], row / g->n[1]);
        ++count;
    }
    return count;
}

// ---- finding them: rows are counted, then filled

typedef struct Search {
    OndSmoke *s;
    OndSmokeSkin *skin;
    int axis; // of faces; -1: cells
    bool fill;
} Search;

static void search_rows(int first, int last, int worker, void *context)
{
    const Search *const q = context;
    int *const row = q->skin->row;
    (void)worker;
    for (int r = first; r < last; ++r) {
        if (q->axis >= 0 && q->fill)
            face_row(q->s, q->axis, r, q->skin->face + row[r]);
        else if (q->axis >= 0)
            row[r] = face_row(q->s, q->axis, r, NULL);
        else if (q->fill)
            cell_row(q->s, r, q->skin->cell + row[r]);
        else
            row[r] = cell_row(q->s, r, NULL);
    }
}

// From counts to places, behind `first`; returns the end.
static int add_up(int *row, int rows, int first)
{
    for (int r = 0; r < rows; ++r) {
        const int count = row[r];
        row[r] = first;
        first += count;
    }
    return first;
}

static void *grow(void *block, size_t before, size_t bytes)
{
    char *const more = ond_alloc(bytes + 1);
    if (more && before > 0) memcpy(more, block, before);
    ond_free(block);
    return more;
}

static bool search(OndSmoke *s, OndSmokeSkin *skin, int axis)
{
    const int rows = axis >= 0 ? ond_span(&s->grid, axis).rows : s->grid.rows;
    Search q = {s, skin, axis, false};
    ond_parallel_for(rows, 16, search_rows, &q);
    const int had = axis >= 0 ? skin->faces : 0, have = add_up(skin->row, rows, had);
    if (axis >= 0) {
        skin->face = grow(skin->face, (size_t)had * sizeof(Face), (size_t)have * sizeof(Face));
        skin->faces = have;
    } else {
        skin->cell = OND_NEW_ARRAY(Cell, have + 1);
        skin->cells = have;
    }
    if (axis >= 0 ? !skin->face : !skin->cell) return false;
    q.fill = true;
    ond_parallel_for(rows, 16, search_rows, &q);
    return true;
}

void ond_smoke_skin_free(OndSmokeSkin *skin)
{
    if (!skin) return;
    ond_free(skin->face);
    ond_free(skin->cell);
    ond_free(skin->row);
    ond_free(skin);
}

size_t ond_smoke_skin_bytes(const OndSmokeSkin *skin)
{
    return skin ? (size_t)skin->faces * sizeof(Face) + (size_t)skin->cells * sizeof(Cell) : 0;
}

OndStatus ond_smoke_skin_find(OndSmoke *s, OndError *err)
{
    ond_smoke_skin_free(s->skin);
    s->skin = NULL;
    if (!s->world.clearance) return OND_OK;
    OndSmokeSkin *const skin = OND_NEW(OndSmokeSkin);
    const int rows = (s->grid.n[1] + 1) * (s->grid.n[2] + 1);
    bool whole = skin && (skin->row = OND_NEW_ARRAY(int, rows + 1));
    for (int a = 0; a < ond_grid_axes(&s->grid) && whole; ++a)
        whole = search(s, skin, a);
    whole = whole && search(s, skin, -1);
    s->skin = skin;
    if (whole) return OND_OK;
    ond_smoke_skin_free(skin);
    s->skin = NULL;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the surfaces of solids in a grid");
}

// ---- velocity

void ond_smoke_skin_stick(OndSmoke *s)
{
    for (int k = 0; s->skin && k < s->skin->faces; ++k) {
        const Face *const f = &s->skin->face[k];
        if (f->closed) s->v[f->axis][f->at] = f->held[f->axis];
    }
}

static void slide_range(int first, int last, int worker, void *context)
{
    OndSmoke *const s = context;
    const OndStream stream = {&s->grid, {s->v[0], s->v[1], s->v[2]}, true};
    (void)worker;
    for (int k = first; k < last; ++k) {
        Face *const f = &s->skin->face[k];
        const OndVec n = ond_vec(f->normal[0], f->normal[1], f->normal[2]),
                     held = ond_vec(f->held[0], f->held[1], f->held[2]);
        const OndVec u = ond_stream_at(&stream, ond_vec(f->look[0], f->look[1], f->look[2]));
        const OndVec along = ond_sub(u, ond_scale(n, ond_dot(ond_sub(u, held), n)));
        f->value =
            (float)(f->slip * ond_axis(along, f->axis) + (1.0 - f->slip) * ond_axis(held, f->axis));
    }
}

void ond_smoke_skin_slide(OndSmoke *s)
{
    if (!s->skin) return;
    ond_parallel_for(s->skin->faces, GRAIN, slide_range, s);
    for (int k = 0; k < s->skin->faces; ++k)
        s->v[s->skin->face[k].axis][s->skin->face[k].at] = s->skin->face[k].value;
}

// ---- what is carried

static float mean_of_fluid(const OndGrid *g, const float *fluid, const float *x, size_t at)
{
    const int deep = g->deep;
    float sum = 0.0f, count = 0.0f;
    for (int k = -deep; k <= deep; ++k)
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
                const size_t there = at + (size_t)(i + j * g->row + k * g->plane);
                if (!(fluid[there] > 0.0f)) continue;
                sum += x[there];
                count += 1.0f;
            }
    return count > 0.0f ? sum / count : 0.0f;
}

// Between the cells round a place, of those that hold fluid; false where there are none.
static bool look_at_fluid(const OndSmoke *s, const float look[3], float *out)
{
    const OndGrid *const g = &s->grid;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    int low[3] = {0, 0, 0};
    double part[3] = {0, 0, 0}, sum = 0.0, weights = 0.0;
    for (int a = 0; a < ond_grid_axes(g); ++a) {
        const double x = (look[a] - ond_axis(g->origin, a)) / g->h - 0.5;
        low[a] = (int)fmin(fmax(floor(x), 0.0), fmax(g->n[a] - 2.0, 0.0));
        part[a] = fmin(fmax(x - low[a], 0.0), 1.0);
    }
    for (int c = 0; c < (g->deep ? 8 : 4); ++c) {
        const int e[3] = {c & 1, c >> 1 & 1, c >> 2};
        const size_t at = ond_grid_at(g, low[0] + e[0], low[1] + e[1], low[2] + e[2]);
        double weight = fluid[at] > 0.0f ? 1.0 : 0.0;
        for (int a = 0; a < ond_grid_axes(g); ++a)
            weight *= e[a] ? part[a] : 1.0 - part[a];
        sum += weight * s->temperature[at];
        weights += weight;
    }
    *out = weights > 0.0 ? (float)(sum / weights) : 0.0f;
    return weights > 0.0;
}

// A line from the fluid through the surface, which has the temperature of the solid, into it.
static float below_surface(const OndSmoke *s, const Cell *c)
{
    float off = 0.0f;
    if (!look_at_fluid(s, c->look, &off)) return c->temperature;
    return c->temperature + c->depth * (c->temperature - off);
}

// Reads fluid cells alone and writes covered ones.
static void fill_range(int first, int last, int worker, void *context)
{
    const OndSmoke *const s = context;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    (void)worker;
    for (int k = first; k < last; ++k) {
        const Cell *const c = &s->skin->cell[k];
        s->density[c->at] = mean_of_fluid(&s->grid, fluid, s->density, c->at);
        s->temperature[c->at] =
            c->heats ? below_surface(s, c) : mean_of_fluid(&s->grid, fluid, s->temperature, c->at);
    }
}

void ond_smoke_skin_fill(OndSmoke *s)
{
    if (s->skin) ond_parallel_for(s->skin->cells, GRAIN, fill_range, s);
}

static void clear_rows(int first, int last, int worker, void *context)
{
    const OndSmoke *const s = context;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(&s->grid, row);
        for (size_t i = at; i < at + (size_t)s->grid.n[0]; ++i)
            s->density[i] = fluid[i] > 0.0f ? s->density[i] : 0.0f;
    }
}

void ond_smoke_skin_clear(OndSmoke *s)
{
    if (s->skin) ond_parallel_for(s->grid.rows, s->grid.block, clear_rows, s);
}

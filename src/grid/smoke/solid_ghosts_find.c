// SPDX-License-Identifier: MIT
// Which faces and cells solids cover as they stand now.
#include "grid/smoke/solid_ghosts_state.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"
#include "physics/stencil.h"
#include "solids/solids.h"

#include <string.h>

#define DEEPEST 2.0  // cells: faces that no stencil reaches need nothing
#define OFF     1.0  // cells off the surface where the flow is looked at
#define REACH   1.25 // cells: from a cell's middle to a surface before its neighbour's
#define LEAST   0.05 // cells: no surface counts as nearer to the middle of a cell

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
static bool make_face(const OndSmoke *s, int axis, const int at[3], bool closed, OndGhostFace *out)
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
    *out = (OndGhostFace){.at = ond_grid_at(&s->grid, at[0], at[1], at[2]),
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

static int face_row(const OndSmoke *s, int axis, int row, OndGhostFace *out)
{
    const OndSpan span = ond_span(&s->grid, axis);
    const uint8_t *const open = ond_pressure_open(s->pressure, axis);
    const size_t begin = ond_span_row(&s->grid, &span, row);
    int count = 0;
    for (int i = 0; i < span.wide; ++i) {
        const int at[3] = {i, row % span.high, row / span.high};
        const int share = open[begin + (size_t)i];
        if (share > OND_SMOKE_SLIVER || on_side(&s->grid, axis, at)) continue;
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

// How far the surface is from the middle of a cell, below 0 inside; the solid if it has a
// temperature, otherwise NULL.
static double distance_of(const OndSmoke *s, const int at[3], const OndSolidDef **heater)
{
    int which = -1;
    const double near = s->world.clearance(
        s->world.clearance_own, ond_grid_middle(&s->grid, at[0], at[1], at[2]), NULL, &which);
    const OndSolidDef *const solid = which >= 0 ? ond_solids_def(s->world.solids, which) : NULL;
    *heater = solid && solid->heats ? solid : NULL;
    return near;
}

static int cell_row(const OndSmoke *s, bool heats, int row, OndGhostCell *out)
{
    const OndGrid *const g = &s->grid;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    const size_t begin = ond_grid_row(g, row);
    int count = 0;
    for (int i = 0; i < g->n[0]; ++i) {
        const size_t at = begin + (size_t)i;
        if (fluid[at] > 0.0f) continue;
        const OndSolidDef *heater = NULL;
        if (heats) distance_of(s, (const int[3]){i, row % g->n[1], row / g->n[1]}, &heater);
        if (!heater && !beside_fluid(g, fluid, at)) continue;
        if (out)
            out[count] =
                (OndGhostCell){at, heater, heater ? ond_smoke_warm(s, heater->temperature) : 0.0f};
        ++count;
    }
    return count;
}

// ---- shores

// Counts what is beyond a surface as the surface itself, at the distance it has.
static void add_surface(OndGhostShore *shore, double cells, float warmth)
{
    const double near = 1.0 / fmax(cells, LEAST);
    shore->near += (float)near;
    shore->near_heat += (float)(near * warmth);
}

// `off`: how far the surface is from the middle of the cell, in cells.
static void look_beyond(const OndSmoke *s, const int at[3], double off, int side,
                        OndGhostShore *shore)
{
    const OndGrid *const g = &s->grid;
    const int axis = side / 2;
    int there[3] = {at[0], at[1], at[2]};
    const OndSolidDef *heater;
    there[axis] += side % 2 ? 1 : -1;
    if (there[axis] < 0 || there[axis] >= g->n[axis]) { // sides have their own ghosts
        if (!g->periodic[axis]) return;
        there[axis] = there[axis] < 0 ? g->n[axis] - 1 : 0;
    }
    const double deep = -distance_of(s, there, &heater) / g->h;
    const size_t cell = ond_grid_at(g, there[0], there[1], there[2]);
    const bool covered = !(ond_pressure_fluid(s->pressure)[cell] > 0.0f);
    if (!heater || !(deep > 0.0 || covered)) return;
    off = fmax(off, 0.0);
    add_surface(shore, deep > 0.0 ? off / (off + deep) : 1.0,
                ond_smoke_warm(s, heater->temperature));
    shore->behind |= (uint8_t)(1u << side);
}

// The fluid of a cell with its middle in the solid is in a corner beside the surface, and is as
// good as on it.
static OndGhostShore make_shore(const OndSmoke *s, const int at[3], double near,
                                const OndSolidDef *heater)
{
    const int sides = 2 * ond_grid_axes(&s->grid);
    OndGhostShore shore = {.at = ond_grid_at(&s->grid, at[0], at[1], at[2]),
                           .colour = (uint8_t)((at[0] + at[1] + at[2]) & 1)};
    for (int side = 0; side < sides; ++side) {
        if (!heater || near > 0.0) {
            look_beyond(s, at, near / s->grid.h, side, &shore);
            continue;
        }
        add_surface(&shore, 0.0, ond_smoke_warm(s, heater->temperature));
        shore.behind |= (uint8_t)(1u << side);
    }
    return shore;
}

// All cells with fluid near a surface: which have it before a neighbour is seen when they are made.
static int shore_row(const OndSmoke *s, int row, OndGhostShore *out)
{
    const OndGrid *const g = &s->grid;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    int count = 0;
    for (int i = 0; i < g->n[0]; ++i) {
        const int at[3] = {i, row % g->n[1], row / g->n[1]};
        const OndSolidDef *heater;
        if (!(fluid[ond_grid_row(g, row) + (size_t)i] > 0.0f)) continue;
        const double near = distance_of(s, at, &heater);
        if (near > REACH * g->h) {
            i += (int)fmin(near / g->h - REACH, 1e6); // nothing is nearer than that
            continue;
        }
        if (out) out[count] = make_shore(s, at, near, heater);
        ++count;
    }
    return count;
}

// ---- finding them: rows are counted, then filled

enum { CELLS = 3, SHORES = 4 }; // below: faces across that axis

typedef struct GhostSearch {
    OndSmoke *s;
    OndSolidGhosts *ghosts;
    int kind;
    bool fill;
} GhostSearch;

static int search_row(const GhostSearch *q, int row)
{
    const OndSolidGhosts *const ghosts = q->ghosts;
    const int first = ghosts->row[row];
    if (q->kind == CELLS)
        return cell_row(q->s, ghosts->heats, row, q->fill ? ghosts->cell + first : NULL);
    if (q->kind == SHORES) return shore_row(q->s, row, q->fill ? ghosts->shore + first : NULL);
    return face_row(q->s, q->kind, row, q->fill ? ghosts->face + first : NULL);
}

static void search_rows(int first, int last, int worker, void *context)
{
    const GhostSearch *const q = context;
    (void)worker;
    for (int r = first; r < last; ++r) {
        const int count = search_row(q, r);
        if (!q->fill) q->ghosts->row[r] = count;
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

// Room for those that were counted, behind those there are.
static bool make_room(OndSolidGhosts *ghosts, int kind, int rows)
{
    if (kind == CELLS) {
        ghosts->cells = add_up(ghosts->row, rows, 0);
        return (ghosts->cell = OND_NEW_ARRAY(OndGhostCell, ghosts->cells + 1));
    }
    if (kind == SHORES) {
        ghosts->shores = add_up(ghosts->row, rows, 0);
        return (ghosts->shore = OND_NEW_ARRAY(OndGhostShore, ghosts->shores + 1));
    }
    const size_t had = (size_t)ghosts->faces * sizeof(OndGhostFace);
    ghosts->faces = add_up(ghosts->row, rows, ghosts->faces);
    return (ghosts->face = grow(ghosts->face, had, (size_t)ghosts->faces * sizeof(OndGhostFace)));
}

static bool search(OndSmoke *s, OndSolidGhosts *ghosts, int kind)
{
    const int rows = kind < CELLS ? ond_span(&s->grid, kind).rows : s->grid.rows;
    GhostSearch q = {s, ghosts, kind, false};
    ond_parallel_for(rows, 16, search_rows, &q);
    if (!make_room(ghosts, kind, rows)) return false;
    q.fill = true;
    ond_parallel_for(rows, 16, search_rows, &q);
    return true;
}

static bool any_heats(const OndSmoke *s)
{
    for (int k = 0; k < ond_solids_count(s->world.solids); ++k)
        if (ond_solids_def(s->world.solids, k)->heats) return true;
    return false;
}

OndStatus ond_solid_ghosts_find(OndSmoke *s, OndError *err)
{
    ond_solid_ghosts_free(s->ghosts);
    s->ghosts = NULL;
    if (!s->world.clearance) return OND_OK;
    OndSolidGhosts *const ghosts = OND_NEW(OndSolidGhosts);
    const int rows = (s->grid.n[1] + 1) * (s->grid.n[2] + 1);
    bool whole = ghosts && (ghosts->row = OND_NEW_ARRAY(int, rows + 1));
    for (int a = 0; a < ond_grid_axes(&s->grid) && whole; ++a)
        whole = search(s, ghosts, a);
    if (whole) ghosts->heats = any_heats(s);
    whole = whole && search(s, ghosts, CELLS) && (!ghosts->heats || search(s, ghosts, SHORES));
    s->ghosts = ghosts;
    if (whole) return OND_OK;
    ond_solid_ghosts_free(ghosts);
    s->ghosts = NULL;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the surfaces of solids in a grid");
}

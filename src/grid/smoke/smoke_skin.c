// SPDX-License-Identifier: MIT
#include "grid/smoke/smoke_skin.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"
#include "grid/stream.h"
#include "physics/stencil.h"
#include "solids/solids.h"

#include <string.h>

#define DEEPEST 2.0 // cells: faces that no stencil reaches need nothing
#define OFF     1.0 // cells off the surface where the flow is looked at
#define GRAIN   512
#define REACH   1.25 // cells: from a cell's middle to a surface before its neighbour's
#define LEAST   0.05 // cells: no surface counts as nearer to the middle of a cell

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

// A covered cell beside fluid, or anywhere in a solid with a temperature.
typedef struct Cell {
    size_t at;
    bool heats;
    float warmth; // of the solid
} Cell;

// A cell with fluid that may have a surface with a temperature between itself and neighbours.
typedef struct Shore {
    size_t at;
    uint8_t colour;  // of the cell, as on a chessboard
    uint8_t behind;  // bit 2 axis + way: that neighbour is beyond the surface
    float near;      // one over the distance of the surface in cells, summed over those
    float near_heat; // the same times its warmth
} Shore;

struct OndSmokeSkin {
    Face *face;
    Cell *cell;
    Shore *shore;
    int faces, cells, shores;
    bool heats; // a solid does
    int *row;   // of one kind, while they are found
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

static OndVec middle_of(const OndGrid *g, const int at[3])
{
    return ond_vec(g->origin.x + g->h * (at[0] + 0.5), g->origin.y + g->h * (at[1] + 0.5),
                   g->deep ? g->origin.z + g->h * (at[2] + 0.5) : 0.0);
}

// How far the surface is from the middle of a cell, below 0 inside; the solid if it has a
// temperature, otherwise NULL.
static double distance_of(const OndSmoke *s, const int at[3], const OndSolidDef **heater)
{
    int which = -1;
    const double near =
        s->world.clearance(s->world.clearance_own, middle_of(&s->grid, at), NULL, &which);
    const OndSolidDef *const solid = which >= 0 ? ond_solids_def(s->world.solids, which) : NULL;
    *heater = solid && solid->heats ? solid : NULL;
    return near;
}

static int cell_row(const OndSmoke *s, bool heats, int row, Cell *out)
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
            out[count] = (Cell){at, heater, heater ? ond_smoke_warm(s, heater->temperature) : 0.0f};
        ++count;
    }
    return count;
}

// ---- shores

// Counts what is beyond a surface as the surface itself, at the distance it has.
static void add_surface(Shore *shore, double cells, float warmth)
{
    const double near = 1.0 / fmax(cells, LEAST);
    shore->near += (float)near;
    shore->near_heat += (float)(near * warmth);
}

// `off`: how far the surface is from the middle of the cell, in cells.
static void look_beyond(const OndSmoke *s, const int at[3], double off, int side, Shore *shore)
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
static Shore make_shore(const OndSmoke *s, const int at[3], double near, const OndSolidDef *heater)
{
    const int sides = 2 * ond_grid_axes(&s->grid);
    Shore shore = {.at = ond_grid_at(&s->grid, at[0], at[1], at[2]),
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
static int shore_row(const OndSmoke *s, int row, Shore *out)
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

typedef struct SkinSearch {
    OndSmoke *s;
    OndSmokeSkin *skin;
    int kind;
    bool fill;
} SkinSearch;

static int search_row(const SkinSearch *q, int row)
{
    const OndSmokeSkin *const skin = q->skin;
    const int first = skin->row[row];
    if (q->kind == CELLS)
        return cell_row(q->s, skin->heats, row, q->fill ? skin->cell + first : NULL);
    if (q->kind == SHORES) return shore_row(q->s, row, q->fill ? skin->shore + first : NULL);
    return face_row(q->s, q->kind, row, q->fill ? skin->face + first : NULL);
}

static void search_rows(int first, int last, int worker, void *context)
{
    const SkinSearch *const q = context;
    (void)worker;
    for (int r = first; r < last; ++r) {
        const int count = search_row(q, r);
        if (!q->fill) q->skin->row[r] = count;
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
static bool make_room(OndSmokeSkin *skin, int kind, int rows)
{
    if (kind == CELLS) {
        skin->cells = add_up(skin->row, rows, 0);
        return (skin->cell = OND_NEW_ARRAY(Cell, skin->cells + 1));
    }
    if (kind == SHORES) {
        skin->shores = add_up(skin->row, rows, 0);
        return (skin->shore = OND_NEW_ARRAY(Shore, skin->shores + 1));
    }
    const size_t had = (size_t)skin->faces * sizeof(Face);
    skin->faces = add_up(skin->row, rows, skin->faces);
    return (skin->face = grow(skin->face, had, (size_t)skin->faces * sizeof(Face)));
}

static bool search(OndSmoke *s, OndSmokeSkin *skin, int kind)
{
    const int rows = kind < CELLS ? ond_span(&s->grid, kind).rows : s->grid.rows;
    SkinSearch q = {s, skin, kind, false};
    ond_parallel_for(rows, 16, search_rows, &q);
    if (!make_room(skin, kind, rows)) return false;
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

void ond_smoke_skin_free(OndSmokeSkin *skin)
{
    if (!skin) return;
    ond_free(skin->face);
    ond_free(skin->cell);
    ond_free(skin->shore);
    ond_free(skin->row);
    ond_free(skin);
}

size_t ond_smoke_skin_bytes(const OndSmokeSkin *skin)
{
    if (!skin) return 0;
    return (size_t)skin->faces * sizeof(Face) + (size_t)skin->cells * sizeof(Cell) +
           (size_t)skin->shores * sizeof(Shore);
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
    if (whole) skin->heats = any_heats(s);
    whole = whole && search(s, skin, CELLS) && (!skin->heats || search(s, skin, SHORES));
    s->skin = skin;
    if (whole) return OND_OK;
    ond_smoke_skin_free(skin);
    s->skin = NULL;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the surfaces of solids in a grid");
}

// ---- solids as they are

// After cooling and sources, which know nothing of solids.
static void warm(OndSmoke *s)
{
    for (int k = 0; s->skin && s->skin->heats && k < s->skin->cells; ++k) {
        const Cell *const c = &s->skin->cell[k];
        if (c->heats) s->warmth[c->at] = c->warmth;
    }
}

void ond_smoke_skin_stick(OndSmoke *s)
{
    warm(s);
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

// Reads fluid cells alone and writes covered ones.
static void fill_range(int first, int last, int worker, void *context)
{
    const OndSmoke *const s = context;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    (void)worker;
    for (int k = first; k < last; ++k) {
        const Cell *const c = &s->skin->cell[k];
        s->density[c->at] = mean_of_fluid(&s->grid, fluid, s->density, c->at);
        s->warmth[c->at] = c->heats ? c->warmth : mean_of_fluid(&s->grid, fluid, s->warmth, c->at);
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

// ---- heat through surfaces

typedef struct WarmthSpread {
    const OndGrid *grid;
    const Shore *shore;
    const float *before;
    float *x;
    float a;
    int colour;
} WarmthSpread;

// The sum of what is round a cell, with the share each has, and those shares.
static float sum_round(const OndGrid *g, const Shore *shore, const float *x, float *shares)
{
    float sum = shore->near_heat;
    *shares = shore->near;
    for (int side = 0; side < 2 * ond_grid_axes(g); ++side) {
        const ptrdiff_t step = ond_grid_stride(g, side / 2);
        if (shore->behind >> side & 1) continue;
        sum += x[side % 2 ? step : -step];
        *shares += 1.0f;
    }
    return sum;
}

static void relax_range(int first, int last, int worker, void *context)
{
    const WarmthSpread *const p = context;
    (void)worker;
    for (int k = first; k < last; ++k) {
        const Shore *const shore = &p->shore[k];
        float shares;
        if (shore->colour != p->colour) continue;
        const float sum = sum_round(p->grid, shore, p->x + shore->at, &shares);
        p->x[shore->at] =
            ond_diffusion_relax(p->before[shore->at], p->a, sum, 1.0f + p->a * shares);
    }
}

void ond_smoke_skin_relax(const OndSmoke *s, float *x, const float *before, float a, int colour)
{
    if (!s->skin || s->skin->shores == 0) return;
    WarmthSpread p = {&s->grid, s->skin->shore, before, x, a, colour};
    ond_parallel_for(s->skin->shores, GRAIN, relax_range, &p);
}

// Where the surface is too near for all of it, less is done, so that no value gets beyond its
// neighbours and the surface.
static void spread_range(int first, int last, int worker, void *context)
{
    const WarmthSpread *const p = context;
    (void)worker;
    for (int k = first; k < last; ++k) {
        const Shore *const shore = &p->shore[k];
        float shares;
        const float *const v = p->before + shore->at;
        const float sum = sum_round(p->grid, shore, v, &shares);
        const float a = p->a * shares < 1.0f ? p->a : 1.0f / shares;
        p->x[shore->at] = *v + ond_diffusion_gain(a, sum, shares, *v);
    }
}

void ond_smoke_skin_spread(const OndSmoke *s, float *x, const float *before, float a)
{
    if (!s->skin || s->skin->shores == 0) return;
    WarmthSpread p = {&s->grid, s->skin->shore, before, x, a, 0};
    ond_parallel_for(s->skin->shores, GRAIN, spread_range, &p);
}

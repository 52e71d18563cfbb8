// SPDX-License-Identifier: MIT
// Solids on a staggered grid: how much of each face is open.
//
// The distance to the nearest solid is found at the corners of a face (its two ends in 2D). Where
// its sign changes along an edge, the surface crosses it where the distance is 0 if it is linear;
// so the open share of an edge is known, and that of a face is the mean over a fan of four
// triangles round its middle, near enough. A cell that has a corner in a solid is cut; a sphere is
// round.
//
// Beside edges, and in gaps between two solids, the distance is not linear over a cell: a gap of
// which one wall is as near as the other is deep would count as narrower than it is, and the flow
// through it as faster. So a face that is cut is looked at once more in parts.
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"
#include "solids/solids.h"

#define FINER       4    // parts of an edge of a face that is cut
#define NEARLY_SHUT 0.02 // such faces are closed: slivers make the system stiff and nothing better

static OndVec corner(const OndGrid *g, double i, double j, double k)
{
    return ond_vec(g->origin.x + g->h * i, g->origin.y + g->h * j,
                   g->deep ? g->origin.z + g->h * k : 0.0);
}

double ond_smoke_distance(const OndSmoke *s, OndVec at)
{
    return s->world.clearance(s->world.clearance_own, at, NULL, NULL);
}

// The share of a triangle: one corner is cut off, or all but one.
static double open_triangle(double a, double b, double c)
{
    const int above = (a > 0.0) + (b > 0.0) + (c > 0.0);
    if (above == 0 || above == 3) return above / 3.0;
    const bool alone = above == 1;
    if ((b > 0.0) == alone && (a > 0.0) != alone && (c > 0.0) != alone)
        return open_triangle(b, c, a);
    if ((c > 0.0) == alone && (a > 0.0) != alone && (b > 0.0) != alone)
        return open_triangle(c, a, b);
    const double part = fabs(a / (a - b)) * fabs(a / (a - c));
    return alone ? part : 1.0 - part;
}

static double open_square(const double d[4])
{
    const double middle = 0.25 * (d[0] + d[1] + d[2] + d[3]);
    double sum = 0.0;
    for (int c = 0; c < 4; ++c)
        sum += 0.25 * open_triangle(middle, d[c], d[(c + 1) % 4]);
    return sum;
}

// A lower face of a cell, and into how many parts its two edges are cut.
typedef struct CellFace {
    const OndSmoke *s;
    int axis, at[3], parts[2];
} CellFace;

static double distance_on(const CellFace *f, int part, int other)
{
    const int b = (f->axis + 1) % 3, c = (f->axis + 2) % 3;
    double at[3] = {f->at[0], f->at[1], f->at[2]};
    at[b] += (double)part / f->parts[0];
    at[c] += (double)other / f->parts[1];
    return ond_smoke_distance(f->s, corner(&f->s->grid, at[0], at[1], at[2]));
}

static double open_parts(const CellFace *f)
{
    double d[FINER + 1][FINER + 1], sum = 0.0;
    for (int p = 0; p <= f->parts[0]; ++p)
        for (int q = 0; q <= f->parts[1]; ++q)
            d[p][q] = distance_on(f, p, q);
    for (int p = 0; p < f->parts[0]; ++p)
        for (int q = 0; q < f->parts[1]; ++q)
            sum +=
                open_square((const double[4]){d[p][q], d[p + 1][q], d[p + 1][q + 1], d[p][q + 1]});
    return sum / (f->parts[0] * f->parts[1]);
}

// Of the lower face of a cell across an axis.
static double open_share(const OndSmoke *s, int axis, int i, int j, int k)
{
    CellFace f = {s, axis, {i, j, k}, {1, 1}};
    const double whole = open_parts(&f);
    if (whole == 0.0 || whole == 1.0) return whole;
    f.parts[0] = s->grid.deep || axis == 0 ? FINER : 1; // in 2D nothing changes along z
    f.parts[1] = s->grid.deep || axis == 1 ? FINER : 1;
    return open_parts(&f);
}

OndVec ond_smoke_face(const OndGrid *g, int axis, int i, int j, int k)
{
    return corner(g, i + (axis == 0 ? 0.0 : 0.5), j + (axis == 1 ? 0.0 : 0.5),
                  k + (axis == 2 ? 0.0 : 0.5));
}

static float held_at(const void *own, int axis, int i, int j, int k)
{
    const OndSmoke *const s = own;
    OndVec v = {0, 0, 0};
    s->world.clearance(s->world.clearance_own, ond_smoke_face(&s->grid, axis, i, j, k), &v, NULL);
    return (float)ond_axis(v, axis);
}

OndHeld ond_smoke_held(const OndSmoke *s)
{
    const OndHeld held = {s->moving != 0.0 ? held_at : NULL, s};
    return held;
}

typedef struct FaceLook {
    OndSmoke *s;
    int axis;
    OndSpan span;
} FaceLook;

// Faces far from any solid are left open: those near are within half a face's diagonal.
static void look_rows(int first, int last, int worker, void *context)
{
    const FaceLook *const l = context;
    OndSmoke *const s = l->s;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const int j = row % l->span.high, k = row / l->span.high;
        for (int i = 0; i < l->span.wide; ++i) {
            const double near = ond_smoke_distance(s, ond_smoke_face(&s->grid, l->axis, i, j, k));
            if (near > s->grid.h) {
                i += (int)fmin(near / s->grid.h - 1.0, 1e6); // nothing is nearer than that
                continue;
            }
            const double open = near < -s->grid.h ? 0.0 : open_share(s, l->axis, i, j, k);
            const double kept = open < NEARLY_SHUT ? 0.0 : open;
            if (kept >= 1.0) continue;
            ond_pressure_close(s->pressure, l->axis, i, j, k, kept);
            if (kept == 0.0)
                s->v[l->axis][ond_grid_at(&s->grid, i, j, k)] = held_at(s, l->axis, i, j, k);
        }
    }
}

bool ond_smoke_moves(const OndSmoke *s)
{
    for (int k = 0; s->world.clearance && k < ond_solids_count(s->world.solids); ++k) {
        const OndSolidState *const state = ond_solids_state(s->world.solids, k);
        if (ond_solids_def(s->world.solids, k)->drifts) continue;
        if (ond_length(state->velocity) > 0.0 || ond_length(state->spin) > 0.0) return true;
    }
    return false;
}

OndStatus ond_smoke_look(OndSmoke *s, OndError *err)
{
    ond_pressure_reset(s->pressure);
    for (int a = 0; a < ond_grid_axes(&s->grid) && s->world.clearance; ++a) {
        FaceLook look = {s, a, ond_span(&s->grid, a)};
        ond_parallel_for(look.span.rows, 4, look_rows, &look);
    }
    OndStatus status = ond_pressure_ready(s->pressure, err);
    if (status == OND_OK) status = ond_solid_ghosts_find(s, err);
    s->looked = status == OND_OK;
    return status;
}

// What a solid uncovers has the values that were beside it; what it covers is not lost, but is
// shared out when things are carried.
static OndStatus move_on(OndSmoke *s, OndError *err)
{
    const double before = s->keeps ? ond_smoke_mass(s) : 0.0;
    ond_solid_ghosts_fill(s);
    const OndStatus status = ond_smoke_look(s, err);
    if (status != OND_OK) return status;
    s->displaced = s->keeps ? before - ond_smoke_mass(s) : 0.0;
    s->given =
        fmax(s->given, ond_smoke_given(s)); // what comes in may have to pass a narrower place
    return OND_OK;
}

OndStatus ond_smoke_solids(OndSmoke *s, OndError *err)
{
    const bool was_moving = s->moving != 0.0;
    s->moving = ond_smoke_moves(s) ? 1.0 : 0.0;
    s->displaced = 0.0;
    if (!s->looked) return ond_smoke_look(s, err);
    return s->moving != 0.0 || was_moving ? move_on(s, err) : OND_OK;
}

// SPDX-License-Identifier: MIT
// Constraints at surface particles and in the empty space before them.
//
// A particle is a depth of half a spacing inside; one spacing before it, where nothing else is, is
// as deep outside [Pouchol 4.2.1: inside at the centres of surface particles, outside at equal
// distances]. The source puts the outer ones at the centres of empty cells, and finds that the form
// of a drop then depends on where in its cell it lies; here they stand straight before the
// particle, and a place counts as empty when no other particle comes near. That also settles the
// source's other worry, the tip of a wave close to the bulk [F4.6], where normals cross: a place
// that is too near to something else is not outside and gets no constraint, and in a narrow gap the
// constraint stands in the middle of it, with the smaller depth that is true there.
//
// A particle of a broad surface tries the way out alone first; all others (edges, tips, threads,
// lone drops) also those across and between, of which those that lead into liquid are refused.
#include "surface/fields/variational_place.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define REACH        2.1 // spacings: neighbours that can stand in the way
#define CLEAR        0.9 // spacings to other particles that the place straight before one must have
#define CLEAR_ASIDE  1.15 // and all others: before a flat surface they would be too low
#define NARROW       0.62 // spacings: the nearest that the middle of a gap before a particle may be
#define NARROW_ASIDE 0.72 // and beside it
#define OPPOSITE     0.8  // cosine: within this cone a particle is across a gap, not beside
#define FACING       0.4  // cosine: within this a particle looks at another
#define STIFF        1e-6 // slack of what must be met, against rounding
#define SLACK        4.0  // of broad surfaces at full smoothing: bumps of jittered particles halve
#define BLOCK_POINTS 512

typedef struct Seat {
    double at[3]; // m
    double size, lift;
    OndAround around;
    OndFacing facing;
} Seat;

// ---- one outer place, `away` from the particle along the unit vector `way`

static double distance2(const double way[3], double away, const double x[3])
{
    double sum = 0.0;
    for (int a = 0; a < 3; ++a)
        sum += (way[a] * away - x[a]) * (way[a] * away - x[a]);
    return sum;
}

static bool blocks(const Seat *s, int j, const double way[3], double clear)
{
    const double least = s->around.radius[j] + (clear - 0.5) * s->size;
    return distance2(way, s->size, s->around.x[j]) < least * least;
}

static bool is_clear(const Seat *s, const double way[3], double clear)
{
    for (int j = 0; j < s->around.count; ++j)
        if (blocks(s, j, way, clear)) return false;
    return true;
}

static bool is_clear_along(const Seat *s, int axis, int sign)
{
    const double *a = s->facing.axis[axis], way[3] = {sign * a[0], sign * a[1], sign * a[2]};
    return is_clear(s, way, CLEAR_ASIDE);
}

static bool is_across(const Seat *s, int j, const double way[3])
{
    const double *x = s->around.x[j];
    const double along = x[0] * way[0] + x[1] * way[1] + x[2] * way[2];
    return along > 0.0 &&
           along * along > OPPOSITE * OPPOSITE * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// Nothing stands before the particle: its surface may be smoothed without closing a gap.
static bool is_open(const Seat *s)
{
    for (int j = 0; j < s->around.count; ++j)
        if (is_across(s, j, s->facing.axis[0])) return false;
    return true;
}

// ---- all of a particle's

typedef struct Try {
    OndConstraints *to;
    const OndPlacing *how;
    const Seat *seat;
    OndStatus status;
    OndError *err;
    int outer;
} Try;

// `deep`: of the particle; a place `away` from it is so much less.
static void put(Try *t, const double way[3], double away, double deep)
{
    const double half = 0.5 * t->how->points->spacing, size = t->seat->size;
    OndConstraint c = {.value = (deep - away) / half, .slack = STIFF, .size = size};
    for (int a = 0; a < 3; ++a)
        c.at[a] = t->seat->at[a] + way[a] * away;
    c.at[3] = t->how->when;
    if (t->status == OND_OK) t->status = ond_constraints_add(t->to, &c, t->err);
}

// Whether neighbour j is at a surface that faces against the way, or a sheet: before a broad
// surface particles that merely lie loose make no gap.
static bool looks_back(const Try *t, int j, const double way[3])
{
    const double *n = t->seat->facing.axis[0];
    if (!t->seat->facing.out || n[0] * way[0] + n[1] * way[1] + n[2] * way[2] < FACING) return true;
    const OndOutward *look = &t->how->look[t->seat->around.index[j]];
    const double along = way[0] * look->out[0] + way[1] * look->out[1] + way[2] * look->out[2];
    return look->sheet ? fabs(along) > FACING : along < -FACING;
}

// How far the middle of the gap to what blocks the way is; 0 when that is no gap.
static double middle_of_gap(const Try *t, const double way[3])
{
    const Seat *s = t->seat;
    double nearest = s->size;
    for (int j = 0; j < s->around.count; ++j) {
        if (!blocks(s, j, way, CLEAR)) continue;
        const double *x = s->around.x[j], d2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        const double along = x[0] * way[0] + x[1] * way[1] + x[2] * way[2];
        const double differ = s->around.radius[j] - 0.5 * s->size;
        if (!is_across(s, j, way) || !(along + differ > 0.0)) return 0.0;
        if (!looks_back(t, j, way)) return 0.0;
        nearest = fmin(nearest, 0.5 * (d2 - differ * differ) / (along + differ));
    }
    return nearest;
}

// Whether neighbour j faces the particle across a gap: each lies where the other looks.
static bool faces(const Try *t, int j)
{
    const Seat *s = t->seat;
    const OndOutward *look = &t->how->look[s->around.index[j]];
    const double *x = s->around.x[j], *n = s->facing.axis[0];
    const double d = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (look->sheet || d < 2.0 * NARROW * s->size) return false;
    return x[0] * n[0] + x[1] * n[1] + x[2] * n[2] > FACING * d &&
           x[0] * look->out[0] + x[1] * look->out[1] + x[2] * look->out[2] < -FACING * d;
}

// The middle between the particle and the nearest that faces it, if nobody else is there.
static void try_between(Try *t)
{
    const Seat *s = t->seat;
    int who = -1;
    double nearest = HUGE_VAL, way[3];
    for (int j = 0; j < s->around.count; ++j) {
        const double *x = s->around.x[j], d2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        if (d2 < nearest && faces(t, j)) nearest = d2, who = j;
    }
    if (who < 0) return;
    const double half = 0.5 * sqrt(nearest);
    for (int a = 0; a < 3; ++a)
        way[a] = s->around.x[who][a] / (2.0 * half);
    for (int j = 0; j < s->around.count; ++j)
        if (distance2(way, half, s->around.x[j]) < CLEAR * CLEAR * half * half) return;
    put(t, way, half, 0.5 * s->size);
}

// A way in the particle's own axes. `narrow`: the nearest that the middle of a gap may be, in
// sizes; 1 where a gap will not do.
static void try_way(Try *t, int a, int b, int c, double clear, double narrow)
{
    const Seat *seat = t->seat;
    const double(*axis)[3] = seat->facing.axis, length = sqrt(a * a + b * b + c * c);
    double way[3], away = seat->size;
    for (int k = 0; k < 3; ++k)
        way[k] = (a * axis[0][k] + b * axis[1][k] + c * axis[2][k]) / length;
    if (!is_clear(seat, way, clear)) {
        away = narrow < 1.0 ? middle_of_gap(t, way) : 0.0;
        if (!(away >= narrow * seat->size)) return;
    }
    const bool before = a > 0 && b == 0 && c == 0;
    put(t, way, away, 0.5 * seat->size + (before ? seat->lift : 0.0));
    ++t->outer;
}

static bool is_beside_sheet(const Try *t)
{
    const OndAround *around = &t->seat->around;
    for (int j = 0; j < around->count; ++j)
        if (t->how->look[around->index[j]].sheet) return true;
    return false;
}

// Straight before it, and behind it where the liquid is even round it; then beside it, and between
// all these.
static void try_all(Try *t, bool flat)
{
    const bool out = t->seat->facing.out, at_rim = out && is_beside_sheet(t);
    const double narrow = out || t->seat->facing.sheet ? NARROW : 1.0;
    try_way(t, 1, 0, 0, CLEAR, narrow);
    if (!out) try_way(t, -1, 0, 0, CLEAR, narrow);
    for (int side = -1; side <= 1; side += 2) {
        // at the rim of a sheet one side is free, and another sheet may be on the other
        const bool rim = at_rim && is_clear_along(t->seat, 1, -side);
        try_way(t, 0, side, 0, CLEAR_ASIDE, rim ? NARROW_ASIDE : 1.0);
        try_way(t, 1, side, 0, CLEAR_ASIDE, 1.0);
        try_way(t, -1, side, 0, CLEAR_ASIDE, 1.0);
        if (flat) continue;
        try_way(t, 0, 0, side, CLEAR_ASIDE, 1.0);
        for (int corner = 0; corner < 4; ++corner)
            try_way(t, corner & 1 ? -1 : 1, corner & 2 ? -1 : 1, side, CLEAR_ASIDE, 1.0);
    }
}

// Where the liquid lies even round a particle, it is the top of a hill, not a point of a slope: the
// function bends down from it and would cross 0 too far out. Measured: with outer values lowered
// so, sheets are a spacing thick, threads and drops have the volume of their particles. That of a
// drop falls with a power of the distance, which is another one where there is time.
static void lower(OndConstraints *to, int first, int outer, const OndPlacing *how, double size)
{
    static const double cut[2] = {0.234, 0.2};                      // 2D, 3D
    static const double power[2][2] = {{1.21, 1.58}, {1.66, 1.62}}; // and in time
    const int d = how->points->dimension - 2;
    const double sheet = 2.2, thread = d ? 1.6 : 1.0;
    const double ball = ond_ball_in_cells(how->points, size, how->cell, cut);
    const double drop = pow(ball, -power[how->in_time][d]) - 1.0;
    const double factor = outer <= 2 ? sheet : outer <= (d ? 10 : 5) ? thread : drop;
    for (int k = first; k < to->count; ++k)
        to->list[k].value *= factor;
}

static OndStatus place_one(OndConstraints *to, const OndPlacing *how, const Seat *seat,
                           OndError *err)
{
    const int start = to->count;
    const double none[3] = {0};
    Try t = {.to = to, .how = how, .seat = seat, .err = err};
    put(&t, none, 0.0, 0.5 * seat->size + seat->lift);
    try_all(&t, how->points->dimension == 2);
    if (seat->facing.out) try_between(&t);
    if (t.outer == 0) to->count = start; // it was no surface particle after all
    if (!seat->facing.out) lower(to, start + 1, t.outer, how, seat->size);
    const bool smooth = seat->facing.out && is_open(seat);
    for (int k = start; smooth && k < to->count; ++k) // less at edges and tips, which have more
        to->list[k].slack = how->slack / (t.outer * t.outer) + STIFF;
    return t.status;
}

// The constraints that points [first, last) give.
static OndStatus place_particles(OndConstraints *to, const OndPlacing *how, int first, int last,
                                 OndError *err)
{
    const OndPoints *p = how->points;
    OndStatus status = OND_OK;
    for (int i = first; i < last && status == OND_OK; ++i) {
        if (!p->surface[i]) continue;
        Seat seat = {.at = {p->x[i], p->y[i], p->z[i]}, .size = p->size[i]};
        seat.lift = how->look[i].lift;
        ond_around_find(&seat.around, p, i, REACH * fmax(p->size[i], p->spacing));
        seat.facing = ond_facing_find(&seat.around, seat.size, p->dimension);
        status = place_one(to, how, &seat, err);
    }
    return status;
}

// ---- all particles: blocks in parallel, put together in order

typedef struct PlacingBlocks {
    const OndPlacing *how;
    OndConstraints *part;
    OndStatus *status;
} PlacingBlocks;

static void place_blocks(int first, int last, int worker, void *context)
{
    const PlacingBlocks *b = context;
    const int count = b->how->points->count;
    for (int k = first; k < last; ++k) {
        const int from = k * BLOCK_POINTS, left = count - from;
        b->status[k] = place_particles(&b->part[k], b->how, from,
                                       from + (left < BLOCK_POINTS ? left : BLOCK_POINTS), NULL);
    }
}

static OndStatus append(OndConstraints *to, const OndConstraints *part, OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; k < part->count && status == OND_OK; ++k)
        status = ond_constraints_add(to, &part->list[k], err);
    return status;
}

static OndStatus place_all(OndConstraints *to, const OndPlacing *how, OndError *err)
{
    const int count = (how->points->count + BLOCK_POINTS - 1) / BLOCK_POINTS;
    PlacingBlocks b = {.how = how, .part = OND_NEW_ARRAY(OndConstraints, count)};
    b.status = OND_NEW_ARRAY(OndStatus, count);
    OndStatus status = b.part && b.status ? OND_OK : OND_NO_MEMORY;
    if (status == OND_OK) ond_parallel_for(count, 1, place_blocks, &b);
    for (int k = 0; k < count && b.part && b.status; ++k) {
        if (status == OND_OK) status = b.status[k];
        if (status == OND_OK) status = append(to, &b.part[k], err);
        ond_constraints_free(&b.part[k]);
    }
    ond_free(b.part);
    ond_free(b.status);
    if (status == OND_OK) return status;
    return ond_fail(err, status, "not enough memory for the constraints of %d particles",
                    how->points->count);
}

OndStatus ond_constraints_place(OndConstraints *all, const OndPoints *points,
                                const OndFieldDef *how, const double *when, OndError *err)
{
    OndOutward *look = NULL;
    OndStatus status = ond_look_make(&look, points, how->smoothing, err);
    if (status != OND_OK) return status;
    const double slack = SLACK * how->smoothing * how->smoothing;
    const OndPlacing placing = {.points = points,
                                .look = look,
                                .slack = slack,
                                .when = when ? *when : 0.0,
                                .in_time = when != NULL,
                                .cell = how->cell};
    status = how->placement == OND_PLACE_CELLS ? ond_place_cells(all, &placing, err)
                                               : place_all(all, &placing, err);
    ond_free(look);
    return status == OND_OK ? ond_constraints_merge(all, err) : status;
}

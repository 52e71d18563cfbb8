// SPDX-License-Identifier: MIT
// Which neighbours solids hide from the particles near them, and what walls count in the density.
//
// A neighbour behind a face's plane is either behind the solid, then it is hidden: in the list it
// becomes the particle itself, as padding is. Or it is seen past an edge, then the half-space
// behind the plane is not all wall, and the wall gets less by what that neighbour fills. Of the two
// planes, the particle's and the neighbour's, the line of sight passes the first on its way into
// the solid and the second on its way out; in that order it is cut off, in the other it passes an
// edge. Close below an edge the solid is transparent, as cracks are in the transparency method of
// Organ et al. 1996 (Continuous meshless approximations for nonconvex bodies by diffraction and
// transparency, Comput. Mech. 18). Who is in front of the edge itself, or of a corner, sees what is
// behind all of the faces that meet there; on the lattice that is exact.
#include "particles/sph/sph_solids.h"

#include "base/parallel.h"

#define ROW_GRAIN 256
#define EVEN      1e-3f // of the line of sight: planes of a sheet coincide
#define UNRULY    0.04  // spacings that particles without a lattice come nearer to a face
#define THIN      0.2f  // of what is behind a plane: more that is hidden means a thin solid
#define ACROSS    -0.7f // cosine of normals of two sides
#define CLEAR     0.5f  // spacings below an edge: deeper no two in front of its faces can meet
#define AS_NEAR   0.1f  // spacings: less than particles shake by
#define DEEP      0.5f  // spacings behind a plane: from here on a neighbour fills it wholly

// ---- neighbours behind solids

// How far a point is in front of a touch's plane, of a particle at x.
static inline float in_front(const OndRowTouch *touch, const float x[3], const float point[3])
{
    const float way[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
    return touch->distance + ond_dot3(touch->normal, way);
}

// How deep the line of sight of two particles, which is in the solid for a length, passes below the
// edge in which their planes meet.
static float below_edge(float length, float cosine)
{
    return 0.5f * length * sqrtf(fmaxf(1.0f - cosine, 0.0f) / fmaxf(1.0f + cosine, 1e-6f));
}

// How much of what is behind a plane of the one (by `depth`) is hidden from the other by the solid:
// 1 where the line of sight is cut off, 0 where it passes the edge. Near the edge the solid lets it
// through: who came closer unseen would burst apart when the edge no longer hides them.
static float cut_off(const OndRowTouch *mine, float depth, const float x[3], const OndRow *other,
                     const float y[3], float clear)
{
    const float near = fmaxf(mine->distance, 0.0f), into = near / (near + depth);
    const float way[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
    const float length = sqrtf(ond_dot3(way, way));
    float most = 0.0f;
    for (int k = 0; k < other->count; ++k) {
        const OndRowTouch *theirs = &other->touch[k];
        if (theirs->solid != mine->solid) continue;
        const float back = in_front(theirs, y, x);
        if (back >= 0.0f) continue;
        const float out = -back / (fmaxf(theirs->distance, 0.0f) - back);
        const float cosine = ond_dot3(mine->normal, theirs->normal);
        if (into > out + EVEN) continue;
        if (cosine < ACROSS) return 1.0f; // two sides of a sheet or a plate
        const float below = below_edge((out - into) * length, cosine) / clear;
        if (below >= 1.0f) return 1.0f;
        most = fmaxf(most, fmaxf(below, 0.0f));
    }
    return most;
}

// Whether an image is of a particle on the other side of a sheet, one that stands on the domain's
// wall.
static bool is_across(const OndSph *s, const OndRowTouch *mine, int image)
{
    const int slot = s->solids->slot[s->images.source[image]];
    for (int k = 0; slot >= 0 && k < s->solids->row[slot].count; ++k) {
        const OndRowTouch *theirs = &s->solids->row[slot].touch[k];
        if (theirs->solid == mine->solid && ond_dot3(theirs->normal, mine->normal) < ACROSS)
            return true;
    }
    return false;
}

// How far a face that bulges is behind its plane, at most, where it is nearest to a point.
static float sag_of(const OndRowTouch *touch, const float x[3], const float y[3])
{
    const float way[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
    const float across = ond_dot3(touch->normal, way);
    return touch->bend * (ond_dot3(way, way) - across * across);
}

// What neighbours fill of the half-space behind a plane.
typedef struct Filled {
    float value, slope[3]; // of the sum of W, and of its gradient
} Filled;

// What a neighbour behind a plane does: true when it is hidden; else it fills part of the wall, all
// of its place before it is hidden, so that nothing leaps when it is. Images beyond the domain's
// walls are hidden where the solid's own liquid would be. `across`: how far the solid stands
// between the two, by degrees.
static bool look_behind(const OndSph *s, OndRow *row, uint32_t j, Filled filled[], float *across)
{
    const int i = row->particle;
    const float x[3] = {s->x[0][i], s->x[1][i], s->x[2][i]};
    const float y[3] = {s->x[0][j], s->x[1][j], s->x[2][j]};
    const int n = s->fields.count;
    const bool image = j >= (uint32_t)n;
    for (int k = 0; k < row->count; ++k) {
        const float depth = -in_front(&row->touch[k], x, y);
        if (depth <= 0.0f || depth < sag_of(&row->touch[k], x, y)) continue;
        const float deep = fminf(depth / (DEEP * (float)s->world.spacing), 1.0f);
        const int slot = image ? -1 : s->solids->slot[j];
        const float cut = slot < 0 ? 0.0f
                                   : cut_off(&row->touch[k], depth, x, &s->solids->row[slot], y,
                                             CLEAR * (float)s->world.spacing);
        const float gone = cut * cut * (3.0f - 2.0f * cut), whole = fmaxf(deep, gone);
        const bool mirrored = image && is_across(s, &row->touch[k], (int)j - n);
        *across = mirrored ? 1.0f : fmaxf(*across, image ? deep : gone);
        if (cut == 1.0f || mirrored || (image && deep == 1.0f)) return true;
        const float d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
        filled[k].value += whole * ond_kernel_value(s->kernel, ond_dot3(d, d));
        const float g = whole * ond_kernel_gradient(s->kernel, sqrtf(ond_dot3(d, d)));
        for (int a = 0; a < 3; ++a)
            filled[k].slope[a] -= g * d[a];
    }
    return false;
}

// What is hidden of the sum of W, and (`thin`) what has the solid in between. That comes by
// degrees: a neighbour that counts from the moment it is hidden kicks those at the foot of a
// pyramid to 1 m/s.
static float hide_neighbours(const OndSph *s, OndRow *row, Filled filled[], float *thin)
{
    const int i = row->particle;
    uint32_t *list = s->lists.pool + s->lists.first[i];
    const float *px = s->x[0], *py = s->x[1], *pz = s->x[2];
    float hidden = 0.0f;
    for (uint32_t e = 0; e < s->lists.length[i]; ++e) {
        const uint32_t j = list[e];
        const float d[3] = {px[j] - px[i], py[j] - py[i], pz[j] - pz[i]};
        bool behind = false;
        float across = 0.0f;
        for (int k = 0; k < row->count; ++k)
            behind |= row->touch[k].distance + ond_dot3(row->touch[k].normal, d) < 0.0f;
        if (!behind || j == (uint32_t)i) continue;
        const float value = ond_kernel_value(s->kernel, ond_dot3(d, d));
        const bool gone = look_behind(s, row, j, filled, &across);
        *thin += across * value;
        if (!gone) continue;
        hidden += value;
        list[e] = (uint32_t)i;
    }
    return hidden;
}

// ---- what walls count

// How much of what is behind two faces the farther one leaves to the nearer: one half each where
// they are as near as each other, so that nothing leaps when they change places.
static float leaves(const OndRowTouch *mine, const OndRowTouch *other, float even)
{
    const float farther = 0.5f * (1.0f + (mine->distance - other->distance) / even);
    return fminf(fmaxf(farther, 0.0f), 1.0f);
}

// Each face gives what is behind it and not behind a nearer one.
static void share_out(const OndWallTable *table, float even, OndRow *row)
{
    for (int k = 0; k < row->count; ++k) {
        OndRowTouch *mine = &row->touch[k];
        for (int l = 0; l < row->count; ++l) {
            const OndRowTouch *other = &row->touch[l];
            if (l == k) continue;
            const float c = ond_dot3(mine->normal, other->normal), d = mine->distance;
            const float counts = other->news * (float)ond_touch_apart((double)c) *
                                 (1.0f - other->middle * (1.0f - other->sharp));
            const float covered =
                ond_wall_covered(d + table->beyond, other->distance, c, table->width);
            mine->edge *= 1.0f - counts * fmaxf(c, 0.0f) *
                                     ond_wall_covered(d, other->distance, c, table->width);
            mine->share *= 1.0f - counts * leaves(mine, other, even) * covered;
        }
    }
}

// A face that bends away has less behind it. No lattice fits it either, and particles that are not
// in order come nearer to a wall than those of a lattice: it counts as nearer by as much.
static void bend_touch(const OndSph *s, OndRowTouch *touch, float value)
{
    const OndWallTable *table = &s->solids->table;
    const float d = fmaxf(touch->distance, 0.0f);
    const float near = fmaxf(d - (float)(UNRULY * s->world.spacing), 0.0f);
    const float slope = ond_wall_sum(table, OND_WALL_SLOPE, d);
    const float depth = ond_wall_sum(table, OND_WALL_DEPTH, d) / value;
    touch->share *= ond_wall_bent(touch->bend, depth);
    touch->share *= ond_wall_sum(table, OND_WALL_VALUE, near) / value;
    touch->edge *= ond_wall_bent(touch->bend, d);
    if (slope > 0.0f) touch->edge *= ond_wall_sum(table, OND_WALL_SLOPE, near) / slope;
}

// Past an edge it is one side of the half-space that neighbours fill, and what is left of its
// gradient leans to the other. Whether a neighbour is hidden by an edge or seen past it then makes
// no difference to the particle: it pushes by itself, or the wall does in its place. `push` holds
// that until all rows are weighed, for others ask after the normal meanwhile.
static void lean_touch(const OndWallTable *table, const Filled *filled, float left,
                       OndRowTouch *touch)
{
    const float slope = ond_wall_sum(table, OND_WALL_SLOPE, touch->distance);
    const float known = touch->middle, size = sqrtf(ond_dot3(touch->narrow, touch->narrow));
    const float narrow = known * touch->edge * fminf(size, left) / fmaxf(size, 1e-6f);
    const bool some = known > 0.0f || (filled->value > 0.0f && slope > 0.0f);
    float lean[3] = {0};
    for (int a = 0; some && a < 3; ++a)
        lean[a] = narrow * touch->narrow[a] +
                  (1.0f - known) * (touch->edge * touch->normal[a] -
                                    touch->news * filled->slope[a] / fmaxf(slope, 1e-30f));
    const bool forward = ond_dot3(lean, touch->normal) > 0.0f;
    if (some && !forward) touch->edge = 0.0f;
    for (int a = 0; a < 3; ++a)
        touch->push[a] = forward ? lean[a] : 0.0f;
}

// What meets faces by contact needs their true normals.
static bool is_stiff(const OndSph *s, int i)
{
    return s->has_rigidity && (s->piece[i] || s->rigidity[i] > 0.0f);
}

static void lean_rows(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int k = first; k < last; ++k) {
        OndRow *row = ond_sph_row(s, k);
        for (int t = 0; t < row->count; ++t) {
            OndRowTouch *touch = &row->touch[t];
            const float size = sqrtf(ond_dot3(touch->push, touch->push));
            const bool leans = size > 0.0f && !is_stiff(s, row->particle);
            if (size > 0.0f) touch->edge = leans ? size : ond_dot3(touch->push, touch->normal);
            for (int a = 0; leans && a < 3; ++a)
                touch->normal[a] = touch->push[a] / size;
        }
    }
}

// Where it stands before neighbours the solid is thin, and the wall stands for them, too.
static void thin_touch(float across, float value, OndRowTouch *touch)
{
    const float thin = value > 0.0f ? fminf(across / (THIN * value), 1.0f) : 1.0f;
    touch->sharp += thin * (1.0f - touch->sharp);
    for (int a = 0; a < 3; ++a)
        touch->narrow[a] += thin * (touch->normal[a] - touch->narrow[a]);
}

static float weigh_touch(const OndSph *s, const Filled *filled, float across, OndRowTouch *touch)
{
    const OndWallTable *table = &s->solids->table;
    const float value = ond_wall_sum(table, OND_WALL_VALUE, touch->distance);
    const float left = value > filled->value ? 1.0f - filled->value / value : 0.0f;
    thin_touch(across, value, touch);
    const bool round = touch->round; // neighbours are seen past it all round, not one side
    const float known = touch->middle;
    const float share = left + known * (fminf(left, touch->sharp) - left);
    touch->share *= share;
    touch->open = round ? 0.0f : 1.0f - share;
    if (round) touch->edge *= left;
    if (round && value > 0.0f) bend_touch(s, touch, value);
    if (round)
        touch->push[0] = touch->push[1] = touch->push[2] = 0.0f;
    else
        lean_touch(table, filled, left, touch);
    return touch->share * value;
}

static void weigh_row(const OndSph *s, OndRow *row)
{
    const OndWallTable *table = &s->solids->table;
    Filled filled[OND_ROW_TOUCHES] = {{0}};
    float wall = 0.0f, across = 0.0f;
    const int i = row->particle;
    if (row->count > 1) share_out(table, AS_NEAR * (float)s->world.spacing, row);
    const float hidden = hide_neighbours(s, row, filled, &across);
    s->sum_w[i] -= hidden;
    for (int k = 0; k < row->count; ++k)
        wall += weigh_touch(s, &filled[k], across, &row->touch[k]);
    s->sum_w[i] += wall;
}

static void weigh_rows(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int k = first; k < last; ++k) {
        ond_sph_row_soon(s, k, last);
        weigh_row(s, ond_sph_row(s, k));
    }
}

void ond_sph_solids_weigh(OndSph *s)
{
    ond_parallel_for(s->solids->used_count, ROW_GRAIN, weigh_rows, s);
    ond_parallel_for(s->solids->used_count, ROW_GRAIN, lean_rows, s);
}

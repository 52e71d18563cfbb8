// SPDX-License-Identifier: MIT
// Extruded outlines: letters.
//
// In the plane of the outline: distance to the nearest line segment, sign by winding number (fonts
// draw a hole as a loop of the other direction, and letters may overlap). The thickness along z is
// combined with it as the two sides of a box are.
#include "geom/bvh.h"
#include "geom/crossings.h"
#include "geom/shape_kind.h"

typedef struct Segment {
    double ax, ay, bx, by;
} Segment;

typedef struct TextShape {
    OndShape base;
    double z_min, z_max;
    Segment *segment;
    int count;
    OndBvh bvh;
} TextShape;

static double segment_distance2(const void *context, int item, OndVec p)
{
    const Segment *s = &((const TextShape *)context)->segment[item];
    const double wx = s->bx - s->ax, wy = s->by - s->ay, px = p.x - s->ax, py = p.y - s->ay;
    const double length2 = wx * wx + wy * wy;
    const double t = length2 > 0.0 ? ond_clamp((px * wx + py * wy) / length2, 0.0, 1.0) : 0.0;
    const double dx = px - t * wx, dy = py - t * wy;
    return dx * dx + dy * dy;
}

typedef struct OutlineQuery {
    const TextShape *text;
    OndCrossings crossings;
} OutlineQuery;

/// Half-open in y, so that a line through a corner crosses one of its two segments.
static void cross_segment(void *context, int item)
{
    OutlineQuery *query = context;
    const Segment *s = &query->text->segment[item];
    const double y = query->crossings.row->y;
    const int turn = (s->ay <= y) - (s->by <= y);
    if (turn == 0) return;
    const double x = s->ax + (y - s->ay) / (s->by - s->ay) * (s->bx - s->ax);
    ond_crossings_add(&query->crossings, x, turn);
}

static void outline_row(const TextShape *text, const OndPointRow *row, unsigned char *inside)
{
    OutlineQuery query;
    query.text = text;
    ond_crossings_begin(&query.crossings, row);
    ond_bvh_along_x(&text->bvh, ond_vec(row->x, row->y, 0.0), cross_segment, &query);
    ond_crossings_inside(&query.crossings, false, inside);
}

static void text_row(const OndShape *shape, const OndPointRow *row, bool flat,
                     unsigned char *inside)
{
    const TextShape *text = (const TextShape *)shape;
    if (flat || (row->z >= text->z_min && row->z < text->z_max))
        outline_row(text, row, inside);
    else
        memset(inside, 0, (size_t)row->count);
}

static double text_distance(const OndShape *shape, OndVec p, bool flat)
{
    const TextShape *text = (const TextShape *)shape;
    if (text->count == 0) return 1e30;
    const OndPointRow row = {p.x, 1.0, p.y, 0.0, 1};
    unsigned char inside;
    outline_row(text, &row, &inside);
    const OndVec in_plane = {p.x, p.y, 0.0};
    const double away = sqrt(ond_bvh_nearest(&text->bvh, in_plane, segment_distance2, text));
    const double aside = inside ? -away : away;
    if (flat) return aside;
    return ond_distance_both(aside, ond_max(text->z_min - p.z, p.z - text->z_max));
}

static const OndShapeKind text_kind = {text_distance, text_row, NULL, NULL, false, NULL, NULL};

// ---- building ------------------------------------------------------------------------------

/// Where an outline's point goes; false for one that is not a sane number (boxes are floats).
static bool place_point(const float *point, OndVec at, double height, double *x, double *y)
{
    *x = at.x + height * point[0];
    *y = at.y + height * point[1];
    return fabs(*x) < 1e15 && fabs(*y) < 1e15;
}

/// Adds a loop's segments; one with a bad point adds none, so that all that is there is closed.
static void copy_loop(TextShape *text, const float *point, int count, OndVec at, double height)
{
    const int before = text->count;
    for (int i = 0; i < count; ++i) {
        const int next = i + 1 < count ? i + 1 : 0;
        Segment *s = &text->segment[text->count++];
        if (place_point(point + 2 * (size_t)i, at, height, &s->ax, &s->ay) &&
            place_point(point + 2 * (size_t)next, at, height, &s->bx, &s->by))
            continue;
        text->count = before;
        return;
    }
}

static void copy_outline(TextShape *text, const OndOutline *outline, OndVec at, double height)
{
    int first = 0;
    for (int loop = 0; loop < outline->loop_count; ++loop) {
        const int last = outline->loop_end[loop];
        if (last < first || last > outline->point_count) return;
        copy_loop(text, outline->point + 2 * (size_t)first, last - first, at, height);
        first = last;
    }
}

static bool build_tree(TextShape *text, OndArena *arena)
{
    OndBox *box = OND_NEW_ARRAY(OndBox, text->count);
    if (!box) return false;
    for (int i = 0; i < text->count; ++i) {
        const Segment *s = &text->segment[i];
        const OndVec a = {s->ax, s->ay, 0.0}, b = {s->bx, s->by, 0.0};
        box[i] = ond_box_add((OndBox){a, a}, b);
        text->base.bounds = ond_box_join(text->base.bounds, box[i]);
    }
    const bool built = ond_bvh_build(&text->bvh, arena, box, text->count);
    ond_free(box);
    return built;
}

OndShape *ond_shape_text(OndArena *arena, const OndOutline *outline, OndVec at, double height,
                         double depth)
{
    const int points = outline->point_count;
    if (points < 0 || points > OND_MESH_MAX) return NULL;
    TextShape *text = ond_arena_take(arena, sizeof *text);
    Segment *segment = ond_arena_take(arena, (size_t)points * sizeof *segment);
    if (!text || !segment) return NULL;
    text->base = (OndShape){&text_kind, ond_box_empty()};
    text->segment = segment;
    text->z_min = at.z;
    text->z_max = at.z + depth;
    copy_outline(text, outline, at, height);
    if (!build_tree(text, arena)) return NULL;
    if (text->count > 0) {
        text->base.bounds.min.z = text->z_min;
        text->base.bounds.max.z = text->z_max;
    }
    return &text->base;
}

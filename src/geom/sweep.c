// SPDX-License-Identifier: MIT
#include "geom/sweep.h"

#define ROUNDS_MAX   64
#define ADVANCES_MAX 400
#define NEAR         1e-8 // of the radius: near enough to call it contact

static OndVec along(const OndSweep *sweep, double t)
{
    return ond_add(sweep->from, ond_scale(ond_sub(sweep->to, sweep->from), t));
}

static void set_contact(OndContact *contact, double t, OndVec at, OndVec normal)
{
    contact->t = t;
    contact->at = at;
    contact->normal = normal;
}

/// From the surface to the centre. A centre on the surface is taken to have come from where its way
/// came from.
static OndVec away_from(OndVec at, OndVec centre, OndVec face, OndVec way, double *distance)
{
    const OndVec offset = ond_sub(centre, at);
    *distance = ond_length(offset);
    if (*distance > 0.0) return ond_scale(offset, 1.0 / *distance);
    const OndVec normal = ond_unit(face);
    if (ond_dot(normal, normal) == 0.0) return ond_scale(ond_unit(way), -1.0);
    return ond_dot(normal, way) > 0.0 ? ond_scale(normal, -1.0) : normal;
}

bool ond_sweep_triangle(const OndVec corner[3], const OndSweep *sweep, OndContact *contact)
{
    const OndVec way = ond_sub(sweep->to, sweep->from);
    const double length = ond_length(way);
    double t = 0.0;
    for (int round = 0;; ++round) {
        const OndVec centre = ond_add(sweep->from, ond_scale(way, t));
        const OndVec at = ond_closest_on_triangle(corner, centre).at;
        double distance;
        const OndVec normal = away_from(at, centre, ond_triangle_normal(corner), way, &distance);
        if (round == 0) contact->start = ond_min(contact->start, distance);
        const double gap = distance - sweep->radius, closing = -ond_dot(way, normal);
        if (!(closing > 1e-14 * length)) return false;
        if (gap <= NEAR * sweep->radius || round == ROUNDS_MAX) {
            set_contact(contact, t, at, normal);
            return true;
        }
        t += gap / closing;
        if (!(t < contact->t)) return false;
    }
}

// ---- going on by what is surely free ---------------------------------------------------------

typedef double DistanceFn(const void *context, double t);

/// How far it can go until its distance, which changes by at most `bound` over the whole way, is
/// down to the radius, or comes below what it was at the start. True when that is before `limit`.
/// Along a surface it goes in small steps, and stops before the one that brings it nearer.
static bool advance(DistanceFn *distance_at, const void *context, double radius, double bound,
                    double limit, double *stop)
{
    double t = 0.0, distance = distance_at(context, 0.0);
    const double level = ond_min(radius, distance), step = 1e-3 * radius;
    for (int round = 0; round < ADVANCES_MAX; ++round) {
        const double gap = distance - level;
        const double next = t + ond_max(gap, step) / bound;
        const double then = distance_at(context, ond_min(next, limit));
        if (then < level - 1e-6 * radius || (gap <= 1e-6 * radius && then < distance)) {
            *stop = t;
            return true;
        }
        if (!(next < limit)) return false;
        t = next;
        distance = then;
    }
    *stop = t;
    return true;
}

// ---- triangles whose corners move ------------------------------------------------------------

typedef struct MovingTriangle {
    const OndVec *corner, *end;
    const OndSweep *sweep;
} MovingTriangle;

static OndVec nearest_then(const MovingTriangle *m, double t, OndVec now[3])
{
    for (int k = 0; k < 3; ++k)
        now[k] = ond_add(m->corner[k], ond_scale(ond_sub(m->end[k], m->corner[k]), t));
    return ond_closest_on_triangle(now, along(m->sweep, t)).at;
}

static double moving_distance(const void *context, double t)
{
    const MovingTriangle *m = context;
    OndVec now[3];
    return sqrt(ond_distance2(nearest_then(m, t, now), along(m->sweep, t)));
}

static OndVec middle_of(const OndVec corner[3])
{
    return ond_scale(ond_add(ond_add(corner[0], corner[1]), corner[2]), 1.0 / 3.0);
}

/// How fast, at most, the ball and the triangle close in, seen from the triangle's middle.
static double closing_bound(const OndVec corner[3], const OndVec end[3], OndVec way, OndVec drift)
{
    double most = 0.0;
    for (int k = 0; k < 3; ++k)
        most = ond_max(most, ond_distance2(ond_sub(end[k], corner[k]), drift));
    return sqrt(most) + ond_length(ond_sub(way, drift));
}

bool ond_sweep_moving_triangle(const OndVec corner[3], const OndVec end[3], const OndSweep *sweep,
                               OndContact *contact)
{
    const OndVec way = ond_sub(sweep->to, sweep->from);
    const OndVec drift = ond_sub(middle_of(end), middle_of(corner));
    const double bound = closing_bound(corner, end, way, drift);
    const MovingTriangle moving = {corner, end, sweep};
    const double first = moving_distance(&moving, 0.0);
    contact->start = ond_min(contact->start, first);
    if (first > sweep->radius + bound) return false;
    double t, distance;
    if (!advance(moving_distance, &moving, sweep->radius, bound, contact->t, &t)) return false;
    OndVec now[3];
    const OndVec at = nearest_then(&moving, t, now);
    const OndVec normal =
        away_from(at, along(sweep, t), ond_triangle_normal(now), ond_sub(way, drift), &distance);
    set_contact(contact, t, at, normal);
    return true;
}

// ---- closed forms ----------------------------------------------------------------------------

typedef struct ShapeWay {
    const OndShape *shape;
    const OndSweep *sweep;
    bool flat;
    double side; ///< -1: it began inside
} ShapeWay;

static double shape_distance(const void *context, double t)
{
    const ShapeWay *w = context;
    return w->side * ond_shape_distance(w->shape, along(w->sweep, t), w->flat);
}

/// From outside a convex shape the distance is convex, as that from a triangle. A slope taken a
/// little behind is never too flat.
static bool approach_convex(const ShapeWay *way, double radius, double length, double limit,
                            double *stop)
{
    double t = 0.0, distance = shape_distance(way, 0.0);
    const double level = ond_min(radius, distance), behind = 1e-4 * radius / length;
    for (int round = 0;; ++round) {
        const double gap = distance - level;
        const double closing = (shape_distance(way, t - behind) - distance) / behind;
        if (!(closing > 1e-9 * length)) return false;
        if (gap <= NEAR * radius || round == ROUNDS_MAX) break;
        t += gap / closing;
        if (!(t < limit)) return false;
        distance = shape_distance(way, t);
    }
    *stop = t;
    return true;
}

/// From inside it is concave: a chord of it never leads too far, and where its end is free all of
/// the way is.
static bool leave_convex(const ShapeWay *way, double radius, double limit, double *stop)
{
    double low = 0.0, high = limit, at_low = shape_distance(way, low);
    double at_high = shape_distance(way, high);
    const double level = ond_min(radius, at_low);
    if (at_high >= level) return false;
    for (int round = 0; round < ROUNDS_MAX && at_low - level > NEAR * radius; ++round) {
        const double chord = (at_low - level) / (at_low - at_high);
        const double t = low + (high - low) * (round % 2 ? 0.5 : chord);
        const double distance = shape_distance(way, t);
        if (distance >= level) {
            low = t;
            at_low = distance;
        } else {
            high = t;
            at_high = distance;
        }
    }
    // One that touches may first go along, or away.
    for (int round = 0; low == 0.0 && round < 40; ++round) {
        const double t = 0.5 * high;
        if (shape_distance(way, t) >= level)
            low = t;
        else
            high = t;
    }
    *stop = low;
    return true;
}

static bool find_contact(const ShapeWay *way, double length, double limit, double *stop)
{
    const double radius = way->sweep->radius;
    if (!ond_shape_is_convex(way->shape))
        return advance(shape_distance, way, radius, length, limit, stop);
    return way->side > 0.0 ? approach_convex(way, radius, length, limit, stop)
                           : leave_convex(way, radius, limit, stop);
}

bool ond_sweep_shape(const OndShape *shape, bool flat, const OndSweep *sweep, OndContact *contact)
{
    const double length = sqrt(ond_distance2(sweep->from, sweep->to));
    const double first = ond_shape_distance(shape, sweep->from, flat);
    const ShapeWay way = {shape, sweep, flat, first < 0.0 ? -1.0 : 1.0};
    contact->start = ond_min(contact->start, fabs(first));
    if (!(length > 0.0) || fabs(first) > sweep->radius + length) return false;
    double t;
    if (!find_contact(&way, length, contact->t, &t)) return false;
    const OndVec centre = along(sweep, t);
    const OndVec slope = ond_shape_gradient(shape, centre, 1e-4 * sweep->radius, flat);
    const OndVec normal = ond_scale(slope, way.side);
    const double distance = shape_distance(&way, t);
    set_contact(contact, t, ond_sub(centre, ond_scale(normal, distance)), normal);
    return true;
}

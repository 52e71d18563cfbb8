// SPDX-License-Identifier: MIT
#include "solids/scene/motion.h"

#define DEGREE (M_PI / 180.0)

// ---- rotations: the quaternion of an OndPose

static OndPose turn_multiply(const OndPose *a, const OndPose *b)
{
    const OndPose q = {{0, 0, 0},
                       a->w * b->w - a->x * b->x - a->y * b->y - a->z * b->z,
                       a->w * b->x + a->x * b->w + a->y * b->z - a->z * b->y,
                       a->w * b->y - a->x * b->z + a->y * b->w + a->z * b->x,
                       a->w * b->z + a->x * b->y - a->y * b->x + a->z * b->w};
    return q;
}

static OndPose turn_back(const OndPose *a)
{
    const OndPose q = {{0, 0, 0}, a->w, -a->x, -a->y, -a->z};
    return q;
}

// The rotation about `way` by its length.
static OndPose turn_by(OndVec way)
{
    const double angle = ond_length(way), half = 0.5 * angle;
    const double s = angle > 1e-9 ? sin(half) / angle : 0.5;
    const OndPose q = {{0, 0, 0}, cos(half), s * way.x, s * way.y, s * way.z};
    return q;
}

// The shortest such way.
static OndVec turn_way(const OndPose *q)
{
    const OndVec axis = ond_vec(q->x, q->y, q->z);
    const double s = ond_length(axis), sign = q->w < 0.0 ? -1.0 : 1.0;
    const double factor = s > 1e-12 ? 2.0 * atan2(s, sign * q->w) / s : 2.0;
    return ond_scale(axis, sign * factor);
}

static OndPose turn_unit(OndPose q)
{
    const double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q.w /= length, q.x /= length, q.y /= length, q.z /= length;
    return q;
}

static const OndVec axis_of[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Degrees about x, then y, then z.
static OndPose turn_of(OndVec degrees)
{
    OndPose q = ond_pose_still();
    for (int a = 0; a < 3; ++a) {
        const OndPose one = turn_by(ond_scale(axis_of[a], DEGREE * ond_axis(degrees, a)));
        q = turn_multiply(&one, &q);
    }
    return q;
}

OndPose ond_pose_chain(const OndPose *outer, const OndPose *inner)
{
    OndPose q = turn_multiply(outer, inner);
    q.at = ond_pose_out(outer, inner->at);
    return q;
}

// ---- key frames

// The slope at a key between two stretches: none where the way turns round, otherwise so small that
// the curve stays between its keys [Fritsch, Butland 1984].
static double hold_back(double left, double right, double before, double after)
{
    if (!(left * right > 0.0)) return 0.0;
    return 3.0 * (before + after) /
           ((2.0 * after + before) / left + (after + 2.0 * before) / right);
}

static OndVec hold_back_all(OndVec left, OndVec right, double before, double after)
{
    return ond_vec(hold_back(left.x, right.x, before, after),
                   hold_back(left.y, right.y, before, after),
                   hold_back(left.z, right.z, before, after));
}

// How it turns from one key to the next, in the frame of the first. Where one angle alone changes,
// that is one axis, and whole turns count.
static OndVec way_between(OndVec from, OndVec to)
{
    int axis = -1, changes = 0;
    for (int a = 0; a < 3; ++a)
        if (ond_axis(from, a) != ond_axis(to, a)) axis = a, ++changes;
    const OndPose a = turn_of(from), b = turn_of(to), back = turn_back(&a);
    const OndPose between = turn_multiply(&back, &b);
    if (changes != 1) return turn_way(&between);
    // what was turned before this axis turns the axis itself
    const OndVec before = ond_vec(axis > 0 ? from.x : 0.0, axis > 1 ? from.y : 0.0, 0.0);
    const OndPose inner = turn_of(before);
    const double angle = DEGREE * (ond_axis(to, axis) - ond_axis(from, axis));
    return ond_scale(ond_pose_unturn(&inner, axis_of[axis]), angle);
}

static void set_slopes(OndMotionKey *key, int count)
{
    for (int k = 1; k + 1 < count; ++k) {
        const double before = key[k].time - key[k - 1].time, after = key[k + 1].time - key[k].time;
        key[k].velocity =
            hold_back_all(ond_scale(ond_sub(key[k].at, key[k - 1].at), 1.0 / before),
                          ond_scale(ond_sub(key[k + 1].at, key[k].at), 1.0 / after), before, after);
        key[k].spin = hold_back_all(ond_scale(key[k - 1].way, 1.0 / before),
                                    ond_scale(key[k].way, 1.0 / after), before, after);
    }
}

OndStatus ond_motion_make(const OndSceneSolid *def, OndVec pivot, OndPose base, OndArena *arena,
                          OndMotion *out, OndError *err)
{
    const OndPoseKey *const given = def->keys.items;
    const int count = def->keys.count > 0 ? def->keys.count : 1;
    OndMotionKey *const key = ond_arena_take(arena, (size_t)count * sizeof *key);
    if (!key) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the motion of a solid");
    const OndVec rest = ond_node_get(def->node, "at") ? def->at : pivot;
    for (int k = 0; k < count; ++k) {
        const bool has = def->keys.count > 0;
        const bool placed = has && ond_node_get(given[k].node, "at");
        const OndVec turn = has ? given[k].turn : def->turn;
        key[k].time = has ? given[k].time : 0.0;
        key[k].at = placed ? given[k].at : rest;
        key[k].turn = turn_of(turn);
        if (k + 1 < count) key[k].way = way_between(turn, given[k + 1].turn);
    }
    set_slopes(key, count);
    *out = (OndMotion){.def = def, .pivot = pivot, .base = base, .count = count, .key = key};
    return OND_OK;
}

// ---- at a time

typedef struct Stand {
    OndVec at, velocity; // of the pivot
    OndPose turn;
    OndVec spin; // in the world
} Stand;

static void place_between(const OndMotionKey *a, const OndMotionKey *b, double s, Stand *out)
{
    const double h = b->time - a->time, r = 1.0 - s;
    const double start = r * r * (1.0 + 2.0 * s), end = s * s * (3.0 - 2.0 * s);
    const OndVec lean =
        ond_add(ond_scale(a->velocity, h * s * r * r), ond_scale(b->velocity, -h * s * s * r));
    out->at = ond_add(ond_add(ond_scale(a->at, start), ond_scale(b->at, end)), lean);
    const OndVec chord = ond_scale(ond_sub(b->at, a->at), 6.0 * s * r / h);
    out->velocity = ond_add(chord, ond_add(ond_scale(a->velocity, r * (1.0 - 3.0 * s)),
                                           ond_scale(b->velocity, s * (3.0 * s - 2.0))));
}

static bool parallel(OndVec a, OndVec b)
{
    return ond_length(ond_cross(a, b)) <= 1e-12 * ond_length(a) * ond_length(b);
}

// The middle one of the three rotations that lead from a key to the next. Of all its values that
// differ by whole turns it is the one next to what it would be about one axis.
static OndVec middle_way(OndVec way, OndVec first, OndVec last)
{
    const OndVec guess = ond_sub(way, ond_add(first, last));
    if (parallel(way, first) && parallel(way, last)) return guess;
    const OndPose a = turn_by(ond_scale(first, -1.0)), m = turn_by(way),
                  b = turn_by(ond_scale(last, -1.0));
    OndPose q = turn_multiply(&a, &m);
    q = turn_multiply(&q, &b);
    const OndVec least = turn_way(&q), axis = ond_unit(least);
    const double turns = round((ond_dot(guess, axis) - ond_length(least)) / (2.0 * M_PI));
    return ond_add(least, ond_scale(axis, 2.0 * M_PI * turns));
}

static void turn_between(const OndMotionKey *a, const OndMotionKey *b, double s, Stand *out)
{
    const double h = b->time - a->time, r = 1.0 - s;
    const OndVec w1 = ond_scale(a->spin, h / 3.0), w3 = ond_scale(b->spin, h / 3.0);
    const OndVec w2 = middle_way(a->way, w1, w3);
    const double value[3] = {1.0 - r * r * r, s * s * (3.0 - 2.0 * s), s * s * s};
    const double rate[3] = {3.0 * r * r / h, 6.0 * s * r / h, 3.0 * s * s / h};
    const OndVec way[3] = {w1, w2, w3};
    OndPose q = a->turn;
    OndVec spin = {0, 0, 0}; // in the frame that has been turned so far
    for (int k = 0; k < 3; ++k) {
        const OndPose part = turn_by(ond_scale(way[k], value[k]));
        q = turn_multiply(&q, &part);
        spin = ond_add(ond_pose_unturn(&part, spin), ond_scale(way[k], rate[k]));
    }
    out->turn = q;
    out->spin = ond_pose_turn(&q, spin);
}

static Stand stand_by_keys(const OndMotion *m, double time)
{
    const OndMotionKey *const key = m->key, *const last = key + m->count - 1;
    if (!(time > key->time)) return (Stand){.at = key->at, .turn = key->turn};
    if (!(time < last->time)) return (Stand){.at = last->at, .turn = last->turn};
    int k = 0;
    while (key[k + 1].time <= time)
        ++k;
    const double s = (time - key[k].time) / (key[k + 1].time - key[k].time);
    Stand out = {.turn = key[k].turn};
    place_between(&key[k], &key[k + 1], s, &out);
    turn_between(&key[k], &key[k + 1], s, &out);
    return out;
}

static OndDual formula_at(const OndExpression *e, double time)
{
    const OndDual none = {0.0, 0.0};
    return e ? ond_expression_at(e, time) : none;
}

static void add_formulas(const OndSceneSolid *def, double time, Stand *s)
{
    OndDual move[3], turn[3];
    for (int a = 0; a < 3; ++a) {
        move[a] = formula_at(def->move.part[a], time);
        turn[a] = formula_at(def->turn_by.part[a], time);
    }
    s->at = ond_add(s->at, ond_vec(move[0].value, move[1].value, move[2].value));
    s->velocity = ond_add(s->velocity, ond_vec(move[0].rate, move[1].rate, move[2].rate));
    OndPose q = ond_pose_still();
    OndVec spin = {0, 0, 0}; // of what has been turned so far, in the world
    for (int a = 0; a < 3; ++a) {
        const OndPose one = turn_by(ond_scale(axis_of[a], DEGREE * turn[a].value));
        q = turn_multiply(&one, &q);
        spin = ond_add(ond_pose_turn(&one, spin), ond_scale(axis_of[a], DEGREE * turn[a].rate));
    }
    s->spin = ond_add(ond_pose_turn(&q, s->spin), spin);
    s->turn = turn_multiply(&q, &s->turn);
}

static bool has_formulas(const OndSceneSolid *def)
{
    bool some = false;
    for (int a = 0; a < 3; ++a)
        some = some || def->move.part[a] || def->turn_by.part[a];
    return some;
}

// q = from exp(way s), with s from 0 to 1.
static OndSolidState led_state(const OndMotionLead *l, double time)
{
    const double length = l->to_time - l->from_time;
    const double s = fmin(fmax((time - l->from_time) / length, 0.0), 1.0);
    const bool under_way = time > l->from_time - OND_SOON && time < l->to_time - OND_SOON;
    const OndPose back = turn_back(&l->from), between = turn_multiply(&back, &l->to);
    const OndVec way = turn_way(&between), path = ond_sub(l->to.at, l->from.at);
    const OndPose part = turn_by(ond_scale(way, s));
    OndSolidState state = {.pose = s < 1.0 ? turn_multiply(&l->from, &part) : l->to};
    state.pose.at = s < 1.0 ? ond_add(l->from.at, ond_scale(path, s)) : l->to.at;
    if (!under_way) return state;
    state.velocity = ond_scale(path, 1.0 / length);
    state.spin = ond_scale(ond_pose_turn(&l->from, way), 1.0 / length);
    return state;
}

OndSolidState ond_motion_at(const OndMotion *m, double time)
{
    if (m->lead) return led_state(m->lead, time);
    Stand s = stand_by_keys(m, time);
    if (has_formulas(m->def)) add_formulas(m->def, time, &s);
    OndPose shape = turn_unit(s.turn); // of the shape's coordinates
    shape.at = ond_sub(s.at, ond_pose_turn(&shape, m->pivot));
    OndSolidState state = {.pose = ond_pose_chain(&shape, &m->base), .spin = s.spin};
    state.velocity = ond_add(s.velocity, ond_cross(s.spin, ond_sub(state.pose.at, s.at)));
    return state;
}

bool ond_motion_moves(const OndMotion *m)
{
    bool moves = m->count > 1 || m->lead;
    for (int a = 0; a < 3; ++a) {
        const OndExpression *const move = m->def->move.part[a], *const turn =
                                                                    m->def->turn_by.part[a];
        moves =
            moves || (move && ond_expression_varies(move)) || (turn && ond_expression_varies(turn));
    }
    return moves;
}

OndVec ond_motion_pivot(const OndMotion *m, const OndPose *pose)
{
    return ond_pose_out(pose, ond_pose_in(&m->base, m->pivot));
}

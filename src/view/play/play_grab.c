// SPDX-License-Identifier: MIT
// Holding something: it is pulled after the pointer as by a spring that is damped, and its weight is carried.
//
// What is held is a body that the fluid moves, a piece of what is solid, or else the lump that is in the
// tool. The spring asks for a velocity, v = way / FOLLOWS, and gives a share of what is missing each step: it
// cannot overshoot, however long steps are.
#include "view/play/play_state.h"

#include <math.h>

#define FOLLOWS 0.08 // s in which it comes after the pointer
#define YIELDS  0.03 // s in which it takes on the velocity that it should have
#define SPIN    0.5  // share of the turn that the pull gives: a piece swings, and does not whirl
#define FASTEST 40.0 // extents a second

static void turn(const double q[4], const double v[3], double out[3])
{
    double t[3];
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        t[k] = 2.0 * (q[1 + l] * v[m] - q[1 + m] * v[l]);
    }
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = v[k] + q[0] * t[k] + q[1 + l] * t[m] - q[1 + m] * t[l];
    }
}

// ---- taking hold

static bool take_body(OndPlay *play)
{
    OndSolidView s;
    int solid = -1;
    double to[3];
    ond_play_along(to, play->center, 0.01 * play->spacing, play->ray.direction);
    ond_sim_blocked(play->sim, to, play->spacing, &solid);
    if (solid < 0 || !ond_sim_solid(play->sim, solid, &s) || !s.body) return false;
    const double back[4] = {s.placement.turn[0], -s.placement.turn[1], -s.placement.turn[2],
                            -s.placement.turn[3]};
    double way[3];
    ond_play_along(way, play->center, -1.0, s.placement.at);
    turn(back, way, play->grab.own);
    play->grab.what = PLAY_HOLD_BODY;
    play->grab.body = solid;
    return true;
}

static int nearest(const OndPlay *play)
{
    OndFieldView x;
    int best = -1;
    double least = INFINITY;
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    for (int i = 0; i < x.count; ++i) {
        const double d = ond_play_distance2(&x, i, play->center);
        if (d < least) least = d, best = i;
    }
    return sqrt(least) < 2.0 * play->spacing ? best : -1;
}

static bool is_piece(const OndPlay *play, int particle)
{
    OndFieldView piece;
    if (!ond_sim_find_field(play->sim, OND_PARTICLES, "piece", &piece)) return false;
    return ((const uint32_t *)piece.data[0])[particle] > 0;
}

void ond_play_grab_begin(OndPlay *play)
{
    OndFieldView x, id;
    if (take_body(play)) return;
    const int i = play->particles ? nearest(play) : -1;
    play->grab.what = PLAY_HOLD_LUMP;
    if (i < 0 || !is_piece(play, i)) return;
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    ond_sim_find_field(play->sim, OND_PARTICLES, "id", &id);
    play->grab.what = PLAY_HOLD_PIECE;
    play->grab.anchor = ((const uint32_t *)id.data[0])[i];
    ond_play_place(&x, i, play->grab.offset);
    ond_play_along(play->grab.offset, play->center, -1.0, play->grab.offset);
}

// ---- holding

// What a place that moves with `velocity` gains in a step.
static void gain(const OndPlay *play, const double at[3], const double velocity[3], double dt,
                 double out[3])
{
    double wanted[3];
    const double share = 1.0 - exp(-dt / YIELDS), fastest = FASTEST * play->extent;
    const double weight = play->dial[PLAY_GRAVITY].value * dt;
    ond_play_along(wanted, play->center, -1.0, at);
    for (int a = 0; a < 3; ++a) {
        const double v = fmin(fmax(wanted[a] / FOLLOWS, -fastest), fastest);
        out[a] = share * (v - velocity[a]) - weight * play->down[a];
    }
    if (play->dimension == 2) out[2] = 0.0;
}

static void hold_body(OndPlay *play, double dt)
{
    OndSolidView s;
    OndError err = {0};
    double arm[3], at[3], v[3], by[3], impulse[3] = {0, 0, 0};
    if (!ond_sim_solid(play->sim, play->grab.body, &s)) return;
    turn(s.placement.turn, play->grab.own, arm);
    ond_play_along(at, s.placement.at, 1.0, arm);
    ond_play_along(arm, at, -1.0, s.center);
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        v[k] = s.velocity[k] + s.spin[l] * arm[m] - s.spin[m] * arm[l];
    }
    gain(play, at, v, dt, by);
    ond_play_along(impulse, impulse, s.mass, by);
    ond_play_along(at, s.center, SPIN, arm); // nearer to its centre it turns less
    if (ond_sim_push_solid(play->sim, play->grab.body, impulse, at, &err) != OND_OK)
        ond_play_failed(play, &err);
}

static int find_anchor(const OndPlay *play)
{
    OndFieldView id;
    ond_sim_find_field(play->sim, OND_PARTICLES, "id", &id);
    for (int i = 0; i < id.count; ++i)
        if (((const uint32_t *)id.data[0])[i] == play->grab.anchor) return i;
    return -1;
}

// All particles of a piece, into play->index, and their centre.
static int gather_piece(OndPlay *play, int anchor, double center[3])
{
    OndFieldView piece, x;
    if (!ond_sim_find_field(play->sim, OND_PARTICLES, "piece", &piece)) return 0;
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    const uint32_t *const which = piece.data[0];
    double sum[3] = {0, 0, 0}, at[3];
    int count = 0;
    if (which[anchor] == 0 || !ond_play_scratch(play, x.count)) return 0;
    for (int i = 0; i < x.count; ++i) {
        if (which[i] != which[anchor]) continue;
        play->index[count++] = i;
        ond_play_place(&x, i, at);
        ond_play_along(sum, sum, 1.0, at);
    }
    for (int a = 0; a < 3; ++a)
        center[a] = sum[a] / count;
    return count;
}

// Mean square of the distance of the gathered ones from a point.
static double spread(const OndPlay *play, int count, const double center[3])
{
    OndFieldView x;
    double sum = 0.0;
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    for (int k = 0; k < count; ++k)
        sum += ond_play_distance2(&x, play->index[k], center);
    return sum / count;
}

// Gives the gathered ones a velocity and a spin about a centre.
static void give(OndPlay *play, int count, const double center[3], const double by[3],
                 const double spin[3])
{
    OndFieldView x;
    OndError err = {0};
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    for (int n = 0; n < count; ++n) {
        double arm[3];
        ond_play_place(&x, play->index[n], arm);
        ond_play_along(arm, arm, -1.0, center);
        for (int k = 0; k < 3; ++k) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            play->value[3 * n + k] = (float)(by[k] + spin[l] * arm[m] - spin[m] * arm[l]);
        }
    }
    if (ond_sim_push_particles(play->sim, play->index, play->value, count, &err) != OND_OK)
        ond_play_failed(play, &err);
}

// False: it is solid no longer, or gone.
static bool hold_piece(OndPlay *play, double dt)
{
    OndFieldView x, v;
    double at[3], now[3], center[3], arm[3], by[3], spin[3];
    const int anchor = find_anchor(play);
    const int count = anchor >= 0 ? gather_piece(play, anchor, center) : 0;
    if (count == 0) return false;
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    ond_sim_find_field(play->sim, OND_PARTICLES, "velocity", &v);
    ond_play_place(&x, anchor, at);
    ond_play_place(&v, anchor, now);
    ond_play_along(at, at, 1.0, play->grab.offset);
    gain(play, at, now, dt, by);
    ond_play_along(arm, at, -1.0, center);
    const double inertia = fmax(spread(play, count, center), play->spacing * play->spacing);
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        spin[k] = SPIN * (arm[l] * by[m] - arm[m] * by[l]) / inertia;
    }
    give(play, count, center, by, spin);
    return true;
}

// What is in the tool goes along with it.
static void hold_lump(OndPlay *play, double dt)
{
    OndFieldView x, v;
    OndError err = {0};
    const int count = ond_play_in_ball(play, play->center, play->dial[PLAY_TOOL_SIZE].value);
    ond_sim_find_field(play->sim, OND_PARTICLES, "velocity", &v);
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    for (int n = 0; n < count; ++n) {
        double at[3], now[3], by[3];
        ond_play_place(&x, play->index[n], at);
        ond_play_along(at, play->center, 0.2, at); // it is held together a little, and carried
        ond_play_along(at, at, -0.2, play->center);
        ond_play_place(&v, play->index[n], now);
        ond_play_along(now, now, -1.0, play->velocity);
        gain(play, at, now, dt, by);
        for (int a = 0; a < 3; ++a)
            play->value[3 * n + a] = (float)by[a];
    }
    if (ond_sim_push_particles(play->sim, play->index, play->value, count, &err) != OND_OK)
        ond_play_failed(play, &err);
}

void ond_play_grab_apply(OndPlay *play, double dt)
{
    if (play->grab.what == PLAY_HOLD_BODY) hold_body(play, dt);
    if (play->grab.what == PLAY_HOLD_PIECE && !hold_piece(play, dt))
        play->grab.what = PLAY_HOLD_LUMP;
    if (play->grab.what == PLAY_HOLD_LUMP) hold_lump(play, dt);
}

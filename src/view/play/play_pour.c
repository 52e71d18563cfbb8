// SPDX-License-Identifier: MIT
// More of it: poured where the tool is, or dropped as a block.
//
// With `preset: muller2d` the block is that program's: 234 particles in rows 0.95 h apart, about a third of the
// way down from the top, wherever there is liquid already, and no more than 3500 in all.
#include "view/play/play_state.h"

#include <math.h>
#include <stdlib.h>

#define MOST       200000 // particles that one plays with: more than any machine does in real time
#define BLOCK      0.22   // edge of a block, share of the domain's smallest
#define BLOCK_MOST 4000   // particles of a block
#define FALL       0.7    // share of the speed of a fall through the tool that what is poured has
#define FILLS      6.0    // 1/s by which smoke fills the tool

// Of the program that the preset is of.
#define MUELLER_MOST   3500
#define MUELLER_BLOCK  234
#define MUELLER_H      15.0
#define MUELLER_WIDTH  1200.0
#define MUELLER_HEIGHT 900.0

static int most(const OndPlay *play)
{
    return play->mueller ? MUELLER_MOST : MOST;
}

// Particles that may still come, with a message where that is none.
static int room_left(OndPlay *play)
{
    const int left = most(play) - ond_sim_particle_count(play->sim);
    if (left > 0) return left;
    ond_play_say(play, "%d particles: no more room; R starts again", most(play));
    return 0;
}

// `count` places in play->value, all with one velocity.
static void add(OndPlay *play, int count, const double velocity[3])
{
    OndError err = {0};
    float *const way = count ? malloc((size_t)count * 3 * sizeof *way) : NULL;
    for (int i = 0; way && i < 3 * count; ++i)
        way[i] = (float)velocity[i % 3];
    const OndNewParticles more = {
        .count = way ? count : 0, .position = play->value, .velocity = way};
    if (count > 0 && !way)
        ond_play_no_memory(play);
    else if (ond_sim_add_particles(play->sim, &more, &err) != OND_OK)
        ond_play_failed(play, &err);
    free(way);
}

static bool put(OndPlay *play, int count, const double at[3])
{
    if (!ond_play_scratch(play, count + 1) || !ond_play_room_take(play, at)) return false;
    for (int a = 0; a < 3; ++a)
        play->value[3 * count + a] = (float)at[a];
    return true;
}

// ---- pouring

// How many lattice places of a ball are free; they are in play->value then.
static int fill_ball(OndPlay *play, const double center[3], double radius, int left)
{
    const int reach = (int)(radius / play->spacing), deep = play->dimension == 3 ? reach : 0;
    int count = 0;
    for (int k = -deep; k <= deep; ++k)
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i) {
                const double step[3] = {i, j, k};
                double at[3];
                ond_play_along(at, center, play->spacing, step);
                if (play->spacing * sqrt(ond_play_dot(step, step)) > radius || count >= left)
                    continue;
                if (ond_play_room_free(play, at) && put(play, count, at)) ++count;
            }
    return count;
}

static void pour_cells(OndPlay *play, double dt)
{
    OndError err = {0};
    double warm = 20.0;
    const double *const c = play->center;
    const double share = 1.0 - exp(-FILLS * dt);
    const OndRegion ball = ond_ball(c[0], c[1], c[2], play->dial[PLAY_TOOL_SIZE].value);
    ond_sim_fluid_value(play->sim, 0, "temperature", &warm);
    if (ond_sim_fill_region(play->sim, &ball, 1.0, share, &err) != OND_OK)
        ond_play_failed(play, &err);
    ond_sim_warm_region(play->sim, &ball, warm, share, NULL);
}

void ond_play_pour(OndPlay *play, double dt)
{
    double low[3], high[3], velocity[3];
    const double radius = play->dial[PLAY_TOOL_SIZE].value;
    const double speed = FALL * sqrt(2.0 * radius * play->dial[PLAY_GRAVITY].value);
    if (!play->particles) {
        pour_cells(play, dt);
        return;
    }
    const int left = room_left(play);
    for (int a = 0; a < 3; ++a) {
        low[a] = play->center[a] - radius, high[a] = play->center[a] + radius;
        velocity[a] = speed * play->down[a];
    }
    if (left > 0 && ond_play_room_look(play, low, high))
        add(play, fill_ball(play, play->center, radius, left), velocity);
}

// ---- dropping

typedef struct Block {
    double corner[3];
    int count[3]; ///< of particles along each axis
} Block;

static void block_place(const OndPlay *play, const Block *b, int n, double at[3])
{
    const int plane = b->count[0] * b->count[1];
    const double step[3] = {n % b->count[0], n % plane / b->count[0], n / plane};
    ond_play_along(at, b->corner, play->spacing, step);
}

static int block_size(const Block *b)
{
    return b->count[0] * b->count[1] * b->count[2];
}

static bool fits(const OndPlay *play, const Block *b)
{
    double at[3];
    for (int n = 0; n < block_size(b); ++n) {
        block_place(play, b, n, at);
        if (!ond_play_room_free(play, at)) return false;
    }
    return true;
}

static Block make_block(const OndPlay *play)
{
    Block b = {.count = {1, 1, 1}};
    double edge = INFINITY;
    for (int a = 0; a < play->dimension; ++a)
        edge = fmin(edge, BLOCK * (play->high[a] - play->low[a]));
    const double many = pow(BLOCK_MOST, 1.0 / play->dimension);
    for (int a = 0; a < play->dimension; ++a)
        b.count[a] = (int)fmax(fmin(edge / play->spacing, many), 1.0);
    return b;
}

// Tries places from the top down, in each row from the middle outwards.
static bool find_room(OndPlay *play, Block *b)
{
    const int up = fabs(play->down[1]) > 0.5 ? 1 : play->dimension - 1;
    const int side = up == 0 ? 1 : 0, other = 3 - up - side;
    double free_way[3], edge[3];
    for (int a = 0; a < 3; ++a) {
        edge[a] = (b->count[a] - 1) * play->spacing;
        free_way[a] = fmax(play->high[a] - play->low[a] - edge[a] - 2.0 * play->spacing, 0.0);
    }
    const int deep = play->dimension == 3 ? 3 : 1;
    for (int row = 1; row <= 12; ++row)
        for (int n = 0; n < 7 * deep; ++n) {
            const int i = n / deep, k = n % deep; // 0, 1, -1, 2, -2, 3, -3 from the middle
            const double out = (i % 2 ? 1 : -1) * (i + 1) / 2 / 6.0;
            const double back = (k % 2 ? 1 : -1) * (k + 1) / 2 / 4.0;
            const double fall = play->down[up] > 0.0 ? row / 13.0 : 1.0 - row / 13.0;
            for (int a = 0; a < 3; ++a) {
                const double share = a == up ? fall
                                             : 0.5 + (a == side    ? out
                                                      : a == other ? back
                                                                   : 0.0);
                b->corner[a] =
                    a < play->dimension ? play->low[a] + play->spacing + share * free_way[a] : 0.0;
            }
            if (fits(play, b)) return true;
        }
    return false;
}

static void drop_block(OndPlay *play, int left)
{
    static const double still[3] = {0, 0, 0};
    Block b = make_block(play);
    int count = 0;
    if (!ond_play_room_look(play, play->low, play->high)) return;
    if (!find_room(play, &b)) {
        ond_play_say(play, "no room for another block; R starts again");
        return;
    }
    for (int n = 0; n < block_size(&b) && count < left; ++n) {
        double at[3];
        block_place(play, &b, n, at);
        if (!put(play, count, at)) return;
        ++count;
    }
    add(play, count, still);
}

// Whether a block that was dropped just now has not moved yet.
static bool is_there(const OndPlay *play, const double at[3])
{
    OndFieldView x;
    bool there = false;
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    for (int i = 0; i < x.count && !there; ++i)
        there = ond_play_distance2(&x, i, at) < 1e-4 * play->spacing * play->spacing;
    return there;
}

// That program's own loop: rows from below, whatever is there. Two blocks at one place would be pairs that no
// force parts, so that the second is a hundredth of a spacing aside.
static void drop_mueller(OndPlay *play, int left)
{
    static const double still[3] = {0, 0, 0}, gap = 0.95 * MUELLER_H;
    const double middle = play->low[0] + 0.5 * MUELLER_WIDTH, half = MUELLER_HEIGHT / 5.0;
    double first[3] = {middle - half, play->low[1] + MUELLER_HEIGHT / 1.5 - half, 0.0};
    const int row = (int)(2.0 * half / gap) + 1,
              count = left < MUELLER_BLOCK ? left : MUELLER_BLOCK;
    while (is_there(play, first))
        first[0] += 0.02 * gap;
    if (!ond_play_scratch(play, count)) return;
    for (int n = 0; n < count; ++n) {
        play->value[3 * n] = (float)(first[0] + n % row * gap);
        play->value[3 * n + 1] = (float)(first[1] + n / row * gap);
        play->value[3 * n + 2] = 0.0f;
    }
    add(play, count, still);
}

static void drop_smoke(OndPlay *play)
{
    OndError err = {0};
    double c[3];
    for (int a = 0; a < 3; ++a)
        c[a] = 0.5 * (play->low[a] + play->high[a]);
    const double edge = 0.5 * BLOCK * play->extent;
    const OndRegion ball = ond_ball(c[0], c[1], c[2], edge);
    if (ond_sim_fill_region(play->sim, &ball, 1.0, 1.0, &err) != OND_OK)
        ond_play_failed(play, &err);
}

void ond_play_drop(OndPlay *play)
{
    if (!play->particles) {
        drop_smoke(play);
        return;
    }
    const int left = room_left(play);
    if (left <= 0) return;
    if (play->mueller)
        drop_mueller(play, left);
    else
        drop_block(play, left);
}

// SPDX-License-Identifier: MIT
// What rests, sleeps.
//
// A particle that has gone no farther than `sleep` spacings in a quarter of a second, with nothing that
// really moves near it, stands still: it is held where it is (particles/held.h), as a neighbour with
// density, pressure and temperature like any other, but no system has to find its motion. A piece sleeps
// when all of it may. What is judged is the way, not the speed: what trembles on the spot rests, and what
// creeps slower than a picture can show does, too.
//
// It wakes when something near it moves, when it softens, or when the world becomes another. "Near" is
// some times the reach of the neighbour lists: what moves raises an alarm of HOPS, its neighbours hear it one
// lower (the value `alert`) and pass it on, and who hears any is awake. So what hits a heap meets matter that gives way,
// and waking runs ahead of what is pushed.
//
// All is gathered from the values of before, and kept in checkpoints: the same bits for any number of
// threads, and when a run goes on.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"
#include "particles/sph/sph_solids.h"
#include "solids/solids.h"

#include <string.h>

#define REST_TIME 0.25f // s: six frames, in which an eye would see it go
#define SOFTER    0.02f // of rigidity: what melts by more does not rest
#define HOPS      3u    // an impact on a heap wakes six spacings of it before they feel it
#define LED_HOPS  255u  // all that lies on what is led, or most of it

typedef struct Sleep {
    OndSph *s;
    float dt;
    float far2, speed2; // squares of the way that counts, m, and of that in the time it may take
} Sleep;

static bool is_asleep(const OndSph *s, int i)
{
    return s->held[i] == OND_HELD_ASLEEP;
}

static bool is_led(const OndSph *s, int i)
{
    return s->held[i] && !is_asleep(s, i);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// ---- who moves

static void begin_rest(OndSph *s, int i)
{
    for (int a = 0; a < 3; ++a)
        s->rest_place[a][i] = s->x[a][i];
    s->rested[i] = 0.0f, s->rest_rigidity[i] = s->rigidity[i];
}

static void rest_one(const Sleep *t, int i)
{
    OndSph *s = t->s;
    float way2 = 0.0f;
    for (int a = 0; a < 3; ++a) {
        const float way = s->x[a][i] - s->rest_place[a][i];
        way2 += way * way;
    }
    // What is led rests from when it is let go.
    if (is_led(s, i) || way2 > t->far2 || s->rigidity[i] < s->rest_rigidity[i] - SOFTER) {
        begin_rest(s, i);
        return;
    }
    s->rested[i] = fminf(s->rested[i] + t->dt, REST_TIME);
    s->rest_rigidity[i] = fmaxf(s->rest_rigidity[i], s->rigidity[i]); // what sets may go on resting
}

// What moves as told and slowly goes on for ever, and what goes with it never looks as if it moved: it has
// to be heard from one end of a heap to the other. What moves faster makes its neighbours raise alarms.
static uint32_t alarm_of_led(const Sleep *t, float v2)
{
    if (v2 > t->speed2) return HOPS;
    return v2 > 0.0f ? LED_HOPS : 0;
}

// By the solids that it touches.
static uint32_t alarm_of_solids(const Sleep *t, int i)
{
    const OndSph *s = t->s;
    const int slot = s->solids ? s->solids->slot[i] : -1;
    uint32_t most = 0;
    if (slot < 0) return 0;
    const OndRow *row = ond_sph_row(s, slot);
    for (int k = 0; k < row->count; ++k) {
        const float *v = row->touch[k].velocity;
        const bool free = ond_solids_def(s->world.solids, row->touch[k].solid)->free;
        const uint32_t alarm = free ? HOPS : alarm_of_led(t, ond_dot3(v, v));
        most = larger(most, alarm);
    }
    return most;
}

// By its own motion.
static uint32_t alarm_of_motion(const Sleep *t, int i)
{
    const OndSph *s = t->s;
    const float v[3] = {s->v[0][i], s->v[1][i], s->v[2][i]}, v2 = ond_dot3(v, v);
    if (is_led(s, i)) return alarm_of_led(t, v2);
    return s->rested[i] < REST_TIME && v2 > t->speed2 ? HOPS : 0;
}

static void note_range(int first, int last, int worker, void *context)
{
    const Sleep *t = context;
    OndSph *s = t->s;
    for (int i = first; i < last; ++i) {
        rest_one(t, i);
        const uint32_t own = larger(alarm_of_motion(t, i), alarm_of_solids(t, i));
        s->alarm[i] = larger(own, s->alert[i]);
    }
}

// What is far from all that moves is at 0, one step a hop after it came to rest.
static void alert_range(int first, int last, int worker, void *context)
{
    OndSph *s = ((const Sleep *)context)->s;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = s->lists.pool + s->lists.first[i];
        uint32_t most = s->alarm[i] >= HOPS ? s->alarm[i] : 0;
        for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
            uint32_t j = list[k];
            if (j >= (uint32_t)s->fields.count) j = s->images.source[j - (uint32_t)s->fields.count];
            if (j != (uint32_t)i) most = larger(most, s->alarm[j]);
        }
        s->alert[i] = most > 0 ? most - 1 : 0;
    }
}

// ---- who sleeps

static bool may_sleep(const OndSph *s, int i)
{
    return (!s->held[i] || is_asleep(s, i)) && s->rested[i] >= REST_TIME && s->alert[i] == 0;
}

// Labels below the room of the table: rigid_pieces.c looked at them in this step.
static void find_restless(OndSph *s)
{
    OndRigid *g = s->rigid;
    for (int i = 0; i < s->fields.count; ++i)
        g->restless[s->piece[i]] = 0;
    for (int i = 0; i < s->fields.count; ++i)
        if (s->piece[i] && !may_sleep(s, i)) g->restless[s->piece[i]] = 1;
}

static void lay_down(OndSph *s, int i)
{
    s->held[i] = OND_HELD_ASLEEP;
    s->rest_squeeze[i] = s->density[i] / s->world.material[s->material[i]].density - 1.0f;
    for (int a = 0; a < 3; ++a)
        s->v[a][i] = s->last[a][i] = s->given[a][i] = 0.0f;
}

// It has to come to rest anew: what fell asleep again at once would let what lies on it sink in, step by step.
static void wake(OndSph *s, int i)
{
    s->held[i] = OND_HELD_WAKING;
    begin_rest(s, i);
}

static void sleep_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    for (int i = first; i < last; ++i) {
        const bool sleeps = may_sleep(s, i) && !s->rigid->restless[s->piece[i]];
        if (sleeps && !s->held[i]) lay_down(s, i);
        if (!sleeps && is_asleep(s, i)) wake(s, i);
    }
}

// Walls that go past what stands at them leave nothing at rest.
static bool walls_move(const OndSph *s)
{
    for (int side = 0; side < 6; ++side)
        for (int a = 0; a < 3; ++a)
            if (s->world.side[side].kind == OND_SIDE_WALL &&
                s->world.side[side].velocity[a] != 0.0f)
                return true;
    return false;
}

static int count_sleepers(const OndSph *s)
{
    int count = 0;
    for (int i = 0; i < s->fields.count; ++i)
        count += is_asleep(s, i);
    return count;
}

void ond_rigid_sleep(OndSph *s, float dt)
{
    const float far = (float)(s->def.rigidity.sleep * s->world.spacing), speed = far / REST_TIME;
    Sleep t = {s, dt, far * far, speed * speed};
    if (walls_move(s)) return;
    ond_parallel_for(s->fields.count, OND_GRAIN, note_range, &t);
    ond_parallel_for(s->fields.count, OND_GRAIN, alert_range, &t);
    find_restless(s);
    ond_parallel_for(s->fields.count, OND_GRAIN, sleep_range, s);
    s->asleep = count_sleepers(s);
}

void ond_rigid_wake(OndSph *s)
{
    if (!s->sleeps) return;
    for (int i = 0; i < s->fields.count; ++i) {
        if (is_asleep(s, i))
            wake(s, i);
        else
            begin_rest(s, i);
    }
}

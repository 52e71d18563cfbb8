// SPDX-License-Identifier: MIT
// Time, keys and messages of a simulation that one plays with.
#include "view/play/play_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MEAN_OVER  0.5  // s of the clock that means are of
#define SOON       1e-7 // s that nobody misses
#define FIRST_STEP 1e-3 // s that a tool works before a simulation has made a step of its own

static double clock_now(void)
{
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ond_play_say(OndPlay *play, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(play->message, sizeof play->message, format, args);
    va_end(args);
    ++play->messages;
}

const char *ond_play_message(const OndPlay *play, long long *number)
{
    if (number) *number = play->messages;
    return play->message;
}

// ---- making

// What there is at the start, where there is no domain.
static void look_at_particles(OndPlay *play)
{
    OndFieldView x;
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    for (int a = 0; a < play->dimension; ++a) {
        const float *const at = x.data[a];
        double low = x.count ? at[0] : -1.0, high = x.count ? at[0] : 1.0;
        for (int i = 0; i < x.count; ++i)
            low = fmin(low, at[i]), high = fmax(high, at[i]);
        const double more = 0.5 * (high - low) + 4.0 * play->spacing;
        play->low[a] = low - more, play->high[a] = high + more;
    }
}

static void look_at_bounds(OndPlay *play)
{
    if (!ond_sim_domain(play->sim, play->low, play->high)) look_at_particles(play);
    if (play->dimension == 2) play->low[2] = play->high[2] = 0.0;
    play->extent = 0.0;
    for (int a = 0; a < play->dimension; ++a)
        play->extent = fmax(play->extent, play->high[a] - play->low[a]);
}

static OndStatus look_at_scene(OndPlay *play, OndError *err)
{
    OndSceneInfo info;
    const OndStatus status = ond_scene_described(play->scene, &info, err);
    if (status != OND_OK) return status;
    const char *const preset = ond_scene_get(play->scene, "method.preset");
    OndGridView grid;
    play->dimension = info.dimension;
    play->mueller = preset && strcmp(preset, "muller2d") == 0;
    play->particles = !ond_sim_grid(play->sim, &grid);
    if (!ond_sim_fluid_value(play->sim, 0, "spacing", &play->spacing)) play->spacing = 0.01;
    ond_sim_gravity(play->sim, play->down);
    const double length = sqrt(ond_play_dot(play->down, play->down));
    for (int a = 0; a < 3; ++a)
        play->down[a] = length > 0.0 ? play->down[a] / length : a == 1 ? -1.0 : 0.0;
    look_at_bounds(play);
    return OND_OK;
}

OndPlay *ond_play_create(const OndScene *scene, OndError *err)
{
    OndPlay *const play = calloc(1, sizeof *play);
    if (!play) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory to play");
        return NULL;
    }
    play->scene = ond_scene_copy(scene, err);
    play->sim = play->scene ? ond_sim_create(play->scene, NULL, err) : NULL;
    if (play->sim && look_at_scene(play, err) == OND_OK) {
        if (ond_play_dials_create(play)) {
            ond_play_tools_create(play);
            return play;
        }
        ond_fail(err, OND_NO_MEMORY, "not enough memory to play");
    }
    ond_play_destroy(play);
    return NULL;
}

void ond_play_destroy(OndPlay *play)
{
    if (!play) return;
    ond_play_dials_destroy(play);
    ond_play_room_destroy(&play->room);
    ond_sim_destroy(play->sim);
    ond_scene_destroy(play->scene);
    free(play->index);
    free(play->value);
    free(play);
}

const OndSim *ond_play_sim(const OndPlay *play)
{
    return play->sim;
}

OndStatus ond_play_remake(OndPlay *play, OndError *err)
{
    OndScene *const scene = ond_play_dials_scene(play, err);
    OndSim *const sim = scene ? ond_sim_create(scene, NULL, err) : NULL;
    ond_scene_destroy(scene);
    if (!sim) return OND_BAD_VALUE;
    ond_sim_destroy(play->sim);
    play->sim = sim;
    ond_sim_fluid_value(sim, 0, "spacing", &play->spacing);
    ond_play_dials_apply(play);
    play->burst = play->held = false;
    play->debt = 0.0;
    play->grab = (OndPlayGrab){0};
    return OND_OK;
}

// ---- time

// Means of what was counted; those of the first half second grow as it goes.
static void take_means(OndPlay *play)
{
    const double steps = (double)play->sum.steps;
    play->step_ms = steps > 0.0 ? 1e3 * play->sum.clock / steps : 0.0;
    play->steps = steps / (double)play->sum.advances;
    play->rate = play->sum.asked > 0.0 ? play->sum.simulated / play->sum.asked : 0.0;
}

static void count(OndPlay *play, double clock, double simulated, double asked, int steps)
{
    const double now = clock_now();
    if (play->sum.since == 0.0) play->sum.since = now;
    play->sum.clock += clock;
    play->sum.simulated += simulated;
    play->sum.asked += asked;
    play->sum.steps += steps;
    ++play->sum.advances;
    const bool over = now - play->sum.since >= MEAN_OVER;
    if (over || !play->counted) take_means(play);
    if (!over) return;
    play->counted = true;
    memset(&play->sum, 0, sizeof play->sum);
    play->sum.since = now;
}

void ond_play_starve(OndPlay *play, const OndError *why)
{
    if (play->paused) return;
    play->paused = true;
    ond_play_say(play,
                 "paused, for there is no memory to go on with: close other programs or tabs, then "
                 "P goes on; or R starts again with larger particles (%.100s)",
                 why->text);
}

// Tells why it stands still. Where a step found no memory it can be tried again, and goes on as soon as there is some.
static OndStatus stop(OndPlay *play, OndStatus status, const OndError *err)
{
    if (status == OND_NO_MEMORY) {
        if (play->step_asked)
            play->paused = false; // by S: that it was asked for is no reason not to tell
        ond_play_starve(play, err);
        return OND_OK;
    }
    if (status != OND_UNSTABLE) return status;
    play->burst = true;
    ond_play_say(play,
                 "it burst: R starts again; gentler tools, or a smaller `speed`, may help (%.120s)",
                 err->text);
    return OND_OK;
}

// A step; where steps are longer than what is asked for (`whole`), one that is as long as what is left.
static OndStatus step(OndPlay *play, double whole, double left, OndError *err)
{
    OndStepReport last;
    OndError why = {0};
    ond_sim_last_step(play->sim, &last);
    const bool longer = last.dt >= 0.99 * whole && left > SOON;
    ond_play_tool_apply(play, longer ? left : last.dt > 0.0 ? last.dt : FIRST_STEP);
    const OndStatus status =
        longer ? ond_sim_advance(play->sim, left, NULL, &why) : ond_sim_step(play->sim, &why);
    const OndStatus after = stop(play, status, &why);
    if (after != OND_OK && err) *err = why; // what the message told is no error
    return after;
}

// How fast the tool goes, from how far it went since the last time.
static void move_tool(OndPlay *play, double seconds)
{
    for (int a = 0; a < 3; ++a)
        play->velocity[a] = seconds > 0.0 ? (play->center[a] - play->before[a]) / seconds : 0.0;
    ond_play_copy(play->before, play->center);
}

OndStatus ond_play_advance(OndPlay *play, double seconds, double budget, OndError *err)
{
    const double asked = seconds * play->dial[PLAY_SPEED].value;
    if (!(seconds >= 0.0 && asked < 1e6))
        return ond_fail(err, OND_BAD_VALUE, "cannot play for %g s", seconds);
    if ((play->paused && !play->step_asked) || play->burst) return OND_OK;
    const double began = clock_now(), from = ond_sim_time(play->sim);
    const double until = from + asked - play->debt;
    OndStatus status = OND_OK;
    int steps = 0;
    double spent = 0.0;
    move_tool(play, asked);
    while (status == OND_OK && !play->burst && spent <= budget && !(play->paused && steps > 0) &&
           (play->step_asked ? steps == 0 : ond_sim_time(play->sim) < until - SOON)) {
        status = step(play, asked, until - ond_sim_time(play->sim), err);
        ++steps;
        spent = clock_now() - began;
    }
    const double now = ond_sim_time(play->sim);
    play->debt = play->step_asked ? 0.0 : fmax(now - until, 0.0); // what is left is dropped
    if (!play->step_asked) count(play, spent, now - from, asked, steps);
    play->step_asked = false;
    return status;
}

void ond_play_stats(const OndPlay *play, OndPlayStats *out)
{
    *out = (OndPlayStats){.particles = ond_sim_particle_count(play->sim),
                          .time = ond_sim_time(play->sim),
                          .step_ms = play->step_ms,
                          .steps = play->steps,
                          .rate = play->rate,
                          .paused = play->paused,
                          .burst = play->burst};
}

// ---- keys

static void restart(OndPlay *play)
{
    OndError err = {0};
    if (ond_play_remake(play, &err) == OND_OK)
        ond_play_say(play, "%s", "");
    else
        ond_play_failed(play, &err);
}

void ond_play_key(OndPlay *play, OndPlayKey key)
{
    switch (key) {
    case OND_PLAY_DROP:
        if (!play->burst) ond_play_drop(play);
        break;
    case OND_PLAY_RESTART:
        restart(play);
        break;
    case OND_PLAY_PAUSE:
        play->paused = !play->paused;
        break;
    case OND_PLAY_STEP:
        play->paused = play->step_asked = true;
        break;
    default:
        break;
    }
}

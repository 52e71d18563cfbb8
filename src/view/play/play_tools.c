// SPDX-License-Identifier: MIT
// Which tool, where it is, and what the simple ones do: push and pull, heat and cool.
#include "view/play/play_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PUSH  60.0 // m/s^2 at the edge of a tool a metre in radius, strength 1
#define WARMS 8.0  // 1/s by which temperatures go to the tool's, strength 1

static const char *const names[OND_TOOLS] = {"push", "pull", "pour", "heat", "cool", "cut", "grab"};

const char *ond_tool_name(OndTool tool)
{
    return (unsigned)tool < OND_TOOLS ? names[tool] : "";
}

void ond_play_failed(OndPlay *play, const OndError *err)
{
    ond_play_say(play, "%.200s", err->text);
}

bool ond_play_no_memory(OndPlay *play)
{
    ond_play_say(play,
                 "not done: there is no memory for it; close other programs or tabs, or start "
                 "again with larger particles");
    return false;
}

// ---- which of them work

// Calls that ask for nothing are refused where more would be.
static OndStatus try_tool(OndPlay *play, OndTool tool, OndError *err)
{
    const OndRegion nothing = ond_ball(0.0, 0.0, 0.0, 1e-30);
    const OndNewParticles none = {0};
    const int nobody = 0;
    switch (tool) {
    case OND_TOOL_POUR:
        if (play->particles) return ond_sim_add_particles(play->sim, &none, err);
        return ond_sim_fill_region(play->sim, &nothing, 1.0, 0.0, err);
    case OND_TOOL_HEAT:
    case OND_TOOL_COOL:
        return ond_sim_warm_region(play->sim, &nothing, 20.0, 0.0, err);
    case OND_TOOL_CUT:
    case OND_TOOL_GRAB:
        if (play->particles) return ond_sim_remove_particles(play->sim, &nobody, 0, err);
        return ond_fail(err, OND_BAD_VALUE, "what is in a grid cannot be held or cut: push it");
    default:
        return OND_OK;
    }
}

void ond_play_tools_create(OndPlay *play)
{
    for (int t = 0; t < OND_TOOLS; ++t) {
        OndError err = {0};
        play->tool_works[t] = try_tool(play, (OndTool)t, &err) == OND_OK;
        memcpy(play->tool_why[t], err.text, sizeof play->tool_why[t] - 1);
    }
}

bool ond_play_tool_works(const OndPlay *play, OndTool tool)
{
    return (unsigned)tool < OND_TOOLS && play->tool_works[tool];
}

bool ond_play_tool(OndPlay *play, OndTool tool)
{
    if ((unsigned)tool >= OND_TOOLS) return false;
    if (!play->tool_works[tool]) {
        ond_play_say(play, "%s: %.200s", names[tool], play->tool_why[tool]);
        return false;
    }
    play->tool = tool;
    play->grab = (OndPlayGrab){0};
    if (tool == OND_TOOL_GRAB && play->held) ond_play_grab_begin(play);
    return true;
}

OndTool ond_play_tool_now(const OndPlay *play)
{
    return play->tool;
}

// ---- where it is

bool ond_play_tool_place(const OndPlay *play, double center[3], double *radius)
{
    ond_play_copy(center, play->center);
    *radius = play->dial[PLAY_TOOL_SIZE].value;
    return play->placed;
}

static bool set_ray(OndPlay *play, const OndPlayRay *ray)
{
    double sum = 0.0;
    for (int a = 0; a < 3; ++a)
        sum += fabs(ray->from[a]);
    const double length = sqrt(ond_play_dot(ray->direction, ray->direction));
    if (!(length > 0.0 && isfinite(length) && isfinite(sum))) return false;
    play->ray = *ray;
    for (int a = 0; a < 3; ++a)
        play->ray.direction[a] /= length;
    return true;
}

// The tool where the ray is `distance` long, but inside the bounds.
static void place_tool(OndPlay *play)
{
    if (play->dimension == 2) play->distance = ond_play_pick(play, &play->ray);
    ond_play_along(play->center, play->ray.from, play->distance, play->ray.direction);
    const double inset = 0.25 * play->spacing;
    for (int a = 0; a < 3; ++a) {
        const double edge = a < play->dimension ? inset : 0.0;
        play->center[a] = fmin(fmax(play->center[a], play->low[a] + edge), play->high[a] - edge);
    }
}

static void press(OndPlay *play)
{
    play->held = true;
    ond_play_copy(play->before, play->center);
    play->grab = (OndPlayGrab){0};
    if (play->tool == OND_TOOL_GRAB) ond_play_grab_begin(play);
}

// A torch and frost work on what is seen, wherever they are led; the others stay as far away as they were.
static bool follows_surface(OndTool tool)
{
    return tool == OND_TOOL_HEAT || tool == OND_TOOL_COOL;
}

void ond_play_pointer(OndPlay *play, OndPointer what, const OndPlayRay *ray)
{
    double before[3];
    const bool drags = what == OND_POINTER_MOVE && play->held;
    if (!set_ray(play, ray)) return;
    ond_play_copy(before, play->center);
    if (drags ? follows_surface(play->tool) : what != OND_POINTER_UP)
        play->distance = ond_play_pick(play, &play->ray);
    place_tool(play);
    play->placed = true;
    if (what == OND_POINTER_DOWN) press(play);
    if (what == OND_POINTER_UP) play->held = false, play->grab = (OndPlayGrab){0};
    if (drags && play->tool == OND_TOOL_CUT) ond_play_cut(play, before, play->center);
}

// ---- what it does

bool ond_play_scratch(OndPlay *play, int count)
{
    if (count <= play->scratch) return true;
    const int room = count + count / 2 + 256;
    int *const index = realloc(play->index, (size_t)room * sizeof *index);
    if (index) play->index = index;
    float *const value = index ? realloc(play->value, (size_t)room * 3 * sizeof *value) : NULL;
    if (!value) return ond_play_no_memory(play);
    play->value = value;
    play->scratch = room;
    return true;
}

int ond_play_in_ball(OndPlay *play, const double center[3], double radius)
{
    OndFieldView x;
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    if (!ond_play_scratch(play, x.count)) return 0;
    int count = 0;
    for (int i = 0; i < x.count; ++i)
        if (ond_play_distance2(&x, i, center) < radius * radius) play->index[count++] = i;
    return count;
}

static OndRegion ball_of(const OndPlay *play)
{
    const double *const c = play->center;
    return ond_ball(c[0], c[1], c[2], play->dial[PLAY_TOOL_SIZE].value);
}

// Away from the tool, faster the farther; smoke also goes along with it.
static void push(OndPlay *play, double dt, double sign)
{
    OndError err = {0};
    const OndRegion ball = ball_of(play);
    const double strength = play->dial[PLAY_STRENGTH].value;
    const double rate = sign * strength * PUSH / sqrt(ball.radius) * dt;
    OndStatus status = ond_sim_push_from(play->sim, &ball, play->center, rate, &err);
    if (!play->particles && status == OND_OK && sign > 0.0) {
        double wind[3] = {0, 0, 0};
        ond_play_along(wind, wind, fmin(WARMS * strength * dt, 1.0), play->velocity);
        status = ond_sim_push_region(play->sim, &ball, wind, &err);
    }
    if (status != OND_OK) ond_play_failed(play, &err);
}

static void warm(OndPlay *play, double dt, double celsius)
{
    OndError err = {0};
    const OndRegion ball = ball_of(play);
    const double share = 1.0 - exp(-WARMS * play->dial[PLAY_STRENGTH].value * dt);
    if (ond_sim_warm_region(play->sim, &ball, celsius, share, &err) != OND_OK)
        ond_play_failed(play, &err);
}

void ond_play_tool_apply(OndPlay *play, double dt)
{
    if (!play->held || !play->tool_works[play->tool]) return;
    switch (play->tool) {
    case OND_TOOL_PUSH:
        push(play, dt, 1.0);
        break;
    case OND_TOOL_PULL:
        push(play, dt, -1.0);
        break;
    case OND_TOOL_POUR:
        ond_play_pour(play, dt);
        break;
    case OND_TOOL_HEAT:
        warm(play, dt, play->dial[PLAY_TOOL_TEMPERATURE].value);
        break;
    case OND_TOOL_COOL:
        warm(play, dt, play->dial[PLAY_COLD].value);
        break;
    case OND_TOOL_GRAB:
        ond_play_grab_apply(play, dt);
        break;
    default: // a cut is made as the pointer moves
        break;
    }
}

// SPDX-License-Identifier: MIT
// What can be turned while it runs: of the scene, of the tools, and how fast it all goes.
#include "view/play/play_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *label, *unit, *fluid; ///< `fluid`: its value of that name
    bool logarithmic, restarts;
    double least, most; ///< 0, 0: by the scene
} about[PLAY_DIALS] = {
    [PLAY_GRAVITY] = {"gravity", "Gravity", "m/s²", NULL, false, false, 0, 0},
    [PLAY_VISCOSITY] = {"viscosity", "Viscosity", "Pa s", "viscosity", true, false, 0, 0},
    [PLAY_RIGIDITY] = {"rigidity", "Rigidity", "", "rigidity", false, false, 0, 1},
    [PLAY_TENSION] = {"tension", "Surface tension", "N/m", "tension", false, false, 0, 0},
    [PLAY_TOOL_TEMPERATURE] = {"temperature", "Torch", "°C", NULL, false, false, 0, 0},
    [PLAY_COLD] = {"cold", "Frost", "°C", NULL, false, false, 0, 0},
    [PLAY_TOOL_SIZE] = {"size", "Tool size", "m", NULL, true, false, 0, 0},
    [PLAY_STRENGTH] = {"strength", "Tool strength", "", NULL, true, false, 0.1, 10},
    [PLAY_SPACING] = {"spacing", "Particle size", "m", NULL, true, true, 0, 0},
    [PLAY_SPEED] = {"speed", "Speed", "", NULL, true, false, 0.1, 4},
};

// ---- of fluids

static bool melts(const OndPlay *play, int fluid)
{
    double solid = 0.0, liquid = 0.0;
    ond_sim_fluid_value(play->sim, fluid, "T_solid", &solid);
    ond_sim_fluid_value(play->sim, fluid, "T_liquid", &liquid);
    return liquid > solid;
}

// The fluid whose value a dial shows: the first that has any; below 0: none has.
static int shown_fluid(const OndPlay *play, int dial)
{
    const double *const start = play->fluid_start[dial - PLAY_VISCOSITY];
    for (int f = 0; f < ond_sim_fluid_count(play->sim); ++f)
        if (start[f] > 0.0) return f;
    return -1;
}

// Fluids keep how they are to each other: those that have any of it become by so much more, and what has none has
// none; where no fluid has any, all are given it. Rigidity, which ends at 1, is the same for all that are rigid.
static double fluid_value(const OndPlay *play, int dial, int fluid, double value)
{
    const double *const start = play->fluid_start[dial - PLAY_VISCOSITY];
    const int shown = shown_fluid(play, dial);
    return shown < 0 || dial == PLAY_RIGIDITY ? value : start[fluid] * value / start[shown];
}

// Whether a dial leaves a fluid as the scene has it. What melts is as solid as its temperature makes it.
static bool is_left(const OndPlay *play, int dial, int fluid)
{
    const double start = play->fluid_start[dial - PLAY_VISCOSITY][fluid];
    if (start < 0.0 && melts(play, fluid)) return true;
    return !(start > 0.0) && shown_fluid(play, dial) >= 0;
}

static OndStatus set_fluids(OndPlay *play, int dial, double value, OndError *err)
{
    OndStatus status = OND_OK;
    for (int f = 0; f < ond_sim_fluid_count(play->sim) && status == OND_OK; ++f)
        if (!is_left(play, dial, f))
            status = ond_sim_set_fluid(play->sim, f, about[dial].fluid,
                                       fluid_value(play, dial, f, value), err);
    return status;
}

static OndStatus apply(OndPlay *play, int dial, double value, OndError *err)
{
    double g[3] = {0, 0, 0};
    if (dial == PLAY_GRAVITY) {
        ond_play_along(g, g, value, play->down);
        return ond_sim_set_gravity(play->sim, g, err);
    }
    return about[dial].fluid ? set_fluids(play, dial, value, err) : OND_OK;
}

static void start_fluid(OndPlay *play, int dial)
{
    OndPlayDial *const d = &play->dial[dial];
    OndError err = {0};
    double *const start = play->fluid_start[dial - PLAY_VISCOSITY];
    for (int f = 0; f < ond_sim_fluid_count(play->sim); ++f)
        ond_sim_fluid_value(play->sim, f, about[dial].fluid, &start[f]);
    const int shown = shown_fluid(play, dial);
    d->start = start[shown > 0 ? shown : 0];
    if (d->start > 0.0) return; // it is computed
    if (is_left(play, dial, 0)) {
        d->works = false;
        snprintf(d->why, sizeof d->why,
                 "it is as solid as its temperature makes it: heat and cool it");
        return;
    }
    // where nothing computes it, a little of it is refused; of the first alone, as others have their own
    d->works = ond_sim_set_fluid(play->sim, 0, about[dial].fluid, 1e-6, &err) == OND_OK;
    if (d->works) ond_sim_set_fluid(play->sim, 0, about[dial].fluid, fmax(d->start, 0.0), &err);
    snprintf(d->why, sizeof d->why, "%.230s", err.text);
}

// ---- of the scene and of tools

// A torch melts what melts, the first of it, and frost sets it again.
static void start_temperatures(OndPlay *play)
{
    double cold = 20.0, solid = 0.0, liquid = 0.0;
    int f = 0;
    while (f < ond_sim_fluid_count(play->sim) && !melts(play, f))
        ++f;
    const bool any = f < ond_sim_fluid_count(play->sim);
    if (!any) f = 0;
    ond_sim_fluid_value(play->sim, f, "temperature", &cold);
    ond_sim_fluid_value(play->sim, f, "T_solid", &solid);
    ond_sim_fluid_value(play->sim, f, "T_liquid", &liquid);
    const double step = any ? fmax(liquid - fmin(cold, solid), 20.0) : 80.0;
    const double hot = (any ? fmax(liquid, cold) : cold) + 0.75 * step;
    play->dial[PLAY_TOOL_TEMPERATURE] =
        (OndPlayDial){.least = cold, .most = hot + 3.0 * step, .start = hot, .works = true};
    const double frost = any ? fmin(cold, solid - 0.25 * step) : cold - 20.0;
    play->dial[PLAY_COLD] = (OndPlayDial){.least = fmax(frost - 2.0 * step, -273.15),
                                          .most = fmax(cold, frost),
                                          .start = frost,
                                          .works = true};
}

static void start_tools(OndPlay *play)
{
    const double radius = fmax(0.06 * play->extent, 2.5 * play->spacing);
    play->dial[PLAY_TOOL_SIZE] = (OndPlayDial){.least = 1.5 * play->spacing,
                                               .most = fmax(0.3 * play->extent, 2.0 * radius),
                                               .start = radius,
                                               .works = true};
    play->dial[PLAY_STRENGTH].start = play->dial[PLAY_SPEED].start = 1.0;
    start_temperatures(play);
    if (!play->mueller) return;
    play->dial[PLAY_SPEED].start = 0.06; // that program shows every step of a thousandth
    play->dial[PLAY_SPEED].least = 0.01;
}

// Particle sizes from half to twice the scene's; a preset counts in pixels of its own.
static void start_spacing(OndPlay *play)
{
    play->dial[PLAY_SPACING] = (OndPlayDial){.least = 0.5 * play->spacing,
                                             .most = 2.0 * play->spacing,
                                             .start = play->spacing,
                                             .works = !play->mueller};
    if (play->mueller)
        snprintf(play->dial[PLAY_SPACING].why, sizeof play->dial[PLAY_SPACING].why,
                 "muller2d counts in pixels, 14.25 apart");
}

static void start_gravity(OndPlay *play)
{
    OndPlayDial *const d = &play->dial[PLAY_GRAVITY];
    OndError err = {0};
    double g[3];
    ond_sim_gravity(play->sim, g);
    d->start = sqrt(ond_play_dot(g, g));
    d->most = d->start > 0.0 ? 3.0 * d->start : 30.0;
    d->works = ond_sim_set_gravity(play->sim, g, &err) == OND_OK;
    snprintf(d->why, sizeof d->why, "%.230s", err.text);
}

bool ond_play_dials_create(OndPlay *play)
{
    const size_t fluids = (size_t)ond_sim_fluid_count(play->sim) + 1;
    for (int k = 0; k < 3; ++k) {
        play->fluid_start[k] = calloc(fluids, sizeof(double));
        if (!play->fluid_start[k]) return false;
    }
    for (int d = 0; d < PLAY_DIALS; ++d)
        play->dial[d] =
            (OndPlayDial){.least = about[d].least, .most = about[d].most, .works = true};
    start_gravity(play);
    start_fluid(play, PLAY_VISCOSITY);
    start_fluid(play, PLAY_TENSION);
    start_fluid(play, PLAY_RIGIDITY);
    play->dial[PLAY_RIGIDITY].start = fmax(play->dial[PLAY_RIGIDITY].start, 0.0);
    OndPlayDial *const thick = &play->dial[PLAY_VISCOSITY], *const pulls =
                                                                &play->dial[PLAY_TENSION];
    thick->least = thick->start > 0.0 ? 0.01 * thick->start : 0.001;
    thick->most = thick->start > 0.0 ? 100.0 * thick->start : 100.0;
    pulls->most = pulls->start > 0.0 ? 4.0 * pulls->start : 1.0;
    start_tools(play);
    start_spacing(play);
    for (int d = 0; d < PLAY_DIALS; ++d)
        play->dial[d].value = play->dial[d].start;
    return true;
}

void ond_play_dials_destroy(OndPlay *play)
{
    for (int k = 0; k < 3; ++k)
        free(play->fluid_start[k]);
}

void ond_play_dials_apply(OndPlay *play)
{
    for (int d = 0; d < PLAY_DIALS; ++d) {
        OndError err = {0};
        if (play->dial[d].changed && apply(play, d, play->dial[d].value, &err) != OND_OK)
            ond_play_failed(play, &err);
    }
}

// ---- for panels

int ond_play_dial_count(const OndPlay *play)
{
    (void)play;
    return PLAY_DIALS;
}

bool ond_play_dial(const OndPlay *play, int dial, OndDial *out)
{
    *out = (OndDial){0};
    if (dial < 0 || dial >= PLAY_DIALS) return false;
    const OndPlayDial *const d = &play->dial[dial];
    *out = (OndDial){.name = about[dial].name,
                     .label = about[dial].label,
                     .unit = about[dial].unit,
                     .least = d->least,
                     .most = d->most,
                     .value = d->value,
                     .logarithmic = about[dial].logarithmic && d->least > 0.0,
                     .restarts = about[dial].restarts,
                     .works = d->works,
                     .why = d->works ? "" : d->why};
    return true;
}

int ond_play_find_dial(const OndPlay *play, const char *name)
{
    (void)play;
    for (int d = 0; d < PLAY_DIALS; ++d)
        if (strcmp(about[d].name, name) == 0) return d;
    return -1;
}

// Of all fluids, or of the grid.
static OndStatus set_spacing(OndPlay *play, double value, OndError *err)
{
    const OndPlayDial before = play->dial[PLAY_SPACING];
    play->dial[PLAY_SPACING].value = value;
    play->dial[PLAY_SPACING].changed = true;
    const OndStatus status = ond_play_remake(play, err);
    if (status != OND_OK) play->dial[PLAY_SPACING] = before;
    return status;
}

OndStatus ond_play_set_dial(OndPlay *play, int dial, double value, OndError *err)
{
    if (dial < 0 || dial >= PLAY_DIALS)
        return ond_fail(err, OND_BAD_VALUE, "there is no dial %d", dial);
    OndPlayDial *const d = &play->dial[dial];
    if (!d->works) return ond_fail(err, OND_BAD_VALUE, "%s: %.200s", about[dial].label, d->why);
    if (!isfinite(value))
        return ond_fail(err, OND_BAD_VALUE, "%s cannot be %g", about[dial].label, value);
    value = fmin(fmax(value, d->least), d->most);
    if (dial == PLAY_SPACING) return set_spacing(play, value, err);
    const OndStatus status = apply(play, dial, value, err);
    if (status != OND_OK) return status;
    d->value = value;
    d->changed = true;
    return OND_OK;
}

// ---- as a scene

static OndStatus write_fluids(const OndPlay *play, OndScene *scene, int dial, OndError *err)
{
    char path[64];
    OndStatus status = OND_OK;
    for (int f = 0; f < ond_sim_fluid_count(play->sim) && status == OND_OK; ++f) {
        if (is_left(play, dial, f)) continue;
        const double value = fluid_value(play, dial, f, play->dial[dial].value);
        snprintf(path, sizeof path, "fluid.%d.%s", f, about[dial].fluid);
        status = ond_scene_set_numbers(scene, path, &value, 1, err);
    }
    return status;
}

static OndStatus write_spacing(const OndPlay *play, OndScene *scene, OndError *err)
{
    char path[64];
    const double value = play->dial[PLAY_SPACING].value;
    OndStatus status = OND_OK;
    if (!play->particles) return ond_scene_set_numbers(scene, "method.cell", &value, 1, err);
    for (int f = 0; f < ond_sim_fluid_count(play->sim) && status == OND_OK; ++f) {
        snprintf(path, sizeof path, "fluid.%d.spacing", f);
        status = ond_scene_set_numbers(scene, path, &value, 1, err);
    }
    return status;
}

static OndStatus write_dial(const OndPlay *play, OndScene *scene, int dial, OndError *err)
{
    double g[3] = {0, 0, 0};
    if (dial == PLAY_GRAVITY) {
        ond_play_along(g, g, play->dial[dial].value, play->down);
        return ond_scene_set_numbers(scene, "gravity", g, play->dimension, err);
    }
    if (dial == PLAY_SPACING) return write_spacing(play, scene, err);
    return about[dial].fluid ? write_fluids(play, scene, dial, err) : OND_OK;
}

OndScene *ond_play_dials_scene(const OndPlay *play, OndError *err)
{
    OndScene *const scene = ond_scene_copy(play->scene, err);
    OndStatus status = scene ? OND_OK : OND_NO_MEMORY;
    for (int d = 0; d < PLAY_DIALS && status == OND_OK; ++d)
        if (play->dial[d].changed) status = write_dial(play, scene, d, err);
    if (status == OND_OK) return scene;
    ond_scene_destroy(scene);
    return NULL;
}

char *ond_play_yaml(const OndPlay *play, OndError *err)
{
    OndScene *const scene = ond_play_dials_scene(play, err);
    if (!scene) return NULL;
    const size_t size = ond_scene_yaml(scene, NULL, 0, err) + 1;
    char *const text = size > 1 ? malloc(size) : NULL;
    if (text)
        ond_scene_yaml(scene, text, size, err);
    else
        ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene's text");
    ond_scene_destroy(scene);
    return text;
}

// SPDX-License-Identifier: MIT
// What the thread of a simulation does between two steps: inputs, reading the scene anew, snapshots.
#include "view/window/live_state.h"

#include "app/run_scene.h"
#include "io/file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---- words

static void say(OndLive *live, const char *format, ...) OND_PRINTF(2, 3);

static void say(OndLive *live, const char *format, ...)
{
    va_list parts;
    va_start(parts, format);
    vsnprintf(live->said, sizeof live->said, format, parts);
    va_end(parts);
    ond_play_message(live->play, &live->said_at);
    ++live->told;
}

// ---- the scene

static const char *first_colour(const OndLive *live, const OndScene *scene)
{
    if (live->def.colour) return live->def.colour;
    return live->def.plain && !ond_scene_get(scene, "render.colour") ? "plain" : NULL;
}

static OndPlay *read_play(OndLive *live, OndError *err)
{
    OndScene *scene = NULL;
    OndSceneInfo info;
    OndPlay *play = NULL;
    if (ond_scene_open(live->def.path, live->def.set, &scene, err) == OND_OK &&
        ond_scene_described(scene, &info, err) == OND_OK)
        play = ond_play_create(scene, err);
    if (play && live->scene == 0) live->colour = first_colour(live, scene);
    if (play) snprintf(live->title, sizeof live->title, "%s", info.title ? info.title : "");
    ond_scene_destroy(scene);
    return play;
}

OndStatus ond_live_read(OndLive *live, OndError *err)
{
    OndError one = {0};
    OndPlay *const play = read_play(live, &one);
    if (!play) {
        snprintf(live->trouble, sizeof live->trouble, "%s", one.text);
        ++live->troubles;
        if (err) *err = one;
        return one.status != OND_OK ? one.status : OND_NO_MEMORY;
    }
    if (live->play) {
        ond_play_tool(play, ond_play_tool_now(live->play));
        ond_play_destroy(live->play);
    }
    live->play = play;
    live->trouble[0] = '\0';
    live->still = false;
    ++live->scene;
    return OND_OK;
}

// DIR/pool.yaml is saved as DIR/pool.played.yaml.
static void save(OndLive *live)
{
    char path[OND_PATH_MAX];
    OndError err = {0};
    const char *const from = live->def.path, *const dot = ond_path_extension(from);
    const int length = (int)(*dot ? dot - from - 1 : (long)strlen(from));
    if (snprintf(path, sizeof path, "%.*s.played.yaml", length, from) >= (int)sizeof path) return;
    char *const text = ond_play_yaml(live->play, &err);
    OndFile *const file = text ? ond_file_create(path, &err) : NULL;
    if (file) ond_file_write(file, text, strlen(text));
    if (file && ond_file_commit(file, &err) == OND_OK)
        say(live, "saved as %s", path);
    else
        say(live, "not saved: %.400s", err.text);
    free(text);
}

// ---- inputs

static void turn_dial(OndLive *live, const OndInput *input)
{
    OndError err = {0};
    if (ond_play_set_dial(live->play, input->which, input->value, &err) != OND_OK)
        say(live, "%.500s", err.text);
}

static void read_again(OndLive *live)
{
    if (ond_live_read(live, NULL) == OND_OK) say(live, "the scene file was read again");
}

void ond_live_hear(OndLive *live, const OndInput *input)
{
    switch (input->kind) {
    case OND_INPUT_KEY:
        ond_play_key(live->play, (OndPlayKey)input->which);
        break;
    case OND_INPUT_TOOL:
        ond_play_tool(live->play, (OndTool)input->which);
        break;
    case OND_INPUT_POINTER:
        ond_play_pointer(live->play, (OndPointer)input->which, &input->ray);
        break;
    case OND_INPUT_DIAL:
        turn_dial(live, input);
        break;
    case OND_INPUT_COLOUR:
        live->colour = input->text;
        break;
    case OND_INPUT_READ:
        read_again(live);
        break;
    case OND_INPUT_SAVE:
        save(live);
        break;
    }
    live->still = false; // until the next advance says otherwise
}

void ond_live_advance(OndLive *live, double seconds, double budget)
{
    OndError err = {0};
    OndPlayStats stats;
    if (ond_play_advance(live->play, seconds, budget, &err) != OND_OK)
        say(live, "%.500s", err.text);
    ond_play_stats(live->play, &stats);
    live->still = stats.paused || stats.burst;
}

// ---- snapshots

static void look_at_dials(const OndLive *live, OndLiveView *out)
{
    out->dials = 0;
    const int count = ond_play_dial_count(live->play);
    for (int k = 0; k < count && k < OND_LIVE_DIALS; ++k) {
        OndDial *const dial = &out->dial[k];
        if (!ond_play_dial(live->play, k, dial)) return;
        snprintf(out->why[k], sizeof out->why[k], "%s", dial->why ? dial->why : "");
        dial->why = NULL;
        out->dials = k + 1;
    }
}

static void look_at_message(const OndLive *live, OndLiveView *out)
{
    long long number = 0;
    const char *const message = ond_play_message(live->play, &number);
    const bool own = live->said[0] && number <= live->said_at;
    snprintf(out->message, sizeof out->message, "%s", own ? live->said : message);
    out->message_number = number + live->told;
}

void ond_live_look(OndLive *live, OndLiveView *out)
{
    OndError err = {0};
    const OndStatus status =
        ond_shown_sim(&out->shown, ond_play_sim(live->play), live->colour, 0.0f, 0.0f, &err);
    if (status == OND_NO_MEMORY)
        ond_play_starve(live->play, &err);
    else if (status != OND_OK)
        say(live, "%.500s", err.text);
    ond_play_stats(live->play, &out->stats);
    look_at_message(live, out);
    memcpy(out->trouble, live->trouble, sizeof out->trouble);
    memcpy(out->title, live->title, sizeof out->title);
    out->tool = ond_play_tool_now(live->play);
    for (int k = 0; k < OND_TOOLS; ++k)
        out->tool_works[k] = ond_play_tool_works(live->play, (OndTool)k);
    out->tool_shown = ond_play_tool_place(live->play, out->tool_at, &out->tool_radius);
    look_at_dials(live, out);
    out->colour = live->colour;
    out->heard = live->heard;
    out->scene = live->scene;
    out->troubles = live->troubles;
}

// SPDX-License-Identifier: MIT
#include "view/window/replay_face.h"

#include "app/cli.h"
#include "base/clock.h"
#include "base/memory.h"
#include "render/styles.h"
#include "view/window/camera_line.h"
#include "view/window/colours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_FRAMES_AHEAD                                                                           \
    1.0 // that the time may be ahead of what is shown: a slow disk slows it down

struct OndReplayFace {
    OndReplay *replay;
    const OndReplayView *view;
    bool playing, loop;
    double time;        // in frames, from the first
    double since;       // ms, of the last look
    double speed;       // 1: as it is meant to be seen
    int asked;          // place that was asked for last
    const char *colour; // NULL: as it began
    bool meshes;
};

OndReplayFace *ond_replay_face_create(OndReplay *replay, int place, bool still, OndError *err)
{
    OndReplayFace *const face = OND_NEW(OndReplayFace);
    if (!face) {
        ond_replay_destroy(replay);
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a window");
        return NULL;
    }
    face->replay = replay;
    face->playing = !still;
    face->loop = true;
    face->speed = 1.0;
    face->time = face->asked = place > 0 ? place : 0;
    face->since = ond_now_ms();
    ond_replay_go(replay, face->asked);
    return face;
}

void ond_replay_face_destroy(OndReplayFace *face)
{
    if (!face) return;
    ond_replay_destroy(face->replay);
    ond_free(face);
}

// ---- time

static long long ask(OndReplayFace *self, int place)
{
    self->asked = place;
    return ond_replay_go(self->replay, place);
}

static int last_place(const OndReplayFace *self)
{
    const int count = ond_replay_count(self->replay);
    return count > 0 ? count - 1 : 0;
}

// Goes on with the clock, but no farther than the frame after the one that is shown.
static void go_on(OndReplayFace *self)
{
    const double passed = ond_lap_ms(&self->since) * 1e-3;
    const OndReplayView *const view = self->view;
    if (!self->playing || !view || view->place < 0) return;
    if (view->place != self->asked && !view->trouble[0]) return; // it is on its way
    const int last = last_place(self);
    self->time += fmin(passed * self->speed * ond_replay_rate(self->replay), FEW_FRAMES_AHEAD);
    if (self->time >= last + 1.0) self->time = self->loop ? 0.0 : last;
    const int place = (int)self->time;
    if (place != self->asked) ask(self, place);
}

static long long jump(OndReplayFace *self, int place)
{
    const int last = last_place(self);
    place = place < 0 ? 0 : place > last ? last : place;
    self->time = place;
    return ask(self, place);
}

static long long step(OndReplayFace *self, int by)
{
    self->playing = false;
    return jump(self, self->asked + by);
}

// ---- colours

static int colour_now(const OndReplayFace *self)
{
    for (int k = 0; self->view && self->view->colour && ond_colour_names[k]; ++k)
        if (strcmp(ond_colour_names[k], self->view->colour) == 0) return k;
    return 0;
}

static bool has_colour(const OndReplayFace *self, int k)
{
    return self->view && (self->view->colours >> k & 1u);
}

static long long next_colour(OndReplayFace *self)
{
    int k = colour_now(self);
    do
        k = ond_colour_names[k + 1] ? k + 1 : 0;
    while (!has_colour(self, k) && k != colour_now(self));
    return ond_replay_colour(self->replay, ond_colour_names[k]);
}

// ---- keys and clicks

static long long show_meshes(OndReplayFace *self, OndFace *face, bool shown)
{
    if (shown && self->view && !self->view->has_meshes)
        ond_face_say(face, "no surface of this frame: ondine mesh makes them");
    self->meshes = shown;
    return ond_replay_meshes(self->replay, shown);
}

static long long replay_key(void *context, OndFace *face, int key)
{
    OndReplayFace *const self = context;
    switch (key) {
    case OND_KEY_SPACE:
    case 'P':
        self->playing = !self->playing;
        return 0;
    case OND_KEY_RIGHT:
    case 'S':
        return step(self, 1);
    case OND_KEY_LEFT:
        return step(self, -1);
    case OND_KEY_HOME:
    case 'R':
        return jump(self, 0);
    case OND_KEY_END:
        return jump(self, last_place(self));
    case 'L':
        self->loop = !self->loop;
        ond_face_say(face, self->loop ? "goes round" : "stops at the end");
        return 0;
    case 'B':
        return next_colour(self);
    case 'M':
        return show_meshes(self, face, !self->meshes);
    default:
        return 0;
    }
}

static void replay_pointer(void *context, OndFace *face, OndPointer what, const OndPlayRay *ray)
{
    OndReplayFace *const self = context;
    (void)face;
    if (what == OND_POINTER_DOWN) ond_replay_pick(self->replay, ray);
}

// ---- what is shown

static const OndShown *replay_take(void *context, bool *fresh)
{
    OndReplayFace *const self = context;
    self->view = ond_replay_take(self->replay, fresh);
    go_on(self);
    return self->view->place >= 0 ? &self->view->shown : NULL;
}

static long long replay_heard(void *context)
{
    const OndReplayFace *const self = context;
    return self->view ? self->view->heard : 0;
}

static const char *replay_palette(void *context)
{
    const OndReplayFace *const self = context;
    return self->view ? ond_view_palette(self->view->colour) : NULL;
}

static const char *replay_look(void *context)
{
    const OndReplayFace *const self = context;
    const bool plain = colour_now(self) == OND_COLOUR_PLAIN;
    return plain && self->view ? self->view->shown.look : "plain";
}

// A ring round the particle that was clicked.
static bool replay_tool(void *context, bool pointed, double center[3], double *radius)
{
    const OndReplayFace *const self = context;
    (void)pointed;
    if (!self->view || !self->view->picked) return false;
    memcpy(center, self->view->picked_at, sizeof self->view->picked_at);
    *radius = 2.5 * (double)self->view->shown.radius;
    return true;
}

// ---- the panel

static void show_frame(const OndReplayFace *self)
{
    const OndReplayView *const view = self->view;
    const OndShown *const shown = &view->shown;
    char line[200];
    snprintf(line, sizeof line, "frame %d of %d, %.4g s", view->number, view->count, shown->time);
    ond_panel_words(line, OND_TONE_PLAIN);
    if (view->meshes)
        snprintf(line, sizeof line, "surface of %d triangles", shown->surface.triangles);
    else if (shown->particles > 0)
        snprintf(line, sizeof line, "%d particles%s", shown->particles,
                 shown->riders > 0 ? ", and foam" : "");
    else
        snprintf(line, sizeof line, "%d x %d x %d cells", shown->cells[0], shown->cells[1],
                 shown->cells[2]);
    ond_panel_words(line, OND_TONE_DIM);
    if (view->trouble[0]) ond_panel_words(view->trouble, OND_TONE_WARN);
}

static void show_colours(OndReplayFace *self)
{
    const char *names[16];
    int number[16], count = 0, which = 0;
    for (int k = 0; ond_colour_names[k] && count < 16; ++k) {
        if (!has_colour(self, k)) continue;
        if (k == colour_now(self)) which = count;
        number[count] = k;
        names[count++] = ond_colour_names[k];
    }
    if (ond_panel_choice("show", names, count, &which))
        ond_replay_colour(self->replay, ond_colour_names[number[which]]);
    ond_view_legend(&self->view->shown, replay_palette(self));
}

static void replay_panel(void *context, OndFace *face)
{
    OndReplayFace *const self = context;
    const char *const title = ond_replay_title(self->replay);
    ond_panel_heading(title[0] ? title : "Ondine");
    if (!self->view || self->view->place < 0) {
        const bool trouble = self->view && self->view->trouble[0];
        ond_panel_words(trouble ? self->view->trouble : "reading...", OND_TONE_DIM);
        return;
    }
    show_frame(self);
    ond_panel_heading("Colours");
    ond_face_style_choice(face);
    show_colours(self);
    if (self->view->has_meshes &&
        ond_panel_button("surface", self->view->meshes, true, "of ondine mesh (M)"))
        show_meshes(self, face, !self->meshes);
    ond_panel_words("H: all keys", OND_TONE_DIM);
}

static void show_time_line(OndReplayFace *self)
{
    int place = self->asked;
    if (ond_panel_button(self->playing ? "pause" : "play", self->playing, true, "space"))
        self->playing = !self->playing;
    ond_panel_beside();
    if (ond_panel_button("<", false, true, "one frame back (left)")) step(self, -1);
    ond_panel_beside();
    if (ond_panel_button(">", false, true, "one frame on (right)")) step(self, 1);
    ond_panel_beside();
    if (ond_panel_button("loop", self->loop, true, "round and round (L)")) self->loop = !self->loop;
    ond_panel_beside();
    const OndPanelSlider speed = {.label = "speed",
                                  .least = 0.05,
                                  .most = 4.0,
                                  .logarithmic = true,
                                  .works = true,
                                  .unit = "",
                                  .digits = 2};
    ond_panel_slider(&speed, &self->speed);
    if (!ond_panel_line("##time", &place, 0, last_place(self))) return;
    self->playing = false;
    jump(self, place);
}

static void replay_over(void *context, OndFace *face, OndPanel *panel)
{
    OndReplayFace *const self = context;
    (void)face;
    if (!self->view || self->view->place < 0) return;
    ond_panel_open(panel, "time", OND_PANEL_BOTTOM);
    show_time_line(self);
    ond_panel_close(panel);
    if (!self->view->picked) return;
    ond_panel_open(panel, "particle", OND_PANEL_RIGHT);
    ond_panel_heading("Particle");
    ond_panel_lines(self->view->values, OND_TONE_PLAIN);
    ond_panel_close(panel);
}

// ---- the camera

static void replay_camera(void *context, OndFace *face, const OndOrbit *orbit)
{
    OndReplayFace *const self = context;
    char line[OND_CAMERA_LINE];
    OndError err = {0};
    const char *const path = ond_replay_scene(self->replay);
    ond_camera_line(orbit, line);
    puts(line);
    fflush(stdout);
    if (ond_camera_write(path, line, &err) != OND_OK)
        ond_face_say(face, "not kept: %.400s", err.text);
    else
        ond_face_say(face, "this view is kept in %s: ondine render draws from there", path);
}

// ---- for programs

static void replay_report(void *context, FILE *out)
{
    const OndReplayFace *const self = context;
    const OndReplayView *const view = self->view;
    if (!view) return;
    fprintf(out, "\"frame\":%d,\"frames\":%d,\"kept\":%d,\"playing\":%s,\"colour\":\"%s\",\n",
            view->place >= 0 ? view->number : -1, view->count, view->kept,
            self->playing ? "true" : "false", view->colour ? view->colour : "");
    fprintf(out, "\"low\":%.9g,\"high\":%.9g,\"unit\":", (double)view->shown.low,
            (double)view->shown.high);
    ond_cli_json_text(out, view->shown.unit ? view->shown.unit : "");
    fprintf(out, ",\"triangles\":%d,\"picked\":", view->shown.surface.triangles);
    ond_cli_json_text(out, view->picked ? view->values : "");
    fprintf(out, ",\"trouble\":");
    ond_cli_json_text(out, view->trouble);
    fprintf(out, ",\n");
}

// ---- scripts: "frame 12", "colour pressure"

static OndStatus replay_ask(void *context, OndFace *face, char *const *words, int count,
                            OndError *err)
{
    OndReplayFace *const self = context;
    char *end = NULL;
    (void)face;
    const long number = count == 2 ? strtol(words[1], &end, 10) : 0;
    if (strcmp(words[0], "frame") != 0 || !end || *end)
        return ond_fail(err, OND_BAD_VALUE, "a run does not know '%s'; as in: frame 12", words[0]);
    const int place = ond_replay_find(self->replay, (int)number);
    if (place < 0) return ond_fail(err, OND_BAD_VALUE, "there is no frame %ld", number);
    step(self, place - self->asked);
    return OND_OK;
}

const OndSource ond_replay_source = {
    .help = "space\tplay, pause\n"
            "left, right\tone frame back or on\n"
            "home, end\tfirst and last frame\n"
            "L\tround and round, or stop at the end\n"
            "B\tcolours by another field\n"
            "M\tsurfaces of ondine mesh instead of particles\n"
            "left button\tthe values of a particle\n",
    .bar = true,
    .take = replay_take,
    .key = replay_key,
    .pointer = replay_pointer,
    .panel = replay_panel,
    .over = replay_over,
    .tool = replay_tool,
    .heard = replay_heard,
    .palette = replay_palette,
    .look = replay_look,
    .camera = replay_camera,
    .report = replay_report,
    .ask = replay_ask,
};

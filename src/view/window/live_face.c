// SPDX-License-Identifier: MIT
#include "view/window/live_face.h"

#include "base/clock.h"
#include "base/memory.h"
#include "view/window/camera_line.h"
#include "view/window/colours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WATCH_EVERY 500.0 // ms between two looks at the scene file

struct OndLiveFace {
    OndLive *live;
    const char *path;
    bool watched; // nobody edits while pictures are made without a window
    const OndLiveView *view;
    long long said;          // number of the last message
    int scene, troubles;     // of the view before
    struct timespec written; // of the scene file
    double watched_at;
};

const char *const ond_live_colours[] = {"speed",    "temperature", "rigidity", "density",
                                        "pressure", "plain",       NULL};

// ---- making it

static struct timespec written_at(const char *path)
{
    struct stat info;
    const struct timespec never = {0, 0};
    return stat(path, &info) == 0 ? info.st_mtim : never;
}

OndLiveFace *ond_live_face_create(OndLive *live, const OndLiveDef *def, OndError *err)
{
    OndLiveFace *const face = OND_NEW(OndLiveFace);
    if (!face) {
        ond_live_destroy(live);
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a window");
        return NULL;
    }
    face->live = live;
    face->path = def->path;
    face->watched = !def->alone;
    face->written = written_at(def->path);
    return face;
}

void ond_live_face_destroy(OndLiveFace *face)
{
    if (!face) return;
    ond_live_destroy(face->live);
    ond_free(face);
}

// ---- inputs

static long long hand_in(OndLiveFace *self, OndInputKind kind, int which)
{
    const OndInput input = {.kind = kind, .which = which};
    return ond_live_input(self->live, &input);
}

// A scene file that was written since it was read is read again.
static bool changed(OndLiveFace *self)
{
    const struct timespec now = written_at(self->path);
    const bool other = now.tv_sec != self->written.tv_sec || now.tv_nsec != self->written.tv_nsec;
    if (!other || now.tv_sec == 0) return false; // an editor may be replacing it
    self->written = now;
    return true;
}

static void watch(OndLiveFace *self)
{
    const double now = ond_now_ms();
    if (!self->watched || now - self->watched_at < WATCH_EVERY) return;
    self->watched_at = now;
    if (changed(self)) hand_in(self, OND_INPUT_READ, 0);
}

// What is shown, which need not be what was asked for.
static int colour_now(const OndLiveFace *self)
{
    for (int k = 0; self->view && self->view->shown.value && ond_live_colours[k]; ++k)
        if (strcmp(ond_live_colours[k], self->view->shown.value) == 0) return k;
    return 0;
}

static void choose_colour(OndLiveFace *self, int colour)
{
    const OndInput input = {.kind = OND_INPUT_COLOUR, .text = ond_live_colours[colour]};
    ond_live_input(self->live, &input);
}

static long long live_key(void *context, OndFace *face, int key)
{
    OndLiveFace *const self = context;
    (void)face;
    if (key >= '1' && key < '1' + OND_TOOLS) return hand_in(self, OND_INPUT_TOOL, key - '1');
    switch (key) {
    case OND_KEY_SPACE:
        return hand_in(self, OND_INPUT_KEY, OND_PLAY_DROP);
    case 'R':
        if (changed(self)) return hand_in(self, OND_INPUT_READ, 0);
        return hand_in(self, OND_INPUT_KEY, OND_PLAY_RESTART);
    case 'P':
        return hand_in(self, OND_INPUT_KEY, OND_PLAY_PAUSE);
    case 'S':
        return hand_in(self, OND_INPUT_KEY, OND_PLAY_STEP);
    case 'W':
        return hand_in(self, OND_INPUT_SAVE, 0);
    case 'B':
        choose_colour(self, ond_live_colours[colour_now(self) + 1] ? colour_now(self) + 1 : 0);
        return 0;
    default:
        return 0;
    }
}

static void live_pointer(void *context, OndFace *face, OndPointer what, const OndPlayRay *ray)
{
    OndLiveFace *const self = context;
    const OndInput input = {.kind = OND_INPUT_POINTER, .which = what, .ray = *ray};
    (void)face;
    ond_live_input(self->live, &input);
}

// ---- what is shown

// In the terminal, too: the editor may be there.
static void tell_reading(OndLiveFace *self)
{
    const OndLiveView *const view = self->view;
    if (view->troubles != self->troubles) fprintf(stderr, "%s\n", view->trouble);
    if (self->scene > 0 && view->scene != self->scene) {
        printf("%s was read again\n", self->path);
        fflush(stdout);
    }
    self->scene = view->scene;
    self->troubles = view->troubles;
}

static const OndShown *live_take(void *context, bool *fresh)
{
    OndLiveFace *const self = context;
    watch(self);
    self->view = ond_live_take(self->live, fresh);
    tell_reading(self);
    return &self->view->shown;
}

static long long live_heard(void *context)
{
    const OndLiveFace *const self = context;
    return self->view ? self->view->heard : 0;
}

static bool live_tool(void *context, bool pointed, double center[3], double *radius)
{
    const OndLiveFace *const self = context;
    if (!pointed || !self->view || !self->view->tool_shown) return false;
    memcpy(center, self->view->tool_at, sizeof self->view->tool_at);
    *radius = self->view->tool_radius;
    return true;
}

static const char *live_palette(void *context)
{
    const OndLiveFace *const self = context;
    return self->view ? ond_view_palette(self->view->shown.value) : NULL;
}

// A surface that has no colours to show looks like what it is of.
static const char *live_look(void *context)
{
    const OndLiveFace *const self = context;
    const bool plain = strcmp(ond_live_colours[colour_now(self)], "plain") == 0;
    return plain && self->view ? self->view->shown.look : "plain";
}

// ---- the panel

// "12,345": long numbers are read in threes.
static const char *in_threes(int number, char out[24])
{
    char digits[16];
    int to = 0;
    const int count = snprintf(digits, sizeof digits, "%d", number);
    for (int k = 0; k < count; ++k) {
        out[to++] = digits[k];
        if ((count - k - 1) % 3 == 0 && k + 1 < count) out[to++] = ',';
    }
    out[to] = '\0';
    return out;
}

static void show_pace(const OndPlayStats *stats)
{
    char line[160];
    if (stats->burst)
        ond_panel_words("burst: R starts again", OND_TONE_WARN);
    else if (stats->paused)
        ond_panel_words("paused: P goes on, S takes a step", OND_TONE_WARN);
    else if (stats->rate > 0.97 || stats->steps <= 0.0)
        ond_panel_words("in real time", OND_TONE_PLAIN);
    else {
        snprintf(line, sizeof line,
                 "slow motion: %.0f %% of real time; the scene is %.1f times too large for it",
                 100.0 * stats->rate, 1.0 / fmax(stats->rate, 1e-3));
        ond_panel_words(line, OND_TONE_WARN);
    }
}

// Pictures without a window take as long as they take: they say nothing of pace.
static void show_numbers(const OndLiveFace *self, const OndFace *face)
{
    char line[160], count[24];
    const OndLiveView *const view = self->view;
    const OndShown *const shown = &view->shown;
    if (shown->particles > 0 || shown->cells[0] == 0)
        snprintf(line, sizeof line, "%s particles", in_threes(shown->particles, count));
    else
        snprintf(line, sizeof line, "%d x %d x %d cells", shown->cells[0], shown->cells[1],
                 shown->cells[2]);
    ond_panel_words(line, OND_TONE_PLAIN);
    if (self->watched) {
        snprintf(line, sizeof line, "%.1f ms a step, %.0f pictures a second", view->stats.step_ms,
                 ond_face_rate(face));
        ond_panel_words(line, OND_TONE_DIM);
    }
    snprintf(line, sizeof line, "%.2f s have passed", view->stats.time);
    ond_panel_words(line, OND_TONE_DIM);
    if (self->watched) show_pace(&view->stats);
}

static void show_keys(OndLiveFace *self, const OndLiveView *view)
{
    if (ond_panel_button("drop", false, true, "another block of liquid (space)"))
        hand_in(self, OND_INPUT_KEY, OND_PLAY_DROP);
    ond_panel_beside();
    if (ond_panel_button("again", false, true, "from the start (R)"))
        hand_in(self, OND_INPUT_KEY, OND_PLAY_RESTART);
    ond_panel_beside();
    if (ond_panel_button("pause", view->stats.paused, true, "and go on (P)"))
        hand_in(self, OND_INPUT_KEY, OND_PLAY_PAUSE);
    ond_panel_beside();
    if (ond_panel_button("step", false, true, "one step, and pause (S)"))
        hand_in(self, OND_INPUT_KEY, OND_PLAY_STEP);
    ond_panel_beside();
    if (ond_panel_button(
            "save", false, true,
            "the scene as it is with these dials, beside its file, for ondine run (W)"))
        hand_in(self, OND_INPUT_SAVE, 0);
}

static void show_tools(OndLiveFace *self, const OndLiveView *view)
{
    ond_panel_heading("Left button");
    for (int k = 0; k < OND_TOOLS; ++k) {
        char tip[64];
        snprintf(tip, sizeof tip, view->tool_works[k] ? "key %d" : "this scene does not hear it",
                 k + 1);
        if (k > 0) ond_panel_beside();
        if (ond_panel_button(ond_tool_name((OndTool)k), view->tool == (OndTool)k,
                             view->tool_works[k], tip))
            hand_in(self, OND_INPUT_TOOL, k);
    }
}

static void show_dial(OndLiveFace *self, const OndLiveView *view, int k)
{
    const OndDial *const dial = &view->dial[k];
    double value = dial->value;
    const OndPanelSlider slider = {.label = dial->label,
                                   .least = dial->least,
                                   .most = dial->most,
                                   .logarithmic = dial->logarithmic,
                                   .works = dial->works,
                                   .unit = dial->unit,
                                   .tip = dial->restarts ? "starts again" : NULL,
                                   .digits = -1};
    if (!ond_panel_slider(&slider, &value)) return;
    const OndInput input = {.kind = OND_INPUT_DIAL, .which = k, .value = value};
    ond_live_input(self->live, &input);
}

// Those that work; why others do not is told where the pointer rests on their names.
static void show_dials(OndLiveFace *self, const OndLiveView *view)
{
    ond_panel_heading("Dials");
    for (int k = 0; k < view->dials; ++k)
        if (view->dial[k].works) show_dial(self, view, k);
    for (int k = 0, dead = 0; k < view->dials; ++k) {
        if (view->dial[k].works) continue;
        if (dead++ > 0) ond_panel_beside();
        ond_panel_button(view->dial[k].label, false, false, view->why[k]);
    }
}

static void live_panel(void *context, OndFace *face)
{
    OndLiveFace *const self = context;
    const OndLiveView *const view = self->view;
    if (!view) return;
    int colour = colour_now(self);
    ond_panel_heading(view->title[0] ? view->title : "Ondine");
    show_numbers(self, face);
    show_keys(self, view);
    show_tools(self, view);
    ond_panel_heading("Colours");
    ond_face_style_choice(face);
    if (ond_panel_choice("show", ond_live_colours, 6, &colour)) choose_colour(self, colour);
    ond_view_legend(&view->shown, live_palette(self));
    show_dials(self, view);
    ond_panel_words("H: all keys", OND_TONE_DIM);
}

static void live_over(void *context, OndFace *face, OndPanel *panel)
{
    OndLiveFace *const self = context;
    const OndLiveView *const view = self->view;
    if (!view) return;
    if (view->message_number != self->said && view->message[0])
        ond_face_say(face, "%s", view->message);
    self->said = view->message_number;
    if (!view->trouble[0]) return;
    ond_panel_open(panel, "trouble", OND_PANEL_BOTTOM);
    ond_panel_words(
        "The scene file has a mistake; what runs is the one before. It is read again when "
        "it changes.",
        OND_TONE_WARN);
    ond_panel_lines(view->trouble, OND_TONE_PLAIN);
    ond_panel_close(panel);
}

// ---- the camera

static void live_camera(void *context, OndFace *face, const OndOrbit *orbit)
{
    OndLiveFace *const self = context;
    char line[OND_CAMERA_LINE];
    OndError err = {0};
    ond_camera_line(orbit, line);
    puts(line);
    fflush(stdout);
    if (ond_camera_write(self->path, line, &err) != OND_OK) {
        ond_face_say(face, "not kept: %.400s", err.text);
        return;
    }
    self->written = written_at(self->path); // the same scene: no reason to start again
    ond_face_say(face, "this view is kept in %s", self->path);
}

// ---- for programs

static void live_report(void *context, FILE *out)
{
    const OndLiveFace *const self = context;
    const OndLiveView *const view = self->view;
    if (!view) return;
    fprintf(out, "\"scene\":");
    ond_cli_json_text(out, self->path);
    fprintf(out, ",\"reads\":%d,\"trouble\":", view->scene);
    ond_cli_json_text(out, view->trouble);
    fprintf(out, ",\"message\":");
    ond_cli_json_text(out, view->message);
    fprintf(out, ",\n\"tool\":\"%s\",\"paused\":%s,\"burst\":%s,\"step_ms\":%.4g,\"rate\":%.4g,\n",
            ond_tool_name(view->tool), view->stats.paused ? "true" : "false",
            view->stats.burst ? "true" : "false", view->stats.step_ms, view->stats.rate);
    fprintf(out, "\"dials\":{");
    for (int k = 0; k < view->dials; ++k)
        fprintf(out, "%s\"%s\":%.9g", k ? "," : "", view->dial[k].name, view->dial[k].value);
    fprintf(out, "},\n");
}

// ---- scripts: "tool heat", "dial gravity 3"

static OndStatus ask_tool(OndLiveFace *self, const char *name, OndError *err)
{
    char list[128] = "";
    for (int k = 0; k < OND_TOOLS; ++k) {
        if (name && strcmp(name, ond_tool_name((OndTool)k)) == 0) {
            hand_in(self, OND_INPUT_TOOL, k);
            return OND_OK;
        }
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "",
                 ond_tool_name((OndTool)k));
    }
    return ond_fail(err, OND_BAD_VALUE, "there is no tool '%s'; there are: %s", name ? name : "",
                    list);
}

static OndStatus ask_dial(OndLiveFace *self, const char *name, const char *value, OndError *err)
{
    char list[512] = "", *end = NULL;
    for (int k = 0; self->view && k < self->view->dials; ++k) {
        const char *const dial = self->view->dial[k].name;
        OndInput input = {.kind = OND_INPUT_DIAL, .which = k};
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", dial);
        if (!name || strcmp(name, dial) != 0) continue;
        input.value = value ? strtod(value, &end) : 0.0;
        if (!value || end == value || *end)
            return ond_fail(err, OND_BAD_VALUE, "the dial %s needs a number, not '%s'", name,
                            value ? value : "");
        ond_live_input(self->live, &input);
        return OND_OK;
    }
    return ond_fail(err, OND_BAD_VALUE, "there is no dial '%s'; there are: %s", name ? name : "",
                    list);
}

static OndStatus live_ask(void *context, OndFace *face, char *const *words, int count,
                          OndError *err)
{
    OndLiveFace *const self = context;
    (void)face;
    const char *const name = count > 1 ? words[1] : NULL;
    if (strcmp(words[0], "tool") == 0) return ask_tool(self, name, err);
    if (strcmp(words[0], "dial") == 0)
        return ask_dial(self, name, count > 2 ? words[2] : NULL, err);
    return ond_fail(err, OND_BAD_VALUE, "a simulation does not know '%s'", words[0]);
}

const OndSource ond_live_source = {
    .help = "space\tanother block of liquid\n"
            "R\tfrom the start; a scene file that was changed is read again\n"
            "P\tpause\n"
            "S\tone step, and pause\n"
            "1 to 7\twhat the left button does: push, pull, pour, heat, cool, cut, grab\n"
            "B\twhat the colours show\n"
            "W\tsave the scene with its dials\n"
            "left button\tthe tool\n",
    .take = live_take,
    .key = live_key,
    .pointer = live_pointer,
    .panel = live_panel,
    .over = live_over,
    .tool = live_tool,
    .heard = live_heard,
    .palette = live_palette,
    .look = live_look,
    .camera = live_camera,
    .report = live_report,
    .ask = live_ask,
};

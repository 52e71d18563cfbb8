// SPDX-License-Identifier: MIT
#include "view/window/view.h"

#include "app/run_scene.h"
#include "base/clock.h"
#include "render/styles.h"
#include "view/window/live_face.h"
#include "view/window/replay_face.h"
#include "view/window/shot.h"
#include "view/window/window.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define WIDTH  1280
#define HEIGHT 720

// Where pictures go: a window, or a context without one.
typedef struct ViewScreen {
    int width, height;
    OndWindow *window;
    OndOffscreen *offscreen;
} ViewScreen;

static OndStatus open_screen(ViewScreen *screen, const OndViewOptions *o, OndError *err)
{
    char title[300];
    snprintf(title, sizeof title, "Ondine: %.200s", o->path);
    screen->width = o->size[0] > 0 ? o->size[0] : WIDTH;
    screen->height = o->size[1] > 0 ? o->size[1] : HEIGHT;
    if (o->screenshot)
        screen->offscreen = ond_offscreen_create(false, screen->width, screen->height, err);
    else
        screen->window = ond_window_open(title, screen->width, screen->height, err);
    return screen->offscreen || screen->window ? OND_OK : err->status;
}

static void close_screen(ViewScreen *screen)
{
    ond_offscreen_destroy(screen->offscreen);
    ond_window_close(screen->window);
}

// ---- what was seen

#define SETTLE 10000.0 // ms

// The last keys are still to be heard when a window is closed.
static void settle(OndFace *face)
{
    int width, height;
    ond_face_size(face, &width, &height);
    const double since = ond_now_ms();
    while (!ond_face_settled(face) && ond_now_ms() - since < SETTLE) {
        const struct timespec moment = {0, 2000000};
        nanosleep(&moment, NULL);
        ond_face_look(face, width, height);
    }
}

static OndStatus report(const OndViewOptions *o, OndFace *face, OndError *err)
{
    if (!o->report) return OND_OK;
    settle(face);
    FILE *const out = fopen(o->report, "w");
    if (!out) return ond_fail(err, OND_IO, "cannot write %s: %s", o->report, strerror(errno));
    fputs("{", out);
    ond_face_report(face, out);
    fputs("}\n", out);
    if (fclose(out) == 0) return OND_OK;
    return ond_fail(err, OND_IO, "cannot write %s: %s", o->report, strerror(errno));
}

// ---- showing

static OndStatus show(const OndViewOptions *o, const ViewScreen *screen, OndFace *face,
                      OndScript *script, int after, OndError *err)
{
    const OndShot shot = {.path = o->screenshot,
                          .width = screen->width,
                          .height = screen->height,
                          .after = after,
                          .script = script};
    if (screen->offscreen) return ond_shot_take(screen->offscreen, face, &shot, err);
    return ond_window_run(screen->window, face, script, err);
}

static OndStatus show_source(const OndViewOptions *o, const ViewScreen *screen,
                             const OndFaceDef *what, int after, OndError *err)
{
    OndFaceDef def = *what;
    def.style = o->style;
    def.backdrop = o->backdrop;
    def.no_panel = o->screenshot && !o->panel;
    def.scale = screen->window ? ond_window_scale(screen->window) : 1.0;
    OndScript *const script = o->script ? ond_script_create(o->script, err) : NULL;
    OndFace *const face = !o->script || script ? ond_face_create(&def, err) : NULL;
    OndStatus status = face ? show(o, screen, face, script, after, err) : err->status;
    if (status == OND_OK) status = report(o, face, err);
    ond_face_destroy(face);
    ond_script_destroy(script);
    return status;
}

// Only names of that list, which ends with NULL; NULL is fine.
static OndStatus check_colour(const char *colour, const char *const *names, OndError *err)
{
    char list[128] = "";
    for (int k = 0; names[k]; ++k) {
        if (!colour || strcmp(colour, names[k]) == 0) return OND_OK;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", names[k]);
    }
    return ond_fail(err, OND_BAD_VALUE, "--colour must be one of %s, not '%s'", list, colour);
}

// ---- a scene that runs

static OndStatus view_scene(const OndViewOptions *o, OndError *err)
{
    ViewScreen screen = {0};
    const OndLiveDef def = {.path = o->path,
                            .set = &o->set,
                            .colour = o->colour,
                            .plain = o->style != OND_DRAW_SPHERES,
                            .alone = o->screenshot != NULL,
                            .picture = 1.0 / 60.0};
    OndStatus status = check_colour(o->colour, ond_live_colours, err);
    OndLive *const live = status == OND_OK ? ond_live_create(&def, err) : NULL;
    OndLiveFace *const self = live ? ond_live_face_create(live, &def, err) : NULL;
    const OndFaceDef face = {.source = &ond_live_source, .self = self};
    if (!self) return err->status;
    status = open_screen(&screen, o, err);
    if (status == OND_OK) status = ond_live_start(live, ond_window_wake, NULL, err);
    if (status == OND_OK) status = show_source(o, &screen, &face, o->after > 0 ? o->after : 0, err);
    ond_live_stop(live); // a long step ends after the window is gone
    close_screen(&screen);
    ond_live_face_destroy(self);
    return status;
}

// ---- a run that is played back

// The frame that was asked for; of a picture without a word the last one, of a window the first.
static OndStatus first_place(const OndViewOptions *o, OndReplay *replay, int *place, OndError *err)
{
    *place = o->after >= 0 ? ond_replay_find(replay, o->after) : 0;
    if (o->after < 0 && o->screenshot) *place = ond_replay_count(replay) - 1;
    if (*place >= 0) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "%s has no frame %d", o->path, o->after);
}

static OndStatus view_run(const OndViewOptions *o, OndError *err)
{
    ViewScreen screen = {0};
    const OndReplayDef def = {.path = o->path, .colour = o->colour, .alone = o->screenshot != NULL};
    int place = 0;
    OndStatus status = check_colour(o->colour, ond_colour_names, err);
    if (status == OND_OK && o->set.count > 0)
        status = ond_fail(err, OND_BAD_VALUE,
                          "--set changes a scene that runs, not a run that is "
                          "done; run it anew: ondine run %s --set ...",
                          o->path);
    OndReplay *const replay = status == OND_OK ? ond_replay_create(&def, err) : NULL;
    if (!replay) return err->status;
    status = first_place(o, replay, &place, err);
    if (status != OND_OK) {
        ond_replay_destroy(replay);
        return status;
    }
    OndReplayFace *const self =
        ond_replay_face_create(replay, place, o->screenshot || o->after >= 0, err);
    const OndFaceDef face = {.source = &ond_replay_source, .self = self};
    if (!self) return err->status;
    status = open_screen(&screen, o, err);
    if (status == OND_OK) status = ond_replay_start(replay, ond_window_wake, NULL, err);
    if (status == OND_OK) status = show_source(o, &screen, &face, 0, err);
    ond_replay_stop(replay);
    close_screen(&screen);
    ond_replay_face_destroy(self);
    return status;
}

OndStatus ond_view(const OndViewOptions *o, OndError *err)
{
    return ond_scene_is_folder(o->path) ? view_run(o, err) : view_scene(o, err);
}

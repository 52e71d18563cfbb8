// SPDX-License-Identifier: MIT
#include "view/window/replay_state.h"

#include "app/memory_free.h"
#include "base/clock.h"
#include "base/memory.h"
#include "io/run_folder.h"
#include "lib/render_look.h"
#include "render/of_scene.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define MEMORY_SHARE 0.4          // of what is free
#define MEMORY_MOST  4294967296.0 // bytes
#define LOOK_EVERY   500.0        // ms between two looks for new frames
#define WITHOUT_RATE 24.0         // frames a second of a run whose scene cannot be read

// ---- showing

static OndWish wish_now(OndReplay *r)
{
    pthread_mutex_lock(&r->lock);
    const OndWish wish = r->wish;
    r->wish.pick = false;
    pthread_mutex_unlock(&r->lock);
    return wish;
}

static void publish(OndReplay *r)
{
    pthread_mutex_lock(&r->lock);
    ond_three_give(&r->three);
    if (r->woken && !r->quit) r->woken(r->user);
    pthread_mutex_unlock(&r->lock);
}

// What keeps its memory from picture to picture is not cleared.
static void begin_view(OndReplay *r, const OndWish *wish, OndReplayView *out)
{
    out->count = r->count;
    out->heard = wish->number;
    out->trouble[0] = out->values[0] = '\0';
    out->picked = false;
}

// Ranges come first: looking for them may drop any frame. Cells without a value of the wished kind are coloured by
// their warmth.
static const OndKept *find_frame(OndReplay *r, const OndWish *wish, int place, OndError *err)
{
    ond_replay_range(r, wish->colour);
    const OndKept *const kept = ond_replay_keep(r, place, err);
    if (!kept || !ond_frame_has_grid(&kept->frame)) return kept;
    ond_replay_range(r, ond_colour_names[OND_COLOUR_TEMPERATURE]);
    return ond_replay_keep(r, place, err);
}

static void show(OndReplay *r, const OndWish *wish)
{
    OndError err = {0};
    OndReplayView *const out = r->view[r->three.filled];
    begin_view(r, wish, out);
    const int place = wish->place < r->count ? wish->place : r->count - 1;
    const OndKept *const kept = find_frame(r, wish, place, &err);
    if (kept && wish->pick) ond_replay_choose(r, &kept->frame, &wish->ray);
    OndStatus status = kept ? ond_replay_show(r, wish, kept, out, &err) : err.status;
    if (status == OND_OK) {
        out->place = place;
        out->number = r->number[place];
        ond_replay_tell(r, &kept->frame, out);
    } else
        snprintf(out->trouble, sizeof out->trouble, "%.500s", err.text);
    out->kept = ond_replay_kept(r);
    publish(r);
}

const OndReplayView *ond_replay_take(OndReplay *r, bool *fresh)
{
    if (r->def.alone) {
        const OndWish wish = wish_now(r);
        if (wish.number != r->shown_number) show(r, &wish);
        r->shown_number = wish.number;
    }
    pthread_mutex_lock(&r->lock);
    *fresh = ond_three_take(&r->three);
    pthread_mutex_unlock(&r->lock);
    return r->view[r->three.shown];
}

// ---- wishes

static long long wished(OndReplay *r)
{
    const long long number = ++r->wish.number;
    pthread_cond_signal(&r->news);
    pthread_mutex_unlock(&r->lock);
    return number;
}

long long ond_replay_go(OndReplay *r, int place)
{
    pthread_mutex_lock(&r->lock);
    r->wish.place = place > 0 ? place : 0;
    return wished(r);
}

long long ond_replay_colour(OndReplay *r, const char *colour)
{
    pthread_mutex_lock(&r->lock);
    r->wish.colour = colour;
    return wished(r);
}

long long ond_replay_meshes(OndReplay *r, bool shown)
{
    pthread_mutex_lock(&r->lock);
    r->wish.meshes = shown;
    return wished(r);
}

long long ond_replay_pick(OndReplay *r, const OndPlayRay *ray)
{
    pthread_mutex_lock(&r->lock);
    r->wish.pick = true;
    r->wish.ray = *ray;
    return wished(r);
}

// ---- the thread

// Waits for another wish than that, or so many ms.
static bool wait_for_wish(OndReplay *r, long long than, double ms)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const long long late = until.tv_nsec + (long long)(ms * 1e6);
    until.tv_sec += (time_t)(late / 1000000000);
    until.tv_nsec = (long)(late % 1000000000);
    pthread_mutex_lock(&r->lock);
    while (!r->quit && r->wish.number == than && ms > 0.0)
        if (pthread_cond_timedwait(&r->news, &r->lock, &until) != 0) break;
    const bool quit = r->quit;
    pthread_mutex_unlock(&r->lock);
    return !quit;
}

static OndStatus open_shots(OndReplay *r, OndError *err)
{
    char path[OND_PATH_MAX];
    snprintf(path, sizeof path, "%s", r->def.path);
    char *names[] = {path};
    ond_shots_free(&r->shots);
    const OndStatus status = ond_shots_find(names, 1, -1, &r->shots, err);
    return status == OND_OK ? ond_shots_solids(&r->shots, err) : status;
}

// Another run has another scene and other solids. Where they cannot be read yet they can later, and frames
// that were read without them are read again.
static void open_anew(OndReplay *r)
{
    if (r->opened == r->anew || open_shots(r, NULL) != OND_OK) return;
    r->opened = r->anew;
    pthread_mutex_lock(&r->lock);
    ond_replay_forget(r);
    pthread_mutex_unlock(&r->lock);
    ond_replay_list(r, NULL);
}

// New frames of a run that goes on, or another run; true when there is something new.
static bool look_for_more(OndReplay *r)
{
    const double now = ond_now_ms();
    const int before = r->count, run = r->anew, opened = r->opened;
    if (now - r->looked < LOOK_EVERY) return false;
    r->looked = now;
    ond_replay_list(r, NULL);
    open_anew(r);
    return r->count != before || r->anew != run || r->opened != opened;
}

static void *go(void *context)
{
    OndReplay *const r = context;
    long long done = -1;
    bool more = true;
    while (wait_for_wish(r, done, more ? 0.0 : LOOK_EVERY)) {
        const OndWish wish = wish_now(r);
        const bool longer = look_for_more(r);
        if (wish.number != done || longer) show(r, &wish);
        done = wish.number;
        more = ond_replay_ahead(r, wish.place);
    }
    return NULL;
}

// ---- making it

static bool make_views(OndReplay *r)
{
    for (int k = 0; k < 3; ++k) {
        r->view[k] = OND_NEW(OndReplayView);
        if (!r->view[k]) return false;
        r->view[k]->place = -1;
    }
    r->three = ond_three();
    return true;
}

static const char *first_colour(const OndReplay *r)
{
    if (r->def.colour) return r->def.colour;
    if (!r->shots.has_scene) return ond_colour_names[OND_COLOUR_SPEED];
    const OndRenderDef look = ond_look_of_scene(&r->shots.scene);
    const OndPictureDef *const picture = ond_scene_picture(&r->shots.scene);
    const bool says = picture && ond_node_get(picture->node, "colour");
    if (r->def.plain && look.as == OND_AS_SURFACE && !says)
        return ond_colour_names[OND_COLOUR_PLAIN];
    return ond_colour_names[look.colour];
}

static OndStatus open_run(OndReplay *r, OndError *err)
{
    ond_replay_forget(r);
    OndStatus status = open_shots(r, err);
    if (status == OND_OK) status = ond_replay_list(r, err);
    if (status != OND_OK) return status;
    ond_run_path(&r->shots.folder, OND_RUN_SCENE, 0, r->scene);
    r->rate = r->shots.has_scene ? ond_look_fps(r->shots.scene.frame_rate) : WITHOUT_RATE;
    r->wish = (OndWish){.colour = first_colour(r), .number = 1};
    if (r->shots.has_scene && r->shots.scene.title)
        snprintf(r->title, sizeof r->title, "%s", r->shots.scene.title);
    return OND_OK;
}

OndReplay *ond_replay_create(const OndReplayDef *def, OndError *err)
{
    OndReplay *const r = OND_NEW(OndReplay);
    if (!r || !make_views(r)) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a window");
        ond_replay_destroy(r);
        return NULL;
    }
    r->def = *def;
    const double free_now = ond_memory_free();
    if (!(r->def.memory > 0.0))
        r->def.memory =
            free_now > 0.0 ? fmin(MEMORY_SHARE * free_now, MEMORY_MOST) : MEMORY_MOST / 4;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->news, NULL);
    r->locked = true;
    if (open_run(r, err) == OND_OK) return r;
    ond_replay_destroy(r);
    return NULL;
}

OndStatus ond_replay_start(OndReplay *r, void (*woken)(void *user), void *user, OndError *err)
{
    r->woken = woken;
    r->user = user;
    if (r->def.alone) return OND_OK;
    r->running = pthread_create(&r->thread, NULL, go, r) == 0;
    if (r->running) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "no thread could be started to read frames");
}

void ond_replay_stop(OndReplay *r)
{
    pthread_mutex_lock(&r->lock);
    r->quit = true;
    pthread_cond_signal(&r->news);
    pthread_mutex_unlock(&r->lock);
}

void ond_replay_destroy(OndReplay *r)
{
    if (!r) return;
    if (r->running) {
        ond_replay_stop(r);
        pthread_join(r->thread, NULL);
    }
    if (r->locked) {
        pthread_cond_destroy(&r->news);
        pthread_mutex_destroy(&r->lock);
    }
    ond_replay_forget(r);
    for (int k = 0; k < 3; ++k) {
        if (r->view[k]) ond_shown_clear(&r->view[k]->shown);
        ond_free(r->view[k]);
    }
    ond_shots_free(&r->shots);
    ond_free(r);
}

// ---- small answers

double ond_replay_rate(const OndReplay *r)
{
    return r->rate;
}

const char *ond_replay_title(const OndReplay *r)
{
    return r->title;
}

const char *ond_replay_scene(const OndReplay *r)
{
    return r->scene;
}

int ond_replay_count(OndReplay *r)
{
    pthread_mutex_lock(&r->lock);
    const int count = r->count;
    pthread_mutex_unlock(&r->lock);
    return count;
}

int ond_replay_find(OndReplay *r, int number)
{
    int place = -1;
    pthread_mutex_lock(&r->lock);
    for (int k = 0; k < r->count && place < 0; ++k)
        if (r->number[k] == number) place = k;
    pthread_mutex_unlock(&r->lock);
    return place;
}

// SPDX-License-Identifier: MIT
// The thread of a simulation that is played with, and what goes in and out of it.
#include "view/window/live.h"

#include "base/clock.h"
#include "base/memory.h"
#include "view/window/live_state.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- inputs

static bool hear_all(OndLive *live)
{
    OndLiveInput input;
    bool any = false;
    while (ond_live_next(live, &input)) {
        ond_live_hear(live, &input.what);
        live->heard = input.number;
        any = true;
    }
    return any;
}

// ---- snapshots

// A key that came while the snapshot was made is in it all the same, though it costs another look: no second
// snapshot without it goes out.
static void publish(OndLive *live)
{
    ond_live_look(live, live->view[live->three.filled]);
    pthread_mutex_lock(&live->lock);
    if (live->urgent) {
        pthread_mutex_unlock(&live->lock);
        hear_all(live);
        ond_live_look(live, live->view[live->three.filled]);
        pthread_mutex_lock(&live->lock);
    }
    ond_three_give(&live->three);
    if (live->woken && !live->quit) live->woken(live->user);
    pthread_mutex_unlock(&live->lock);
}

static const OndLiveView *take(OndLive *live, bool *fresh)
{
    pthread_mutex_lock(&live->lock);
    *fresh = ond_three_take(&live->three);
    if (*fresh) pthread_cond_signal(&live->news);
    pthread_mutex_unlock(&live->lock);
    return live->view[live->three.shown];
}

const OndLiveView *ond_live_take(OndLive *live, bool *fresh)
{
    if (live->def.alone && live->begun) {
        hear_all(live);
        ond_live_advance(live, live->def.picture, 1e9);
        publish(live);
    }
    live->begun = true;
    return take(live, fresh);
}

// ---- the thread

// Waits for so many seconds, or until there is something to do: an input or, where pictures are wanted, a
// snapshot that was taken away. Counted from the wall, which is what conditions wait by.
static void wait_for_news(OndLive *live, double seconds, bool pictures)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const long long late = until.tv_nsec + (long long)(seconds * 1e9);
    until.tv_sec += (time_t)(late / 1000000000);
    until.tv_nsec = (long)(late % 1000000000);
    pthread_mutex_lock(&live->lock);
    while (!live->quit && live->waiting == 0 && (live->three.fresh || !pictures))
        if (pthread_cond_timedwait(&live->news, &live->lock, &until) != 0) break;
    pthread_mutex_unlock(&live->lock);
}

static bool must_quit(OndLive *live)
{
    pthread_mutex_lock(&live->lock);
    const bool quit = live->quit;
    pthread_mutex_unlock(&live->lock);
    return quit;
}

#define LONGEST  1.0         // s between two pictures; a machine that slept longer has not played
#define BUDGET   (1.0 / 60)  // s of the clock, after which an input is heard at the latest
#define SOONEST  (1.0 / 240) // s between two pictures
#define UNWANTED (1.0 / 20) // s that a snapshot waits for a window before the scene goes on without

// What came while steps were taken is heard before the snapshot is: it shows in the next picture but one at
// the latest.
static void *go(void *context)
{
    OndLive *const live = context;
    double since = ond_now_ms();
    bool heard = false; // since the last snapshot
    while (!must_quit(live)) {
        const double now = ond_now_ms(), passed = (now - since) * 1e-3;
        const bool due = passed >= SOONEST;
        heard = hear_all(live) || heard;
        if (due) {
            since = now;
            ond_live_advance(live, passed < LONGEST ? passed : LONGEST, BUDGET);
            const bool moved = !live->still;
            heard = hear_all(live) || heard;
            if (heard || moved) publish(live);
            heard = false;
        }
        const double left = UNWANTED - (ond_now_ms() - since) * 1e-3;
        if (live->still)
            wait_for_news(live, 1.0, false);
        else if (heard || !due)
            wait_for_news(live, SOONEST, false);
        else if (left > 0.0)
            wait_for_news(live, left, true);
    }
    return NULL;
}

// ---- making it

static bool make_views(OndLive *live)
{
    for (int k = 0; k < 3; ++k) {
        live->view[k] = OND_NEW(OndLiveView);
        if (!live->view[k]) return false;
    }
    live->three = ond_three();
    return true;
}

OndLive *ond_live_create(const OndLiveDef *def, OndError *err)
{
    OndLive *const live = OND_NEW(OndLive);
    if (!live || !make_views(live)) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a window");
        ond_live_destroy(live);
        return NULL;
    }
    live->def = *def;
    pthread_mutex_init(&live->lock, NULL);
    pthread_cond_init(&live->news, NULL);
    live->locked = true;
    if (ond_live_read(live, err) != OND_OK) {
        ond_live_destroy(live);
        return NULL;
    }
    publish(live);
    return live;
}

OndStatus ond_live_start(OndLive *live, void (*woken)(void *user), void *user, OndError *err)
{
    live->woken = woken;
    live->user = user;
    if (live->def.alone) return OND_OK;
    live->running = pthread_create(&live->thread, NULL, go, live) == 0;
    if (live->running) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "no thread could be started for the simulation");
}

void ond_live_stop(OndLive *live)
{
    pthread_mutex_lock(&live->lock);
    live->quit = true;
    pthread_cond_signal(&live->news);
    pthread_mutex_unlock(&live->lock);
}

void ond_live_destroy(OndLive *live)
{
    if (!live) return;
    if (live->running) {
        ond_live_stop(live);
        pthread_join(live->thread, NULL);
    }
    if (live->locked) {
        pthread_cond_destroy(&live->news);
        pthread_mutex_destroy(&live->lock);
    }
    for (int k = 0; k < 3; ++k) {
        if (live->view[k]) ond_shown_clear(&live->view[k]->shown);
        ond_free(live->view[k]);
    }
    ond_play_destroy(live->play);
    ond_free(live);
}

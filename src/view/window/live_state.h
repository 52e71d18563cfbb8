// SPDX-License-Identifier: MIT
// What a simulation in a thread of its own is made of: the thread (live.c), what goes in
// (live_inputs.c), and what it does to it (live_play.c).
#ifndef VIEW_WINDOW_LIVE_STATE_H
#define VIEW_WINDOW_LIVE_STATE_H

#include "view/window/live.h"
#include "view/window/three.h"

#include <pthread.h>

#define INPUTS 512 // that may wait

typedef struct OndLiveInput {
    OndInput what;
    long long number;
} OndLiveInput;

struct OndLive {
    OndLiveDef def;

    // The thread's own.
    OndPlay *play;
    const char *colour;  // NULL: as the scene says
    char trouble[8192];  // of the scene file
    char said[512];      // a message of the window's own ...
    long long said_at;   // ... that came when the play had said so many
    long long told;      // messages, both together
    int scene, troubles; // reads that went well, and others
    long long heard;
    bool still; // paused, burst: nothing comes by itself
    char title[128];

    // Shared, under the lock.
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool locked, running, quit;
    bool begun; // `alone`: the start was shown
    pthread_t thread;
    OndLiveInput input[INPUTS];
    int first, waiting;
    bool urgent; // there are more than moves of the pointer among them
    long long number;
    OndLiveView *view[3];
    OndThree three; // places in `view`
    void (*woken)(void *user);
    void *user;
};

/// The next input; false when there is none.
bool ond_live_next(OndLive *live, OndLiveInput *out);

/// Reads the scene file and plays that from then on. On failure what was played goes on.
OndStatus ond_live_read(OndLive *live, OndError *err);
void ond_live_hear(OndLive *live, const OndInput *input);
void ond_live_advance(OndLive *live, double seconds, double budget);
/// Fills a snapshot.
void ond_live_look(OndLive *live, OndLiveView *out);

#endif

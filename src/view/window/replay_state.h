// SPDX-License-Identifier: MIT
// What playing back a run is made of: the thread and its wishes (replay.c), frames in memory (replay_cache.c),
// a frame as it is shown (replay_shown.c), particles that are clicked (replay_pick.c).
#ifndef VIEW_WINDOW_REPLAY_STATE_H
#define VIEW_WINDOW_REPLAY_STATE_H

#include "app/render_frames.h"
#include "view/window/replay.h"
#include "view/window/three.h"

#include <pthread.h>
#include <sys/stat.h>

/// What another file of the same name differs in.
typedef struct OndStamp {
    ino_t file;
    off_t size;
    struct timespec written;
} OndStamp;

/// A frame in memory.
typedef struct OndKept {
    OndStamp stamp; ///< of its file when it was read
    OndFrame frame; ///< without its solids, which are borrowed
    bool there;
    double bytes;
    int poses;
    float (*pose)[12]; ///< of the solids
    float *bent;       ///< corners of those that bend, one after the other; NULL: none does
} OndKept;

typedef struct OndWish {
    int place;
    const char *colour;
    bool meshes;
    bool pick; ///< the ray was not looked at yet
    OndPlayRay ray;
    long long number;
} OndWish;

struct OndReplay {
    OndReplayDef def;

    // The thread's own.
    OndShots shots; // the scene, its solids, where frames are
    int *number;    // of each frame
    OndKept *kept;  // of each frame
    int count, room;
    OndStamp first;   // of the first frame's file, in memory or not
    int anew, opened; // how often another run was found there; when its scene was read
    double bytes;
    double low[16], high[16]; // of each colour; low >= high: not known yet
    bool picked;
    uint32_t picked_id;
    double looked; // ms, when the folder was looked at
    char trouble[512];
    double rate;
    char scene[OND_PATH_MAX];
    char title[256]; // of the run that was there first: the other thread reads it
    bool solids_bend;
    long long shown_number; // of the wish that is shown, without a thread

    // Shared, under the lock.
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool locked, running, quit;
    pthread_t thread;
    OndWish wish;
    OndReplayView *view[3];
    OndThree three;
    void (*woken)(void *user);
    void *user;
};

// ---- replay_cache.c

/// The numbers of frames that are there now; those that came since are added. Frames whose files are others
/// now are forgotten, and all of a run that was started anew.
OndStatus ond_replay_list(OndReplay *replay, OndError *err);
/// The frame at that place, from memory or its file; NULL and a sentence on failure. Others go when there
/// is no room for it.
const OndKept *ond_replay_keep(OndReplay *replay, int place, OndError *err);
/// Reads the next frame that will be wanted; false when all that fit are there.
bool ond_replay_ahead(OndReplay *replay, int place);
void ond_replay_forget(OndReplay *replay); ///< all frames, and what was found in them
int ond_replay_kept(const OndReplay *replay);

// ---- replay_shown.c

/// Finds what the ends of those colours stand for, where that is not known. Frames may go from memory.
void ond_replay_range(OndReplay *replay, const char *colour);
OndStatus ond_replay_show(OndReplay *replay, const OndWish *wish, const OndKept *kept,
                          OndReplayView *out, OndError *err);

// ---- replay_pick.c

/// Chooses the particle that the ray meets first; none: nothing is chosen any more.
void ond_replay_choose(OndReplay *replay, const OndFrame *frame, const OndPlayRay *ray);
/// Fills in the values of the chosen one.
void ond_replay_tell(const OndReplay *replay, const OndFrame *frame, OndReplayView *out);

#endif

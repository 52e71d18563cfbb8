// SPDX-License-Identifier: MIT
// A run that is played back: a thread reads frames ahead of the one that is shown, and keeps as many as
// memory bears. The run may go on meanwhile: new frames are found.
#ifndef VIEW_WINDOW_REPLAY_H
#define VIEW_WINDOW_REPLAY_H

#include "view/draw/shown.h"
#include "view/play/play.h"

#define OND_REPLAY_VALUES 2048 // letters of what a particle carries

typedef struct OndReplay OndReplay;

typedef struct OndReplayDef {
    const char *path;   ///< of the run's folder
    const char *colour; ///< as ond_colour_names; NULL: what the scene's pictures have
    bool plain;         ///< where the scene says nothing either: none
    double memory;      ///< bytes for frames that are kept; 0: a share of what is free
    bool alone;         ///< no thread: what is asked for is read at once
} OndReplayDef;

/// A frame as it is shown, and what a panel wants to know of it.
typedef struct OndReplayView {
    OndShown shown;
    int place;  ///< of the frame in the list, from 0; -1: none yet
    int number; ///< that its file has
    int count;  ///< frames that are there now
    int kept;   ///< of them in memory
    const char *colour;
    unsigned colours; ///< bit k: the frame has ond_colour_names[k]
    bool meshes;      ///< the run has surfaces, and this frame's is shown
    bool has_meshes;  ///< there are some
    bool picked;      ///< a particle is chosen, and in this frame
    double picked_at[3];
    char values[OND_REPLAY_VALUES]; ///< of it: lines of "name\tvalue"
    char trouble[512];              ///< why a frame is not shown; "": nothing is wrong
    long long heard;
} OndReplayView;

/// Looks what is there. NULL and a sentence on failure.
OndReplay *ond_replay_create(const OndReplayDef *def, OndError *err);
OndStatus ond_replay_start(OndReplay *replay, void (*woken)(void *user), void *user, OndError *err);
void ond_replay_stop(OndReplay *replay);
void ond_replay_destroy(OndReplay *replay); ///< NULL is allowed

const OndReplayView *ond_replay_take(OndReplay *replay, bool *fresh);

/// What shall be shown. Numbers of wishes rise; OndReplayView.heard says which one is shown.
long long ond_replay_go(OndReplay *replay, int place);
long long ond_replay_colour(OndReplay *replay, const char *colour); ///< outlives it
long long ond_replay_meshes(OndReplay *replay, bool shown);
long long ond_replay_pick(OndReplay *replay, const OndPlayRay *ray);

double ond_replay_rate(const OndReplay *replay); ///< pictures a second that it is meant to have
const char *ond_replay_title(const OndReplay *replay); ///< "" when there is none
const char *ond_replay_scene(const OndReplay *replay); ///< path of the run's scene
int ond_replay_count(OndReplay *replay);               ///< of frames that are there
int ond_replay_find(OndReplay *replay, int number); ///< place of the frame of that number; -1: none

#endif

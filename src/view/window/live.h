// SPDX-License-Identifier: MIT
// A simulation in a thread of its own: inputs go in by a queue, pictures of it come out as snapshots.
//
// Three snapshots go round: the thread fills one, one waits, one is shown. Neither side ever waits for the
// other longer than a swap of pointers takes, so the window turns and zooms while a step takes a second.
// The thread takes its next steps when the last snapshot was taken away, so pictures come as evenly as the
// screen's; nobody takes it for a while: it goes on all the same.
//
// Without a thread (`alone`), taking a snapshot simulates one picture's time, always the same, and pictures
// are the same bits each time: for --screenshot.
#ifndef VIEW_WINDOW_LIVE_H
#define VIEW_WINDOW_LIVE_H

#include "app/cli.h"
#include "view/draw/shown.h"
#include "view/play/play.h"

#define OND_LIVE_DIALS 24

typedef struct OndLive OndLive;

typedef struct OndLiveDef {
    const char *path;    ///< of the scene file; outlives it
    const OndTexts *set; ///< changes of it, --set
    const char *colour;  ///< "speed": to begin with; NULL: what the scene's pictures have
    bool plain;          ///< where the scene says nothing either: none
    bool alone;
    double picture; ///< `alone`: seconds between two, 1 / 60
} OndLiveDef;

/// What is shown of it, and what a panel wants to know, at one moment.
typedef struct OndLiveView {
    OndShown shown;
    OndPlayStats stats;
    char message[512]; ///< the last one
    long long message_number;
    char trouble[8192]; ///< what is wrong with the scene file as it is now; "": nothing
    OndTool tool;
    bool tool_works[OND_TOOLS];
    bool tool_shown; ///< the next two count
    double tool_at[3], tool_radius;
    OndDial dial[OND_LIVE_DIALS];
    int dials;
    char why[OND_LIVE_DIALS][160]; ///< of dials that do not work
    const char *colour;
    long long heard; ///< number of the last input that it shows
    int scene;       ///< how often the scene was read: another number, another scene
    int troubles;    ///< how often that failed
    char title[128];
} OndLiveView;

/// Reads the scene and makes a simulation of it. NULL and a sentence on failure.
OndLive *ond_live_create(const OndLiveDef *def, OndError *err);
/// Starts the thread; with `alone` there is none. It calls `woken` (may be NULL) after each new snapshot.
OndStatus ond_live_start(OndLive *live, void (*woken)(void *user), void *user, OndError *err);
/// Asks the thread to stop after the step under way; from now on nobody is woken.
void ond_live_stop(OndLive *live);
/// Waits for it to stop, and frees all. NULL is allowed.
void ond_live_destroy(OndLive *live);

/// The newest snapshot; valid until the next call. `fresh`: it is another one than the last time.
const OndLiveView *ond_live_take(OndLive *live, bool *fresh);

typedef enum OndInputKind {
    OND_INPUT_KEY,     ///< `which` is an OndPlayKey
    OND_INPUT_TOOL,    ///< `which` is an OndTool
    OND_INPUT_POINTER, ///< `which` is an OndPointer, with `ray`
    OND_INPUT_DIAL,    ///< `which`, `value`
    OND_INPUT_COLOUR,  ///< `text`, which outlives all
    OND_INPUT_READ,    ///< the scene file anew
    OND_INPUT_SAVE,    ///< the scene as it is with its dials, beside the scene file
} OndInputKind;

typedef struct OndInput {
    OndInputKind kind;
    int which;
    double value;
    const char *text;
    OndPlayRay ray;
} OndInput;

/// Hands it in; it is done between two steps, in order. Returns its number, which OndLiveView.heard reaches.
/// Of moves of the pointer that were not looked at, the last one stays.
long long ond_live_input(OndLive *live, const OndInput *input);

#endif

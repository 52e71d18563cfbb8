// SPDX-License-Identifier: MIT
// A simulation that one plays with: tools, dials and keys on top of the public library.
//
// The window and the web page are two faces of this: they draw, and hand in what the mouse, the fingers
// and the keys do. Nothing here knows of pixels, OpenGL or the DOM; it includes the public headers alone.
// One thread at a time may use an OndPlay; a front end with a thread for the simulation queues what it
// hands in.
#ifndef VIEW_PLAY_PLAY_H
#define VIEW_PLAY_PLAY_H

#include <ondine/ondine.h>

typedef struct OndPlay OndPlay;

/// Makes a simulation of `scene` to play with (the scene is copied). It plays on past the scene's
/// duration. NULL and a sentence on failure.
OndPlay *ond_play_create(const OndScene *scene, OndError *err);
void ond_play_destroy(OndPlay *play); ///< NULL is allowed

/// Goes on with what flows in another, and with its tool and dials: for a scene that is the same but for its
/// walls. Particles that stand in one of these are lost.
void ond_play_take_over(OndPlay *play, const OndPlay *from);

/// What is drawn. Replaced by a restart, so ask again after each call that may restart.
const OndSim *ond_play_sim(const OndPlay *play);

// ---- time

/// Simulates `seconds` of real time (times the dial "speed"), applying the tool that is held down before
/// each step, but stops after the first step that ends later than `budget` seconds of the clock: what is left then is
/// dropped, and the scene runs in slow motion. A scene that bursts stands still from then on, and one that finds no
/// memory for a step is paused, each with a message that says so and what to do.
OndStatus ond_play_advance(OndPlay *play, double seconds, double budget, OndError *err);

/// Pauses, with a message, for want of memory: for who finds none to show it with. Nothing where it is paused.
void ond_play_starve(OndPlay *play, const OndError *why);

typedef struct OndPlayStats {
    int particles;
    double time;    ///< of the simulation, s
    double step_ms; ///< of the clock, mean over the last half second
    double steps;   ///< per advance, mean over the same
    double rate;    ///< simulated seconds per second of play that was asked for, 1: in real time
    bool paused, burst;
} OndPlayStats;
void ond_play_stats(const OndPlay *play, OndPlayStats *out);

// ---- keys

typedef enum OndPlayKey {
    OND_PLAY_DROP,    ///< space: another block of liquid, where there is room
    OND_PLAY_RESTART, ///< R
    OND_PLAY_PAUSE,   ///< P
    OND_PLAY_STEP,    ///< S: one step, and pause
    OND_PLAY_KEYS
} OndPlayKey;
void ond_play_key(OndPlay *play, OndPlayKey key);

/// The last thing a person should be told ("3500 particles: no more room; R starts again"); "" for nothing.
/// `number` (may be NULL) grows with every new one.
const char *ond_play_message(const OndPlay *play, long long *number);

// ---- tools: what the left button does

typedef enum OndTool {
    OND_TOOL_PUSH,
    OND_TOOL_PULL,
    OND_TOOL_POUR,
    OND_TOOL_HEAT,
    OND_TOOL_COOL,
    OND_TOOL_CUT,
    OND_TOOL_GRAB,
    OND_TOOLS
} OndTool;

const char *ond_tool_name(OndTool tool); ///< "push"; lower case, one word
/// Chooses the tool. False, with a message, when this scene cannot hear it (grains cannot be heated, …).
bool ond_play_tool(OndPlay *play, OndTool tool);
OndTool ond_play_tool_now(const OndPlay *play);
bool ond_play_tool_works(const OndPlay *play, OndTool tool);

/// A ray from the eye through the pointer, in the world. In 2D only where it meets z = 0 matters.
typedef struct OndPlayRay {
    double from[3], direction[3]; ///< direction: any length above 0
} OndPlayRay;

typedef enum OndPointer {
    OND_POINTER_HOVER,
    OND_POINTER_DOWN,
    OND_POINTER_MOVE,
    OND_POINTER_UP
} OndPointer;

/// The pointer did something. What the ray meets first (fluid, solid, floor) is where the tool works; while
/// it is held down, the tool stays at that distance from the eye, across the ray; those that heat and cool go
/// on along what the ray meets.
void ond_play_pointer(OndPlay *play, OndPointer what, const OndPlayRay *ray);
/// Where the tool is, and how large; false when it is nowhere (no pointer yet).
bool ond_play_tool_place(const OndPlay *play, double center[3], double *radius);

// ---- dials: what a panel shows as sliders

typedef struct OndDial {
    const char *name;  ///< "gravity": what share links and saved scenes call it
    const char *label; ///< "Gravity"
    const char *unit;  ///< "m/s²"; "" for pure numbers
    double least, most, value;
    bool logarithmic; ///< the slider is better so
    bool restarts;    ///< a change starts the scene again (particle size)
    bool works;       ///< false: this scene does not hear it; `why` says why
    const char *why;
} OndDial;

int ond_play_dial_count(const OndPlay *play);
bool ond_play_dial(const OndPlay *play, int dial, OndDial *out);
int ond_play_find_dial(const OndPlay *play, const char *name); ///< -1: there is none
/// Sets it, within its bounds. OND_BAD_VALUE and a sentence where it does not work.
OndStatus ond_play_set_dial(OndPlay *play, int dial, double value, OndError *err);

/// The scene as it is with its dials, as YAML for `ondine run`. The caller frees the text with free().
char *ond_play_yaml(const OndPlay *play, OndError *err);

#endif

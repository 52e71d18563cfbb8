// SPDX-License-Identifier: MIT
// What the files of src/view/play share. Only play*.c include this.
#ifndef VIEW_PLAY_PLAY_STATE_H
#define VIEW_PLAY_PLAY_STATE_H

#include "view/play/play.h"

#include <stdint.h>

// ---- dials

typedef enum OndPlayDialName {
    PLAY_GRAVITY,
    PLAY_VISCOSITY,
    PLAY_RIGIDITY,
    PLAY_TENSION,
    PLAY_TOOL_TEMPERATURE,
    PLAY_COLD,
    PLAY_TOOL_SIZE,
    PLAY_STRENGTH,
    PLAY_SPACING,
    PLAY_SPEED,
    PLAY_DIALS
} OndPlayDialName;

typedef struct OndPlayDial {
    double least, most, value;
    double start; ///< as the scene has it
    bool changed, works;
    char why[240];
} OndPlayDial;

// ---- room for new particles

/// Places that are taken, in square cells of an edge of the spacing.
typedef struct OndPlayRoom {
    double low[3], edge, least; ///< corner, cell, distance that two places keep
    int cells[3];
    int *head, *next; ///< a cell's first place; the one after a place; -1: none
    float *place;     ///< x y z of each
    int count;
    int head_room, place_room; ///< that there is memory for
} OndPlayRoom;

// ---- what is held with the tool that grabs

typedef enum OndPlayHold {
    PLAY_HOLD_NOTHING,
    PLAY_HOLD_BODY,
    PLAY_HOLD_PIECE,
    PLAY_HOLD_LUMP
} OndPlayHold;

typedef struct OndPlayGrab {
    OndPlayHold what;
    int body;         ///< number of the solid
    double own[3];    ///< where it is held, in its own frame, m
    uint32_t anchor;  ///< id of the particle that is held
    double offset[3]; ///< from it to where it was taken
} OndPlayGrab;

struct OndPlay {
    OndScene *scene; ///< as it was given
    OndSim *sim;
    int dimension;
    bool particles; ///< else cells
    bool mueller;   ///< `preset: muller2d`, with the keys of that program
    double spacing;
    double low[3], high[3]; ///< of the domain, or of what there is at the start
    double extent;          ///< largest edge of that

    bool paused, burst, step_asked;
    double debt; ///< simulated time that the last step went too far, s
    struct {
        double since, clock, simulated, asked; ///< s
        long long steps, advances;
    } sum;
    bool counted;                ///< a half second is over
    double step_ms, steps, rate; ///< means over the last one

    OndPlayDial dial[PLAY_DIALS];
    double down[3];         ///< which way gravity points
    double *fluid_start[3]; ///< viscosity, rigidity, tension of each fluid

    OndTool tool;
    bool tool_works[OND_TOOLS];
    char tool_why[OND_TOOLS][240];
    bool placed, held;
    OndPlayRay ray; ///< where the pointer is; one long
    double distance;
    double center[3], before[3]; ///< of the tool, now and at the last advance
    double velocity[3];          ///< of it, m/s
    OndPlayGrab grab;
    OndPlayRoom room;
    int *index; ///< scratch: particles that a tool works on, and what it gives each
    float *value;
    int scratch;

    char message[256];
    long long messages;
};

/// Tells a person something.
void ond_play_say(OndPlay *play, const char *format, ...) OND_PRINTF(2, 3);

/// Makes the simulation anew, with the dials as they are. On failure the old one is kept.
OndStatus ond_play_remake(OndPlay *play, OndError *err);

// ---- play_dials.c

bool ond_play_dials_create(OndPlay *play); ///< false: no memory
void ond_play_dials_destroy(OndPlay *play);
/// What was changed, put into a simulation that is new.
void ond_play_dials_apply(OndPlay *play);
/// The scene with them; NULL and a sentence on failure.
OndScene *ond_play_dials_scene(const OndPlay *play, OndError *err);

// ---- play_pick.c

/// How far along a ray (one long) it is to what it meets first.
double ond_play_pick(const OndPlay *play, const OndPlayRay *ray);

// ---- play_tools.c

void ond_play_tools_create(OndPlay *play);
/// What the tool that is held does in a step of `dt`.
void ond_play_tool_apply(OndPlay *play, double dt);
/// Indices of particles in the ball of the tool, into play->index; how many.
int ond_play_in_ball(OndPlay *play, const double center[3], double radius);
/// Room in the scratch for `count` particles; false, with a message: no memory.
bool ond_play_scratch(OndPlay *play, int count);
/// Tells why a call failed.
void ond_play_failed(OndPlay *play, const OndError *err);
/// Tells that what was asked for was not done, as there is no memory. Answers false.
bool ond_play_no_memory(OndPlay *play);

// ---- play_room.c

/// What is taken in a box. False, with a message: no memory.
bool ond_play_room_look(OndPlay *play, const double low[3], const double high[3]);
/// Whether a new particle has room at a place.
bool ond_play_room_free(const OndPlay *play, const double at[3]);
bool ond_play_room_take(OndPlay *play, const double at[3]); ///< false: no memory
void ond_play_room_destroy(OndPlayRoom *room);

// ---- play_pour.c

void ond_play_pour(OndPlay *play, double dt);
void ond_play_drop(OndPlay *play);

// ---- play_cut.c, play_grab.c

/// Takes out what the tool passed on its way from one place to another.
void ond_play_cut(OndPlay *play, const double from[3], const double to[3]);

void ond_play_grab_begin(OndPlay *play);
void ond_play_grab_apply(OndPlay *play, double dt);

// ---- vectors of three numbers

static inline double ond_play_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void ond_play_copy(double to[3], const double from[3])
{
    for (int k = 0; k < 3; ++k)
        to[k] = from[k];
}

/// to = a + s b
static inline void ond_play_along(double to[3], const double a[3], double s, const double b[3])
{
    for (int k = 0; k < 3; ++k)
        to[k] = a[k] + s * b[k];
}

static inline void ond_play_place(const OndFieldView *x, int i, double to[3])
{
    for (int k = 0; k < 3; ++k)
        to[k] = ((const float *)x->data[k])[i];
}

/// Square of the distance of a particle from a point.
static inline double ond_play_distance2(const OndFieldView *x, int i, const double from[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double d = ((const float *)x->data[k])[i] - from[k];
        sum += d * d;
    }
    return sum;
}

#endif

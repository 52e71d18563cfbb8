// SPDX-License-Identifier: MIT
// What a scene would take before it runs: particles, cells, memory, disk, steps and time.
//
//     OndForecast f;
//     if (ond_scene_forecast(scene, say, NULL, &f, &err) == OND_OK)
//         printf("%g particles, some %g steps, %g s\n", f.has.particles, f.steps, f.seconds);
#ifndef ONDINE_FORECAST_H
#define ONDINE_FORECAST_H

#include <ondine/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a simulation of it would have: counted, nothing is made.
typedef struct OndEstimate {
    double particles; ///< at the start
    double poured;    ///< by emitters until the scene's duration
    double mean;      ///< particles that are there, mean over the duration
    double cells;     ///< of a grid; 0: none
    int size[3];      ///< cells along x, y, z; z has 1 in 2D
    double spacing;   ///< between particles at rest, or the edge of a cell, m
    double bytes;     ///< of memory at the end, about
    int frames;       ///< of the whole scene, the start included
} OndEstimate;
OND_API OndStatus ond_scene_estimate(const OndScene *scene, OndEstimate *out, OndError *err);

/// Gets one sentence, without an end of line, in the thread that asked; it lives during the call only.
typedef void OndNoteFn(const char *note, void *user);

/// What a person should know of the scene before it is used: a duration that ends between two
/// frames, meshes that are not there, nothing that catches what falls. What only shows when a
/// simulation is made of it is in ond_sim_note.
OND_API OndStatus ond_scene_notes(const OndScene *scene, OndNoteFn *say, void *user, OndError *err);

/// What a run of the whole scene would take.
typedef struct OndForecast {
    OndEstimate has;    ///< with the particles that really are there at the start
    double bytes_now;   ///< of memory after the steps that were tried
    double disk;        ///< bytes of all frames in the scene's format, and two checkpoints
    double sound_speed; ///< m/s; 0: the method has none
    double dt;          ///< of a step, s
    double steps;       ///< of the whole run, about
    double seconds;     ///< of it on this machine with ond_threads(), roughly
    bool tried;       ///< by some steps; else the grid was too large for that, and disk, steps and
                      ///< seconds come from what was measured with others
    char chosen[160]; ///< what the method chose by itself, and why; "": nothing
} OndForecast;

/// Makes the simulation, takes a few steps for at most some seconds, and destroys it again. `say`
/// (may be NULL) gets the scene's notes and then the simulation's. A scene that needs more memory
/// than the machine has is refused.
OND_API OndStatus ond_scene_forecast(const OndScene *scene, OndNoteFn *say, void *user,
                                     OndForecast *out, OndError *err);

#ifdef __cplusplus
}
#endif
#endif

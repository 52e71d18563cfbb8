// SPDX-License-Identifier: MIT
// Ondine as a library: liquids, things that melt, grains and smoke inside your own program.
//
//     OndError err = {0};
//     OndScene *scene = ond_scene_create();
//     ond_scene_file(scene, "dam-break.yaml", &err);
//     OndSim *sim = ond_sim_create(scene, NULL, &err);
//     ond_scene_destroy(scene);
//     while (ond_sim_advance(sim, 1.0 / 60, NULL, &err) == OND_OK) {
//         OndFieldView x;
//         ond_sim_find_field(sim, OND_PARTICLES, "position", &x);
//         ... draw x.count particles at ((const float *)x.data[0])[i], x.data[1][i], x.data[2][i]
//     }
//     ond_sim_destroy(sim);
//
// Everywhere: SI units, temperatures in degrees Celsius, x y z right-handed; in 2D z is 0, and what is
// per volume is per metre of depth. Failures are values with a sentence (error.h), and nothing here
// prints, exits or aborts. `err` may always be NULL; other pointers may where it is said.
// Things are counted from 0, in the order of the scene. What a call is given it copies, or is done
// with when it returns; what it lends lives as long as is said.
//
// Threads: different scenes and simulations may be used in different threads at the same time. One
// simulation is used by one thread at a time, not always the same; what only looks (`const OndSim *`,
// `const OndScene *`) may be called by several while nobody steps or changes it. Results are the same
// bits for any number of threads, also with your own task system (host.h).
//
// Versions: structs may grow from one minor version to the next, so compile anew against the headers
// of the library that you link; ond_version tells which that is.
//
// docs/library.md tells how to embed it; examples/ has programs.
#ifndef ONDINE_ONDINE_H
#define ONDINE_ONDINE_H

#include <ondine/drawing.h>
#include <ondine/edit.h>
#include <ondine/error.h>
#include <ondine/fields.h>
#include <ondine/forecast.h>
#include <ondine/host.h>
#include <ondine/picture.h>
#include <ondine/scene.h>
#include <ondine/sim.h>
#include <ondine/solids.h>
#include <ondine/surface.h>

#define OND_VERSION_MAJOR 0
#define OND_VERSION_MINOR 1
#define OND_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/// Of the library that is linked, "0.1.0"; the numbers above are those of the headers.
OND_API const char *ond_version(void);

#ifdef __cplusplus
}
#endif
#endif

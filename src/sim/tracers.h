// SPDX-License-Identifier: MIT
// Tracers: points that show where the fluid of a grid goes.
//
// They weigh nothing and push nothing. A section `tracer` puts some into a shape when it begins, on
// a lattice or at random places, and may go on pouring at a rate. Each is carried by the flow at
// the start of a step, stays out of solids and inside walls, and leaves where the domain is open
// or where its life ends. They come out as ordinary particles: position, velocity, age, which
// section (`tracer`) and a number of its own (`id`), so that one can be followed.
//
// Places at random follow from the seed and the number alone: a resumed run pours the same.
#ifndef OND_SIM_TRACERS_H
#define OND_SIM_TRACERS_H

#include "grid/stream.h"
#include "sim/assets.h"
#include "sim/checkpoint.h"
#include "solids/scene/sim_solids.h"

typedef struct OndTracerSource OndTracerSource;

typedef struct OndTracers {
    const OndSceneDef *scene;
    const OndSimSolids *solids;
    OndTracerSource *source; ///< one a section
    OndFields particles;     ///< no fields: the scene has no tracers
    double next;             ///< number of the next one
    OndArena arena;
} OndTracers;

/// Makes shapes and fields; nothing is put in yet. Free with ond_tracers_free, in every case.
OndStatus ond_tracers_make(const OndSceneDef *scene, const OndAssets *assets,
                           const OndSimSolids *solids, OndTracers *out, OndError *err);
void ond_tracers_free(OndTracers *tracers);

/// Puts in those that are due by `time`, with the velocity that the flow has there.
OndStatus ond_tracers_pour(OndTracers *tracers, const OndStream *stream, double time,
                           OndError *err);

/// Goes along with the flow for a step; solids have been aimed at its end.
void ond_tracers_move(OndTracers *tracers, const OndStream *stream, double dt);

void ond_tracers_save(const OndTracers *tracers, OndCheckpoint *to);
OndStatus ond_tracers_restore(OndTracers *tracers, const OndCheckpoint *from, OndError *err);

/// How many the whole scene puts in, for a forecast; those that leave are counted, too.
OndStatus ond_tracers_forecast(const OndSceneDef *scene, const OndAssets *assets, double *start,
                               double *poured, OndError *err);

#endif

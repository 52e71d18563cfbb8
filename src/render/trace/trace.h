// SPDX-License-Identifier: MIT
// Path tracing of surfaces and smoke; render.c calls it, and the rest of the program calls render.h.
//
// The way of a picture: the surface becomes a tree (trace_mesh.c), the light on the ground is
// gathered (trace_ground.c, trace_caustics.c), the plate is exposed (trace_plate.c) by following
// paths (trace_path.c), freed of noise (trace_filter.c), and encoded.
#ifndef OND_RENDER_TRACE_H
#define OND_RENDER_TRACE_H

#include "render/render.h"
#include "render/solids.h"
#include "render/stage/stage.h"
#include "render/trace/trace_medium.h"

typedef struct OndTracer OndTracer;

/// One picture: what, from where, how.
typedef struct OndTraceShot {
    const OndRenderDef *def;
    const OndSurface *surface;
    const OndSurface *inner;       ///< solids within clear liquid (inner.h); NULL: none
    const OndSolidSurface *solids; ///< that nothing enters; NULL: none
    const OndFields *foam;         ///< spray, foam and bubbles; NULL: none
    RTCDevice device;
    OndPlace place;
    const OndF3 *corner; ///< the eight of the box that the camera looks at
    bool edges;          ///< draw that box's edges
    double range_min, range_max;
    const OndMedium *air; ///< what is in the air; NULL: nothing
    OndLinear *linear;    ///< NULL: not wanted
    int most_rows;        ///< made at once; 0: as many as fit
    OndRenderTimes *times;
} OndTraceShot;

OndTracer *ond_tracer_create(const OndRenderDef *def, OndError *err);
void ond_tracer_destroy(OndTracer *tracer);

/// Draws. `old` is the stage of the renderer of particles; its studio and colour map are set as
/// they were used, for the words over the picture.
OndStatus ond_tracer_draw(OndTracer *tracer, const OndTraceShot *shot, OndStage *old, OndImage *out,
                          OndError *err);

#endif

// SPDX-License-Identifier: MIT
// A renderer, and the pictures it can make; inside src/render only. render.c chooses among them.
#ifndef OND_RENDER_RENDER_STATE_H
#define OND_RENDER_RENDER_STATE_H

#include "render/render.h"
#include "render/spheres/band.h"
#include "render/stage/drawn_solids.h"
#include "render/text.h"
#include "render/trace/trace.h"

struct OndRenderer {
    OndRenderDef def;
    OndArena arena; // copies of the definition's texts
    RTCDevice device;
    OndText *text; // NULL without a font
    OndStage stage;
    OndBand band;
    int glow_room;
    OndTracer *tracer; // of surfaces; NULL when particles are drawn
    OndLinear linear;
    OndDrawnSolids solids;
    bool box_kept; // without a domain, the first frame's box is used for the whole film
    OndBox box;
    OndRenderTimes times;
};

/// Particles as spheres.
OndStatus ond_render_particles(OndRenderer *renderer, const OndFrame *frame, OndImage *out,
                               OndError *err);
/// The surface of a frame's particles, made for the picture.
OndStatus ond_render_made_surface(OndRenderer *renderer, const OndFrame *frame, OndImage *out,
                                  OndError *err);
/// Smoke on a grid, as a medium that light goes through.
OndStatus ond_render_volume(OndRenderer *renderer, const OndFrame *frame, OndImage *out,
                            OndError *err);
/// A slice of a grid: colours, streamlines, arrows.
OndStatus ond_render_slice(OndRenderer *renderer, const OndFrame *frame, OndImage *out,
                           OndError *err);

/// The values at the ends of the colours: those asked for, else those of the frame (or of the
/// surface, which looks like one here).
void ond_render_choose_range(const OndRenderer *renderer, const OndFrame *frame, double *min,
                             double *max);
/// Title, time and legend; `map` NULL: no legend.
void ond_render_overlay(OndRenderer *renderer, const OndFrame *frame, const OndF3 *map, double min,
                        double max, OndImage *out);

#endif

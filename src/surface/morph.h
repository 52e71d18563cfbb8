// SPDX-License-Identifier: MIT
// In-between frames: what the liquid was like between two frames that were kept.
//
// Two ways. The default follows the particles: each is found in both frames (by its `id`, or by
// where its velocity takes it) and moves along a cubic through both places with both velocities;
// the result is a frame like any other. The other is the source's morph of surfaces in space and
// time [Pouchol 4.2.3], kept for comparison: without velocities it lets a fast drop shrink where it
// was and grow where it will be, so that mass jumps [F4.10]; with constraints at times in between,
// that the first way gives, it does not.
#ifndef OND_SURFACE_MORPH_H
#define OND_SURFACE_MORPH_H

#include "surface/surface.h"

#define OND_MORPH_NONE UINT32_MAX

/// The frame at a + t (b - a), t from 0 to 1; `out` is freed first and owns its arrays. It has the
/// fields that both frames have. Particles that only one of them has move with their velocity and
/// shrink or grow (a field `spacing`) one after the other, so that nothing pops and the volume
/// stays: new ones whose `id` follows those of `a`, as an emitter counts, in that order, others in
/// the order of their places.
OndStatus ond_morph_between(const OndFrame *a, const OndFrame *b, double t, OndFrame *out,
                            OndError *err);

/// partner[i]: which particle of `b` is particle i of `a`, or OND_MORPH_NONE. No two have the same.
OndStatus ond_morph_match(const OndFrame *a, const OndFrame *b, uint32_t *partner, OndError *err);

/// The surface at time t between two frames by the morph in space and time. `guides`: moments in
/// between that get constraints from ond_morph_between; 0: as the source has it. Of `def` it takes
/// cell, polygons, memory and the placement and smoothing of constraints.
OndStatus ond_morph_surface(OndSurface *surface, const OndFrame *a, const OndFrame *b, double t,
                            int guides, const OndSurfaceDef *def, OndError *err);

#endif

// SPDX-License-Identifier: MIT
// Path tracing, one path of light: from the eye through clear surfaces to whatever it comes from.
//
// At the first clear surface both ways are followed, mirrored and bent, each with its share: that
// is what water looks like, and neither is left to chance. After that a path follows one way. It
// ends at an opaque thing, the ground or the sky, none of which is black.
#ifndef OND_RENDER_TRACE_PATH_H
#define OND_RENDER_TRACE_PATH_H

#include "render/trace/trace_stage.h"

/// What a ray saw first: guides the filter that takes out noise.
typedef struct OndSeen {
    OndF3 normal;
    OndF3 colour;
    float distance; ///< along the view; INFINITY: backdrop
    float shows;    ///< how much of a line behind it shows: 1 ground and backdrop, 0 opaque
    bool plain;     ///< it neither mirrors nor is clear: nothing else is seen in it
} OndSeen;

/// The soft part (trace_stage.h) of an opaque thing that the camera sees straight.
typedef struct OndSoft {
    bool wanted;        ///< in: find it
    OndSampler sampler; ///< in: of its own, so that few of them are spread well
    bool met;           ///< out: there is such a thing
    OndF3 light;        ///< out: when wanted and met
} OndSoft;

/// The light along a ray of the camera; without the soft part, which comes apart, unless `soft` is
/// NULL.
OndF3 ond_path_light(const OndTraceStage *stage, const OndRay *ray, float time, OndSampler *sampler,
                     OndSeen *seen, OndSoft *soft);

/// What a ray of the camera sees first, without its light.
void ond_path_look(const OndTraceStage *stage, const OndRay *ray, OndSeen *seen);

/// The light along a ray of the camera that meets no surface.
OndF3 ond_path_open(const OndTraceStage *stage, const OndRay *ray, OndSeen *seen);

/// Refraction at a hit with index `ior` within: sets `onward` and returns the share that is thrown
/// back instead; 1: nothing gets through, `onward` is not set.
float ond_path_bend(const OndTraceHit *hit, OndF3 direction, OndF3 normal, float ior,
                    OndF3 *onward);

/// The mirrored direction, on the side it came from.
OndF3 ond_path_mirror(const OndTraceHit *hit, OndF3 direction, OndF3 normal);

#endif

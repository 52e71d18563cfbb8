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
} OndSeen;

/// The light along a ray of the camera.
OndF3 ond_path_light(const OndTraceStage *stage, const OndRay *ray, float time, OndSampler *sampler,
                     OndSeen *seen);

/// The light along a ray of the camera that meets no surface.
OndF3 ond_path_open(const OndTraceStage *stage, const OndRay *ray, OndSeen *seen);

/// Refraction at a hit with index `ior` within: sets `onward` and returns the share that is thrown
/// back instead; 1: nothing gets through, `onward` is not set.
float ond_path_bend(const OndTraceHit *hit, OndF3 direction, OndF3 normal, float ior,
                    OndF3 *onward);

/// The mirrored direction, on the side it came from.
OndF3 ond_path_mirror(const OndTraceHit *hit, OndF3 direction, OndF3 normal);

#endif

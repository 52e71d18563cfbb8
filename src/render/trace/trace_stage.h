// SPDX-License-Identifier: MIT
// All that one picture of a surface is made of.
#ifndef OND_RENDER_TRACE_STAGE_H
#define OND_RENDER_TRACE_STAGE_H

#include "render/colour.h"
#include "render/trace/trace_foam.h"
#include "render/trace/trace_ground.h"
#include "render/trace/trace_look.h"
#include "render/trace/trace_medium.h"
#include "render/trace/trace_mesh.h"
#include "render/trace/trace_sample.h"
#include "render/trace/trace_sky.h"

/// What a quality spends; see trace.c.
typedef struct OndEffort {
    int first_bits, most_samples; ///< a pixel's, before (2^bits) and after looking at its noise
    int edge_samples;             ///< a pixel's at the rim or a fold of something, at least
    float noise;                  ///< on the screen (0..1) that is good enough
    int bounces;                  ///< of a path through clear things
    bool chance; ///< inside clear things, follow reflection or refraction by chance; otherwise the
                 ///< stronger, which has no noise
    int ground_side, ground_bits; ///< texels and rays (2^bits) of the ground's light
    int photons;                  ///< along each side of the key light's bundle
    bool soft_apart; ///< the soft part of opaque things' light: once a pixel, and with a filter of
                     ///< its own; otherwise with each sample
} OndEffort;

typedef struct OndTraceStage {
    OndTraceMesh mesh;
    OndTraceMesh inner;  ///< solids within clear liquid; without triangles when there are none
    OndTraceMesh solids; ///< that nothing enters; where they are, no liquid is seen
    OndTraceFoam foam;
    OndSky sky;
    OndGround ground;
    OndCamera camera;
    float lens;  ///< radius of the lens; 0: everything is sharp
    float focus; ///< distance along the view that is sharp
    OndF3 map[OND_COLOUR_STEPS];
    float range_min, range_factor;
    OndF3 plain;
    OndF3 veil;           ///< light inside hazy things
    const OndMedium *air; ///< NULL: nothing in it
    OndEffort effort;
    bool soft_apart; ///< the effort says so, and a pixel sees one place: nothing is blurred
    uint32_t seed;
} OndTraceStage;

/// The look where a ray hit. Where materials meet, `chance` in [0, 1) chooses by how near each is.
static inline const OndLook *ond_stage_look(const OndTraceHit *h, float chance)
{
    const int k = chance < h->weight[0] ? 0 : chance < h->weight[0] + h->weight[1] ? 1 : 2;
    const uint8_t look = h->mesh->look[h->corner[k]];
    return h->mesh->own ? &h->mesh->own[look] : ond_look(look);
}

static inline float ond_stage_rigidity(const OndTraceHit *h)
{
    return h->mesh->rigidity ? ond_clamp01(ond_trace_value(h->mesh->rigidity, h)) : 0.0f;
}

/// What comes next along a ray.
typedef struct OndNext {
    bool passage; ///< a solid within begins or ends here, as clear as what is round it: straight on
    bool found;   ///< a surface; otherwise ground or backdrop
    float length; ///< to there; INFINITY: backdrop
    bool within;  ///< the way there lies inside something clear ...
    OndEven medium;      ///< ... which is this
    OndTraceHit hit;     ///< when found
    const OndLook *look; ///< when found
    float outer;         ///< when found: index of refraction outside of it, of air or of liquid
} OndNext;

/// The nearest of liquid and solids along a ray.
bool ond_stage_find(const OndTraceStage *s, const OndRay *ray, float far, float time,
                    OndTraceHit *hit);

/// Whether any of them is in the way.
bool ond_stage_hides(const OndTraceStage *s, const OndRay *ray, float far, float time);

/// Whether the way lay inside is told by the surface at its end, not by what was crossed before: a
/// ray that slips past an edge cannot go on as if in water. For a way that ends on the ground it is
/// told by the body's underside, which lies just below.
void ond_stage_next(const OndTraceStage *s, const OndRay *ray, float time, float chance,
                    OndNext *next);

/// Colour of an opaque look where a ray hit.
OndF3 ond_stage_colour(const OndTraceStage *s, const OndTraceHit *h, const OndLook *look);
/// What a hit shines by its own heat.
OndF3 ond_stage_glow(const OndTraceHit *h, const OndLook *look);
/// The medium inside a clear look.
OndEven ond_stage_inside(const OndTraceStage *s, const OndTraceHit *h, const OndLook *look);

/// The light that a hit sends back, guessed without further rays: for what is seen by what is seen.
OndF3 ond_stage_guess(const OndTraceStage *s, const OndTraceHit *h, const OndLook *look);

/// The share of light that passes straight along a ray up to `far`: clear things only tint it. What
/// is in the air counts, or does not.
OndF3 ond_stage_straight(const OndTraceStage *s, const OndRay *ray, float far, float time);
OndF3 ond_stage_passes(const OndTraceStage *s, const OndRay *ray, float far, float time);

/// Ground and backdrop along a ray that meets nothing else. `rough` spreads the lamps; below 0 the
/// lamps are not seen, as by the camera.
OndF3 ond_stage_back(const OndTraceStage *s, const OndRay *ray, float rough);

/// Where a ray ended on an opaque thing.
typedef struct OndSpot {
    const OndRay *ray;
    const OndTraceHit *hit;
    const OndLook *look;
    int depth; ///< surfaces before this one
    float time;
} OndSpot;

/// Light from an opaque thing, with its shadows, is the sum of two: what has edges (the key light,
/// gloss, glow), and what changes slowly from place to place (light from the whole sky, light that
/// went through).
OndF3 ond_stage_sharp(const OndTraceStage *s, const OndSpot *spot, OndSampler *sampler);
OndF3 ond_stage_soft(const OndTraceStage *s, const OndSpot *spot, OndSampler *sampler);

#endif

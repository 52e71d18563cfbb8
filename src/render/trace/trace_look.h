// SPDX-License-Identifier: MIT
// How materials look: a table of what light does at and below the surface.
//
// Lengths are in units of the picture, in which the scene's half diagonal is one: a glass of water
// and a harbour get the same tint, as models in a studio do.
#ifndef OND_RENDER_TRACE_LOOK_H
#define OND_RENDER_TRACE_LOOK_H

#include "render/f3.h"

#include <stdbool.h>

#include <stdint.h>

typedef enum OndLookKind {
    OND_LOOK_CLEAR, ///< light goes through: water, glass, ice
    OND_LOOK_WAXY,  ///< light goes in a little and comes out elsewhere
    OND_LOOK_METAL,
    OND_LOOK_GLOW,  ///< dark when cold, shines by its heat
    OND_LOOK_PAINT, ///< coloured by a value
} OndLookKind;

typedef struct OndLook {
    const char *name;
    OndLookKind kind;
    OndF3 colour; ///< of what comes back: diffuse, or a metal's reflection
    OndF3 inside; ///< clear: light lost per length; waxy: colour of light that went through
    float ior;    ///< of the surface, or of its gloss
    float depth;  ///< waxy: how far light gets
    float haze;   ///< clear: share of light per length that is scattered back
    float rough;  ///< of the liquid, 0..1
    float rough_solid;
    bool thin; ///< clear: a pane without an inside, which bends nothing
} OndLook;

enum { OND_LOOK_NONE = -1 };

/// The look of a material by its number, which is rounded; that of the first when there is no such.
int ond_look_of(const uint8_t *looks, int count, float material);

/// The look of that name ("water", "wax", ...), or OND_LOOK_NONE.
int ond_look_find(const char *name);
const OndLook *ond_look(int index);
int ond_look_count(void);

/// What a surface of that temperature (degrees Celsius) sends out by itself. A screen cannot show
/// the range of real glow; this keeps its colours and its order, from dull red at 600 to pale
/// yellow at 1300.
OndF3 ond_look_heat(float celsius);

/// Fresnel: the share of light that a smooth surface throws back. `cosine` on the side the light
/// comes from; `ratio` is the index of refraction there over that behind. 1 where nothing gets
/// through.
float ond_look_fresnel(float cosine, float ratio);

#endif

// SPDX-License-Identifier: MIT
// Colours: from a number to a colour, and from light to what a screen shows.
//
// Maps are made in OKLab (Ottosson 2020), where equal steps look equal: the lightness of every map
// rises by the same amount from entry to entry, so no step of the value looks larger than another,
// also in grey. Light is added up in linear RGB; ond_colour_encode makes it sRGB at the very end.
#ifndef OND_RENDER_COLOUR_H
#define OND_RENDER_COLOUR_H

#include "render/f3.h"

#include <stdint.h>

typedef enum OndPalette {
    OND_PALETTE_WATER,  ///< deep blue, cyan, white foam
    OND_PALETTE_LAGOON, ///< the same without the white: for light backdrops
    OND_PALETTE_HEAT,   ///< dark plum, red, orange, pale yellow
    OND_PALETTE_DEPTH,  ///< violet, teal, green, yellow
    OND_PALETTE_FROST,  ///< deep water, clear blue, white ice
    OND_PALETTE_SAND,   ///< tones of dry sand, for grains of which each has its own
} OndPalette;

#define OND_COLOUR_STEPS 256

/// Fills `map` with linear RGB from the palette's low end to its high end.
void ond_colour_map(OndPalette palette, OndF3 map[OND_COLOUR_STEPS]);

/// The entry for a value in [0, 1]; values outside are clamped, NaN is the low end.
static inline OndF3 ond_colour_pick(const OndF3 map[OND_COLOUR_STEPS], float value)
{
    return map[(int)(ond_clamp01(value) * (OND_COLOUR_STEPS - 1) + 0.5f)];
}

/// Linear RGB of an sRGB colour written 0xRRGGBB.
OndF3 ond_colour_hex(unsigned hex);

/// One linear channel in [0, 1] as sRGB in [0, 1].
float ond_colour_gamma(float linear);

#define OND_GAMMA_STEPS 4096

/// What one channel of light becomes on the screen, in steps of 1 / OND_GAMMA_STEPS of twice full
/// light.
typedef struct OndTone {
    float level[OND_GAMMA_STEPS + 2]; ///< 0 to 255
} OndTone;
/// Highlights are rolled off instead of cut.
void ond_colour_tone(OndTone *tone);

/// Linear light to three sRGB bytes. A fixed pattern of less than one step hides the bands that 8
/// bits leave in soft gradients.
void ond_colour_encode(const OndTone *tone, OndF3 light, int x, int y, uint8_t rgb[3]);

/// The same for light of up to 16 times white: contrast and a long shoulder, as film has them.
/// `tone` from ond_colour_film.
void ond_colour_film(OndTone *tone);
void ond_colour_encode_film(const OndTone *tone, OndF3 light, int x, int y, uint8_t rgb[3]);

#endif

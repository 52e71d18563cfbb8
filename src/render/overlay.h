// SPDX-License-Identifier: MIT
// What is written over a picture: title, time, and the legend that says what the colours mean.
#ifndef OND_RENDER_OVERLAY_H
#define OND_RENDER_OVERLAY_H

#include "render/colour.h"
#include "render/text.h"

typedef struct OndOverlay {
    const char *title;    ///< NULL or "": none
    double time;          ///< s; NaN: not shown
    const OndF3 *map;     ///< the legend's colours; NULL: no legend
    const char *quantity; ///< "speed"
    const char *unit;     ///< "m/s"; "" for pure numbers
    double min, max;
    uint8_t ink[3];
} OndOverlay;

/// Writes it all in sizes that suit the picture; leaves out what would not fit a small one.
void ond_overlay_draw(const OndOverlay *overlay, OndText *text, OndImage *image);

/// The share of the picture's height that the words need at the top and at the bottom; 0 on one too
/// small for words.
float ond_overlay_share(int width, int height);

/// Widens [*min, *max] to round numbers, so that a legend begins and ends with one.
void ond_overlay_round(double *min, double *max);

/// Round numbers inside [min, max], evenly spaced by 1, 2 or 5 times a power of ten; at most `most`
/// of them (2 to 16). Returns how many; `step` receives their distance.
int ond_overlay_ticks(double min, double max, int most, double tick[16], double *step);

#endif

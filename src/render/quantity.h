// SPDX-License-Identifier: MIT
// What colours the particles: which field, under which name, in which palette, over which range.
#ifndef OND_RENDER_QUANTITY_H
#define OND_RENDER_QUANTITY_H

#include "render/colour.h"
#include "render/render.h"

typedef struct OndQuantity {
    const char *field; ///< in the frame; NULL for plain colour
    const char *name;  ///< in the legend
    const char *unit;  ///< when the field names none
    OndPalette palette;
    bool turning; ///< not the field itself but how fast it turns (its curl)
} OndQuantity;

/// The description of a colour choice, or NULL when there is no such choice.
const OndQuantity *ond_quantity(OndColour colour);

/// The field to colour by: NULL for plain colour or a frame without particles. A frame that lacks
/// it is an error.
OndStatus ond_quantity_field(const OndFrame *frame, OndColour colour, const OndField **out,
                             OndError *err);

#define OND_HISTOGRAM_BINS 1024 // four for each of the 256 shades of a picture's channel

/// The value below which a part of `total` lies, from a histogram over [min, max].
double ond_histogram_below(const int bin[OND_HISTOGRAM_BINS], int total, double part, double min,
                           double max);

/// A vector's length or the value itself, for element i.
float ond_quantity_value(const OndField *field, int i);

#endif

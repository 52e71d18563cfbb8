// SPDX-License-Identifier: MIT
#include "render/quantity.h"

#include "base/memory.h"
#include "render/stage/slice.h"

#include <math.h>

// clang-format off
#define QUANTITY(number, called, field, unit, palette, turns) \
    [number] = {field, (field) ? called : "", unit, palette, turns},
// clang-format on
static const OndQuantity quantities[] = {OND_COLOURS(QUANTITY)};

const OndQuantity *ond_quantity(OndColour colour)
{
    return (int)colour >= 0 && (int)colour < OND_COUNT(quantities) ? &quantities[colour] : NULL;
}

OndStatus ond_quantity_field(const OndFrame *frame, OndColour colour, const OndField **out,
                             OndError *err)
{
    const OndQuantity *quantity = ond_quantity(colour);
    *out = NULL;
    const bool grid = ond_frame_has_grid(frame);
    if (!quantity || !quantity->field || (frame->particles.count <= 0 && !grid)) return OND_OK;
    if (quantity->turning && !grid)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s is known of grids alone; colour particles by another quantity",
                        quantity->name);
    *out = ond_fields_find(grid ? &frame->cells : &frame->particles, quantity->field);
    if (*out) return OND_OK;
    return ond_fail(
        err, OND_BAD_VALUE,
        "frame %d has no field '%s', so it cannot be coloured by %s; choose another colour, "
        "or plain",
        frame->index, quantity->field, quantity->name);
}

float ond_quantity_value(const OndField *field, int i)
{
    if (field->type == OND_U32) return (float)((const uint32_t *)field->data[0])[i];
    if (field->components != 3) return ((const float *)field->data[0])[i];
    const float x = ((const float *)field->data[0])[i], y = ((const float *)field->data[1])[i],
                z = ((const float *)field->data[2])[i];
    return sqrtf(x * x + y * y + z * z);
}

double ond_histogram_below(const int bin[OND_HISTOGRAM_BINS], int total, double part, double min,
                           double max)
{
    int sum = 0, i = 0;
    while (i < OND_HISTOGRAM_BINS - 1 && sum + bin[i] < part * total)
        sum += bin[i++];
    return min + (max - min) * (i + 0.5) / OND_HISTOGRAM_BINS;
}

bool ond_render_range(const OndFrame *frame, OndColour colour, double *min, double *max)
{
    const OndField *field;
    if (ond_quantity_field(frame, colour, &field, NULL) != OND_OK || !field) return false;
    double low = INFINITY, high = -INFINITY;
    if (ond_frame_has_grid(frame)) {
        const OndShade shade = {&frame->grid, field, ond_quantity(colour)->turning};
        if (!ond_slice_range(&shade, min, max)) return false;
        if (colour != OND_COLOUR_TEMPERATURE && colour != OND_COLOUR_PRESSURE)
            *min = fmin(*min, 0.0);
        return true;
    }
    for (int i = 0; i < frame->particles.count; ++i) {
        const float v = ond_quantity_value(field, i);
        if (!isfinite(v)) continue;
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    if (!(low <= high)) return false;
    if (high > low) {
        int bin[OND_HISTOGRAM_BINS] = {0}, total = 0;
        for (int i = 0; i < frame->particles.count; ++i) {
            const float v = ond_quantity_value(field, i);
            if (!isfinite(v)) continue;
            const int at = (int)((v - low) / (high - low) * OND_HISTOGRAM_BINS);
            ++bin[at < OND_HISTOGRAM_BINS ? at : OND_HISTOGRAM_BINS - 1];
            ++total;
        }
        const double first = ond_histogram_below(bin, total, 0.005, low, high);
        high = ond_histogram_below(bin, total, 0.995, low, high);
        low = first;
    }
    if (colour == OND_COLOUR_SPEED) low = 0.0;
    if (colour == OND_COLOUR_RIGIDITY) low = 0.0, high = 1.0; // the whole dial, in every scene
    *min = low < *min ? low : *min;
    *max = high > *max ? high : *max;
    return true;
}

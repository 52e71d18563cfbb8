// SPDX-License-Identifier: MIT
// What the colours of the page's picture stand for.
#include "base/memory.h"
#include "render/colour.h"
#include "render/quantity.h"

#include <emscripten.h>
#include <string.h>

static int byte_of(double light)
{
    const double shade = 255.0 * (double)ond_colour_gamma((float)light);
    return shade < 0.0 ? 0 : shade > 255.0 ? 255 : (int)(shade + 0.5);
}

/// The colour at a share of the way from the low to the high end for a value of that name, as 0xRRGGBB; -1: it has none.
EMSCRIPTEN_KEEPALIVE int ond_page_shade(const char *value, double share)
{
    OndF3 map[OND_COLOUR_STEPS];
    for (int k = 0; ond_colour_names[k]; ++k) {
        if (k == OND_COLOUR_PLAIN || strcmp(ond_colour_names[k], value) != 0) continue;
        ond_colour_map(ond_quantity((OndColour)k)->palette, map);
        const OndF3 light = ond_colour_pick(map, (float)share);
        return byte_of(light.x) << 16 | byte_of(light.y) << 8 | byte_of(light.z);
    }
    return -1;
}

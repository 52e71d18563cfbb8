// SPDX-License-Identifier: MIT
#include "view/window/colours.h"

#include "render/quantity.h"
#include "view/window/panel.h"

#include <stdio.h>
#include <string.h>

// By OndPalette.
static const char *const names[] = {"water", "lagoon", "heat", "depth", "frost", "sand"};

const char *ond_view_palette(const char *value)
{
    for (int k = 0; value && ond_colour_names[k]; ++k)
        if (strcmp(ond_colour_names[k], value) == 0)
            return names[ond_quantity((OndColour)k)->palette];
    return NULL;
}

void ond_view_legend(const OndShown *shown, const char *palette)
{
    OndF3 map[OND_COLOUR_STEPS];
    float shade[OND_PANEL_SHADES][3];
    char title[64], low[32], high[32];
    int which = 0;
    if (!shown->value || strcmp(shown->value, "plain") == 0 || !(shown->high > shown->low)) return;
    for (int k = 0; palette && k < OND_COUNT(names); ++k)
        if (strcmp(names[k], palette) == 0) which = k;
    ond_colour_map((OndPalette)which, map);
    for (int k = 0; k < OND_PANEL_SHADES; ++k) {
        const OndF3 light = ond_colour_pick(map, (float)k / (OND_PANEL_SHADES - 1));
        shade[k][0] = ond_colour_gamma(light.x);
        shade[k][1] = ond_colour_gamma(light.y);
        shade[k][2] = ond_colour_gamma(light.z);
    }
    const bool unit = shown->unit && shown->unit[0];
    snprintf(title, sizeof title, "%s%s%s", shown->value, unit ? ", " : "",
             unit ? shown->unit : "");
    snprintf(low, sizeof low, "%.4g", (double)shown->low);
    snprintf(high, sizeof high, "%.4g", (double)shown->high);
    ond_panel_legend((const float(*)[3])shade, title, low, high);
}

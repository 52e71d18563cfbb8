// SPDX-License-Identifier: MIT
// What the colours of a view show, as a choice and as a legend.
#ifndef VIEW_WINDOW_COLOURS_H
#define VIEW_WINDOW_COLOURS_H

#include "view/draw/shown.h"

/// "water", "heat"...: the palette in which `ondine render` shows a value of that name; NULL: unknown.
const char *ond_view_palette(const char *value);
/// The scale of what is shown, in a box of the panel. Nothing for "plain".
void ond_view_legend(const OndShown *shown, const char *palette);

#endif

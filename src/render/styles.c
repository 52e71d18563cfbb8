// SPDX-License-Identifier: MIT
// What scenes and options call the looks of pictures: known without a renderer, too.
#include "render/styles.h"

#include <stddef.h>

#define NAME(number, name, ...) name,
const char *const ond_drawn_names[] = {OND_DRAWN_STYLES(NAME) NULL};
const char *const ond_smoke_names[] = {OND_SMOKE_STYLES(NAME) NULL};
const char *const ond_backdrop_names[] = {OND_BACKDROPS(NAME) NULL};
const char *const ond_quality_names[] = {OND_QUALITIES(NAME) NULL};
const char *const ond_colour_names[] = {OND_COLOURS(NAME) NULL};

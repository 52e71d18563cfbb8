// SPDX-License-Identifier: MIT
// What comes into a flow, or leaves it, inside the grid: sources, sinks, fans, and heat.
//
//     flow      fluid comes up in the shape's cells: the projection leaves a divergence of g = flow
//               / volume there (pressure.h), and what was in a cell is thinned by what comes,
//               dx/dt = g (x_in - x); a sink takes what is there
//     rate      density is added without any volume, or taken
//     velocity  the flow in the shape has it before each projection
//     heat      power / (density specific_heat volume) in K/s, or towards a temperature at the rate
//               transfer / (density specific_heat)
//
// Which cells lie in a shape, and with what share of theirs, is found once, and again for heat
// that was moved.
#ifndef OND_GRID_SMOKE_SOURCES_H
#define OND_GRID_SMOKE_SOURCES_H

#include <ondine/error.h>

struct OndSmoke;
typedef struct OndSmokeSources OndSmokeSources;

/// Those of the world; a shape without a single cell in the grid is an error. NULL and OND_OK when
/// there are none.
OndStatus ond_smoke_sources_make(const struct OndSmoke *smoke, OndSmokeSources **out,
                                 OndError *err);
/// Heat sources of the world may be elsewhere. An error leaves all where it was.
OndStatus ond_smoke_sources_move(struct OndSmoke *smoke, OndError *err);
void ond_smoke_sources_free(OndSmokeSources *sources); ///< NULL is allowed

/// Before a projection: fans, and what it shall leave.
void ond_smoke_sources_drive(struct OndSmoke *smoke);
/// Of the fastest fan that is on, m/s: the flow will have it soon.
double ond_smoke_sources_speed(const struct OndSmoke *smoke);
/// Density and temperature: half of a step's before they are carried, and half after.
void ond_smoke_sources_feed(struct OndSmoke *smoke, double dt);

#endif

// SPDX-License-Identifier: MIT
// The grid that fills a scene's domain.
#ifndef OND_GRID_OF_WORLD_H
#define OND_GRID_OF_WORLD_H

#include "grid/layout.h"
#include "method/world.h"

/// Cubic cells over the box of the world; in 2D one layer of them round z = 0.
OndStatus ond_grid_of_world(const OndWorld *world, double cell, OndGrid *out, OndError *err);

/// What a method says when there is no memory for its arrays, of so many bytes a cell.
OndStatus ond_grid_no_memory(const OndGrid *grid, double bytes_each, OndError *err);

/// Bytes of one array, ghosts and padding included, for about so many cells: for forecasts.
double ond_grid_forecast(int dimension, double cells, double bytes_each);

#endif

// SPDX-License-Identifier: MIT
#include "view/draw/shown.h"

#include <stdlib.h>

// At least `count` floats, with some to spare, so that a liquid that grows does not ask each time.
static bool room_for(float **array, size_t *room, size_t count)
{
    if (*room >= count && *array) return true;
    const size_t wanted = count + count / 8 + 64;
    free(*array);
    *array = malloc(wanted * sizeof(float));
    *room = *array ? wanted : 0;
    return *array;
}

static bool room_for_points(float **array, int *room, int count)
{
    size_t floats = 4 * (size_t)*room;
    const bool done = room_for(array, &floats, 4 * (size_t)count);
    *room = (int)(floats / 4);
    return done;
}

OndStatus ond_shown_room(OndShown *shown, int particles, int riders, size_t cells, bool warm,
                         OndError *err)
{
    const bool done =
        (particles == 0 || room_for_points(&shown->particle, &shown->particle_room, particles)) &&
        (riders == 0 || room_for_points(&shown->rider, &shown->rider_room, riders)) &&
        (cells == 0 || room_for(&shown->density, &shown->density_room, cells)) &&
        (cells == 0 || !warm || room_for(&shown->warmth, &shown->warmth_room, cells));
    if (done) return OND_OK;
    shown->particles = shown->riders = shown->cells[0] = 0;
    return ond_fail(err, OND_NO_MEMORY,
                    "no memory to show %d particles, %d of foam and %zu cells; ask for fewer",
                    particles, riders, cells);
}

static void clear_mesh(OndShownMesh *mesh)
{
    free(mesh->position);
    free(mesh->normal);
    free(mesh->index);
}

void ond_shown_clear(OndShown *shown)
{
    for (int k = 0; k < shown->meshes; ++k)
        clear_mesh(&shown->mesh[k]);
    clear_mesh(&shown->surface);
    free(shown->particle);
    free(shown->rider);
    free(shown->mesh);
    free(shown->pose);
    free(shown->density);
    free(shown->warmth);
    *shown = (OndShown){0};
}

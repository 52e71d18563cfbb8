// SPDX-License-Identifier: MIT
// What is shown of a simulation at one moment: plain arrays, ready to be uploaded.
//
// Whoever has a simulation fills one (ond_shown_sim), whoever plays back files fills one of a frame; the
// drawing (draw.h) takes it and knows neither. A simulation with a thread of its own fills one while the
// window draws another: nothing in it points into a simulation. All arrays come from malloc: who fills one
// by itself asks ond_shown_room for the large ones, and gives meshes and poses that it took from malloc.
#ifndef VIEW_DRAW_SHOWN_H
#define VIEW_DRAW_SHOWN_H

#include <ondine/ondine.h>

// A mesh that does not change its shape: a solid, as it stood in the scene. Uploaded once, moved by poses.
typedef struct OndShownMesh {
    int corners, triangles;
    float *position; ///< x y z of each corner
    float *normal;   ///< x y z of each corner
    uint32_t *index; ///< three a triangle
    float colour[4]; ///< red, green, blue as light (not as a screen shows them), and how opaque
    bool metal;      ///< it mirrors
    bool endless;    ///< a plane: the camera need not see all of it
} OndShownMesh;

typedef struct OndShown {
    double time;          ///< s
    int dimension;        ///< 2 or 3
    float min[3], max[3]; ///< the domain, or what holds everything where it is open
    float radius;         ///< of a particle, m: half of what two are apart at rest
    const char
        *look; ///< "water", "wax", "sand", "smoke"... (ondine/drawing.h); lives as long as the
               ///< program; NULL: water

    int particles;            ///< in a grid: tracers, which are always drawn as spheres
    float *particle;          ///< x y z and the value that is coloured, of each
    const char *value, *unit; ///< "speed", "m/s"; live as long as the program
    float low, high;          ///< what the ends of the colours stand for

    int riders;
    float *rider; ///< spray, foam and bubbles: x y z and kind (0 spray, 1 foam, 2 bubble)

    int meshes;
    OndShownMesh *mesh; ///< of solids; made once, the same in every OndShown of one simulation
    int mesh_version;   ///< changes when meshes do
    float (*pose)[12];  ///< of each mesh: rows of a 3 x 4 matrix

    OndShownMesh surface; ///< of a run with surfaces that is played back; 0 triangles: none

    int cells[3];              ///< of a grid; 0: none
    float cell, origin[3];     ///< edge, and the lower corner of the first cell, m
    float *density;            ///< smoke or ink per cell, x fastest, 0 to about 1
    float *warmth;             ///< the value that is coloured per cell; NULL: none
    float warm_low, warm_high; ///< what the ends of its colours stand for

    bool has_camera; ///< the scene says where it is looked at from
    double camera_from[3], camera_to[3], camera_angle; ///< m; degrees from bottom to top
    int backdrop;                                      ///< 1 light, 2 dark; 0: nobody says

    // Who made the meshes, and how much the arrays hold.
    const OndSim *meshes_of;
    bool meshes_bend;
    int particle_room, rider_room;
    size_t density_room, warmth_room;
} OndShown;

/// Makes the arrays at least so large: `particle`, `rider`, and where `cells` is above 0 `density` and,
/// if `warm`, `warmth`. What was in them may be lost. Counts are the caller's.
OndStatus ond_shown_room(OndShown *shown, int particles, int riders, size_t cells, bool warm,
                         OndError *err);

/// Fills it from a simulation: what `colour` ("speed", "temperature", "rigidity", "density", "pressure",
/// "plain") shows, scaled between `low` and `high`, or by itself where they are equal. Memory that it has
/// is used again. Falls back to speed where the simulation has no such field.
OndStatus ond_shown_sim(OndShown *shown, const OndSim *sim, const char *colour, float low,
                        float high, OndError *err);
/// Frees what it holds and makes it empty; an empty one is {0}.
void ond_shown_clear(OndShown *shown);

#endif

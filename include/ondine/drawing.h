// SPDX-License-Identifier: MIT
// What a program that draws a simulation by itself wants to know besides fields (fields.h) and where
// solids are (solids.h): how large the scene is, what it asks of its pictures, triangles, looks.
#ifndef ONDINE_DRAWING_H
#define ONDINE_DRAWING_H

#include <ondine/fields.h>
#include <ondine/solids.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The scene as its pictures show it. Texts live as long as the simulation.
typedef struct OndDrawing {
    const char *title; ///< "" when it has none
    int dimension;
    bool bounded;                        ///< there is a domain; else `min` and `max` are 0
    double min[3], max[3];               ///< m
    double spacing;                      ///< of particles at rest, or a cell's edge, m
    double gravity[3];                   ///< of the scene, m/s^2
    bool grains;                         ///< particles are balls that are seen one by one
    bool has_camera;                     ///< the scene says where it is looked at from
    double camera_from[3], camera_to[3]; ///< m
    double camera_angle;                 ///< between the upper and the lower edge, degrees
    const char *colour; ///< "speed", "temperature"...: what its pictures are coloured by
    double low, high;   ///< at the ends of the colours; equal: the scene does not say
    int backdrop;       ///< 1: light, 2: dark; 0: the scene does not say
} OndDrawing;
OND_API void ond_sim_drawing(const OndSim *sim, OndDrawing *out);

/// What a fluid looks like: "water", "wax", "chocolate", "lava", "sand"... by its material, else by
/// its name; of a grid "smoke", "steam", "ink" or "fire". NULL: there is no such fluid.
OND_API const char *ond_sim_fluid_look(const OndSim *sim, int fluid);

/// The triangles of a solid, in the coordinates in which its shape was written: OndSolidView.placement
/// puts them where it is now.
typedef struct OndSolidTriangles {
    int triangles;    ///< 0: it is not shown
    float *position;  ///< x y z of three corners a triangle, counter-clockwise seen from outside, m
    float *normal;    ///< x y z of the same corners: smooth where it is round, sharp at edges
    const char *look; ///< "plain", "glass", "metal" or "clay"; lives as long as the program
    float colour[3];  ///< red, green, blue as a screen shows them, 0 to 1
    bool has_colour;  ///< the scene says so; else `colour` is what suits the look
    bool closed;      ///< it has an inside; glass without is a pane
    bool endless;     ///< a plane, cut off somewhere
    bool bends;       ///< its shape changes with time: these are the triangles of now
} OndSolidTriangles;

/// Free with ond_solid_triangles_free, in every case. OND_BAD_VALUE: there is no such solid.
OND_API OndStatus ond_sim_solid_triangles(const OndSim *sim, int solid, OndSolidTriangles *out,
                                          OndError *err);
OND_API void ond_solid_triangles_free(OndSolidTriangles *triangles);

#ifdef __cplusplus
}
#endif
#endif

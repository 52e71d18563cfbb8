// SPDX-License-Identifier: MIT
// Draws what is shown (shown.h) with OpenGL 3.3 core or WebGL 2: the same code and shaders for the window and the page.
//
// One draw call a pass; the CPU does nothing per particle but the upload. Everything works on the OpenGL context that is
// current in the calling thread, and leaves its state ready for whoever draws a panel over it.
#ifndef VIEW_DRAW_DRAW_H
#define VIEW_DRAW_DRAW_H

#include "view/draw/shown.h"

typedef struct OndDraw OndDraw;

/// Compiles shaders and makes buffers. `gles`: the context is OpenGL ES 3 or WebGL 2. NULL and a sentence on failure.
OndDraw *ond_draw_create(bool gles, OndError *err);
/// Frees everything; `lost`: the context is gone, and so is what was in it. NULL is allowed.
void ond_draw_destroy(OndDraw *draw, bool lost);

typedef enum OndDrawStyle {
    OND_DRAW_SPHERES, ///< particles as lit spheres; discs in 2D
    OND_DRAW_SURFACE, ///< a smooth surface in screen space; a filled liquid in 2D
    OND_DRAW_STYLES
} OndDrawStyle;
const char *ond_draw_style_name(OndDrawStyle style); ///< "spheres", "surface"

// Turns round a point that it looks at. In 2D it looks along -z, and yaw and pitch do not count.
typedef struct OndOrbit {
    double at[3];      ///< m
    double yaw, pitch; ///< radians; pitch within (-pi/2, pi/2)
    double distance;   ///< from `at`, m
    double angle;      ///< of view, from bottom to top, radians
} OndOrbit;

/// One that sees all of a domain, as the pictures of `ondine render` do.
OndOrbit ond_orbit_fit(const OndShown *shown, double aspect);
void ond_orbit_turn(OndOrbit *orbit, double yaw, double pitch); ///< radians
void ond_orbit_pan(OndOrbit *orbit, double right, double up);   ///< shares of the picture's height
void ond_orbit_zoom(OndOrbit *orbit, double factor);            ///< below 1: nearer
/// Where the eye is, and the unit direction through a point of the picture: x and y from -1 (left, bottom) to 1.
void ond_orbit_ray(const OndOrbit *orbit, double aspect, double x, double y, double from[3],
                   double direction[3]);

typedef struct OndDrawOptions {
    int width, height; ///< of the framebuffer, pixels
    OndDrawStyle style;
    const char *palette; ///< "water", "heat", "frost", "depth"; NULL: what suits the value
    const char *look;    ///< of the surface: "water" (clear), "wax", "plain" (coloured by value)...
    bool dark;           ///< background
    double tool[3], tool_radius; ///< a ring where the tool works; radius 0: none
} OndDrawOptions;

/// Uploads what is shown: once for each new OndShown, not once a picture.
OndStatus ond_draw_upload(OndDraw *draw, const OndShown *shown, OndError *err);
/// Draws what was uploaded last into the framebuffer that is bound.
OndStatus ond_draw_picture(OndDraw *draw, const OndOrbit *orbit, const OndDrawOptions *options,
                           OndError *err);

#endif

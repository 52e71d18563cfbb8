// SPDX-License-Identifier: MIT
// From a frame to a picture: its surface, ray traced in its materials, or its particles as lit
// spheres, in a quiet studio.
//
//     OndRenderDef def = ond_render_default_def();
//     def.title = "Dam break";
//     OndRenderer *renderer = ond_render_create(&def, &err);
//     OndImage image = {0};
//     ond_render_frame(renderer, &frame, &image, &err);   // once a frame
//     ond_image_free(&image);
//     ond_render_destroy(renderer);
//
// Pictures are the same bits for any number of threads. src/render/README.md tells how they are
// made.
#ifndef OND_RENDER_RENDER_H
#define OND_RENDER_RENDER_H

#include "render/image.h"
#include "render/styles.h"
#include "surface/surface.h"

/// What the density of a grid looks like.
typedef struct OndSmokeLook {
    OndSmokeKind kind; ///< OND_SMOKE_AUTO is grey here
    bool has_colour;
    OndVec colour;     ///< as a screen shows it
    double extinction; ///< of light by density 1, 1/m; 0: by the scene's size
    double glow;       ///< of what is hot; 1 is as lava does. Default 1
} OndSmokeLook;

#define OND_LOOKS_MAX 256

/// How pictures shall look. Get one from ond_render_default_def() and change what you mean to
/// change.
typedef struct OndRenderDef {
    int width, height;           ///< pixels, 1 to 16384. Default 1280 x 720
    OndColour colour;            ///< what colours the particles. Default speed
    double range_min, range_max; ///< values at the ends of the colours; both 0: the frame's own (a
                                 ///< film that should not flicker fixes them, see ond_render_range)
    bool fit;                    ///< place the camera by itself. Default true
    OndVec camera_from;          ///< the eye, m; used without `fit`
    OndVec camera_to; ///< what it looks at, m; with `fit`, from - to is the direction to look from
    OndVec up;        ///< default y
    double fov;       ///< degrees from the upper to the lower edge, 1 to 150. Default 28
    int samples;      ///< rays a pixel, 1 to 64. Default 4
    double radius;    ///< of the spheres, m; 0: so that particles at rest touch
    bool grains;      ///< plain particles have the colours of sand, each its own. Default false
    OndBackdrop backdrop;
    const char *title; ///< upper left corner; NULL: none. Copied
    bool legend;       ///< default true
    bool time;         ///< lower left corner. Default true
    bool box;          ///< the domain's edges. Default true
    const char *font;  ///< a font file; NULL: DejaVu Sans where it is found. Copied

    int slice_axis;    ///< of grids in 3D: which axis the picture looks along. Default 2, z
    bool slice_middle; ///< through the grid's middle, or without at `slice_at`. Default true
    double slice_at;   ///< m
    int arrows;        ///< so many across; 0: none
    int streamlines;   ///< from so many seeds across; 0: none

    OndDrawn as; ///< not OND_AS_AUTO; default particles; what follows is for surfaces alone
    OndQuality quality;
    OndSurfaceDef surface; ///< how a frame's surface is made
    bool paint; ///< coloured by `colour`, as flat scenes always are; default false: by material
    uint8_t
        looks[OND_LOOKS_MAX]; ///< of the frame's materials, by number (render/trace/trace_look.h)
    int look_count;           ///< materials beyond use the first; default 0: all is water
    OndSmokeLook smoke;       ///< of volumes
    double shutter;           ///< s that it is open: what is fast is blurred. Default 0
    double lens;              ///< f-number; 0: everything is sharp. Default 0
    double focus;             ///< distance that is sharp, m; 0: what the camera looks at
    bool linear;              ///< keep the picture in linear light too, for ond_render_linear
    uint32_t seed;            ///< another one gives the same picture with other noise
    uint32_t cookie;          ///< set by ond_render_default_def()
} OndRenderDef;

OndRenderDef ond_render_default_def(void);

typedef struct OndRenderer OndRenderer;

/// Copies `def`. On failure returns NULL and explains in `err` (may be NULL).
OndRenderer *ond_render_create(const OndRenderDef *def, OndError *err);

/// Draws a frame with its solids; `out` is resized and filled. A fitted camera looks at the frame's
/// domain; without one, at the particles of the first frame drawn, and stays there. A renderer draws
/// one run: the triangles of the solids are laid out once, from the first frame's `made`, which must
/// stay alive as long as frames with it are drawn; another simulation needs another renderer.
OndStatus ond_render_frame(OndRenderer *renderer, const OndFrame *frame, OndImage *out,
                           OndError *err);

/// Draws a surface that is there already, with the solids and the foam of its frame (NULL: none),
/// of which nothing else is looked at; needs `as` OND_AS_SURFACE.
OndStatus ond_render_surface(OndRenderer *renderer, const OndSurface *surface,
                             const OndFrame *frame, OndImage *out, OndError *err);

/// The last picture of a surface in linear light, for definitions with `linear`; NULL when there
/// is none.
const OndLinear *ond_render_linear(const OndRenderer *renderer);

/// NULL is allowed.
void ond_render_destroy(OndRenderer *renderer);

/// Widens [*min, *max] to hold the frame's values; begin with *min > *max. Outliers (one in a
/// hundred) are left out. Called for every frame of a film (or a few), it gives the range to fix.
/// False: no such field.
bool ond_render_range(const OndFrame *frame, OndColour colour, double *min, double *max);

/// Milliseconds that the parts of the last picture took.
typedef struct OndRenderTimes {
    double build, floor, trace, light, shade, finish; ///< of surfaces `light` is the filter
    double mesh; ///< making the surface, or gathering the light on smoke
} OndRenderTimes;
OndRenderTimes ond_render_times(const OndRenderer *renderer);

#endif

// SPDX-License-Identifier: MIT
// The register of what pictures may look like: numbers, and what scenes and options call them.
#ifndef OND_RENDER_STYLES_H
#define OND_RENDER_STYLES_H

// What is drawn of a frame.
#define OND_DRAWN_STYLES(X)                                                                        \
    X(OND_AS_AUTO, "auto")           /* surfaces or volumes in 3D, particles or slices in 2D */    \
    X(OND_AS_SURFACE, "surface")     /* the liquid's */                                            \
    X(OND_AS_PARTICLES, "particles") /* spheres: quick */                                          \
    X(OND_AS_VOLUME, "volume") /* a 3D grid as what fills the air: smoke, steam, ink, flames */    \
    X(OND_AS_SLICE, "slice")   /* a grid in colours; so is what follows, with more over it */      \
    X(OND_AS_ARROWS, "arrows")                                                                     \
    X(OND_AS_STREAMLINES, "streamlines")

// What the density of a grid looks like; auto: by the fluid's name, or grey. Number, name, what comes
// back of red, green and blue, light lost per length of the picture, and how far what is scattered
// leans forwards (trace_smoke.c).
#define OND_SMOKE_STYLES(X)                                                                        \
    X(OND_SMOKE_AUTO, "auto", 0.80f, 0.82f, 0.85f, 26.0f, 0.25f)                                   \
    X(OND_SMOKE_GREY, "smoke", 0.80f, 0.82f, 0.85f, 26.0f, 0.25f)                                  \
    X(OND_SMOKE_STEAM, "steam", 0.97f, 0.975f, 0.98f, 16.0f, 0.35f)                                \
    X(OND_SMOKE_INK, "ink", 0.07f, 0.15f, 0.55f, 30.0f, 0.1f)                                      \
    X(OND_SMOKE_FIRE, "fire", 0.30f, 0.28f, 0.27f, 18.0f, 0.2f)

#define OND_BACKDROPS(X)                                                                           \
    X(OND_BACKDROP_AUTO, "auto") /* dark for 3D, light for 2D */                                   \
    X(OND_BACKDROP_DARK, "dark")                                                                   \
    X(OND_BACKDROP_LIGHT, "light")

#define OND_QUALITIES(X)                                                                           \
    X(OND_QUALITY_PREVIEW, "preview")                                                              \
    X(OND_QUALITY_GOOD, "good")                                                                    \
    X(OND_QUALITY_BEST, "best")

// What colours show: number, name, field of the frame (NULL: one colour, no legend), unit where the
// field names none, palette (render/colour.h), and whether not the field is meant but its curl, how
// fast it turns.
#define OND_COLOURS(X)                                                                             \
    X(OND_COLOUR_SPEED, "speed", "velocity", "m/s", OND_PALETTE_WATER, false)                      \
    X(OND_COLOUR_TEMPERATURE, "temperature", "temperature", "K", OND_PALETTE_HEAT, false)          \
    X(OND_COLOUR_DENSITY, "density", "density", "kg/m\xc2\xb3", OND_PALETTE_DEPTH, false)          \
    X(OND_COLOUR_RIGIDITY, "rigidity", "rigidity", "", OND_PALETTE_FROST, false)                   \
    X(OND_COLOUR_PLAIN, "plain", NULL, "", OND_PALETTE_WATER, false)                               \
    X(OND_COLOUR_PRESSURE, "pressure", "pressure", "Pa", OND_PALETTE_DEPTH, false)                 \
    X(OND_COLOUR_VORTICITY, "vorticity", "velocity", "1/s", OND_PALETTE_HEAT, true)

#define OND_STYLE_NUMBER(number, ...) number,
typedef enum OndDrawn { OND_DRAWN_STYLES(OND_STYLE_NUMBER) } OndDrawn;
typedef enum OndSmokeKind { OND_SMOKE_STYLES(OND_STYLE_NUMBER) OND_SMOKE_KINDS } OndSmokeKind;
typedef enum OndBackdrop { OND_BACKDROPS(OND_STYLE_NUMBER) } OndBackdrop;
typedef enum OndQuality { OND_QUALITIES(OND_STYLE_NUMBER) } OndQuality;
typedef enum OndColour { OND_COLOURS(OND_STYLE_NUMBER) } OndColour;

// Their names, each list NULL-terminated.
extern const char *const ond_drawn_names[], *const ond_smoke_names[], *const ond_backdrop_names[];
extern const char *const ond_quality_names[], *const ond_colour_names[];

#endif
